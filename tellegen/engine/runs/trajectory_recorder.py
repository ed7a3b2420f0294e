"""What is kept of a run with events: output rows, rows on both sides of events, and what changed there."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from tellegen.engine.readout.discrete_history import Happened, History
from tellegen.engine.request.run_state import Hysteresis
from tellegen.ir.model import Array, FloatArray, IntArray
from tellegen.start.records import dataclass

_LONG_ROW = 1000  # numbers: longer ones are moved within their matrix, one after the other, and not copied to another


@dataclass
class Track:
    """Filled as the run continues. Mark k stands before output row mark[k]: a row and the segment it belongs to."""

    first: FloatArray  # parameters and discrete values at the start
    mark: list[int] = field(default_factory=list)
    time: list[float] = field(default_factory=list)
    rows: list[FloatArray] = field(default_factory=list)
    segment: list[int] = field(default_factory=list)
    changes: list[tuple[Any, Any]] = field(default_factory=list)  # indices and values, for each segment but the first
    log: list[Happened] = field(default_factory=list)
    moved: list[tuple[float, FloatArray]] = field(default_factory=list)  # instants, and how they move with tangents

    hystereses: list[Hysteresis] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.last = self.first.copy()

    def add(self, done: int, t: float, row: FloatArray) -> None:
        """A row of the present segment, after `done` output rows."""
        self.mark.append(done)
        self.time.append(t)
        self.rows.append(row)
        self.segment.append(len(self.changes))

    def add_events(self, done: IntArray, t: FloatArray, rows: FloatArray, is_kept: Array) -> None:
        """Rows before and after several events, rows[k, 0] and rows[k, 1]; the changes of these are added after it."""
        segment = len(self.changes) + np.add.outer(np.arange(len(t)), np.arange(2))
        self.mark += np.repeat(done, 2)[is_kept.ravel()].tolist()
        self.time += np.repeat(t, 2)[is_kept.ravel()].tolist()
        self.rows += list(rows[is_kept])
        self.segment += segment[is_kept].tolist()

    def change(self, p: FloatArray) -> None:
        """A new segment begins, with these numbers."""
        indices = np.flatnonzero(p != self.last)
        values = p[indices]
        self.last[indices] = values
        self.changes.append((indices, values))

    def forget_event(self, t: float) -> None:
        """An event at this time had no results: what it changed to, if that was noted, is not part of the run."""
        if not self.log or self.log[-1].time != t:
            return
        while self.segment and self.segment[-1] == len(self.changes):
            for rows in (self.mark, self.time, self.rows, self.segment):
                rows.pop()
        self.changes.pop()
        self.log.pop()

    def history(self, times: FloatArray, output: FloatArray) -> tuple[FloatArray, FloatArray, History]:
        """Times and rows in order, output and events together, and what changed.

        `output` begins with the rows of these times; there may be room after them.
        """
        total = len(times)
        at = np.repeat(np.arange(1, len(self.changes) + 1), [len(indices) for indices, _ in self.changes])
        index = np.concatenate([np.zeros(0, int), *(indices for indices, _ in self.changes)])
        value = np.concatenate([np.zeros(0), *(values for _, values in self.changes)])
        if self.mark:
            mark = np.array(self.mark, int)
            after = np.searchsorted(mark, np.arange(total), side="right")  # marks before each output row
            of_output = np.concatenate([[0], self.segment])[after]
            merge = _Merge(mark, total)
            times = merge.numbers(times, self.time)
            output = merge.rows(output, self.rows)
            segment = merge.numbers(of_output, self.segment)
        else:
            output = output[:total]
            segment = np.zeros(total, int)
        history = History(
            segment,
            self.first,
            at,
            index,
            value,
            tuple(self.log),
            hystereses=tuple(self.hystereses),
            moved=tuple(self.moved),
        )
        return times, output, history


class _Merge:
    """Where output and what was marked between it are in the order of time."""

    def __init__(self, mark: Any, total: int) -> None:
        self._marked = mark + np.arange(len(mark))
        is_output = np.ones(total + len(mark), bool)
        is_output[self._marked] = False
        self._output = np.flatnonzero(is_output)

    def numbers(self, of_output: Any, marked: list[Any]) -> Any:
        """One number for each."""
        merged = np.empty(len(self._output) + len(self._marked), of_output.dtype)
        merged[self._output] = of_output
        merged[self._marked] = marked
        return merged

    def rows(self, output: FloatArray, marked: list[FloatArray]) -> FloatArray:
        """One row for each."""
        count = len(self._output) + len(self._marked)
        if output.shape[1] >= _LONG_ROW and count <= len(output):
            merged = output[:count]
            self._make_gaps(merged)
            for k, row in zip(self._marked.tolist(), marked, strict=True):
                merged[k] = row
        else:
            merged = np.empty((count, output.shape[1]))
            merged[self._output] = output[: len(self._output)]
            merged[self._marked] = np.concatenate(marked).reshape(len(marked), output.shape[1])
        return merged

    def _make_gaps(self, rows: FloatArray) -> None:
        """Move rows of output to their places, the last one first: those of large models are hundreds of megabytes."""
        for k in range(len(self._output) - 1, -1, -1):
            place = self._output[k]
            if place == k:
                break
            rows[place] = rows[k]
