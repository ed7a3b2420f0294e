"""Errors shrink with the tolerance: from 1e-3 to 1e-10 the error must follow, monotone within a factor."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation.measured import ALL, STIFF, within
from validation.test_analytic import Oscillator
from validation.test_test_set import Hires

RTOL = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]


def check(case: str, errors: list[float], solver: str) -> None:
    """Three demands: the error never exceeds 1000 rtol, falls by 1e5 or more over seven decades of rtol, and a
    tighter tolerance is never worse than the next looser one by more than a factor of 3 (step patterns are lucky)."""
    for rtol, error in zip(RTOL, errors, strict=True):
        within(f"{case}, rtol = {rtol:.0e}", error, max(1000.0 * rtol, 1e-9), "closed or reference solution", solver)
    assert errors[-1] < 1e-5 * errors[0], errors
    assert all(b < 3.0 * a for a, b in pairwise(errors)), errors


@pytest.mark.parametrize("solver", ALL)
def test_oscillator(solver: str) -> None:
    model = tg.compile(Oscillator())

    def error(rtol: float) -> float:
        s = model.simulate(10.0, rtol=rtol, parameters={"damper.d": 0.4}, solver=solver)
        root = np.sqrt(25.0 - 0.01)
        exact = np.exp(-0.1 * s.time) * (np.cos(root * s.time) + 0.1 / root * np.sin(root * s.time))
        return float(np.abs(s["mass.s"] - exact).max())

    check("Oscillator", [error(rtol) for rtol in RTOL], solver)


@pytest.mark.parametrize("solver", STIFF)
def test_hires(solver: str) -> None:
    """Against the solution at rtol 1e-12 at 30 times, each component relative to its maximum."""
    model = tg.compile(Hires())
    times: Any = np.geomspace(0.1, 300.0, 30)
    exact = model.simulate(300.0, rtol=1e-12, atol=1e-18, points=times, solver=solver)["y"]
    scale = exact.max(axis=0)

    def error(rtol: float) -> float:
        y = model.simulate(300.0, rtol=rtol, atol=1e-6 * rtol, points=times, solver=solver)["y"]
        return float(np.abs((y - exact) / scale).max())

    check("HIRES", [error(rtol) for rtol in RTOL], solver)
