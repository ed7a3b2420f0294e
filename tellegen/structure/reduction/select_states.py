"""State selection: of the unknowns that constraints tie together, as many as possible become states, the others not.

    constraint phi1 - phi2 == 0, differentiated twice; candidates phi1, phi2 with phi', phi''
    -> phi1 preferred: states phi1, phi1'; the unknowns phi2, phi2', phi2'' follow from the constraint

Dummy derivatives (Mattsson and Soederlind, SIAM J. Sci. Comput. 14, 1993): stage by stage a square regular part of the
constraints' Jacobian is chosen; what it contains is algebraic. Each connected part of the Jacobian is judged by its
numbers at the start values, given what can always be computed (graph/core.py); a very large one by structure alone, as
an assignment of least cost. Where the numbers later say otherwise, the engine chooses again
(dynamic_state_selection.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph.core import Cores, Entries
from tellegen.graph.incidence import incidence
from tellegen.graph.matching import match_cheapest
from tellegen.graph.sets import connected_parts
from tellegen.ir.reduced import Candidates, ReducedModel
from tellegen.ir.states import with_stages
from tellegen.start.records import dataclass

_VARYING_COST = 2.0
_DENSE = 300  # constraints in one part up to which numbers decide


def select_states(model: ReducedModel) -> ReducedModel:
    """See the top of this file; nothing to do without constraints."""
    if model.candidates is None:
        return model
    return with_stages(model, _stages(model.candidates))


def _stages(candidates: Candidates) -> tuple[Any, ...]:
    """The unknowns picked at each stage."""
    out = tuple(np.zeros(len(candidates.d), bool) for _ in range(int(candidates.c.max())))
    shape = len(candidates.rows), len(candidates.d)
    for rows, columns, mine in connected_parts(shape, candidates.pairs[:, 0], candidates.pairs[:, 1]):
        row = np.searchsorted(rows, candidates.pairs[mine, 0])
        column = np.searchsorted(columns, candidates.pairs[mine, 1])
        entries = Entries((len(rows), len(columns)), row, column, candidates.varying[mine])
        wanted = candidates.preference[columns], candidates.firm[columns]
        part = _Part(candidates.c[rows], candidates.d[columns], *wanted, entries)
        for stage, picked in zip(
            out, part.by_numbers(candidates.coefficient[mine]) or part.by_structure(), strict=False
        ):
            stage[columns[picked]] = True
    return out


@dataclass(frozen=True, eq=False)
class _Part:
    """Constraints and unknowns that hang together; c, d, preference and firm as in Candidates."""

    c: Any
    d: Any
    preference: Any
    firm: Any
    entries: Entries

    def by_numbers(self, value: Any) -> list[Any] | None:
        """The unknowns of each stage that suit these numbers; None where they are too many, or
        dependent just now."""
        if not np.isfinite(value).all():
            return None
        cores = Cores(self.entries, value, self.preference, self.c, self.d, self.firm)
        if len(cores.at(1, np.ones(len(self.d), bool)).rows) > _DENSE:
            return None
        found = cores.stages(value)
        if found is None and not self.entries.varies.any():
            return cores.stages(value, dependent=True)  # too few unknowns: check_solvability reports it
        return found

    def by_structure(self) -> list[Any]:
        """The unknowns of each stage by an assignment of least cost: what varies wherever it occurs costs more."""
        row = self.entries.row
        column = self.entries.column
        varies = np.ones(len(self.d), bool)
        varies[column[~self.entries.varies]] = False
        cost = self.preference + _VARYING_COST * varies
        usable = np.ones(len(self.d), bool)
        out = []
        for stage in range(1, int(self.c.max()) + 1):
            active = (self.c[row] >= stage) & usable[column] & (self.d[column] >= stage)
            matched = match_cheapest(incidence(row[active], column[active], self.entries.shape), cost)
            usable = np.zeros(len(self.d), bool)
            usable[matched[self.c >= stage]] = True
            out.append(usable)
        return out
