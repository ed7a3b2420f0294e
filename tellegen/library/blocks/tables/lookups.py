"""Tables of one and two arguments: curves and surfaces through points, from arrays and files.

They are looked up natively, with exact derivatives (see tg.interpolate). Outside the points the straight line that
touches the end continues, unless `extrapolation` says otherwise; "error" ends a run where a table is left, and
verbose_extrapolation=True warns of it.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.declarations.interpolate import KINDS, SURFACES
from tellegen.library.blocks.interfaces import SI2SO, SISO, Statements
from tellegen.library.blocks.tables.table_data import EXTRAPOLATIONS, checked, count_columns, matrix, read_table


class Lookup(tg.Component):
    """A table with what it is made of: a base."""

    table = tg.parameter(((0.0, 0.0), (1.0, 1.0)), structural=True, description="rows of an abscissa and its values")
    file = tg.parameter("", structural=True, description="instead: a .csv, .txt, .mat, .npy or .npz file")
    table_name = tg.parameter("", structural=True, description="name of the matrix in the file")
    smoothness = tg.parameter("linear", structural=True, description=f"between the points: {', '.join(KINDS)}")
    extrapolation = tg.parameter("extend", structural=True, description=f"outside: {', '.join(EXTRAPOLATIONS)}")
    verbose_extrapolation = tg.parameter(False, structural=True, description="warn when the table is left")

    @property
    def rows(self) -> Any:
        """The table, or that of the file."""
        return read_table(self.file, self.table_name, self._location) if self.file else self.table

    @property
    def outside(self) -> str:
        """How tg.interpolate extrapolates; "error" is an assertion, so that solvers may look beyond the end."""
        return "extend" if self.extrapolation == "error" else self.extrapolation

    def within(self, u: Any, positions: Any) -> Statements:
        """Statements that say when an argument leaves the table."""
        inside = (u >= positions[0]) & (u <= positions[-1])
        message = f"the table holds from {positions[0]:g} to {positions[-1]:g}"
        if self.extrapolation == "error":
            yield tg.assert_(inside, message)  # noqa: PT009
        elif self.verbose_extrapolation and self.extrapolation != "periodic":
            yield tg.region(inside, message)


class CombiTable1D(Lookup, SISO):
    """y is the curve through rows of (place, value) at u."""

    def equations(self) -> Statements:
        checked(self)
        rows = matrix(self, self.rows, 2)
        yield self.y == tg.interpolate(self.u, rows[:, 0], rows[:, 1], self.smoothness, self.outside)
        yield from self.within(self.u, rows[:, 0])


class CombiTable1Ds(Lookup):
    """Several curves at one argument: y[k] is column k + 1 of the table at u."""

    columns = tg.parameter(1, structural=True, description="number of curves, found from the table")
    u = tg.input(description="argument")
    y = tg.output(shape=columns, description="values of the curves")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        super().__init__(*unnamed, **given)
        count_columns(self, given)

    def equations(self) -> Statements:
        checked(self)
        rows = matrix(self, self.rows, self.columns + 1)
        for k in range(self.columns):
            yield self.y[k] == tg.interpolate(self.u, rows[:, 0], rows[:, k + 1], self.smoothness, self.outside)
        yield from self.within(self.u, rows[:, 0])


class CombiTable1Dv(Lookup):
    """Several curves, each at its own argument: y[k] is column k + 1 of the table at u[k]."""

    columns = tg.parameter(1, structural=True, description="number of curves, found from the table")
    u = tg.input(shape=columns, description="arguments")
    y = tg.output(shape=columns, description="values of the curves")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        super().__init__(*unnamed, **given)
        count_columns(self, given)

    def equations(self) -> Statements:
        checked(self)
        rows = matrix(self, self.rows, self.columns + 1)
        for k in range(self.columns):
            yield self.y[k] == tg.interpolate(self.u[k], rows[:, 0], rows[:, k + 1], self.smoothness, self.outside)
            yield from self.within(self.u[k], rows[:, 0])


class CombiTable2D(Lookup, SI2SO):
    """y is the surface at u1, u2: the first column of the table holds places of u1, the first row those of u2."""

    table = tg.parameter(
        ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
        structural=True,
        description="abscissas of u2 in the first row, of u1 in the first column, values in the rest",
    )
    smoothness = tg.parameter("linear", structural=True, description=f"between the points: {', '.join(SURFACES)}")

    def equations(self) -> Statements:
        checked(self, SURFACES)
        rows = matrix(self, self.rows)
        positions = rows[1:, 0], rows[0, 1:]
        yield self.y == tg.interpolate((self.u1, self.u2), positions, rows[1:, 1:], self.smoothness, self.outside)
        yield from self.within(self.u1, positions[0])
        yield from self.within(self.u2, positions[1])
