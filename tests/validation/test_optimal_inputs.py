"""Inputs found by tg.optimize against optimal control in closed form.

Gradients are exact and the signals can have the shape of the optimum, so what is left is the tolerance of the search:
1e-6 of the objective.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import tellegen as tg
from validation.measured import within


class Cart(tg.Component):
    """The double integrator."""

    x = tg.variable("m", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    u = tg.input("m/s2")

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u


REST = [tg.final("x") == 1.0, tg.final("v") == 0.0]


def skip_without(method: str) -> None:
    if method == "ipopt":
        pytest.importorskip("ipyopt")


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_least_energy(method: str) -> None:
    """From rest to rest in a second: u = 6 - 12 t, of cost 12. The multiplier of x is -2 * 12: the cost is 12 x^2."""
    skip_without(method)
    best = tg.optimize(
        Cart(),
        1.0,
        minimize=tg.integral("u**2"),
        variables={"u": tg.piecewise(10, -10.0, 10.0)},
        subject_to=REST,
        method=method,
    )
    assert best.success, best.message
    curve = best.signals["u"]
    within("least energy from rest to rest: cost", best.objective / 12 - 1, 1e-6, "12", method)
    within("least energy from rest to rest: input", curve.values - (6 - 12 * curve.times), 1e-2, "6 - 12 t", method)
    within("least energy from rest to rest: price of the way", best.multipliers["final(x) == 1"] / -24 - 1, 1e-4, "-24")


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_least_time(method: str) -> None:
    """Full power, then full brake: 2 sqrt(d / u). The end of the run is free, and corners move with it."""
    skip_without(method)
    best = tg.optimize(
        Cart(),
        ("0.5 s", 5.0),
        minimize=tg.final("time"),
        variables={"u": tg.piecewise(8, -1.0, 1.0, kind="constant")},
        subject_to=REST,
        method=method,
    )
    assert best.success, best.message
    within("least time from rest to rest", best.objective / 2 - 1, 1e-6, "2 sqrt(d / u)", method)
    full = np.repeat([1.0, -1.0], 4)
    within("least time from rest to rest: input", best.signals["u"].values - full, 1e-4, "bang-bang", method)
    assert best.variables["final_time"] == pytest.approx(best.solution.time[-1])


@pytest.mark.parametrize("method", ["slsqp", "ipopt"])
def test_limit_along_the_path(method: str) -> None:
    """Least energy with v <= V: u falls to zero at s = 3/2 (1 - 1/V), rests, falls on; the cost is 8 V^2 / (3 s)."""
    skip_without(method)
    best = tg.optimize(
        Cart(),
        1.0,
        minimize=tg.integral("u**2"),
        variables={"u": tg.piecewise(20, -20.0, 20.0)},
        subject_to=[*REST, tg.peak("v") <= 1.2],
        method=method,
    )
    assert best.success, best.message
    case = "least energy with a limit of speed"
    within(case, best.objective / (8 * 1.2**2 / (3 * 0.25)) - 1, 1e-6, "8 V^2 / (3 s)", method)
    within(f"{case}: speed", best.constraints["peak(v) <= 1.2"] / 1.2 - 1, 1e-5, "1.2", method)
    # d cost / d V = 16 V / (3 s) - 8 V^2 / (3 s^2) ds/dV with ds/dV = 3 / (2 V^2)
    price = -(16 * 1.2 / (3 * 0.25) - 8 / (2 * 0.25**2))
    within(f"{case}: price of the limit", best.multipliers["peak(v) <= 1.2"] / price - 1, 1e-3, "d cost / d V", method)


A, B = np.array([[0.0, 1.0], [2.0, -0.5]]), np.array([[0.0], [1.0]])
Q, R, X0, STOP = np.diag([2.0, 0.5]), 0.3, [1.0, 0.0], 2.0


class Pole(tg.Component):
    """An unstable plant: x1' = x2, x2' = 2 x1 - x2/2 + u."""

    x1 = tg.variable(start=1.0, fixed=True)
    x2 = tg.variable(start=0.0, fixed=True)
    u = tg.input()

    def equations(self):
        yield tg.der(self.x1) == self.x2
        yield tg.der(self.x2) == 2.0 * self.x1 - 0.5 * self.x2 + self.u


def riccati() -> float:
    """The least cost of any input: x0' P(0) x0, with P from the Riccati differential equation, backwards."""

    def rate(_: float, p: np.ndarray) -> np.ndarray:
        P = p.reshape(2, 2)
        return (A.T @ P + P @ A - P @ B @ B.T @ P / R + Q).ravel()

    P = solve_ivp(rate, (0, STOP), np.zeros(4), rtol=1e-11, atol=1e-12).y[:, -1].reshape(2, 2)
    return float(X0 @ P @ X0)


def stepwise(n: int) -> float:
    """The least cost of inputs of n steps: the cost of a step by Van Loan's matrix exponential, then backwards."""
    h = STOP / n
    F = np.block([[A, B], [np.zeros((1, 3))]])
    W = np.zeros((3, 3))
    W[:2, :2], W[2, 2] = Q, R
    E = expm(np.block([[-F.T, W], [np.zeros((3, 3)), F]]) * h)
    Phi = E[3:, 3:]
    cost = Phi.T @ E[:3, 3:]
    Ad, Bd, Qd, N, Rd = Phi[:2, :2], Phi[:2, 2:], cost[:2, :2], cost[:2, 2:], cost[2:, 2:]
    P = np.zeros((2, 2))
    for _ in range(n):
        K = np.linalg.solve(Rd + Bd.T @ P @ Bd, Bd.T @ P @ Ad + N.T)
        P = Qd + Ad.T @ P @ Ad - (Ad.T @ P @ Bd + N) @ K
    return float(X0 @ P @ X0)


def test_linear_quadratic() -> None:
    """Steps against the Riccati equation of sampled systems; more of them come to that of all inputs by 1/n^2."""
    costs = {}
    for n in (8, 16):
        best = tg.optimize(
            Pole(),
            STOP,
            minimize=tg.integral("2*x1**2 + 0.5*x2**2 + 0.3*u**2"),
            variables={"u": tg.piecewise(n, -20.0, 20.0, kind="constant")},
            tolerance=1e-8,
        )
        assert best.success, best.message
        costs[n] = best.objective
        within(f"linear-quadratic, {n} steps", best.objective / stepwise(n) - 1, 1e-6, "Riccati equation of steps")
    least = riccati()
    order = np.log2((costs[8] - least) / (costs[16] - least))
    within("linear-quadratic: order of n in the distance from the best of all inputs", order - 2, 0.1, "2")


def test_straight_lines_come_closer() -> None:
    """8 straight lines are nearer to the best of all inputs than 16 steps."""
    best = tg.optimize(
        Pole(),
        STOP,
        minimize=tg.integral("2*x1**2 + 0.5*x2**2 + 0.3*u**2"),
        variables={"u": tg.piecewise(8, -20.0, 20.0)},
    )
    least = riccati()
    assert least < best.objective < stepwise(16)
    within("linear-quadratic, 8 straight lines", best.objective / least - 1, 1e-3, "Riccati equation")
