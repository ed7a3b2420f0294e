"""Flip-flops and latches. A change of set goes before one of reset, and that before clock or enable, and data."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.importers.spice.elements.digital.gates import inverted
from tellegen.importers.spice.elements.digital.outputs import Statements, output
from tellegen.library.digital.logic import ONE, ZERO, X, logic_input, logic_output, logic_variable

_STATES = (ZERO, ONE, X)


class Register(tg.Component):
    """A bit with set and reset: a base. The inputs x are data first, then the clock or enable."""

    DATA = 1  # how many inputs the data are
    x = logic_input("data, then clock or enable", lambda self: self.DATA + 1)
    set = logic_input("makes the bit 1")
    reset = logic_input("makes the bit 0")
    y = logic_output("the bit")
    ny = logic_output("its opposite")
    ic = tg.parameter(0, structural=True, description="the bit at the start: 0, 1, or 2 for unknown")
    set_delay = tg.parameter(1e-9, "s", "delay after set", min=0.0)
    reset_delay = tg.parameter(1e-9, "s", "delay after reset", min=0.0)
    rise_delay = tg.parameter(1e-9, "s", "further delay of what rises", min=0.0)
    fall_delay = tg.parameter(1e-9, "s", "further delay of what falls", min=0.0)
    static = tg.parameter(False, structural=True, description="without delays")
    bit = logic_variable("the bit, without delay", start=ZERO)
    wait = tg.variable("s", "delay of the last change, but for that of rising and falling", discrete=True, start=0.0)

    def build(self) -> None:
        self.out = output(self.static, self.rise_delay, self.fall_delay)
        self.opposite = output(self.static, self.rise_delay, self.fall_delay)

    def inputs(self) -> list[Any]:
        return [self.x[k] for k in range(self.DATA + 1)]

    def changed(self, k: int) -> Any:
        """Whether an input changes now."""
        return tg.change(self.x[k])

    def begin(self) -> Any:
        """The bit at the start, without set and reset."""
        return _STATES[int(self.ic)]

    def taken(self, before: Any) -> tuple[Any, Any]:
        """The bit and the delay that clock, enable and data give, without set and reset."""
        raise NotImplementedError

    def released(self, before: Any) -> Any:
        """The bit after the end of set or reset."""
        return before

    def equations(self) -> Statements:
        before = tg.pre(self.bit)
        begin = tg.where((self.set == "1") & (self.reset == "1"), X, self.begin())
        begin = tg.where((self.set == "1") & (self.reset == "0"), ONE, begin)
        begin = tg.where((self.set == "0") & (self.reset == "1"), ZERO, begin)
        taken, wait = self.taken(before)
        released = self.released(before)
        by_set = tg.where(
            self.set == "1",
            tg.where(self.reset == "1", X, ONE),
            tg.where(self.reset == "1", ZERO, released),
        )
        by_reset = tg.where(
            self.reset == "1",
            tg.where(self.set == "1", X, ZERO),
            tg.where(self.set == "1", ONE, released),
        )
        held = (self.set == "1") | (self.reset == "1")
        plain = tg.where(held, before, taken)
        set_changes = tg.change(self.set)
        reset_changes = tg.change(self.reset)
        now = tg.where(set_changes, by_set, tg.where(reset_changes, by_reset, plain))
        yield self.bit == (begin if self.static else tg.where(tg.initial(), begin, now))
        cause = tg.where(set_changes, self.set_delay, tg.where(reset_changes, self.reset_delay, wait))
        yield self.wait == cause
        yield self.out.x == self.bit
        yield self.opposite.x == inverted(self.bit)
        yield self.out.wait == self.wait
        yield self.opposite.wait == self.wait
        yield self.y == self.out.y
        yield self.ny == self.opposite.y


class FlipFlop(Register):
    """A bit that changes when the clock becomes 1: a base."""

    clk_delay = tg.parameter(1e-9, "s", "delay after the clock", min=0.0)

    def taken(self, before: Any) -> tuple[Any, Any]:
        *data, clock = self.inputs()
        edge = self.changed(self.DATA) & (clock == "1")
        return tg.where(edge, self.next(data, before), before), self.clk_delay

    def next(self, data: list[Any], before: Any) -> Any:
        """The bit after an edge."""
        raise NotImplementedError


class DFlipFlop(FlipFlop):
    """The bit becomes data."""

    def next(self, data: list[Any], before: Any) -> Any:  # noqa: ARG002
        return data[0]


class TFlipFlop(FlipFlop):
    """The bit changes where the input is 1."""

    def next(self, data: list[Any], before: Any) -> Any:
        return tg.where(data[0] == "1", inverted(before), tg.where(data[0] == "0", before, X))


class JKFlipFlop(FlipFlop):
    """J sets the bit, K resets it, both change it."""

    DATA = 2

    def next(self, data: list[Any], before: Any) -> Any:
        j, k = data
        if_set = tg.where(k == "1", inverted(before), tg.where(k == "0", ONE, X))
        if_not = tg.where(k == "1", ZERO, tg.where(k == "0", before, X))
        return tg.where(j == "1", if_set, tg.where(j == "0", if_not, X))


class SRFlipFlop(FlipFlop):
    """S sets the bit, R resets it; both make it unknown."""

    DATA = 2

    def next(self, data: list[Any], before: Any) -> Any:
        return set_or_reset(data, before)


def set_or_reset(data: list[Any], before: Any) -> Any:
    """The bit under S and R."""
    s, r = data
    if_not = tg.where(r == "1", ZERO, tg.where(r == "0", before, X))
    return tg.where(s == "1", tg.where(r == "0", ONE, X), tg.where(s == "0", if_not, X))


class Latch(Register):
    """A bit that follows data while enable is 1: a base."""

    data_delay = tg.parameter(1e-9, "s", "delay after data", min=0.0)
    enable_delay = tg.parameter(1e-9, "s", "delay after enable", min=0.0)

    def next(self, data: list[Any], before: Any) -> Any:
        """The bit while enabled."""
        raise NotImplementedError

    def begin(self) -> Any:
        *data, enable = self.inputs()
        return tg.where(enable == "1", self.next(data, _STATES[int(self.ic)]), _STATES[int(self.ic)])

    def released(self, before: Any) -> Any:
        *data, enable = self.inputs()
        return tg.where(enable == "1", self.next(data, before), before)

    def taken(self, before: Any) -> tuple[Any, Any]:
        wait = tg.where(self.changed(self.DATA), self.enable_delay, self.data_delay)
        return self.released(before), wait


class DLatch(Latch):
    """The bit is data while enable is 1."""

    def next(self, data: list[Any], before: Any) -> Any:  # noqa: ARG002
        return data[0]


class SRLatch(Latch):
    """S sets the bit and R resets it while enable is 1."""

    DATA = 2

    def next(self, data: list[Any], before: Any) -> Any:
        return set_or_reset(data, before)
