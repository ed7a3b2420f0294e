"""Order the equations at the initial time: the same blocks and tears as for ODE mode, over other unknowns.

    before   der(x) == -x + z,  z**3 + z == x,  initially der(x) == 0          to compute: x, der(x), z
    after    stage 0   der(x)   from  der(x) == 0
             stage 1   x, z     from  der(x) == -x + z,  z**3 + z == x         Newton's method, torn: z is guessed

Blocks whose equations are affine in all unknowns together need no order among themselves: they are one linear system,
as far as no Newton iteration stands between them.
"""

from __future__ import annotations

import numpy as np

from tellegen.dataflow.rows import Rows, rows_of
from tellegen.graph.arrays import distinct
from tellegen.ir.initial import InitialOrder
from tellegen.ir.reduced import BoolArray, ReducedModel, Wanted
from tellegen.ir.sorted import Blocks
from tellegen.structure.ordering.order_blocks import ordered
from tellegen.structure.ordering.tear_blocks import torn
from tellegen.symbolic.solve import is_affine


def order_initial(model: ReducedModel, wanted: Wanted, kept: BoolArray) -> InitialOrder:
    """See the top of this file, for the equations that are `kept`; initial ones, if it has any of them, come last."""
    rows = rows_of(model, initial=len(kept) > model.equation_count)
    if not kept.all():
        rows = rows.only(kept)
    blocks = ordered(rows, wanted, int(kept.sum()))
    if blocks.reason:
        return InitialOrder(blocks, np.zeros(len(blocks.level), np.int64))
    blocks = torn(blocks, rows, wanted)
    return InitialOrder(blocks, _stages(blocks, _affine(rows, wanted, blocks)))


def _affine(rows: Rows, wanted: Wanted, blocks: Blocks) -> BoolArray:
    """Per block whether its equations are affine in all unknowns together."""
    affine = np.ones(len(blocks.block), bool)
    for part in rows.sets:
        free = frozenset(leaf for leaf in part.leaves if (part.columns(leaf, wanted) >= 0).any())
        affine[part.rows] = is_affine(part.residual, free.__contains__)
    of_block = np.ones(len(blocks.level), bool)
    np.logical_and.at(of_block, blocks.block, affine)
    return of_block


def _stages(blocks: Blocks, affine: BoolArray) -> np.ndarray:
    """The stage of each block: two more for every level with a block that is not affine."""
    before = np.searchsorted(distinct(blocks.level[~affine]), blocks.level)
    return 2 * before + ~affine
