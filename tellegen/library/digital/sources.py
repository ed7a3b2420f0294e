"""Logical signals that depend on time only."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.sources import periodic
from tellegen.library.digital.logic import ONE, ZERO, Statements, code, logic_output, number


class Set(tg.Component):
    """A constant value."""

    y = logic_output("output")
    x = tg.parameter("1", structural=True, description="value: U X 0 1 Z W L H or -")

    def equations(self) -> Statements:
        yield self.y == code(self, "x")


class Step(tg.Component):
    """One value before step_time, another one from then on."""

    y = logic_output("output")
    before = tg.parameter("0", structural=True, description="value before step_time")
    after = tg.parameter("1", structural=True, description="value from step_time on")
    step_time = tg.parameter(1.0, "s", "instant of the step")

    def equations(self) -> Statements:
        yield self.y == tg.where(tg.time >= self.step_time, code(self, "after"), code(self, "before"))


class Table(tg.Component):
    """From t[k] on the k-th letter of x, y0 before all: `Table(x="1010", t=[1.0, 2.0, 3.0, 4.0], y0="0")`."""

    y = logic_output("output")
    x = tg.parameter("1", structural=True, description="values, a letter each")
    t = tg.parameter(1.0, "s", "instants at which they begin, in rising order", shape=lambda self: len(self.x))
    y0 = tg.parameter("U", structural=True, description="value before all")

    def equations(self) -> Statements:
        y = code(self, "y0")
        for k, letter in enumerate(self.x):
            y = tg.where(tg.time >= self.t[k], number(self, letter), y)
        yield self.y == y
        for k in range(1, len(self.x)):
            yield tg.assert_(self.t[k - 1] <= self.t[k], "the instants of a table must not fall")  # noqa: PT009


class Pulse(tg.Component):
    """`pulse` for the first part of every period, `quiet` for the rest and before start_time."""

    y = logic_output("output")
    pulse = tg.parameter("0", structural=True, description="value during pulses")
    quiet = tg.parameter("1", structural=True, description="value beside them")
    width = tg.parameter(0.5, "1", "width of a pulse as part of the period", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "time from pulse to pulse", min=1e-300)
    start_time = tg.parameter(0.0, "s", "begin of the first pulse")
    nperiod = tg.parameter(-1.0, "1", "number of pulses; without end below 0")

    def build(self) -> None:
        self.shape = periodic.Pulse(
            width=self.width, period=self.period, start_time=self.start_time, nperiod=self.nperiod
        )

    def equations(self) -> Statements:
        yield self.y == tg.where(self.shape.y > 0.5, code(self, "pulse"), code(self, "quiet"))


class DigitalClock(tg.Component):
    """1 for the first part of every period, 0 for the rest and before start_time."""

    y = logic_output("output")
    width = tg.parameter(0.5, "1", "width of a pulse as part of the period", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "time from pulse to pulse", min=1e-300)
    start_time = tg.parameter(0.0, "s", "begin of the first pulse")

    def build(self) -> None:
        self.shape = periodic.Pulse(width=self.width, period=self.period, start_time=self.start_time)

    def equations(self) -> Statements:
        yield self.y == tg.where(self.shape.y > 0.5, ONE, ZERO)
