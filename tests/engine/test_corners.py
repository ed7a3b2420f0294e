"""Corners that are no events: what the estimate of explicit steps does not show is made up for by the tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg


class Rectified(tg.Component):
    """The integral of the positive half-waves of a sine."""

    f = tg.parameter(1.0)
    phase = tg.parameter(0.0)
    q = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.q) == tg.maximum(tg.sin(2.0 * np.pi * (self.f * tg.time + self.phase)), 0.0)


@pytest.fixture(scope="module")
def rectified() -> tg.CompiledModel:
    return tg.compile(Rectified())


def integral(turns: float) -> float:
    """Of the half-waves from zero, over 2 pi f t."""
    return np.floor(turns) / np.pi + (1.0 - np.cos(2.0 * np.pi * min(turns % 1.0, 0.5))) / (2.0 * np.pi)


@pytest.mark.parametrize("rtol", [1e-6, 1e-8])
@pytest.mark.parametrize("solver", ["rk45", "rodas"])
def test_errors_across_corners_are_those_asked_for(rectified: tg.CompiledModel, solver: str, rtol: float) -> None:
    """Twenty corners each: a median of twice rtol with rk45 (50 times without the smaller tolerances)."""
    random = np.random.default_rng(3)
    stop = 10.25
    errors = []
    for _ in range(20):
        f = random.uniform(0.7, 1.4)
        phase = random.uniform(0.0, 1.0)
        run = rectified.simulate(stop, solver=solver, rtol=rtol, parameters={"f": f, "phase": phase})
        exact = (integral(f * stop + phase) - integral(phase)) / f
        errors.append(abs(run["q"][-1] / exact - 1.0))
    assert np.median(errors) < 10.0 * rtol
    assert max(errors) < 100.0 * rtol


def test_protected_corners_keep_the_tolerances() -> None:
    """What is declared smooth costs no more steps than if it were."""

    class Guarded(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == -tg.no_event(tg.maximum(self.x, 1e-3))

    class Plain(tg.Component):
        x = tg.variable(start=1.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == -self.x

    steps = [tg.simulate(model, 2.0, solver="rk45").stats["steps"] for model in (Guarded(), Plain())]
    assert steps[0] <= steps[1] + 55  # the longest step of a model that may have corners
