"""Blocks of equations that contain constraints which repeat each other: how many of their unknowns are determined.

    a loop of six hinges: five constraints, of which four are independent at all times
    ->  the five forces that keep them are solved for up to the rank 4; the one left over is zero

Which constraints repeat each other is known of the invariants, by their ranks. The unknowns that keep them belong to
the same component of the model, so a block loses as many as the components of its tears have rows that repeat others,
provided that its matrix says so too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import Int32Array

if TYPE_CHECKING:
    from tellegen.engine.loaded.invariant_components import Components
    from tellegen.engine.loaded.ode_system import OdeSystem

_VANISHING = 1e-7
"""Singular values below, relative to the largest, may belong to constraints that repeat others."""

Owner = tuple[int, int]
"""Node and instance of a component of the model."""


def limit_ranks(system: OdeSystem, of: Components, rank: IntArray, t: float, x: FloatArray) -> None:
    """Tell the blocks of a system the ranks that follow from those of the components of its invariants."""
    repeated = _repeated(system, of, rank)
    blocks = [solve for solve in system.solves.values() if solve.step.linear and solve.step.pattern is None]
    for solve in blocks:
        solve.limit_ranks(solve.full_ranks, factors=bool(repeated))
    if not repeated or not system.rhs(t, x):
        return
    for solve in blocks:
        ranks = solve.full_ranks.copy()
        for block in range(solve.step.blocks):
            owners = {_owner(system, int(place)) for place in solve.tears_of(block) if place < len(system.y)}
            most = sum(count for group, count in repeated.items() if owners & group)
            if most:
                ranks[block] -= min(most, _missing(solve.matrix_of(block)))
        solve.limit_ranks(ranks)


def left_out(system: OdeSystem) -> tuple[Int32Array, Int32Array]:
    """Places in the Jacobian that the blocks left out when the system was evaluated last, and the unknowns there.

    They are forces of constraints that repeat others, each in the row of its own constraint, where its compliance is.
    """
    pattern = system.model.program.pattern
    places: list[int] = []
    forces: list[int] = []
    for solve in system.solves.values():
        step = solve.step
        if not step.linear or step.pattern is not None:
            continue
        for block in range(step.blocks):
            tears = slice(int(step.tear_start[block]), int(step.tear_start[block + 1]))
            for k in solve.beyond_rank(block):
                force = int(step.tear_index[tears.start + k])
                column = np.arange(pattern.indptr[force], pattern.indptr[force + 1]) if force < len(system.y) else []
                own = [place for place in column if pattern.indices[place] in step.judge_row[tears]]
                if len(own) == 1:
                    places += own
                    forces.append(force)
    return np.array(places, np.int32), np.array(forces, np.int32)


def _missing(matrix: FloatArray) -> int:
    """By how much the rank of a matrix is lower than its size; its rows are of one unit."""
    if not np.isfinite(matrix).all():
        return 0
    sizes = np.linalg.svd(matrix, compute_uv=False)
    return int((sizes < _VANISHING * sizes[0]).sum())


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
