"""What the specification forbids in classes: names, imports, base classes, redeclarations, constants, loops."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg

REFUSED = {
    "a value of an enumeration twice": ("model M type E = enumeration(a, a); E e = E.a; end M;", "E553"),
    "a value by the name of an attribute": ("model M type E = enumeration(a, start); E e = E.a; end M;", "E553"),
    "a component twice": ("model M Real x = 1; Real x = 2; end M;", "E562"),
    "a component and a class": ("model M Real x = 1; class x end x; end M;", "E562"),
    "a class by the name of a type": ("model Integer end Integer; model M Integer i; end M;", "E562"),
    "an inherited component that differs": (
        "model A Real x = 2; end A; model M extends A; Integer x = 1; end M;",
        "E553",
    ),
    "an inherited class that differs": (
        "model A model B Real x = 2; end B; end A; model M extends A; model B Real x = 3; end B; B b; end M;",
        "E562",
    ),
    "a replaceable base class": ("model M replaceable model A Real x = 2; end A; extends A; end M;", "E550"),
    "an array beside a component": (
        "model A Real x = 1; end A; model A3 = A[3]; model M extends A3; Real y = 2; end M;",
        "E550",
    ),
    "an operator record extended": (
        "operator record R Real x; end R; operator record S extends R; end S; model M S s(x = 1); end M;",
        "E550",
    ),
    "an import from a model": (
        "model A encapsulated model B Real x = 1; end B; Real y = 1; end A; model M import A.B; B b; end M;",
        "E552",
    ),
    "an import of all of a model": (
        "encapsulated model A model B Real x = 1; end B; end A; model M import A.*; B b; end M;",
        "E552",
    ),
    "a protected name by import": (
        "package P protected constant Real y = 3; end P; model M import P.*; Real z = y; end M;",
        "E545",
    ),
    "a type named through a component": (
        "model A model B Real y = 2; end B; end A; model M A a; a.B b; end M;",
        "E552",
    ),
    "a protected function of a component": (
        "model A protected function f input Real x; output Real y = x; algorithm end f; end A; "
        "model M A a; Real x = a.f(1); end M;",
        "E556",
    ),
    "a function of an array of components": (
        "model A function f input Real x; output Real y = x; algorithm end f; end A; "
        "model M A a[3]; Real x = a.f(1); end M;",
        "E576",
    ),
    "a class that is not replaceable, extended": (
        "model A model B Real x = 1; end B; end A; model M extends A; redeclare model extends B end B; B b; end M;",
        "E551",
    ),
    "a public class redeclared as protected": (
        "model A replaceable model B Real x = 2; end B; end A; "
        "model M extends A; protected redeclare model B Real x = 3; end B; B b; end M;",
        "E551",
    ),
    "a replacement without an element": (
        "model A Real x = 1; end A; model B Real x = 2; Real y = 3; end B; "
        "model C replaceable model D = B; D d; end C; model M C c(redeclare model D = A); end M;",
        "E562",
    ),
    "a default that its constraint does not allow": (
        "model A Real x = 1; end A; model B Real x = 2; Real y = 3; end B; "
        "model M replaceable A a constrainedby B; end M;",
        "E562",
    ),
    "a redeclaration against a constraint tightened in between": (
        "model A Real x = 1; end A; model B Real x = 2; Real y = 2; end B; "
        "model D replaceable B b constrainedby A; end D; "
        "model E extends D(replaceable B b constrainedby B); end E; model M E e(redeclare A b); end M;",
        "E562",
    ),
    "a replacement of another predefined type": (
        "model A replaceable Real x = 1; end A; model M A a(redeclare Boolean x = true); end M;",
        "E562",
    ),
    "a constant that follows from a parameter": ("model M parameter Real p = 1; constant Real c = p; end M;", "E563"),
    "a constant that depends on itself": ("model M constant Real p = 2*q; constant Real q = sin(p); end M;", "E558"),
    "a loop over a matrix": (
        "model M Real x[2]; algorithm for r in {{1, 2}, {3, 4}} loop x := r; end for; end M;",
        "E566",
    ),
    "an enumeration compared with a number": (
        "model M type E = enumeration(a, b); parameter Real x = if E.a == 1 then 1 else 2; Real y = x; end M;",
        "E566",
    ),
}

ACCEPTED = {
    "a class derived from a model": "model A Real x = 1; end A; class M extends A; end M;",
    "a replacement with more elements": (
        "model A Real x = 1; end A; model B extends A; Real y = 3; end B; "
        "model C replaceable model D = A; D d; end C; model M C c(redeclare model D = B); end M;"
    ),
    "a class that extends a replaceable one it redeclares": (
        "model A replaceable model B Real x = 1; end B; end A; "
        "model M extends A; redeclare model extends B Real y = 2; end B; B b; end M;"
    ),
    "equal inherited components": (
        "model A Real x = 2; end A; model B Real x = 2; end B; model M extends A; extends B; end M;"
    ),
    "a function called through a component": (
        "model A function f input Real x; output Real y; algorithm y := 2*x; end f; end A; "
        "model M A a; Real x = a.f(1); end M;"
    ),
}


def _model(folder: Path, text: str) -> object:
    file = folder / "M.mo"
    file.write_text(text)
    return tg.load_modelica(file)["M"].model


@pytest.mark.parametrize("rule", REFUSED)
def test_refused(rule: str, tmp_path: Path) -> None:
    text, code = REFUSED[rule]
    with pytest.raises(tg.TellegenError, match=code):
        _model(tmp_path, text)


@pytest.mark.parametrize("rule", ACCEPTED)
def test_accepted(rule: str, tmp_path: Path) -> None:
    assert _model(tmp_path, ACCEPTED[rule])
