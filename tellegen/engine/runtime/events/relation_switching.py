"""Native switching of relations: what their flags should be, and the unknowns that go with them."""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun, Switching
from tellegen.engine.runtime.events.relation_values import (
    compute,
    compute_differences,
    find_what_matters,
    holds,
    holds_after,
    is_raised,
    is_reached,
)
from tellegen.procedures.language import i64, procedure

_ABSOLUTE = 1e-3  # of the relative tolerance: that of something of size one near zero


@procedure(inline=True)
def set_flag(ev: EventRun, k: i64, raised: bool) -> None:
    """Raise or lower the flag of relation k."""
    ev.p[ev.relation_flag[k]] = 1.0 if raised else 0.0


@procedure(inline=True)
def report_switched(ev: EventRun, k: i64) -> None:
    """Relation k has switched."""
    if ev.switched_count < ev.switched_room:
        ev.switched[ev.switched_count] = k
        ev.switched_count += 1


@procedure
def follow_idle_relations(ev: EventRun) -> None:
    """Flags of relations that do not matter are set silently, so that they are right when they do."""
    find_what_matters(ev)
    for j in range(ev.gate_count):
        k = ev.gate_relation[j]
        if ev.matters[k] == 0:
            raised = is_raised(ev, ev.relation_flag[k])
            set_flag(ev, k, holds(ev.differences[k], ev.relation_operator[k], raised, ev.band[k]))
            ev.roots[k] = 0


@procedure
def new_value(ev: EventRun, k: i64) -> bool:
    """Relation k of unknowns, as its flag should be.

    One that passes zero here counts as it will be after it, as long as it stays at zero within the tolerance of the
    run: the root was located with unknowns of that accuracy. In late rounds a relation at zero may have either value:
    at the corner of a diode both branches hold.
    """
    difference = ev.differences[k]
    size = abs(difference)
    largest = max(ev.largest_difference[k], size)
    ev.largest_difference[k] = largest
    is_tiny = size <= ev.tolerance * largest
    stays_at_zero = is_tiny or difference == ev.differences_before[k]
    if not (ev.passing and stays_at_zero):
        ev.roots[k] = 0  # once it has left zero, it counts as it is
    if ev.initializing and is_reached(ev, k, difference):
        return True
    root = ev.roots[k]
    raised = is_raised(ev, ev.relation_flag[k])
    at_zero = is_tiny or size <= _ABSOLUTE * ev.tolerance  # at the start no difference has been large
    if at_zero and ev.switching == Switching.LATE:
        return raised
    ahead = float(root) if root != 0 else difference
    return holds(ahead, ev.relation_operator[k], raised, ev.band[k])


@procedure
def switch_relations(ev: EventRun) -> bool:
    """Set the flags of relations of unknowns, all or only the first wrong one; whether one changed."""
    if ev.relation_count == 0:
        return False
    compute_differences(ev)
    follow_idle_relations(ev)
    changed = False
    for k in range(ev.relation_count):
        flag = ev.relation_flag[k]
        if ev.matters[k] == 0:
            continue
        raised = new_value(ev, k)
        if raised != is_raised(ev, flag):
            set_flag(ev, k, raised)
            report_switched(ev, k)
            changed = True
            if ev.switching != Switching.TOGETHER:
                return True
    return changed


@procedure
def switch_instants(ev: EventRun) -> bool:
    """Set the flags of relations of time; whether one changed. They count as they will be just after the instant."""
    count = ev.instant_count
    if count == 0:
        return False
    differences = ev.instant_differences
    slope = ev.instant_slopes
    compute(ev, ev.instant_entry, 0.0, differences)
    compute(ev, ev.instant_entry, 1.0, slope)
    for k in range(count):
        slope[k] -= differences[k]
    compute(ev, ev.instant_entry, ev.t, differences)
    changed = False
    for k in range(count):
        flag = ev.instant_flag[k]
        raised = holds_after(differences[k], ev.instant_operator[k], slope[k], ev.t)
        if raised != is_raised(ev, flag):
            ev.p[flag] = 1.0 if raised else 0.0
            changed = True
    return changed


@procedure
def solve_unknowns(ev: EventRun) -> bool:
    """Everything else from the states, where need be by Python's solver, which tries harder; whether that succeeds."""
    if ev.solve(ev.t, ev.context) == 0:
        return True
    return ev.rescue is not None and ev.rescue(ev.t, ev.context) == 0
