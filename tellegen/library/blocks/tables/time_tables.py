"""Signals given by points in time. Corners are instants that the integrator hits without search.

Between two corners the signal is one polynomial, whose coefficients are looked up when a corner is passed: a table of
ten thousand points costs no more per step than one of two, and a jump is seen from the left before and from the right
after.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.declarations.interpolate import KINDS, table_of
from tellegen.library.blocks.interfaces import Source, Statements, shape_of
from tellegen.library.blocks.tables.table_data import EXTRAPOLATIONS, checked, count_columns, matrix, read_table

NEVER = 1e300
_END = 1e-9  # of the length of a table: a run that stops at its last point does not go beyond it


class TimeCurves(tg.Component):
    """Curves over common times: a base that keeps the polynomial of the present piece."""

    columns = tg.parameter(1, structural=True, description="number of curves")
    smoothness = tg.parameter("linear", structural=True, description=f"between the points: {', '.join(KINDS)}")
    extrapolation = tg.parameter("extend", structural=True, description=f"outside: {', '.join(EXTRAPOLATIONS)}")
    verbose_extrapolation = tg.parameter(True, structural=True, description="warn where curves are extended")
    offset = tg.parameter(0.0, description="added to the curves; the value before start_time", shape=columns)
    start_time = tg.parameter(0.0, "s", "the curves begin here: before it there is the offset alone")
    shift_time = tg.parameter(start_time, "s", "time 0 of the table")
    piece = tg.variable("1", "pieces so far", discrete=True, start=0.0)
    begin = tg.variable("s", "begin of the present piece", discrete=True, start=0.0)
    next = tg.variable("s", "end of the present piece", discrete=True, start=0.0)
    c = tg.variable(shape=(4, columns), description="its coefficients", discrete=True, start=0.0)

    def points(self) -> Any:
        """Rows of time and values, in seconds and SI units."""
        raise NotImplementedError

    def curves(self) -> list[Any]:
        """The values of all curves at the present time."""
        since = tg.time - self.begin
        c = self.c
        values = [c[0, k] + since * (c[1, k] + since * (c[2, k] + since * c[3, k])) for k in range(self.columns)]
        return [self.offset[k] + tg.where(tg.time < self.start_time, 0.0, value) for k, value in enumerate(values)]

    def equations(self) -> Statements:
        """What changes at a corner. At the start of a run it may lie in the middle of a piece."""
        checked(self)
        data = matrix(self, self.points(), self.columns + 1)
        times = data[:, 0]
        periodic = self.extrapolation == "periodic"
        how = "extend" if self.extrapolation == "error" else self.extrapolation
        tables = [table_of((times,), values, self.smoothness, how) for values in data[:, 1:].T]
        pieces = np.arange(float(len(times) + 1))
        count = len(times) - 1.0

        def at(piece: tg.Expression, values: Any) -> Any:
            return tg.interpolate(piece, pieces, values, kind="constant")

        t = tg.time - self.shift_time
        span = times[-1] - times[0]
        cycle = tg.no_event(tg.floor((t - times[0]) / span + 1e-12)) if periodic else 0.0
        passed = tg.interpolate(t - cycle * span, np.append(times[:1] - 1.0, times), pieces, kind="constant")
        if periodic:
            passed = tg.minimum(tg.maximum(passed, 1.0), count) + cycle * count
        piece = tg.where(tg.initial(), passed, tg.maximum(passed, tg.pre(self.piece) + 1.0))
        round_ = tg.no_event(tg.floor((self.piece - 0.5) / count)) if periodic else 0.0
        local = self.piece - round_ * count
        shift = self.shift_time + round_ * span
        actions = [
            self.piece == piece,
            self.begin == shift + at(local, np.append(times[:1], times)),
            self.next == tg.where(at(local, pieces) > count + 0.5, NEVER, shift + at(local, np.append(times, 0.0))),
        ]
        for k, table in enumerate(tables):
            for j in range(4):
                known = j < table.coefficients.shape[1]
                actions.append(self.c[j, k] == (at(local, table.coefficients[:, j]) if known else 0.0))
        yield tg.when((tg.time >= self.next) | tg.initial(), *actions)
        if self.extrapolation == "extend" and self.smoothness != "constant" and self.verbose_extrapolation:
            yield from self._extended(t, data)
        if self.extrapolation == "error":
            inside = (t >= times[0]) & (t <= times[-1])
            yield tg.assert_(inside, f"the table holds from {times[0]:g} s to {times[-1]:g} s")  # noqa: PT009

    def _extended(self, t: Any, data: Any) -> Statements:
        """Warnings where a curve that rises or falls at its end goes on doing so; a level end says nothing new."""
        times = data[:, 0]
        margin = _END * (times[-1] - times[0])
        if len(times) > 1 and times[-1] > times[-2] and (data[-1, 1:] != data[-2, 1:]).any():
            message = f"the table ends at {times[-1]:g} s and is extended with its last slope"
            yield tg.region(t <= times[-1] + margin, message)
        if len(times) > 1 and times[1] > times[0] and (data[0, 1:] != data[1, 1:]).any():
            message = f"the table begins at {times[0]:g} s and is extended with its first slope"
            yield tg.region((t >= times[0] - margin) | (tg.time < self.start_time), message)


class TimeTable(Source, TimeCurves):
    """A curve through points; two points at one time are a jump. Outside, the straight line continues by default."""

    times = tg.parameter((0.0, 1.0), structural=True, description="times of the points in seconds, rising")
    values = tg.parameter((0.0, 1.0), structural=True, description="values at these times")

    def points(self) -> Any:
        if shape_of(self.times) != shape_of(self.values):
            what = f"{len(self.times)} times for {len(self.values)} values"
            raise tg.DataError("E702", what, location=self._location, advice="as many values as times")
        return np.column_stack([self.times, self.values])

    def equations(self) -> Statements:
        yield self.y == self.curves()[0]


class Table(TimeTable):
    """A TimeTable that keeps its last value after the points, and from start_time on its first value before them.

    Before start_time there is the offset alone, 0 by default: like the tables and all other sources of the Modelica
    Standard Library, it begins at start_time. Times of points count from shift_time, which is start_time unless given;
    so a table that is to begin late, with its first value before, has its shift_time set and not its start_time.
    """

    extrapolation = tg.parameter("hold", structural=True, description=f"outside: {', '.join(EXTRAPOLATIONS)}")


class CombiTimeTable(TimeCurves):
    """Several curves from a matrix, whose first column is the time, or from a file; y is a vector."""

    table = tg.parameter(((0.0, 0.0), (1.0, 1.0)), structural=True, description="rows of time and values")
    file = tg.parameter("", structural=True, description="instead: a .csv, .txt, .mat, .npy or .npz file")
    table_name = tg.parameter("", structural=True, description="name of the matrix in the file")
    y = tg.output(shape=TimeCurves.columns, description="values of the curves")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        super().__init__(*unnamed, **given)
        count_columns(self, given)

    def points(self) -> Any:
        return read_table(self.file, self.table_name, self._location) if self.file else self.table

    def equations(self) -> Statements:
        yield self.y == self.curves()
