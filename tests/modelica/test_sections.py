"""Equations and algorithms of Modelica instances as scalar statements, each rule on a small text."""

from __future__ import annotations

import pytest

from modelica_texts import views_of
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.sections.read_sections import statements_of
from tellegen.frontends.modelica.sections.statements import Action, Statements
from tellegen.frontends.modelica.sections.topology import topology_of
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot
from tellegen.ir.expressions.ops import OPS


def instance_of(text: str, name: str = "M") -> Instance:
    return instantiate(views_of(text).named(name))


def shown(instance: Instance, expr: Expr) -> str:
    """An expression with the names of its variables."""
    if isinstance(expr, Const):
        return str(expr.value) if isinstance(expr.value, bool) else f"{expr.value:g}"
    if isinstance(expr, Slot | Der):
        name = variable_name(instance, expr.index)
        return f"der({name})" if isinstance(expr, Der) else name
    parts = [shown(instance, arg) for arg in expr.args]
    if not isinstance(expr, Call):
        return type(expr).__name__.lower()
    sign = OPS[expr.op].infix
    return f"({f' {sign} '.join(parts)})" if sign and len(parts) > 1 else f"{expr.op}({', '.join(parts)})"


def variable_name(instance: Instance, number: int) -> str:
    variable, element = instance.translation.variable_of(number)
    return variable.path if not variable.shape else f"{variable.path}[{element + 1}]"


def action_text(instance: Instance, action: Action) -> str:
    target = f"{variable_name(instance, action.target)} := " if action.target >= 0 else ""
    verb = "" if action.verb == "assign" else f"{action.verb} "
    return f"{verb}{target}{shown(instance, action.value)}"


def lines(text: str) -> list[str]:
    """All statements of a model, as text."""
    instance = instance_of(text)
    found: Statements = statements_of(instance)
    out = [f"{shown(instance, row.left)} = {shown(instance, row.right)}" for row in found.equations]
    out += [f"initial {shown(instance, row.left)} = {shown(instance, row.right)}" for row in found.initial_equations]
    for when in found.whens:
        for branch in when.branches:
            conditions = ", ".join(shown(instance, condition) for condition in branch.conditions)
            out.append(f"when {conditions}: " + "; ".join(action_text(instance, action) for action in branch.actions))
    out += [f"assert {shown(instance, one.condition)}: {one.message}" for one in found.assertions]
    return out


def error_of(text: str) -> ModelicaError:
    with pytest.raises(ModelicaError) as caught:
        lines(text)
    return caught.value


