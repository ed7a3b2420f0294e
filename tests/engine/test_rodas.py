"""The Rosenbrock method: its order, stiff problems, events, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.engine.integrators.segment_driver import OdeSegmentDriver
from tellegen.engine.runtime.coefficients.rodas_tableau import GAMMA, NODES, STAGES, A, C, D, H
from tellegen.library import blocks
from tellegen.library import electrical as el

MATRIX_A, MATRIX_C, DENSE = (np.reshape(rows, (-1, STAGES)) for rows in (A, C, H))


def rates(t: float, x: Any) -> Any:
    """A nonlinear problem that depends on time, with the solution 1 / (1 + t^2), (1 + t^2)^2."""
    return np.array([-2.0 * t * x[0] ** 2, 4.0 * t * x[0] * x[1] + np.sin(x[0] * np.sqrt(x[1]) - 1.0)])


def exact(t: float) -> Any:
    return np.array([1.0 / (1.0 + t * t), (1.0 + t * t) ** 2])


def derivatives(t: float, x: Any) -> tuple[Any, Any]:
    """By complex steps: f_x and f_t."""
    tiny = 1e-30
    columns = [rates(t, x + 1j * tiny * unit).imag / tiny for unit in np.eye(2)]
    return np.array(columns).T, rates(t + 1j * tiny, x).imag / tiny  # pyright: ignore[reportArgumentType]


def errors(steps: int) -> tuple[float, float]:
    """At the end, and between the points: the whole method in NumPy, with the numbers of the kernel."""
    h, x, between = 1.0 / steps, exact(0.0), 0.0
    for number in range(steps):
        t, k = number * h, np.zeros((STAGES, 2))
        by_state, by_time = derivatives(t, x)
        system = np.eye(2) / (h * GAMMA) - by_state
        for s in range(STAGES):
            f = rates(t + NODES[s] * h, x + MATRIX_A[s] @ k)
            k[s] = np.linalg.solve(system, f + MATRIX_C[s] @ k / h + h * D[s] * by_time)
        new, d = x + MATRIX_A[-1] @ k + k[-1], DENSE @ k
        for part in (0.2, 0.5, 0.8):
            inner = d[0] + part * (d[1] + part * d[2])
            here = (1.0 - part) * x + part * (new + (1.0 - part) * inner)
            between = max(between, float(np.abs(here - exact(t + part * h)).max()))
        x = new
    return float(np.abs(x - exact(1.0)).max()), between


def test_order() -> None:
    """5 at the end of the steps, 4 for the polynomials (whose local error is of order 5)."""
    coarse, fine = errors(16), errors(64)
    assert np.log2(coarse[0] / fine[0]) / 2.0 == pytest.approx(5.0, abs=0.4)
    assert np.log2(coarse[1] / fine[1]) / 2.0 > 4.5


def test_stages_add_up() -> None:
    """Rows of the transformed matrices give the nodes and the weights of f_t."""
    inverse = np.eye(STAGES) / GAMMA - MATRIX_C  # of the matrix of gammas
    gammas = np.linalg.inv(inverse)
    np.testing.assert_allclose((MATRIX_A @ gammas).sum(axis=1), NODES, atol=1e-12)
    np.testing.assert_allclose(gammas.sum(axis=1), D, atol=1e-12)


class VanDerPol(tg.Component):
    """A stiff oscillator."""

    mu = tg.parameter(1000.0)
    x = tg.variable(start=2.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.mu * (1.0 - self.x**2) * self.v - self.x


class Follower(tg.Component):
    """A stiff state that follows a sine, and an algebraic loop: f depends on time in both ways."""

    y = tg.variable(start=0.0, fixed=True)
    z = tg.variable(start=0.0)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.y) == -1000.0 * (self.y - tg.sin(tg.time)) + tg.cos(tg.time) + self.z
        yield self.z**3 + self.z == (self.y - tg.sin(tg.time)) * tg.cos(3.0 * tg.time)


class Relay(tg.Component):
    """A heater with a fast sensor, switched by a hysteresis."""

    T = tg.variable(start=20.0, fixed=True)
    sensor = tg.variable(start=20.0, fixed=True)
    on = tg.boolean(start=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.T) == tg.where(self.on, 5.0, 0.0) - 0.1 * (self.T - 15.0)
        yield tg.der(self.sensor) == 1e4 * (self.T - self.sensor)
        yield tg.when(self.sensor > 22.0, self.on == False).elsewhen(self.sensor < 20.0, self.on == True)  # noqa: E712


def test_a_stiff_oscillator() -> None:
    compiled = tg.compile(VanDerPol())
    reference = compiled.simulate(3000.0, solver="cvode", rtol=1e-11, points=[0.0, 3000.0])["x"][-1]
    found = compiled.simulate(3000.0, solver="rodas", rtol=1e-6)
    assert found["x"][-1] == pytest.approx(reference, abs=5e-6)
    assert found.stats["solver"] == "rodas"
    assert found.stats["steps"] < 2500


@pytest.mark.parametrize("rtol", [1e-5, 1e-7, 1e-9])
def test_equations_that_depend_on_time(rtol: float) -> None:
    found = shared_model(Follower).simulate(10.0, solver="rodas", rtol=rtol)
    assert np.abs(found["y"] - np.sin(found.time)).max() < 20.0 * rtol
    assert found.stats["steps"] < 2500


class Oscillator(tg.Component):
    """x = cos(w t)."""

    w = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == self.w * self.v
        yield tg.der(self.v) == -self.w * self.x


@pytest.mark.parametrize("count", [1, 60])
@pytest.mark.parametrize("solver", ["rk45", "rodas"])
def test_output_times_inside_a_step_are_read_from_that_step(solver: str, count: int) -> None:
    """Some of them were once left to the next step, which extrapolated to them: 3e-5 wrong instead of 1e-7."""
    system = tg.System("system")
    system.parts = Oscillator.array(count)
    system.parts.w = np.linspace(1.0, 0.5, count)
    found = tg.simulate(system, 10.0, solver=solver, points=5001)
    assert found.stats["steps"] < 100
    np.testing.assert_allclose(found["parts[0].x"], np.cos(found.time), atol=1e-6)


def test_events_and_restarts() -> None:
    """The same instants as CVODE's, with fewer steps: each starts at full order."""
    compiled = tg.compile(Relay())
    ours = compiled.simulate(30.0, solver="rodas", rtol=1e-7)
    others = compiled.simulate(30.0, solver="cvode", rtol=1e-9)
    assert ours.stats["events"] == others.stats["events"] > 20
    np.testing.assert_allclose(ours["T"][-1], others["T"][-1], rtol=1e-6)
    assert ours.stats["steps"] < 0.3 * others.stats["steps"]


