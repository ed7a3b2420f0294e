"""Periodic sources and tables: corners are instants of the run, hit exactly, also when it starts in mid-shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks


class Shapes(tg.Component):
    """Each source and its integral, which is exact only if no corner is stepped over."""

    pulse = blocks.Pulse(width=0.3, period=0.2, start_time=0.1, offset=1.0, amplitude=2.0)
    trapezoid = blocks.Trapezoid(period=0.8, start_time=0.1, rising=0.1, width=0.4, falling=0.1)
    square = blocks.Trapezoid(period=0.8, start_time=0.1, width=0.4)
    table = blocks.Table(times=[0.2, 0.5, 0.5, 1.2], values=[1.0, 2.0, 5.0, -1.0])
    area = tg.variable("s", shape=4, start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.area) == [self.pulse.y, self.trapezoid.y, self.square.y, self.table.y]


def shapes(t: Any) -> list[Any]:
    """The four signals at times that are no corners."""
    phase = np.where(t > 0.1, (t - 0.1) % 0.8, 0.7)
    return [
        1.0 + 2.0 * ((t > 0.1) & ((t - 0.1) % 0.2 < 0.06)),
        np.interp(phase, [0.0, 0.1, 0.5, 0.6], [0.0, 1.0, 1.0, 0.0]),
        1.0 * (phase < 0.4),
        np.interp(t, [0.2, 0.5, 0.5 + 1e-13, 1.2], [1.0, 2.0, 5.0, -1.0]),
    ]


@pytest.mark.parametrize("start", [0.0, 0.137, 0.351])
def test_values_and_areas(start: float) -> None:
    solution = shared_model(Shapes).simulate(2.0, start=start, rtol=1e-9)
    middle: Any = np.linspace(start, 2.0, 400002)[:-1] + 0.5 * (2.0 - start) / 400001  # for areas to 1e-5
    exact = shapes(middle)
    at = solution.at(middle[::1000])
    for name, signal in zip(("pulse", "trapezoid", "square", "table"), exact, strict=True):
        np.testing.assert_allclose(at[f"{name}.y"], signal[::1000], atol=1e-9)
    areas = [(2.0 - start) * signal.mean() for signal in exact]
    np.testing.assert_allclose(solution["area"][-1], areas, atol=2e-5)


def test_corners_are_rows_of_the_solution() -> None:
    solution = tg.simulate(Shapes(), 1.05)
    for corner in (0.1, 0.1 + 0.3 * 0.2, 0.2, 0.5, 0.9):
        assert np.abs(solution.time - corner).min() < 2e-16, corner


def test_a_table_must_rise() -> None:
    with pytest.raises(tg.LanguageError, match="the abscissas must increase, but 1 follows 2"):
        tg.simulate(blocks.Table(times=[0.0, 2.0, 1.0], values=[0.0, 1.0, 2.0]), 1.0)


def test_parameters_of_a_run_move_the_corners() -> None:
    solution = tg.simulate(blocks.Pulse(), 1.0, parameters={"period": 0.5, "width": 0.2})
    changes = solution.time[1:][np.diff(solution["y"]) != 0]
    np.testing.assert_allclose(changes, [0.1, 0.5, 0.6, 1.0], atol=1e-15)
