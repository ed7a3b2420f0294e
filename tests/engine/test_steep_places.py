"""Models without states whose unknowns change faster than any step: gates of transistors without capacitances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg

SUPPLY = 5.0
LEAK = 1e-12
PERIOD = 2e-9


def channel(gate: Any, drain: Any) -> Any:
    """The current of a square-law transistor with its threshold at zero; saturated it does not depend on the drain."""
    saturated = 1e-5 * gate * gate
    linear = 2e-5 * drain * (gate - 0.5 * drain)
    conducting = tg.where(tg.no_event(gate <= drain), saturated, linear)
    return tg.where(tg.no_event(gate <= 0.0), 0.0, conducting)


class Inverter(tg.Component):
    """Where both transistors are saturated, only the leakage determines the output: it falls within 1e-16 s."""

    u = tg.variable()
    v = tg.variable(start=SUPPLY)
    falls = tg.integer()
    rises = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield self.u == SUPPLY / 2 * (1 - tg.cos(2 * np.pi * tg.time / PERIOD)) + 0.1 * SUPPLY
        down = channel(self.u, self.v) + LEAK * self.v
        yield down == channel(SUPPLY - self.u, SUPPLY - self.v) + LEAK * (SUPPLY - self.v)
        yield tg.when(self.v < SUPPLY / 2, self.falls == tg.pre(self.falls) + 1)
        yield tg.when(self.v > SUPPLY / 2, self.rises == tg.pre(self.rises) + 1)


def output(t: float) -> float:
    """The same by bisection."""

    def current(gate: float, drain: float) -> float:
        if gate <= 0.0:
            return LEAK * drain
        return LEAK * drain + (1e-5 * gate**2 if gate <= drain else 2e-5 * drain * (gate - 0.5 * drain))

    u = SUPPLY / 2 * (1 - np.cos(2 * np.pi * t / PERIOD)) + 0.1 * SUPPLY
    root: Any = brentq(lambda v: current(u, v) - current(SUPPLY - u, SUPPLY - v), -1.0, SUPPLY + 1.0, xtol=1e-12)
    return float(root)


def test_an_inverter_without_capacitances() -> None:
    solution = tg.simulate(Inverter(), 2.5 * PERIOD, points=101)
    assert (solution["falls"][-1], solution["rises"][-1]) == (3, 3)  # the first rise is the start
    times = np.unique(solution.time)
    steep = [k * PERIOD + side * PERIOD * np.arccos(0.2) / (2 * np.pi) for k in range(4) for side in (-1, 1)]
    smooth = [t for t in times if min(abs(t - s) for s in steep) > 1e-3 * PERIOD]
    assert len(smooth) > 90
    values = np.interp(smooth, solution.time, solution["v"])
    np.testing.assert_allclose(values, [output(t) for t in smooth], atol=1e-5)


def test_what_has_no_solution_any_more_still_ends_the_run() -> None:
    class Fold(tg.Component):
        x = tg.variable(start=1.0)

        def equations(self) -> Iterator[Any]:
            yield self.x * self.x == 0.5 - tg.time

    with pytest.raises(tg.RunFailedError, match=r"t = 0\.5"):
        tg.simulate(Fold(), 1.0)
