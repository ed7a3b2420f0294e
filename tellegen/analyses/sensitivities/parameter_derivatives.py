"""How the residuals depend on parameters and inputs, exact from the templates.

    r.v - R*i == 0      dF/dR = -i, one column of numbers for all resistors

A parameter may be computed from others (`C = 2*eps*A/d`), so a direction in the parameters the user names is first
carried through these bindings, then through the equations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Der, Expr, Slot, walk
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial


def tangent(model: ReducedModel, p: FloatArray, chosen: Any) -> FloatArray:
    """The derivative of all parameters and inputs by the `chosen` ones, one column each."""
    out = np.zeros((len(p), len(chosen)))
    out[chosen, np.arange(len(chosen))] = 1.0
    given = np.zeros(len(p), bool)
    given[chosen] = True
    for group in model.flat.parameter_bindings:
        rows = group.bindings[~given[group.bindings[:, 0]]]
        template = group.template
        assert isinstance(template, ValueTemplate)
        if not len(rows):
            continue
        slots: list[Any] = [None, *(p[rows[:, k]] for k in range(1, rows.shape[1]))]
        for k in range(1, rows.shape[1]):
            slope = np.broadcast_to(evaluate(partial(template.value, Slot(k)), slots), len(rows))
            out[rows[:, 0]] += slope[:, None] * out[rows[:, k]]
    return out


@dataclass(frozen=True, eq=False)
class Instant:
    """A point of a run: time, unknowns, their rates, parameters and inputs."""

    t: float
    y: FloatArray
    yp: FloatArray
    p: FloatArray


def residual_by_parameters(model: ReducedModel, at: Instant, chosen: Any) -> FloatArray:
    """dF/dp for the `chosen` entries of the vector of parameters and inputs, one column each."""
    direction = tangent(model, at.p, chosen)
    moved: Any = direction.any(axis=1)
    out = np.zeros((model.equation_count, len(chosen)))
    for offset, group in zip(model.offsets, model.groups, strict=False):
        present = {node.index for node in walk(group.residual) if isinstance(node, Slot)}
        for slot in sorted(present):
            index = _position(model, group, slot)
            if index is None:
                continue
            rows = np.flatnonzero(moved[index])
            if len(rows):
                slope = _value(model, group, partial(group.residual, Slot(slot)), rows, at)
                out[int(offset) + rows] += np.broadcast_to(slope, len(rows))[:, None] * direction[index[rows]]
    linear = model.linear
    known = model.known_position[linear.indices]
    entries = np.flatnonzero(known >= 0)
    part = linear.weights[entries][:, None] * direction[known[entries]]
    np.add.at(out, int(model.offsets[-1]) + linear.row_of_entry[entries], part)
    return out


def _position(model: ReducedModel, group: ReducedGroup, slot: int) -> Any:
    """Where each row reads a parameter or input, None for other slots."""
    bound = group.bindings[:, slot]
    if group.kinds[slot] == PARAMETER:
        return bound
    return model.known_position[bound] if group.kinds[slot] == KNOWN else None


def _value(model: ReducedModel, group: ReducedGroup, expr: Expr, rows: Any, at: Instant) -> Any:
    """An expression over the slots of some rows of a group."""
    slots: dict[int, Any] = {}
    ders: dict[int, Any] = {}
    for leaf in walk(expr):
        if isinstance(leaf, Der):
            ders[leaf.index] = at.yp[model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot) and group.kinds[leaf.index] == UNKNOWN:
            slots[leaf.index] = at.y[model.position[group.bindings[rows, leaf.index]]]
        elif isinstance(leaf, Slot):
            position = _position(model, group, leaf.index)
            slots[leaf.index] = at.p[position[rows]]
    return evaluate(expr, slots, time=at.t, ders=ders)
