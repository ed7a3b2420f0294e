"""Integrations that can be done segment by segment: to a time, or to the first root before it.

After the output times there is room for one more, the end of the segment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.native.flags import Flag
from tellegen.engine.request.run_options import Options
from tellegen.ir.model import FloatArray

_OF_LARGEST = 0.25
_ROWS_AT_EVENTS = 32  # room among the rows of output: memory that is not touched costs nothing
_FEWEST_STEPS = 51.3  # not an integer: steps in time with something periodic would see nothing of it


def near(t: Any) -> Any:
    """Output times that close to the end of a segment are at it: integrators reject such short intervals."""
    return 16.0 * 2.220446049250313e-16 * abs(t)


def longest(options: Options) -> float:
    """The longest step of a run in which a pulse or a fold might be stepped over."""
    usual = options.length / _FEWEST_STEPS
    return usual if options.longest is None else min(usual, options.longest)


class SegmentedIntegrator(ABC):
    """Output times and rows of an integration; `done` of `total` output times are done."""

    shortest = 1.0  # segment that can be integrated at all, in multiples of `near`

    def __init__(self, options: Options, size: int, events: EventHandler | None) -> None:
        self.options = options
        self.machine = events
        self.events = events if events is not None and events.roots_to_watch else None
        self.times: FloatArray = options.times()
        self.total = len(self.times)
        self.done = 1
        if events is not None:
            self.times = np.append(self.times, np.inf)
        room = len(self.times) if events is None else len(self.times) + _ROWS_AT_EVENTS
        self.output = np.empty((room, size))
        self.reached = options.start  # the time at which the unknowns stand
        self.stats: dict[str, Any] = {}
        self.largest = longest(options)
        self.pending: int | None = None  # the flag of a segment that was begun by native code

    @property
    def seen_step(self) -> float:
        """The longest step of methods that look at root functions at its ends alone."""
        return self.largest if self.events is None else _OF_LARGEST * self.largest

    def go_on(self, other: SegmentedIntegrator) -> None:
        """Take over from an integration with another method, before this one begins."""
        self.times = other.times
        self.output = other.output
        self.total = other.total
        self.done = other.done
        self.largest = other.largest
        self.reached = other.reached
        for name in ("steps", "error_test_failures", "seconds"):
            self.stats[name] = other.stats.get(name, 0)

    @abstractmethod
    def aim(self, end: float) -> None:
        """Never look beyond this time."""

    @abstractmethod
    def stay(self, t: float) -> None:
        """The unknowns where the integration stands, a rounding before this time; its start may have looked ahead."""

    @abstractmethod
    def reach(self, last: int) -> int:
        """Do the output times before number `last`: 0, ROOT, or the flag of a failure."""

    def go(self, end: float) -> int:
        """Integrate to `end` or to the first root before: 0, ROOT, or the flag of a failure.

        Output times before it are done; the integration keeps the unknowns where it stopped.
        """
        if self.pending is None and end - self.reached < self.shortest * near(end):  # two events a rounding apart
            self.reached = end
            self.stay(end)
            return 0
        self.aim(end)
        inside = int(self.times[: self.total].searchsorted(end - near(end)))
        flag = 0
        try:
            if self.done < inside:
                flag = self.reach(inside)
            if flag == 0:
                done = self.done
                self.done = self.total
                self.times[self.total] = end
                flag = self.reach(self.total + 1)
                self.done = done
        except SingularMatrixError:
            return Flag.SINGULAR
        if flag == 0:
            self.reached = end
        return flag
