"""Which unknowns the error test of a DAE integrator is for, where a past is read back and forth.

Delays that vary may ask about any part of the past, as steep as they like: no step is short enough for what they read.
That, and what is computed from it, is left out of the test. All others stay in it: between steps they are interpolated,
and delayed signals are noted there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import match
from tellegen.graph.sets import reachable
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.reduced import PARAMETER, UNKNOWN, BoolArray, ReducedGroup, ReducedModel


def controlled_unknowns(machine: EventHandler, model: ReducedModel) -> BoolArray | None:
    """The unknowns that the test is for; None where that is all. Functions that follow steps may change others after
    each."""
    if machine.follows_steps:
        return model.is_state
    reads_back_and_forth = machine.delays is not None and bool(machine.delays.varies.any())
    return smooth_unknowns(model) if reads_back_and_forth else None


def smooth_unknowns(model: ReducedModel) -> BoolArray:
    """Per unknown, whether it is a state or computed from nothing that a varying delay reads."""
    matrix = _incidence(model)
    assigned = match(matrix)
    if (assigned < 0).any():
        return model.is_state
    row_of = np.empty(len(assigned), np.int64)
    row_of[assigned] = np.arange(len(assigned))
    users = incidence(row_of[matrix.indices], matrix.row_of_entry, matrix.shape)
    reads = reachable(users, _rows_that_read(model))
    is_smooth = np.ones(len(assigned), bool)
    is_smooth[assigned[reads]] = False
    return np.asarray(is_smooth | model.is_state)


def _incidence(model: ReducedModel) -> Incidence:
    """What each equation computes or needs: rates of states, values of other unknowns."""
    rows: list[Any] = []
    columns: list[Any] = []
    for first, group in zip(model.offsets.tolist(), model.groups, strict=False):
        for node in set(walk(group.residual)):
            if isinstance(node, Der | Slot) and group.kinds[node.index] == UNKNOWN:
                position = model.position[group.bindings[:, node.index]]
                counts = model.is_state[position] == isinstance(node, Der)
                rows.append(first + np.flatnonzero(counts))
                columns.append(position[counts])
    linear = model.linear
    position = model.position[linear.indices]
    is_unknown = (position >= 0) & ~model.is_state[position]
    rows.append(int(model.offsets[-1]) + linear.row_of_entry[is_unknown])
    columns.append(position[is_unknown])
    size = len(model.unknowns)
    return incidence(np.concatenate(rows), np.concatenate(columns), (size, size))


def _rows_that_read(model: ReducedModel) -> BoolArray:
    """The equations that read the past of delays which vary."""
    assert model.events is not None
    delays = model.events.delays
    constant = delays.index[~delays.varies]
    past = np.setdiff1d(delays.entries, constant)
    found = [np.zeros(0, bool), *(_reads(group, past) for group in model.groups), np.zeros(model.linear.rows, bool)]
    return np.concatenate(found)


def _reads(group: ReducedGroup, entries: Any) -> BoolArray:
    """Of each row, whether it reads one of some parameters."""
    slots = [slot for slot, kind in enumerate(group.kinds) if kind == PARAMETER]
    return np.asarray(np.isin(group.bindings[:, slots], entries).any(axis=1))