@pytest.mark.parametrize("rtol", [1e-4, 1e-5, 1e-6])
def test_many_events_of_a_stiff_model_are_for_this_method(rtol: float) -> None:
    """It takes over from CVODE, with fewer steps and a smaller error; where root functions are watched its own
    tolerance is never loose."""
    compiled = tg.compile(Relay())
    exact = compiled.simulate(60.0, solver="rodas", rtol=1e-11, points=301)
    auto = compiled.simulate(60.0, rtol=rtol, points=301)
    cvode = compiled.simulate(60.0, rtol=rtol, solver="cvode", points=301)
    assert auto.stats["solver"] == "rodas"
    assert auto.stats["steps"] < 0.5 * cvode.stats["steps"]
    end = exact["T"][-1]
    assert abs(auto["T"][-1] - end) < abs(cvode["T"][-1] - end)


class SwitchedCapacitors(tg.Component):
    """A low-pass of two capacitors, charged by two others that commute between input and output at every clock."""

    source = el.StepVoltage(V=1.0, start_time=0.25)
    ground = el.Ground()
    first = el.IdealCommutingSwitch()
    c1 = el.Capacitor(C=0.1, v=tg.variable(start=0.0, fixed=True))
    c2 = el.Capacitor(C=1.0, v=tg.variable(start=0.0, fixed=True))
    second = el.IdealCommutingSwitch()
    c3 = el.Capacitor(C=0.1, v=tg.variable(start=0.0, fixed=True))
    c4 = el.Capacitor(C=1.0, v=tg.variable(start=0.0, fixed=True))
    clock = blocks.BooleanPulse(period=0.1)

    def connections(self) -> Iterator[Any]:
        yield self.clock.y, self.first.control, self.second.control
        yield self.source.p, self.first.n1
        yield self.first.p, self.c1.p
        yield self.first.n2, self.c2.p, self.second.n1
        yield self.second.p, self.c3.p
        yield self.second.n2, self.c4.p
        yield self.source.n, self.c1.n, self.c2.n, self.c3.n, self.c4.n, self.ground.p


