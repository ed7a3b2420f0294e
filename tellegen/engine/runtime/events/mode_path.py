"""Native: which relations switch, and in which order, where they depend on each other through algebraic unknowns.

Between its switchings a model is smooth, so the unknowns of one combination of flags lie on a straight line from the
last consistent point to the solution that they would have now. The first relation that changes on this line switches,
and the next line begins there: the path of Katzenelson (Bell System Technical Journal, 1965). A contact that would be
overloaded only while another one is beyond its own limit keeps holding.

    point  --line-->  x corner of relation 1, switch it  --line-->  x corner of relation 2  --line-->  solution

Where the line of the new flags leads back through the corner it came from, the solution folds: two combinations hold
before the corner and none after it. Then the path goes on away from that solution (Chien and Kuh, 1976), along the
middle of the S to the far branch, where the model jumps: a comparator with positive feedback.

Relations that change at the same point of the line switch together, unless that cannot be solved: two contacts that
hold one body leave open how they share its load. Then one of them switches and the others stay at their corners.
Where a single combination cannot be solved at the instant itself (a stuck slider at its dead centre), its solution a
moment ahead says where the line leads.
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.events.event_record import EventRun, Switching
from tellegen.engine.runtime.events.impulse_sharing import share_impulses
from tellegen.engine.runtime.events.past.delay_lines import fill_at_start
from tellegen.engine.runtime.events.relation_switching import (
    follow_idle_relations,
    new_value,
    report_switched,
    set_flag,
    switch_instants,
)
from tellegen.engine.runtime.events.relation_values import (
    compute_differences,
    compute_relations,
    copy,
    is_above,
    is_raised,
)
from tellegen.engine.runtime.events.when_actions import act, solve_discrete_equations
from tellegen.procedures.language import Array, f64, i64, procedure

LATE = 60
"""Rounds at one instant after which roundings do not count."""

_MOST_CORNERS = 60
_TIE = 1e-9  # of the line: relations that change so close to each other change at one point
_ROUNDING = 1e-12  # of the largest value of a relation


@procedure(inline=True)
def copy_unknowns(ev: EventRun, y: Array[f64], yp: Array[f64]) -> None:
    """Keep the unknowns and their rates."""
    copy(ev.y, y, ev.size)
    copy(ev.yp, yp, ev.size)


@procedure(inline=True)
def take_unknowns(ev: EventRun, y: Array[f64], yp: Array[f64]) -> None:
    """The unknowns and their rates are those that were kept."""
    copy(y, ev.y, ev.size)
    copy(yp, ev.yp, ev.size)


@procedure
def compute_at_point(ev: EventRun) -> None:
    """The differences at the point of the path, with the present flags."""
    copy_unknowns(ev, ev.y_saved, ev.yp_saved)
    take_unknowns(ev, ev.y_point, ev.yp_point)
    compute_relations(ev, ev.t, ev.differences_at_point)
    take_unknowns(ev, ev.y_saved, ev.yp_saved)


@procedure
def find_wrong(ev: EventRun) -> i64:
    """Mark the relations that are not what their flags say at the end of the line; their number.

    One that has just switched and is still at its corner may stay there.
    """
    found = 0
    follow_idle_relations(ev)
    for k in range(ev.relation_count):
        raised = is_raised(ev, ev.relation_flag[k])
        is_wrong = ev.matters[k] != 0 and new_value(ev, k) != raised
        at_corner = ev.crossed[k] != 0 and abs(ev.differences[k]) <= _ROUNDING * ev.largest_difference[k]
        ev.wrong[k] = int(is_wrong and not at_corner)
        found += ev.wrong[k]
    return found


@procedure
def leads_back(ev: EventRun) -> bool:
    """Whether the line goes back through the corner that it came from."""
    found = False
    for k in range(ev.relation_count):
        found = found or (ev.crossed[k] != 0 and ev.wrong[k] != 0)
    return found


@procedure
def where_it_changes(ev: EventRun, k: i64, backward: bool) -> f64:
    """The part of the line at which relation k changes; infinity if it does not.

    Backward the line goes from the point away from its end, as far as it takes.
    """
    here = ev.differences_at_point[k]
    there = ev.differences[k]
    is_right = here > 0.0 if is_above(ev, k) else here < 0.0
    if not backward:
        if ev.wrong[k] == 0:
            return math.inf
        return here / (here - there) if is_right and ev.roots[k] == 0 else 0.0
    if ev.crossed[k] != 0 or not is_right or ev.matters[k] == 0:
        return math.inf
    way = there - here
    recedes = way > 0.0 if is_above(ev, k) else way < 0.0
    return here / way if recedes else math.inf


@procedure
def cross(ev: EventRun, backward: bool) -> bool:
    """Go along the line to the first corner and switch what changes there; whether there is one."""
    compute_at_point(ev)
    part = math.inf
    for k in range(ev.relation_count):
        ev.changes_at[k] = where_it_changes(ev, k, backward)
        part = min(part, ev.changes_at[k])
    if not (part < math.inf):
        return False
    for k in range(ev.relation_count):
        changes = ev.changes_at[k] <= part + _TIE * max(part, 1.0)
        ev.crossed[k] = int(changes)
        if changes:
            set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
            report_switched(ev, k)
    if not ev.is_ahead:
        way = -part if backward else part
        for i in range(ev.size):
            ev.y_point[i] += way * (ev.y[i] - ev.y_point[i])
            ev.yp_point[i] += way * (ev.yp[i] - ev.yp_point[i])
    return True


@procedure
def solve_ahead(ev: EventRun) -> bool:
    """The differences a moment ahead, where the instant itself has no solution; the unknowns stay as they are."""
    for s in range(ev.state_count):
        place = ev.state_index[s]
        ev.y[place] += ev.lookahead * ev.yp_point[place]
    ahead = ev.t + ev.lookahead
    ev.is_ahead = ev.solve(ahead, ev.context) == 0
    if ev.is_ahead:
        compute_relations(ev, ahead, ev.differences)
    take_unknowns(ev, ev.y_start, ev.yp_start)
    return ev.is_ahead


@procedure
def solve_one(ev: EventRun) -> bool:
    """Of several relations at a corner that cannot all switch, let the first one switch with which it can be solved."""
    corners = 0
    for k in range(ev.relation_count):
        if ev.crossed[k] != 0:
            corners += 1
            set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
    if corners > 1:
        for k in range(ev.relation_count):
            if ev.crossed[k] != 0:
                set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
                solve_discrete_equations(ev)
                if ev.solve(ev.t, ev.context) == 0:
                    for j in range(ev.relation_count):
                        if j != k and ev.crossed[j] != 0:
                            ev.crossed[j] = 0
                            ev.roots[j] = 0
                    return True
                take_unknowns(ev, ev.y_start, ev.yp_start)
                set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
    for k in range(ev.relation_count):
        if ev.crossed[k] != 0:
            ev.roots[k] = 0
            set_flag(ev, k, not is_raised(ev, ev.relation_flag[k]))
    solve_discrete_equations(ev)
    return False


@procedure
def solve_line(ev: EventRun) -> bool:
    """The end of the next line: the unknowns with the present flags; whether there is one."""
    ev.is_ahead = False
    copy_unknowns(ev, ev.y_start, ev.yp_start)
    if ev.solve(ev.t, ev.context) == 0:
        return True
    take_unknowns(ev, ev.y_start, ev.yp_start)
    if solve_one(ev) or (ev.rescue is not None and ev.rescue(ev.t, ev.context) == 0):
        return True
    take_unknowns(ev, ev.y_start, ev.yp_start)
    return solve_ahead(ev)


@procedure
def begin_path(ev: EventRun) -> None:
    """The path begins at the present unknowns."""
    for k in range(ev.relation_count):
        ev.crossed[k] = 0
    copy_unknowns(ev, ev.y_point, ev.yp_point)
    ev.is_ahead = False


@procedure
def follow_path(ev: EventRun, away: bool) -> bool:
    """Switch relations along the path until all agree; whether it got there. `changed` says whether anything did.

    With `away` the first line is followed away from its end.
    """
    for k in range(_MOST_CORNERS):
        ev.switching = Switching.LATE if ev.rounds >= LATE else Switching.ONE_BY_ONE
        ev.rounds += 1
        changed = fill_at_start(ev)
        if not ev.is_ahead:
            compute_differences(ev)
        is_wrong = find_wrong(ev) > 0
        backward = leads_back(ev) or (away and k == 0)
        if is_wrong or backward:
            if not cross(ev, backward):
                return False
            changed = True
        changed = switch_instants(ev) or changed
        changed = solve_discrete_equations(ev) or changed
        changed = act(ev) or changed
        if not changed:
            ev.changed = k > 0
            return not ev.is_ahead
        if not (share_impulses(ev) and solve_line(ev)):
            return False
    return False
