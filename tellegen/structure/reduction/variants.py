"""Rows of a group sorted by what elimination did to their slots.

    group   v - (p - n), rows  (v1, p1, n1), (v2, p2, n2)    with  n1 = 0,  p2 = -w
    becomes v - p        row   (v1, p1)
    and     v - (-w - n) row   (v2, w, n2)

Elimination only renumbers bindings; a row differs from its template by the signs of its slots, by slots that became
zero, and by slots that became the same variable. Rows with the same pattern share one variant of the template, which
is made once, so the work in symbols does not depend on the number of rows.
"""

from __future__ import annotations

from dataclasses import field
from functools import cache, cached_property
from itertools import combinations
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.flat import Group
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, UNUSED, BoolArray, Int8Array, Int32Array, ReducedGroup
from tellegen.start.records import dataclass
from tellegen.symbolic.build import call, neg
from tellegen.symbolic.linear import cancelled

_KNOWN_CODE = 4


@dataclass(frozen=True, eq=False)
class Recovery:
    """Variable v equals sign[v] * representative[v]; `is_known` marks variables given from outside."""

    representative: Int32Array
    sign: Int8Array
    is_known: BoolArray


@dataclass(frozen=True, eq=False)
class Variants:
    """Makes the variants of one group and remembers the expressions it made."""

    group: Group
    source: int
    made: dict[bytes, tuple[Expr, tuple[str, ...]]] = field(default_factory=dict)

    @cached_property
    def columns(self) -> list[int]:
        """The slots that are variables; not those that noise alone reads."""
        template = self.group.template
        read = {node.index for node in template.nodes if isinstance(node, Slot | Der)}
        return [k for k, slot in enumerate(template.slots) if not slot.parameter and k in read]

    def split(self, rows: IntArray, recovery: Recovery) -> list[ReducedGroup]:
        """The given rows of the group as groups of one pattern each, rows in their old order."""
        if not len(rows):
            return []
        columns = self.columns
        bindings = self.group.bindings[rows].astype(np.int32)
        written = bindings[:, columns]
        leaders = recovery.representative[written]
        codes = recovery.sign[written].astype(np.int16)
        codes[recovery.is_known[leaders]] *= _KNOWN_CODE
        firsts = _first_occurrence(np.where(codes == 0, -1 - np.arange(len(columns)), leaders))
        bindings[:, columns] = np.where(codes == 0, 0, leaders)
        patterns = np.concatenate([codes, firsts], axis=1)
        out = []
        for members in _alike(patterns):
            residual, kinds = self._variant(patterns[members[0]])
            out.append(ReducedGroup(residual, kinds, bindings[members], self.source, rows[members]))
        return out

    def _variant(self, pattern: Any) -> tuple[Expr, tuple[str, ...]]:
        """The residual and the kinds of slots for one pattern: codes of the variable slots, then first occurrences."""
        key = pattern.tobytes()
        if key not in self.made:
            columns = self.columns
            numbers = pattern.tolist()
            codes = numbers[: len(columns)]
            firsts = numbers[len(columns) :]
            images: dict[Expr, Expr] = {}
            residual: Expr = self.group.template.residual  # type: ignore[attr-defined]
            read = {node.index for node in walk(residual) if isinstance(node, Slot | Der)}
            for column, code, first in zip(columns, codes, firsts, strict=True):
                target = columns[first]
                if column not in read or (code == 1 and target == column):
                    continue
                for old, new in ((Slot(column), Slot(target)), (Der(column), Der(target))):
                    gone = code == 0 or (abs(code) == _KNOWN_CODE and isinstance(new, Der))  # inputs are constant
                    images[old] = ZERO if gone else new if code > 0 else neg(new)
            residual = cancelled(substitute(residual, images))
            self.made[key] = residual, self._kinds(residual, codes)
        return self.made[key]

    def _kinds(self, residual: Expr, codes: list[int]) -> tuple[str, ...]:
        used = {node.index for node in walk(residual) if isinstance(node, Slot | Der)}
        kinds = [PARAMETER if slot.parameter else UNKNOWN for slot in self.group.template.slots]
        for column, code in zip(self.columns, codes, strict=True):
            if abs(code) == _KNOWN_CODE:
                kinds[column] = KNOWN
        return tuple(kind if k in used else UNUSED for k, kind in enumerate(kinds))


def substitute(expr: Expr, images: dict[Expr, Expr]) -> Expr:
    """The expression with leaves replaced, simplified on the way."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call):
            return call(node.op, *args)
        return images.get(node, node) if not args else same_with(node, args)

    return rebuild(expr, change)


_FEW_COLUMNS = 6
"""So many are compared one by one; for more, sorting is faster."""

_SHORT = 2**15
"""So many columns are numbered in two bytes; a sum may have more."""


def _first_occurrence(values: Any) -> Any:
    """For each entry the column where its value occurs first in its row."""
    count = values.shape[1]
    number = np.int16 if count <= _SHORT else np.int32
    if len(values) == 1:  # most groups of a small model: NumPy would take longer to begin
        known: dict[int, int] = {}
        return np.array([[known.setdefault(value, k) for k, value in enumerate(values[0].tolist())]], number)
    firsts = np.broadcast_to(np.arange(count, dtype=number), values.shape).copy()
    if count <= _FEW_COLUMNS:
        for earlier, column in combinations(range(count), 2):
            same = (values[:, earlier] == values[:, column]) & (firsts[:, column] == column)
            if same.any():
                firsts[same, column] = earlier
        return firsts
    in_order = np.sort(values, axis=1)
    affected = np.flatnonzero((in_order[:, 1:] == in_order[:, :-1]).any(axis=1))
    if len(affected):
        part = values[affected]
        order = np.argsort(part, axis=1, kind="stable")
        ranked = np.take_along_axis(part, order, axis=1)
        start = np.zeros(part.shape, np.int64)
        start[:, 1:] = np.where(ranked[:, 1:] != ranked[:, :-1], np.arange(1, count), 0)
        np.maximum.accumulate(start, axis=1, out=start)
        earliest = np.take_along_axis(order, start, axis=1)
        fixed = np.empty(part.shape, number)
        np.put_along_axis(fixed, order, earliest.astype(number), axis=1)
        firsts[affected] = fixed
    return firsts


@cache
def _mix() -> IntArray:
    """Odd numbers without a pattern of their own: Steele, Lea, Flood, Fast splittable pseudorandom numbers, 2014.

    Those of numpy.random are as good, but take 7 ms to import.
    """
    mixed = np.arange(1, 4097, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed ^ (mixed >> np.uint64(31))).astype(np.int64) | 1


def _alike(patterns: Any) -> list[IntArray]:
    """Row numbers gathered by equal rows, in order of first appearance.

    Rows are compared by a 64-bit mix of their entries: the patterns are few and the chance of a clash negligible.
    """
    if len(patterns) == 1 or (patterns == patterns[0]).all():
        return [np.arange(len(patterns))]
    mix = _mix()
    weights = np.resize(mix, patterns.shape[1]) + np.arange(patterns.shape[1]) // len(mix) * 2
    _, first, inverse = np.unique(patterns.astype(np.int64) @ weights, return_index=True, return_inverse=True)
    by_pattern = np.split(np.argsort(inverse, kind="stable"), np.cumsum(np.bincount(inverse))[:-1])
    return [by_pattern[k] for k in np.argsort(first)]
