"""InitialOrder: how the equations at the initial time are solved, part after part.

    stage 0   every block that is affine in all unknowns, up to the first that is not:  one linear system
    stage 1   the blocks of the first level with one that is not affine:                Newton's method, block by block
    stage 2   the affine blocks that follow:                                            one linear system
    ...

Blocks are those of ODE mode (ir/sorted.py), but over another set of unknowns: what initial equations, fixed starts or a
steady state leave open.
"""

from __future__ import annotations

from tellegen.ir.model import IntArray
from tellegen.ir.sorted import Blocks
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class InitialOrder:
    """Blocks and the stage of each; even stages are linear. `blocks.reason` says why there is no order, if so."""

    blocks: Blocks
    stage: IntArray
