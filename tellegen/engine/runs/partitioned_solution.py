"""The Solution of a run by islands: one time axis for all, rows that are computed where somebody looks.

    batch 0    |----e-----------e---|          events of its own
    batch 1    |-------e-----e------|
    joined     |----ee-ee----ee-ee--|          both sides of every event, for every variable

Between its own events a batch knows nothing of those of others, and a row of all unknowns at each of a hundred thousand
events would be gigabytes nobody reads. So values at the instants of others are found by running the batch again with
these as output times. Output times do not change the steps, so nothing is interpolated that the integrator did not.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.engine.explained.run_explanation import RunExplanation
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.native.outcome import Outcome
from tellegen.engine.readout.discrete_history import Happened, History
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.results.check_assertions import warn_of
from tellegen.engine.results.solution import Solution
from tellegen.engine.results.standing import run_state
from tellegen.errors import NumericError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.engine.runs.partitioned_run import Fleet, Work

# rows of batches that are remembered; of an answer
_KEPT_BYTES = 3e8
_MOST_BYTES = 8e9


@dataclass(frozen=True, eq=False)
class Piece:
    """A batch and its own run; none where the user interrupted before its turn."""

    fleet: Fleet
    batch: int
    solution: Solution | None

    @property
    def log(self) -> tuple[Happened, ...]:
        """Its own events."""
        return self.solution.history.log if self.solution is not None and self.solution.history is not None else ()


@dataclass(frozen=True, eq=False)
class Timeline:
    """All events, in the order of time: of each piece the numbers of its own among them, and their times."""

    pieces: tuple[Piece, ...]
    numbers: tuple[IntArray, ...]
    times: FloatArray

    @staticmethod
    def of(pieces: tuple[Piece, ...], end: float) -> Timeline:
        """Events of several pieces at the same instant are one; a second one of a piece there is another."""
        logs = [np.array([event.time for event in piece.log if event.time <= end]) for piece in pieces]
        logs = _gathered(logs)
        turns = [np.arange(len(log)) - np.searchsorted(log, log, side="left") for log in logs]
        keys = np.stack([np.concatenate(logs), np.concatenate(turns)])
        order = np.lexsort(keys[::-1])
        is_new = np.ones(len(order), bool)
        is_new[1:] = (np.diff(keys[:, order], axis=1) != 0).any(axis=0)
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(is_new) - 1
        bounds = np.cumsum([len(log) for log in logs])[:-1]
        return Timeline(pieces, tuple(np.split(number, bounds)), keys[0, order[is_new]])

    def segment(self, times: FloatArray) -> IntArray:
        """How many events there are up to some times."""
        return np.searchsorted(self.times, times + near(times), side="right")

    def rows(self, output: FloatArray) -> tuple[FloatArray, IntArray]:
        """Output times and both sides of events in order, each with its segment."""
        instants = np.unique(np.concatenate([_apart(output, self.times), self.times]))
        before, after = (np.searchsorted(self.times, instants, side) for side in ("left", "right"))
        each = 1 + after - before
        side = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
        return np.repeat(instants, each), np.repeat(before, each) + side


def _gathered(logs: list[FloatArray]) -> list[FloatArray]:
    """Instants that differ by roundings as one: the first of them."""
    times = np.unique(np.concatenate(logs))
    if not len(times):
        return logs
    begins = np.concatenate([[True], np.diff(times) > near(times[1:])])
    first = times[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    return [first[np.searchsorted(times, log)] for log in logs]


def _apart(output: FloatArray, events: FloatArray) -> FloatArray:
    """The output times that are not those of events but for roundings."""
    if not len(events):
        return output
    after = np.searchsorted(events, output).clip(0, len(events) - 1)
    nearest = np.minimum(np.abs(output - events[after]), np.abs(output - events[np.maximum(after - 1, 0)]))
    return output[nearest > near(output)]


class JoinedRows:
    """The matrix of unknowns (or of their rates) over times, computed when and where it is read."""

    def __init__(self, work: Work, line: Timeline, time: FloatArray, segment: IntArray, rates: bool = False) -> None:
        self.work = work
        self.line = line
        self.rates = rates
        self.time = time
        self.segment = segment
        self.shape = (len(self.time), len(work.whole.reduced.unknowns))
        self._kept: OrderedDict[int, Solution] = OrderedDict()

    @property
    def dtype(self) -> Any:
        """As NumPy asks."""
        return np.dtype(float)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> FloatArray:
        return self[:, :].astype(dtype or float, copy=False)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": OrderedDict()}

    def __getitem__(self, key: Any) -> Any:
        """As of a matrix; some rows with all columns are again not computed yet."""
        if isinstance(key, slice):
            return self._some(np.arange(len(self))[key])
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        chosen = np.arange(len(self))[rows]
        indices = np.arange(self.shape[1])[columns]
        everything = isinstance(rows, slice) and rows == slice(None)
        view = self if everything else self._some(chosen.ravel())
        found = view._columns(indices.ravel())
        return found.reshape(*chosen.shape, *indices.shape)

    def _some(self, rows: IntArray) -> JoinedRows:
        return JoinedRows(self.work, self.line, self.time[rows], self.segment[rows], self.rates)

    def _columns(self, indices: IntArray) -> FloatArray:
        size = 8.0 * len(self) * len(indices)
        if size > _MOST_BYTES:
            raise NumericError(
                "E322",
                f"{len(indices)} variables at {len(self)} instants are {size / 1e9:.0f} GB",
                location=here(),
                advice="read fewer variables, or solution.at(times) for fewer time points: every event is one",
            )
        out = np.empty((len(self), len(indices)))
        piece_of, column_of = self._owners
        for piece in np.unique(piece_of[indices]).tolist():
            mine = np.flatnonzero(piece_of[indices] == piece)
            out[:, mine] = self._block(piece)[:, column_of[indices[mine]]]
        return out

    @cached_property
    def _owners(self) -> tuple[IntArray, IntArray]:
        """The piece of each unknown, and its column there."""
        piece, column = (np.zeros(self.shape[1], np.int64) for _ in range(2))
        for k, each in enumerate(self.line.pieces):
            mine = each.fleet.maps.unknowns[each.batch]
            piece[mine] = k
            column[mine] = np.arange(len(mine))
        return piece, column

    @cached_property
    def _instants(self) -> FloatArray:
        return np.unique(self.time)

    def _block(self, number: int) -> FloatArray:
        """All rows of a piece."""
        solution = self._source(number)
        own = np.searchsorted(self.line.numbers[number], self.segment)  # how many events of its own came before
        if solution.history is None:
            rows = np.searchsorted(solution.time, self.time).clip(0, len(solution.time) - 1)
        else:
            segment = solution.history.segment
            first, last = (np.searchsorted(segment, own, side) for side in ("left", "right"))
            rows = np.searchsorted(solution.time, self.time).clip(first, last - 1)
        return (solution._all_rates if self.rates else solution.unknowns)[rows]

    def _source(self, number: int) -> Solution:
        """A run of a piece with rows at all instants."""
        piece = self.line.pieces[number]
        known = piece.solution
        if known is not None and np.isin(self._instants, known.time).all():
            return known
        if number not in self._kept:
            made = self._kept[number] = self.work.run(piece.fleet, piece.batch, self._instants)
            while len(self._kept) > 1 + _KEPT_BYTES // made.unknowns.nbytes:
                self._kept.popitem(last=False)
        return self._kept[number]


class JoinedSolution(Solution):
    """A Solution whose rows are JoinedRows."""

    @cached_property
    def _all_rates(self) -> Any:
        rows: Any = self.unknowns
        return JoinedRows(rows.work, rows.line, rows.time, rows.segment, rates=True)

    def at(self, t: Any) -> Any:
        """See Solution; the parts are integrated to these instants."""
        times, single = self._moments(t)
        rows: Any = self.unknowns
        segment = rows.line.segment(times)
        history = replace(self.history, segment=segment) if self.history is not None else None
        joined = JoinedRows(rows.work, rows.line, times, segment)
        found = replace(self, time=times, unknowns=joined, history=history)
        if not single:
            return found
        assert history is not None
        values = Consistent(found.unknowns[0], found._all_rates[0])
        t = float(times[0])
        p = history.numbers(int(segment[0]))
        return Snapshot(self._reduced, t, values, p, run_state(self, t, values, p))

    def explain(self) -> RunExplanation:
        """See Solution; of the part that took the most steps."""
        rows: Any = self.unknowns
        made = [piece for piece in rows.line.pieces if piece.solution is not None]
        slowest = max(made, key=lambda piece: piece.solution.stats.get("steps", 0))
        return rows.work.run_under_own_names(slowest.fleet, slowest.batch).explain()


def join(work: Work, pieces: list[Piece], outcome: Outcome, stats: dict[str, Any]) -> JoinedSolution:
    """The pieces as one solution, as far as the outcome says."""
    line = Timeline.of(tuple(pieces), outcome.time)
    output = work.options.times()
    output = output[output <= outcome.time]
    if outcome.time < work.options.stop:
        output = np.append(output, outcome.time)
    times, segment = line.rows(output)
    history = _history(work, line, segment)
    warned = [entry for piece in pieces if piece.solution is not None for entry in piece.solution.warnings]
    issued = sorted((entry for entry in warned if entry.time <= outcome.time), key=lambda entry: entry.time)
    warn_of(work.whole.flat.name, issued)
    return JoinedSolution(
        work.whole.reduced,
        times,
        JoinedRows(work, line, times, segment),  # type: ignore[arg-type]
        history.first,
        outcome,
        {**stats, "events": len(line.times)},
        work.whole,
        history=history,
        warnings=tuple(issued),
    )


def _history(work: Work, line: Timeline, segment: IntArray) -> History:
    """What events changed, in the numbers of the whole."""
    first = work.start.point.p.copy()
    changes: list[tuple[Any, Any, Any]] = []
    log: list[list[Happened]] = [[] for _ in line.times]
    for piece, numbers in zip(line.pieces, line.numbers, strict=True):
        if piece.solution is None:
            continue
        maps = piece.fleet.maps
        batch = piece.batch
        history = piece.solution.history
        first[maps.indices[batch]] = piece.solution._p if history is None else history.first
        if history is None:
            continue
        known = int(history.at.searchsorted(len(numbers), side="right"))
        changes.append(
            (numbers[history.at[:known] - 1] + 1, maps.indices[batch][history.index[:known]], history.value[:known])
        )
        for number, event in zip(numbers.tolist(), piece.log, strict=False):
            fired = maps.conditions[batch][event.fired]
            relations = maps.relations[batch]
            log[number].append(Happened(event.time, fired, relations[event.switched], relations[event.passing]))
    none: tuple[Any, Any, Any] = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    at, index, value = (np.concatenate(column) for column in zip(none, *changes, strict=True))
    order = np.argsort(at, kind="stable")
    return History(segment, first, at[order], index[order], value[order], tuple(map(_together, log)))


def _together(events: list[Happened]) -> Happened:
    """What happened in several pieces at one instant."""
    if len(events) == 1:
        return events[0]
    parts = [np.concatenate([getattr(each, name) for each in events]) for name in ("fired", "switched", "passing")]
    return Happened(events[0].time, *parts)
