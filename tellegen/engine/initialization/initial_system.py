"""The equations at the initial time as a square system in the unknowns that are free."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import System
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import BoolArray, Wanted


class Point(NamedTuple):
    """Time and the numbers held fixed."""

    t: float
    p: FloatArray


class Free(NamedTuple):
    """Which values and which derivatives of the unknowns are solved for."""

    values: BoolArray
    rates: BoolArray


class Layout:
    """Where the derivatives of equations by free unknowns stand: the same for all points of a model."""

    def __init__(self, model: NativeModel, free: Free, kept: BoolArray | None = None) -> None:
        self.model = model
        self.free = free
        self.values, self.rates = (np.flatnonzero(part) for part in free)
        size = len(free.values)
        if kept is None:
            extra = model.program.initial_size if len(self.values) + len(self.rates) > size else 0
            kept = np.ones(model.program.size + extra, bool)
        self.kept = kept
        self.extra = len(kept) - model.program.size
        self.rows = np.flatnonzero(self.kept)

    @cached_property
    def _all_entries(self) -> tuple[Any, Any, Any]:
        """Row, column and presence of all derivatives, by values (columns from 0), then by rates (columns from n)."""
        program = self.model.program
        patterns = [program.pattern, *([program.initial_pattern] if self.extra else [])]
        rows = np.concatenate([first + p.indices for first, p in zip((0, program.size), patterns, strict=False)])
        columns = np.concatenate([p.column_of_entry for p in patterns])
        present = [getattr(p, name) for name in ("by_value", "by_rate") for p in patterns]
        return np.tile(rows, 2), np.concatenate([columns, len(self.free.values) + columns]), np.concatenate(present)

    @cached_property
    def chosen(self) -> Any:
        """The derivatives by free unknowns, in the order of the pattern."""
        rows, columns, present = self._all_entries
        position = self._position
        chosen = np.flatnonzero((position[columns] >= 0) & present & self.kept[rows])
        return chosen[np.lexsort((rows[chosen], position[columns[chosen]]))]

    @cached_property
    def _position(self) -> Any:
        """The number of the free unknown in each column, -1 where it is held."""
        position = np.full(2 * len(self.free.values), -1)
        position[np.concatenate([self.values, len(self.free.values) + self.rates])] = np.arange(
            len(self.values) + len(self.rates)
        )
        return position

    @cached_property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        rows, columns, _ = self._all_entries
        free = len(self.values) + len(self.rates)
        counts = np.bincount(self._position[columns[self.chosen]], minlength=free)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        number = np.cumsum(self.kept) - 1
        return Pattern((len(self.rows), free), indptr, number[rows[self.chosen]].astype(np.int32))


class InitialSystem(System):
    """The equations at the initial time as a square system in the unknowns that are free.

    As many unknowns as equations without the initial ones: a steady state was asked for in their place. `kept` leaves
    out equations (initial ones come last, if they belong to the system).
    """

    def __init__(
        self, model: NativeModel, point: Point, y: FloatArray, free: Free, kept: BoolArray | None = None
    ) -> None:
        self._begin(model, point, y, Layout(model, free, kept))

    def _begin(self, model: NativeModel, point: Point, y: FloatArray, layout: Layout) -> None:
        self.model = model
        self.point = point
        self.y = y.copy()
        self.yp = np.zeros(len(y))
        self._layout = layout
        self.free = layout.free
        self.values = layout.values
        self.rates = layout.rates
        self.kept = layout.kept
        self.extra = layout.extra
        self.rows = layout.rows

    @classmethod
    def of_layout(cls, model: NativeModel, point: Point, y: FloatArray, layout: Layout) -> InitialSystem:
        """A system whose layout is known from another one."""
        made = cls.__new__(cls)
        made._begin(model, point, y, layout)
        return made

    def at(self, point: Point) -> InitialSystem:
        """The same unknowns with other numbers held fixed."""
        other = copy(self)
        other.point = point
        other.y = self.y.copy()
        other.yp = self.yp.copy()
        return other

    def assign(self, u: FloatArray) -> None:
        """Put the free unknowns into y and y'."""
        self.y[self.values] = u[: len(self.values)]
        self.yp[self.rates] = u[len(self.values) :]

    @property
    def free_values(self) -> FloatArray:
        """The free unknowns as they are in y and y'."""
        return np.concatenate([self.y[self.values], self.yp[self.rates]])

    def residual(self, u: FloatArray) -> FloatArray:
        """Equations, then initial equations."""
        self.assign(u)
        own = self.model.residual(self.point.t, self.y, self.yp, self.point.p)
        if self.extra:
            extra = np.zeros(self.extra)
            self.model.entries["initial_residual"](self.point.t, self.y, self.yp, self.point.p, extra)
            own = np.concatenate([own, extra])
        return own[self.rows]

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Derivatives with respect to the free unknowns, on `pattern`."""
        self.assign(u)
        program = self.model.program
        blocks = [("jacobian", program.pattern)]
        if self.extra:
            blocks.append(("initial_jacobian", program.initial_pattern))
        parts = []
        for weights, free in (((1.0, 0.0), self.values), ((0.0, 1.0), self.rates)):
            for name, pattern in blocks:
                parts.append(np.zeros(pattern.count))
                if len(free):
                    self.model.entries[name](self.point.t, *weights, self.y, self.yp, self.point.p, parts[-1])
        return np.concatenate(parts)[self.chosen]

    @property
    def chosen(self) -> Any:
        """The derivatives by free unknowns, in the order of the pattern."""
        return self._layout.chosen

    @property
    def wanted(self) -> Wanted:
        """The column of every unknown that is free."""
        return Wanted.of(*self.free)

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self._layout.pattern
