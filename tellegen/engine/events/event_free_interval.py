"""Runs in which nothing happens: a step source that has stepped before the start, a pulse that comes after the end.

Models whose only events are relations of time run without any event code where none of them switches in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.run_options import Options
from tellegen.graph.arrays import distinct
from tellegen.ir.events import OPERATORS
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER
from tellegen.start.records import dataclass

_NEAR = 1e-14  # as in engine/runtime/events/relation_values.py
_REMEMBERED = 64
_MISSING = object()


def settled(model: NativeModel, options: Options, p: FloatArray) -> bool:
    """Whether nothing happens from start to stop; then all flags in `p` are set."""
    schedule = model.derived(_schedule)
    if schedule is None:
        return False
    key = options.start, options.stop, p[schedule.reads].tobytes()
    flags = schedule.flags.get(key, _MISSING)  # nothing is read twice: another thread may clear it in between
    if flags is _MISSING:
        if len(schedule.flags) > _REMEMBERED:
            schedule.flags.clear()
        flags = schedule.flags[key] = _flags(model, options, p)
    if flags is None:
        return False
    p[schedule.flag] = flags
    return True


@dataclass(frozen=True)
class _Schedule:
    """A model whose only events are relations of time."""

    flag: Any  # slots of their flags
    reads: Any  # slots of the parameters that decide about their instants
    flags: dict[Any, Any]  # of relations, by interval and by the values of those parameters; None where one switches


def _schedule(compiled: NativeModel) -> _Schedule | None:
    """None for models with other events."""
    model = compiled.reduced
    events = model.events
    assert events is not None
    computed = (events.always.value, events.levels.value, events.initial.value)
    counts = (*map(len, computed), len(events.samples.flag), len(events.delays.index))
    if events.whens or events.reads_initial or any(counts) or events.relations.differences.count:
        return None
    indices: list[Any] = [np.zeros(0, np.int64)]
    for group in events.instants.differences.groups:
        for slot, kind in enumerate(group.kinds):
            if kind in (PARAMETER, KNOWN):
                bound = group.bindings[:, slot]
                indices.append(bound if kind == PARAMETER else model.known_position[bound])
    flag = events.instants.flag.astype(np.intp)  # NumPy converts other indices, a microsecond each time
    return _Schedule(flag, distinct(np.concatenate(indices)), {})


def _flags(model: NativeModel, options: Options, p: FloatArray) -> Any:
    """The flags of all relations of time, if they hold from start to stop; else None."""
    events = model.reduced.events
    assert events is not None
    count = events.instants.differences.count
    start = options.start
    unknowns = np.zeros(len(model.reduced.unknowns))  # none is read
    at = np.zeros((3, max(count, 1)))
    for row, t in enumerate((0.0, 1.0, start)):
        model.entries["instants"](t, unknowns, unknowns, p, at[row])
    zero, one, here = at[:, :count]
    with np.errstate(all="ignore"):
        instants = zero / (zero - one)  # linear in time
    slope = one - zero
    at_instant = abs(here) <= _NEAR * abs(start * slope)
    if ((instants > start) & (instants <= options.stop) & ~at_instant).any():
        return None
    ahead = np.where(at_instant, slope, here)
    true = {"lt": ahead < 0.0, "le": ahead <= 0.0, "gt": ahead > 0.0, "ge": ahead >= 0.0}
    operator = events.instants.operator
    return np.select([operator == number for number in OPERATORS.values()], [true[name] for name in OPERATORS]).astype(
        float
    )
