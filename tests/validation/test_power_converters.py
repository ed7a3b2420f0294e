"""Rectifiers, inverters and choppers against the formulas of power electronics, and ngspice.

Means and Fourier coefficients are integrals, computed as states of the run (`Analyser`), so that what is compared has
no error of sampling. Runs at rtol 1e-8 leave 1e-6 of that; conduction losses of the valves are known and subtracted or
made as small as stated.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import polyphase as pp
from tellegen.library import power_converters as pc
from validation.measured import relative, within

V, F = 400.0, 50.0
W = 2.0 * np.pi * F
MEAN6 = 3.0 * np.sqrt(2.0) / np.pi * V
REFERENCE = Path(__file__).parents[1] / "reference" / "converters"


class Analyser(tg.Component):
    """Integrals of a signal, of its square, and of its products with cosine and sine of n w t."""

    u = tg.input()
    n = tg.parameter(1.0, "1", "harmonic")
    sum = tg.variable(start=0.0)
    square = tg.variable(start=0.0)
    cosine = tg.variable(start=0.0)
    sine = tg.variable(start=0.0)

    def equations(self) -> Any:
        yield tg.der(self.sum) == self.u
        yield tg.der(self.square) == self.u**2
        yield tg.der(self.cosine) == self.u * tg.cos(self.n * W * tg.time)
        yield tg.der(self.sine) == self.u * tg.sin(self.n * W * tg.time)


def over(s: tg.Solution, name: str, begin: float, end: float) -> Any:
    """Mean of an integrand from begin to end."""
    return (s.at(end)[name] - s.at(begin)[name]) / (end - begin)


def amplitude(s: tg.Solution, name: str, begin: float, end: float) -> float:
    return 2.0 * float(np.hypot(over(s, f"{name}.cosine", begin, end), over(s, f"{name}.sine", begin, end)))


class Rectified(tg.Component):
    """A bridge of diodes on the grid and a constant current on the dc side."""

    grid = pp.Grid(V=V, f=F)
    bridge = pc.DiodeBridge2mPulse(Ron=1e-6, Goff=1e-7)
    load = el.ConstantCurrent(I=50.0)
    mean = Analyser(n=6.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.grid.plug_p, self.bridge.ac
        yield self.grid.pin_n, self.ground.p
        yield self.bridge.dc_p, self.load.p
        yield self.bridge.dc_n, self.load.n

    def equations(self) -> Any:
        yield self.mean.u == self.bridge.dc_p.v - self.bridge.dc_n.v


def test_six_pulse_rectifier() -> None:
    """Mean 3 sqrt(2)/pi V; the ripple begins with the sixth harmonic, 300 Hz, of 2/35 of the mean; line current rms."""
    s = tg.simulate(Rectified(), 0.04, rtol=1e-8, points=4001)
    within("B6, mean voltage", relative(over(s, "mean.sum", 0.0, 0.02), MEAN6), 1e-6, "3 sqrt(2)/pi V")
    within(
        "B6, ripple of 300 Hz", relative(amplitude(s, "mean", 0.0, 0.02), MEAN6 * 2.0 / 35.0), 1e-5, "2/35 of the mean"
    )
    v = (s["bridge.dc_p.v"] - s["bridge.dc_n.v"])[s.time <= 0.02]
    spectrum = abs(np.fft.rfft(np.interp(np.arange(2000) * 1e-5, s.time[s.time <= 0.02], v))) / 1000.0
    assert {int(k) for k in np.flatnonzero(spectrum[1:20] > 1.0) + 1} == {6, 12, 18}
    blocks = abs(s["grid.i"][:, 0])
    within("B6, line current", np.minimum(blocks, abs(blocks - 50.0)), 1e-3, "blocks of 0 and Id, A")


@pytest.mark.parametrize("X", [0.05, 0.4])
def test_commutation(X: float) -> None:
    """Inductance of the supply: two valves conduct together for the angle u, cos u = 1 - 2 X Id/(sqrt(2) V)."""
    grid = pp.Grid(V=V, f=F, use_impedance=True, R=0.0, L=X / W)
    s = tg.simulate(Rectified(grid=grid), 0.06, rtol=1e-8, points=6001)
    drop = 3.0 / np.pi * X * 50.0
    within(
        "B6 with overlap, mean voltage", relative(over(s, "mean.sum", 0.04, 0.06), MEAN6 - drop), 1e-5, "less 3/pi X Id"
    )
    i = s["grid.i"][:, 0]
    rising = (s.time > 0.04) & (i < -0.01) & (i > -49.99)  # phase 1 takes over or hands on, twice in a period
    overlap = np.degrees(W * rising.sum() * 1e-5 / 2.0)
    expected = np.degrees(np.arccos(1.0 - 2.0 * X * 50.0 / (np.sqrt(2.0) * V)))
    within(
        "B6 with overlap, angle", overlap - expected, 0.4, "arccos(1 - 2 X Id/(sqrt(2) V)), degrees; samples of 0.18"
    )


class Controlled(Rectified):
    """Thyristors instead, fired at alpha."""

    alpha = tg.parameter(60.0, "deg")
    bridge = pc.ThyristorBridge2mPulse(Ron=1e-6, Goff=1e-7)
    firing = pc.FiringAngle()

    def equations(self) -> Any:
        yield self.firing.phi == self.grid.phi
        yield self.firing.firing_angle == self.alpha

    def connections(self) -> Any:
        yield self.firing.fire_p, self.bridge.fire_p
        yield self.firing.fire_n, self.bridge.fire_n


@pytest.mark.parametrize("alpha", [0.0, 30.0, 60.0, 90.0, 120.0, 150.0])
def test_controlled_rectifier(alpha: float) -> None:
    """The cosine law, from rectifier to inverter."""
    s = tg.simulate(Controlled(alpha=alpha), 0.04, rtol=1e-8)
    wanted = MEAN6 * np.cos(np.radians(alpha))
    error = (over(s, "mean.sum", 0.02, 0.04) - wanted) / MEAN6
    within("B6C, mean voltage, six firing angles", error, 2e-5, "1.35 V cos(alpha), of 1.35 V")


def test_bridges_between_two_pins() -> None:
    """Mean 2 sqrt(2)/pi V of diodes, times cos(alpha) of thyristors with a steady current."""

    class TwoPins(tg.Component):
        source = el.SineVoltage(V=np.sqrt(2.0) * 230.0, f=F)
        diodes = pc.DiodeBridge2Pulse(Ron=1e-6, Goff=1e-7)
        thyristors = pc.ThyristorBridge2Pulse(Ron=1e-6, Goff=1e-7)
        firing = pc.FiringAngle(m=2, firing_angle=np.pi / 4)
        load1, load2 = el.ConstantCurrent(I=5.0), el.ConstantCurrent(I=5.0)
        first, second = Analyser(), Analyser()
        ground = el.Ground()

        def equations(self) -> Any:
            yield self.first.u == self.load1.v
            yield self.second.u == self.load2.v
            yield self.firing.phi == W * tg.time

        def connections(self) -> Any:
            for bridge, load in ((self.diodes, self.load1), (self.thyristors, self.load2)):
                yield self.source.p, bridge.ac_p
                yield self.source.n, bridge.ac_n, self.ground.p
                yield bridge.dc_p, load.p
                yield bridge.dc_n, load.n
            yield self.firing.fire_p, self.thyristors.fire_p
            yield self.firing.fire_n, self.thyristors.fire_n

    s = tg.simulate(TwoPins(), 0.06, rtol=1e-8)
    mean = 2.0 * np.sqrt(2.0) / np.pi * 230.0
    within("B2, mean voltage", relative(over(s, "first.sum", 0.02, 0.06), mean), 1e-5, "2 sqrt(2)/pi V")
    found = over(s, "second.sum", 0.02, 0.06)
    within("B2C, mean voltage", relative(found, mean * np.cos(np.pi / 4)), 1e-5, "2 sqrt(2)/pi V cos(alpha)")


@pytest.mark.slow
def test_six_pulse_rectifier_against_ngspice() -> None:
    """Straight diodes through the working point instead of exponential ones: a volt of 540 is left at the knees."""
    time, choke, line = np.loadtxt(REFERENCE / "six_pulse.csv", delimiter=",").T

    class Smoothed(tg.Component):
        source = pp.SineVoltage(V=326.5986324, f=50.0)
        star = pp.Star()
        r = pp.Resistor(R=0.2)
        bridge = pc.DiodeBridge2mPulse(Vknee=0.88, Ron=0.0115, Goff=1e-8)
        choke = el.Inductor(L=5e-3, i=tg.variable(start=0.0, fixed=True))
        c = el.Capacitor(C=1e-3, v=tg.variable(start=0.0, fixed=True))
        load = el.Resistor(R=20.0)
        leak = el.Resistor(R=100e3)
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.plug_p, self.r.plug_p
            yield self.source.plug_n, self.star.plug_p
            yield self.r.plug_n, self.bridge.ac
            yield self.bridge.dc_p, self.choke.p
            yield self.choke.n, self.c.p, self.load.p
            yield self.bridge.dc_n, self.c.n, self.load.n, self.leak.p
            yield self.star.pin_n, self.leak.n, self.ground.p

    values = tg.simulate(Smoothed(), 0.06, rtol=1e-8, points=601).at(time)
    within("B6 with choke, dc current", (values["choke.i"] - choke) / np.ptp(choke), 1e-3, "ngspice 39, of the range")
    calm = np.ones(len(time), bool)  # not within a step of the instants at which line currents jump
    calm[1:-1] = (abs(np.diff(line))[:-1] < 20.0) & (abs(np.diff(line))[1:] < 20.0)
    error = (values["source.i[0]"] - line)[calm] / np.ptp(line)
    within("B6 with choke, line current", error[1:], 1e-3, "ngspice 39, of the range")


class Inverted(tg.Component):
    """An inverter on 600 V with R and L in star, open star point; the load's first phase is analysed."""

    kind = tg.parameter("none", structural=True)
    depth = tg.parameter(0.8, "1", "modulation index")
    dc = el.ConstantVoltage(V=600.0)
    wish = pc.ZeroSequence(kind=kind)
    pwm = pc.PWM(clock=tg.Clock(rate="10 kHz"))
    inverter = pc.SwitchedInverter(R=0.0)
    r = pp.Resistor(R=5.0)
    load = pp.Inductor(L=10e-3)
    star = pp.Star()
    voltage = Analyser()
    current = Analyser()
    leg = Analyser()
    ground = el.Ground()

    def equations(self) -> Any:
        yield self.wish.u == [self.depth * tg.sin(W * tg.time - 2.0 * tg.pi * k / 3.0) for k in range(3)]
        yield self.voltage.u == self.inverter.ac[0].v - self.star.pin_n.v
        yield self.current.u == self.load.i[0]
        yield self.leg.u == self.inverter.ac[0].v - 300.0

    def connections(self) -> Any:
        yield self.dc.p, self.inverter.dc_p
        yield self.dc.n, self.inverter.dc_n, self.ground.p
        yield self.wish.y, self.pwm.u
        yield self.inverter.ac, self.r.plug_p
        yield self.r.plug_n, self.load.plug_p
        yield self.load.plug_n, self.star.plug_p
        yield from self.fired()

    def fired(self) -> Any:
        yield self.pwm.fire_p, self.inverter.fire


