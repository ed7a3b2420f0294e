"""Native: when states jump together (engine/events/impulses.py), and from where.

A round of event iteration keeps the unknowns it begins with. Whenever flags or discrete values have changed that
constraints between states read, these states jump from there, before the other unknowns are solved for.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import copy
from tellegen.procedures.language import procedure


@procedure
def keep_round(ev: EventRun) -> None:
    """States will jump from where they are now."""
    ev.reinitialized = False
    if ev.impulses is not None:
        copy(ev.y, ev.y_round, ev.size)
        for k in range(ev.impulse_count):
            ev.impulse_before[k] = ev.p[ev.impulse_index[k]]
            ev.impulse_value[k] = ev.impulse_before[k]


@procedure
def share_impulses(ev: EventRun) -> bool:
    """States jump together where something discrete has changed in a constraint between them; whether that succeeds.

    Discrete values do not jump in the initial instant: they have no value before it. By the rules of Modelica a reinit
    changes the state that it names and no other one (MLS 8.3.6).
    """
    if ev.impulses is None:
        return True
    is_due = ev.reinitialized and ev.reinit_is_shared
    is_initial = ev.p[ev.initial_index] > 0.5
    for k in range(ev.impulse_count):
        value = ev.p[ev.impulse_index[k]]
        is_due = is_due or (value != ev.impulse_value[k] and not is_initial)
        ev.impulse_value[k] = value
    return not is_due or ev.impulses(ev.t, ev.jumps) == 0
