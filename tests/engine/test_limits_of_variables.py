"""min and max of variables: a run that leaves them says so, once for each variable."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import tellegen as tg


class Tank(tg.Component):
    """Empties at a constant rate, beyond nothing."""

    level = tg.variable("cm", "of the water", start=10.0, fixed=True, min=0.0, max=20.0)
    rate = tg.parameter(-0.02, "m/s")
    v = tg.variable("m/s", max=1.0)

    def equations(self):
        yield tg.der(self.level) == self.rate
        yield self.v == self.rate


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_a_level_below_zero(solver: str) -> None:
    """10 cm at 2 cm/s: empty after 5 s; the warning has the variable, the time and the limit."""
    with pytest.warns(UserWarning, match=r"Tank: at t = 5\.\d+.*level = -.*not level >= 0 cm"):
        solution = tg.simulate(Tank(), 10.0, points=101, solver=solver)
    (entry,) = solution.warnings
    assert entry.time == pytest.approx(5.1)
    assert entry.until is None


def test_a_level_above_its_max_for_a_while() -> None:
    class Wave(tg.Component):
        x = tg.variable(max=0.5)

        def equations(self):
            yield self.x == tg.sin(tg.time)

    with pytest.warns(UserWarning, match=r"not x <= 0\.5"):
        solution = tg.simulate(Wave(), 3.0, points=301)
    (entry,) = solution.warnings
    assert entry.time == pytest.approx(np.arcsin(0.5), abs=0.011)
    assert entry.until == pytest.approx(np.pi - np.arcsin(0.5), abs=0.011)


def test_a_variable_that_rests_at_its_limit_is_within_it() -> None:
    """It decays to zero and comes out as a rounding below it."""

    class Decay(tg.Component):
        x = tg.variable(start=1.0, fixed=True, min=0.0)
        y = tg.variable(start=0.0, fixed=True, max=1.0)

        def equations(self):
            yield tg.der(self.x) == -50.0 * self.x
            yield tg.der(self.y) == 50.0 * (1.0 - self.y)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not tg.simulate(Decay(), 10.0).warnings


@pytest.mark.parametrize("seed", range(5))
def test_random_waves(seed: int) -> None:
    """The warning comes exactly when the largest value is beyond the limit."""
    rng = np.random.default_rng(seed)
    amplitude, frequency, limit = rng.uniform(0.5, 2.0), rng.uniform(0.5, 3.0), rng.uniform(0.6, 1.8)

    class Wave(tg.Component):
        x = tg.variable(start=0.0, fixed=True, max=float(limit), min=-float(limit))

        def equations(self):
            yield tg.der(self.x) == amplitude * frequency * tg.cos(frequency * tg.time)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        solution = tg.simulate(Wave(), 4 * np.pi / frequency, points=400)
    beyond = np.abs(solution["x"]).max() > limit * (1 + 1e-4)
    assert len(solution.warnings) == (2 if beyond else 0)
    assert len(caught) == len(solution.warnings)


def test_a_variable_that_ought_to_be_zero_is_within_a_limit_of_zero() -> None:
    """0.1 + 0.2 - 0.3 is 5.6e-17; the absolute tolerance of a variable of size 1 is 1e-9."""

    class Rounded(tg.Component):
        x = tg.variable(max=0.0)
        sizes = tg.parameter([0.1, 0.2, 0.3])

        def equations(self):
            yield self.x == self.sizes[0] + self.sizes[1] - self.sizes[2]

    assert not tg.simulate(Rounded(), 1.0).warnings
    with pytest.warns(UserWarning, match="not x <= 0"):
        assert tg.simulate(Rounded(sizes=[0.1, 0.2, 0.2]), 1.0).warnings
