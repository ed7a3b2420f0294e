"""Runs in which nothing happens: a step source that has stepped before the start, a pulse that comes after the end.

Models whose only events are relations of time run without any event code where none of them switches in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.options import Options
from tellegen.ir.events import OPERATORS
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, ReducedModel

_NEAR = 1e-14  # as in engine/event_parts.py
_REMEMBERED = 64
_MISSING = object()


def settled(model: CompiledModel, options: Options, p: FloatArray) -> bool:
    """Whether nothing happens from start to stop; then all flags in `p` are set."""
    events, known = model.reduced.events, model.__dict__.setdefault("quiet_runs", {})
    assert events is not None
    if "quiet_reads" not in model.__dict__:
        model.__dict__["quiet_reads"] = _reads(model.reduced)
    reads = model.__dict__["quiet_reads"]
    if reads is None:
        return False
    key = options.start, options.stop, p[reads].tobytes()
    flags = known.get(key, _MISSING)  # nothing is read twice: another thread may clear it in between
    if flags is _MISSING:
        if len(known) > _REMEMBERED:
            known.clear()
        flags = known[key] = _flags(model, options, p)
    if flags is None:
        return False
    p[events.instants.flag] = flags
    return True


def _reads(model: ReducedModel) -> Any:
    """The places among the parameters that decide about instants; None for models with other events."""
    events = model.events
    assert events is not None
    counts = (len(events.always[0]), len(events.levels[0]), len(events.samples.flag), len(events.delays.place))
    if events.whens or events.reads_initial or any(counts) or events.relations.differences.count:
        return None
    places: list[Any] = [np.zeros(0, np.int64)]
    for group in events.instants.differences.groups:
        for slot, kind in enumerate(group.kinds):
            if kind in (PARAMETER, KNOWN):
                bound = group.bindings[:, slot]
                places.append(bound if kind == PARAMETER else model.known_position[bound])
    return np.unique(np.concatenate(places))


def _flags(model: CompiledModel, options: Options, p: FloatArray) -> Any:
    """The flags of all relations of time, if they hold from start to stop; else None."""
    events = model.reduced.events
    assert events is not None
    count, start = events.instants.differences.count, options.start
    unknowns = np.zeros(len(model.reduced.unknowns))  # none is read
    at = np.zeros((3, max(count, 1)))
    for row, t in enumerate((0.0, 1.0, start)):
        model.entries["instants"](t, unknowns, unknowns, p, at[row])
    zero, one, here = at[:, :count]
    with np.errstate(all="ignore"):
        instants = zero / (zero - one)  # linear in time
    at_instant = abs(here) <= _NEAR * abs(start) * abs(one - zero)
    if ((instants > start) & (instants <= options.stop) & ~at_instant).any():
        return None
    here = np.where(at_instant, 0.0, here)
    return np.where(events.instants.operator >= OPERATORS["gt"], here >= 0.0, here < 0.0).astype(float)
