"""Loops with several solutions stay on theirs, whatever a rejected step of the integrator has tried.

y^3 - 3 y = x has three solutions while |x| < 2, and one beyond. A trial step that goes too far, to x > 2, finds the
only solution there, and Newton's method follows that one back to where there are others. Trial steps go far where a
state follows a reference that jumps without an event.
"""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg


class Fold(tg.Component):
    """A loop on its lowest branch, driven by a state that stays below 2."""

    rate = tg.parameter(500.0, "1/s")
    height = tg.parameter(1.0)
    x = tg.variable(start=0.0, fixed=True)
    y = tg.variable(start=-1.7)
    area = tg.variable(start=0.0, fixed=True)

    def equations(self):
        wanted = tg.no_event(tg.where(tg.time > 0.5, self.height, 0.0))
        yield tg.der(self.x) == self.rate * (wanted - self.x)
        yield self.y**3 - 3.0 * self.y == self.x
        yield tg.der(self.area) == self.y


@pytest.fixture(scope="module")
def fold() -> tg.CompiledModel:
    return tg.compile(Fold())


@pytest.mark.filterwarnings("ignore:.*looks stiff")
@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida", "auto"])
def test_the_branch_is_kept(fold: tg.CompiledModel, solver: str) -> None:
    random = np.random.default_rng(16)
    for _ in range(40):
        values = {"rate": float(10.0 ** random.uniform(1.0, 3.5)), "height": float(random.uniform(0.3, 1.6))}
        run = fold.simulate(1.0, solver=solver, parameters=values, points=200)
        lowest = 2.0 * np.cos((np.arccos(run["x"] / 2.0) + 2.0 * np.pi) / 3.0)
        np.testing.assert_allclose(run["y"], lowest, atol=1e-5, err_msg=str(values))
