"""How fast the root functions of events move with time itself.

Integrators choose steps by the errors of states. A condition on a fast signal of time that hardly moves the states,
`sin(314*time) > 0`, would be stepped over, and its events lost silently. So before a run the root functions are
looked at with the states held: pairs of nearby instants, spread irregularly over the run, show how fast they change
against how far they move. Steps are kept below half of that time; 1/omega for a sine.
"""

from __future__ import annotations

import math

import numpy as np

from tellegen.engine.events.event_handler import EventHandler

_PAIRS = 64
_APART = 1e-7  # of the run
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
_ROUNDING = 1e-6  # of the size of a root function: what moves less may be the rounding of an ill-conditioned loop
_UNRESOLVED = 1e6  # changes over a run, one within a few pairs: these are roundings or jumps, not a curve
_SLOW = 25.0  # changes over a run that its usual longest step resolves anyway


def longest_step(machine: EventHandler, start: float, stop: float) -> float:
    """The longest step that sees how root functions change with time; infinity where they do not."""
    if not machine.roots_to_watch or not machine.tables.depends_on_time:
        return math.inf
    span = stop - start
    parts = (np.arange(1, _PAIRS + 1) * _GOLDEN) % 1.0
    held, rates = (machine.record.kept[name].copy() for name in ("y", "yp"))
    times = start + parts * span * (1.0 - _APART)
    pairs = np.column_stack((times, times + _APART * span)).ravel().astype(np.float64)
    values = machine.differences_over(pairs, held).reshape(_PAIRS, 2, -1).swapaxes(0, 1)
    machine.record.kept["y"][:] = held
    machine.record.kept["yp"][:] = rates
    with np.errstate(all="ignore"):
        extent = values[0].max(axis=0) - values[0].min(axis=0)
        real = extent > _ROUNDING * np.abs(values).max(axis=(0, 1))
        if not real.any():
            return math.inf
        speed = np.max(np.abs(values[1] - values[0]), axis=0) / (_APART * span)
        changes = np.where(real, np.nan_to_num(speed * span / extent, nan=0.0, posinf=0.0), 0.0)
    fastest = float(changes[changes < _UNRESOLVED].max(initial=0.0))
    return 0.5 * span / fastest if fastest > _SLOW else math.inf
