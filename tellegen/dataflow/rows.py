"""The residual rows of a ReducedModel sorted by what they look like, linear rows included.

    linear rows  i1 + i2 - i3 == 0,  i4 + i5 - i6 == 0     ->  one set of two rows with the residual  s0 + s1 - s2

Ordering and code for explicit evaluation want every row as an expression over slots. Short sums become sets of their
own; sums of many terms (a ground node with a thousand wires) stay lists of entries, so that no code depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tellegen.graph.arrays import distinct
from tellegen.graph.sets import distinct_rows, sorted_rows
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import (
    KNOWN,
    PARAMETER,
    UNKNOWN,
    BoolArray,
    Int32Array,
    LinearRows,
    ReducedGroup,
    ReducedModel,
    Wanted,
)
from tellegen.start.records import dataclass

SHORT = 8
"""Sums of up to so many terms are written out."""


@dataclass(frozen=True, eq=False)
class RowSet:
    """Rows with one residual. indices[r, s] is the index of slot s of row r: in y for unknowns, else in p."""

    residual: Expr
    kinds: tuple[str, ...]
    indices: Int32Array
    rows: IntArray  # their numbers in the ReducedModel

    @cached_property
    def leaves(self) -> tuple[Slot | Der, ...]:
        """Values and rates of unknowns that occur."""
        nodes = walk(self.residual)
        return tuple(n for n in nodes if isinstance(n, Slot | Der) and self.kinds[n.index] == UNKNOWN)

    def columns(self, leaf: Slot | Der, wanted: Wanted) -> Any:
        """Per row the column of the leaf among the unknowns to compute, -1 where it is given."""
        return (wanted.rate if isinstance(leaf, Der) else wanted.value)[self.indices[:, leaf.index]]

    def columns_of_leaves(self, wanted: Wanted) -> Any:
        """The same of all leaves: [leaf, row]."""
        found = np.empty((len(self.leaves), len(self.rows)), np.int64)
        is_rate = np.array([isinstance(leaf, Der) for leaf in self.leaves], bool)
        slots = np.array([leaf.index for leaf in self.leaves], np.int64)
        found[is_rate] = wanted.rate[self.indices[:, slots[is_rate]].T]
        found[~is_rate] = wanted.value[self.indices[:, slots[~is_rate]].T]
        return found

    def leaves_with(self, columns: Any, wanted: Wanted) -> Iterator[Slot | Der]:
        """The leaves that some row has in its column of these."""
        for k in np.flatnonzero((self.columns_of_leaves(wanted) == columns).any(axis=1)).tolist():
            yield self.leaves[k]


@dataclass(frozen=True, eq=False)
class LongSums:
    """Sums of many terms, entry by entry: weight * y[index] (or p[index] where the entry is known) in row `row`."""

    row: IntArray
    index: IntArray
    known: BoolArray
    weight: Any


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of a model."""

    sets: tuple[RowSet, ...]
    sums: LongSums
    constants: int  # entries of p before this one keep their numbers over a run; what events change comes after

    def occurrences(self, wanted: Wanted) -> tuple[Any, Any]:
        """Row and column of every occurrence of an unknown to compute."""
        rows: list[Any] = [np.zeros(0, np.int64)]
        columns: list[Any] = [np.zeros(0, np.int64)]
        for part in self.sets:
            found = part.columns_of_leaves(wanted)
            is_wanted = found >= 0
            rows.append(np.broadcast_to(part.rows, found.shape)[is_wanted])
            columns.append(found[is_wanted])
        column = self.columns_of_sums(wanted)
        return np.concatenate([*rows, self.sums.row[column >= 0]]), np.concatenate([*columns, column[column >= 0]])

    def only(self, kept: BoolArray) -> Rows:
        """Some of the rows, numbered through."""
        number = np.cumsum(kept) - 1
        parts = [(part, kept[part.rows]) for part in self.sets]
        sets = [
            RowSet(part.residual, part.kinds, part.indices[mine], number[part.rows[mine]])
            for part, mine in parts
            if mine.any()
        ]
        sums = self.sums
        mine = kept[sums.row]
        sums = LongSums(number[sums.row[mine]], sums.index[mine], sums.known[mine], sums.weight[mine])
        return Rows(tuple(sets), sums, self.constants)

    def columns_of_sums(self, wanted: Wanted) -> Any:
        """Per entry of the long sums its column among the unknowns to compute, -1 where it is given."""
        sums = self.sums
        if not len(wanted.value):
            return np.full(len(sums.row), -1)
        return np.where(sums.known, -1, wanted.value[np.where(sums.known, 0, sums.index)])


