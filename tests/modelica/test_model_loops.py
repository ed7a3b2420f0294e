"""While loops in algorithms of models whose end depends on variables: native code, against the same in Python."""

from __future__ import annotations

from math import isqrt

import numpy as np
import pytest

import tellegen as tg

TEXT = """package L
  model Remainder "of a division, by subtraction"
    parameter Real b = 0.3;
    Real r, n;
  algorithm
    r := 2*time;
    n := 0;
    while r >= b loop
      r := r - b;
      n := n + 1;
    end while;
    annotation(experiment(StopTime = 1));
  end Remainder;
  model Nested "squares below a number, found twice; the second loop is left by break"
    Real x = 10 + 40*time;
    Real k, sum, v[2], last;
  algorithm
    k := 0;
    sum := 0;
    while (k + 1)^2 <= x loop
      k := k + 1;
      v := {k, 0};
      while v[1] > 0.5 loop
        v[1] := v[1] - 1;
        v[2] := v[2] + 2;
      end while;
      sum := sum + v[2];
    end while;
    last := 0;
    while true and last < 1e9*x loop
      if last > k then
        break;
      else
        last := last + 1;
      end if;
    end while;
    annotation(experiment(StopTime = 1));
  end Nested;
  model Feedback "a state whose rate is found by a loop: Newton's method for the square root"
    parameter Real x0 = 4;
    Real x(start = x0, fixed = true);
    Real root, step;
  equation
    der(x) = -root;
  algorithm
    root := x;
    step := 1;
    while abs(step) > 1e-14*abs(root) loop
      step := (root - x/root)/2;
      root := root - step;
    end while;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Feedback;
  model Speaks
    Real n;
  algorithm
    n := 0;
    while n < time loop
      n := n + 1;
      assert(n < 10, "too many");
    end while;
  end Speaks;
end L;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("loops") / "L.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


def test_a_loop_that_subtracts(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Remainder"])
    n, r = solution["n"], solution["r"]
    np.testing.assert_allclose(n * 0.3 + r, 2 * solution.time, atol=1e-9)
    assert np.all((r >= 0.0) & (r < 0.3))
    assert set(n) == set(range(7))


def test_loops_inside_of_loops_and_break(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["L.Nested"])
    roots = np.array([isqrt(int(value + 1e-9)) for value in solution["x"]])
    k = solution["k"]
    assert np.all(np.abs(k - roots) <= (np.abs(np.sqrt(solution["x"]) - np.round(np.sqrt(solution["x"]))) < 1e-6))
    np.testing.assert_allclose(solution["sum"], k * (k + 1))
    np.testing.assert_allclose(solution["last"], k + 1)


def test_a_state_whose_rate_a_loop_computes(library: tg.ModelicaLibrary) -> None:
    """der(x) = -sqrt(x) from x0: x = (sqrt(x0) - t/2)^2, so dx(2)/dx0 = (sqrt(x0) - 1)/sqrt(x0) = 1/2 at 4."""
    solution = tg.simulate(library["L.Feedback"])
    np.testing.assert_allclose(solution["x"], (2 - solution.time / 2) ** 2, rtol=1e-6)
    found = tg.gradient(library["L.Feedback"], of=tg.final("x"), wrt=["x0"])
    assert found["final(x)"]["x0"] == pytest.approx(0.5, rel=1e-5)


def test_what_does_more_than_assign_is_rejected(library: tg.ModelicaLibrary) -> None:
    with pytest.raises(tg.ModelicaError, match="does more than assign") as error:
        _ = library["L.Speaks"].model
    assert "in a function" in str(error.value)
