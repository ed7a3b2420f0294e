"""Logic of Booleans: signals of 0 and 1, true above 1/2."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import BooleanSI2SO, BooleanSISO, Statements, signal, truth


class And(BooleanSI2SO):
    """True where both inputs are."""

    def equations(self) -> Statements:
        yield self.y == signal(truth(self.u1) & truth(self.u2))


class Or(BooleanSI2SO):
    """True where at least one input is."""

    def equations(self) -> Statements:
        yield self.y == signal(truth(self.u1) | truth(self.u2))


class Xor(BooleanSI2SO):
    """True where exactly one input is."""

    def equations(self) -> Statements:
        one = truth(self.u1)
        other = truth(self.u2)
        yield self.y == signal((one & ~other) | (~one & other))


class Nand(BooleanSI2SO):
    """False where both inputs are true."""

    def equations(self) -> Statements:
        yield self.y == signal(~(truth(self.u1) & truth(self.u2)))


class Nor(BooleanSI2SO):
    """True where neither input is."""

    def equations(self) -> Statements:
        yield self.y == signal(~(truth(self.u1) | truth(self.u2)))


class Not(BooleanSISO):
    """True where the input is not."""

    def equations(self) -> Statements:
        yield self.y == signal(~truth(self.u))


class Pre(BooleanSISO):
    """The input, one step of the iteration at an event later: breaks loops of logical blocks."""

    held = tg.variable("1", "output, changed by an action of its own after the input", discrete=True, start=0.0)

    def equations(self) -> Statements:
        yield tg.when(truth(self.u), self.held == 1.0).elsewhen(~truth(self.u), self.held == 0.0)
        yield self.y == self.held


class LogicalSwitch(tg.Component):
    """y = u1 where u2 is true, else u3: Booleans all."""

    u1 = tg.input("1", "input taken where u2 is true")
    u2 = tg.input("1", "which input is taken")
    u3 = tg.input("1", "input taken where u2 is false")
    y = tg.output("1", "output, 0 or 1")

    def equations(self) -> Statements:
        yield self.y == tg.where(truth(self.u2), signal(truth(self.u1)), signal(truth(self.u3)))


class Timer(BooleanSISO):
    """The time since u became true, 0 while it is false."""

    y = tg.output("s", "time since u became true")
    entry = tg.variable("s", "instant at which u became true", discrete=True, start=0.0)

    def equations(self) -> Statements:
        yield tg.when(truth(self.u), self.entry == tg.time)
        yield self.y == tg.where(truth(self.u), tg.time - self.entry, 0.0)


class RSFlipFlop(tg.Component):
    """Q becomes true with S and false with R; R wins over S. QI is the opposite of Q."""

    S = tg.input("1", "set, true above 1/2")
    R = tg.input("1", "reset, true above 1/2")
    Q = tg.output("1", "what was set last, 0 or 1")
    QI = tg.output("1", "opposite of Q")
    Q_start = tg.parameter(False, structural=True, description="Q at the start, if neither S nor R is true")
    kept = tg.variable("1", "Q", discrete=True, start=0.0)

    def equations(self) -> Statements:
        start = float(self.Q_start)
        yield (
            tg.when(truth(self.R), self.kept == 0.0)
            .elsewhen(truth(self.S) & ~truth(self.R), self.kept == 1.0)
            .elsewhen(tg.initial(), self.kept == start)
        )
        yield self.Q == self.kept
        yield self.QI == 1.0 - self.kept
