"""How residuals change with what is given from outside, and parameters with others -> entry points of their own.

    known_jacobian(t; y, yp, p, values)      dF/dp on a pattern with a column for each element of p, the last: dF/dt
    parameter_slopes(t; y, yp, p, values)    the derivatives of computed parameters by those they are computed from

An element that events assign has a column too: it is constant between events, and nobody asks for its column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.codegen.events import as_number
from tellegen.codegen.lower import Operands
from tellegen.codegen.shared_calls import share_calls
from tellegen.dataflow.rows import indices_of
from tellegen.ir.expressions.expr import Const, Expr, Slot, Time, walk
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.program import Entry, Int32Array, Loop, Pattern, Program, Store
from tellegen.ir.reduced import KNOWN, PARAMETER, LinearRows, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.build import is_zero
from tellegen.symbolic.partial import partials

KNOWN_JACOBIAN = "known_jacobian"
PARAMETER_SLOPES = "parameter_slopes"
_ARRAYS = ("y", "yp", "p", "values")


@dataclass(frozen=True, eq=False)
class Slopes:
    """Of computed parameters: value k is the derivative of parameter target[k] by source[k], in order of evaluation."""

    target: Int32Array
    source: Int32Array


@dataclass(frozen=True, eq=False)
class KnownJacobian:
    """The two entries, and what their values are."""

    program: Program
    pattern: Pattern
    slopes: Slopes


def known_jacobian(model: ReducedModel) -> KnownJacobian:
    """See the top of this file."""
    columns = model.parameter_indices + 1
    parts: list[_Part | _SumPart] = [
        _part(model, group, offset + np.arange(group.rows), columns - 1)
        for offset, group in zip(model.offsets, model.groups, strict=False)
    ]
    parts.append(_sums(model, model.linear))
    pattern, positions = _pattern(parts, (model.equation_count, columns))
    loops: list[Loop] = []
    for part, mine in zip(parts, positions, strict=True):
        loops += part.loops(mine)
    slopes, slope_loops = _slopes(model.flat)
    entries = (
        Entry(KNOWN_JACOBIAN, ("t",), _ARRAYS, tuple(share_calls(loops))),
        Entry(PARAMETER_SLOPES, ("t",), _ARRAYS, slope_loops),
    )
    empty = Pattern((0, 0), np.zeros(1, np.int32), np.zeros(0, np.int32))
    program = Program({entry.name: entry for entry in entries if entry.loops}, len(model.unknowns), pattern, 0, empty)
    return KnownJacobian(program, pattern, slopes)


@dataclass(frozen=True, eq=False)
class _Part:
    """Entries of rows that look alike: their numbers, and for each derivative its expression and its columns."""

    rows: Any
    kinds: tuple[str, ...]
    indices: Any  # (rows, slots)
    derivatives: tuple[Expr, ...]
    columns: Any  # (rows, derivatives)

    def loops(self, positions: Any) -> list[Loop]:
        """What computes them; positions[row, k] is where derivative k of a row goes."""
        if not self.derivatives or not len(self.rows):
            return []
        operands = Operands(self.kinds)
        slots = self.indices.shape[1]
        stores = tuple(Store("values", slots + k, operands.of(each)) for k, each in enumerate(self.derivatives))
        table = np.ascontiguousarray(np.column_stack([self.indices, positions]), np.int32)
        return [Loop(table, operands.all(), stores)]


def _part(model: ReducedModel, group: ReducedGroup, rows: Any, time_column: int) -> _Part:
    """The derivatives of a group of rows by the elements of p they read, and by time."""
    nodes = list(walk(group.residual))
    given = [n for n in nodes if isinstance(n, Slot) and group.kinds[n.index] in (PARAMETER, KNOWN)]
    times = [n for n in nodes if isinstance(n, Time)]
    found = [(leaf, each) for leaf, each in partials(group.residual, [*given, *times]).items() if not is_zero(each)]
    indices = indices_of(model, group)
    columns = [
        np.full(len(rows), time_column) if isinstance(leaf, Time) else indices[:, leaf.index] for leaf, _ in found
    ]
    stacked = np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0), np.int64)
    return _Part(rows, group.kinds, indices, tuple(each for _, each in found), stacked)


def _sums(model: ReducedModel, sums: LinearRows) -> _SumPart:
    """The entries of Kirchhoff sums that are given."""
    index = model.known_position[sums.indices]
    chosen = (model.position[sums.indices] < 0) & (index >= 0)
    first = model.equation_count - sums.rows
    return _SumPart(first + sums.row_of_entry[chosen], index[chosen][:, None], sums.weights[chosen])


@dataclass(frozen=True, eq=False)
class _SumPart:
    """Entries that are numbers."""

    rows: Any
    columns: Any
    weights: Any

    def loops(self, positions: Any) -> list[Loop]:
        """One for each weight that occurs."""
        found = []
        for weight in np.unique(self.weights):
            table = np.ascontiguousarray(positions[self.weights == weight], np.int32)
            found.append(Loop(table, (), (Store("values", 0, Const(float(weight))),)))
        return found


def _pattern(parts: list[_Part | _SumPart], shape: tuple[int, int]) -> tuple[Pattern, list[Any]]:
    """The pattern of all entries, and per part where each of them went."""
    rows = np.concatenate([np.zeros(0, np.int64), *(np.repeat(part.rows, part.columns.shape[1]) for part in parts)])
    columns = np.concatenate([np.zeros(0, np.int64), *(part.columns.ravel() for part in parts)])
    pattern, order = Pattern.of(rows, columns, shape)
    positions = np.empty(len(order), np.int64)
    positions[order] = np.arange(len(order))
    ends = np.cumsum([part.columns.size for part in parts])
    split = [each.reshape(part.columns.shape) for part, each in zip(parts, np.split(positions, ends[:-1]), strict=True)]
    return pattern, split


def _slopes(flat: FlatModel) -> tuple[Slopes, tuple[Loop, ...]]:
    """The derivatives of computed parameters, group by group."""
    target = [np.zeros(0, np.int32)]
    source = [np.zeros(0, np.int32)]
    loops = []
    count = 0
    for group in flat.parameter_bindings:
        found = _slopes_of(group)
        if not group.rows or not found:
            continue
        rows = group.bindings
        places = count + np.arange(group.rows * len(found)).reshape(group.rows, len(found))
        count += places.size
        operands = Operands((PARAMETER,) * rows.shape[1])
        width = rows.shape[1]
        stores = tuple(Store("values", width + k, operands.of(each)) for k, (_, each) in enumerate(found))
        table = np.ascontiguousarray(np.column_stack([rows, places]), np.int32)
        loops.append(Loop(table, operands.all(), stores))
        target.append(np.repeat(rows[:, 0], len(found)))
        source.append(rows[:, [slot for slot, _ in found]].ravel())
    slopes = Slopes(*(np.concatenate(each).astype(np.int32) for each in (target, source)))
    return slopes, tuple(loops)


def _slopes_of(group: Group) -> list[tuple[int, Expr]]:
    """The slots of a binding that its value depends on, and the derivatives by them."""
    assert isinstance(group.template, ValueTemplate)
    value = as_number(group.template.value)
    leaves = [node for node in walk(value) if isinstance(node, Slot)]
    return [(leaf.index, each) for leaf, each in partials(value, leaves).items() if not is_zero(each)]
