"""Pulses without duration: true at the instant of an event and false again before time goes on.

What is triggered by one acts once. Nothing is said at the start of a run: a signal that begins as true has not risen.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.blocks.interfaces import BooleanSISO, Statements, signal, truth


class Edge(BooleanSISO):
    """True at the instant at which u becomes true."""

    on = tg.boolean("u is true")

    def equations(self) -> Statements:
        yield self.on == truth(self.u)
        yield self.y == signal(tg.edge(self.on) & ~tg.initial())


class FallingEdge(BooleanSISO):
    """True at the instant at which u becomes false."""

    off = tg.boolean("u is false", start=True)

    def equations(self) -> Statements:
        yield self.off == ~truth(self.u)
        yield self.y == signal(tg.edge(self.off) & ~tg.initial())


class Change(BooleanSISO):
    """True at the instant at which u becomes true or false."""

    on = tg.boolean("u is true")

    def equations(self) -> Statements:
        yield self.on == truth(self.u)
        yield self.y == signal(tg.change(self.on) & ~tg.initial())


class ZeroCrossing(tg.Component):
    """True at the instant at which u passes zero, in either direction, while enable is true."""

    u = tg.input(description="watched signal")
    enable = tg.input("1", "watched while above 1/2", default=1.0)
    y = tg.output("1", "output, 0 or 1")
    above = tg.boolean("u is positive")

    def equations(self) -> Statements:
        yield self.above == (self.u > 0.0)
        yield self.y == signal(tg.change(self.above) & truth(self.enable) & ~tg.initial())


class SampleTrigger(tg.Component):
    """True at the instants start_time + k period."""

    period = tg.parameter(0.01, "s", "time from pulse to pulse", min=1e-12)
    start_time = tg.parameter(0.0, "s", "instant of the first pulse")
    y = tg.output("1", "output, 0 or 1")
    count = tg.integer("pulses so far")

    def equations(self) -> Statements:
        yield tg.when(tg.sample(self.start_time, self.period), self.count == tg.pre(self.count) + 1)
        yield self.y == signal(tg.change(self.count))
