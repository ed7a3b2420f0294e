"""Whole models from the library, from component to curve, against closed-form solutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import tellegen as tg
from tellegen.analyses.simulate import simulate
from tellegen.compile import compile_model
from tellegen.engine.request.path_lookup import find
from tellegen.errors import NumericError
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class RC(tg.Component):
    source = el.StepVoltage(V=10.0)
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


class Motor(tg.Component):
    p = el.Pin()
    n = el.Pin()
    shaft = rot.Flange()
    R = tg.parameter(2.4, "ohm")
    L = tg.parameter(4.8e-3, "H")
    k = tg.parameter(0.04, "N.m/A")
    i = tg.variable("A", start=0.0)

    def equations(self):
        yield self.p.v - self.n.v == self.R * self.i + self.L * tg.der(self.i) + self.k * tg.der(self.shaft.phi)
        yield self.shaft.tau == -self.k * self.i
        yield self.p.i == self.i
        yield self.n.i == -self.i


class Drive(tg.Component):
    source = el.StepVoltage(V=12.0)
    motor = Motor()
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.shaft, self.load.flange_a


class Resonator(tg.Component):
    source = el.StepVoltage(V=1.0)
    r = el.Resistor(R=1.0)
    l = el.Inductor(L=1e-3)  # noqa: E741
    c = el.Capacitor(C=1e-6)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.l.p
        yield self.l.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


class Rod(tg.Component):
    """An array variable: heat in ten cells."""

    T = tg.variable("K", shape=(10,), start=300.0)
    k = tg.parameter(4.0, "1/s")

    def equations(self):
        yield tg.der(self.T[0]) == self.k * (self.T[1] - self.T[0]) + 1.0
        yield tg.der(self.T[1:9]) == self.k * (self.T[2:10] - 2.0 * self.T[1:9] + self.T[0:8])
        yield tg.der(self.T[9]) == self.k * (self.T[8] - self.T[9])


class Rods(tg.Component):
    bundle = Rod.array(3)
    single = Rod()


def test_rc_step_now_and_later() -> None:
    s = simulate(RC(), 5e-3)
    np.testing.assert_allclose(s["c.v"], 10.0 * (1.0 - np.exp(-s.time / 1e-3)), atol=1e-5)
    s = simulate(RC(source=el.StepVoltage(V=10.0, start_time=1e-3)), 5e-3)
    late = np.maximum(s.time - 1e-3, 0.0)
    np.testing.assert_allclose(s["c.v"], 10.0 * (1.0 - np.exp(-late / 1e-3)), atol=1e-5)


def test_drive_against_the_matrix_exponential() -> None:
    s = simulate(Drive(), 2.0)
    a = np.array([[-2.4 / 4.8e-3, -0.04 / 4.8e-3], [0.04 / 1e-3, 0.0]])
    b = np.array([12.0 / 4.8e-3, 0.0])
    exact = np.array([np.linalg.solve(a, (expm(a * t) - np.eye(2)) @ b) for t in s.time])
    np.testing.assert_allclose(s["motor.i"], exact[:, 0], atol=1e-5)
    np.testing.assert_allclose(s["load.w"], exact[:, 1], atol=1e-5)
    assert s.unit("load.w") == "rad/s"


def test_resonator_rings() -> None:
    s = simulate(Resonator(), 2e-3, rtol=1e-8)
    damping, frequency = 500.0, np.sqrt(1e9 - 500.0**2)
    angle = frequency * s.time
    exact = 1.0 - np.exp(-damping * s.time) * (np.cos(angle) + damping / frequency * np.sin(angle))
    np.testing.assert_allclose(s["c.v"], exact, atol=2e-6)


def test_power_balances() -> None:
    """Tellegen's theorem on the solution: all ports of all components together take no power."""
    s = simulate(Resonator(), 1e-3)
    pins = ["source.p", "source.n", "r.p", "r.n", "l.p", "l.n", "c.p", "c.n", "ground.p"]
    power = sum(s[f"{pin}.v"] * s[f"{pin}.i"] for pin in pins)
    np.testing.assert_allclose(power, 0.0, atol=1e-12)


