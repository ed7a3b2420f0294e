"""The events of a run that continues where another one stood (engine/request/run_state.py)."""

from __future__ import annotations

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.request.run_state import EventMemory, RunState
from tellegen.ir.events import OPERATORS
from tellegen.ir.model import FloatArray

_GREATER = OPERATORS["gt"]


def continue_events(machine: EventHandler, state: RunState, p: FloatArray) -> None:
    """Be where another run stood, with the unknowns that are bound; then change the parameters to those of `p`."""
    _take_over(machine, state)
    machine.solve_again(state.t)
    machine.resume(state.t)
    if not np.array_equal(p, state.p, equal_nan=True):
        _change_parameters(machine, state, p)


def _take_over(machine: EventHandler, state: RunState) -> None:
    """Discrete values, flags, hystereses and the past of another run, before anything is evaluated."""
    kept = machine.record.kept
    machine.p[:] = state.p
    if state.hysteresis is not None:
        kept["band"][:] = state.hysteresis.band
    known = state.last.events
    if known is not None:
        for name, values in zip(EventMemory._fields, known, strict=True):
            kept[name][:] = values
    machine.record.put(segment_start=state.t)
    if machine.delays is not None and state.delayed is not None:
        machine.delays.restore(state.t, state.delayed)


def memory(machine: EventHandler) -> EventMemory:
    """What event code has seen of a run."""
    kept = machine.record.kept
    return EventMemory(*[kept[name].copy() for name in EventMemory._fields])


def _change_parameters(machine: EventHandler, state: RunState, p: FloatArray) -> None:
    """Other parameters from this instant on, which is an event: states keep their values, conditions may fire.

    Relations that do not move with them keep their flags: at a root they may be at zero on either side.
    """
    t = state.t
    before = machine.differences(t)
    changed = (p != state.p) & ~np.isnan(p)
    machine.p[changed] = p[changed]
    machine.solve_again(t)
    machine.find_ticks(t)
    after = machine.differences(t)
    relations = machine.events.relations
    count = len(relations.flag)
    is_above = (machine.p[relations.flag] > 0.5) == (relations.operator >= _GREATER)
    tolerance = machine.record.get_double("tolerance")
    is_unmoved = np.abs(after - before)[:count] <= tolerance * np.abs(before)[:count]
    machine.roots[:count] = np.where(is_unmoved, np.where(is_above, 1, -1), 0)
    machine.happen(t, passing=True)
