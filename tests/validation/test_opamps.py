"""Operational amplifiers: the ideal ones against gains of circuits, the macromodel against its poles, slew and limits.

Circuits without dynamics are exact up to rounding. The step response of the follower is compared with the exponential
of its exact pole, (1 + 1/A0) 2 pi GBW, with a step so small that tanh(x) = x to 1e-9; the gain of the sine with the
same pole. Runs at rtol 1e-9.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import thermal as th
from validation.measured import relative, within

CLOSE: Any = {"rtol": 1e-9, "atol": 1e-12}


class Inverting(tg.Component):
    """Gain -R2/R1 around any amplifier with in_p, in_n and out."""

    source = el.SineVoltage(V=1.0, f=1.0)
    r1 = el.Resistor(R=1e3)
    r2 = el.Resistor(R=5e3)
    load = el.Resistor(R=2e3)
    amplifier = el.IdealOpAmp3Pin()
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r1.p
        yield self.r1.n, self.r2.p, self.amplifier.in_n
        yield self.r2.n, self.amplifier.out, self.load.p
        yield self.source.n, self.load.n, self.amplifier.in_p, self.ground.p


class Supplied(Inverting):
    """The amplifier between +3 V and -4 V, its heat into a body of constant temperature."""

    amplifier = el.IdealOpAmpLimited(use_heat_port=True)
    high = el.ConstantVoltage(V=3.0)
    low = el.ConstantVoltage(V=4.0)
    room = th.FixedTemperature()
    energy = tg.variable("J", start=0.0, fixed=True)

    def connections(self) -> Any:
        yield self.high.p, self.amplifier.VMax
        yield self.low.n, self.amplifier.VMin
        yield self.high.n, self.low.p, self.ground.p
        yield self.amplifier.heat_port, self.room.port

    def equations(self) -> Any:
        gone = self.load.v * self.load.i + self.r1.v * self.r1.i + self.r2.v * self.r2.i + self.room.port.Q_flow
        given = self.source.v * self.source.i + self.high.v * self.high.i + self.low.v * self.low.i
        yield tg.der(self.energy) == gone + given


def test_inverting_amplifiers() -> None:
    s = tg.simulate(Inverting(), 1.0, **CLOSE)
    within("ideal amplifier, gain -5", s["load.v"] + 5.0 * s["source.v"], 1e-12, "-R2/R1, V")
    finite = tg.simulate(Inverting(amplifier=el.IdealizedOpAmpLimited(V0=1e3)), 1.0, **CLOSE)
    gain = -5.0 / (1.0 + 6.0 / 1e3)
    within("gain 1000, inverting", finite["load.v"] - gain * finite["source.v"], 1e-11, "-R2/R1/(1 + (1 + R2/R1)/A), V")


def test_a_limited_amplifier_and_its_heat() -> None:
    """-5 sin between -4 and 3; energy of all parts adds up, and the supplies give what the output does."""
    s = tg.simulate(Supplied(), 1.0, **CLOSE)
    wanted = np.clip(-5.0 * s["source.v"], -4.0, 3.0)
    within("limited amplifier, output", s["load.v"] - wanted, 1e-12, "-R2/R1, cut off at the supplies, V")
    within("limited amplifier, energy", s["energy"], 1e-12, "power balance of the circuit, J")
    heat = s["room.port.Q_flow"]
    assert heat.min() >= -1e-15
    assert heat.max() > 1e-3
    taken = s["amplifier.VMax.i"] + s["amplifier.VMin.i"] + s["amplifier.out.i"]
    within("limited amplifier, currents", taken, 1e-15, "Kirchhoff, A")


class Comparator(tg.Component):
    """A sine against 0.5 V, without feedback."""

    source = el.SineVoltage(V=1.0, f=1.0)
    reference = el.ConstantVoltage(V=0.5)
    amplifier = el.IdealizedOpAmpLimited(Vps=5.0, Vns=0.0)
    load = el.Resistor(R=1e3)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.amplifier.in_p
        yield self.reference.p, self.amplifier.in_n
        yield self.amplifier.out, self.load.p
        yield self.source.n, self.reference.n, self.load.n, self.ground.p


def test_a_comparator() -> None:
    """Linear for a third of a millivolt, from 0 V at 0.5 V on to 5 V at 0.5 V + 5 V/15000."""
    s = tg.simulate(Comparator(), 1.0, rtol=1e-9)
    wanted = np.clip(15000.0 * (s["source.v"] - 0.5), 0.0, 5.0)
    within("comparator", s["load.v"] - wanted, 1e-5, "gain and limits, V")  # 1e-9 V at the input
    corner = np.arcsin(0.5 + 5.0 / 15000.0) / (2 * np.pi)
    within("comparator, end of the edge", min(abs(e.time - corner) for e in s.events), 1e-9, "arcus sine, s")


class Follower(tg.Component):
    """The output goes back to the inverting input."""

    source = el.StepVoltage(V=1e-5, start_time=1e-6)
    amplifier = el.OpAmp(Rin=1e15, Rout=75.0)
    load = el.Resistor(R=1e15)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.amplifier.in_p
        yield self.amplifier.in_n, self.amplifier.out, self.load.p
        yield self.source.n, self.load.n, self.ground.p


def test_a_small_step_of_the_follower_has_the_bandwidth_of_the_amplifier() -> None:
    s = tg.simulate(Follower(), 2e-6, rtol=1e-10, atol=1e-18)
    rate = 2 * np.pi * 1e6 * (1 + 1 / 2e5)
    t = np.maximum(s.time - 1e-6, 0.0)
    wanted = 1e-5 / (1 + 1 / 2e5) * (1 - np.exp(-rate * t))
    # tanh(x)/x is 1 - x^2/3 with x = 2 pi 1e6 * 1e-5/5e5 = 1.3e-4: below 6e-9
    within("follower, 10 uV step", (s["load.v"] - wanted) / 1e-5, 1e-7, "exponential of the closed loop, relative")


@pytest.mark.parametrize(("load", "gain"), [(1e15, 1.0), (75.0, 0.5)])
def test_output_resistance_is_divided_by_the_loop_gain(load: float, gain: float) -> None:
    """A0 = 2e5 falls to half of it with 75 ohm on 75 ohm; the follower errs by one part of that."""
    model = Follower()
    model.load.R = load
    s = tg.simulate(model, 1e-3, rtol=1e-10, atol=1e-18)
    A = 2e5 * gain
    within(f"follower at rest, load {load:g} ohm", relative(s["load.v"][-1], 1e-5 * A / (1 + A)), 1e-8, "A/(1 + A)")


def test_a_large_step_is_as_fast_as_the_slew_rate_and_stops_at_the_supply() -> None:
    model = Follower(source=el.StepVoltage(V=20.0, start_time=1e-6))
    s = tg.simulate(model, 60e-6, rtol=1e-9)
    within("slew", relative(s.at(11e-6)["load.v"], 5.0), 1e-9, "0.5 V/us for 10 us, relative")
    within("limit", s["load.v"][-1] - 14.01, 1e-6, "supply less the drop, and 10 mV of the clamp, V")


def test_recovery_from_the_limit_is_immediate() -> None:
    """+20 V for 50 us, then -1 V: the output falls with the slew rate at once; the clamp helps for 10 mV ln 2."""
    source = el.PulseVoltage(V=21.0, offset=-1.0, period=100e-6, width=0.5)
    s = tg.simulate(Follower(source=source), 70e-6, rtol=1e-9)
    within(
        "recovery",
        s.at(60e-6)["load.v"] - (14.0 + 0.01 * np.log(2.0) - 5.0),
        1e-6,
        "closed-form solution of the slew, V",
    )
