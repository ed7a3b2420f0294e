"""Sources of voltage and current."""

from __future__ import annotations

import tellegen as tg
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
