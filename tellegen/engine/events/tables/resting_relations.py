"""Relations whose sides may become equal and stay so: u < max(u, limit), or the input of a limiter and its output.

    y == min(u, 1)     y < u     true while the limiter acts, then both are the same number

Their difference comes to zero without passing it. Where it compares what a limit, abs or table takes with what it
gives, it stays there but for roundings; others may rest there on purpose, as brakes do that wait for each other (their
conditions have cases).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Call, Expr, Lookup, Slot, Time, walk
from tellegen.ir.reduced import UNKNOWN, BoolArray, ReducedGroup, ReducedModel

_TIME = -1  # among the numbers of variables
_BOTH_SIDES = 2


def may_rest_at_zero(model: ReducedModel, differences: Values) -> BoolArray:
    """Of each relation of unknowns, whether it, or an equation of an algebraic unknown in it, has a limit."""
    limited = _limited_variables(model)
    found = np.zeros(max(differences.count, 1), bool)
    for group, mine in zip(differences.groups, differences.indices, strict=True):
        own = any(map(_is_limit, walk(group.residual)))
        found[mine] = own | limited[_unknowns(group)].any(axis=1)
    return found


def compare_both_sides(model: ReducedModel, differences: Values) -> BoolArray:
    """Of each relation of unknowns, whether it compares what a limit, abs or table takes with what it gives."""
    equations = _equations_of_sides(model)
    found = np.zeros(max(differences.count, 1), bool)
    for group, mine in zip(differences.groups, differences.indices, strict=True):
        if not any(isinstance(node, Call) and node.op == "where" for node in walk(group.residual)):
            found[mine] = _is_beside_its_side(group) or [_is_pair(equations, read) for read in _read(group)]
    return found


def _unknowns(group: ReducedGroup) -> Any:
    """The unknowns that the rows of a group read."""
    slots = {node.index for node in walk(group.residual) if isinstance(node, Slot)}
    return group.bindings[:, sorted(slot for slot in slots if group.kinds[slot] == UNKNOWN)]


def _read(group: ReducedGroup) -> list[set[int]]:
    """The same row by row, with the time."""
    time = {_TIME} if any(isinstance(node, Time) for node in walk(group.residual)) else set[int]()
    return [{*row, *time} for row in _unknowns(group).tolist()]


def _is_limit(node: Expr) -> bool:
    return isinstance(node, Call) and node.op in ("min", "max")


def _has_sides(node: Expr) -> bool:
    return isinstance(node, Lookup) or (isinstance(node, Call) and node.op in ("min", "max", "abs"))


def _limited_variables(model: ReducedModel) -> BoolArray:
    """Algebraic unknowns in equations with limits."""
    limited = np.zeros(model.variable_count, bool)
    for group in model.groups:
        if any(map(_is_limit, walk(group.residual))):
            limited[_unknowns(group)] = True
    limited[model.unknowns[model.is_state]] = False
    return limited


def _equations_of_sides(model: ReducedModel) -> dict[int, list[int]]:
    """The numbers of the equations y == limit(x) that each x and y is in."""
    groups = [group for group in model.groups if any(map(_has_sides, walk(group.residual)))]
    rows = [row for group in groups for row in _read(group) if len(row) == _BOTH_SIDES]
    found: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        for variable in row:
            found.setdefault(variable, []).append(number)
    return found


def _is_pair(equations: dict[int, list[int]], read: set[int]) -> bool:
    """Whether two of the variables are those of one equation."""
    numbers = [number for variable in read for number in equations.get(variable, ())]
    return len(set(numbers)) < len(numbers)


def _is_beside_its_side(group: ReducedGroup) -> bool:
    """Whether an unknown in a limit, abs or table occurs outside of it as well."""
    sides = [node for node in walk(group.residual) if _has_sides(node)]
    inside = {slot for side in sides for slot in walk(side) if isinstance(slot, Slot)}
    return any(slot in inside and group.kinds[slot.index] == UNKNOWN for slot in _outside(group.residual))


def _outside(expr: Expr) -> list[Slot]:
    """The slots of an expression that stand outside of limits, abs and tables."""
    if isinstance(expr, Slot):
        return [expr]
    if not isinstance(expr, Call) or _has_sides(expr):
        return []
    return [slot for arg in expr.args for slot in _outside(arg)]
