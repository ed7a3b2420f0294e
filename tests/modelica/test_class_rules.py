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
    "a component that is not replaceable, of another class": (
        "model A Real x = 1; end A; model B extends A; end B; model C A a; end C; model M C c(redeclare B a); end M;",
        "E551",
    ),
    "a component that is not replaceable, in an array of a base class": (
        "model A Real x = 1; end A; model B extends A; end B; model C A a[2]; end C; model D extends C; end D; "
        "model M extends D; redeclare B a[2]; end M;",
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

REFUSED |= {
    "a conditional component in an equation": ("model M Real x if true; equation x = 2; end M;", "E559"),
    "a conditional component in a modification": (
        "model A Real y = 1; end A; model M Real x = 3 if true; A a(y = x); end M;",
        "E559",
    ),
    "a value of another enumeration": (
        "model M type E = enumeration(a); type F = enumeration(b); parameter E e = F.b; end M;",
        "E563",
    ),
    "a number as subscript of an enumeration": (
        "model M type E = enumeration(a, b); Real x[E] = {1, 2}; Real y = x[1]; end M;",
        "E566",
    ),
    "arithmetic with a condition": ("model M Real x = 2*terminal(); end M;", "E566"),
    "der of an Integer": ("model M constant Integer n = 1; Real x = der(n); end M;", "E566"),
    "a delay beyond its limit": ("model M Real x = time; Real y = delay(x, 2, 1); end M;", "E566"),
    "a limit of a delay that varies": ("model M Real x = time; Real y = delay(x, x, x); end M;", "E566"),
    "cardinality of a variable": ("model M Real x = 1; Integer n = cardinality(x); end M;", "E566"),
    "reinit of a parameter": (
        "model M parameter Real p = 1; equation when time > 1 then reinit(p, 2); end when; end M;",
        "E583",
    ),
    "a stream outside of connectors": ("model M stream Real x = 1; end M;", "E562"),
    "a connector as a parameter": ("connector C input Real x = 1; end C; model M parameter C c; end M;", "E562"),
    "a flow in an expandable connector": ("expandable connector C flow Real f; end C; model M C c; end M;", "E562"),
    "a stream without a flow": ("connector C stream Real s; end C; model M C c(s = 1); end M;", "E562"),
    "fewer flows than potentials": (
        "connector C Real a; Real b; flow Real f; end C; model M C c(a = 1, b = 1); end M;",
        "E562",
    ),
    "a flow of a record that cannot be added": (
        "operator record R Real x; end R; connector C R e; flow R f; end C; model M C c; end M;",
        "E562",
    ),
    "actualStream of a variable": (
        "connector C Real r; flow Real f; end C; model M C c(r = 1); Real a = actualStream(c.r); end M;",
        "E566",
    ),
    "an end of a connection that varies": (
        "connector C Real e; flow Real f; end C; model A C c[2]; end A; "
        "model M Integer n = 2; A a; equation a.c[1].e = 1; connect(a.c[1], a.c[n]); end M;",
        "E583",
    ),
    "a call without a value": (
        "model M function f input Real x; end f; Real y = f(1); end M;",
        "E570",
    ),
    "a constant of a class with variables": (
        "model A protected constant Real x = 2; end A; model M extends A; Real y = A.x; end M;",
        "E552",
    ),
    "an outer array of another size": (
        "model A outer Real p[6]; Real x = p[5]; end A; model M inner Real p[10] = ones(10); A a; end M;",
        "E560",
    ),
    "an ambiguous constructor": (
        "package P operator record R Real x; encapsulated operator 'constructor' import P.R; "
        "function a input Real u; output R r(x = u); algorithm end a; "
        "function b input Real v; output R r(x = v); algorithm end b; end 'constructor'; end R; end P; "
        "model M P.R r = P.R(1); end M;",
        "E572",
    ),
}

ACCEPTED = {
    "a component that is not replaceable, of its own class": (
        "model A Real x = 1; end A; model C A a; Real y; end C; "
        "model M C c(redeclare A a(x = 2), redeclare parameter Real y = 3); end M;"
    ),
    "a modifier of a constraining clause": (
        "model A Real x; end A; model B Real x = 1; end B; model M replaceable B b constrainedby A(x = 2); "
        'equation assert(b.x > 1.5, "not applied"); end M;'
    ),
    "an iterator without a range over Booleans": (
        'model M Boolean x[Boolean]; equation for i loop x[i] = i; end for; assert(x[true], "wrong"); end M;'
    ),
    "inputs left open by a partial application in any order": (
        "model M partial function F input Real x; output Real y; end F; "
        "function g input Real a; input Real x; output Real y; algorithm y := a - x; end g; "
        "function apply input F f; input Real x; output Real y; algorithm y := f(x); end apply; "
        'constant Real c = apply(function g(a = 5), 2); equation assert(c == 3, "wrong"); end M;'
    ),
    "another name of Boolean as a size": "model M type B = Boolean; Real x[B] = {1, 2}; Real y = x[true]; end M;",
    "directions by the types of a function's elements": (
        "model M type In = input Real; type Out = output Real; "
        "function f In u; Out y; algorithm y := 2*u; end f; Real x = f(1); end M;"
    ),
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
    "a redeclaration that the original declaration allows, of one without a constraint of its own": (
        "model I Real x = 1; end I; model P extends I; Real k = 2; end P; model Q extends I; Real q = 3; end Q; "
        "model A replaceable I i; end A; model B extends A(redeclare replaceable P i); end B; "
        "model M extends B(redeclare Q i); end M;"
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
