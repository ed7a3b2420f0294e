"""The equations of an instant in which states jump: what index reduction knows of them, as tables of rows and columns.

    capacitors in a loop with a source          c1.v + c2.v == u, which jumps
    integrated over the instant                 C1 [c1.v] == Q1,  C2 [c2.v] == Q2,  Q1 == Q2,  [c1.v] + [c2.v] == [u]

Equation i was differentiated c_i times, unknown j occurs up to its derivative d_j. An equation that was differentiated
holds on both sides of the instant one derivative lower (`before`), the others are integrated over it: bounded terms
vanish, the highest derivative of an unknown becomes the jump of the one below, and an algebraic unknown its impulse.
The matrix is that of the equations by the highest derivatives, which index reduction has made regular.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.graph.arrays import distinct
from tellegen.graph.sets import connected_parts
from tellegen.ir.events import REINIT, Events
from tellegen.ir.expressions.expr import Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import INTEGRATION, KNOWN, PARAMETER, BoolArray, ReducedModel
from tellegen.start.records import dataclass

_NONE = -1


@dataclass(frozen=True, eq=False)
class ImpulseStructure:
    """One row and one column for each equation and each unknown as they were before index reduction."""

    model: NativeModel
    row: IntArray  # the residual that is the last derivative of each equation
    before: IntArray  # the residual that is the derivative before that; -1 of equations that were not differentiated
    jumping: IntArray  # the place in y of what jumps in each column; -1 where the column is an impulse
    column_of_value: IntArray  # of each place in y the column whose highest derivative it is, or -1
    column_of_rate: IntArray  # the same for y'
    places: IntArray  # in p: the discrete values that equations before the last derivative read
    moves_positions: BoolArray  # for each of these, whether equations below that read it and tie states to each other

    @property
    def size(self) -> int:
        """Number of equations, and of unknowns."""
        return len(self.row)

    @cached_property
    def column_of_state(self) -> IntArray:
        """Of each place in y the column in which it jumps, or -1."""
        out = np.full(len(self.column_of_value), _NONE)
        jumps = self.jumping >= 0
        out[self.jumping[jumps]] = np.flatnonzero(jumps)
        return out

    @cached_property
    def entries(self) -> tuple[Any, Any, Any, Any]:
        """Row and column of the matrix, which entry of the pattern it is, and whether it is one by rates."""
        pattern = self.model.program.pattern
        number = np.full(self.model.program.size, _NONE)
        number[self.row] = np.arange(self.size)
        parts = []
        for by_rate, column in enumerate((self.column_of_value, self.column_of_rate)):
            present = pattern.by_rate if by_rate else pattern.by_value
            own = np.flatnonzero(present & (number[pattern.indices] >= 0) & (column[pattern.column_of_entry] >= 0))
            parts.append((number[pattern.indices[own]], column[pattern.column_of_entry[own]], own, by_rate))
        row, column, entry = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return row, column, entry, np.concatenate([np.full(len(part[2]), bool(part[3])) for part in parts])


def impulse_structure(model: NativeModel) -> ImpulseStructure | None:
    """The tables of a model; None where no event can make states jump that constraints tie to others."""
    return model.derived(_made)


def _made(model: NativeModel) -> ImpulseStructure | None:
    reduced = model.reduced
    events = reduced.events
    if reduced.candidates is None or events is None:
        return None
    after = _derivative_rows(reduced)
    is_last = (after == _NONE) & ~_integration_rows(reduced)
    before = np.full(reduced.equation_count, _NONE)
    before[after[after >= 0]] = np.flatnonzero(after >= 0)
    row = np.flatnonzero(is_last)
    places = _discrete_places(reduced, np.flatnonzero(after >= 0))
    if not len(places) and not _reinitializes_tied(reduced, events):
        return None
    jumping, of_value, of_rate = _columns(reduced)
    if len(row) != len(jumping):
        return None
    positions = _discrete_places(reduced, _position_rows(reduced, before))
    return ImpulseStructure(model, row, before[row], jumping, of_value, of_rate, places, np.isin(places, positions))


def _derivative_rows(model: ReducedModel) -> IntArray:
    """Of each residual the one that is its derivative with respect to time, or -1: levels follow each other."""
    after = np.full(model.equation_count, _NONE)
    for k in range(1, len(model.groups)):
        one = model.groups[k - 1]
        next_ = model.groups[k]
        if next_.order == one.order + 1 and one.source == next_.source != INTEGRATION:
            after[model.offsets[k - 1] + np.arange(one.rows)] = model.offsets[k] + np.arange(one.rows)
    last: dict[int, int] = {}
    for k, source in enumerate(model.linear.sources.tolist(), int(model.offsets[-1])):
        if source in last:
            after[last[source]] = k
        last[source] = k
    return after


def _integration_rows(model: ReducedModel) -> BoolArray:
    """The rows der(x) - x' == 0."""
    out = np.zeros(model.equation_count, bool)
    for offset, group in zip(model.offsets, model.groups, strict=False):
        if group.source == INTEGRATION:
            out[offset : offset + group.rows] = True
    return out


