"""Gates and buffers: an output follows its inputs after a delay."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.importers.spice.elements.digital.outputs import Statements, output
from tellegen.library.digital.logic import (
    ONE,
    ZERO,
    X,
    conjunction,
    disjunction,
    exclusive,
    logic_input,
    logic_output,
)


def inverted(x: Any) -> Any:
    """1 for 0, 0 for 1."""
    return tg.where(x == "0", ONE, tg.where(x == "1", ZERO, X))


class Gate(tg.Component):
    """A gate of n inputs by its law: a base."""

    n = tg.parameter(1, structural=True, description="number of inputs", min=1)
    x = logic_input("inputs", n)
    y = logic_output("output")
    rise_delay = tg.parameter(1e-9, "s", "delay of what rises", min=0.0)
    fall_delay = tg.parameter(1e-9, "s", "delay of what falls", min=0.0)
    static = tg.parameter(False, structural=True, description="without delays")

    def build(self) -> None:
        self.out = output(self.static, self.rise_delay, self.fall_delay)

    def law(self, xs: list[Any]) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        yield self.out.x == self.law([self.x[k] for k in range(self.n)])
        yield self.out.wait == 0.0
        yield self.y == self.out.y


class And(Gate):
    """1 where all inputs are 1, 0 where one is 0."""

    def law(self, xs: list[Any]) -> Any:
        return conjunction(xs)


class Nand(Gate):
    """0 where all inputs are 1, 1 where one is 0."""

    def law(self, xs: list[Any]) -> Any:
        return conjunction(xs, ONE, ZERO)


class Or(Gate):
    """1 where one input is 1, 0 where all are 0."""

    def law(self, xs: list[Any]) -> Any:
        return disjunction(xs)


class Nor(Gate):
    """0 where one input is 1, 1 where all are 0."""

    def law(self, xs: list[Any]) -> Any:
        return disjunction(xs, ONE, ZERO)


class Xor(Gate):
    """1 where an odd number of inputs is 1; unknown where one input is."""

    def law(self, xs: list[Any]) -> Any:
        return exclusive(xs)


class Xnor(Gate):
    """1 where an even number of inputs is 1; unknown where one input is."""

    def law(self, xs: list[Any]) -> Any:
        return exclusive(xs, ONE, ZERO)


class Buffer(Gate):
    """The input."""

    def law(self, xs: list[Any]) -> Any:
        return conjunction(xs)


class Inverter(Gate):
    """The opposite of the input."""

    def law(self, xs: list[Any]) -> Any:
        return conjunction(xs, ONE, ZERO)


class Tristate(tg.Component):
    """The input x[0] with the strength that x[1] gives: 1 strong, 0 high impedance, else not determined."""

    x = logic_input("input and enable", 2)
    y = logic_output("output")
    on = logic_output("strength of the output")
    delay = tg.parameter(1e-9, "s", "delay", min=0.0)
    static = tg.parameter(False, structural=True, description="without delays")

    def build(self) -> None:
        self.out = [output(self.static, self.delay, self.delay) for _ in range(2)]

    def equations(self) -> Statements:
        for k in range(2):
            yield self.out[k].x == self.x[k]
            yield self.out[k].wait == 0.0
        yield self.y == self.out[0].y
        yield self.on == self.out[1].y


class Constant(tg.Component):
    """The weak value of a resistor: d_pullup, d_pulldown."""

    y = logic_output("output")
    high = tg.parameter(True, structural=True, description="1, or 0")

    def equations(self) -> Statements:
        yield self.y == (ONE if self.high else ZERO)
