"""Types of Modelica: what a variable, an input or an attribute of one type can be given, in every place and form.

The table is the specification's (MLS 6.7, 10.6.13): each type takes its own, and Real takes Integer. A variable of an
enumeration is not told from its ordinal, so these two are left out here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg

FUNCTIONS = "\n".join(
    f"function f{name}\n input {written} u;\n output {written} y;\nalgorithm\n y := u;\nend f{name};"
    for name, written in (
        ("Real", "Real"),
        ("Integer", "Integer"),
        ("Boolean", "Boolean"),
        ("String", "String"),
        ("E", "E"),
        ("Vector", "Real[2]"),
        ("R", "R"),
    )
)
DECLARATIONS = """
  parameter Real pr = 1.5;
  Real vr = sin(time);
  Integer vi = integer(time);
  Boolean vb = time > 0.5;
  Real vv[2] = {time, 1};
  R rr(re = time);
"""
EXPRESSIONS = {
    "Real": ("1.5", "pr", "2*vr"),
    "Integer": ("2", "vi"),
    "Boolean": ("true", "vb", "time > 1"),
    "String": ('"s"',),
    "E": ("E.a",),
    "Vector": ("{1.0, 2.0}", "vv"),
    "R": ("R(1.0)", "rr"),
}
VARYING = ("2*vr", "vi", "vb", "time > 1", "vv", "rr")
OTHERS = {
    "Real": "0.5",
    "Integer": "7",
    "Boolean": "false",
    "E": "E.b",
    "Vector": "{3.0, 4.0}",
    "R": "R(2.0)",
    "String": '"s"',
}
PLACES = {
    "binding": "  {type} z = {value};\n",
    "parameter": "  parameter {type} z = {value};\n",
    "equation": "  {type} z;\nequation\n  z = {value};\n",
    "algorithm": "  {type} z;\nalgorithm\n  z := {value};\n",
    "argument": "  {type} z = f{name}({value});\n",
    "branch": "  {type} z = if time > 1 then {value} else {other};\n",
    "when": "  discrete {type} z;\nequation\n  when time > 1 then\n    z = {value};\n  end when;\n",
    "start": "  {type} z(start = {value}) = {other};\n",
}


def cases() -> list[tuple[str, str, bool]]:
    """What is written where, the text of the model, and whether it is correct."""
    found = []
    for place, text in PLACES.items():
        for name in EXPRESSIONS:
            if name in ("String", "R", "Vector") and place in ("when", "start", "algorithm"):
                continue
            for given, values in EXPRESSIONS.items():
                for value in values:
                    is_ordinal = (name, value) == ("E", "vi") or (
                        place == "branch" and {name, given} in ({"E", "Real"}, {"E", "Integer"})
                    )
                    if (place in ("parameter", "start") and value in VARYING) or is_ordinal:
                        continue
                    body = text.format(type=_written(name), name=name, value=value, other=OTHERS[name])
                    found.append((f"{place}: {name} takes {value}", body, name == given or (name, given) == _WIDER))
    return found


_WIDER = ("Real", "Integer")


def _written(name: str) -> str:
    return "Real[2]" if name == "Vector" else name


def test_each_type_takes_its_own_and_real_takes_integer(tmp_path: Path) -> None:
    written = cases()
    models = "".join(f"model M{k}\n{DECLARATIONS}{body}end M{k};\n" for k, (_, body, _) in enumerate(written))
    file = tmp_path / "P.mo"
    types = "type E = enumeration(a, b);\nrecord R\n Real re;\nend R;\n"
    file.write_text(f"package P\n{types}{FUNCTIONS}\n{models}end P;\n")
    library = tg.load_modelica(file)
    wrong = []
    for k, (what, _, is_correct) in enumerate(written):
        try:
            _ = library[f"P.M{k}"].model
        except tg.TellegenError as error:
            if is_correct:
                wrong.append(f"{what}: {error}")
        else:
            if not is_correct:
                wrong.append(f"{what}: accepted")
    assert not wrong
    assert len(written) > 400


E = "type E = enumeration(a, b); type F = enumeration(a, b); E e = if time > 1 then E.a else E.b; "
WITH_NUMBERS = ("e == 1", "2 < e", "E.a <> 1", "e == Integer(e)")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("Real x(start = 0);\nequation\n der(x) = time > 1;", "one side of the equation is Real, the other Boolean"),
        ("Integer n;\nequation\n n = 1.5;", "one side of the equation is Integer, the other Real"),
        ("Real x = f(1);", "the input 'u' is an array of 1 dimensions, not a scalar"),
        ("Real x(start = {1, 2}) = 1;", "an attribute of x\\[\\] has the size \\[2\\]"),
        (
            "discrete Real x;\nequation\n when time > 1 then x = 1; end when;\n when time > 2 then x = 2; end when;",
            "x is assigned by two when-equations",
        ),
        *((f"{E}Boolean b = {relation};", "cannot compare an enumeration with a number") for relation in WITH_NUMBERS),
    ],
)
def test_mistakes_are_said_in_words(tmp_path: Path, body: str, said: str) -> None:
    file = tmp_path / "A.mo"
    function = "function f\n input Real u[:];\n output Real y;\nalgorithm\n y := sum(u);\nend f;\n"
    file.write_text(f"model A\n{function}{body}\nend A;\n")
    with pytest.raises(tg.TellegenError, match=said):
        _ = tg.load_modelica(file)["A"].model


CORRECT = """
type E = enumeration(a); type F = enumeration(a); E e = E.a; Boolean k = e == F.a and Integer(e) == 1 or time > 1;
Integer n = integer(2.7*time);
Integer n = div(7,2);
Integer n = div(integer(time),2);
Integer n = mod(integer(5*time),3);
Integer n = rem(integer(5*time),3);
Integer n = abs(integer(-time));
Integer n = sign(time - 0.5);
Integer n = max(integer(time), 3);
Integer n = sum({1,2,integer(time)});
Integer n = product({2,integer(time)+1});
Integer n = size(v,1); Real v[3]={1,2,3};
Integer n = if time > 0.5 then 1 else 2;
Integer n(start=0); equation when sample(0,0.1) then n = pre(n) + 1; end when;
type E = enumeration(a,b,c); E e = if time > 0.5 then E.a else E.b; Integer n = Integer(e); Real r = Integer(e);
type E = enumeration(a,b,c); E e(start=E.b); equation when time > 0.5 then e = E.c; end when;
type E=enumeration(a,b,c); E e; algorithm e := E.a; if time > 0.5 then e := E.c; end if;
Boolean b[3] = {time > 0.1, time > 0.2, true}; Boolean c = b[1] and not b[2];
Boolean b = max({time>0.5, false});
Boolean b; equation b = time > 0.5 or pre(b);
Integer n = -3;
Integer n = 2*integer(time) - 1;
Real r = 2; Real q = integer(time);
Integer n; algorithm n := 0; for i in 1:3 loop n := n + i; end for;
function f input Integer k; output Integer m; algorithm m := k*2 + 1; end f; Integer n = f(integer(time));
function f input Real x; output Boolean b; algorithm b := x > 0.5; end f; Boolean c = f(time);
function f input Boolean b; output Real y; algorithm y := if b then 1 else 0; end f; Real y = f(time>0.5);
Integer n = noEvent(if time > 0.5 then 1 else 2);
Boolean b = noEvent(time > 0.5);
Boolean b = edge(c); Boolean c = time > 0.5;
Integer n = integer(ceil(time)); Real f = floor(time);
Integer n[2] = {1, integer(time)}; Integer m = n[1] + n[2];
Integer n = scalar({3});
record R Integer n; Boolean b; end R; R r(n = 3, b = time > 1); R s = R(integer(time), true);
Integer n(start = 1, min = 0, max = 10) = 3;
Real x(start = 1, fixed = true, nominal = 10); equation der(x) = -x;
Real x[3](each start = 1, fixed = {true, false, true}); equation der(x) = -x;
parameter Boolean f = true; Real x(start=1, fixed = f); equation der(x) = -x;
Integer i = if initial() then 1 else pre(i);
Integer n = Integer(E.b); type E = enumeration(a,b);
Integer n; equation n = if time > 0.5 then pre(n) else 4;
Real y = smooth(0, if time > 0.5 then 1 else 2);
Real y = delay(time, 0.1);
discrete Real d(start=0); equation when time > 0.5 then d = integer(time); end when;
Boolean b(start=true, fixed=true); equation when time > 0.5 then b = not pre(b); end when;
Integer n = sum(if b[i] then 1 else 0 for i in 1:2); Boolean b[2] = {time>0.1, time > 0.3};
Integer n = min({3, 2, 1});
function f input Real u[:]; output Real y; algorithm y := sum(u); end f; Real y = f({time}); Real z = f(fill(time, 0));
function f input Real u[:,:]; output Real y; algorithm y := sum(u); end f; Real y = f([time, 1; 2, 3]);
function f input Real x; output Real y; algorithm y := x^2; end f; Real y[3] = f({1,2,time});
Real a[2]; Integer k[2]; equation for i in 1:2 loop a[i] = i; k[i] = i; end for;
Integer n; equation n = integer(time) + 1;
parameter Real x = 5; final parameter Integer n = integer(x);
parameter Integer n = if size({1,2},1) > 1 then 3 else 4;
Integer n; equation 3 = n;
Boolean b; equation not b = time > 0.5;
Real x; equation 2*x = integer(time);
Integer n = if time > 0.5 then integer(time) else 0;
"""
"""A model in each line: numbers of all types by functions, reductions, conditions, events and conversions."""


def test_correct_models_are_accepted(tmp_path: Path) -> None:
    bodies = CORRECT.strip().splitlines()
    file = tmp_path / "P.mo"
    models = "".join(f"model M{k}\n {body}\nend M{k};\n" for k, body in enumerate(bodies))
    file.write_text(f"package P\n{models}end P;\n")
    library = tg.load_modelica(file)
    for k in range(len(bodies)):
        assert library[f"P.M{k}"].model is not None