class Averaged(Inverted):
    inverter = pc.AverageInverter(R=0.0)

    def fired(self) -> Any:
        yield self.wish.y, self.inverter.u


class Transistors(Inverted):
    inverter = pc.Polyphase2Level(Ron=1e-5, Goff=1e-7)

    def fired(self) -> Any:
        yield self.pwm.fire_p, self.inverter.fire_p
        yield self.pwm.fire_n, self.inverter.fire_n


def test_fundamental_of_inverters() -> None:
    """m Vdc/2 for sines; with a zero sequence up to Vdc/sqrt(3), where sines alone would be cut off."""
    most = 2.0 / np.sqrt(3.0)
    for kind, depth in (("none", 0.8), ("third_harmonic", most), ("space_vector", most)):
        for model, tolerance in ((Averaged, 2e-6), (Inverted, 2e-4)):  # reading u once in a period: 1e-4
            s = tg.simulate(model(kind=kind, depth=depth), 0.02, rtol=1e-8)
            found = amplitude(s, "voltage", 0.0, 0.02)
            name = f"{model.__name__.lower()}, {kind}, m = {depth:.3f}"
            within(f"inverter, fundamental, {name}", relative(found, depth * 300.0), tolerance, "m Vdc/2")
    cut = amplitude(tg.simulate(Averaged(depth=most), 0.02, rtol=1e-8), "voltage", 0.0, 0.02)
    assert cut < 0.99 * most * 300.0


