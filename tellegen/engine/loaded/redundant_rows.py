"""Blocks of equations that contain constraints which repeat each other: how many of their unknowns are determined.

    a loop of six hinges: five constraints, of which four are independent at all times
    ->  the five forces that keep them are solved for up to the rank 4; the one left over is zero

Which constraints repeat each other is known of the invariants, by their ranks. The unknowns that keep them belong to
the same component of the model, so a block loses as many as the components of its tears have rows that repeat others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tellegen.ir.model import IntArray

if TYPE_CHECKING:
    from tellegen.engine.loaded.invariant_components import Components
    from tellegen.engine.loaded.ode_system import OdeSystem

Owner = tuple[int, int]
"""Node and instance of a component of the model."""


def limit_ranks(system: OdeSystem, of: Components, rank: IntArray) -> None:
    """Tell the blocks of a system the ranks that follow from those of the components of its invariants."""
    repeated = _repeated(system, of, rank)
    for solve in system.solves.values():
        step = solve.step
        if not step.linear or step.pattern is not None:
            continue
        ranks = np.diff(step.tear_start).astype(np.int64)
        for block in range(step.blocks if repeated else 0):
            tears = step.tear_index[step.tear_start[block] : step.tear_start[block + 1]]
            owners = {_owner(system, int(place)) for place in tears if place < len(system.y)}
            ranks[block] -= sum(count for group, count in repeated.items() if owners & group)
        solve.limit_ranks(ranks)


def _repeated(system: OdeSystem, of: Components, rank: IntArray) -> dict[frozenset[Owner], int]:
    """Rows that repeat others, by the components of the model they belong to; positions and velocities count once."""
    found: dict[frozenset[Owner], int] = {}
    missing = np.diff(of.row_start) - rank
    for k in np.flatnonzero(missing > 0).tolist():
        owners = frozenset(_owner(system, int(place)) for place in of.residuals_of(k))
        found[owners] = max(found.get(owners, 0), int(missing[k]))
    return found


def _owner(system: OdeSystem, place: int) -> Owner:
    reduced = system.model.reduced
    node, _, instance, _ = reduced.flat.variables.locate(int(reduced.unknowns[place]))
    return node, instance
