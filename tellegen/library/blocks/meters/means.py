"""Meters: figures of a signal while it runs. Means over a period, extremes, and the answer to a step."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import SISO, Statements


class PeriodMeter(SISO):
    """An integral over every period 1/f, output at the end of the period: a base. Before the first end y is y0."""

    f = tg.parameter(50.0, "Hz", "base frequency: a period is 1/f", min=1e-300)
    y0 = tg.parameter(0.0, description="output before the first period has passed")
    x = tg.variable(description="integral since the last end of a period", start=0.0, fixed=True)
    y = tg.output(description="figure of the last period", start=y0)
    held = tg.variable(description="the same, kept", discrete=True, start=0.0)
    begin = tg.variable("s", "begin of the present period", discrete=True, start=0.0)

    def measured(self) -> Any:
        """What is integrated."""
        return self.u

    def figure(self, mean: tg.Expression) -> Any:
        """The figure, from the mean over a period."""
        return mean

    def equations(self) -> Statements:
        """Periods are counted from time 0; one that had begun when the run started is not output."""
        yield tg.der(self.x) == self.measured()
        whole = (tg.time - tg.pre(self.begin)) * self.f > 1.0 - 1e-6
        figure = tg.where(whole, self.figure(self.f * tg.pre(self.x)), tg.pre(self.held))
        yield tg.when(
            tg.sample(0.0, 1 / self.f) & ~tg.initial(),
            self.held == figure,
            self.begin == tg.time,
            tg.reinit(self.x, 0.0),
        ).elsewhen(tg.initial(), self.held == self.y0, self.begin == tg.time)
        yield self.y == self.held


class Mean(PeriodMeter):
    """The mean over every period 1/f, output at the end of the period."""


class RectifiedMean(PeriodMeter):
    """The mean of |u| over every period 1/f, output at the end of the period."""

    def measured(self) -> Any:
        return abs(self.u)


class RootMeanSquare(PeriodMeter):
    """The root of the mean of u^2 over every period 1/f, output at the end of the period."""

    def measured(self) -> Any:
        return self.u**2

    def figure(self, mean: tg.Expression) -> Any:
        return tg.sqrt(tg.maximum(mean, 0.0))


class Integral(SISO):
    """The integral of u since start_time: an energy, if u is a power; a charge, if it is a current."""

    start_time = tg.parameter(0.0, "s", "begin of the measurement")
    y = tg.output(description="integral", start=0.0)

    def equations(self) -> Statements:
        yield tg.der(self.y) == tg.where(tg.time < self.start_time, 0.0, self.u)


class EnergyMeter(tg.Component):
    """Power and energy of two signals: P = u1 u2 (voltage and current, torque and speed), E its integral."""

    u1 = tg.input(description="first factor")
    u2 = tg.input(description="second factor")
    P = tg.output("W", "power")
    E = tg.output("J", "energy since the start", start=0.0)

    def equations(self) -> Statements:
        yield self.P == self.u1 * self.u2
        yield tg.der(self.E) == self.P


class ContinuousMean(SISO):
    """The mean since start_time; u itself before."""

    start_time = tg.parameter(0.0, "s", "begin of the measurement")
    x = tg.variable(description="integral of u", start=0.0, fixed=True)
    begin = tg.variable("s", "start_time, or the start of the run if that is later", discrete=True, start=0.0)

    def measured(self) -> Any:
        """What is averaged."""
        return self.u

    def figure(self, mean: tg.Expression) -> Any:
        """The figure, from the mean."""
        return mean

    def equations(self) -> Statements:
        """In the first instant an integral over no time is nothing, so the mean begins at u."""
        yield tg.when(tg.initial(), self.begin == tg.maximum(tg.time, self.start_time))
        since = tg.time - self.begin
        yield tg.der(self.x) == tg.where(since < 0.0, 0.0, self.measured())
        mean = tg.where(since > 1e-9, self.x / tg.maximum(since, 1e-9), self.measured())
        yield self.y == self.figure(mean)


class ContinuousRMS(ContinuousMean):
    """The root of the mean of u^2 since start_time; |u| before."""

    def measured(self) -> Any:
        return self.u**2

    def figure(self, mean: tg.Expression) -> Any:
        return tg.sqrt(tg.maximum(mean, 0.0))