def test_harmonics_of_an_inverter() -> None:
    """A leg is always at +-Vdc/2, so THD = sqrt(2/m^2 - 1) for any pulses; the load's current is nearly a sine."""
    s = tg.simulate(Inverted(depth=0.9), 0.04, rtol=1e-8)
    one = amplitude(s, "leg", 0.02, 0.04)
    rest = over(s, "leg.square", 0.02, 0.04) - one**2 / 2.0
    thd = np.sqrt(rest * 2.0) / one
    within("inverter, THD of a leg", relative(thd, np.sqrt(2.0 / 0.9**2 - 1.0)), 1e-3, "sqrt(2/m^2 - 1)")
    one = amplitude(s, "current", 0.02, 0.04)
    thd = np.sqrt(max(over(s, "current.square", 0.02, 0.04) * 2.0 - one**2, 0.0)) / one
    within("inverter, THD of the current", thd, 0.02, "zero, at 10 kHz and 10 mH")
    assert thd > 1e-3


def test_three_depths_of_an_inverter_agree() -> None:
    """The means of all three are the same; transistors and ideal switches carry the same current but for the losses."""
    slow = tg.Clock(rate="5 kHz")
    mean, switched, valves = (
        tg.simulate(model(pwm=pc.PWM(clock=slow)), 0.02, rtol=1e-7) for model in (Averaged, Inverted, Transistors)
    )
    time = np.linspace(0.011, 0.019, 500)
    i = {s: s.at(time)["load.i"] for s in (mean, switched, valves)}
    within("inverter, transistors and switches", (i[valves] - i[switched]) / 50.0, 1e-4, "each other, of 50 A")
    delayed = mean.at(time - 1e-4)["load.i"]  # what is read at the begin of a period holds in its middle
    ripple = 600.0 / (8.0 * 10e-3) * 2e-4 / 50.0
    within(
        "inverter, average and switches", (delayed - i[switched]) / 50.0, 1.1 * ripple, "half the ripple Vdc T/(8 L)"
    )
    found, wanted = (amplitude(s, "current", 0.0, 0.02) for s in (switched, mean))
    within("inverter, fundamental of the current", relative(found, wanted), 5e-3, "average model; u is held")


