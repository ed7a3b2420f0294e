"""Difference quotients that stand in for tangents are named in the stats of sensitivities, and warned of once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tellegen as tg
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel

TEXT = """
package Roots
  function bisected "the cube root of c: which end moves depends on c"
    input Real c;
    output Real x;
  protected
    Real a = 0;
    Real b = 3;
  algorithm
    while b - a > 1e-13 loop
      x := (a + b)/2;
      if x^3 > c then b := x; else a := x; end if;
    end while;
  end bisected;
  function doubled
    input Real c;
    output Real x = 2*bisected(c);
    algorithm for k in 1:1 loop x := x; end for;
  end doubled;
  function newton
    input Real c;
    output Real x = 3;
  algorithm
    while abs(x^3 - c) > 1e-13*c loop x := x - (x^3 - c)/(3*x^2); end while;
  end newton;
  model Bisected parameter Real c = 8; Real x(start=0, fixed=true); equation der(x) = bisected(c + x); end Bisected;
  model Doubled parameter Real c = 8; Real x(start=0, fixed=true); equation der(x) = doubled(c + x); end Doubled;
  model Newton parameter Real c = 8; Real x(start=0, fixed=true); equation der(x) = newton(c + x); end Newton;
end Roots;
"""


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("roots") / "Roots.mo"
    Path(file).write_text(TEXT, encoding="utf-8")
    return tg.load_modelica(file)


def slope_at(stop: float, gain: float) -> float:
    """d x(stop)/dc: with z = c + x, z' = gain z^(1/3), so dz/dc = (z / c)^(1/3) and dx/dc is one less."""
    z = (8.0 ** (2 / 3) + 2 / 3 * gain * stop) ** 1.5
    return (z / 8.0) ** (1 / 3) - 1.0


@pytest.mark.parametrize(("name", "gain"), [("Bisected", 1.0), ("Doubled", 2.0)])
def test_sensitivities_name_them(roots: tg.ModelicaLibrary, name: str, gain: float) -> None:
    with pytest.warns(UserWarning, match="difference quotients stand in") as warned:
        found = tg.sensitivity(roots[f"Roots.{name}"](), 0.5, wrt="c", rtol=1e-8)
    assert len(warned) == 1
    assert len(found.solution.stats["difference_quotients"]) == 1
    assert found["x", "c"][-1] == pytest.approx(slope_at(0.5, gain), rel=1e-6)  # noise of quotients and rtol


def test_both_methods_of_gradients_warn_once_for_a_model(roots: tg.ModelicaLibrary) -> None:
    made = SensitivityModel(roots["Roots.Bisected"](), ["c"])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        both = [tg.gradient(made, 0.5, of=tg.final("x"), wrt="c", method=method) for method in ("adjoint", "forward")]
    assert len([each for each in warned if "difference quotients stand in" in str(each.message)]) == 1
    for found in both:
        assert "difference_quotients" in found.solution.stats
        assert found.matrix[0, 0] == pytest.approx(slope_at(0.5, 1.0), rel=1e-5)


def test_optimize_warns_once(roots: tg.ModelicaLibrary) -> None:
    """Several runs with gradients lead to the c for which x(0.5) is 1.2."""
    with pytest.warns(UserWarning, match="difference quotients stand in") as warned:
        best = tg.optimize(
            roots["Roots.Bisected"](), stop=0.5, minimize=(tg.final("x") - 1.2) ** 2, variables={"c": (6.0, 16.0)}
        )
    assert len(warned) == 1
    assert best.solution["x"][-1] == pytest.approx(1.2, abs=1e-3)


def test_tangents_are_no_quotients(roots: tg.ModelicaLibrary) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tg.sensitivity(roots["Roots.Newton"](), 0.5, wrt="c", rtol=1e-8)
    assert "difference_quotients" not in found.solution.stats
    assert found["x", "c"][-1] == pytest.approx(slope_at(0.5, 1.0), rel=1e-6)


def test_python_functions_without_a_derivative_are_named_without_a_warning() -> None:
    """Their author left the derivative out; docs/language/functions-and-software.md says what that means."""

    @tg.function(opaque=True)
    def cube_root(c: float) -> float:
        return c ** (1 / 3)

    class Grows(tg.Component):
        c = tg.parameter(8.0)
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == cube_root(self.c + self.x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tg.sensitivity(Grows(), 0.5, wrt="c", rtol=1e-8)
    assert found.solution.stats["difference_quotients"] == ("cube_root",)
    assert found["x", "c"][-1] == pytest.approx(slope_at(0.5, 1.0), rel=1e-6)
