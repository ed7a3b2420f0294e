"""Unknowns that constraints tie together, and whether the choice of states among them lasts.

    constraint x*x + y*y = L*L:     whichever of x and y follows from the other, there is a point where it cannot
    constraint h = r*sin(phi):      h follows from phi at every point: this choice lasts

Each connected part of the constraints' Jacobian is judged on its own, given what can always be computed
(graph/core.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.graph.core import Core, Cores, Entries
from tellegen.graph.independent import stays_regular
from tellegen.graph.sets import connected_parts
from tellegen.ir.reduced import Candidates
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class TiedPart:
    """Constraints and unknowns that hang together, with the numbers of their entries among the pairs."""

    candidates: Candidates
    rows: Any
    columns: Any
    mine: Any
    cores: Cores

    def cores_with(self, preference: Any) -> Cores:
        """The same matrix where others are wanted as states; `preference` is that of all candidates."""
        before = self.cores
        return Cores(before.entries, before.values, preference[self.columns], before.c, before.d, before.firm)

    def present(self, among: Any) -> list[Any]:
        """What a choice of all stages is in this part."""
        return [stage[self.columns] for stage in among[: self.cores.count]]

    def stages(self, chosen: list[Any]) -> Iterator[tuple[Core, Any]]:
        """The core of each stage with what is chosen there."""
        before = np.ones(len(self.columns), bool)
        for stage, picked in enumerate(chosen, 1):
            yield self.cores.at(stage, before), picked
            before = picked

    @cached_property
    def varying(self) -> bool:
        """Whether the present choice of states may become singular."""
        if len(self.columns) == 1:
            return False  # there is no choice
        value = self.candidates.coefficient[self.mine]
        for core, picked in self.stages(self.present(self.candidates.stages)):
            found = core.square(core.reduced(value), picked)
            if found is None:
                return True
            square, varies = found
            row, column = np.nonzero((square != 0) | varies)
            if not stays_regular(len(square), row, column, square[row, column], varies[row, column]):
                return True
        return False


def tied_parts(candidates: Candidates) -> list[TiedPart]:
    """The connected parts of the constraints' Jacobian."""
    shape = len(candidates.rows), len(candidates.d)
    found = connected_parts(shape, candidates.pairs[:, 0], candidates.pairs[:, 1])
    return [_part(candidates, *part) for part in found]


def _part(candidates: Candidates, rows: Any, columns: Any, mine: Any) -> TiedPart:
    row = np.searchsorted(rows, candidates.pairs[mine, 0])
    column = np.searchsorted(columns, candidates.pairs[mine, 1])
    entries = Entries((len(rows), len(columns)), row, column, candidates.varying[mine])
    value = np.nan_to_num(candidates.coefficient[mine])
    wanted = candidates.preference[columns]
    cores = Cores(entries, value, wanted, candidates.c[rows], candidates.d[columns], candidates.firm[columns])
    return TiedPart(candidates, rows, columns, mine, cores)
