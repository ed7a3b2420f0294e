"""What events changed in the course of a run: the numbers of every segment between them, and a log."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

import numpy as np

from tellegen.engine.request.run_state import Hysteresis
from tellegen.ir.model import FloatArray, IntArray
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of Solution.events: when, and what happened, in the user's words."""

    time: float
    what: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Happened:
    """An event in numbers: its time, the conditions of when-statements that fired, the relations that switched.

    `passing` are the relations whose root ended the segment before it; none at an instant known in advance.
    """

    time: float
    fired: IntArray
    switched: IntArray
    passing: IntArray


@dataclass(frozen=True, eq=False)
class History:
    """Output row r belongs to segment[r]. `first` are the parameters and discrete values of segment 0; change k sets
    number index[k] to value[k] from segment at[k] on. Only what changes is kept: models are large, events many."""

    segment: Any
    first: FloatArray
    at: IntArray
    index: IntArray
    value: FloatArray
    log: tuple[Happened, ...]
    notes: Any = None  # engine/events/delay_history.py, of models with delays
    hystereses: tuple[Hysteresis, ...] = ()  # of conditions that chattered, in the order of time
    moved: tuple[tuple[float, FloatArray], ...] = ()  # instants that move in the directions of tangents, and how fast
    _found: dict[int, FloatArray] = field(default_factory=dict, repr=False)

    def numbers(self, segment: int) -> FloatArray:
        """The parameters and discrete values of a segment."""
        if segment not in self._found:
            p = self.first.copy()
            known = int(self.at.searchsorted(segment, side="right"))
            p[self.index[:known]] = self.value[:known]  # of several changes the last counts
            self._found.clear()
            self._found[segment] = p
        return self._found[segment]

    def changes(self, indices: Any) -> bool:
        """Whether one of these numbers ever changes."""
        return bool(np.isin(indices, self.index).any())

    def columns(self, indices: Any) -> FloatArray:
        """Numbers over the rows, one column for each index."""
        indices = np.atleast_1d(indices)
        out = np.empty((len(self.segment), len(indices)))
        order = np.argsort(self.index, kind="stable")
        index = self.index[order]
        at = self.at[order]
        value = self.value[order]
        for column, wanted in enumerate(indices.tolist()):
            begin, end = index.searchsorted([wanted, wanted + 1])
            known = np.concatenate([self.first[wanted : wanted + 1], value[begin:end]])
            out[:, column] = known[at[begin:end].searchsorted(self.segment, side="right")]
        return out

    def at_rows(self, rows: Any) -> History:
        """The history of some rows."""
        return replace(self, segment=self.segment[rows])

    def until(self, rows: int) -> History:
        """The history of the first rows."""
        return replace(self, segment=self.segment[:rows])
