"""What can be switched off: transfer gates, tristate buffers and inverters, nodes of several outputs, a multiplexer."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.delays import InertialDelaySensitive
from tellegen.library.digital.gates import Gate
from tellegen.library.digital.logic import (
    VALUES,
    H,
    L,
    Statements,
    U,
    W,
    X,
    Z,
    driven,
    is_high,
    is_low,
    logic_input,
    logic_output,
    logic_variable,
    resolved,
    strength_parameter,
)


class WithDelay(tg.Component):
    """A law before an InertialDelaySensitive: a base."""

    y = logic_output("output")
    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    found = logic_variable("output without delay")
    delay = InertialDelaySensitive(tLH=tLH, tHL=tHL)

    def law(self) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        yield self.found == self.law()
        yield self.delay.x == self.found

    def connections(self) -> Statements:
        yield self.delay.y, self.y


class TransferGate(WithDelay):
    """A switch between x and y: a base. An unknown enable makes the output unknown."""

    x = logic_input("input")
    enable = logic_input("opens the gate")
    low_active = False
    reduced = False

    def law(self) -> Any:
        is_open, is_shut = (is_low, is_high) if self.low_active else (is_high, is_low)
        unknown = W if self.reduced else X
        passed = self.weak() if self.reduced else tg.where(self.x == "-", X, self.x)
        doubt = tg.where((self.enable == "U") | (self.x == "U"), U, unknown)
        return tg.where(is_shut(self.enable), Z, tg.where(is_open(self.enable), passed, doubt))

    def weak(self) -> Any:
        """The input with the strength of weak values."""
        known = tg.where(is_low(self.x), L, tg.where(is_high(self.x), H, W))
        return tg.where(self.x == "U", U, tg.where(self.x == "Z", Z, known))


class NXFERGATE(TransferGate):
    """The input while enable is 1, Z while it is 0."""


class NRXFERGATE(TransferGate):
    """The input with weak values while enable is 1, Z while it is 0."""

    reduced = True


class PXFERGATE(TransferGate):
    """The input while enable is 0, Z while it is 1."""

    low_active = True


class PRXFERGATE(TransferGate):
    """The input with weak values while enable is 0, Z while it is 1."""

    low_active = True
    reduced = True


class Tristate(WithDelay):
    """The input with a strength while enabled, else Z: a base.

    An unknown enable makes the output unknown, but where it would be Z either way: of an input 1 with the strengths
    X0Z and WLZ.
    """

    x = logic_input("input")
    enable = logic_input("switches the output on")
    strength = strength_parameter()
    low_active = False
    inverting = False

    def law(self) -> Any:
        is_on, is_off = (is_low, is_high) if self.low_active else (is_high, is_low)
        unknown = float(VALUES.index(self.strength[0]))
        high = is_low(self.x) if self.inverting else is_high(self.x)
        anyway = high if self.strength in ("X0Z", "WLZ") else high & ~high
        never_set = anyway if self.strength == "X0Z" else high & ~high
        doubt = tg.where(self.x == "U", U, tg.where(anyway, Z, unknown))
        not_on = tg.where(is_off(self.enable), Z, tg.where(self.enable == "U", tg.where(never_set, Z, U), doubt))
        return tg.where(is_on(self.enable), driven(self.x, self.strength, self.inverting), not_on)


class BUF3S(Tristate):
    """The input while enable is 1, Z while it is 0."""


class BUF3SL(Tristate):
    """The input while enable is 0, Z while it is 1."""

    low_active = True


class INV3S(Tristate):
    """The opposite of the input while enable is 1, Z while it is 0."""

    inverting = True


class INV3SL(Tristate):
    """The opposite of the input while enable is 0, Z while it is 1."""

    low_active = True
    inverting = True


class WiredX(Gate):
    """A node that n outputs drive: forcing values win over weak ones, Z over nothing; 0 against 1 gives X."""

    def law(self, xs: list[Any]) -> Any:
        return resolved(xs)


class MUX2x1(tg.Component):
    """in0 while sel is 0, in1 while it is 1; where sel is unknown what both have, and else U or X."""

    in0 = logic_input("taken while sel is 0")
    in1 = logic_input("taken while sel is 1")
    sel = logic_input("which input is taken")
    out = logic_output("output")
    strength = strength_parameter()
    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    found = logic_variable("output without delay")
    delay = InertialDelaySensitive(tLH=tLH, tHL=tHL)

    def equations(self) -> Statements:
        one, other = self.in0, self.in1
        unknown = float(VALUES.index(self.strength[0]))
        both_unknown = ~is_low(one) & ~is_high(one) & (one != "U") & ~is_low(other) & ~is_high(other) & (other != "U")
        alike = (is_low(one) & is_low(other)) | (is_high(one) & is_high(other)) | both_unknown
        doubt = tg.where((self.sel == "U") | (one == "U") | (other == "U"), U, unknown)
        neither = tg.where(alike, driven(one, self.strength), doubt)
        chosen = tg.where(is_high(self.sel), driven(other, self.strength), neither)
        yield self.found == tg.where(is_low(self.sel), driven(one, self.strength), chosen)
        yield self.delay.x == self.found

    def connections(self) -> Statements:
        yield self.delay.y, self.out
