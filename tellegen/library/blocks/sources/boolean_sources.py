"""Sources of Booleans, as signals of 0 and 1."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import BooleanSource, Statements
from tellegen.library.blocks.sources.periodic import Pulse
from tellegen.library.blocks.tables.time_tables import TimeTable


class BooleanConstant(BooleanSource):
    """Always k."""

    k = tg.parameter(True, structural=True, description="value")

    def equations(self) -> Statements:
        yield self.y == float(self.k)


class BooleanStep(BooleanSource):
    """start_value until start_time, the opposite after."""

    start_time = tg.parameter(0.0, "s", "instant of the step")
    start_value = tg.parameter(False, structural=True, description="value before it")

    def equations(self) -> Statements:
        before = float(self.start_value)
        yield self.y == tg.where(tg.time < self.start_time, before, 1.0 - before)


class BooleanPulse(BooleanSource):
    """True for the first part of every period, false for the rest and before start_time."""

    width = tg.parameter(0.5, "1", "part of the period", min=0.0, max=1.0)
    period = tg.parameter(1.0, "s", "time from pulse to pulse", min=1e-12)
    start_time = tg.parameter(0.0, "s", "begin of the first pulse")
    pulse = Pulse(width=width, period=period, start_time=start_time)

    def equations(self) -> Statements:
        yield self.y == self.pulse.y


class BooleanTable(BooleanSource):
    """Changes at every instant of a list: start_value before the first, its opposite after it, and so on."""

    table = tg.parameter((0.0, 1.0), structural=True, description="instants of the changes in seconds, rising")
    start_value = tg.parameter(False, structural=True, description="value before the first change")

    def build(self) -> None:
        times = [float(t) for t in self.table]
        values = [float(self.start_value) if k % 2 else 1.0 - float(self.start_value) for k in range(len(times))]
        first = times[0] - 1.0 if times else 0.0
        self.steps = TimeTable(times=(first, *times), values=(float(self.start_value), *values), smoothness="constant")

    def equations(self) -> Statements:
        yield self.y == self.steps.y
