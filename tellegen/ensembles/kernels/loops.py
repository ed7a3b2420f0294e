"""What a run knows of its nonlinear algebraic loops: what it found last for their tears, and whether one was lost.

A function that is called for some runs is evaluated for those beside them as well, at points that mean nothing. What
those have found there is put back.
"""

from __future__ import annotations

from tellegen.ensembles.kernels.sizes import GUESS, LOOPS, Q
from tellegen.procedures.language import Array, f64, procedure


@procedure(inline=True)
def hold(work: Array[f64], room: Array[f64]) -> None:
    """Keep it as it is."""
    for k in range(LOOPS):
        room[k] = work[Q + GUESS + k]


@procedure(inline=True)
def put_back(work: Array[f64], room: Array[f64], is_due: bool) -> None:
    """What was kept, but where functions were due."""
    for k in range(LOOPS):
        work[Q + GUESS + k] = work[Q + GUESS + k] if is_due else room[k]


@procedure(inline=True)
def has_lost(work: Array[f64]) -> bool:
    """Whether a loop had no solution where something was decided."""
    found = False
    if LOOPS > 0:
        found = work[Q + GUESS + LOOPS - 1] > 0.5
    return found
