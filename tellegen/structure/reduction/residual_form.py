"""The FlatModel in residual form: where the passes begin.

    before   r.v == r.R * r.i            r.n.v, c.p.v connected         n == pre(n) + 1
    after    r.v - r.R * r.i             r.n.v - c.p.v (linear row)     - (computed at events: find_events.py)

Inputs and whatever events or initialization give a value are known; every other variable is an unknown.
"""

from __future__ import annotations

import numpy as np

from tellegen.graph.arrays import distinct
from tellegen.ir.flat import FlatModel
from tellegen.ir.reduced import LinearRows, ReducedModel
from tellegen.structure.reduction.discrete_equations import discrete_groups, with_constant_rates
from tellegen.structure.reduction.variants import Recovery, Variants


def residual_form(flat: FlatModel) -> ReducedModel:
    """Every equation and variable as written; connections become linear rows."""
    flat, parameters = with_constant_rates(flat)
    count = flat.variables.count
    discrete = discrete_groups(flat)
    left = [np.ones(group.rows, bool) for group in flat.equations]
    for equation in discrete:
        left[equation.source][equation.rows] = False
    given = [equation.variables for equation in discrete]
    known = distinct(np.concatenate([flat.inputs, flat.assigned_variables, parameters, *given])).astype(np.int32)
    is_known = np.zeros(count, bool)
    is_known[known] = True
    everyone = Recovery(np.arange(count, dtype=np.int32), np.ones(count, np.int8), is_known)
    return ReducedModel(
        flat=flat,
        groups=tuple(
            part
            for k, group in enumerate(flat.equations)
            for part in Variants(group, k).split(np.flatnonzero(left[k]), everyone)
        ),
        linear=_connections(flat),
        initial=(),
        representative=everyone.representative,
        sign=everyone.sign,
        known=known,
        unknowns=np.flatnonzero(~is_known).astype(np.int32),
        is_state=np.zeros(count - len(known), bool),
    )


def _connections(flat: FlatModel) -> LinearRows:
    """Equalities and sums as rows of weights."""
    pairs = flat.equalities
    sums = flat.sums
    offset = 2 * len(pairs)
    return LinearRows(
        np.concatenate([np.arange(0, offset, 2), offset + sums.indptr]).astype(np.int32),
        np.concatenate([pairs.ravel(), sums.indices]).astype(np.int32),
        np.concatenate([np.tile([1, -1], len(pairs)), sums.signs]).astype(np.int32),
        np.concatenate([-1 - np.arange(len(pairs)), np.arange(sums.rows)]).astype(np.int64),
    )
