"""Parts as users of the Modelica library expect them, each in a small circuit with a closed solution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc
from tellegen.library import rotational as rot
from tellegen.library import translational as tr


class Sources(tg.Component):
    """Sources on resistors of 2 ohm, and contacts commanded by a signal and by a voltage beside each other."""

    sine = el.SineVoltageVariableFrequencyAndAmplitude(V=3.0, f=2.0, offset=1.0)
    cosine = el.CosineVoltageVariableFrequencyAndAmplitude(V=3.0, f=2.0)
    sine_i = el.SineCurrentVariableFrequencyAndAmplitude(I=3.0, f=2.0)
    cosine_i = el.CosineCurrentVariableFrequencyAndAmplitude(I=3.0, f=2.0)
    impulse = el.LightningImpulseVoltage(V=4.0, T1=0.05, T2=0.4)
    impulse_i = el.LightningImpulseCurrent(I=5.0, T1=0.05, T2=0.4)
    supply = el.SupplyVoltage(Vps=12.0, Vns=-7.0)
    R = el.Resistor.array(8, R=2.0)
    ground = el.Ground()

    def connections(self) -> Any:
        sources = (self.sine, self.cosine, self.sine_i, self.cosine_i, self.impulse, self.impulse_i)
        for k, source in enumerate(sources):
            yield source.p, self.R[k].p
            yield source.n, self.R[k].n, self.ground.p
        yield self.supply.pin_p, self.R[6].p
        yield self.supply.pin_n, self.R[7].p
        yield self.supply.ground, self.R[6].n, self.R[7].n, self.ground.p


def test_sources() -> None:
    found = tg.simulate(Sources(), stop=0.6, rtol=1e-9, points=6001)
    t = found.time
    wave = 2.0 * math.tau * t
    np.testing.assert_allclose(found["sine.v"], 1.0 + 3.0 * np.sin(wave), atol=1e-7)
    np.testing.assert_allclose(found["cosine.v"], 3.0 * np.cos(wave), atol=1e-7)
    np.testing.assert_allclose(found["sine_i.i"], 3.0 * np.sin(wave), atol=1e-7)
    np.testing.assert_allclose(found["cosine_i.i"], 3.0 * np.cos(wave), atol=1e-7)
    assert found["impulse.v"].max() == pytest.approx(4.0, rel=1e-5)
    assert found["impulse_i.i"].max() == pytest.approx(5.0, rel=1e-5)
    np.testing.assert_allclose(found["R[4].i"], found["impulse.v"] / 2.0, atol=1e-9)
    assert (found["R[6].v"][0], found["R[7].v"][0]) == (12.0, -7.0)


class Contacts(tg.Component):
    """An inductive load interrupted by contacts with an arc: by a signal, and by a potential of the same shape."""

    command = blocks.BooleanPulse(period=0.04, width=0.5, start_time=0.01)
    potential = el.PulseVoltage(period=0.04, width=0.5, start_time=0.01)
    source = el.SineVoltage(V=100.0, f=50.0)
    closers = el.CloserWithArc.array(1)
    openers = el.OpenerWithArc.array(1)
    by_voltage = el.ControlledCloserWithArc()
    opened = el.ControlledOpenerWithArc()
    R = el.Resistor.array(4, R=5.0)
    L = el.Inductor.array(4, L=0.02)
    ground = el.Ground()

    def connections(self) -> Any:
        contacts = (self.closers[0], self.openers[0], self.by_voltage, self.opened)
        for k, contact in enumerate(contacts):
            yield self.source.p, contact.p
            yield contact.n, self.R[k].p
            yield self.R[k].n, self.L[k].p
            yield self.L[k].n, self.ground.p
        yield self.command.y, self.closers[0].control, self.openers[0].control
        yield self.potential.p, self.by_voltage.control, self.opened.control
        yield self.potential.n, self.source.n, self.ground.p


def test_contacts_commanded_by_a_potential() -> None:
    found = tg.simulate(Contacts(), stop=0.05, rtol=1e-8)
    assert found["L[0].i"].max() > 5.0
    np.testing.assert_allclose(found["L[2].i"], found["L[0].i"], atol=1e-5)
    np.testing.assert_allclose(found["L[3].i"], found["L[1].i"], atol=1e-5)


class Gated(tg.Component):
    """A thyristor and a triac on an alternating voltage, with a gate pulse shortly after every zero."""

    source = el.SineVoltage(V=50.0, f=50.0)
    gate = el.PulseCurrent(I=-0.02, period=0.02, width=0.05, start_time=0.003)
    other = el.PulseCurrent(I=-0.02, period=0.01, width=0.1, start_time=0.003)
    thyristor = el.Thyristor()
    triac = el.SimpleTriac()
    R1 = el.Resistor(R=10.0)
    R2 = el.Resistor(R=10.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.R1.p, self.R2.p
        yield self.R1.n, self.thyristor.anode
        yield self.R2.n, self.triac.p
        yield self.gate.p, self.thyristor.gate
        yield self.other.p, self.triac.g
        for pin in (self.source.n, self.thyristor.cathode, self.triac.n, self.gate.n, self.other.n):
            yield pin, self.ground.p


def test_a_thyristor_latches_and_a_triac_conducts_both_ways() -> None:
    found = tg.simulate(Gated(), stop=0.027, rtol=1e-5)
    for t, conducts in ((0.002, False), (0.006, True), (0.009, True), (0.015, False), (0.026, True)):
        at = found.at(t)
        v = 50.0 * math.sin(100.0 * math.pi * t)
        expected = v / (10.0 + 1.0 / 25.0) if conducts else 0.0  # Ron = (VTM - 0.7 V)/ITM
        assert at["R1.i"] == pytest.approx(expected, abs=0.02), t
    assert found.at(0.006)["R2.i"] > 4.0
    assert found.at(0.016)["R2.i"] < -4.0


class Shaft(tg.Component):
    """A shaft at 3 rad/s with sensors of its electrical angle."""

    drive = rot.ConstantSpeed(w_fixed=3.0)
    hall = ma.HallSensor(p=2, phi0=0.1)
    resolver = ma.SinCosResolver(p=2, phi0=0.1)
    angle = ma.SinCosEvaluation()

    def connections(self) -> Any:
        yield self.drive.flange, self.hall.flange, self.resolver.flange
        yield self.resolver.y, self.angle.u


def test_angles_of_a_shaft() -> None:
    found = tg.simulate(Shaft(), stop=2.0)
    for t in (0.3, 1.1, 1.9):
        angle = 2.0 * (3.0 * t - 0.1)
        at = found.at(t)
        assert at["hall.y"] == pytest.approx(angle % math.tau, abs=1e-7)
        assert at["angle.phi"] == pytest.approx(math.remainder(angle, math.tau), abs=1e-7)


class Starting(tg.Component):
    """Windings of 3 ohm on a grid: in star by a box, switched from star to delta; rheostats on 10 V."""

    grid = pp.SineVoltage(V=100.0, f=50.0)
    star = pp.Star()
    ground = el.Ground()
    box = ma.TerminalBox()
    delta_box = ma.TerminalBox(terminal_connection="D")
    switch = ma.SwitchYD(Goff=1e-9)
    arcs = ma.SwitchYDwithArc(Goff=1e-9)
    windings = pp.Resistor.array(4, R=[3.0, 3.0, 3.0])
    ramped = ma.RampedRheostat(m=1, RStart=5.0, t_start=0.01, t_ramp=0.02)
    switched = ma.SwitchedRheostat(m=1, RStart=5.0, t_start=0.01, Ron=0.5)
    dc = el.ConstantCurrent(I=2.0)
    control = blocks.BooleanStep(start_time=0.02)
    vf = ma.VfController(V_nominal=100.0, f_nominal=50.0, u=20.0)
    save = ma.VfController(V_nominal=100.0, f_nominal=50.0, u=20.0, economy_mode=True)

    def connections(self) -> Any:
        joints = (self.box, self.delta_box, self.switch, self.arcs)
        for k, joint in enumerate(joints):
            yield self.grid.plug_p, joint.plug_supply
            yield joint.plug_sp, self.windings[k].plug_p
            yield joint.plug_sn, self.windings[k].plug_n
        yield self.grid.plug_n, self.star.plug_p
        yield self.star.pin_n, self.ground.p
        yield self.control.y, self.switch.control, self.arcs.control
        yield self.dc.n, self.ramped.plug_p[0]
        yield self.ramped.plug_n[0], self.switched.plug_p[0]
        yield self.switched.plug_n[0], self.dc.p, self.ground.p


def test_star_delta_and_rheostats() -> None:
    found = tg.simulate(Starting(), stop=0.04, rtol=1e-8)
    t = found.time
    phase = 100.0 * np.sin(100.0 * np.pi * t)
    line = phase - 100.0 * np.sin(100.0 * np.pi * t - 2.0 * np.pi / 3.0)
    early = t < 0.0199
    late = t > 0.03  # an arc ends when its current is zero
    np.testing.assert_allclose(found["windings[0].i[0]"], phase / 3.0, atol=1e-3)
    np.testing.assert_allclose(found["windings[1].i[0]"], line / 3.0, atol=1e-3)
    for k in (2, 3):
        np.testing.assert_allclose(found[f"windings[{k}].v[0]"][early], phase[early], atol=1e-2)
        np.testing.assert_allclose(found[f"windings[{k}].v[0]"][late], line[late], atol=1e-2)
    at = found.at(0.02)
    assert at["ramped.rheostat.v[0]"] == pytest.approx(2.0 * 5.0 * 0.5)
    assert at["switched.rheostat.v[0]"] == pytest.approx(2.0 * 0.5)
    assert at["vf.amplitude"] == pytest.approx(0.4 * 100.0 * math.sqrt(2.0))
    assert at["save.amplitude"] == pytest.approx(0.16 * 100.0 * math.sqrt(2.0))
    behind = math.tau * 20.0 * 0.02 - math.tau / 3.0
    assert at["vf.y[1]"] == pytest.approx(40.0 * math.sqrt(2.0) * math.sin(behind), rel=1e-6)


class SixPhases(tg.Component):
    """Two systems of three phases: in stars, in deltas, over resistors; and three wires with two meters."""

    source = pp.SineVoltage(m=6, V=[10.0, 10.0, 10.0, 4.0, 4.0, 4.0], f=1.0)
    neutral = pp.Star(m=6)
    ground = el.Ground()
    split = pp.SplitToSubsystems(m=6)
    stars = pp.MultiStar(m=6)
    deltas = pp.MultiDelta(m=6)
    joined = pp.MultiStarResistance(m=6, R=2.0)
    R = pp.Resistor.array(3, m=6, R=[1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    three = pp.SineVoltage(V=[10.0, 9.0, 8.0], f=1.0)
    three_star = pp.Star()
    aron = pp.AronSensor()
    load = pp.Resistor(R=[1.0, 2.0, 3.0])
    load_star = pp.Star()
    zero = pp.ZeroInductor(Lzero=0.5)
    currents = pp.SineCurrent(I=2.0, f=1.0, phase=[0.0, 2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0])

    def connections(self) -> Any:
        yield self.source.plug_p, self.split.plug_p
        for k in range(3):
            yield self.split.plug_n, self.R[k].plug_p
        yield self.R[0].plug_n, self.stars.plug_p
        yield self.R[1].plug_p, self.deltas.plug_p
        yield self.R[1].plug_n, self.deltas.plug_n
        yield self.R[2].plug_n, self.joined.plug
        yield self.joined.pin, self.ground.p
        yield self.source.plug_n, self.neutral.plug_p
        yield self.neutral.pin_n, self.ground.p
        yield self.three.plug_p, self.aron.plug_p
        yield self.aron.plug_n, self.load.plug_p
        yield self.load.plug_n, self.load_star.plug_p
        yield self.three.plug_n, self.three_star.plug_p
        yield self.three_star.pin_n, self.ground.p
        yield self.currents.plug_p, self.zero.plug_n
        yield self.currents.plug_n, self.zero.plug_p
        for k in range(3):
            yield self.zero.plug_n[k], self.ground.p


def test_systems_of_six_phases() -> None:
    found = tg.simulate(SixPhases(), stop=1.0, rtol=1e-9)
    t = found.time
    for system in range(2):
        phases = range(3 * system, 3 * system + 3)
        v = np.array([found[f"source.v[{k}]"] for k in phases])
        conductance = np.array([1.0, 1.0 / 2.0, 1.0 / 3.0])[:, None]
        star = (conductance * v).sum(axis=0) / conductance.sum()
        np.testing.assert_allclose(found[f"stars.starpoints[{system}].v"], star, atol=1e-7)
        np.testing.assert_allclose(found[f"R[1].v[{3 * system}]"], v[0] - v[1], atol=1e-7)
        over = (conductance * v).sum(axis=0) / (conductance.sum() + 0.5)
        np.testing.assert_allclose(found[f"joined.plug[{3 * system}].v"], over, atol=1e-7)
    power = sum(found[f"load.v[{k}]"] * found[f"load.i[{k}]"] for k in range(3))
    np.testing.assert_allclose(found["aron.power"], power, atol=1e-6)
    rate = 2.0 * math.tau * np.cos(math.tau * t)
    np.testing.assert_allclose(found["zero.v[1]"], 0.5 * rate, atol=1e-6)


class Coasting(tg.Component):
    """A vehicle that coasts, a mass with rolling resistance, and machines of constant power."""

    car = rot.Vehicle(m=1000.0, J=2.0, R=0.3, Cd=0.4, A=2.0, rho=1.2, Cr=0.0, v=tg.variable(start=30.0, fixed=True))
    mass = tr.Mass(m=2.0, v=tg.variable(start=1.0, fixed=True))
    rolling = tr.RollingResistance(F_weight=20.0, Cr=0.02, inclination=0.75)
    rotor = rot.Inertia(J=2.0, w=tg.variable(start=5.0, fixed=True))
    constant_power = rot.InverseSpeedDependentTorque(tau_nominal=3.0, w_nominal=10.0)
    slide = tr.Mass(m=2.0, v=tg.variable(start=5.0, fixed=True))
    pull = tr.InverseSpeedDependentForce(f_nominal=3.0, v_nominal=10.0)

    def connections(self) -> Any:
        yield self.mass.flange_b, self.rolling.flange
        yield self.rotor.flange_b, self.constant_power.flange
        yield self.slide.flange_b, self.pull.flange


def test_motion_with_resistance() -> None:
    found = tg.simulate(Coasting(), stop=2.0, rtol=1e-9).at(2.0)
    mass = 1000.0 + 2.0 / 0.09
    assert found["car.v"] == pytest.approx(30.0 / (1.0 + 0.5 * 1.2 * 0.4 * 2.0 * 30.0 * 2.0 / mass), rel=1e-7)
    assert found["mass.v"] == pytest.approx(1.0 - 0.02 * 20.0 * 0.8 / 2.0 * 2.0, rel=1e-7)
    grown = math.sqrt(25.0 + 2.0 * 30.0 / 2.0 * 2.0)
    assert found["rotor.w"] == pytest.approx(grown, rel=1e-7)
    assert found["slide.v"] == pytest.approx(grown, rel=1e-7)


class CenterTaps(tg.Component):
    """Half-wave rectifiers of two and six pulses, a half-controlled bridge, a leg and triacs, each with a resistor."""

    grid = pp.SineVoltage(V=100.0, f=50.0)
    opposite = pp.SineVoltage(V=-100.0, f=50.0)
    star = pp.Star()
    other_star = pp.Star()
    ground = el.Ground()
    two = pc.DiodeCenterTap2Pulse(Goff=1e-9)
    six = pc.DiodeCenterTap2mPulse(Goff=1e-9)
    two_fired = pc.ThyristorCenterTap2Pulse(Goff=1e-9)
    six_fired = pc.ThyristorCenterTap2mPulse(Goff=1e-9)
    half = pc.HalfControlledBridge2Pulse(Goff=1e-9)
    triacs = pc.PolyphaseTriac(Goff=1e-9)
    leg = pc.SinglePhase2Level(Goff=1e-9)
    dc = el.ConstantVoltage(V=20.0)
    R = el.Resistor.array(6, R=10.0)
    load = pp.Resistor(R=10.0)
    load_star = pp.Star()
    mean = blocks.Mean.array(6, f=50.0)
    rms = blocks.RootMeanSquare(f=50.0)
    ramp = pc.SoftStartControl(t_ramp_up=0.04, t_ramp_down=0.02, v_start=0.2, i_max=2.0, i_rms=1.0)

    def connections(self) -> Any:
        yield self.grid.plug_p, self.six.ac_p, self.six_fired.ac_p, self.triacs.plug_p
        yield self.opposite.plug_p, self.six.ac_n, self.six_fired.ac_n
        yield self.grid.plug_p[0], self.two.ac_p, self.two_fired.ac_p, self.half.ac_p
        yield self.opposite.plug_p[0], self.two.ac_n, self.two_fired.ac_n
        yield self.grid.plug_n, self.star.plug_p
        yield self.opposite.plug_n, self.other_star.plug_p
        yield self.star.pin_n, self.other_star.pin_n, self.ground.p, self.half.ac_n
        taps = (self.two, self.six, self.two_fired, self.six_fired)
        for k, tap in enumerate(taps):
            yield tap.dc_p, self.R[k].p
            yield self.R[k].n, self.ground.p
        yield self.half.dc_p, self.R[4].p
        yield self.half.dc_n, self.R[4].n
        yield self.dc.p, self.leg.dc_p
        yield self.dc.n, self.leg.dc_n, self.R[5].n, self.ground.p
        yield self.leg.ac, self.R[5].p
        yield self.triacs.plug_n, self.load.plug_p
        yield self.load.plug_n, self.load_star.plug_p
        yield self.load_star.pin_n, self.ground.p

    def equations(self) -> Any:
        angle = 100.0 * tg.pi * tg.time
        turn = 2.0 * tg.pi

        def fires(begin: float, width: float = 1.5) -> Any:
            return tg.where((angle - begin) % turn < width, 1.0, 0.0)

        behind = [2.0 * math.pi * k / 3.0 for k in range(3)]
        # six phases follow each other by 60 degrees: the natural instant is 60 degrees after the zero
        natural = [math.pi / 3.0 + late for late in behind]
        yield self.two_fired.fire_p == fires(0.5)
        yield self.two_fired.fire_n == fires(0.5 + math.pi)
        yield self.six_fired.fire_p == [fires(begin + 0.3, 0.5) for begin in natural]
        yield self.six_fired.fire_n == [fires(begin + 0.3 + math.pi, 0.5) for begin in natural]
        yield self.half.fire_p == [fires(0.5), fires(0.5 + math.pi)]
        yield self.triacs.fire1 == [fires(1.0 + late, 2.0) for late in behind]
        yield self.triacs.fire2 == [fires(1.0 + late + math.pi, 2.0) for late in behind]
        yield self.leg.fire_p == fires(0.0, 0.25 * 2.0 * math.pi)
        yield self.leg.fire_n == 1.0 - self.leg.fire_p
        yield self.mean.u == self.R.v
        yield self.rms.u == self.load.v[0]
        yield self.ramp.start == tg.where(tg.time < 0.07, 1.0, 0.0)


def test_rectifiers_with_a_centre_tap() -> None:
    found = tg.simulate(CenterTaps(), stop=0.08, rtol=1e-8)
    end = found.at(0.08)
    fired = 100.0 / math.pi * (1.0 + math.cos(0.5))
    six = 100.0 * 6.0 / math.pi * math.sin(math.pi / 6.0)
    part = math.sqrt(1.0 - 1.0 / math.pi + math.sin(2.0) / (2.0 * math.pi))
    expected = [200.0 / math.pi, six, fired, six * math.cos(0.3), fired, 0.25 * 20.0]
    assert [end[f"mean[{k}].y"] for k in range(6)] == pytest.approx(expected, rel=2e-4)
    assert end["rms.y"] == pytest.approx(100.0 / math.sqrt(2.0) * part, rel=2e-4)
    assert found.at(0.02)["ramp.v_ref"] == pytest.approx(0.2 + 0.8 * 0.5, abs=1e-6)
    assert found.at(0.06)["ramp.v_ref"] == pytest.approx(1.0, abs=1e-6)
    assert found.at(0.075)["ramp.v_ref"] == pytest.approx(0.75, abs=1e-5)
