"""The residual rows of a SortedModel sorted by what they look like, linear rows included.

    linear rows  i1 + i2 - i3 == 0,  i4 + i5 - i6 == 0     ->  one set of two rows with the residual  s0 + s1 - s2

Ordering and code for explicit evaluation want every row as an expression over slots. Short sums become sets of their
own; sums of many terms (a ground node with a thousand wires) stay lists of entries, so that no code depends on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.ir.expr import Call, Const, Der, Expr, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.sorted import KNOWN, PARAMETER, UNKNOWN, BoolArray, Int32Array, SortedGroup, SortedModel

SHORT = 8
"""Sums of up to so many terms are written out."""


@dataclass(frozen=True, eq=False)
class RowSet:
    """Rows with one residual. places[r, s] is where slot s of row r stands: in y for unknowns, else in p."""

    residual: Expr
    kinds: tuple[str, ...]
    places: Int32Array
    rows: IntArray  # their numbers in the SortedModel

    @cached_property
    def leaves(self) -> tuple[Slot | Der, ...]:
        """Values and rates of unknowns that occur."""
        nodes = walk(self.residual)
        return tuple(n for n in nodes if isinstance(n, Slot | Der) and self.kinds[n.index] == UNKNOWN)

    def wanted(self, leaf: Slot | Der, is_state: BoolArray) -> BoolArray:
        """Per row whether the leaf is one of the unknowns to compute: rates, and values of what is no state."""
        if isinstance(leaf, Der):
            return np.ones(len(self.rows), bool)
        return ~is_state[self.places[:, leaf.index]]


@dataclass(frozen=True, eq=False)
class LongSums:
    """Sums of many terms, entry by entry: weight * y[place] (or p[place] where the entry is known) in row `row`."""

    row: IntArray
    place: IntArray
    known: BoolArray
    weight: Any


@dataclass(frozen=True, eq=False)
class Rows:
    """All rows of a model."""

    sets: tuple[RowSet, ...]
    sums: LongSums

    def occurrences(self, is_state: BoolArray) -> tuple[Any, Any]:
        """Row and column of every occurrence of an unknown to compute."""
        rows: list[Any] = [np.zeros(0, np.int64)]
        columns: list[Any] = [np.zeros(0, np.int64)]
        for part in self.sets:
            for leaf in part.leaves:
                wanted = part.wanted(leaf, is_state)
                rows.append(part.rows[wanted])
                columns.append(part.places[wanted, leaf.index])
        free = self.free_terms(is_state)
        return np.concatenate([*rows, self.sums.row[free]]), np.concatenate([*columns, self.sums.place[free]])

    def free_terms(self, is_state: BoolArray) -> BoolArray:
        """The entries of long sums that are unknowns to compute."""
        sums = self.sums
        return ~sums.known & ~is_state[np.where(sums.known, 0, sums.place)] if len(is_state) else ~sums.known


def rows_of(model: SortedModel) -> Rows:
    """See the top of this file."""
    sets = [
        RowSet(group.residual, group.kinds, places_of(model, group), offset + np.arange(group.rows))
        for offset, group in zip(model.offsets, model.groups, strict=False)
        if group.rows
    ]
    linear = model.linear
    lengths = np.diff(linear.indptr)
    known = model.position[linear.indices] < 0
    place = np.where(known, model.known_position[linear.indices], model.position[linear.indices])
    order = np.lexsort((place, linear.weights, known, linear.row_of_entry))  # alike rows list their terms alike
    known, place, weight = known[order], place[order], linear.weights[order]
    for length in np.unique(lengths[lengths <= SHORT]):
        mine = np.flatnonzero(lengths == length)
        at = linear.indptr[mine][:, None] + np.arange(length)
        pattern = np.concatenate([known[at], weight[at]], axis=1)
        kinds, inverse = np.unique(pattern, axis=0, return_inverse=True)
        for k, row in enumerate(kinds):
            chosen = inverse.ravel() == k
            sets.append(_sum(row, place[at[chosen]], model.offsets[-1] + mine[chosen]))
    long = lengths[linear.row_of_entry] > SHORT
    rows = model.offsets[-1] + linear.row_of_entry
    return Rows(tuple(sets), LongSums(rows[long], place[long], known[long], weight[long]))


def places_of(model: SortedModel, group: SortedGroup) -> Int32Array:
    """Bindings as places in y or p."""
    places = np.zeros(group.bindings.shape, np.int32)
    for slot, kind in enumerate(group.kinds):
        bound = group.bindings[:, slot]
        if kind == UNKNOWN:
            places[:, slot] = model.position[bound]
        elif kind == KNOWN:
            places[:, slot] = model.known_position[bound]
        elif kind == PARAMETER:
            places[:, slot] = bound
    return places


def _sum(pattern: Any, places: Any, rows: Any) -> RowSet:
    """Rows of a sum written out: whether each term is known, then the weights."""
    length = len(pattern) // 2
    terms: list[Expr] = []
    for k, weight in enumerate(pattern[length:]):
        term: Expr = Slot(k) if weight == 1 else Call("mul", (Const(float(weight)), Slot(k)))
        terms.append(Call("neg", (Slot(k),)) if weight == -1 else term)
    residual = terms[0] if length == 1 else Call("add", tuple(terms)) if terms else Const(0.0)
    kinds = tuple(KNOWN if flag else UNKNOWN for flag in pattern[:length])
    return RowSet(residual, kinds, np.ascontiguousarray(places, np.int32).reshape(len(rows), length), rows)
