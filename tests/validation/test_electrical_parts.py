"""Triacs, choppers, half-wave rectifiers, lines, supplies and impulses: against closed solutions."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc

ALPHA = 1.0


class Triacs(tg.Component):
    """A resistor fed through an ideal triac and through a pair of thyristors, both fired at ALPHA."""

    source = el.SineVoltage(V=10.0, f=50.0)
    triac = el.IdealTriac(Vknee=0.0, use_snubber=False, Goff=1e-9)
    pair = pc.SinglePhaseTriac(Goff=1e-9)
    one = el.Resistor(R=2.0)
    other = el.Resistor(R=2.0)
    ground = el.Ground()
    rms = blocks.RootMeanSquare(f=50.0)
    first = blocks.Harmonic(f=50.0)
    by_rms = pc.VoltageToAngle(scale="rms")
    by_first = pc.VoltageToAngle(scale="first_harmonic")
    linear = pc.VoltageToAngle(v_ref=0.25)

    def connections(self) -> Any:
        yield self.source.p, self.triac.p, self.pair.p
        yield self.triac.n, self.one.p
        yield self.pair.n, self.other.p
        yield self.source.n, self.one.n, self.other.n, self.ground.p

    def equations(self) -> Any:
        angle = (2.0 * tg.pi * 50.0 * tg.time) % tg.pi
        positive = tg.sin(2.0 * tg.pi * 50.0 * tg.time) > 0.0
        late = angle > ALPHA
        yield self.triac.fire == tg.where(late, 1.0, 0.0)
        yield self.pair.fire1 == tg.where(late & positive, 1.0, 0.0)
        yield self.pair.fire2 == tg.where(late & ~positive, 1.0, 0.0)
        yield self.rms.u == self.one.v
        yield self.first.u == self.other.v
        yield self.by_rms.v_ref == self.rms.y / (10.0 / math.sqrt(2.0))
        yield self.by_first.v_ref == self.first.y_rms / (10.0 / math.sqrt(2.0))


def test_a_voltage_cut_by_triacs() -> None:
    found = tg.simulate(Triacs(), stop=0.05, rtol=1e-8)
    part = math.sqrt(1.0 - ALPHA / math.pi + math.sin(2.0 * ALPHA) / (2.0 * math.pi))
    assert found["rms.y"][-1] == pytest.approx(10.0 / math.sqrt(2.0) * part, rel=1e-4)
    np.testing.assert_allclose(found["one.i"], found["other.i"], atol=1e-4)
    assert found["by_rms.firing_angle"][-1] == pytest.approx(ALPHA, abs=2e-3)  # of the table of 65 angles
    assert found["by_first.firing_angle"][-1] == pytest.approx(ALPHA, abs=2e-3)
    assert found["linear.firing_angle"][-1] == pytest.approx(0.75 * math.pi)


class Choppers(tg.Component):
    """Step down from 60 V, step up from 12 V, both ways between 24 V and 12 V; averaged over periods of 0.1 ms."""

    pwm = pc.SignalPWM(f=10e3, duty_cycle=0.3)
    halves = pc.SignalPWM(f=10e3, duty_cycle=0.3, carrier="triangle")
    duty = pc.Voltage2DutyCycle(v=12.0, v_lim=24.0, use_bipolar_voltage=False)
    both = pc.SignalPWM(f=10e3)
    down = pc.ChopperStepDown(Goff=1e-7)
    up = pc.ChopperStepUp(Goff=1e-7)
    leg = pc.ChopperBuckBoost(Goff=1e-7)
    high = el.ConstantVoltage(V=60.0)
    low = el.ConstantVoltage(V=12.0)
    middle = el.ConstantVoltage(V=24.0)
    L1 = el.Inductor(L=10e-3)
    L2 = el.Inductor(L=10e-3)
    L3 = el.Inductor(L=10e-3)
    R1 = el.Resistor(R=5.0)
    R2 = el.Resistor(R=5.0)
    R3 = el.Resistor(R=5.0)
    C2 = el.Capacitor(C=1e-3)
    ground = el.Ground()
    down_v = blocks.Mean(f=1e3)
    up_v = blocks.Mean(f=1e3)
    leg_v = blocks.Mean(f=1e3)

    def connections(self) -> Any:
        yield self.high.p, self.down.dc_p1
        yield self.down.dc_p2, self.L1.p
        yield self.L1.n, self.R1.p
        yield self.low.p, self.L2.p
        yield self.L2.n, self.up.dc_p1
        yield self.up.dc_p2, self.C2.p, self.R2.p
        yield self.middle.p, self.leg.dc_p2
        yield self.leg.dc_p1, self.L3.p
        yield self.L3.n, self.R3.p
        for negative in (self.high, self.low, self.middle, self.R1, self.R2, self.R3, self.C2):
            yield negative.n, self.ground.p
        yield self.down.dc_n1, self.up.dc_n1, self.leg.dc_n1, self.ground.p
        yield self.pwm.fire, self.down.fire_p, self.up.fire_p
        yield self.duty.duty_cycle, self.both.duty_cycle
        yield self.both.fire, self.leg.fire_n
        yield self.both.not_fire, self.leg.fire_p

    def equations(self) -> Any:
        yield self.down_v.u == self.R1.v
        yield self.up_v.u == self.R2.v
        yield self.leg_v.u == self.R3.v


def test_means_of_choppers() -> None:
    found = tg.simulate(Choppers(), stop=0.06)
    assert found["down_v.y"][-1] == pytest.approx(0.3 * 60.0, rel=1e-3)
    assert found["up_v.y"][-1] == pytest.approx(12.0 / 0.7, rel=1e-3)
    assert found["leg_v.y"][-1] == pytest.approx(12.0, rel=1e-3)
    at = [found.at(0.0401 + 1e-4 * x)["halves.fire"] for x in (0.1, 0.2, 0.5, 0.8, 0.9)]
    assert at == [1.0, 0.0, 0.0, 0.0, 1.0]


class Rectifiers(tg.Component):
    """Three half-wave rectifiers and a half-controlled bridge on one grid, each with a resistor."""

    grid = pp.Grid(V=400.0)
    taps = pc.DiodeCenterTapmPulse(Goff=1e-9)
    fired = pc.ThyristorCenterTapmPulse(Goff=1e-9)
    half = pc.HalfControlledBridge2mPulse(Goff=1e-9)
    angle = pc.FiringAngle(firing_angle=0.4)
    R = el.Resistor.array(3, R=10.0)
    ground = el.Ground()
    mean = blocks.Mean.array(3, f=50.0)

    def connections(self) -> Any:
        yield self.grid.plug_p, self.taps.ac, self.fired.ac, self.half.ac
        yield self.grid.pin_n, self.ground.p, self.R[0].n, self.R[1].n
        yield self.taps.dc_p, self.R[0].p
        yield self.fired.dc_p, self.R[1].p
        yield self.half.dc_p, self.R[2].p
        yield self.half.dc_n, self.R[2].n
        yield self.angle.fire_p, self.fired.fire_p, self.half.fire_p

    def equations(self) -> Any:
        yield self.mean.u == self.R.v
        yield self.angle.phi == self.grid.phi


def test_means_of_half_wave_rectifiers() -> None:
    found = tg.simulate(Rectifiers(), stop=0.06, rtol=1e-8).at(0.06)
    star = 400.0 / math.sqrt(3.0) * math.sqrt(2.0) * 3.0 / math.pi * math.sin(math.pi / 3.0)
    bridge = 3.0 * math.sqrt(2.0) / math.pi * 400.0
    # to 30 degrees the load of a resistor conducts without gaps: the mean falls with cos(alpha)
    assert found["mean[0].y"] == pytest.approx(star, rel=1e-4)
    assert found["mean[1].y"] == pytest.approx(star * math.cos(0.4), rel=1e-4)
    assert found["mean[2].y"] == pytest.approx(bridge * (1.0 + math.cos(0.4)) / 2.0, rel=1e-4)


@pytest.mark.parametrize("load", [0.2, 0.6, 1.2, 3.0, 40.0])
def test_regions_of_a_laboratory_supply(load: float) -> None:
    system = tg.System("bench")
    supply = el.DCPowerSupply(V0=60.0, I0=50.0, P0=1200.0, Rcv=0.01, Gcc=0.02)
    system.add(supply=supply, load=el.Resistor(R=load), ground=el.Ground())
    system.connect(system.supply.p, system.load.p)
    system.connect(system.supply.n, system.load.n, system.ground.p)
    v = tg.steady_state(system)["supply.v"]
    held = 60.0 * load / (load + 0.01)
    limited = 50.0 / (1.0 / load + 0.02)
    power = math.sqrt(1200.0 * load)
    assert v == pytest.approx(min(held, limited, power), rel=1e-9)


@pytest.mark.parametrize("approximation", ["heidler", "double_exp"])
def test_a_lightning_impulse(approximation: str) -> None:
    impulse = el.LightningImpulse(amplitude=3.0, approximation=approximation)
    found = tg.simulate(impulse, stop=500e-6, rtol=1e-9, points=200001)
    t = found.time
    y = found["y"]
    top = y.argmax()
    assert y[top] == pytest.approx(3.0, rel=1e-6)
    t10, t90 = np.interp([0.3, 2.7], y[:top], t[:top])
    t50 = np.interp(-1.5, -y[top:], t[top:])
    assert (t90 - t10) / 0.8 == pytest.approx(10e-6, rel=1e-3)
    assert t50 - (t10 - 0.1 * 10e-6) == pytest.approx(350e-6, rel=1e-3)


class Line(tg.Component):
    """A line from a source of 1 V with 50 ohm to 70 ohm."""

    line: Any = tg.parameter(None, structural=True)
    source = el.SignalVoltage(u=0.0)
    R1 = el.Resistor(R=50.0)
    R2 = el.Resistor(R=70.0)
    ground = el.Ground()

    def build(self) -> None:
        self.between = self.line()

    def connections(self) -> Any:
        yield self.source.p, self.R1.p
        yield self.R1.n, self.between.p1
        yield self.between.p2, self.R2.p
        yield self.source.n, self.between.p3, self.R2.n, self.ground.p


def gain(series: complex, shunt: complex) -> complex:
    """The exact gain of a line of these impedances and admittances in all, from 1 V with 50 ohm to 70 ohm."""
    gamma = cmath.sqrt(series * shunt)
    z = cmath.sqrt(series / shunt)
    a = cmath.cosh(gamma)
    b = z * cmath.sinh(gamma)
    c = cmath.sinh(gamma) / z
    return 70.0 / (a * 70.0 + b + 50.0 * (c * 70.0 + a))


def test_lossy_lines_in_the_frequency_domain() -> None:
    f = np.geomspace(1e5, 3e7, 6)
    lines = {
        "O": (lambda: el.OLine(r=3.0, l=250e-9, g=2e-4, c=100e-12, length=4.0, N=60), 250e-9, 2e-4),
        "U": (lambda: el.ULine(r=3.0, c=100e-12, length=4.0, N=60), 0.0, 0.0),
    }
    for make, inductance, leak in lines.values():
        found = tg.frequency_response(Line(line=make), inputs=["source.u"], outputs=["R2.v"], frequencies=f)
        w = 2j * np.pi * f
        exact = [gain(4.0 * (3.0 + s * inductance), 4.0 * (leak + s * 100e-12)) for s in w]
        np.testing.assert_allclose(np.asarray(found.values).ravel(), exact, rtol=2e-2, atol=2e-3)  # of 60 segments


def test_coupled_lines_have_two_modes() -> None:
    """Two equal lines driven alike are one with l + m and c, driven against each other one with l - m and c + 2 c12."""
    l, m, c, c12 = 250e-9, 50e-9, 80e-12, 10e-12  # noqa: E741
    shared = {"r": 3.0, "g": 1e-4, "length": 4.0, "N": 8}
    f = np.array([1e6, 7e6])
    coupled = lambda: el.M_OLine(  # noqa: E731
        lines=2,
        N=8,
        length=4.0,
        r=[3.0, 3.0],
        l=[[l, m], [m, l]],
        g=[[1e-4, 0.0], [0.0, 1e-4]],
        c=[[c, c12], [c12, c]],
    )
    for sign, inductance, capacitance in ((1.0, l + m, c), (-1.0, l - m, c + 2.0 * c12)):
        single = Line(line=lambda i=inductance, k=capacitance: el.OLine(l=i, c=k, **shared))
        one = tg.frequency_response(single, inputs=["source.u"], outputs=["R2.v"], frequencies=f)
        both = tg.frequency_response(Pair(line=coupled, sign=sign), f, inputs=["source.u"], outputs=["R[0].v"])
        np.testing.assert_allclose(np.ravel(both.values), np.ravel(one.values), rtol=1e-9)


class Pair(tg.Component):
    """Two coupled lines, fed with the same voltage or with opposite ones."""

    line: Any = tg.parameter(None, structural=True)
    sign = tg.parameter(1.0, "1")
    source = el.SignalVoltage(u=0.0)
    other = el.VCV(gain=sign)
    feed = el.Resistor.array(2, R=50.0)
    R = el.Resistor.array(2, R=70.0)
    ground = el.Ground()

    def build(self) -> None:
        self.between = self.line()

    def connections(self) -> Any:
        yield self.source.p, self.feed[0].p
        yield self.source.p, self.other.p1
        yield self.other.p2, self.feed[1].p
        yield self.feed.n, self.between.p
        yield self.between.n, self.R.p
        yield self.R.n, self.ground.p
        yield self.source.n, self.other.n1, self.other.n2, self.between.reference, self.ground.p


@pytest.mark.parametrize(
    "line", [el.TLine1(Z0=70.0, TD=0.25), el.TLine2(Z0=70.0, F=2.0, NL=0.5), el.TLine3(Z0=70.0, F=1.0)]
)
def test_a_matched_line_delays(line: el.TLine) -> None:
    system = tg.System("matched")
    system.add(source=el.SineVoltage(V=2.0, f=1.3), line=line, load=el.Resistor(R=70.0), ground=el.Ground())
    system.connect(system.source.p, system.line.p1)
    system.connect(system.line.p2, system.load.p)
    system.connect(system.source.n, system.line.n1, system.line.n2, system.load.n, system.ground.p)
    found = tg.simulate(system, stop=1.0)
    assert found.at(0.9)["load.v"] == pytest.approx(2.0 * math.sin(2.0 * math.pi * 1.3 * 0.65), rel=1e-5)