def test_dead_time() -> None:
    """Both valves off for 2 us at every edge: the diodes take Vdc t/T against the current, 4/pi of that in the mean."""

    class Dead(Transistors):
        pwm = pc.PWM(clock=tg.Clock(rate="5 kHz"), dead_time=4e-6)

    s = tg.simulate(Dead(), 0.04, rtol=1e-7)
    assert (s["pwm.fire_p"] + s["pwm.fire_n"]).max() <= 1.0
    behind = np.arctan2(W * 10e-3, 5.0)  # the current lags
    expected = abs(240.0 - 4.0 / np.pi * 600.0 * 4e-6 / 2e-4 * np.exp(-1j * behind))
    found = amplitude(s, "voltage", 0.02, 0.04)
    within(
        "inverter with dead time, fundamental", relative(found, expected), 5e-3, "less 4 Vdc t/(pi T) in phase with i"
    )


def test_h_bridges() -> None:
    """Both legs in opposite phase: mean u Vdc; the bridge of transistors and its average."""

    class Bridge(tg.Component):
        dc = el.ConstantVoltage(V=100.0)
        pwm = pc.PWM(clock=tg.Clock(rate="10 kHz"), m=2)
        valves = pc.HBridge(Ron=1e-5, Goff=1e-7)
        mean = pc.AverageHBridge(R=1e-5, u=0.3)
        r1, r2 = el.Resistor(R=2.0), el.Resistor(R=2.0)
        l1, l2 = el.Inductor(L=5e-3), el.Inductor(L=5e-3)
        ground = el.Ground()

        def equations(self) -> Any:
            yield self.pwm.u == [0.3, -0.3]

        def connections(self) -> Any:
            for bridge, r, choke in ((self.valves, self.r1, self.l1), (self.mean, self.r2, self.l2)):
                yield self.dc.p, bridge.dc_p
                yield self.dc.n, bridge.dc_n, self.ground.p
                yield bridge.ac_p, r.p
                yield r.n, choke.p
                yield choke.n, bridge.ac_n
            yield self.pwm.fire_p, self.valves.fire_p
            yield self.pwm.fire_n, self.valves.fire_n

    s = tg.simulate(Bridge(), 0.04, rtol=1e-8)
    within("averaged H-bridge, current", relative(s["l2.i"][-1], 15.0), 1e-4, "u Vdc/R")
    late = s.time > 0.03
    ripple = 100.0 * 0.3 * 0.7 / 4.0 * 1e-4 / 5e-3  # pulses of both legs alternate: twice the frequency
    within(
        "H-bridge of transistors, current", (s["l1.i"][late] - 15.0) / 15.0, 1.5 * ripple / 15.0, "u Vdc/R and ripple"
    )


