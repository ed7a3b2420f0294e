"""Rectifiers of ideal diodes and thyristors against closed-form solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import electrical as el
from validation.measured import within

V, F = 10.0, 50.0
W = 2 * np.pi * F


class HalfWave(tg.Component):
    """One diode and a resistor."""

    source = el.SineVoltage(V=V, f=F)
    d = el.IdealDiode()
    r = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.d.p
        yield self.d.n, self.r.p
        yield self.source.n, self.r.n, self.ground.p


@pytest.mark.parametrize("numbers", [(1e-3, 1e-6, 0.0), (0.0, 1e-6, 0.7), (1e-3, 0.0, 0.7), (0.0, 0.0, 0.0)])
def test_half_wave_with_a_resistor(numbers: tuple[float, float, float]) -> None:
    """Purely algebraic: what remains is the interpolation between steps at rtol 1e-6. Ron and Goff may be zero."""
    Ron, Goff, Vknee = numbers
    s = shared_model(HalfWave).simulate(0.06, parameters={"d.Ron": Ron, "d.Goff": Goff, "d.Vknee": Vknee})
    v, R = V * np.sin(W * s.time), 100.0
    conducting = v > Vknee * (1 + Goff * R)
    i = np.where(conducting, (v - Vknee + Ron * Goff * Vknee) / (R + Ron), Goff * v / (1 + Goff * R))
    within("Half-wave rectifier, R load", s["r.i"] * R / V - i * R / V, 2e-6, "closed-form solution")


class FullWave(tg.Component):
    """Four diodes in a bridge and a resistor."""

    source = el.SineVoltage(V=V, f=F)
    d1 = el.IdealDiode(Ron=1e-3, Goff=1e-6, Vknee=0.5)
    d2 = el.IdealDiode(Ron=1e-3, Goff=1e-6, Vknee=0.5)
    d3 = el.IdealDiode(Ron=1e-3, Goff=1e-6, Vknee=0.5)
    d4 = el.IdealDiode(Ron=1e-3, Goff=1e-6, Vknee=0.5)
    r = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.d1.p, self.d2.n
        yield self.source.n, self.d3.p, self.d4.n, self.ground.p
        yield self.d1.n, self.d3.n, self.r.p
        yield self.d2.p, self.d4.p, self.r.n


def test_full_wave_with_a_resistor() -> None:
    """Two diodes conduct with (u - v_R)/2 each, two block with (u + v_R)/2 each; i_R is the difference of currents."""
    s = tg.simulate(FullWave(), 0.06)
    u, R, Ron, Goff, knee = np.abs(V * np.sin(W * s.time)), 100.0, 1e-3, 1e-6, 0.5
    conducting = (u / 2 * (1 / Ron - Goff) - knee / Ron + Goff * knee) / (1 / R + 1 / (2 * Ron) + Goff / 2)
    exact = np.where((u - conducting) / 2 > knee, conducting, 0.0)  # when all four block the bridge is balanced
    within("Full-wave rectifier, R load", (s["r.v"] - exact) / V, 2e-6, "closed-form solution")


class Smoothed(tg.Component):
    """A source with resistance, a diode, and a capacitor beside the load."""

    source = el.SineVoltage(V=V, f=F)
    rs = el.Resistor(R=2.0)
    d = el.IdealDiode(Ron=0.0, Goff=0.0)
    c = el.Capacitor(C=200e-6, v=tg.variable(start=0.0, fixed=True))
    r = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.rs.p
        yield self.rs.n, self.d.p
        yield self.d.n, self.c.p, self.r.p
        yield self.source.n, self.c.n, self.r.n, self.ground.p


def smoothed(stop: float) -> tuple[list[float], Any]:
    """Instants of switching and the voltage as a function of time, phase by phase in closed form."""
    Rs, C, R = 2.0, 200e-6, 100.0
    k, g = (1 / Rs + 1 / R) / C, V / (Rs * C)  # v' = -k v + g sin(W t) while conducting

    def forced(t: Any) -> Any:
        return g * (k * np.sin(W * t) - W * np.cos(W * t)) / (k**2 + W**2)

    t, v = 0.0, 0.0
    instants: list[float] = []
    phases: list[Any] = []
    while t < stop:
        up = (lambda t0, v0: lambda x: forced(x) + (v0 - forced(t0)) * np.exp(-k * (x - t0)))(t, v)
        end: Any = brentq(lambda x, up=up: V * np.sin(W * x) - up(x), t + 0.5e-3, t + 9.9e-3)
        v1 = up(end)
        down = (lambda t0, v0: lambda x: v0 * np.exp(-(x - t0) / (R * C)))(end, v1)
        crest = (np.floor(end * F) + 1.25) / F
        begin: Any = brentq(lambda x, down=down: V * np.sin(W * x) - down(x), crest - 0.25 / F, crest)
        phases += [(end, up), (begin, down)]
        instants += [end, begin]
        t, v = begin, down(begin)

    def voltage(times: Any) -> Any:
        which = np.searchsorted([end for end, _ in phases], times)
        return np.array([phases[n][1](x) for n, x in zip(which, times, strict=True)])

    return instants, voltage


def test_half_wave_with_a_capacitor() -> None:
    """Conduction intervals and voltage, both branches without resistance (Ron = Goff = 0)."""
    s = tg.simulate(Smoothed(), 0.1, rtol=1e-8)
    instants, voltage = smoothed(0.1)
    within("Half-wave rectifier, RC load", (s["c.v"] - voltage(s.time)) / V, 1e-6, "closed-form solution")
    flips = s.time[1:][np.diff(s["d.off"]) != 0]
    wanted = [t for t in instants if t < 0.1]
    nearest = np.abs(flips[:, None] - np.array(wanted)[None, :])
    within("Half-wave rectifier, RC load, instants", nearest.min(axis=0), 1e-7, "closed-form solution, s")
    within("Half-wave rectifier, RC load, no other instants", nearest.min(axis=1), 1e-7, "closed-form solution, s")


class Bridge(tg.Component):
    """Four thyristors; the pairs are fired alternately, an angle after the voltage has turned."""

    angle = tg.parameter(np.pi / 3, "rad", "firing angle")
    source = el.SineVoltage(V=V, f=F)
    t1 = el.IdealThyristor(Ron=1e-4, Goff=1e-7)
    t2 = el.IdealThyristor(Ron=1e-4, Goff=1e-7)
    t3 = el.IdealThyristor(Ron=1e-4, Goff=1e-7)
    t4 = el.IdealThyristor(Ron=1e-4, Goff=1e-7)
    first = blocks.Pulse(period=1 / F, width=0.02, start_time=angle / W)
    second = blocks.Pulse(period=1 / F, width=0.02, start_time=angle / W + 0.5 / F)
    r = el.Resistor(R=10.0)
    ground = el.Ground()

    def connections(self):
        yield self.first.y, self.t1.fire, self.t4.fire
        yield self.second.y, self.t2.fire, self.t3.fire
        yield self.source.p, self.t1.p, self.t2.n
        yield self.source.n, self.t3.p, self.t4.n
        yield self.t1.n, self.t3.n, self.r.p
        yield self.t2.p, self.t4.p, self.ground.p


class Resistive(Bridge):
    """The bridge with a resistor."""

    def connections(self):
        yield self.r.n, self.ground.p


class Inductive(Bridge):
    """The bridge with a resistor and an inductor so large that the current never ends."""

    coil = el.Inductor(L=0.2, i=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.r.n, self.coil.p
        yield self.coil.n, self.ground.p


def mean(s: tg.Solution, name: str, start: float, stop: float) -> float:
    """By the trapezoidal rule; both sides of jumps are rows."""
    inside = (s.time >= start) & (s.time <= stop)
    return float(np.trapezoid(s[name][inside], s.time[inside]) / (stop - start))


@pytest.mark.parametrize("degrees", [30.0, 60.0, 120.0])
def test_thyristor_bridge_with_a_resistor(degrees: float) -> None:
    """Mean V/pi (1 + cos angle). Ron 1e-4 of 10 ohm twice, and the trapezoidal rule: 1e-4."""
    angle = np.deg2rad(degrees)
    s = shared_model(Resistive).simulate(0.06, points=6001, parameters={"angle": angle})
    wanted = V / np.pi * (1 + np.cos(angle))
    within("Thyristor bridge, R load, mean", mean(s, "r.v", 0.02, 0.06) / wanted - 1, 1e-4, "closed formula")
    v = np.abs(V * np.sin(W * s.time))
    phase = (W * s.time) % np.pi
    clear = np.minimum(np.abs(phase - angle), np.minimum(phase, np.pi - phase)) > 1e-3
    exact = np.where(phase > angle, v, 0.0)
    within("Thyristor bridge, R load", (s["r.v"] - exact)[clear] / V, 1e-4, "closed-form solution")


def test_thyristor_bridge_with_an_inductor() -> None:
    """Continuous current: the mean of the bridge is 2 V/pi cos angle, negative half waves included."""
    angle = np.pi / 3
    s = tg.simulate(Inductive(), 0.3, points=30001, parameters={"angle": angle})
    volts = mean(s, "t3.n.v", 0.2, 0.3)
    assert s["coil.i"][s.time > 0.1].min() > 0.1
    within("Thyristor bridge, RL load, mean", volts / (2 * V / np.pi * np.cos(angle)) - 1, 1e-3, "closed formula")


class SmoothedBridge(tg.Component):
    """A bridge of four ideal diodes with a smoothing capacitor: two diodes reach their corner at the same instant."""

    src, rs = el.SineVoltage(V=20.0, f=50.0), el.Resistor(R=0.1)
    d1, d2, d3, d4 = (el.IdealDiode(Ron=1e-3, Goff=1e-6) for _ in range(4))
    c = el.Capacitor(C=1e-3, v=tg.variable(start=0.0, fixed=True))
    load, g = el.Resistor(R=20.0), el.Ground()

    def connections(self) -> Any:
        yield self.src.p, self.rs.p
        yield self.rs.n, self.d1.p, self.d3.n
        yield self.src.n, self.d2.p, self.d4.n, self.g.p
        yield self.d1.n, self.d2.n, self.load.p, self.c.p
        yield self.d3.p, self.d4.p, self.load.n, self.c.n


@pytest.mark.parametrize("solver", ["auto", "cvode"])
def test_smoothed_bridges_come_to_rest_at_their_corners(solver: str) -> None:
    """Sixty sets of values, against the same bridge as one diode from |v|: dv/dt of a charge in two resistances."""
    compiled, random = shared_model(SmoothedBridge), np.random.default_rng(0)
    for k in range(60):
        rs, c, load = 10 ** random.uniform(-1.5, 0.5), 10 ** random.uniform(-4.0, -2.0), 10 ** random.uniform(0.7, 3.0)
        given = {"rs.R": rs, "c.C": c, "load.R": load}
        solution = compiled.simulate(0.03, parameters=given, rtol=(1e-6, 1e-4, 1e-8)[k % 3], solver=solver, points=20)
        if k % 10:
            continue

        def rate(t: float, v: Any, given: Any = (rs, c, load)) -> Any:
            rs, c, load = given
            ahead = np.abs(20.0 * np.sin(2 * np.pi * 50.0 * t)) - v
            return (np.maximum(ahead, 0.0) / (rs + 2e-3) - v / load) / c

        exact = solve_ivp(rate, (0.0, 0.03), [0.0], rtol=1e-9, atol=1e-9, max_step=1e-4).y[0, -1]
        assert solution["c.v"][-1] == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize("solver", ["auto", "cvode", "ida"])
def test_parallel_diodes_that_start_without_current(solver: str) -> None:
    """Two diodes of 0.7 V side by side and two free-wheeling ones: the current of half the resistance."""

    def rig(pairs: int, Ron: float) -> Any:
        parts: dict[str, Any] = {"src": el.SineVoltage(V=20.0, f=50.0), "rs": el.Resistor(R=1.13), "g": el.Ground()}
        parts |= {"rl": el.Resistor(R=6.63), "l": el.Inductor(L=0.02, i=tg.variable(start=0.0, fixed=True))}
        system = tg.System("rig")
        for name, part in parts.items():
            setattr(system, name, part)
        system.d = el.IdealDiode.array(pairs, Vknee=0.7, Ron=Ron, Goff=1e-6)
        system.f = el.IdealDiode.array(pairs, Ron=Ron, Goff=1e-6)
        system.connect(system.src.p, system.rs.p)
        for k in range(pairs):
            system.connect(system.rs.n, system.d[k].p)
            system.connect(system.d[k].n, system.rl.p)
            system.connect(system.f[k].n, system.rl.p)
            system.connect(system.f[k].p, system.g.p)
        system.connect(system.rl.n, system.l.p)
        system.connect(system.src.n, system.l.n, system.g.p)
        return system

    two, one = (tg.simulate(rig(pairs, Ron), 0.05, solver=solver)["l.i"] for pairs, Ron in ((2, 1e-2), (1, 5e-3)))
    assert two[-1] == pytest.approx(one[-1], rel=1e-4)
    assert two[-1] == pytest.approx(1.21583, abs=1e-4)
