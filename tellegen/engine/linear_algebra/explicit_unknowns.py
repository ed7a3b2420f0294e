"""Unknowns that equations give by themselves: v_th == f(v_b), with v_b == g(v_bs).

A law of many steps has unknowns for what lies between, which agree with each other at a solution only: on the way there
Newton's method takes each by itself, and a root or a logarithm of them may have no value. Here they are computed from
the others, one level after the other; where unknowns give each other in a circle all of these are left to Newton's
method.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.engine.linear_algebra.damped_newton import System
from tellegen.ir.expressions.expr import Const, Expr, Slot
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import UNKNOWN, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.partial import leaves
from tellegen.symbolic.solve import affine, is_affine


@dataclass(frozen=True, eq=False)
class Level:
    """Rows, the unknown that each gives, and its factor there; they do not depend on each other."""

    rows: IntArray
    columns: IntArray
    factors: FloatArray

    def within(self, row: IntArray, column: IntArray) -> Level:
        """The same in the numbers of a part of the model; -1 is what does not belong to it."""
        kept = np.flatnonzero((row[self.rows] >= 0) & (column[self.columns] >= 0))
        return Level(row[self.rows[kept]], column[self.columns[kept]], self.factors[kept])


def explicit_levels(model: ReducedModel) -> list[Level]:
    """The levels in the order in which they are computed, in numbers of equations and unknowns of the whole model."""
    rows: list[int] = []
    columns: list[int] = []
    factors: list[float] = []
    needed: list[set[int]] = []
    given: set[int] = set()
    for group, offset in zip(model.groups, model.offsets, strict=False):
        own = _given(group)
        if own is None:
            continue
        slot, factor = own
        others = [k for k, kind in enumerate(group.kinds) if kind == UNKNOWN and k != slot]
        for row in range(group.rows):
            column = int(model.position[group.bindings[row, slot]])
            if column in given:
                continue
            given.add(column)
            rows.append(int(offset) + row)
            columns.append(column)
            factors.append(factor)
            needed.append({int(model.position[group.bindings[row, k]]) for k in others})
    return list(_in_levels(np.array(rows, np.int64), np.array(columns, np.int64), np.array(factors), needed, given))


def _given(group: ReducedGroup) -> tuple[int, float] | None:
    """The slot of the unknown that a law gives, and its factor; None where the law is linear, or gives none."""

    def is_unknown(leaf: Expr) -> bool:
        return isinstance(leaf, Slot) and group.kinds[leaf.index] == UNKNOWN

    if is_affine(group.residual, is_unknown):
        return None
    for leaf in leaves(group.residual):
        if not isinstance(leaf, Slot) or not is_unknown(leaf):
            continue
        parts = affine(group.residual, leaf)
        if parts is not None and isinstance(parts[0], Const) and float(parts[0].value) != 0.0:
            return leaf.index, float(parts[0].value)
    return None


def _in_levels(
    rows: IntArray, columns: IntArray, factors: FloatArray, needed: list[set[int]], given: set[int]
) -> Iterator[Level]:
    """Each row one level beyond those that give what it needs."""
    left = list(range(len(rows)))
    waiting = set(given)
    while left:
        ready = [k for k in left if not needed[k] & waiting]
        if not ready:
            return
        yield Level(rows[ready], columns[ready], factors[ready])
        waiting -= {int(column) for column in columns[ready]}
        chosen = set(ready)
        left = [k for k in left if k not in chosen]


class Following(System):
    """A system whose explicit unknowns follow the others."""

    def __init__(self, system: System, levels: list[Level]) -> None:
        self.system = system
        self.levels = levels

    @property
    def pattern(self) -> Pattern:
        """Where the derivatives stand."""
        return self.system.pattern

    def residual(self, u: FloatArray) -> FloatArray:
        """As many numbers as unknowns."""
        return self.system.residual(u)

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Their derivatives."""
        return self.system.jacobian(u)

    def follow(self, u: FloatArray) -> FloatArray:
        """The explicit unknowns computed from the others."""
        u = u.copy()
        for level in self.levels:
            u[level.columns] -= self.residual(u)[level.rows] / level.factors
        return u
