"""Numeric values of the structure: derivatives of equations with respect to unknowns, with default parameters and start
values.

Structure alone cannot show that the voltages around a loop of capacitors add up to zero; the signs can. Unknowns
without a start value get a random one, so that nothing cancels by accident.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Apply, Call, Der, Expr, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.start.scattered import scattered
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial


@dataclass(frozen=True)
class Values:
    """A value for every variable of the FlatModel, and the parameters."""

    variables: Any
    parameters: Any


def numbers(model: ReducedModel) -> Values:
    """Start values where they are given, random ones elsewhere, and the parameters."""
    flat = model.flat
    start = flat.variables.column("start")
    random = scattered(flat.variables.count, 0.5, 1.5, seed=5)
    values = np.where(np.isnan(start), random, start)
    own = np.where(np.isnan(start), -1, np.arange(len(start)))
    given = np.full(len(start), -1)
    np.maximum.at(given, model.representative, own)  # an alias may have brought the start value
    use = np.where(given >= 0, given, np.arange(len(start)))
    parameters = flat.parameter_values if flat.exact_parameters is None else flat.exact_parameters
    more = np.ones(model.parameter_indices - flat.parameters.count)
    return Values(values[use], np.append(parameters, more))


def derivatives(group: ReducedGroup, known: Values) -> list[tuple[int, int, Any]]:
    """Slot, order of derivative and numbers of dF/dslot, for every unknown in the residual of a group."""
    slots: dict[int, Any] = {}
    for s, kind in enumerate(group.kinds):
        bound = group.bindings[:, s]
        if kind in (UNKNOWN, KNOWN):
            slots[s] = known.variables[bound]
        elif kind == PARAMETER:
            slots[s] = known.parameters[bound]
    rates = {s: np.linspace(0.3, 0.7, group.rows) for s in range(len(group.kinds))}
    out = []
    for node in walk(group.residual):
        if isinstance(node, Slot | Der) and group.kinds[node.index] == UNKNOWN:
            expr = partial(group.residual, node)
            special: dict[Expr, Any] = {n: 0.5 for n in walk(expr) if isinstance(n, Call) and OPS[n.op].numeric is None}
            value = evaluate(expr, slots, ders=rates, special=special) if not _opaque(expr) else 1.0
            out.append((node.index, int(isinstance(node, Der)), np.broadcast_to(value, group.rows)))
    return out


def _opaque(expr: Any) -> bool:
    """Whether its value at one point says little: external code, a table that may be flat just there."""
    return any(isinstance(node, Apply | Lookup) for node in walk(expr))


def varying_slots(group: ReducedGroup) -> set[int]:
    """Slots of unknowns by which the derivative is not constant over a run."""
    found: set[int] = set()
    for node in walk(group.residual):
        if isinstance(node, Slot | Der) and group.kinds[node.index] == UNKNOWN:
            slope = walk(partial(group.residual, node))
            if any(
                isinstance(inner, Time) or (isinstance(inner, Slot | Der) and group.kinds[inner.index] == UNKNOWN)
                for inner in slope
            ):
                found.add(node.index)
    return found
