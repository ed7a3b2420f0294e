"""Structures that need index reduction, from library components, against closed-form solutions.

Constraints between states (angles of geared shafts, voltages of parallel capacitors) must hold to rounding, not to the
tolerance of the integrator: they are equations of the model at every output point.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal as th
from validation.measured import within


def at(value: float) -> Any:
    return tg.variable(start=value, fixed=True)


class ParallelCapacitors(tg.Component):
    source = el.StepVoltage(V=10.0)
    r = el.Resistor(R=1e3)
    c1 = el.Capacitor(C=1e-6, v=at(1.0))
    c2 = el.Capacitor(C=3e-6)
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.c1.p, self.c2.n
        yield self.ground.p, self.source.n, self.c1.n, self.c2.p


def test_parallel_capacitors() -> None:
    """The second one is turned round: v2 = -v1, currents as 1 to 3."""
    s = tg.simulate(ParallelCapacitors(), 0.02, rtol=1e-8)
    exact = 10.0 - 9.0 * np.exp(-s.time / 4e-3)
    within("Two capacitors in parallel", s["c1.v"] - exact, 1e-5, "closed-form solution, V of 10 V")
    within("Two capacitors in parallel, constraint", s["c1.v"] + s["c2.v"], 1e-12, "constraint, V")
    within("Two capacitors in parallel, currents", s["c2.i"] + 3.0 * s["c1.i"], 1e-9, "constraint, A")


def test_capacitor_on_a_source() -> None:
    """No state at all: the current is the derivative of the source. Algebraic unknowns are solved to rtol."""

    class OnSource(tg.Component):
        source = el.SineVoltage(V=2.0, f=50.0)
        c = el.Capacitor(C=1e-3)
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.c.p
            yield self.source.n, self.c.n, self.ground.p

    s = tg.simulate(OnSource(), 0.1)
    exact = 1e-3 * 2.0 * 100.0 * np.pi * np.cos(100.0 * np.pi * s.time)
    within("Capacitor on a voltage source, current", s["c.i"] - exact, 1e-6, "closed-form solution, A")


def test_inductor_in_series_with_a_current_source() -> None:
    """The dual case: the voltage is the derivative of the current, here of a constant."""

    class Series(tg.Component):
        source = el.ConstantCurrent(I=-2.0)
        l = el.Inductor(L=0.3)  # noqa: E741
        r = el.Resistor(R=5.0)
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.l.p
            yield self.l.n, self.r.p
            yield self.r.n, self.source.n, self.ground.p

    s = tg.simulate(Series(), 1.0)
    within("Inductor in series with a current source", s["l.v"], 1e-12, "closed-form solution, V")
    within("Resistor after it", s["r.v"] - 10.0, 1e-9, "closed-form solution, V")


class RigidShaft(tg.Component):
    torque = rot.ConstantTorque(tau_constant=6.0)
    first = rot.Inertia(J=1.0, phi=at(0.5), w=at(-1.0))
    second = rot.Inertia(J=2.0)

    def connections(self):
        yield self.torque.flange, self.first.flange_a
        yield self.first.flange_b, self.second.flange_a


def test_two_inertias_on_a_rigid_shaft() -> None:
    s = tg.simulate(RigidShaft(), 3.0)
    within(
        "Two inertias on a rigid shaft", s["second.phi"] - (0.5 - s.time + s.time**2), 1e-5, "closed-form solution, rad"
    )
    within("Torque between them", s["first.flange_b.tau"] + 4.0, 1e-9, "closed-form solution, N m")


class GearTrain(tg.Component):
    """Three gears in a row: everything seen from the first shaft is J + sum J_k / r_k^2."""

    torque = rot.ConstantTorque(tau_constant=2.0)
    shafts = rot.Inertia.array(4, J=[0.1, 0.4, 2.0, 9.0])
    gears = rot.IdealGear.array(3, ratio=[2.0, -3.0, 1.5])

    def connections(self):
        yield self.torque.flange, self.shafts[0].flange_a
        yield self.shafts[:-1].flange_b, self.gears.flange_a
        yield self.gears.flange_b, self.shafts[1:].flange_a


def test_gear_train() -> None:
    ratios = np.cumprod([1.0, 2.0, -3.0, 1.5])
    total = (np.array([0.1, 0.4, 2.0, 9.0]) / ratios**2).sum()
    s = tg.simulate(GearTrain(), 2.0)
    exact = 0.5 * 2.0 / total * s.time**2
    within("Train of three gears, first angle", s["shafts.phi"][:, 0] - exact, 1e-5, "closed-form solution, rad of 7")
    within("Train of three gears, constraints", s["shafts.phi"] * ratios - s["shafts.phi"][:, :1], 1e-9, "constraint")


class GearLoop(tg.Component):
    """Two paths of gears between the same two shafts, with one spring in the loop that carries the difference."""

    torque = rot.ConstantTorque(tau_constant=1.0)
    a = rot.Inertia(J=1.0, phi=at(0.0), w=at(0.0))
    b = rot.Inertia(J=2.0)
    upper = rot.IdealGear(ratio=2.0)
    lower = rot.IdealGear(ratio=2.5)
    spring = rot.Spring(c=100.0)

    def connections(self):
        yield self.torque.flange, self.a.flange_a
        yield self.a.flange_b, self.upper.flange_a, self.lower.flange_a
        yield self.upper.flange_b, self.b.flange_a
        yield self.lower.flange_b, self.spring.flange_a
        yield self.spring.flange_b, self.b.flange_b


def test_gear_loop_with_a_spring() -> None:
    """a = 2 b, and the spring between a/2.5 and b: (1 + 2/4) a'' = 1 - 100 (0.5 - 0.4)^2 a, an oscillator."""
    s = tg.simulate(GearLoop(), 10.0, rtol=1e-8)
    exact = 1.0 - np.cos(np.sqrt(1.0 / 1.5) * s.time)
    within("Gear loop closed by a spring", s["a.phi"] - exact, 1e-6, "closed-form solution, rad")


def test_rigid_gear_loop_is_refused() -> None:
    """Ratios 2 and 2 around a loop: one constraint too many. An error, with both gears named."""

    class Rigid(GearLoop):
        bar = rot.IdealGear(ratio=2.0)

        def connections(self):
            yield self.bar.flange_a, self.a.flange_b
            yield self.bar.flange_b, self.b.flange_b

    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(Rigid(), 1.0)
    text = str(caught.value)
    assert "bar" in text, text
    assert "upper" in text, text


def series_inductors(first: Any, second: Any) -> Any:
    class Series(tg.Component):
        source = el.StepVoltage(V=1.0)
        r = el.Resistor(R=1.0)
        l1 = el.Inductor(L=1.0, i=first)
        l2 = el.Inductor(L=2.0, i=second)
        ground = el.Ground()

        def connections(self):
            yield self.source.p, self.r.p
            yield self.r.n, self.l1.p
            yield self.l1.n, self.l2.p
            yield self.l2.n, self.source.n, self.ground.p

    return Series()


def test_inductors_in_series() -> None:
    s = tg.simulate(series_inductors(at(0.5), tg.variable()), 10.0, rtol=1e-8)
    exact = 1.0 - 0.5 * np.exp(-s.time / 3.0)
    within("Two inductors in series", s["l2.i"] - exact, 1e-6, "closed-form solution, A")
    within("Two inductors in series, voltages", s["l2.v"] - 2.0 * s["l1.v"], 1e-9, "constraint, V")


def test_inductors_in_series_with_contradicting_starts() -> None:
    """1 A and 0 A through one wire: refused, with both named."""
    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(series_inductors(at(1.0), at(0.0)), 1.0)
    assert "l1" in str(caught.value)
    assert "l2" in str(caught.value)


def test_capacitors_in_a_loop_with_contradicting_starts() -> None:
    """Three capacitors around a loop, fixed at voltages that do not add up: refused, not silently changed."""

    class Loop(tg.Component):
        a = el.Capacitor(v=at(1.0))
        b = el.Capacitor(v=at(1.0))
        c = el.Capacitor(v=at(1.0))
        ground = el.Ground()

        def connections(self):
            yield self.a.n, self.b.p
            yield self.b.n, self.c.p
            yield self.c.n, self.a.p, self.ground.p

    with pytest.raises(tg.TellegenError) as caught:
        tg.simulate(Loop(), 1.0)
    assert any(name in str(caught.value) for name in ("a.v", "b.v", "c.v")), str(caught.value)


def test_heat_capacitors_in_contact() -> None:
    """Two lumps without resistance between them are one; one of three has a conductor in front."""

    class Contact(tg.Component):
        hot = th.FixedTemperature(T=400.0)
        g = th.ThermalConductor(G=2.0)
        a = th.HeatCapacitor(C=3.0, T=at(300.0))
        b = th.HeatCapacitor(C=5.0)

        def connections(self):
            yield self.hot.port, self.g.port_a
            yield self.g.port_b, self.a.port, self.b.port

    s = tg.simulate(Contact(), 20.0, rtol=1e-8)
    within("Two heat capacitors in contact", s["b.T"] - (400.0 - 100.0 * np.exp(-s.time / 4.0)), 1e-4, "closed, K")
