"""State selection: of the unknowns that constraints tie together, as many as possible become states, the others not.

    constraint phi1 - phi2 == 0, differentiated twice; candidates phi1, phi2 with phi', phi''
    -> phi1 preferred: states phi1, phi1'; the unknowns phi2, phi2', phi2'' follow from the constraint

Dummy derivatives (Mattsson and Soederlind, SIAM J. Sci. Comput. 14, 1993): stage by stage a square regular part of the
constraints' Jacobian is chosen; what it contains is algebraic. Each connected part of the Jacobian is judged by its
numbers at the start values; a very large one by structure alone, as an assignment of least cost. Where the numbers
later tell otherwise, the engine chooses again (engine/reselect.py).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tellegen.graph.independent import lasting_columns
from tellegen.graph.sets import connected_sets, grouped
from tellegen.ir.sorted import Candidates, SortedModel
from tellegen.ir.states import with_stages

_VARYING_COST = 2.0
_DENSE = 300  # constraints in one part up to which numbers decide


def select_states(model: SortedModel) -> SortedModel:
    """See the top of this file; nothing to do without constraints."""
    if model.candidates is None:
        return model
    return with_stages(model, _stages(model.candidates))


def _stages(candidates: Candidates) -> tuple[Any, ...]:
    """The unknowns picked at each stage."""
    stages: list[Any] = []
    available = np.ones(len(candidates.d), bool)
    for stage in range(1, int(candidates.c.max()) + 1):
        usable = available & (candidates.d >= stage)
        available = np.zeros(len(usable), bool)
        for rows, columns in _parts(candidates, stage, usable):
            available[_picked(candidates, rows, columns)] = True
        stages.append(available)
    return tuple(stages)


def _parts(candidates: Candidates, stage: int, usable: Any) -> list[tuple[Any, Any]]:
    """Constraints of a stage and usable unknowns that hang together."""
    m, n = len(candidates.rows), len(usable)
    pairs = candidates.pairs[(candidates.c[candidates.pairs[:, 0]] >= stage) & usable[candidates.pairs[:, 1]]]
    labels = connected_sets(m + n, pairs[:, 0], m + pairs[:, 1])
    needed = np.flatnonzero(candidates.c >= stage)
    order, begins = grouped(labels[needed])
    columns = np.flatnonzero(usable)
    column_order, column_begins = grouped(labels[m + columns])
    by_label = {
        int(labels[m + columns[column_order[a]]]): columns[column_order[a:b]] for a, b in pairwise(column_begins)
    }
    found = [needed[order[a:b]] for a, b in pairwise(begins)]
    return [(rows, by_label.get(int(labels[rows[0]]), np.zeros(0, np.int64))) for rows in found]


def _picked(candidates: Candidates, rows: Any, columns: Any) -> Any:
    """The unknowns of one part to be algebraic."""
    mine = np.isin(candidates.pairs[:, 0], rows) & np.isin(candidates.pairs[:, 1], columns)
    row = np.searchsorted(rows, candidates.pairs[mine, 0])
    column = np.searchsorted(columns, candidates.pairs[mine, 1])
    keep = candidates.preference[columns]
    if len(rows) <= _DENSE:
        block = np.zeros((len(rows), len(columns)))
        block[row, column] = candidates.coefficient[mine]
        block /= np.maximum(np.abs(block).max(axis=1, initial=0.0, keepdims=True), 1e-300)
        varies = np.zeros(block.shape, bool)
        varies[row, column] = candidates.varying[mine]
        found = lasting_columns(block, varies, keep) if np.isfinite(block).all() else None
        if found is not None:
            return columns[found]
    cost = 100.0 + keep[column] + _VARYING_COST * candidates.varying[mine]
    graph = csr_array((cost, (row, column)), shape=(len(rows), len(columns)))
    return columns[min_weight_full_bipartite_matching(graph)[1]]
