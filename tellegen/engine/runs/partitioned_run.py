"""Runs of models whose independent subsystems have their events one at a time: each part integrated by itself.

    10 000 controllers with different offsets: every tick ends a step of one state, not of 10 000

All unknowns at once are best while parts act together. So a run begins that way and looks at its events now and then
(`lookout`): where an instant concerns few of many islands (variation/islands.py), it is given up, and the islands are
run in small batches. Islands of one shape share one compiled model; a batch is a run of it with other numbers. Which
way is taken depends on the model and its events alone, never on the clock, so that results can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.progress import Watch
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome, from_flag, success
from tellegen.engine.readout.discrete_history import Happened
from tellegen.engine.request.parameter_and_start_vectors import Starts
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.scales import Scales
from tellegen.engine.results.check_assertions import is_judged, judged
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.hybrid_loop import Staggered
from tellegen.engine.runs.partition_index_maps import (
    Batches,
    Maps,
    MismatchError,
    maps,
    statement_numbers,
    statements_of,
)
from tellegen.engine.runs.partitioned_solution import Piece, join
from tellegen.engine.runs.single_run import one_run
from tellegen.errors import TellegenError
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pointer
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass
from tellegen.variation.islands import Shape, cut, islands

# after so many events, and after so many times as many
_FIRST_LOOK = 64
_NEXT_LOOK = 4
# what an event and a watched relation cost, in unknowns (benchmarks/events.py)
_AN_EVENT = 360.0
_A_RELATION = 1.0
_WORTH = 0.5  # runs by islands have to cost less than this part of a run at once
_SMALLEST = 400.0
_FEWEST_ISLANDS = 32
_ISLANDS_PER_SHAPE = 50
_BATCH_VARIABLES = 64
_BATCH_ISLANDS = 16


def lookout(compiled: NativeModel, options: Options) -> Staggered | None:
    """What makes a run stop in favour of independent subsystems; None where these would be of no use."""
    model = compiled.reduced
    if model.events is None or _size(model) < _SMALLEST or not _is_suited(compiled, options):
        return None
    return _Lookout(compiled)


def _size(model: ReducedModel) -> float:
    """What a step costs, in unknowns."""
    return len(model.unknowns) + _A_RELATION * model.relation_count


def _is_suited(compiled: NativeModel, options: Options) -> bool:
    """Whether parts could be run by themselves at all: external code may have internal state, for instance."""
    model = compiled.reduced
    plain = not has_delays(compiled) and not depends_on_point(compiled) and model.flat.tangents is None
    code = (table for tables in compiled.native.tables.values() for table in tables)
    return plain and options.chattering == "stop" and not any(isinstance(table, Pointer) for table in code)


class _Lookout:
    """Looks at the events of a run."""

    def __init__(self, compiled: NativeModel) -> None:
        self.compiled = compiled
        self.seen = 0
        self.next = _FIRST_LOOK

    def __call__(self, log: list[Happened]) -> bool:
        if len(log) < self.next:
            return False
        recent = log[self.seen :]
        self.seen = len(log)
        self.next = _NEXT_LOOK * self.next
        owners = _owners(self.compiled)
        if owners is None:
            return False
        active = sum(
            len(np.unique(np.concatenate([owners[0][event.fired], owners[1][event.switched]]))) for event in recent
        )
        size = _size(self.compiled.reduced)
        unknowns = max(len(self.compiled.reduced.unknowns), 1)
        batch = _BATCH_VARIABLES * size / unknowns
        if active * (_AN_EVENT + batch) >= _WORTH * len(recent) * (_AN_EVENT + size):
            return False
        return plan(self.compiled) is not None


def _islands(compiled: NativeModel) -> tuple[IntArray, tuple[Shape, ...]] | None:
    """The islands, unless they are few or of too many shapes: each shape is compiled."""
    return compiled.derived(_find_islands)


def _find_islands(compiled: NativeModel) -> tuple[IntArray, tuple[Shape, ...]] | None:
    found = islands(compiled.flat)
    count = sum(shape.count for shape in found[1]) if found is not None else 0
    few = count < _FEWEST_ISLANDS
    return None if found is None or few or len(found[1]) > max(4, count // _ISLANDS_PER_SHAPE) else found


def _owners(compiled: NativeModel) -> tuple[IntArray, IntArray] | None:
    """The island of each condition and of each relation."""
    return compiled.derived(_find_owners)


def _find_owners(compiled: NativeModel) -> tuple[IntArray, IntArray] | None:
    found = _islands(compiled)
    flat = compiled.flat
    events = compiled.reduced.events
    if found is None or events is None:
        return None
    first, total = statement_numbers(flat)
    island = np.zeros(total, np.int64)
    for (name, k), begin in first.items():
        group = getattr(flat, name)[k]
        slot = next((s for s, info in enumerate(group.template.slots) if not info.parameter), 0)
        island[begin : begin + group.rows] = found[0][group.bindings[:, slot]] if group.rows else 0
    values = (events.conditions, events.relations.differences)
    return tuple(island[statements_of(flat, each)] for each in values)  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class Fleet:
    """Batches of one size of islands of one shape: one compiled model, the names in it are those of the first batch."""

    compiled: NativeModel
    shape: Shape
    members: IntArray  # islands of the shape: batch, island
    maps: Maps


def plan(compiled: NativeModel) -> tuple[Fleet, ...] | None:
    """How to run the islands; None where they cannot be joined again."""
    return compiled.derived(_make_plan)


def _make_plan(compiled: NativeModel) -> tuple[Fleet, ...] | None:
    found = _islands(compiled)
    if found is None:
        return None
    try:
        fleets = [fleet for shape in found[1] for fleet in _fleets(compiled, shape)]
    except MismatchError:
        return None
    indices = np.concatenate([fleet.maps.unknowns.ravel() for fleet in fleets])
    complete = len(indices) == len(compiled.reduced.unknowns) == len(np.unique(indices))
    return tuple(fleets) if complete else None


def _fleets(compiled: NativeModel, shape: Shape) -> Iterator[Fleet]:
    """Batches of as many islands as are best run together, and one of those that are left."""
    size = int(np.clip(_BATCH_VARIABLES // shape.variables.shape[1], 1, min(_BATCH_ISLANDS, shape.count)))
    whole = shape.count // size * size
    for members in (np.arange(whole).reshape(-1, size), np.arange(whole, shape.count).reshape(1, -1)):
        if members.size:
            yield _fleet(compiled, shape, members)


def _fleet(compiled: NativeModel, shape: Shape, members: IntArray) -> Fleet:
    made = compiled.recompiler.compile(cut(compiled.flat, shape, members[0]))
    count = len(members)
    batches = Batches(
        shape.variables[members].reshape(count, -1),
        shape.parameters[members].reshape(count, -1),
        {key: rows[members].reshape(count, -1) for key, rows in shape.rows.items()},
    )
    return Fleet(made, shape, members, maps(compiled.reduced, made.reduced, batches))


@dataclass(frozen=True, eq=False)
class Work:
    """What a run by islands starts from; it runs any batch, at any output times, as often as asked."""

    whole: NativeModel
    options: Options
    start: RunStart

    def first_run(self, fleet: Fleet, batch: int) -> Solution:
        """A batch with its assertions judged; one that fails is run again under its own names."""
        try:
            solution = self.run(fleet, batch)
            if is_judged(self.whole):
                solution = judged(replace(solution, _reduced=self._named(fleet, batch)))
        except TellegenError:
            solution = None
        if solution is not None and solution.outcome.ok:
            return solution
        again = self.run_under_own_names(fleet, batch)
        return judged(again) if is_judged(self.whole) else again

    def run(
        self, fleet: Fleet, batch: int, points: FloatArray | None = None, compiled: NativeModel | None = None
    ) -> Solution:
        """A batch as it comes out, at any output times."""
        options = self.options if points is None else replace(self.options, points=points)
        point = Point(self.start.point.t, self.start.point.p[fleet.maps.indices[batch]])
        start = RunStart(point, _some(self.start.starts, fleet, batch), self.start.steady)
        return one_run(compiled or fleet.compiled, options, start)

    def run_under_own_names(self, fleet: Fleet, batch: int) -> Solution:
        """A batch as it comes out; what is reported of it has the names of its own islands."""
        return self.run(fleet, batch, compiled=self.whole.recompiler.compile(self._named(fleet, batch).flat))

    def _named(self, fleet: Fleet, batch: int) -> ReducedModel:
        """The model of a batch with the names of its own islands."""
        flat = cut(self.whole.flat, fleet.shape, fleet.members[batch])
        return replace(fleet.compiled.reduced, flat=flat)


def _some(first: Starts, fleet: Fleet, batch: int) -> Starts:
    """The start values of a batch."""
    mine = fleet.maps.unknowns[batch]
    source = np.where(first.source[mine] >= 0, fleet.compiled.reduced.written, -1)
    columns = {name: getattr(first, name)[mine] for name in ("value", "fixed", "cost", "wanted", "promised")}
    scales = Scales(first.scales.size[mine], first.scales.is_declared[mine])
    return Starts(**columns, scales=scales, source=source, states_alone=first.states_alone)


def run_by_islands(compiled: NativeModel, options: Options, start: RunStart) -> Solution:
    """The solution, joined from those of the islands; where one ends early the whole ends there."""
    fleets = plan(compiled)
    assert fleets is not None
    work = Work(compiled, options, start)
    batches = [(fleet, batch) for fleet in fleets for batch in range(len(fleet.members))]
    pieces: list[Piece] = []
    ended: Outcome | None = None
    watch = Watch(
        compiled.flat.name, 0.0, float(len(batches)), budget=options.max_steps, words="subsystem {t:.0f} of {stop:.0f}"
    )
    with watch:
        for k, (fleet, batch) in enumerate(batches):
            solution = work.first_run(fleet, batch)
            pieces.append(Piece(fleet, batch, solution))
            outcome = solution.outcome
            if not outcome.ok or outcome.time < options.stop:
                ended = outcome if ended is None or outcome.time < ended.time else ended
            if watch.seen(0, float(k), len(pieces), True) == Flag.INTERRUPTED:
                ended = from_flag(Flag.INTERRUPTED, options.start)
                break
    stats = _stats(pieces, len(batches))
    pieces += [Piece(fleet, batch, None) for fleet, batch in batches[len(pieces) :]]
    return join(work, pieces, ended or success(options.stop), stats)


def _stats(pieces: list[Piece], batches: int) -> dict[str, Any]:
    """What the runs counted, together."""
    each = [piece.solution.stats for piece in pieces if piece.solution is not None]
    names = {name for stats in each for name, value in stats.items() if isinstance(value, int | float)}
    total: dict[str, Any] = {name: sum(stats.get(name, 0) for stats in each) for name in sorted(names)}
    if "drift" in total:
        total["drift"] = max(stats.get("drift", 0.0) for stats in each)
    islands_run = sum(len(piece.fleet.members[piece.batch]) for piece in pieces)
    reason = (
        f"{islands_run} independent subsystems with events one at a time, integrated separately in {batches} batches"
    )
    return {**total, "solver": each[0]["solver"], "solver_reason": f"{reason}; {each[0]['solver_reason']}"}
