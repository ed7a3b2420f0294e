"""The front of examples/suspension.py against covariances of a quarter car on white noise, by Lyapunov."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import solve_continuous_lyapunov
from scipy.optimize import minimize

import tellegen as tg
from validation.measured import relative, within

BODY, WHEEL, TYRE = 300.0, 40.0, 1.8e5


@pytest.fixture(scope="module")
def example() -> Any:
    path = Path(__file__).resolve().parents[2] / "examples" / "suspension.py"
    spec = importlib.util.spec_from_file_location("suspension", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mean_squares(c: float, d: float) -> np.ndarray:
    """Of acceleration, tyre force and travel, for road velocity of unit intensity.

    States are travel, velocity of the body, compression of the tyre, velocity of the wheel; the road stretches the
    tyre. All decay, so that the covariance X solves A X + X A' + b b' = 0.
    """
    A = np.array(
        [
            [0.0, 1.0, 0.0, -1.0],
            [-c / BODY, -d / BODY, 0.0, d / BODY],
            [0.0, 0.0, 0.0, -1.0],
            [c / WHEEL, d / WHEEL, TYRE / WHEEL, -d / WHEEL],
        ]
    )
    b = np.array([[0.0], [0.0], [1.0], [0.0]])
    X = solve_continuous_lyapunov(A, -b @ b.T)
    rows = np.array([A[1], [0.0, 0.0, TYRE, 0.0], [1.0, 0.0, 0.0, 0.0]])
    return np.einsum("ij,jk,ik->i", rows, X, rows)


def test_one_run_tells_the_mean_squares(example: Any) -> None:
    """The integral of squares after a step of the road; what is left after 8 s is below 1e-6."""
    model = tg.compile(example.QuarterCar())
    for c, d in ((2e4, 1500.0), (5e3, 800.0), (6e4, 5000.0)):
        solution = model.simulate(example.STOP, parameters={"strut.c": c, "strut.d": d}, rtol=1e-9, points=8000)
        found = [f(solution) for f in (example.COMFORT, example.GRIP, example.TRAVEL)]
        known = np.sqrt(example.INTENSITY * mean_squares(c, d))
        within(f"quarter car, c = {c:g}, d = {d:g}: root mean squares", relative(found, known), 1e-5, "Lyapunov")
        closed = TYRE * d / (2 * BODY**2) + (BODY + WHEEL) * c**2 / (2 * d * BODY**2)
        within("mean square of acceleration", relative(found[0] ** 2, example.INTENSITY * closed), 2e-5, "closed form")


def best_comfort(grip: float, intensity: float, travel: float = np.inf) -> float:
    """The least acceleration with at most this force of the tyre (and travel), by SciPy on Lyapunov's equation."""
    low, high = np.log([5e3, 500.0]), np.log([8e4, 6000.0])

    def value(u: np.ndarray) -> np.ndarray:
        return np.sqrt(intensity * mean_squares(*np.exp(low + u * (high - low))))

    limits = [{"type": "ineq", "fun": lambda u: 1 - value(u)[1] / grip}]
    if np.isfinite(travel):
        limits.append({"type": "ineq", "fun": lambda u: 1 - value(u)[2] / travel})
    found = [
        minimize(lambda u: value(u)[0], start, bounds=[(0, 1)] * 2, constraints=limits, options={"ftol": 1e-10})
        for start in ([0.1, 0.3], [0.3, 0.5], [0.6, 0.6])
    ]
    kept = [each.fun for each in found if all(limit["fun"](each.x) > -1e-7 for limit in limits)]
    return min(kept)


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_front(method: str, example: Any) -> None:
    """Every design of the front: no other is more comfortable with as much grip."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    front = tg.pareto(
        example.QuarterCar(),
        example.STOP,
        minimize=[example.COMFORT, example.GRIP],
        variables=example.BOUNDS,
        designs=8,
        method=method,
    )
    assert front.success, front.message
    assert len(front) == 8
    scipy = "SciPy on Lyapunov's equation"
    known = [best_comfort(grip * (1 + 1e-6), example.INTENSITY) for grip in front.values[:-1, 1]]
    within("suspension: front", relative(front.values[:-1, 0], known), 1e-4, scipy, method)
    # at its end the front stands upright: comfort means nothing there, grip does
    least = minimize(lambda u: np.log(mean_squares(*np.exp(u))[1]), np.log([2e4, 2e3]), method="Nelder-Mead")
    grip = np.sqrt(example.INTENSITY * np.exp(least.fun))
    within("suspension: most grip", relative(front.values[-1, 1], grip), 1e-5, scipy, method)
    gaps = np.linalg.norm(np.diff(front.values, axis=0) / np.ptp(front.values, axis=0), axis=1)
    assert gaps.max() < 1.5 * gaps.min(), "designs are evenly spread"


def test_front_with_a_limit(example: Any) -> None:
    """With less than 11 mm of travel, at two designs in the middle."""
    front = tg.pareto(
        example.QuarterCar(),
        example.STOP,
        minimize=[example.COMFORT, example.GRIP],
        variables=example.BOUNDS,
        subject_to=[1e3 * example.TRAVEL <= 11.0],
        designs=5,
    )
    assert max(next(iter(design.constraints.values())) for design in front) <= 11.0 * (1 + 1e-5)
    middle = front.values[1:-1]
    known = [best_comfort(grip * (1 + 1e-6), example.INTENSITY, 11e-3) for grip in middle[:, 1]]
    within("suspension with less travel: front", relative(middle[:, 0], known), 1e-4, "SciPy on Lyapunov's equation")
