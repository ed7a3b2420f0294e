"""Registers of n bits: D flip-flops, which take their inputs at edges of a clock, and latches, which follow them.

Set goes before reset, and both before clock and enable. What an unknown set, reset, clock or enable could change
becomes unknown, and what it could not stays: a bit that is 0 stays 0 under an unknown reset. An edge counts at its own
instant only, so that a reset that ends while the clock is 1 leaves the bits as they are (the Modelica library takes
the inputs then, and where one bit of a bank has nothing to do it leaves out the bits after it).
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.delays import InertialDelaySensitive
from tellegen.library.digital.logic import (
    VALUES,
    Statements,
    U,
    driven,
    is_high,
    is_low,
    logic_input,
    logic_output,
    logic_variable,
    strength_parameter,
)


class Register(tg.Component):
    """n bits with a reset: a base. `takes` and `keeps` say when; where neither holds a bit is in doubt."""

    n = tg.parameter(1, structural=True, description="number of bits", min=1)
    reset = logic_input("makes all bits 0")
    data_in = logic_input("bits to be kept", n)
    data_out = logic_output("kept bits", n)
    strength = strength_parameter()
    active = tg.parameter(
        "high", structural=True, description="high or low: at what set and reset act", choices=("high", "low")
    )
    tLH = tg.parameter(0.0, "s", "delay of what rises at the outputs", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls at the outputs", min=0.0)
    bits = logic_variable("kept bits, without delay", n)
    has_set = False

    def build(self) -> None:
        self.delay = [InertialDelaySensitive(tLH=self.tLH, tHL=self.tHL) for _ in range(self.n)]

    def takes(self) -> Any:
        """Whether the inputs are taken now."""
        raise NotImplementedError

    def keeps(self) -> Any:
        """Whether the bits stay now."""
        raise NotImplementedError

    def void(self) -> Any:
        """Whether what decides that has never been set."""
        raise NotImplementedError

    def acts(self, x: Any) -> Any:
        return is_high(x) if self.active == "high" else is_low(x)

    def rests(self, x: Any) -> Any:
        return is_low(x) if self.active == "high" else is_high(x)

    def level(self, position: int) -> float:
        """The number that stands for unknown (0), zero (1) or one (2) at the output."""
        return float(VALUES.index(self.strength[position]))

    def equations(self) -> Statements:
        for k in range(self.n):
            yield self.bits[k] == self.next(self.data_in[k], tg.pre(self.bits[k]))
            yield self.delay[k].x == self.bits[k]
            yield self.data_out[k] == self.delay[k].y

    def next(self, data: Any, bit: Any) -> Any:
        """The next value of a bit from the input and the bit, under reset, and under set if there is one."""
        in_doubt = self.unless(data, bit, 1)
        plain = tg.where(self.rests(self.reset), self.taken(data, bit), in_doubt)
        plain = tg.where(self.acts(self.reset), self.level(1), plain)
        never_set = self.reset == "U"
        if self.has_set:
            either = tg.where(self.lost(data, bit), U, self.level(0))
            may_set = tg.where(self.rests(self.reset), self.unless(data, bit, 2), either)
            may_set = tg.where(self.acts(self.reset), self.level(0), may_set)
            plain = tg.where(self.acts(self.set), self.level(2), tg.where(self.rests(self.set), plain, may_set))
            never_set = never_set | (self.set == "U")
        return tg.where(never_set, U, plain)

    def taken(self, data: Any, bit: Any) -> Any:
        """With neither set nor reset: the input, the bit, or where it is in doubt the bit if both are the same."""
        unknown, low, high = self.strength
        neither = ~is_low(data) & ~is_high(data) & (data != "U")
        same = (is_low(data) & (bit == low)) | (is_high(data) & (bit == high)) | (neither & (bit == unknown))
        doubt = tg.where(same | (bit == "U"), bit, tg.where(data == "U", U, self.level(0)))
        known = tg.where(self.takes(), driven(data, self.strength), tg.where(self.keeps(), bit, doubt))
        return tg.where(self.void(), U, known)

    def unless(self, data: Any, bit: Any, position: int) -> Any:
        """Under a set or reset that may act: the bit if that cannot change it, else unknown."""
        equal = is_low(data) if position == 1 else is_high(data)
        stays = (bit == self.strength[position]) & (equal | self.keeps())
        known = tg.where(stays, bit, tg.where(equal & self.takes(), self.level(position), self.level(0)))
        return tg.where(self.lost(data, bit), U, known)

    def lost(self, data: Any, bit: Any) -> Any:
        """Whether a value that was never set may stay, or come in."""
        return self.void() | ((bit == "U") & ~self.takes()) | ((data == "U") & ~self.keeps())


class FlipFlop(Register):
    """Bits that are taken when clock goes from 0 to 1: a base."""

    clock = logic_input("its rising edges take the inputs")

    def takes(self) -> Any:
        return is_low(tg.pre(self.clock)) & is_high(self.clock)

    def keeps(self) -> Any:
        """But where it goes from 0 to what is unknown, or from that to 1."""
        before = tg.pre(self.clock)
        rises = is_low(before) & ~is_low(self.clock)
        ends = ~is_low(before) & ~is_high(before) & is_high(self.clock)
        return ~(rises | ends)

    def void(self) -> Any:
        return self.keeps() & ~self.keeps()


class Latch(Register):
    """Bits that follow the inputs while enable is 1: a base."""

    enable = logic_input("1 while the outputs follow the inputs")

    def takes(self) -> Any:
        return is_high(self.enable)

    def keeps(self) -> Any:
        return is_low(self.enable)

    def void(self) -> Any:
        return self.enable == "U"


class DFFR(FlipFlop):
    """D flip-flops with reset; `active` says at what these act."""


class DFFSR(FlipFlop):
    """D flip-flops with set and reset; `active` says at what these act."""

    set = logic_input("makes all bits 1")
    has_set = True


class DLATR(Latch):
    """Latches with reset; `active` says at what these act."""


class DLATSR(Latch):
    """Latches with set and reset; `active` says at what these act."""

    set = logic_input("makes all bits 1")
    has_set = True


class DFFREG(DFFR):
    """D flip-flops with reset at 1."""


class DFFREGL(DFFREG):
    """D flip-flops with reset at 0."""

    active = tg.parameter("low", structural=True, description="high or low: at what set and reset act")


class DFFREGSRH(DFFSR):
    """D flip-flops with set and reset at 1."""


class DFFREGSRL(DFFREGSRH):
    """D flip-flops with set and reset at 0."""

    active = tg.parameter("low", structural=True, description="high or low: at what set and reset act")


class DLATREG(DLATR):
    """Latches with reset at 1."""


class DLATREGL(DLATREG):
    """Latches with reset at 0."""

    active = tg.parameter("low", structural=True, description="high or low: at what set and reset act")


class DLATREGSRH(DLATSR):
    """Latches with set and reset at 1."""


class DLATREGSRL(DLATREGSRH):
    """Latches with set and reset at 0."""

    active = tg.parameter("low", structural=True, description="high or low: at what set and reset act")
