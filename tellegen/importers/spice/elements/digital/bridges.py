"""Between voltages and logical values: adc_bridge and dac_bridge, one part for each of their bits."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.importers.spice.elements.digital.outputs import Statements, output
from tellegen.library.digital.logic import ONE, ZERO, X, logic_input, logic_output
from tellegen.library.electrical import Pin


class AnalogToDigital(tg.Component):
    """0 up to in_low, 1 from in_high on, unknown between them."""

    pc = Pin("input")
    nc = Pin("reference of the input")
    y = logic_output("output")
    in_low = tg.parameter(1.0, "V", "highest voltage of 0")
    in_high = tg.parameter(2.0, "V", "lowest voltage of 1")
    rise_delay = tg.parameter(1e-9, "s", "delay of what rises", min=0.0)
    fall_delay = tg.parameter(1e-9, "s", "delay of what falls", min=0.0)
    static = tg.parameter(False, structural=True, description="without delays")

    def build(self) -> None:
        self.out = output(self.static, self.rise_delay, self.fall_delay)

    def equations(self) -> Statements:
        yield self.pc.i == 0
        yield self.nc.i == 0
        v = self.pc.v - self.nc.v
        yield self.out.x == tg.where(v <= self.in_low, ZERO, tg.where(v >= self.in_high, ONE, X))
        yield self.out.wait == 0.0
        yield self.y == self.out.y


class DigitalToAnalog(tg.Component):
    """A voltage that runs straight to the level of its input: over the whole range in t_rise or t_fall."""

    p = Pin("output")
    n = Pin("reference of the output")
    x = logic_input("input")
    out_low = tg.parameter(0.0, "V", "level of 0")
    out_high = tg.parameter(1.0, "V", "level of 1")
    out_undef = tg.parameter(0.5, "V", "level of what is unknown")
    t_rise = tg.parameter(1e-9, "s", "time from one level to the other, rising", min=1e-300)
    t_fall = tg.parameter(1e-9, "s", "time from one level to the other, falling", min=1e-300)
    static = tg.parameter(False, structural=True, description="at the level at once")
    first = tg.variable("V", "where the last run began", discrete=True, start=0.0)
    goal = tg.variable("V", "and where it ends", discrete=True, start=0.0)
    since = tg.variable("s", "when it began", discrete=True, start=0.0)
    turn = tg.boolean("turns around at every change of the input")

    def equations(self) -> Statements:
        yield self.p.i + self.n.i == 0
        level = tg.where(self.x == "0", self.out_low, tg.where(self.x == "1", self.out_high, self.out_undef))
        changed = tg.change(self.x)
        yield self.turn == ((changed & ~tg.pre(self.turn)) | (~changed & tg.pre(self.turn)))
        there = tg.where(tg.initial(), level, self._at(tg.pre(self.first), tg.pre(self.goal), tg.pre(self.since)))
        actions = (self.goal == level, self.first == there, self.since == tg.time)
        yield tg.when(self.turn, *actions).elsewhen(~self.turn, *actions)
        v = self.p.v - self.n.v
        yield v == (level if self.static else self._at(self.first, self.goal, self.since))

    def _at(self, first: Any, goal: Any, since: Any) -> Any:
        """The voltage of a run."""
        range_ = self.out_high - self.out_low
        rising = first + range_ / self.t_rise * (tg.time - since)
        falling = first - range_ / self.t_fall * (tg.time - since)
        return tg.where(
            goal >= first,
            tg.where(rising >= goal, goal, rising),
            tg.where(falling <= goal, goal, falling),
        )
