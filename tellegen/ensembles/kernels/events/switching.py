"""What holds at an instant: flags of relations, and discrete variables that equations give, as they should be now.

The rules are those of engine/runtime/events/relation_switching.py and relation_values.py.
"""

from __future__ import annotations

from tellegen.ensembles.kernels.events.watch import GREATER
from tellegen.ensembles.kernels.job import Job, differences, gates, instants, values
from tellegen.ensembles.kernels.sizes import (
    EQUATIONS,
    FLAGS,
    GATES,
    HERE,
    INITIALIZING,
    INSTANTS,
    LARGEST,
    LEVELS,
    MATTERS,
    NOW,
    PASSED,
    RELATIONS,
    VALUE,
    Q,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, i64, procedure

FLAG_SLOT = (0,)
INSTANT_SLOT = (0,)
INSTANT_GREATER = (0.0,)
INSTANT_EQUAL = (0.0,)
EQUAL = (0.0,)
"""Whether a relation holds where left and right are equal."""
RISES = (0.0,)
"""Whether a relation lets a level rise: it then holds where left and right become equal and stay so."""
GATE_RELATION = (0,)
EQUATION_SLOT = (0,)
EQUATION_VALUE = (0,)
EQUATION_SIGN = (0.0,)
"""Those of levels come last: they move once, for their relations have to be computed again."""

_NEAR = 1e-14


@procedure(inline=True)
def holds(difference: f64, k: i64) -> bool:
    """Relation k, given left - right."""
    on_zero = EQUAL[k] > 0.5
    above = difference > 0.0 or (on_zero and difference == 0.0)
    below = difference < 0.0 or (on_zero and difference == 0.0)
    return above if GREATER[k] > 0.5 else below


@procedure(inline=True)
def find_what_matters(job: Job, work: Array[f64], t: f64, is_due: bool) -> None:
    """Which relations anything depends on, as discrete values are now."""
    if GATES > 0:
        now = work[NOW:]
        matters = work[MATTERS:]
        gates(t, job.common, work[Q:], work[X:], now)
        for k in range(GATES):
            found = 1.0 if now[k] > 0.5 else 0.0
            matters[GATE_RELATION[k]] = found if is_due else matters[GATE_RELATION[k]]


@procedure(inline=True)
def switch_instants(job: Job, work: Array[f64], t: f64, is_due: bool) -> bool:
    """Flags of relations of time, as they will be just after t; whether one changed."""
    changed = False
    if INSTANTS > 0:
        q = work[Q:]
        x = work[X:]
        here = work[HERE:]
        slope = work[NOW:]
        instants(0.0, job.common, q, x, here)
        instants(1.0, job.common, q, x, slope)
        for k in range(INSTANTS):
            slope[k] = slope[k] - here[k]
        instants(t, job.common, q, x, here)
        for k in range(INSTANTS):
            is_there = abs(here[k]) <= _NEAR * abs(t * slope[k])
            ahead = slope[k] if is_there else here[k]
            on_zero = INSTANT_EQUAL[k] > 0.5 and ahead == 0.0
            above = ahead > 0.0 or on_zero
            below = ahead < 0.0 or on_zero
            raised = above if INSTANT_GREATER[k] > 0.5 else below
            was = q[INSTANT_SLOT[k]] > 0.5
            q[INSTANT_SLOT[k]] = (1.0 if raised else 0.0) if is_due else q[INSTANT_SLOT[k]]
            changed = changed or (is_due and raised != was)
    return changed


@procedure(inline=True)
def switch_relations(job: Job, work: Array[f64], t: f64, is_due: bool, tolerance: f64) -> bool:
    """Flags of relations of unknowns; one that passes zero here counts as it will be after it. Whether one changed.

    Flags of relations that do not matter are set silently, so that they are right when they do.
    """
    changed = False
    if RELATIONS > 0:
        q = work[Q:]
        here = work[HERE:]
        flags = work[FLAGS:]
        passed = work[PASSED:]
        largest = work[LARGEST:]
        matters = work[MATTERS:]
        differences(t, job.common, q, work[X:], here)
        find_what_matters(job, work, t, is_due)
        for k in range(RELATIONS):
            is_idle = matters[k] < 0.5
            size = abs(here[k])
            largest[k] = max(largest[k], size) if is_due and not is_idle else largest[k]
            stays = size <= tolerance * largest[k] and passed[k] != 0.0 and not is_idle
            ahead = passed[k] if stays else here[k]
            begins = RISES[k] > 0.5 and here[k] == 0.0 and work[INITIALIZING] > 0.5
            raised = holds(ahead, k) or begins
            was = flags[k] > 0.5
            flags[k] = (1.0 if raised else 0.0) if is_due else flags[k]
            q[FLAG_SLOT[k]] = flags[k]
            changed = changed or (is_due and raised != was and not is_idle)
    return changed


@procedure(inline=True)
def take_equations(job: Job, work: Array[f64], t: f64, is_due: bool, with_levels: bool) -> bool:
    """Discrete variables from the values that they all have; whether one changed."""
    changed = False
    q = work[Q:]
    value = work[VALUE:]
    values(t, job.common, q, work[X:], value)
    for k in range(EQUATIONS):
        new = EQUATION_SIGN[k] * value[EQUATION_VALUE[k]]
        old = q[EQUATION_SLOT[k]]
        moves = is_due and (with_levels or k < EQUATIONS - LEVELS)
        q[EQUATION_SLOT[k]] = new if moves else old
        changed = changed or (moves and new != old)
    return changed


@procedure(inline=True)
def solve_equations(job: Job, work: Array[f64], t: f64, is_due: bool) -> bool:
    """Discrete variables that equations give, which may read each other; whether one changed."""
    changed = False
    if EQUATIONS > 0:
        changed = take_equations(job, work, t, is_due, True)
        rounds = 0
        again = changed
        while any_lane(again) and rounds < EQUATIONS - LEVELS:
            rounds += 1
            again = take_equations(job, work, t, is_due and again, False)
    return changed