def _columns(model: ReducedModel) -> tuple[IntArray, IntArray, IntArray]:
    """`jumping`, `column_of_value` and `column_of_rate` of ImpulseStructure."""
    candidates = model.candidates
    assert candidates is not None
    size = len(model.unknowns)
    of_value = np.full(size, _NONE)
    of_rate = np.full(size, _NONE)
    chains = np.arange(len(candidates.d))
    of_value[model.position[candidates.chain[chains, candidates.d]]] = chains
    below = model.position[candidates.chain[chains, candidates.d - 1]].astype(np.int64)
    free = np.flatnonzero(~model.is_tied)
    is_state = model.is_state[free]
    columns = len(chains) + np.arange(len(free))
    of_rate[free[is_state]] = columns[is_state]
    of_value[free[~is_state]] = columns[~is_state]
    return np.concatenate([below, np.where(is_state, free, _NONE)]), of_value, of_rate


def _position_rows(model: ReducedModel, before: IntArray) -> IntArray:
    """Residuals two derivatives and more below the last one, of constraints between states that low."""
    candidates = model.candidates
    assert candidates is not None
    found: list[int] = []
    pairs = candidates.pairs
    for rows, columns, _ in connected_parts((len(candidates.rows), len(candidates.d)), pairs[:, 0], pairs[:, 1]):
        low = [candidates.chain[j, m] for j in columns for m in range(candidates.d[j] - 1)]
        if not model.is_state[model.position[low]].any():
            continue  # all follow from the constraints
        for row in before[candidates.rows[rows]].tolist():
            while (row := int(before[row])) >= 0:
                found.append(row)
    return np.array(found, np.int64)


def _discrete_places(model: ReducedModel, rows: IntArray) -> IntArray:
    """The entries of p that change at events and that these residuals read."""
    wanted = np.zeros(model.equation_count, bool)
    wanted[rows] = True
    found: list[Any] = [np.zeros(0, np.int64)]
    for offset, group in zip(model.offsets, model.groups, strict=False):
        mine = group.bindings[wanted[offset : offset + group.rows]]
        for slot in {node.index for node in walk(group.residual) if isinstance(node, Slot)}:
            if group.kinds[slot] == KNOWN:
                found.append(model.known_position[mine[:, slot]])
            elif group.kinds[slot] == PARAMETER:
                found.append(mine[mine[:, slot] > model.homotopy_index, slot])
    linear = model.linear
    own = wanted[model.offsets[-1] + linear.row_of_entry]
    known = model.known_position[linear.indices[own]]
    return distinct(np.concatenate([*found, known[known >= 0]])).astype(np.int64)


def _reinitializes_tied(model: ReducedModel, events: Events) -> bool:
    """Whether a reinit makes a state jump that constraints tie to others."""
    place = model.position[events.actions.target[events.actions.verb == REINIT]]
    return bool(model.is_tied[place].any())