@dataclass(frozen=True, eq=False)
class _Found:
    """The rows of the models that have these equations and unknowns."""

    groups: tuple[ReducedGroup, ...]
    unknowns: Int32Array
    rows: Rows


_FOUND: WeakKeyDictionary[LinearRows, _Found] = WeakKeyDictionary()


def rows_of(model: ReducedModel, initial: bool = False) -> Rows:
    """See the top of this file; the initial equations follow if they are asked for.

    Models that differ in the order of their equations alone share their rows.
    """
    if initial:
        return _rows(model, initial)
    found = _FOUND.get(model.linear)
    if found is None or found.groups is not model.groups or found.unknowns is not model.unknowns:
        found = _FOUND[model.linear] = _Found(model.groups, model.unknowns, _rows(model, initial))
    return found.rows


def _rows(model: ReducedModel, initial: bool) -> Rows:
    groups = (*model.groups, *(model.initial if initial else ()))
    first = [*model.offsets[:-1], *(model.equation_count + np.cumsum([0, *(g.rows for g in model.initial)]))]
    sets = [
        RowSet(group.residual, group.kinds, indices_of(model, group), offset + np.arange(group.rows))
        for offset, group in zip(first, groups, strict=False)
        if group.rows
    ]
    linear = model.linear
    lengths = np.diff(linear.indptr)
    known = model.position[linear.indices] < 0
    index = np.where(known, model.known_position[linear.indices], model.position[linear.indices])
    # alike rows list their terms alike
    order = sorted_rows(np.stack([linear.row_of_entry, known, linear.weights, index], axis=1))
    known = known[order]
    index = index[order]
    weight = linear.weights[order]
    for length in distinct(lengths[lengths <= SHORT]):
        mine = np.flatnonzero(lengths == length)
        at = linear.indptr[mine][:, None] + np.arange(length)
        pattern = np.concatenate([known[at], weight[at]], axis=1)
        for row, chosen in distinct_rows(pattern):
            sets.append(_sum(row, index[at[chosen]], model.offsets[-1] + mine[chosen]))
    long = lengths[linear.row_of_entry] > SHORT
    rows = model.offsets[-1] + linear.row_of_entry
    sums = LongSums(rows[long], index[long], known[long], weight[long])
    return Rows(tuple(sets), sums, model.flat.parameters.count)


def indices_of(model: ReducedModel, group: ReducedGroup) -> Int32Array:
    """Bindings as indices in y or p."""
    indices = np.zeros(group.bindings.shape, np.int32)
    for slot, kind in enumerate(group.kinds):
        bound = group.bindings[:, slot]
        if kind == UNKNOWN:
            indices[:, slot] = model.position[bound]
        elif kind == KNOWN:
            indices[:, slot] = model.known_position[bound]
        elif kind == PARAMETER:
            indices[:, slot] = bound
    return indices


def _sum(pattern: Any, indices: Any, rows: Any) -> RowSet:
    """Rows of a sum written out: whether each term is known, then the weights."""
    length = len(pattern) // 2
    terms: list[Expr] = []
    for k, weight in enumerate(pattern[length:]):
        term: Expr = Slot(k) if weight == 1 else Call("mul", (Const(float(weight)), Slot(k)))
        terms.append(Call("neg", (Slot(k),)) if weight == -1 else term)
    residual = terms[0] if length == 1 else Call("add", tuple(terms)) if terms else Const(0.0)
    kinds = tuple(KNOWN if flag else UNKNOWN for flag in pattern[:length])
    return RowSet(residual, kinds, np.ascontiguousarray(indices, np.int32).reshape(len(rows), length), rows)
