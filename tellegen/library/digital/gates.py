"""Gates: And, Or, ... with their step of an event iteration, and AndGate, OrGate, ... with delays as well.

The output of a gate follows its inputs one step of the event iteration later, at the same instant. So loops of gates,
as in a flip-flop, have a value: that to which they settle.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.delays import InertialDelaySensitive
from tellegen.library.digital.logic import (
    ONE,
    ZERO,
    Statements,
    conjunction,
    disjunction,
    exclusive,
    logic_input,
    logic_output,
    logic_variable,
)


class Gate(tg.Component):
    """A vector of inputs, one output: a base. `law` gives the output from the inputs."""

    n = tg.parameter(2, structural=True, description="number of inputs", min=1)
    x = logic_input("inputs", n)
    y = logic_output("output")
    found = logic_variable("output, before the next step of the event iteration")

    def law(self, xs: list[Any]) -> Any:
        raise NotImplementedError

    def equations(self) -> Statements:
        yield self.found == self.law([self.x[k] for k in range(self.n)])
        yield self.y == tg.pre(self.found)


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


class Not(tg.Component):
    """1 where the input is 0, 0 where it is 1; 0 before the first step."""

    x = logic_input("input")
    y = logic_output("output")
    found = logic_variable("output, before the next step of the event iteration", start=ZERO)

    def equations(self) -> Statements:
        yield self.found == conjunction([self.x], ONE, ZERO)
        yield self.y == tg.pre(self.found)


class Delayed(tg.Component):
    """A gate before an InertialDelaySensitive: a base."""

    y = logic_output("output")
    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    y0 = tg.parameter("U", structural=True, description="output at the start")

    def build(self) -> None:
        self.delay = InertialDelaySensitive(tLH=self.tLH, tHL=self.tHL, y0=self.y0)

    def connections(self) -> Statements:
        yield self.delay.y, self.y


class DelayedGate(Delayed):
    """A gate of n inputs before an InertialDelaySensitive: a base."""

    n = tg.parameter(2, structural=True, description="number of inputs", min=1)
    x = logic_input("inputs", n)

    def gate(self) -> Gate:
        """What stands before the delay."""
        raise NotImplementedError

    def build(self) -> None:
        self.logic = self.gate()

    def connections(self) -> Statements:
        for k in range(self.n):
            yield self.x[k], self.logic.x[k]
        yield self.logic.y, self.delay.x


class AndGate(DelayedGate):
    """And with delays."""

    def gate(self) -> Gate:
        return And(n=self.n)


class NandGate(DelayedGate):
    """Nand with delays."""

    def gate(self) -> Gate:
        return Nand(n=self.n)


class OrGate(DelayedGate):
    """Or with delays."""

    def gate(self) -> Gate:
        return Or(n=self.n)


class NorGate(DelayedGate):
    """Nor with delays."""

    def gate(self) -> Gate:
        return Nor(n=self.n)


class XorGate(DelayedGate):
    """Xor with delays."""

    def gate(self) -> Gate:
        return Xor(n=self.n)


class XnorGate(DelayedGate):
    """Xnor with delays."""

    def gate(self) -> Gate:
        return Xnor(n=self.n)


class InvGate(Delayed):
    """Not with delays."""

    x = logic_input("input")
    logic = Not()

    def connections(self) -> Statements:
        yield self.x, self.logic.x
        yield self.logic.y, self.delay.x


class BufGate(Delayed):
    """The input with delays."""

    x = logic_input("input")

    def connections(self) -> Statements:
        yield self.x, self.delay.x
