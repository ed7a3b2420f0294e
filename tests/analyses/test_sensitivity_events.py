"""Sensitivities across events, model by model: bouncing ball, thermostat, rectifier, saturating motor.

Against closed-form solutions where there are any (differentiated by complex steps, exact to rounding), and against
central differences of tightly converged runs, extrapolated from two steps, whose own error is about 1e-6.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def fixed(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


def differences(compiled: Any, stop: float, of: list[str], at: dict[str, float]) -> dict[str, Any]:
    """Central difference quotients at the end of a run, by each parameter in `at`."""
    out = {}
    for name, value in at.items():
        quotients = []
        for h in (4e-4 * value, 2e-4 * value):
            ends = []
            for x in (value + h, value - h):
                s = compiled.simulate(stop, rtol=1e-12, points=3, parameters={**at, name: x})
                ends.append(np.array([s[path][-1] for path in of]))
            quotients.append((ends[0] - ends[1]) / (2.0 * h))
        out[name] = (4.0 * quotients[1] - quotients[0]) / 3.0
    return out


def check(compiled: Any, stop: float, of: list[str], at: dict[str, float], tolerance: float) -> None:
    """tg.sensitivity equals the difference quotients; numbers are relative to the largest per percent."""
    found = tg.sensitivity(compiled, stop, wrt=list(at), rtol=1e-10, points=3, parameters=at)
    expected = differences(compiled, stop, of, at)
    for k, path in enumerate(of):
        largest = max(abs(expected[name][k] * value) for name, value in at.items())
        for name, value in at.items():
            off = (found[path, name][-1] - expected[name][k]) * value
            assert abs(off) <= tolerance * largest, (path, name, found[path, name][-1], expected[name][k])


class Ball(tg.Component):
    """Bounces with restitution e."""

    h = tg.variable("m", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    g = tg.parameter(10.0, "m/s2")
    e = tg.parameter(0.8)

    def equations(self) -> Any:
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -self.g
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)))


def after_bounces(t: float, n: int, h: Any, g: Any, e: Any) -> tuple[Any, Any]:
    """Height and speed after n bounces: the k-th flight takes 2 e^k sqrt(2 h/g)."""
    first = np.sqrt(2.0 * h / g)
    last = first * (1.0 + 2.0 * sum(e**k for k in range(1, n)))
    up = e**n * g * first
    return up * (t - last) - 0.5 * g * (t - last) ** 2, up - g * (t - last)


@pytest.mark.parametrize(("t", "bounces"), [(0.9, 1), (1.6, 2), (2.1, 3), (2.4, 4)])
def test_bouncing_ball_after_every_bounce(t: float, bounces: int) -> None:
    """Each bounce adds its moved instant and its factor; 1e-7 is the tolerance of the run carried through."""
    found = tg.sensitivity(Ball(), 3.0, wrt=["h", "g", "e"], rtol=1e-10, points=[0.1, t, 3.0])
    assert sum(event.time < t for event in found.solution.events) == bounces
    values = {"h": 1.0, "g": 10.0, "e": 0.8}
    for name in values:
        moved = {key: value + (1e-30j if key == name else 0.0) for key, value in values.items()}
        height, speed = (each.imag / 1e-30 for each in after_bounces(t, bounces, **moved))
        assert found.at(t, "h", name) == pytest.approx(height, rel=1e-7, abs=1e-7), name
        assert found.at(t, "v", name) == pytest.approx(speed, rel=1e-7, abs=1e-7), name


class Thermostat(tg.Component):
    """Heats between two temperatures: the state of the switch remembers."""

    T = tg.variable("K", start=290.0, fixed=True)
    on = tg.boolean(start=True)
    low = tg.parameter(293.0, "K")
    high = tg.parameter(295.0, "K")
    G = tg.parameter(0.1)
    P = tg.parameter(3.0)

    def equations(self) -> Any:
        yield tg.der(self.T) == tg.where(self.on, self.P, 0.0) - self.G * (self.T - 283.0)
        yield self.on == ((self.T < self.low) | (tg.pre(self.on) & (self.T < self.high)))


def test_thermostat_through_both_switches() -> None:
    """Off at `high`, on again at `low`: the closed-form solution at t = 4.5 s, heating for the second time."""
    found = tg.sensitivity(Thermostat(), 5.0, wrt=["low", "high", "G", "P"], rtol=1e-10, points=[4.5, 5.0])

    def temperature(t: float, low: Any, high: Any, G: Any, P: Any) -> Any:
        hot = 283.0 + P / G
        off = np.log((hot - 290.0) / (hot - high)) / G
        on = off + np.log((high - 283.0) / (low - 283.0)) / G
        again = on + np.log((hot - low) / (hot - high)) / G
        assert on.real < t < again.real
        return hot + (low - hot) * np.exp(-G * (t - on))

    values = {"low": 293.0, "high": 295.0, "G": 0.1, "P": 3.0}
    for name in values:
        moved = {key: value + (1e-20j if key == name else 0.0) for key, value in values.items()}
        assert found.at(4.5, "T", name) == pytest.approx(temperature(4.5, **moved).imag / 1e-20, rel=1e-6), name


def bridge() -> Any:
    """Four ideal diodes, a capacitor and a load behind a sine with a source inductance."""
    s = tg.System("bridge")
    s.add(v=el.SineVoltage(V=10.0, f=50.0), l=el.Inductor(L=1e-3, i=fixed(0.0)), c=el.Capacitor(C=1e-3, v=fixed(0.0)))
    s.add(**{f"d{k}": el.IdealDiode(Ron=0.1, Goff=1e-4) for k in range(4)}, load=el.Resistor(R=20.0), g=el.Ground())
    s.connect(s["v"].p, s["l"].p)
    s.connect(s["l"].n, s["d0"].p, s["d1"].n)
    s.connect(s["v"].n, s["d2"].p, s["d3"].n)
    s.connect(s["d0"].n, s["d2"].n, s["c"].p, s["load"].p)
    s.connect(s["d1"].p, s["d3"].p, s["c"].n, s["load"].n, s["g"].p)
    return s


def test_diode_bridge() -> None:
    """Three half waves, each switching on and off where voltages and currents cross zero."""
    at = {"load.R": 20.0, "c.C": 1e-3, "v.V": 10.0, "v.f": 50.0, "l.L": 1e-3}
    compiled = tg.compile(bridge())
    assert len(compiled.simulate(0.027).events) >= 5
    check(compiled, 0.027, ["c.v", "l.i"], at, 2e-5)


MOTOR = {"winding.R": 2.4, "winding.i_max": 0.25, "converter.Kb": 0.0401}


def drive() -> Any:
    """The motor with a limited current of examples/current_limit.py (E2 of the seeds)."""
    return runpy.run_path(str(EXAMPLES / "current_limit.py"))["Drive"]()


@pytest.mark.parametrize("voltage", [1.0, -1.0])
@pytest.mark.parametrize("stop", [1.0, 3.0])
def test_saturating_motor(voltage: float, stop: float) -> None:
    """At a limit (1 s) and behind it (3 s), at the upper and at the lower one: entered after 2 ms, left after 2 s."""
    compiled = tg.compile(drive())
    modes = [event.what[0] for event in compiled.simulate(stop, parameters={"source.V": voltage}).events]
    assert len(modes) == (1 if stop == 1.0 else 2)
    assert ("high" if voltage > 0 else "low") in modes[0]
    check(compiled, stop, ["rotor.w", "winding.i"], {**MOTOR, "source.V": voltage}, 1e-5)


def test_saturating_motor_in_closed_form() -> None:
    """At the limit the current is the limit, whatever else there is, and the speed that of a constant torque.

    J w' = KT i_max - d w from the instant the limit is reached (1.83 ms), which itself moves the speed by less than
    its 5 mrad/s, a thousandth: with the torque on from the beginning the sensitivity differs by 2e-3 of itself.
    """
    found = tg.sensitivity(drive(), 1.0, wrt=["winding.i_max", "winding.R", "source.V"], rtol=1e-10)
    assert found["winding.i", "winding.i_max"][-1] == pytest.approx(1.0, abs=1e-9)
    assert found["winding.i", "winding.R"][-1] == pytest.approx(0.0, abs=1e-9)
    inertia, friction, torque = 0.0044 + 41.077 / 12.5**2, 0.0137, 5.6  # ounces and inches
    speed = torque / friction * (1.0 - np.exp(-friction / inertia * 1.0))
    assert found["rotor.w", "winding.i_max"][-1] == pytest.approx(speed, rel=2e-3)


def test_saturating_motor_from_one_limit_to_the_other() -> None:
    """A voltage that reverses: linear, high, linear, low, linear; the limit moves every instant."""

    class Reversed(type(drive())):
        source = el.SineVoltage(V=1.5, f=0.25)

    compiled = tg.compile(Reversed())
    words = " ".join(event.what[0] for event in compiled.simulate(3.8).events)
    assert "high" in words
    assert "low" in words
    check(compiled, 3.8, ["rotor.w", "winding.i"], {**MOTOR, "source.V": 1.5, "source.f": 0.25}, 1e-5)


class Bell(tg.Component):
    """A driven pendulum that is struck where its sine passes a level; `y` only repeats a sine."""

    phi = tg.variable(start=0.2, fixed=True)
    w = tg.variable(start=2.0, fixed=True)
    x = tg.variable()
    y = tg.variable()
    k = tg.parameter(20.0)
    level = tg.parameter(0.4)
    drive = tg.parameter(5.0)

    def equations(self) -> Any:
        yield self.y == tg.sin(self.phi)
        yield self.x == self.drive * tg.cos(self.phi) + tg.tanh(self.w)
        yield tg.der(self.phi) == self.w
        yield tg.der(self.w) == -self.k * tg.sin(self.phi) + self.x
        yield tg.when(self.y > self.level, tg.reinit(self.w, -0.5 * tg.pre(self.w)))
        yield tg.when(tg.sin(self.phi) < 0.1, tg.reinit(self.w, 1.2 * tg.pre(self.w)))


@pytest.mark.parametrize("solver", ["rk45", "cvode", "ida"])
def test_events_on_functions_that_tangents_share(solver: str) -> None:
    """Sines are computed once for all directions (variation/shared.py); instants must not lose their tangents by it."""
    at = {"k": 20.0, "level": 0.4, "drive": 5.0}
    compiled = tg.compile(Bell())
    found = tg.sensitivity(compiled, 1.5, wrt=list(at), rtol=1e-9, points=3, solver=solver)
    names = found.solution._reduced.flat.variables
    assert [member.size for _, _, _, member in names.blocks() if member.name == "shared"] == [3]  # sin, cos, tanh
    assert len(found.solution.events) >= 3
    expected = differences(compiled, 1.5, ["phi", "y"], at)
    for k, path in enumerate(("phi", "y")):
        for name, quotients in expected.items():
            assert found[path, name][-1] == pytest.approx(quotients[k], rel=1e-5, abs=1e-6), (path, name)


class PushedPendulum(tg.Component):
    """In Cartesian coordinates, pushed while it is far on the right: there the states are others than at the start."""

    x = tg.variable(start=0.0)
    y = tg.variable(start=-1.0)
    u = tg.variable(start=7.0)
    v = tg.variable(start=0.0)
    pull = tg.variable()
    push = tg.parameter(0.5)

    def equations(self):
        yield tg.der(self.x) == self.u
        yield tg.der(self.y) == self.v
        yield tg.der(self.u) == -self.pull * self.x + tg.where(self.x > 0.95, self.push, 0.0)
        yield tg.der(self.v) == -self.pull * self.y - 9.81
        yield self.x**2 + self.y**2 == 1


def test_states_that_change_between_events() -> None:
    """Against central differences of rk45 at 1e-9, which are good for five digits."""
    compiled = tg.compile(PushedPendulum())
    run: dict[str, Any] = {"rtol": 1e-9, "points": 2}
    a, b = (compiled.simulate(2.0, parameters={"push": p}, solver="rk45", **run) for p in (0.5001, 0.4999))
    assert a.stats["state_changes"] > 4
    for solver in ("rk45", "ida"):
        found = tg.sensitivity(compiled, 2.0, wrt=["push"], solver=solver, **run)
        for path in ("x", "v"):
            assert found[path, "push"][-1] == pytest.approx((a[path][-1] - b[path][-1]) / 2e-4, rel=1e-4), solver
