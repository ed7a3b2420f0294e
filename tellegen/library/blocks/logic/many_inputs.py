"""Gates and switches of any number of Booleans."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import Statements, signal, truth


class ManyBooleans(tg.Component):
    """A vector of Booleans in, one out: a base."""

    nu = tg.parameter(2, structural=True, description="number of inputs", min=1)
    u = tg.input("1", "inputs, true above 1/2", shape=nu)
    y = tg.output("1", "output, 0 or 1")

    def each(self) -> list[Any]:
        """The inputs as Booleans."""
        return [truth(self.u[k]) for k in range(self.nu)]


class MultiAnd(ManyBooleans):
    """True where all inputs are."""

    def equations(self) -> Statements:
        yield self.y == signal(reduce(and_, self.each()))


class MultiOr(ManyBooleans):
    """True where at least one input is."""

    def equations(self) -> Statements:
        yield self.y == signal(reduce(or_, self.each()))


class MultiNand(ManyBooleans):
    """False where all inputs are true."""

    def equations(self) -> Statements:
        yield self.y == signal(~reduce(and_, self.each()))


class MultiNor(ManyBooleans):
    """True where no input is."""

    def equations(self) -> Statements:
        yield self.y == signal(~reduce(or_, self.each()))


class OneTrue(ManyBooleans):
    """True where exactly one input is: an exclusive or of many."""

    def equations(self) -> Statements:
        count = tg.sum([signal(one) for one in self.each()])
        yield self.y == signal((count > 0.5) & (count < 1.5))


class MultiSwitch(ManyBooleans):
    """y = expr[k] of the first input u[k] that is true, y_default where none is; or the last, with use_pre_as_default.

    With use_pre_as_default the output is sampled when an input becomes true and kept when all are false.
    """

    expr = tg.input(description="what is chosen from", shape=ManyBooleans.nu)
    y = tg.output(description="chosen signal")
    y_default = tg.parameter(0.0, description="output where no input is true; at the start, with use_pre_as_default")
    use_pre_as_default = tg.parameter(False, structural=True, description="keeps the last value where none is true")
    kept = tg.variable(description="last value, with use_pre_as_default", discrete=True, start=0.0)

    def equations(self) -> Statements:
        if self.use_pre_as_default:
            first = tg.when(self.each()[0], self.kept == self.expr[0])
            for k in range(1, self.nu):
                first = first.elsewhen(self.first(k), self.kept == self.expr[k])
            yield first.elsewhen(tg.initial(), self.kept == self.y_default)
            yield self.y == self.kept
        else:
            y = self.y_default
            for k in reversed(range(self.nu)):
                y = tg.where(self.each()[k], self.expr[k], y)
            yield self.y == y
            yield tg.when(tg.initial(), self.kept == 0.0)

    def first(self, k: int) -> Any:
        """Whether input k is the first that is true."""
        return self.each()[k] & ~reduce(or_, self.each()[:k])
