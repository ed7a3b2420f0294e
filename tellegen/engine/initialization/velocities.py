"""Which states are velocities: rates of others, by equations der(x) == v, or der(q) == f(q, v) as of quaternions."""

from __future__ import annotations

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import UNKNOWN, BoolArray, ReducedGroup, ReducedModel
from tellegen.symbolic.linear import weighted_sum


def velocities(model: NativeModel) -> IntArray:
    """One for each unknown that is such a rate; a tangent is one if what it is the tangent of is one."""
    reduced = model.reduced
    found = np.zeros(len(reduced.unknowns), bool)
    read = np.zeros(len(reduced.unknowns), bool)
    moved = np.zeros(len(reduced.unknowns), bool)
    pairs = {tuple(pair) for group in reduced.groups for pair in _rates(reduced, group).tolist()}
    found[[v for x, v in pairs if (v, x) not in pairs]] = True  # each other's rates: a rotation, say
    for group in reduced.groups:
        states, others = _kinematic(reduced, group)
        moved[states] = True
        read[others] = True
    found |= read & ~moved
    return _with_tangents(reduced, found).astype(np.int64)


def _rates(model: ReducedModel, group: ReducedGroup) -> IntArray:
    """Pairs x, v of der(x) == v."""
    weights, constant = weighted_sum(group.residual)
    slots = [part.index for part in weights if isinstance(part, Slot) and group.kinds[part.index] == UNKNOWN]
    rates = [part for part in weights if isinstance(part, Der)]
    if len(weights) != 2 or len(slots) != 1 or len(rates) != 1 or constant:
        return np.zeros((0, 2), np.int64)
    return model.position[group.bindings[:, [rates[0].index, slots[0]]]].astype(np.int64)


def _kinematic(model: ReducedModel, group: ReducedGroup) -> tuple[IntArray, IntArray]:
    """q and v of der(q) == f(q, v): states that rates of states are computed from, and nothing else."""
    nodes = set(walk(group.residual))
    rates = [node.index for node in nodes if isinstance(node, Der)]
    slots = [node.index for node in nodes if isinstance(node, Slot) and group.kinds[node.index] == UNKNOWN]
    if len(rates) != 1 or not slots:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    read = model.position[group.bindings[:, slots]].astype(np.int64)
    rows = model.is_state[read].all(axis=1)
    return model.position[group.bindings[rows, rates[0]]].astype(np.int64), read[rows].ravel()


def _with_tangents(model: ReducedModel, found: BoolArray) -> BoolArray:
    tangents = model.flat.tangents
    if tangents is None:
        return found
    variable, direction = np.nonzero(tangents.variable >= 0)
    own = model.position[model.representative[variable]]
    tangent = model.position[model.representative[tangents.variable[variable, direction]]]
    known = (own >= 0) & (tangent >= 0)
    out = found.copy()
    out[tangent[known]] = found[own[known]]
    return out
