"""What may be named, called and redeclared; partial derivatives of functions; empty connectors; headers of C code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from tellegen.frontends.modelica.library import ModelicaClass


def loaded(tmp_path: Path, text: str) -> ModelicaClass:
    """The class M of a text."""
    file = tmp_path / "M.mo"
    file.write_text(text)
    return tg.load_modelica(file)["M"]


F = "function f input Real x; output Real y; algorithm y := 2*x; end f;"

WRONG = {
    "assigned though conditional": ("E559", "model M Real x if true; algorithm x := 2; end M;"),
    "called through a conditional component": (
        "E559",
        f"model M model A {F} end A; A a if true; Real x = a.f(2); end M;",
    ),
    "called through an element of an array": ("E559", f"model M model A {F} end A; A a[3]; Real x = a[2].f(2); end M;"),
    "called through a constant": (
        "E552",
        f"model M class A class B class C {F} end C; constant C c; end B; end A; A a; Real x = a.B.c.f(4); end M;",
    ),
    "a constant of a partial package": (
        "E552",
        "model M partial package P constant Real x = 45; end P; Real y = P.x; end M;",
    ),
    "an element that the outer class does not have": (
        "E576",
        """model M record R Integer i; end R; record S extends R; Real a; end S;
        model A outer R t; Real x = t.a; end A; model B inner S t(i = 10, a = 1); A a; end B; B b; end M;""",
    ),
    "several results of arrays": (
        "E570",
        """model M function g input Real a; output Real b; output Real c; algorithm b := a; c := -a; end g;
        Real x[2]; Real y[2]; equation (x, y) = g({1, 2}); end M;""",
    ),
    "abs of a Boolean": ("E566", "model M Boolean b; equation b = abs(b); end M;"),
    "a function derived from a type": (
        "E550",
        "model M type T = Real; function g extends T; algorithm end g; equation g(); end M;",
    ),
    "an element that does not exist is redeclared": (
        "E555",
        "model M model A Real x = 1; end A; model B Real y = 1; end B; B b(redeclare model N = A); end M;",
    ),
    "a variable of a component assigned in a when": (
        "E584",
        "model M model A discrete Real x; end A; A a; equation when sample(0, 1) then a.x = 1; end when; end M;",
    ),
    "inputs alone on a bus": (
        "E585",
        """model M expandable connector B end B; connector I = input Real;
        model A I i = 1; end A; model S B b; A a; equation connect(a.i, b.x); end S; S s; end M;""",
    ),
    "a variable of a bus modified": (
        "E556",
        """model M expandable connector B Real x; end B; connector O = output Real;
        O o = 2; B b(x = 1); equation connect(o, b.x); end M;""",
    ),
    "a size by a variable": ("E569", "model M Integer n = 3; Real x[n]; equation x = zeros(n); end M;"),
    "a for-equation over a variable": (
        "E569",
        "model M Integer n[2] = {1, 2}; Real x[2]; equation for i in n loop x[i] = i; end for; end M;",
    ),
    "a physical connector of a block": (
        "E562",
        "model M connector C Real e; flow Real f; end C; block B C c; end B; B b; end M;",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_reported(tmp_path: Path, name: str) -> None:
    code, text = WRONG[name]
    with pytest.raises(tg.TellegenError, match=code):
        _ = loaded(tmp_path, text).model


def test_partial_derivatives_of_functions(tmp_path: Path) -> None:
    model = loaded(
        tmp_path,
        """model M
          function f
            input Real x; input Real y; output Real z;
          protected
            Real w;
          algorithm
            w := x^2*y;
            z := sin(w) + (if y > 0 then x*y else 0);
          end f;
          function f_x = der(f, x);
          function f_xy = der(f, x, y);
          Real a = f_x(time, 2 + time^2);
          Real b = f_xy(time, 2 + time^2);
          parameter Real c = f_x(0.5, 3);
        end M;""",
    )
    found = tg.simulate(model, stop=1.0)
    x = found.time
    y = 2 + x**2
    np.testing.assert_allclose(found["a"], 2 * x * y * np.cos(x**2 * y) + y, rtol=1e-12)
    mixed = 2 * x * np.cos(x**2 * y) - 2 * x**3 * y * np.sin(x**2 * y) + 1
    np.testing.assert_allclose(found["b"], mixed, rtol=1e-12, atol=1e-12)
    assert found["c"] == pytest.approx(3 * np.cos(0.75) + 3)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("function f_w = der(f, w); Real a = f_w(time);", "E570"),
        ("function f_x = der(g, x); Real a = f_x({time, 1});", "E565"),
    ],
)
def test_partial_derivatives_that_do_not_exist(tmp_path: Path, text: str, code: str) -> None:
    arrays = "function g input Real x[2]; output Real y; algorithm y := x[1]; end g;"
    with pytest.raises(tg.TellegenError, match=code):
        _ = loaded(tmp_path, f"model M {F} {arrays} {text} end M;").model


def test_what_follows_an_empty_connector_is_not_an_input(tmp_path: Path) -> None:
    """An empty array has the number of the scalar after it: T was an input of the model."""
    model = loaded(
        tmp_path,
        """model M connector In = input Real; parameter Integer n = 0;
        In p(start = 1e6); In x[n]; Real T; Real d; equation d = p/T; T = 300 + time; end M;""",
    )
    found = tg.simulate(model, stop=1.0)
    np.testing.assert_allclose(found["d"], 1e6 / (300 + found.time))


def test_a_file_of_c_code_may_include_the_header_itself(tmp_path: Path) -> None:
    folder = tmp_path / "Resources" / "Include"
    folder.mkdir(parents=True)
    (folder / "twice.c").write_text(
        '#include "ModelicaUtilities.h"\ndouble twice(double x) { if (x > 1e9) ModelicaError("large"); return 2*x; }\n'
    )
    text = f"""model M
      function twice input Real x; output Real y;
        external "C" y = twice(x) annotation(Include = "#include \\"twice.c\\"", IncludeDirectory = "file://{folder}");
      end twice;
      Real y = twice(time);
    end M;"""
    assert tg.simulate(loaded(tmp_path, text), stop=1.0)["y"][-1] == pytest.approx(2.0)


def test_constants_by_declaration_in_algorithms_and_strings(tmp_path: Path) -> None:
    text = """model M
      type E = enumeration(one, two);
      E e = E.two;
      Integer n[2] = {2, 1};
      Real x[2];
      Real named = if String(e) == "two" and String(n[1]) == "2" then 1 else 0;
    algorithm
      for i in n loop
        x[i] := 10*i + n[i];
      end for;
    end M;"""
    solution = tg.simulate(loaded(tmp_path, text), stop=1.0)
    assert [solution[name][-1] for name in ("x[1]", "x[2]", "named")] == [12.0, 21.0, 1.0]


def test_only_initial_itself_is_active_initially(tmp_path: Path) -> None:
    text = """model M
      function same input Boolean b; output Boolean c; algorithm c := b; end same;
      Real x(start = 0, fixed = true);
      Real y(start = 0, fixed = true);
    equation
      when {same(initial()), sample(0.5, 0.5)} then x = 2; end when;
      when {initial(), sample(0.5, 0.5)} then y = 2; end when;
    end M;"""
    solution = tg.simulate(loaded(tmp_path, text), stop=1.0)
    assert (solution["x"][0], solution["y"][0]) == (0.0, 2.0)
    assert (solution["x"][-1], solution["y"][-1]) == (2.0, 2.0)
