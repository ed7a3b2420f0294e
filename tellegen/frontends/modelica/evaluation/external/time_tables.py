"""ModelicaStandardTables_CombiTimeTable: tables over time, with events where values jump.

The block keeps the instant of its next event in a discrete variable. Between events it must not show what comes after
the next one, although an integrator looks a little ahead. So the piece of the table that is in force is selected by
the instant of the next event, not by time alone:

    time    0      1      2                 next event <= 1:  the line from 0 to 1, extended beyond 1
    value   0 ---- 1|3 -- 4                 next event >  1:  the line from 1 to 2
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.interpolation import (
    Extrapolation,
    Floats,
    Smoothness,
    moved,
    pieces,
)
from tellegen.frontends.modelica.evaluation.external.tables import (
    check_rising,
    column_of,
    extrapolation_of,
    literally,
    look_up,
    matrix_of,
    rounded,
    smoothness_of,
)
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.scalars import add, choose, multiply, subtract
from tellegen.frontends.modelica.values.value import ExternalObject, Scalar
from tellegen.ir.expressions.table import Table
from tellegen.start.records import dataclass

NEVER = 1.7976931348623157e308  # Modelica.Constants.inf
_PASSED = 1e-12  # of an instant: time this close to an event has reached it
_CELLS = 1_000_000  # of a table by next event and time; larger ones go by time alone
_NO_TIME_EVENTS = 3
_AT_DISCONTINUITIES = 2


@dataclass(frozen=True, eq=False)
class TimeTable:
    """The points of a time table and when it has events, in the time of its first column."""

    times: Floats
    start: float  # of the output, which is zero before
    shift: float
    smoothness: Smoothness
    extrapolation: Extrapolation
    events: Floats

    @property
    def period(self) -> float:
        """From the first to the last point; zero where the table is not periodic."""
        is_periodic = self.extrapolation is Extrapolation.PERIODIC and len(self.times) > 1
        return float(self.times[-1] - self.times[0]) if is_periodic else 0.0

    @property
    def jumps(self) -> Floats:
        """Where its value may be different on both sides."""
        if self.smoothness is Smoothness.CONSTANT:
            return self.events
        return np.intersect1d(self.times[1:][np.diff(self.times) == 0], self.events)


@lru_cache(maxsize=256)
def _time_table(table: ExternalObject, store: Store) -> TimeTable:
    times = matrix_of(table, store)[:, 0]
    smoothness = smoothness_of(table)
    check_rising(times, strictly=smoothness not in (Smoothness.LINEAR, Smoothness.CONSTANT))
    kind: Any = table.arguments["timeEvents"]
    extrapolation = extrapolation_of(table)
    events = np.unique(times) if len(times) > 1 else times[:0]
    if kind.ordinal == _NO_TIME_EVENTS:
        events = events[[0, -1]] if len(events) else events
    elif kind.ordinal == _AT_DISCONTINUITIES:
        events = np.unique([times[0], *times[1:][np.diff(times) == 0], times[-1]])
    start: Any = table.arguments["startTime"]
    shift: Any = table.arguments["shiftTime"]
    return TimeTable(times, float(start), float(shift), smoothness, extrapolation, events)


def next_time_event(store: Store, table: ExternalObject, t: Scalar) -> Scalar:
    """The first event after an instant."""
    found = _time_table(table, store)
    local = subtract(t, found.shift)
    periods: Scalar = 0.0
    if found.period:
        distance = subtract(local, float(found.times[0]) - _PASSED * found.period)
        periods = rounded("floor", distance, found.period)
        local = subtract(local, multiply(periods, found.period))
    following = look_up(_next_events(found), local)
    after = choose(
        literally("<", following, NEVER / 2), add(following, add(multiply(periods, found.period), found.shift)), NEVER
    )
    return choose(literally("<", t, found.start - _tolerance(found.start)), found.start, after)


def _next_events(table: TimeTable) -> Table:
    """The first event after an instant, as a table of constant pieces."""
    events = table.events if not table.period else table.events[table.events > table.times[0]]
    if not len(events):
        return Table((np.zeros(1),), np.array([[NEVER, 0.0], [NEVER, 0.0]]), "next event")
    reached = events - _PASSED * np.maximum(1.0, np.abs(events))
    following = np.append(events, NEVER)
    return Table((reached,), np.column_stack([following, np.zeros(len(following))]), "next event")


def _tolerance(instant: float) -> float:
    return _PASSED * max(1.0, abs(instant))


def value_at_time(
    store: Store, table: ExternalObject, number: Scalar, t: Scalar, next_event: Scalar, pre_next_event: Scalar
) -> Scalar:
    """The value of one column at an instant, as seen before the next event."""
    _ = pre_next_event
    found = _time_table(table, store)
    local = subtract(t, found.shift)
    following = subtract(next_event, found.shift)
    if found.period:
        first = float(found.times[0])
        distance = subtract(following, first + _PASSED * found.period)
        periods = multiply(rounded("floor", distance, found.period), found.period)
        local = subtract(local, periods)
        following = subtract(following, periods)
    values = column_of(table, number, matrix_of(table, store))
    value = _selected(found, values, local, following)
    started = literally(">", next_event, found.start + _tolerance(found.start))
    return choose(started, value, 0.0)


def _selected(table: TimeTable, values: Floats, local: Scalar, following: Scalar) -> Scalar:
    """The value at a local time while the next event is the one given, also in local time."""
    coefficients = pieces(table.times, values, table.smoothness, table.extrapolation)
    jumps = table.jumps
    if not len(jumps) or (len(jumps) + 1) * coefficients.size > _CELLS:
        return look_up(Table((table.times,), coefficients, "table"), local)
    regions = np.stack([_region(table.times, coefficients, *limits) for limits in _between(jumps)])
    if table.smoothness is Smoothness.CONSTANT:
        inner = np.column_stack([[_held(table, values, first) for first, _ in _between(jumps)], np.zeros(len(regions))])
        return look_up(Table((_selectors(table, jumps),), inner, "table"), following)
    by_both = np.zeros((len(regions), len(table.times) + 1, 2, coefficients.shape[1]))
    by_both[:, :, 0, :] = regions
    return look_up(Table((_selectors(table, jumps), table.times), by_both, "table"), following, local)


def _between(jumps: Floats) -> list[tuple[float, float]]:
    """The intervals before, between and after the jumps."""
    limits = [-np.inf, *jumps, np.inf]
    return list(pairwise(limits))


def _selectors(table: TimeTable, jumps: Floats) -> Floats:
    """Next events at or before these limits come before the jump: halfway from each jump to the event after it."""
    later = np.append(table.events, NEVER)
    following = later[np.searchsorted(later, jumps, side="right")]
    return jumps + np.minimum((following - jumps) / 2, 1.0)


def _held(table: TimeTable, values: Floats, jump: float) -> float:
    """The constant value from a jump to the next one."""
    row = int(np.searchsorted(table.times, jump, side="right")) - 1
    return float(values[max(row, 0)])


def _region(times: Floats, coefficients: Floats, first: float, last: float) -> Floats:
    """The pieces between two jumps; the outermost of them are extended over all times beyond."""
    left = max(int(np.searchsorted(times, first, side="right")), 0)
    right = int(np.searchsorted(times, last, side="left"))
    origins = times[np.maximum(np.arange(len(times) + 1) - 1, 0)]
    rows = np.clip(np.arange(len(times) + 1), left, right)
    return np.stack([moved(coefficients[row], origins[k] - origins[row]) for k, row in enumerate(rows)])


def limits_of_time(store: Store, table: ExternalObject) -> Floats:
    """The first and the last instant."""
    return _time_table(table, store).times[[0, -1]]