def test_every_name_is_found() -> None:
    flat = compile_model(Rods()).flat
    for table in (flat.variables, flat.parameters):
        for k, name in enumerate(table.names()):
            if not getattr(table.declaration(k), "literal", False):
                assert find(flat, name).indices == k


def test_arrays_have_their_shape() -> None:
    s = simulate(Rods(), 1.0, points=21)
    assert s["single.T"].shape == (21, 10)
    assert s["bundle.T"].shape == (21, 3, 10)
    assert s["bundle[1].T[4]"].shape == (21,)
    np.testing.assert_allclose(s["bundle[1].T"], s["single.T"])
    np.testing.assert_allclose(s["single.T"].sum(axis=1), 3000.0 + s.time, rtol=1e-9)
    assert s.to_xarray("bundle.T")["bundle.T"].shape == (21, 3, 10)
    changed = simulate(Rods(), 1.0, parameters={"bundle.k": [1.0, 2.0, 4.0]}, initial={"single.T[0]": 310.0})
    assert changed["single.T[0]"][0] == 310.0


def test_capacitors_in_parallel_are_one_state() -> None:
    class Parallel(RC):
        d = el.Capacitor(C=1e-6)

        def connections(self):
            yield self.d.p, self.c.p
            yield self.d.n, self.c.n

    s = simulate(Parallel(), 5e-3)
    np.testing.assert_allclose(s["d.v"], 10.0 * (1.0 - np.exp(-s.time / 2e-3)), atol=2e-5)
    np.testing.assert_allclose(s["d.i"], s["c.i"], atol=1e-8)


def test_source_on_a_capacitor_has_no_state() -> None:
    class Loop(tg.Component):
        s = el.SineVoltage(V=2.0, f=0.5)
        c = el.Capacitor(C=3.0)
        g = el.Ground()

        def connections(self):
            yield self.s.p, self.c.p
            yield self.s.n, self.c.n, self.g.p

    s = simulate(Loop(), 1.0)
    np.testing.assert_allclose(s["c.i"], 6.0 * np.pi * np.cos(np.pi * s.time), atol=1e-4)


def test_violated_assertion_ends_the_run() -> None:
    class Fuse(RC):
        limit = tg.parameter(5.0, "V")

        def equations(self):
            yield tg.assert_(self.c.v < self.limit, "the capacitor breaks down")  # noqa: PT009

    with pytest.raises(NumericError, match="breaks down"):
        simulate(Fuse(), 5e-3)
    s = simulate(Fuse(), 5e-3, throw=False)
    assert s.outcome.code == "assertion"
    assert s.outcome.time == pytest.approx(1e-3 * np.log(2.0), abs=1e-5)
    assert simulate(Fuse(limit=11.0), 5e-3).outcome.ok


def ladder(n: int) -> tg.System:
    s = tg.System("ladder")
    s.add(source=el.StepVoltage(V=1.0), ground=el.Ground())
    s.connect(s.source.n, s.ground.p)
    last = s.source.p
    for k in range(n):
        s.add(**{f"r{k}": el.Resistor(R=1.0), f"c{k}": el.Capacitor(C=1.0 / n)})
        r, c = getattr(s, f"r{k}"), getattr(s, f"c{k}")
        s.connect(last, r.p)
        s.connect(r.n, c.p)
        s.connect(c.n, s.ground.p)
        last = r.n
    return s


def test_ladder_code_does_not_grow() -> None:
    small, large = (compile_model(ladder(n)) for n in (10, 400))
    assert len(small.native.modules[0].text) == pytest.approx(len(large.native.modules[0].text), rel=0.01)
    s = large.simulate(1.0, points=3)
    total = sum(s[f"c{k}.i"] for k in range(400))
    np.testing.assert_allclose(s["ground.p.i"], total - s["source.n.i"], atol=1e-9)