def test_switched_capacitors() -> None:
    """Charges settle within microseconds of every clock: CVODE takes three times the steps for them.

    Each clock shares charge: v2 := (C1 u + C2 v2)/(C1 + C2), and so on; what leaks through open paths (1e-5 S for
    0.05 s) changes voltages by 5e-6 of a volt each time.
    """
    compiled = tg.compile(SwitchedCapacitors())
    auto = compiled.simulate(10.0, rtol=1e-4, points=201)
    cvode = compiled.simulate(10.0, rtol=1e-4, solver="cvode", points=201)
    assert auto.stats["solver"] == "rodas"
    assert auto.stats["steps"] < 0.4 * cvode.stats["steps"]
    charged = {"c1": 0.0, "c2": 0.0, "c3": 0.0, "c4": 0.0}
    for half in range(200):  # the clock is high in even ones: n2 closed
        if half % 2:
            charged["c1"] = 1.0 if 0.05 * half >= 0.25 else 0.0
            together = (1.0 * charged["c2"] + 0.1 * charged["c3"]) / 1.1
            charged["c2"] = charged["c3"] = together
        else:
            charged["c1"] = charged["c2"] = (0.1 * charged["c1"] + 1.0 * charged["c2"]) / 1.1
            charged["c3"] = charged["c4"] = (0.1 * charged["c3"] + 1.0 * charged["c4"]) / 1.1
    for name in ("c2", "c4"):
        assert auto.at(9.999)[f"{name}.v"] == pytest.approx(charged[name], abs=2e-3)


class Fading(tg.Component):
    """A stiff pair that is kicked at forty instants, and then left alone with something oscillating."""

    x = tg.variable(start=0.0, fixed=True)
    fast = tg.variable(start=0.0, fixed=True)
    u = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    kicks = tg.integer()

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.x) == -self.x
        yield tg.der(self.fast) == 3e4 * (self.x - self.fast)
        yield tg.der(self.u) == 3.0 * self.v
        yield tg.der(self.v) == -3.0 * self.u
        due = tg.sample(0.0, 0.01) & (tg.pre(self.kicks) < 40)
        yield tg.when(due, tg.reinit(self.x, tg.pre(self.x) + 0.1), self.kicks == tg.pre(self.kicks) + 1)


def test_cvode_returns_where_events_cease() -> None:
    compiled = tg.compile(Fading())
    methods = []
    replace = OdeSegmentDriver._replace
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            OdeSegmentDriver, "_replace", lambda driver, run, to: methods.append(to.solver) or replace(driver, run, to)
        )
        solution = compiled.simulate(30.0)
    assert methods == ["cvode", "rodas", "cvode"]
    assert solution.stats["solver"] == "cvode"
    reference = compiled.simulate(30.0, solver="rodas", rtol=1e-10)
    np.testing.assert_allclose(solution.at(29.9)["u"], reference.at(29.9)["u"], atol=1e-3)


def test_runs_repeat_to_the_last_bit() -> None:
    compiled = tg.compile(Relay())
    first, second = (compiled.simulate(10.0, solver="rodas") for _ in range(2))
    np.testing.assert_array_equal(first["T"], second["T"])


def test_cvode_and_rodas_share_a_system() -> None:
    compiled = tg.compile(VanDerPol())
    alone = compiled.simulate(100.0, solver="cvode")["x"]
    compiled.simulate(100.0, solver="rodas")
    np.testing.assert_array_equal(compiled.simulate(100.0, solver="cvode")["x"], alone)
