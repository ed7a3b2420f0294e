"""Delays of logical signals."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.digital.logic import Statements, code, is_high, is_low, logic_input, logic_output, logic_variable


class Delay(tg.Component):
    """One value in, one out, and what happens at every change of the input: a base."""

    x = logic_input("input")
    y = logic_output("output")
    y0 = tg.parameter("U", structural=True, description="output at the start")
    turn = tg.boolean("turns around at every change of the input")

    def equations(self) -> Statements:
        """An input may change at several steps of one event iteration: a `when` of change(x) would miss the second."""
        turned = tg.change(self.x)
        yield self.turn == ((turned & ~tg.pre(self.turn)) | (~turned & tg.pre(self.turn)))

    def at_changes(self, *actions: Any) -> Any:
        """A `when` for the start of a run and every change of the input."""
        return tg.when(self.turn, *actions).elsewhen(~self.turn, *actions)


class TransportDelay(Delay):
    """y(t) = x(t - delay_time), pulses of any width; y0 before the first value has come through.

    Values under way are kept with the instants at which they are due, at most `depth` of them: more are an error.
    """

    delay_time = tg.parameter(0.0, "s", "delay", min=0.0)
    depth = tg.parameter(8, structural=True, description="changes of the input that may be under way", min=1)
    value = logic_variable("values under way, the newest first", lambda self: self.depth + 1)
    due = tg.variable("s", "when each is due", discrete=True, start=0.0, shape=lambda self: self.depth + 1)
    sent = logic_variable("input, before the next step of the event iteration")

    def equations(self) -> Statements:
        """Steps of one event iteration replace each other: what counts is the value at the end of the instant."""
        now = tg.time + self.delay_time
        again = tg.pre(self.due[0]) >= now
        actions = [self.value[0] == self.x, self.due[0] == now]
        for k in range(1, self.depth + 1):
            value = tg.where(again, tg.pre(self.value[k]), tg.pre(self.value[k - 1]))
            due = tg.where(again, tg.pre(self.due[k]), tg.pre(self.due[k - 1]))
            actions.append(self.value[k] == tg.where(tg.initial(), code(self, "y0"), value))
            actions.append(self.due[k] == tg.where(tg.initial(), tg.time, due))
        yield self.at_changes(*actions)
        y = self.value[self.depth]
        for k in reversed(range(self.depth)):
            y = tg.where(tg.time >= self.due[k], self.value[k], y)
        yield self.sent == self.x
        yield self.y == tg.where(self.delay_time > 0.0, y, tg.pre(self.sent))
        lost = "more changes are under way than a TransportDelay keeps: give it more depth"
        yield tg.assert_(self.due[self.depth] <= tg.time, lost)  # noqa: PT009


class InertialDelay(Delay):
    """The input, once it has kept its value for delay_time; y0 until then."""

    delay_time = tg.parameter(0.0, "s", "time for which the input has to be constant", min=0.0)
    kept = logic_variable("last value that was constant")
    due = tg.variable("s", "instant at which the input has been constant", discrete=True, start=0.0)

    def equations(self) -> Statements:
        last = tg.where(tg.initial(), code(self, "y0"), tg.pre(self.kept))
        changed = self.at_changes(self.due == tg.time + self.delay_time, self.kept == last)
        yield changed.elsewhen(tg.time >= self.due, self.kept == self.x)
        yield self.y == tg.where(self.delay_time > 0.0, self.kept, self.x)


class InertialDelaySensitive(Delay):
    """The input, once it has kept its value for tLH where it rises and tHL where it falls.

    From 0 and L on everything rises, and all to 1 and H; from 1 and H on everything falls, and all to 0 and L. Changes
    between unknown values are not delayed.
    """

    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    kept = logic_variable("output, if there is a delay")
    due = tg.variable("s", "instant at which the input counts", discrete=True, start=0.0)

    def equations(self) -> Statements:
        begin = tg.where(tg.initial(), code(self, "y0"), tg.pre(self.kept))
        wait = self.wait(tg.where(tg.pre(self.kept) == "U", code(self, "y0"), begin))
        at_once = tg.where(wait > 0.0, begin, self.x)
        changed = self.at_changes(self.due == tg.time + wait, self.kept == at_once)
        yield changed.elsewhen(tg.time >= self.due, self.kept == self.x)
        yield self.y == tg.where((self.tLH > 0.0) | (self.tHL > 0.0), self.kept, self.x)

    def wait(self, before: Any) -> Any:
        """How long a change from a value (its number) to that of the input takes."""
        was_low = ((before > 1.5) & (before < 2.5)) | ((before > 5.5) & (before < 6.5))
        was_high = ((before > 2.5) & (before < 3.5)) | ((before > 6.5) & (before < 7.5))
        falls = ~was_low & (is_low(self.x) | (was_high & ~is_high(self.x)))
        rises = ~was_high & (is_high(self.x) | (was_low & ~is_low(self.x)))
        return tg.where(rises, self.tLH, tg.where(falls, self.tHL, 0.0))


class InertialDelaySensitiveVector(tg.Component):
    """An InertialDelaySensitive for each of n signals."""

    n = tg.parameter(1, structural=True, description="number of signals", min=1)
    x = logic_input("inputs", n)
    y = logic_output("outputs", n)
    tLH = tg.parameter(0.0, "s", "delay of what rises", min=0.0)
    tHL = tg.parameter(0.0, "s", "delay of what falls", min=0.0)
    y0 = tg.parameter("U", structural=True, description="outputs at the start")

    def build(self) -> None:
        self.bit = [InertialDelaySensitive(tLH=self.tLH, tHL=self.tHL, y0=self.y0) for _ in range(self.n)]

    def connections(self) -> Statements:
        for k in range(self.n):
            yield self.x[k], self.bit[k].x
            yield self.bit[k].y, self.y[k]