CASES = {
    "arrays become scalars": (
        "model M  Real x[2], y[2, 2]; equation x = {1, time}; y = [x[1], 2; 3, 4]; end M;",
        ["x[1] = 1", "x[2] = time", "y[1] = x[1]", "y[2] = 2", "y[3] = 3", "y[4] = 4"],
    ),
    "empty arrays say nothing": ("model M  Real x[0]; equation x = zeros(0); end M;", []),
    "for with a range": (
        "model M  parameter Integer n = 2; Real x[n]; equation for i in 1:n loop der(x[i]) = i; end for; end M;",
        ["der(x[1]) = 1", "der(x[2]) = 2"],
    ),
    "for without a range": (
        "model M  Real x[2]; equation for i loop x[i] = 2*i; end for; end M;",
        ["x[1] = 2", "x[2] = 4"],
    ),
    "records by fields": (
        "record R  Real a; Real b; end R; model M  R r, s; equation r = s; s.a = 1; s.b = 2; end M;",
        ["r.a = s.a", "r.b = s.b", "s.a = 1", "s.b = 2"],
    ),
    "results that are not wanted": (
        """function f  input Real u; output Real a; output Real b; output Real c;
        algorithm a := u; b := 2*u; c := 3*u; end f;
        model M  Real x, y; equation (x, , y) = f(time); end M;""",
        ["x = time", "y = (3 * time)"],
    ),
    "a condition of parameters is decided": (
        """model M  parameter Real R = 1; Real x; equation
        if R > 0 then x = 1; else x = 2; der(x) = 3; end if; end M;""",
        ["x = 1"],
    ),
    "branches that vary are paired by left sides": (
        "model M  Real x, y; equation if time > 1 then x = 1; y = 2; else y = 3; x = 4; end if; end M;",
        ["x = where((time > 1), 1, 4)", "y = where((time > 1), 2, 3)"],
    ),
    "branches for different variables are residuals": (
        "model M  Real i, v; equation if time > 1 then i = 0; else v = 0; end if; v = 2*i; end M;",
        ["where((time > 1), i, v) = 0", "v = (2 * i)"],
    ),
    "elseif nests": (
        "model M  Real x; equation if time > 2 then x = 1; elseif time > 1 then x = 2; else x = 3; end if; end M;",
        ["x = where((time > 2), 1, where((time > 1), 2, 3))"],
    ),
    "assert in a branch": (
        """model M  Real x; equation x = time;
        if x > 1 then assert(x < 2, "too far: " + String(x)); end if; end M;""",
        ["x = time", "assert (not((x > 1)) | (x < 2)): too far: {:.6g}"],
    ),
    "each element of a vector has its own edge": (
        """model M  Boolean a, b; Integer n; equation a = time > 1; b = time > 2;
        when {a, b, initial()} then n = pre(n) + 1; end when; end M;""",
        ["a = (time > 1)", "b = (time > 2)", "when a, b, initial(): n := (pre(n) + 1)"],
    ),
    "elsewhen and reinit": (
        """model M  Real x, v; equation der(x) = v; der(v) = -1;
        when x < 0 then reinit(v, -v); elsewhen time > 9 then terminate("done"); end when; end M;""",
        ["der(x) = v", "der(v) = -1", "when (x < 0): reinit v := neg(v)", "when (time > 9): terminate True"],
    ),
    "if in when keeps what a branch does not assign": (
        """model M  Integer n, k; equation
        when time > 1 then if pre(k) > 1 then n = 1; else n = 2; end if; k = 3; end when; end M;""",
        ["when (time > 1): n := where((pre(k) > 1), 1, 2); k := 3"],
    ),
    "a when that never acts keeps the value": (
        "model M  Real x; equation when false then x = 1; end when; end M;",
        ["when False: x := 1"],
    ),
    "algorithm": (
        """model M  Real y, u; algorithm y := u; if y > 1 then y := 1; end if; equation u = time; end M;""",
        ["y = where((u > 1), 1, u)", "u = time"],
    ),
    "a discrete variable begins as before, a continuous one with its start value": (
        """model M  Boolean b; Real y(start=7); algorithm
        if time > 1 then b := true; y := 1; end if; end M;""",
        ["b = ((time > 1) | pre(b))", "y = where((time > 1), 1, 7)"],
    ),
    "only the elements that are assigned": (
        "model M  Real x[3]; algorithm x[1] := 1; x[3] := x[1] + time; equation x[2] = 0; end M;",
        ["x[1] = 1", "x[3] = (time + 1)", "x[2] = 0"],
    ),
    "statements of a when are taken in order": (
        """model M  Integer n(start=0), k; Real y; algorithm
        when sample(0, 1) then n := pre(n) + 1; k := 2*n; end when; y := k + 1; end M;""",
        ["y = (k + 1)", "when sample(0, 1): n := (pre(n) + 1); k := (2 * (pre(n) + 1))"],
    ),
    "of two whens for a variable the last counts": (
        """model M  Boolean a, b, on; algorithm
        when a then on := false; end when; when b then on := true; end when;
        equation a = time > 1; b = time > 2; end M;""",
        ["a = (time > 1)", "b = (time > 2)", "when b: on := True", "when a: on := False"],
    ),
    "initial algorithm": (
        "model M  parameter Real p(fixed=false); Real x; initial algorithm p := 2; equation der(x) = p; end M;",
        ["der(x) = p", "initial p = 2"],
    ),
    "base classes first": (
        "model A  Real a; equation a = 1; end A; model M  extends A; Real m; equation m = a; end M;",
        ["a = 1", "m = a"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_statements(name: str) -> None:
    text, expected = CASES[name]
    assert lines(text) == expected


REFUSED = {
    "unequal branches": (
        "model M  Real x, y; equation if time > 1 then x = 1; y = 2; else x = 3; end if; end M;",
        "E580",
        "2 and 1 equations",
    ),
    "when in a branch": (
        "model M  Integer n; equation if time > 1 then when time > 2 then n = 1; end when; end if; end M;",
        "E581",
        "condition varies",
    ),
    "assertion": (
        'model M  parameter Integer n = 3; equation assert(n < 2, "n is " + String(n)); end M;',
        "E582",
        "n is 3",
    ),
    "sizes": ("model M  Real x[2]; equation x = {1, 2, 3}; end M;", "E567", "[2]"),
    "no variable in when": ("model M  Real x; equation when time > 1 then x + 1 = 2; end when; end M;", "E584", "one"),
    "assigned parameter": ("model M  parameter Real p = 1; algorithm p := 2; end M;", "E584", "'p'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, code, part = REFUSED[name]
    error = error_of(text)
    assert error.code == code
    assert part in error.message
    assert error.location is not None
    assert error.location.line == 1


CONNECTIONS = """
connector Pin  Real v; flow Real i; end Pin;
model R  Pin p, n; end R;
model M
  parameter Integer k = 2;
  parameter Boolean with_load = false;
  Pin p, n;
  R r[k];
  R load if with_load;
equation
  connect(p, r[1].p);
  for i in 1:k - 1 loop connect(r[i].n, r[i + 1].p); end for;
  connect(r[k].n, n);
  if with_load then connect(load.p, p); end if;
  connect(load.n, n);
end M;
model N  extends M(break connect(n, r[k].n)); end N;
"""


def test_connections() -> None:
    found = topology_of(instance_of(CONNECTIONS)).connects
    assert [(connect.left.path, connect.right.path) for connect in found] == [
        ("p", "r[1].p"),
        ("r[1].n", "r[2].p"),
        ("r[2].n", "n"),
    ]
    assert [connect.outside for connect in found] == [(True, False), (False, False), (False, True)]
    assert len(topology_of(instance_of(CONNECTIONS, "N")).connects) == 2
