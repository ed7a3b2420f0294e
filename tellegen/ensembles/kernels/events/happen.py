"""What happens at an instant, in the runs that have an event there.

    flags, discrete equations and actions until they agree  ->  conditions that become true act as well
                                                            ->  none is left: pre() moves on, and again

It is the iteration of engine/runtime/events/event_rounds.py for models whose unknowns follow from their states in
closed form. Whatever takes many rounds, slides or ends the run is left to the scalar engine (Status.EVENT).
"""

from __future__ import annotations

from tellegen.ensembles.kernels.events.acting import choose, take_actions
from tellegen.ensembles.kernels.events.departure import look_ahead
from tellegen.ensembles.kernels.events.switching import solve_equations, switch_instants, switch_relations
from tellegen.ensembles.kernels.events.ticks import lower_samples, raise_samples
from tellegen.ensembles.kernels.job import Job, pre_values
from tellegen.ensembles.kernels.sizes import (
    ACTIONS,
    CHOSEN,
    CONDITIONS,
    ENDS,
    INITIALIZING,
    PICKED,
    PRE,
    PRES,
    REINITIALIZED,
    RELATIONS,
    Q,
    X,
)
from tellegen.procedures.language import Array, any_lane, f64, procedure

PRE_SLOT = (0,)
"""Where pre() stands, put in with the sizes."""

_MOST_ROUNDS = 20
_LOOKS = 6


@procedure(inline=True)
def begin_round(job: Job, work: Array[f64], t: f64, is_due: bool) -> None:
    """pre() reads the present values, and no state has jumped yet."""
    work[REINITIALIZED] = 0.0 if is_due else work[REINITIALIZED]
    if PRES > 0:
        q = work[Q:]
        pre = work[PRE:]
        pre_values(t, job.common, q, work[X:], pre)
        for k in range(PRES):
            q[PRE_SLOT[k]] = pre[k] if is_due else q[PRE_SLOT[k]]


@procedure
def converge(job: Job, work: Array[f64], t: f64, is_due: bool, tolerance: f64) -> f64:
    """Flags, discrete equations and actions, with pre() fixed: 0 where nothing changes, 1, or 3 without an end."""
    rounds = 0
    is_open = is_due
    changed = False
    while any_lane(is_open) and rounds < _MOST_ROUNDS:
        rounds += 1
        moved = switch_relations(job, work, t, is_open, tolerance)
        moved = switch_instants(job, work, t, is_open) or moved
        moved = solve_equations(job, work, t, is_open) or moved
        if ACTIONS > 0:
            moved = take_actions(job, work, t, is_open) or moved
        is_open = is_open and moved
        changed = changed or is_open
    return 3.0 if is_open else 1.0 if changed else 0.0


@procedure(inline=True)
def begin_conditions(work: Array[f64], is_due: bool, moves: bool) -> None:
    """Those that were picked are to act; where a round ends, those that have acted are done with."""
    chosen = work[CHOSEN:]
    picked = work[PICKED:]
    for k in range(CONDITIONS):
        kept = 0.0 if moves else chosen[k]
        chosen[k] = (2.0 if picked[k] > 0.5 else kept) if is_due else chosen[k]


@procedure
def settle(job: Job, work: Array[f64], t: f64, is_due: bool, tolerance: f64) -> f64:
    """Iterate at this time until nothing changes.

    0, 1 where states have jumped, 2 where the run ends here, 3 where it is left to others.
    """
    chosen = work[CHOSEN:]
    for k in range(CONDITIONS):
        chosen[k] = 0.0 if is_due else chosen[k]
    work[ENDS] = 0.0 if is_due else work[ENDS]
    found = 0.0
    rounds = 0
    is_open = is_due
    is_dirty = False
    while any_lane(is_open) and rounds < _MOST_ROUNDS:
        rounds += 1
        result = converge(job, work, t, is_open, tolerance)
        is_dirty = is_dirty or result > 0.5
        is_picked = False
        if CONDITIONS > 0:
            is_picked = choose(job, work, t, is_open)
        has_jumped = work[REINITIALIZED] > 0.5
        is_left = is_open and (result > 2.5 or work[ENDS] == 1.0)
        is_over = is_open and work[ENDS] > 1.5
        found = 1.0 if is_open and has_jumped and found < 1.0 else found
        found = 2.0 if is_over else found
        found = 3.0 if is_left else found
        acts_now = is_picked and not has_jumped
        is_open = is_open and not is_left and not is_over and (acts_now or is_dirty)
        moves = is_open and not acts_now
        begin_conditions(work, is_open, moves)
        is_dirty = is_picked
        lower_samples(work, moves)
        work[INITIALIZING] = 0.0 if moves else work[INITIALIZING]
        begin_round(job, work, t, moves)
    lower_samples(work, is_due)
    return 3.0 if is_open else found


@procedure
def leave(job: Job, work: Array[f64], t: f64, is_due: bool, has_jumped: bool) -> f64:
    """Let relations switch that are about to: 0, or 3 where that is left to the scalar engine."""
    result = 0.0
    if RELATIONS > 0:
        looks = 0
        is_open = is_due
        jumped = has_jumped
        while any_lane(is_open) and looks < _LOOKS:
            looks += 1
            is_open = look_ahead(job, work, t, is_open, jumped)
            if any_lane(is_open):
                begin_round(job, work, t, is_open)
                again = settle(job, work, t, is_open, job.rtol * 4.0)
                result = max(result, again) if is_open else result
                jumped = jumped or result > 0.5
                is_open = is_open and result < 1.5
        result = 3.0 if is_open else result
    return result if result > 2.5 else 0.0


@procedure
def happen(job: Job, work: Array[f64], t: f64, is_due: bool) -> f64:
    """An event where it is due: 0, or 3 where it is left to the scalar engine."""
    begin_round(job, work, t, is_due)
    raise_samples(work, t, is_due)
    result = settle(job, work, t, is_due, job.rtol * 4.0)
    left = leave(job, work, t, is_due and result < 1.5, result > 0.5)
    return 3.0 if result > 2.5 or left > 2.5 else 0.0
