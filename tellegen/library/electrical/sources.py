"""Sources of voltage and current."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import blocks
from tellegen.library.electrical.interfaces import OnePort, Statements


class ConstantVoltage(OnePort):
    """v = V."""

    V = tg.parameter(1.0, "V", "voltage")

    def equations(self) -> Statements:
        yield self.v == self.V


class StepVoltage(OnePort):
    """v = offset until start_time, offset + V after."""

    V = tg.parameter(1.0, "V", "height of the step")
    offset = tg.parameter(0.0, "V", "voltage before the step")
    start_time = tg.parameter(0.0, "s", "instant of the step")

    def equations(self) -> Statements:
        yield self.v == self.offset + tg.where(tg.time < self.start_time, 0.0, self.V)


class SineVoltage(OnePort):
    """v = offset + V sin(2 pi f (t - start_time) + phase), offset before start_time."""

    V = tg.parameter(1.0, "V", "amplitude")
    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phase")
    offset = tg.parameter(0.0, "V", "offset")
    start_time = tg.parameter(0.0, "s", "start")

    def equations(self) -> Statements:
        angle = 6.283185307179586 * self.f * (tg.time - self.start_time) + self.phase
        yield self.v == self.offset + tg.where(tg.time < self.start_time, 0.0, self.V * tg.sin(angle))


class SignalVoltage(OnePort):
    """The voltage is an input signal."""

    u = tg.input("V", "voltage between p and n")

    def equations(self) -> Statements:
        yield self.v == self.u


class ConstantCurrent(OnePort):
    """i = I, from p to n."""

    I = tg.parameter(1.0, "A", "current")  # noqa: E741 - the name every electrical engineer expects

    def equations(self) -> Statements:
        yield self.i == self.I


class PulseVoltage(OnePort):
    """Rectangular pulses: v = offset + V for the part `width` of every period from start_time on, else offset."""

    V = tg.parameter(1.0, "V", "height of the pulses")
    width = tg.parameter(0.5, "1", "duty: part of the period that is high", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    offset = tg.parameter(0.0, "V", "voltage between the pulses")
    start_time = tg.parameter(0.0, "s", "begin of the first pulse")
    pulse = blocks.Pulse(amplitude=V, width=width, period=period, offset=offset, start_time=start_time)

    def equations(self) -> Statements:
        yield self.v == self.pulse.y


class TrapezoidVoltage(OnePort):
    """Pulses with ramps: in every period v rises for `rising`, stays for `width`, falls for `falling`."""

    V = tg.parameter(1.0, "V", "height of the pulses")
    rising = tg.parameter(0.0, "s", "time of the rising ramp", min=0.0)
    width = tg.parameter(0.5, "s", "time at the top", min=0.0)
    falling = tg.parameter(0.0, "s", "time of the falling ramp", min=0.0)
    period = tg.parameter(1.0, "s", "period", min=0.0)
    offset = tg.parameter(0.0, "V", "voltage between the pulses")
    start_time = tg.parameter(0.0, "s", "begin of the first pulse")
    pulse = blocks.Trapezoid(
        amplitude=V,
        rising=rising,
        width=width,
        falling=falling,
        period=period,
        offset=offset,
        start_time=start_time,
    )

    def equations(self) -> Statements:
        yield self.v == self.pulse.y
