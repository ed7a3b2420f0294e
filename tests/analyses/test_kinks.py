"""Derivatives of runs with kinks (min, max, abs): forward and adjoint against closed solutions and differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.analyses.adjoint.adjoint import AdjointModel, Found
from tellegen.analyses.derivatives.gradients import gradient
from tellegen.library import blocks
from tellegen.variation.kinks import with_kinks_located

METHODS = ("forward", "adjoint")


class Ramp(tg.Component):
    """A limited ramp leaves its limit late in a long run, and a fast lag follows."""

    T0 = tg.parameter(8500.0, "s")
    shift = tg.parameter(-0.4, "1")
    k = tg.parameter(1.0, "1/s")
    u = tg.variable("1")
    y = tg.variable("1")
    x = tg.variable("1", start=0.0, fixed=True)
    q = tg.variable("s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.u == self.shift + 355.0 * tg.maximum(tg.time - self.T0, 0.0)
        yield self.y == tg.maximum(self.u, 0.0)
        yield tg.der(self.x) == 1000 * self.k * (self.y - self.x)
        yield tg.der(self.q) == self.x


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("T0", [1.0, 85.0, 8500.0])
def test_a_ramp_that_leaves_its_limit(T0: float, method: str) -> None:
    """With d = 1 - 0.4/355 s after the kink q = 355 (d**2/2 - d/(1000 k)) + ..., so dq/dk = 355 d/1000 - ... ."""
    found = tg.gradient(Ramp(T0=T0), T0 + 1.0, of=tg.final("q"), wrt=["shift", "k", "T0"], method=method)
    d = 1.0 - 0.4 / 355.0
    lag = 1e-3
    expected = [d - lag, 355.0 * (d * lag - 2.0 * lag**2), -355.0 * (d - lag)]
    assert found.matrix[0] == pytest.approx(expected, rel=2e-5)


class Reinitialized(tg.Component):
    """The condition holds at the start, so x jumps in the initial instant: x(1) = (r x0 + 0.1)/e."""

    x0 = tg.parameter(1.0)
    r = tg.parameter(0.5)
    x = tg.variable(start=x0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.x
        yield tg.when(self.x > 0.2, tg.reinit(self.x, self.r * tg.pre(self.x) + 0.1))


class ReinitializedPair(tg.Component):
    """The jump reads an algebraic variable before and a state after the initial instant."""

    x0 = tg.parameter(1.0)
    r = tg.parameter(0.5)
    k = tg.parameter(2.0)
    x = tg.variable(start=x0, fixed=True)
    v = tg.variable(start=0.3, fixed=True)
    z = tg.variable()

    def equations(self) -> Any:
        yield self.z == self.k * self.x + self.v
        yield tg.der(self.x) == self.v - self.x
        yield tg.der(self.v) == -self.z
        yield tg.when(self.z > 0.2, tg.reinit(self.v, -self.r * tg.pre(self.z) * tg.pre(self.v) + 0.1 * self.x))


class ReinitializedSolved(tg.Component):
    """The state that jumps was solved for from an initial equation."""

    r = tg.parameter(0.5)
    k = tg.parameter(2.0)
    x = tg.variable(start=1.0)

    def equations(self) -> Any:
        yield tg.der(self.x) == 1.0 - self.k * self.x**3
        yield tg.when(self.x > 0.2, tg.reinit(self.x, self.r * tg.pre(self.x) + 0.1))

    def initial_equations(self) -> Any:
        yield tg.der(self.x) == 0.2


@pytest.mark.parametrize("method", METHODS)
def test_a_reinit_in_the_initial_instant(method: str) -> None:
    found = tg.gradient(Reinitialized(), 1.0, of=tg.final("x"), wrt=["x0", "r", "x"], method=method)
    assert found.matrix[0] == pytest.approx([0.5 / math.e, 1.0 / math.e, 0.5 / math.e], rel=1e-6)


@pytest.mark.parametrize(("model", "wrt"), [(ReinitializedPair, ["x0", "r", "k"]), (ReinitializedSolved, ["r", "k"])])
@pytest.mark.parametrize("method", METHODS)
def test_jumps_from_what_was_computed_in_the_initial_instant(
    model: type[tg.Component], wrt: list[str], method: str
) -> None:
    found = tg.gradient(model(), 1.0, of=tg.final("x"), wrt=wrt, method=method)
    assert found.matrix[0] == pytest.approx(differences(model, wrt, 1.0, ["x"])[0], rel=1e-5)


class Car(tg.Component):
    """Speed and current controllers with limits and anti-windup around a motor."""

    ref = blocks.Table(times=[0, 10, 30, 40, 60, 70, 120], values=[0, 0, 20.0, 20.0, 0, 0, 50])
    speed = blocks.LimPID(controller_type="PI", k=400.0, Ti=5.0, y_max=500.0)
    pi = blocks.LimPID(controller_type="PI", k=1e-3, Ti=0.01, y_max=1.0, y_min=0.0)
    V = tg.parameter(390.0, "V")
    R = tg.parameter(0.02, "ohm")
    L = tg.parameter(2e-4, "H")
    m = tg.parameter(1500.0, "kg")
    k = tg.parameter(12.0, "N/A")
    i = tg.variable("A", start=0.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    E = tg.variable("J", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.L * tg.der(self.i) == self.pi.y * self.V - self.R * self.i - self.k * self.v
        yield self.m * tg.der(self.v) == self.k * self.i - 1 * self.v
        yield self.pi.u_m == self.i
        yield self.speed.u_m == self.v
        yield tg.der(self.E) == self.R * self.i**2

    def connections(self) -> Any:
        yield self.ref.y, self.speed.u_s
        yield self.speed.y, self.pi.u_s


@pytest.mark.parametrize("run", [{}, {"rtol": 1e-8}, {"solver": "ida"}, {"solver": "cvode"}, {"method": "adjoint"}])
def test_a_car_with_limited_controllers(run: dict[str, Any]) -> None:
    """Integrated across the kinks, tangents grew without bound in most of these runs."""
    asked: dict[str, Any] = {"method": "forward", **run}
    found = tg.gradient(Car(), 90.0, of=tg.final("E"), wrt=["R", "m", "k"], **asked)
    assert found.matrix[0] == pytest.approx([953920.64, 25.606305, -3205.2600], rel=1e-4)


# -- random models ---------------------------------------------------------------------------------------------------


def kinked(rng: np.random.Generator) -> tuple[type[tg.Component], list[str]]:
    """Stable linear dynamics driven through min, max and abs of states, parameters and time, nested at random."""
    n = int(rng.integers(1, 4))
    a = rng.normal(size=(n, n))
    a -= (np.linalg.eigvals(a).real.max() + 0.3) * np.eye(n)
    weights = rng.normal(size=(n, n + 2))
    kinds = rng.integers(0, 4, n)
    speed = rng.uniform(0.5, 3.0, n)
    start = rng.normal(size=n)

    class Kinked(tg.Component):
        a0 = tg.parameter(float(rng.uniform(0.2, 1.5)))
        b0 = tg.parameter(float(rng.uniform(-1.0, 1.0)))
        c0 = tg.parameter(float(rng.uniform(0.3, 2.0)))
        x = tg.variable(shape=n, start=list(start), fixed=True)
        q = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            for k in range(n):
                s = sum(float(weights[k, j]) * self.x[j] for j in range(n)) + self.b0 * float(weights[k, n])
                s = s + self.c0 * tg.sin(float(speed[k]) * tg.time + float(weights[k, n + 1]))
                limited = [
                    lambda s: tg.maximum(s, self.b0),
                    lambda s: tg.minimum(tg.maximum(s, -self.a0), 0.7),
                    lambda s: abs(s - self.b0),
                    lambda s: tg.minimum(tg.maximum(s, 0.0), 2.0) * tg.minimum(self.a0, 1.0 - s),
                ][int(kinds[k])](s)
                yield tg.der(self.x[k]) == sum(float(a[k, j]) * self.x[j] for j in range(n)) + self.a0 * limited
            yield tg.der(self.q) == abs(self.x[0] - 0.1)

    return Kinked, ["a0", "b0", "c0"]


def differences(model: type[tg.Component], wrt: list[str], stop: float, finals: list[str], h: float = 1e-4) -> Any:
    """Central differences of final values."""
    compiled = tg.compile(model())
    nominal = {name: float(compiled.simulate(stop, points=2).parameters[name]) for name in wrt}

    def ends(name: str, value: float) -> Any:
        run = compiled.simulate(stop, rtol=1e-11, atol=1e-12, points=2, parameters={name: value})
        return np.array([run[path][-1] for path in finals])

    return np.array([(ends(n, nominal[n] + h) - ends(n, nominal[n] - h)) / (2.0 * h) for n in wrt]).T


def off_by(seed: int) -> float:
    """How far forward and adjoint gradients of a random model are from differences, relative to the largest."""
    model, wrt = kinked(np.random.default_rng(seed))
    finals = ["x[0]", "q"]
    expected = differences(model, wrt, 4.0, finals)
    of = [tg.final(path) for path in finals]
    found = [tg.gradient(model(), 4.0, of=of, wrt=wrt, method=method).matrix for method in METHODS]
    size = np.abs(expected).max(axis=1, keepdims=True)
    return float(max(np.abs((matrix - expected) / size).max() for matrix in found))


@pytest.mark.parametrize("seed", range(6))
def test_random_kinks(seed: int) -> None:
    """Differences with runs of 1e-11 and steps of 1e-4 leave 1e-6; adjoint gradients are computed to 1e-5."""
    assert off_by(seed) < 1e-4


# -- around it -------------------------------------------------------------------------------------------------------


def test_kinks_of_parameters_and_without_events_stay() -> None:
    class Quiet(tg.Component):
        a = tg.parameter(1.0)
        x = tg.variable(start=0.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.x) == tg.maximum(self.a, 0.0) - tg.no_event(tg.maximum(self.x, 0.0))

    flat = tg.compile(Quiet()).flat
    assert with_kinks_located(flat) is flat


def test_an_adjoint_gradient_that_is_wrong_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    """method="auto" compares with one forward run, warns and goes forward."""
    right = AdjointModel.gradients

    def wrong(self: AdjointModel, *args: Any) -> Found:
        found = right(self, *args)
        return Found(found.values, 1.1 * found.matrix, found.scale, found.solution, found.steps)

    monkeypatch.setattr(AdjointModel, "gradients", wrong)
    monkeypatch.setattr("tellegen.analyses.derivatives.gradients._MANY", 1)
    monkeypatch.setattr("tellegen.analyses.derivatives.gradients._LARGE", 1)
    with pytest.warns(UserWarning, match="differs from that of a forward run"):
        found = gradient(Ramp(T0=1.0), 2.0, of=tg.final("q"), wrt=["shift", "k", "T0"])
    assert found.method == "forward"
    assert found[0, "shift"] == pytest.approx(1.0 - 0.4 / 355.0 - 1e-3, rel=1e-5)


def test_auto_warns_where_adjoint_gradients_cannot_be_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were returned without a word where the forward run failed."""

    def fails(*_: Any) -> None:
        raise tg.RunFailedError("E310", "the run stopped")

    monkeypatch.setattr("tellegen.analyses.derivatives.confirmed_adjoint.forward", fails)
    monkeypatch.setattr("tellegen.analyses.derivatives.gradients._MANY", 1)
    monkeypatch.setattr("tellegen.analyses.derivatives.gradients._LARGE", 1)
    with pytest.warns(UserWarning, match=r"not be confirmed.*E310: the run stopped"):
        found = gradient(Ramp(T0=1.0), 2.0, of=tg.final("q"), wrt=["shift", "k", "T0"])
    assert found.method == "adjoint"
