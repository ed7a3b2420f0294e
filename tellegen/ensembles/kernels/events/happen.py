"""What happens at an instant, in the runs that have an event there.

    flags and discrete equations until they agree  ->  conditions that become true act  ->  pre() moves on, again

It is the iteration of engine/runtime/events/event_iteration.py for models whose unknowns follow from their states in
closed form. Whatever takes more than a few rounds, slides or ends the run is left to the scalar engine (Status.EVENT).
"""

from __future__ import annotations

from tellegen.ensembles.kernels.events.watch import GREATER
from tellegen.ensembles.kernels.job import Job, conditions, differences, instants, pre_values, rates, values
from tellegen.ensembles.kernels.sizes import (
    ACTIONS,
    CONDITIONS,
    EQUATIONS,
    FLAGS,
    HERE,
    INSTANTS,
    LARGEST,
    NOW,
    PASSED,
    PRE,
    PRES,
    RELATIONS,
    STAGE,
    STATES,
    VALUE,
    WAS,
    K,
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
PRE_SLOT = (0,)
EQUATION_SLOT = (0,)
EQUATION_VALUE = (0,)
EQUATION_SIGN = (0.0,)
CONDITION_FIRST = (0,)
"""The first condition of the when-statement that a condition belongs to."""
ACTION_CONDITION = (0,)
ACTION_VALUE = (0,)
ACTION_SIGN = (0.0,)
ACTION_ASSIGNS = (0.0,)
ACTION_SLOT = (0,)
ACTION_REINITS = (0.0,)
ACTION_STATE = (0,)
ACTION_ENDS = (0.0,)
"""1.0 for terminate, -1.0 for assert, else 0.0."""

_MOST_ROUNDS = 20
_LOOKS = 6
_NEAR = 1e-14
_AT_ZERO = 1e-3
_SOON = 1e5
_ROUNDING = 1e-13


@procedure(inline=True)
def holds(difference: f64, k: i64) -> bool:
    """Relation k, given left - right."""
    on_zero = EQUAL[k] > 0.5
    above = difference > 0.0 or (on_zero and difference == 0.0)
    below = difference < 0.0 or (on_zero and difference == 0.0)
    return above if GREATER[k] > 0.5 else below


@procedure(inline=True)
def move_pre(job: Job, work: Array[f64], t: f64, is_due: bool) -> None:
    """pre() reads the present values."""
    if PRES > 0:
        q = work[Q:]
        pre = work[PRE:]
        pre_values(t, job.common, q, work[X:], pre)
        for k in range(PRES):
            q[PRE_SLOT[k]] = pre[k] if is_due else q[PRE_SLOT[k]]


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
    """Flags of relations of unknowns; one that passes zero here counts as it will be after it. Whether one changed."""
    changed = False
    if RELATIONS > 0:
        q = work[Q:]
        here = work[HERE:]
        flags = work[FLAGS:]
        passed = work[PASSED:]
        largest = work[LARGEST:]
        differences(t, job.common, q, work[X:], here)
        for k in range(RELATIONS):
            size = abs(here[k])
            largest[k] = max(largest[k], size) if is_due else largest[k]
            stays = size <= tolerance * largest[k] and passed[k] != 0.0
            ahead = passed[k] if stays else here[k]
            raised = holds(ahead, k)
            was = flags[k] > 0.5
            flags[k] = (1.0 if raised else 0.0) if is_due else flags[k]
            q[FLAG_SLOT[k]] = flags[k]
            changed = changed or (is_due and raised != was)
    return changed


@procedure(inline=True)
def solve_equations(job: Job, work: Array[f64], t: f64, is_due: bool) -> bool:
    """Discrete variables that equations give; whether one changed."""
    changed = False
    if EQUATIONS > 0:
        q = work[Q:]
        value = work[VALUE:]
        values(t, job.common, q, work[X:], value)
        for k in range(EQUATIONS):
            new = EQUATION_SIGN[k] * value[EQUATION_VALUE[k]]
            old = q[EQUATION_SLOT[k]]
            q[EQUATION_SLOT[k]] = new if is_due else old
            changed = changed or (is_due and new != old)
    return changed


@procedure
def agree(job: Job, work: Array[f64], t: f64, is_due: bool, tolerance: f64) -> bool:
    """Flags and discrete equations until nothing changes; whether some did not come to an end."""
    rounds = 0
    changed = is_due
    while any_lane(changed) and rounds < _MOST_ROUNDS:
        rounds += 1
        changed = switch_relations(job, work, t, is_due, tolerance)
        changed = switch_instants(job, work, t, is_due) or changed
        changed = solve_equations(job, work, t, is_due) or changed
    return changed


@procedure
def act(job: Job, work: Array[f64], t: f64, is_due: bool) -> f64:
    """Conditions that become true act, of each when-statement the first.

    0 where nothing happens, 1 where something does, 2 where states jump, 3 where the run ends.
    """
    result = 0.0
    q = work[Q:]
    x = work[X:]
    now = work[NOW:]
    was = work[WAS:]
    value = work[VALUE:]
    conditions(t, job.common, q, x, now)
    values(t, job.common, q, x, value)
    for k in range(CONDITIONS):
        is_true = now[k] > 0.5
        rises = is_due and is_true and was[k] < 0.5
        was[k] = (1.0 if is_true else 0.0) if is_due else was[k]
        now[k] = 1.0 if rises else 0.0
    for k in range(CONDITIONS):
        is_first = True
        for j in range(CONDITIONS):
            is_earlier = CONDITION_FIRST[k] <= j and j < k
            is_first = is_first and not (is_earlier and now[j] > 0.5)
        now[k] = now[k] if is_first else 0.5 * now[k]
        result = 1.0 if now[k] > 0.75 and result < 1.0 else result
    for a in range(ACTIONS):
        fires = now[ACTION_CONDITION[a]] > 0.75
        new = ACTION_SIGN[a] * value[ACTION_VALUE[a]]
        assigns = fires and ACTION_ASSIGNS[a] > 0.5
        reinits = fires and ACTION_REINITS[a] > 0.5
        stops = (ACTION_ENDS[a] > 0.5 and new > 0.5) or (ACTION_ENDS[a] < -0.5 and not (new > 0.5))
        q[ACTION_SLOT[a]] = new if assigns else q[ACTION_SLOT[a]]
        x[ACTION_STATE[a]] = new if reinits else x[ACTION_STATE[a]]
        result = 2.0 if reinits and result < 2.0 else result
        result = 3.0 if fires and stops else result
    return result


@procedure
def settle(job: Job, work: Array[f64], t: f64, is_due: bool, tolerance: f64) -> f64:
    """Iterate at this time until nothing changes: 0, 1 where states have jumped, 3 where it is left to others."""
    found = 0.0
    rounds = 0
    is_open = is_due
    while any_lane(is_open) and rounds < _MOST_ROUNDS:
        rounds += 1
        is_stuck = agree(job, work, t, is_open, tolerance)
        result = act(job, work, t, is_open) if CONDITIONS > 0 else 0.0
        found = 1.0 if result == 2.0 and found < 1.0 else found
        found = 3.0 if is_stuck or result == 3.0 else found
        is_open = is_open and result > 0.5 and result < 2.5
        move_pre(job, work, t, is_open)
    return 3.0 if is_open else found


@procedure
def look_ahead(job: Job, work: Array[f64], t: f64, is_due: bool, has_jumped: bool) -> bool:
    """Whether relations switch a moment ahead without a root to be seen; these are marked as passing.

    See engine/runtime/events/event_departure.py.
    """
    found = False
    x = work[X:]
    stage = work[STAGE:]
    rate = work[K:]
    q = work[Q:]
    here = work[HERE:]
    ahead = work[NOW:]
    flags = work[FLAGS:]
    passed = work[PASSED:]
    rates(t, job.common, q, x, rate)
    for i in range(STATES):
        stage[i] = x[i] + job.lookahead * rate[i]
    differences(t, job.common, q, x, here)
    differences(t + job.lookahead, job.common, q, stage, ahead)
    for k in range(RELATIONS):
        raised = flags[k] > 0.5
        way = ahead[k] - here[k]
        is_unseen = here[k] == 0.0 or holds(here[k], k) != raised
        is_sent_back = has_jumped and (passed[k] != 0.0 or abs(here[k]) <= _AT_ZERO * abs(way))
        switches = ahead[k] != 0.0 and holds(ahead[k], k) != raised
        above = raised == (GREATER[k] > 0.5)
        has_switched = passed[k] != 0.0 and (passed[k] > 0.0) == above
        heads_on = abs(here[k]) < _SOON * abs(way) and has_switched and (way > 0.0) == above
        goes = is_due and switches and (is_sent_back or (is_unseen and not heads_on))
        rests = is_unseen and not switches and ahead[k] != 0.0
        sign = 1.0 if ahead[k] > 0.0 else -1.0
        passed[k] = (sign if goes or rests else 0.0) if is_due else passed[k]
        found = found or goes
    return found


@procedure
def happen(job: Job, work: Array[f64], t: f64, is_due: bool) -> f64:
    """An event where it is due: 0, or 3 where it is left to the scalar engine."""
    move_pre(job, work, t, is_due)
    result = settle(job, work, t, is_due, job.rtol * 4.0)
    if RELATIONS > 0:
        looks = 0
        is_open = is_due and result < 3.0
        while any_lane(is_open) and looks < _LOOKS:
            looks += 1
            is_open = look_ahead(job, work, t, is_open, result > 0.5)
            if any_lane(is_open):
                move_pre(job, work, t, is_open)
                again = settle(job, work, t, is_open, job.rtol * 4.0)
                result = max(result, again) if is_open else result
                is_open = is_open and result < 3.0
        result = 3.0 if is_open else result
    return result if result > 2.5 else 0.0
