"""What cannot be followed by steps is stepped over: jumps without an event, and steep places of models without states.

An inverter of transistors without capacitances goes from high to low within 1e-21 s. No step is so short; but where
nothing is integrated, the equations of an instant say all there is to know about it, whatever happened before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tellegen.engine.diagnostics.switched_relations import State, can_switch, switched
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued, found_anew
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.consistent import Consistent
from tellegen.start.records import dataclass

_TRIES = 10
# so many crossings in that part of the run are chattering
_OFTEN = 20
_DENSE = 1e-6
_LONGER = 1e3
_SHORTEST = 1e-17  # of the time
_MOST = 1e-4  # of the run: where more cannot be followed, the run ends
_NEAR = 1e3  # steps over a place, within which the next failure belongs to it


class Beyond(NamedTuple):
    """Where a run goes on, and the conditions that have switched on the way."""

    t: float
    unknowns: Consistent
    switched: list[int]


def across_a_jump(model: NativeModel, here: State, smallest: float, end: float) -> Beyond | None:
    """The first point after a place where even the smallest step fails, if a condition switches before it."""
    reduced = model.reduced
    if not can_switch(reduced):
        return None
    for attempt in range(_TRIES):
        ahead = 2.0 * smallest * 4.0**attempt
        t = here.t + ahead
        y = here.y + ahead * np.where(reduced.is_state, here.yp, 0.0)
        beyond = continued(model, Point(t, here.p), y, here.yp)
        if beyond is None or t >= end:
            return None
        if rows := switched(reduced, here, State(t, *beyond, here.p)):
            return Beyond(t, beyond, rows)
    return None


def is_chattering(crossings: list[float], span: float) -> bool:
    """Whether the last jumps were too many in too short a time."""
    return len(crossings) > _OFTEN and crossings[-1] - crossings[-_OFTEN] < _DENSE * span


@dataclass
class SteepPlaces:
    """How far was stepped over the last one: further, where that was not enough."""

    span: float
    last: float = -float("inf")
    ahead: float = 0.0

    def beyond(self, model: NativeModel, here: State) -> Beyond | None:
        """A time after the place where a run cannot go on, and the unknowns there; None if they are not found."""
        is_same = here.t - self.last <= _NEAR * self.ahead
        self.ahead = _LONGER * (self.ahead if is_same else _SHORTEST * max(abs(here.t), self.span))
        while self.ahead <= _MOST * self.span:
            t = here.t + self.ahead
            found = found_anew(model, Point(t, here.p), here.y)
            if found is not None:
                self.last = t
                return Beyond(t, found, [])
            self.ahead *= _LONGER
        return None
