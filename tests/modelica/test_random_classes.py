"""Random packages (random_classes.py) against an oracle in Python; loops that are left inside of loops."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from tests.modelica.random_classes import package


@pytest.mark.parametrize("seed", [402, 407, 409])
def test_random_packages(seed: int, tmp_path: Path) -> None:
    made = package(seed)
    file = tmp_path / "P.mo"
    file.write_text(made.modelica)
    solution = tg.simulate(tg.load_modelica(file)["P.M"], stop=1.0, points=5)
    for t in (0.0, 0.25, 0.5, 0.75, 1.0):
        k = int(solution.time.searchsorted(t, side="right")) - 1
        found = {name: float(solution[name][k]) for name, _ in made.compared}
        assert found == pytest.approx(made.values(t), rel=1e-9, abs=1e-9)


LEFT = """package B
  function f
    input Real x; output Real y = 0; output Real z = 0; output Real n = 0;
  algorithm
    for i in 1:3, j in 1:3 loop
      if j > x then break; end if;
      y := y + 10*i + j;
    end for;
    for i in 1:3 loop
      for j in 1:3 loop
        if j > x then break; end if;
        z := z + 10*i + j;
      end for;
      if i > x - 1 then break; end if;
      n := n + 1;
    end for;
  end f;
  model M Real y; Real z; Real n; equation (y, z, n) = f(time); end M;
end B;"""


def test_an_inner_loop_does_not_forget_that_the_outer_one_was_left(tmp_path: Path) -> None:
    """Beyond the first round of the outer loop nothing happens once it is left, whatever the inner loops do."""
    file = tmp_path / "B.mo"
    file.write_text(LEFT)
    solution = tg.simulate(tg.load_modelica(file)["B.M"], start=0.5, stop=3.5, points=4)
    expected = {0.5: (0, 0, 0), 1.5: (63, 11, 0), 2.5: (129, 66, 1), 3.5: (198, 198, 2)}
    for t, values in expected.items():
        k = int(solution.time.searchsorted(t))
        assert tuple(solution[name][k] for name in "yzn") == values
