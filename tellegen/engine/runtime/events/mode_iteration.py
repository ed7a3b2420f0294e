"""Native: flags, discrete equations, actions and unknowns that agree at an instant, with pre() fixed.

1  along the path from what held before (mode_path.py)
2  where it leads nowhere: all wrong flags at once, then one by one (Murty's rule, which cannot cycle where the
   choice is unique: linear complementarity with a P-matrix)
3  where that cannot be solved or goes in circles: the same from combinations in which a few flags differ
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun, Failure, Switching
from tellegen.engine.runtime.events.impulse_sharing import share_impulses
from tellegen.engine.runtime.events.mode_path import LATE, begin_path, copy_unknowns, follow_path, take_unknowns
from tellegen.engine.runtime.events.past.delay_lines import fill_at_start
from tellegen.engine.runtime.events.relation_switching import (
    set_flag,
    solve_unknowns,
    switch_instants,
    switch_relations,
)
from tellegen.engine.runtime.events.relation_values import is_raised
from tellegen.engine.runtime.events.when_actions import act, solve_discrete_equations
from tellegen.procedures.language import i64, procedure

_TOGETHER = 20  # rounds in which all flags are set at once
_MOST_ROUNDS = 400
_SEARCH_ROUNDS = 30
_MOST_TRIALS = 400
_MOST_SLOW_TRIALS = 40  # where Python solves for the unknowns


@procedure
def keep_modes(ev: EventRun) -> None:
    """Keep flags, roots, values of discrete equations and unknowns, to come back to them."""
    copy_unknowns(ev, ev.y_before, ev.yp_before)
    for k in range(ev.discrete_count):
        ev.discrete_before[k] = ev.p[ev.discrete_index[k]]
    for k in range(ev.relation_count):
        ev.flags_before[k] = int(is_raised(ev, ev.relation_flag[k]))
        ev.roots_before[k] = ev.roots[k]


@procedure
def return_to_modes(ev: EventRun) -> None:
    """All of it as it was kept; what actions did is to be done again."""
    take_unknowns(ev, ev.y_before, ev.yp_before)
    for k in range(ev.discrete_count):
        ev.p[ev.discrete_index[k]] = ev.discrete_before[k]
    for k in range(ev.relation_count):
        set_flag(ev, k, ev.flags_before[k] != 0)
        ev.roots[k] = ev.roots_before[k]
    ev.chosen_is_new = ev.chosen_count > 0
    ev.failed = 0


@procedure
def try_rounds(ev: EventRun, most_rounds: i64, together: i64) -> bool:
    """Flags, discrete equations, the chosen actions and the unknowns, until they agree; whether they do."""
    for k in range(most_rounds):
        switching = Switching.TOGETHER if k < together else Switching.ONE_BY_ONE
        is_late = ev.rounds >= LATE  # of the whole instant: else roundings would restart
        ev.switching = Switching.LATE if is_late else switching
        ev.rounds += 1
        changed = fill_at_start(ev)
        changed = switch_relations(ev) or changed
        changed = switch_instants(ev) or changed
        changed = solve_discrete_equations(ev) or changed
        changed = act(ev) or changed
        if not changed:
            ev.changed = k > 0
            return True
        if not (share_impulses(ev) and solve_unknowns(ev)):
            ev.failed = Failure.NOT_CONSISTENT
            return False
    ev.failed = Failure.NOT_CONVERGED
    return False


@procedure
def try_from(ev: EventRun, first: i64, second: i64) -> bool:
    """Iterate from the kept flags with one or two of them changed; whether that ends."""
    return_to_modes(ev)
    ev.rounds = 0
    set_flag(ev, first, ev.flags_before[first] == 0)
    if second != first:
        set_flag(ev, second, ev.flags_before[second] == 0)
    solve_discrete_equations(ev)
    return ev.solve(ev.t, ev.context) == 0 and try_rounds(ev, _SEARCH_ROUNDS, 0)


@procedure
def search_modes(ev: EventRun) -> bool:
    """Combinations that differ from the kept one in one flag, then in two; whether one leads to values that agree."""
    trials = 0
    count = ev.relation_count
    most_trials = _MOST_TRIALS if ev.rescue is not None else _MOST_SLOW_TRIALS
    for distance in range(2):
        for first in range(count):
            for second in range(first + 1 if distance == 1 else first, count if distance == 1 else first + 1):
                trials += 1
                if trials > most_trials:
                    return False
                is_idle = ev.matters[first] == 0 or ev.matters[second] == 0
                if not is_idle and try_from(ev, first, second):
                    return True
    return False


@procedure
def converge(ev: EventRun) -> bool:
    """Bring everything at this instant to agree, with pre() fixed; whether something changed. `failed` is set where
    that does not succeed."""
    ev.changed = False
    keep_modes(ev)
    if ev.relation_count > 0:
        rounds = ev.rounds
        begin_path(ev)
        if follow_path(ev, False):
            return ev.changed
        return_to_modes(ev)
        ev.rounds = rounds
    if try_rounds(ev, _MOST_ROUNDS, _TOGETHER):
        return ev.changed
    if ev.failed >= 0 or ev.relation_count == 0:
        return True
    failed = ev.failed
    if search_modes(ev):
        ev.changed = True
        ev.failed = 0
        return True
    return_to_modes(ev)
    ev.failed = failed
    return True
