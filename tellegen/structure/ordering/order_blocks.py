"""Order the equations so that time and states give everything else, block by block.

    before   r.v - R*i == 0,  r.v - (u - c.v) == 0,  C*der(c.v) - i == 0,  u - V == 0          state c.v
    after    level 0   u       from  u - V == 0
             level 1   r.v     from  r.v - (u - c.v) == 0
             level 2   i       from  r.v - R*i == 0
             level 3   der(c.v) from C*der(c.v) - i == 0

Unknowns are the derivatives of states and the values of algebraic variables. Equations that need each other's unknowns
(an algebraic loop) form a block of several rows. Every block would be solved by Newton's method for all its unknowns;
tear_blocks.py finds better ways.
"""

from __future__ import annotations

import numpy as np

from tellegen.dataflow.rows import Rows, rows_of
from tellegen.graph.blocks import levels, strong_blocks
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match
from tellegen.ir.reduced import ReducedModel, Wanted
from tellegen.ir.sorted import NONLINEAR, Blocks, SortedModel


def order_blocks(model: ReducedModel) -> SortedModel:
    """See the top of this file. The model has passed the check of solvability."""
    return SortedModel.of(model, ordered(rows_of(model), model.wanted, model.equation_count))


def ordered(rows: Rows, wanted: Wanted, count: int) -> Blocks:
    """The rows in order of evaluation of as many unknowns; `reason` says why there is none."""
    matrix = incidence(*rows.occurrences(wanted), (count, count))
    assigned = match(matrix)
    reason = "some equation has no unknown of its own" if (assigned < 0).any() else ""
    label = np.arange(count)
    level = np.zeros(count, np.int64)
    if not reason:
        label, graph = strong_blocks(matrix, assigned)
        level = levels(graph)
    order = np.argsort(level, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return Blocks(
        assigned=assigned.astype(np.int64),
        block=number[label],
        level=level[order],
        kind=np.full(len(order), NONLINEAR, np.int8),
        constant=np.zeros(len(order), bool),
        inner=np.full(count, -1, np.int64),
        reason=reason,
    )
