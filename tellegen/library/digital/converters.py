"""Between logical signals, Booleans and numbers. Voltages come by sensors and sources of electrical beside them."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.logic import (
    ONE,
    VALUES,
    ZERO,
    Statements,
    X,
    Z,
    code,
    driven,
    is_high,
    is_low,
    logic_input,
    logic_output,
)


class Converter(tg.Component):
    """n values in, n values out: a base. `law` gives each output."""

    n = tg.parameter(1, structural=True, description="number of signals", min=1)
    x = logic_input("inputs", n)
    y = logic_output("outputs", n)

    def law(self, x: Any) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        for k in range(self.n):
            yield self.y[k] == self.law(self.x[k])


class LogicToX01(Converter):
    """L as 0, H as 1, and all that is neither 0 nor 1 as X."""

    def law(self, x: Any) -> Any:
        return tg.where(is_low(x), ZERO, tg.where(is_high(x), ONE, X))


class LogicToX01Z(Converter):
    """L as 0, H as 1; Z and - as Z; the others as X."""

    def law(self, x: Any) -> Any:
        return tg.where(is_low(x), ZERO, tg.where(is_high(x), ONE, tg.where((x == "Z") | (x == "-"), Z, X)))


class LogicToUX01(Converter):
    """L as 0, H as 1; U stays; the others as X."""

    def law(self, x: Any) -> Any:
        return driven(x, "X01")


class BooleanToLogic(tg.Component):
    """1 where the input is true, else 0."""

    n = tg.parameter(1, structural=True, description="number of signals", min=1)
    x = tg.input("1", "inputs, true above 1/2", shape=n)
    y = logic_output("outputs", n)

    def equations(self) -> Statements:
        for k in range(self.n):
            yield self.y[k] == tg.where(self.x[k] > 0.5, ONE, ZERO)


class LogicToBoolean(tg.Component):
    """True for 1 and H."""

    n = tg.parameter(2, structural=True, description="number of signals", min=1)
    x = logic_input("inputs", n)
    y = tg.output("1", "outputs, 0 or 1", shape=n)

    def equations(self) -> Statements:
        for k in range(self.n):
            yield self.y[k] == tg.where(is_high(self.x[k]), 1.0, 0.0)


class RealToLogic(tg.Component):
    """upper_value above upper_limit, lower_value below lower_limit, middle_value between them."""

    n = tg.parameter(1, structural=True, description="number of signals", min=1)
    x = tg.input(description="inputs", shape=n)
    y = logic_output("outputs", n)
    upper_limit = tg.parameter(1.0, description="upper limit")
    lower_limit = tg.parameter(0.0, description="lower limit")
    upper_value = tg.parameter("1", structural=True, description="value above the upper limit")
    lower_value = tg.parameter("0", structural=True, description="value below the lower limit")
    middle_value = tg.parameter("X", structural=True, description="value between the limits")

    def equations(self) -> Statements:
        upper, lower, middle = (code(self, f"{name}_value") for name in ("upper", "lower", "middle"))
        for k in range(self.n):
            below = tg.where(self.x[k] < self.lower_limit, lower, middle)
            yield self.y[k] == tg.where(self.x[k] > self.upper_limit, upper, below)


class LogicToReal(tg.Component):
    """A number for each of the nine values."""

    n = tg.parameter(1, structural=True, description="number of signals", min=1)
    x = logic_input("inputs", n)
    y = tg.output(description="outputs", shape=n)
    value_U = tg.parameter(0.5, description="number for U")
    value_X = tg.parameter(0.5, description="number for X")
    value_0 = tg.parameter(0.0, description="number for 0")
    value_1 = tg.parameter(1.0, description="number for 1")
    value_Z = tg.parameter(0.5, description="number for Z")
    value_W = tg.parameter(0.5, description="number for W")
    value_L = tg.parameter(0.0, description="number for L")
    value_H = tg.parameter(1.0, description="number for H")
    value_m = tg.parameter(0.5, description="number for -")

    def equations(self) -> Statements:
        for k in range(self.n):
            y = self.value_m
            for letter in VALUES[:-1]:
                y = tg.where(self.x[k] == letter, getattr(self, f"value_{letter}"), y)
            yield self.y[k] == y
