"""Initial equations on derivatives of variables that no equation differentiates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import rotational as rot


class Shaft(tg.Component):
    """Two inertias with a spring: initially the relative velocity does not change."""

    a = rot.Inertia(J=1.0)
    s = rot.SpringDamper(c=1e4, d=100.0)
    b = rot.Inertia(J=2.0)
    load = rot.ConstantTorque(tau_constant=10.0)

    def initial_equations(self) -> Any:
        yield tg.der(self.s.w_rel) == 0

    def connections(self) -> Any:
        yield self.a.flange_b, self.s.flange_a
        yield self.s.flange_b, self.b.flange_a
        yield self.b.flange_b, self.load.flange


@pytest.mark.parametrize("solver", ["auto", "ida"])
def test_a_relative_velocity(solver: Any) -> None:
    """The torque of the spring accelerates a as much as load and spring accelerate b: tau = 10*J_a/(J_a + J_b)."""
    solution = shared_model(Shaft).simulate(0.1, solver=solver)
    assert abs(solution["s.tau"][0]) == pytest.approx(10.0 / 3.0, rel=1e-9)
    assert solution["a.a"][0] == pytest.approx(solution["b.a"][0], rel=1e-9)


class Twice(tg.Component):
    """vr' is the second derivative of r = 2*s, which is -2*s."""

    s = tg.variable(start=1.0)
    v = tg.variable(start=0.0)
    a = tg.variable()
    r = tg.variable()
    vr = tg.variable()

    def equations(self) -> Any:
        yield tg.der(self.s) == self.v
        yield tg.der(self.v) == self.a
        yield self.a == -self.s
        yield self.r == 2 * self.s
        yield self.vr == tg.der(self.r)

    def initial_equations(self) -> Any:
        yield tg.der(self.vr) == -3


def test_a_second_derivative() -> None:
    """Only the position can be released for it: the velocity keeps its start value."""
    solution = tg.simulate(Twice(), 1.0)
    assert solution["s"][0] == pytest.approx(1.5, rel=1e-12)
    assert solution["v"][0] == 0.0
    np.testing.assert_allclose(solution["s"], 1.5 * np.cos(solution.time), atol=1e-5)  # rtol of the run is 1e-6


def random_model(seed: int) -> tuple[tg.Component, Any]:
    """x' = A x with outputs v = C x + sin(x)/5; of some states the rates of outputs are given instead of values."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    m = int(rng.integers(1, n))
    a = rng.uniform(-1.0, 1.0, (n, n))
    c = rng.uniform(-1.0, 1.0, (m, n))
    values = rng.uniform(-1.0, 1.0, n)

    def rate(x: Any, sin: Any, cos: Any) -> Any:
        """C x' + cos(x[k]) x'[k]/5: what der(v) is."""
        xp = [sum(a[i, j] * x[j] for j in range(n)) for i in range(n)]
        return [sum(c[k, i] * xp[i] for i in range(n)) + cos(x[k]) * xp[k] / 5 for k in range(m)]

    wanted = rate(values, np.sin, np.cos)

    def equations(self: Any) -> Any:
        for i in range(n):
            x = self.x if i < m else self.held
            yield tg.der(x[i if i < m else i - m]) == sum(a[i, j] * _state(self, j, m) for j in range(n))
        for k in range(m):
            yield self.v[k] == sum(c[k, i] * _state(self, i, m) for i in range(n)) + tg.sin(self.x[k]) / 5

    def initial_equations(self: Any) -> Any:
        for k in range(m):
            yield tg.der(self.v[k]) == wanted[k]

    body = {
        "x": tg.variable(shape=m, start=values[:m] + rng.uniform(-0.05, 0.05, m), fixed=False),
        "held": tg.variable(shape=n - m, start=values[m:], fixed=True),
        "v": tg.variable(shape=m),
        "equations": equations,
        "initial_equations": initial_equations,
    }
    return type(f"Random{seed}", (tg.Component,), body)(), (wanted, rate, values)


def _state(model: Any, number: int, free: int) -> Any:
    return model.x[number] if number < free else model.held[number - free]


def check(seed: int) -> None:
    """The rates of the outputs are those wanted; values that were fixed hold."""
    model, (wanted, rate, values) = random_model(seed)
    solution = tg.simulate(model, 0.01)
    found = np.concatenate([solution["x"][0], solution["held"][0]])
    held = len(solution["held"][0])
    np.testing.assert_array_equal(found[len(values) - held :], values[len(values) - held :])
    np.testing.assert_allclose(rate(found, np.sin, np.cos), wanted, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_random_outputs(seed: int) -> None:
    check(seed)
