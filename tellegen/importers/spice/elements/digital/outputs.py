"""The end of every digital part: what it has computed arrives later, and what arrives later than news is forgotten.

0 -> 1 at t, rise_delay: the output is 1 from t + rise_delay on, but for what is on the way by then
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.digital.logic import ZERO, logic_input, logic_output, logic_variable

Statements = Iterator[Any]
_DEPTH = 4


class Output(tg.Component):
    """y is x later: by `rise` where it becomes 1 or leaves 0, by `fall` otherwise, and by `wait` more.

    A change that would arrive at the same time as a later one, or after it, does not arrive. At the start of a run
    nothing is delayed. The value is taken over at the next step of the event iteration, so that loops of parts have a
    value: that to which they settle.
    """

    x = logic_input("what was computed")
    wait = tg.input("s", "further delay of a change that happens now")
    y = logic_output("output")
    rise = tg.parameter(1e-9, "s", "delay of what rises", min=0.0)
    fall = tg.parameter(1e-9, "s", "delay of what falls", min=0.0)
    depth = tg.parameter(_DEPTH, structural=True, description="changes that may be on the way", min=1)
    seen = logic_variable("x, before the next step of the event iteration", start=ZERO)
    seen_wait = tg.variable("s", "the further delay, before the next step", discrete=True, start=0.0)
    value = logic_variable("values on the way, the newest first", lambda self: self.depth + 1, start=ZERO)
    due = tg.variable("s", "when each is due", discrete=True, start=0.0, shape=lambda self: self.depth + 1)
    turn = tg.boolean("turns around at every change")

    def equations(self) -> Statements:
        yield self.seen == self.x
        yield self.seen_wait == self.wait
        now = tg.pre(self.seen)
        turned = now != tg.pre(self.value[0])
        yield self.turn == ((turned & ~tg.pre(self.turn)) | (~turned & tg.pre(self.turn)))
        actions = self._take(now)
        yield tg.when(self.turn, *actions).elsewhen(~self.turn, *actions)
        y = self.value[self.depth]
        for k in reversed(range(self.depth)):
            y = tg.where(tg.time >= self.due[k], self.value[k], y)
        yield self.y == y
        lost = "more changes are on the way in a digital part than are kept"
        yield tg.assert_(self.due[self.depth] <= tg.time, lost)  # noqa: PT009

    def _take(self, now: Any) -> list[Any]:
        """A change goes on its way, and what would be later than it is forgotten."""
        before = tg.pre(self.value[0])
        by_value = tg.where(now == "1", self.rise, tg.where(now == "0", self.fall, self.fall))
        by_value = tg.where((now == "X") & (before == "0"), self.rise, by_value)
        due = tg.where(tg.initial(), tg.time, tg.time + by_value + tg.pre(self.seen_wait))
        in_place = tg.pre(self.due[0]) >= due
        actions = [self.value[0] == now, self.due[0] == due]
        for k in range(1, self.depth + 1):
            value = tg.where(in_place, tg.pre(self.value[k]), tg.pre(self.value[k - 1]))
            instant = tg.where(in_place, tg.pre(self.due[k]), tg.pre(self.due[k - 1]))
            actions.append(self.value[k] == tg.where(tg.initial(), now, value))
            actions.append(self.due[k] == tg.where(instant < due, instant, due))
        return actions


class Direct(tg.Component):
    """An Output without delays, for operating points."""

    x = logic_input("what was computed")
    wait = tg.input("s", "not used")
    y = logic_output("output")

    def equations(self) -> Statements:
        yield self.y == self.x


def output(static: bool, rise: Any, fall: Any) -> Any:
    """The end of a part, over time or for operating points."""
    return Direct() if static else Output(rise=rise, fall=fall)
