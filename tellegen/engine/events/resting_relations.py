"""Relations whose sides may become equal and stay so: u < max(u, limit), or the input of a limiter and its output.

    y == min(u, 1)     y < u     true while the limiter acts, then both are the same number

Their difference comes to zero without passing it, and stays there but for roundings. Brakes that wait for each other
rest at zero too, on purpose: abs of a force alone does not make a relation one of these, the force beside its own abs
does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.events import Values
from tellegen.ir.expressions.expr import Call, Expr, Lookup, Slot, walk
from tellegen.ir.reduced import UNKNOWN, BoolArray, ReducedGroup, ReducedModel


def may_rest_at_zero(model: ReducedModel, differences: Values) -> BoolArray:
    """Of each relation of unknowns, whether it is one of these."""
    limited = _limited_variables(model)
    folded = _folded_rows(model)
    found = np.zeros(max(differences.count, 1), bool)
    for group, mine in zip(differences.groups, differences.indices, strict=True):
        read = _unknowns(group, {node.index for node in walk(group.residual) if isinstance(node, Slot)})
        own = any(map(_is_limit, walk(group.residual))) or _is_beside_its_abs(group.residual)
        found[mine] = own | limited[read].any(axis=1) | _reads_both_sides(folded, read)
    return found


def _unknowns(group: ReducedGroup, slots: Any) -> Any:
    """The variables that some slots of the rows of a group stand for, those that are unknowns."""
    return group.bindings[:, [slot for slot in slots if group.kinds[slot] == UNKNOWN]]


def _is_limit(node: Expr) -> bool:
    return isinstance(node, Lookup) or (isinstance(node, Call) and node.op in ("min", "max"))


def _is_abs(node: Expr) -> bool:
    return isinstance(node, Call) and node.op == "abs"


def _limited_variables(model: ReducedModel) -> BoolArray:
    """Algebraic unknowns in equations with limits."""
    limited = np.zeros(model.variable_count, bool)
    for group in model.groups:
        if any(map(_is_limit, walk(group.residual))):
            limited[_unknowns(group, range(len(group.kinds)))] = True
    limited[model.unknowns[model.is_state]] = False
    return limited


def _folded_rows(model: ReducedModel) -> dict[int, list[int]]:
    """The numbers of the equations with abs that each unknown of them is in."""
    groups = [group for group in model.groups if any(map(_is_abs, walk(group.residual)))]
    rows = [set(row) for group in groups for row in _unknowns(group, range(len(group.kinds))).tolist()]
    found: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        for variable in row:
            found.setdefault(variable, []).append(number)
    return found


def _reads_both_sides(folded: dict[int, list[int]], read: Any) -> BoolArray:
    """Whether relations, given by the variables they read, compare two unknowns of one equation with abs."""
    found = np.zeros(len(read), bool)
    if folded and read.shape[1] > 1:
        for k, variables in enumerate(read.tolist()):
            rows = [number for variable in set(variables) for number in folded.get(variable, ())]
            found[k] = len(set(rows)) < len(rows)
    return found


def _is_beside_its_abs(difference: Expr) -> bool:
    """Whether what abs is taken of occurs outside of it as well."""
    folds = [node for node in walk(difference) if _is_abs(node)]
    if not folds:
        return False
    inside = {node for fold in folds for node in walk(*fold.args) if isinstance(node, Slot)}
    return any(node in inside for node in _outside_abs(difference))


def _outside_abs(expr: Expr) -> list[Expr]:
    """The slots of an expression that stand outside of every abs."""
    if isinstance(expr, Slot):
        return [expr]
    if not isinstance(expr, Call) or expr.op == "abs":
        return []
    return [slot for arg in expr.args for slot in _outside_abs(arg)]
