"""Native: relations that are at zero together, where not all of them can switch.

Two brakes stop a shaft at one instant. Both of them stuck would leave open how they share the load, so
that nothing can be solved; one of them holds the shaft. The other stays as it is, at its border, until the shaft moves
again: its condition gets a hysteresis far below the tolerance of the run.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.mode_path import copy_unknowns, take_unknowns
from tellegen.engine.runtime.events.relation_values import compute_differences, copy, find_what_matters
from tellegen.procedures.language import i64, procedure

_BORDER = 1e-3  # of the tolerance of the run


@procedure
def keep_event(ev: EventRun) -> bool:
    """Keep what holds before an event, to come back to it, where several relations are at zero; whether there are."""
    compute_differences(ev)
    find_what_matters(ev)
    count = 0
    for k in range(ev.relation_count):
        size = abs(ev.differences[k])
        is_tied = ev.matters[k] != 0 and (ev.passed[k] != 0 or size <= ev.tolerance * ev.largest_difference[k])
        ev.tied[k] = int(is_tied)
        count += ev.tied[k]
    if count < 2:
        return False
    copy_unknowns(ev, ev.y_event, ev.yp_event)
    copy(ev.p, ev.p_event, ev.p_size)
    for k in range(ev.condition_count):
        ev.was_true_event[k] = ev.was_true[k]
    return True


@procedure
def return_to_event(ev: EventRun, chosen: i64) -> None:
    """All as it was before the event; of the relations at zero only the chosen one passes it."""
    take_unknowns(ev, ev.y_event, ev.yp_event)
    copy(ev.p_event, ev.p, ev.p_size)
    for k in range(ev.condition_count):
        ev.was_true[k] = ev.was_true_event[k]
    for k in range(ev.relation_count):
        is_held = ev.tied[k] != 0 and k != chosen
        ev.roots[k] = ev.passed[k] if k == chosen else 0
        ev.band_event[k] = ev.band[k]
        if is_held:
            ev.band[k] = max(ev.band[k], _BORDER * ev.tolerance * ev.largest_difference[k])


@procedure
def release(ev: EventRun) -> None:
    """No relation is held: holding them did not help."""
    for k in range(ev.relation_count):
        ev.band[k] = ev.band_event[k]
