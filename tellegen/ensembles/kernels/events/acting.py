"""When-statements: which conditions have just become true, and what their actions do.

See engine/runtime/events/when_actions.py. A condition is 2 where it was chosen and has not acted yet, 1 where it has in
this round, 0 else. Actions whose values read what others assign are equations of the same instant: they are taken again
until they no longer change.
"""

from __future__ import annotations

from tellegen.ensembles.kernels.job import Job, conditions, values
from tellegen.ensembles.kernels.sizes import (
    ACTIONS,
    CHOSEN,
    CONDITIONS,
    ENDS,
    INITIALIZING,
    NOW,
    PICKED,
    REINITIALIZED,
    TAKEN,
    VALUE,
    WAS,
    Q,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, is_finite, procedure

ACTS_AT_START = (0.0,)
"""Which conditions act in the initial instant if they hold."""
CONDITION_WHEN = (0,)
"""The when-statement that a condition belongs to."""
CONDITION_LEVEL = (0,)
"""Those that read what others assign are looked at when these have acted."""
LAST_LEVEL = (0,)
ACTION_CONDITION = (0,)
ACTION_VALUE = (0,)
ACTION_SIGN = (0.0,)
ACTION_ASSIGNS = (0.0,)
ACTION_SLOT = (0,)
ACTION_REINITS = (0.0,)
ACTION_STATE = (0,)
ACTION_FOLLOWS = (0.0,)
ACTION_ENDS = (0.0,)
"""1.0 for terminate, -1.0 for assert, else 0.0. What ends a run is 2.0 in the first case, else 1.0."""

_ROUNDING = 1e-13
_MORE_ROUNDS = 64


@procedure
def choose(job: Job, work: Array[f64], t: f64, is_due: bool) -> bool:
    """Mark in `picked` the conditions that have just become true, of each when-statement the first; are there any?"""
    now = work[NOW:]
    was = work[WAS:]
    chosen = work[CHOSEN:]
    picked = work[PICKED:]
    conditions(t, job.common, work[Q:], work[X:], now)
    is_new_round = work[REINITIALIZED] > 0.5
    for k in range(CONDITIONS):
        picked[k] = 0.0
    found = False
    for level in range(LAST_LEVEL[0] + 1):
        is_looked_at = is_due and (is_new_round or not found)
        found_here = False
        for k in range(CONDITIONS):
            is_asked = is_looked_at and CONDITION_LEVEL[k] == level
            is_true = now[k] > 0.5
            is_active = ACTS_AT_START[k] > 0.5 or work[INITIALIZING] < 0.5
            is_rising = is_asked and is_true and is_active and was[k] < 0.5
            has_acted = False
            is_late = False
            for j in range(CONDITIONS):
                is_sibling = CONDITION_WHEN[j] == CONDITION_WHEN[k]
                has_acted = has_acted or (is_sibling and chosen[j] > 0.5)
                is_late = is_late or (is_sibling and picked[j] > 0.5)
            has_acted = has_acted and not is_new_round
            held = 1.0 if is_true and not (is_rising and has_acted) else 0.0
            was[k] = held if is_asked else was[k]
            is_picked = is_rising and not has_acted and not is_late
            picked[k] = 1.0 if is_picked else picked[k]
            found_here = found_here or is_picked
        found = found or found_here
    return found


@procedure
def take_actions(job: Job, work: Array[f64], t: f64, is_due: bool) -> bool:
    """The actions of the chosen conditions where they or their values are new; whether something changed."""
    q = work[Q:]
    x = work[X:]
    value = work[VALUE:]
    chosen = work[CHOSEN:]
    taken = work[TAKEN:]
    changed = False
    is_open = False
    for k in range(CONDITIONS):
        is_open = is_open or (is_due and chosen[k] > 0.5)
    rounds = 0
    while any_lane(is_open) and rounds < CONDITIONS + _MORE_ROUNDS:
        rounds += 1
        values(t, job.common, q, x, value)
        again = False
        for a in range(ACTIONS):
            new = ACTION_SIGN[a] * value[ACTION_VALUE[a]]
            mark = chosen[ACTION_CONDITION[a]]
            is_other = new != taken[a] and not (abs(new - taken[a]) < _ROUNDING * abs(taken[a]))
            fires = is_open and mark > 0.5 and (mark > 1.5 or is_other)
            assigns = fires and ACTION_ASSIGNS[a] > 0.5
            reinits = fires and ACTION_REINITS[a] > 0.5
            stops = (ACTION_ENDS[a] > 0.5 and new > 0.5) or (ACTION_ENDS[a] < -0.5 and not (new > 0.5))
            changed = changed or reinits or (assigns and q[ACTION_SLOT[a]] != new)
            q[ACTION_SLOT[a]] = new if assigns else q[ACTION_SLOT[a]]
            x[ACTION_STATE[a]] = new if reinits else x[ACTION_STATE[a]]
            taken[a] = new if fires else taken[a]
            work[REINITIALIZED] = 1.0 if reinits else work[REINITIALIZED]
            ends = 1.0 if not (new > 0.5) or not is_finite(new) else 2.0
            work[ENDS] = ends if fires and (stops or not is_finite(new)) and work[ENDS] != 1.0 else work[ENDS]
            again = again or (fires and ACTION_FOLLOWS[a] > 0.5)
        for k in range(CONDITIONS):
            chosen[k] = 1.0 if is_open and chosen[k] > 1.5 else chosen[k]
        is_open = is_open and again
    return changed