def test_boost_converter() -> None:
    """From 40 V at the low side to 100 V: Vout = Vin/d, both in the mean, and the switched one ripples around it."""

    class Boost(tg.Component):
        source = el.ConstantVoltage(V=40.0)
        l1, l2 = el.Inductor(L=2e-3), el.Inductor(L=2e-3)
        mean = pc.AverageChopper(R=1e-6, d=0.4)
        switched = pc.SwitchedChopper(R=1e-6)
        pwm = pc.PWM(clock=tg.Clock(rate="20 kHz"), m=1)
        c1, c2 = el.Capacitor(C=1e-4), el.Capacitor(C=1e-4)
        r1, r2 = el.Resistor(R=20.0), el.Resistor(R=20.0)
        ground = el.Ground()

        def equations(self) -> Any:
            yield self.pwm.u == [2.0 * 0.4 - 1.0]
            yield self.switched.fire == self.pwm.fire_p[0]

        def connections(self) -> Any:
            sides = ((self.l1, self.mean, self.c1, self.r1), (self.l2, self.switched, self.c2, self.r2))
            for choke, chopper, c, r in sides:
                yield self.source.p, choke.p
                yield choke.n, chopper.pin
                yield chopper.dc_p, c.p, r.p
                yield chopper.dc_n, c.n, r.n, self.source.n, self.ground.p

    s = tg.simulate(Boost(), 0.05, rtol=1e-8, points=2001)
    within("averaged boost converter", relative(s["c1.v"][-1], 100.0), 1e-4, "Vin/d")
    within("averaged boost converter, current", relative(s["l1.i"][-1], 12.5), 1e-3, "Iout/d")
    late = s.time > 0.045
    within("switched boost converter", relative(s["c2.v"][late], 100.0), 1e-2, "Vin/d, ripple Iout (1 - d) T/C = 1.5 V")
