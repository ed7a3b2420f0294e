"""State selection: of the unknowns that constraints tie together, as many as possible become states, the others not.

    constraint phi1 - phi2 == 0, differentiated twice; candidates phi1, phi2 with phi', phi''
    -> phi1 preferred: states phi1, phi1'; the unknowns phi2, phi2', phi2'' follow from the constraint

Dummy derivatives (Mattsson and Soederlind, SIAM J. Sci. Comput. 14, 1993): stage by stage a square regular part of the
constraints' Jacobian is chosen; what it contains is algebraic. Here the choice is made on the structure: a complete
assignment of constraints to unknowns of least cost, where it costs to give up a preferred state and to rely on a
coefficient that varies. Where the numbers later tell otherwise, the engine chooses again (engine/reselect.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tellegen.ir.sorted import Candidates, SortedModel
from tellegen.ir.states import with_stages

_VARYING_COST = 2.0


def select_states(model: SortedModel) -> SortedModel:
    """See the top of this file; nothing to do without constraints."""
    if model.candidates is None:
        return model
    return with_stages(model, _cheapest(model.candidates))


def _cheapest(candidates: Candidates) -> tuple[Any, ...]:
    """The unknowns picked at each stage by least cost."""
    stages: list[Any] = []
    available = np.ones(len(candidates.d), bool)
    price = 100.0 + candidates.preference
    for stage in range(1, int(candidates.c.max()) + 1):
        needed = np.flatnonzero(candidates.c >= stage)
        usable = available & (candidates.d >= stage)
        keep = np.isin(candidates.pairs[:, 0], needed) & usable[candidates.pairs[:, 1]]
        pairs = candidates.pairs[keep]
        cost = price[pairs[:, 1]] + _VARYING_COST * candidates.varying[keep]
        row = np.searchsorted(needed, pairs[:, 0])
        graph = csr_array((cost, (row, pairs[:, 1])), shape=(len(needed), len(usable)))
        _, columns = min_weight_full_bipartite_matching(graph)
        available = np.zeros(len(usable), bool)
        available[columns] = True
        stages.append(available)
    return tuple(stages)
