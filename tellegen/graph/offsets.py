"""How often each equation must be differentiated: the structural analysis of differential-algebraic equations.

sigma[i, j] is the highest derivative of unknown j in equation i. Wanted are the smallest integers c (per equation)
and d (per unknown) with d[j] - c[i] >= sigma[i, j], and equality along a complete assignment of equations to unknowns:
equation i is to be differentiated c[i] times, and then unknown j occurs up to its derivative d[j] (Pryce, "A simple
structural analysis method for DAEs", BIT 41, 2001; for first-order systems the same as Pantelides, 1988).

The numbers are found by raising c of all equations that compete for too few highest derivatives, which is the dual
step of the Hungarian method taken for all unassigned equations at once. Each round is one compiled matching, so a
large model with one small constraint costs little. The rounds end at the smallest c: an equation reached from an
unassigned one by alternating paths over tight pairs has a larger c in every solution.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph.arrays import Array
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import conflict, match

_ROUNDS = 30


def offsets(
    rows: Array, columns: Array, sigma: Array, count: int, least: Array | None = None
) -> tuple[Any, Any, Any] | None:
    """c per equation, d per unknown and the unknown assigned to each equation.

    None if the pairs (rows, columns) do not allow a complete assignment. `least` is a lower bound of d, where
    derivatives are wanted that no equation contains.
    """
    c = np.zeros(count, np.int64)
    for _ in range(_ROUNDS):
        reach = sigma + c[rows]
        d = np.zeros(count, np.int64) if least is None else least.copy()
        np.maximum.at(d, columns, reach)
        tight = reach == d[columns]
        matrix = incidence(rows[tight], columns[tight], (count, count))
        assigned = match(matrix)
        if (assigned >= 0).all():
            return c, d, assigned
        if not c.any() and (match(incidence(rows, columns, (count, count))) < 0).any():
            return None
        competing, _ = conflict(matrix, assigned)
        c[competing] += 1
    return None
