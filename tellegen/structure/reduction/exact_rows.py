"""Equations whose coefficients are known exactly, as integers: added up they may cancel.

    a.v - b.v - v == 0      whatever the values of parameters
    i - G*v == 0            in a model for runs with given values (FlatModel.exact_parameters); with G = 0.25: 4*i - v

A coefficient counts as the simplest fraction within rounding of it. Rows in which there is none, or in which something
but unknowns and parameters is read, are left to the structural analysis, which takes coefficients for any numbers.
"""

from __future__ import annotations

import fractions
from math import lcm
from typing import Any

import numpy as np

from tellegen.graph.mixed import ExactEntries
from tellegen.ir.expressions.expr import Der, Slot, Time, walk
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import PARAMETER, UNKNOWN, UNUSED, ReducedGroup, ReducedModel
from tellegen.structure.reduction.coefficients import Values, derivatives, varying_slots
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.linear import weighted_sum

LARGEST_WEIGHT = int(np.iinfo(np.int32).max)
_FINEST_FRACTION = 1_000_000  # denominator
_ROUNDING = 4.0 * float(np.finfo(float).eps)

Entries = tuple[Any, Any, Any]
"""Rows, unknowns (by position) and weights."""


def exact_rows(model: ReducedModel) -> ExactEntries:
    """The equations that only add and subtract multiples of unknowns."""
    parts: list[Entries] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        terms = _integer_terms(group)
        if terms is not None:
            own = offset + np.arange(group.rows)
            for slot, weight in terms:
                parts.append((own, model.position[group.bindings[:, slot]], np.full(group.rows, weight)))
        elif model.flat.exact_parameters is not None:
            parts += _with_values(model, offset, group, model.flat.exact_parameters)
    linear = model.linear
    column = model.position[linear.indices]
    given = np.zeros(linear.rows, bool)
    given[linear.row_of_entry[column < 0]] = True  # rows with something given from outside stay as they are
    free = ~given[linear.row_of_entry]
    parts.append((model.offsets[-1] + linear.row_of_entry[free], column[free], linear.weights[free]))
    return ExactEntries(*(np.concatenate([part[k] for part in parts]).astype(np.int64) for k in range(3)))


def _integer_terms(group: ReducedGroup) -> list[tuple[int, int]] | None:
    """Slots and integer weights, if the residual is nothing but their sum."""
    if any(kind not in (UNKNOWN, UNUSED) for kind in group.kinds):
        return None
    weights, constant = weighted_sum(group.residual)
    if constant or not all(isinstance(part, Slot) and _is_integer(weight) for part, weight in weights.items()):
        return None
    return [(part.index, int(weight)) for part, weight in weights.items() if isinstance(part, Slot)]


def _is_integer(weight: float) -> bool:
    """Whether it can be the weight of a linear row: 6.022e23 particles in a mole are not counted exactly."""
    return abs(weight) <= LARGEST_WEIGHT and weight == int(weight)


def _with_values(model: ReducedModel, offset: int, group: ReducedGroup, parameters: FloatArray) -> list[Entries]:
    """The rows of a group whose coefficients are fractions with these values of parameters."""
    if not _is_linear(group):
        return []
    bound = [group.bindings[:, slot] for slot, kind in enumerate(group.kinds) if kind == PARAMETER]
    is_fixed = np.ones(group.rows, bool)
    for index in bound:
        is_fixed &= index < len(parameters)  # discrete values and flags come after them
    known = np.append(parameters, np.zeros(model.parameter_indices - len(parameters)))
    nothing = np.zeros(model.flat.variables.count)
    slots = [
        known[group.bindings[:, slot]] if kind == PARAMETER else np.zeros(group.rows)
        for slot, kind in enumerate(group.kinds)
    ]
    is_fixed &= np.broadcast_to(evaluate(group.residual, slots) == 0.0, group.rows)
    found = derivatives(group, Values(nothing, known))
    columns = [model.position[group.bindings[:, slot]] for slot, _, _ in found]
    out: list[Entries] = []
    for row in np.flatnonzero(is_fixed).tolist():
        weights = _as_integers([float(value[row]) for _, _, value in found])
        if weights is not None:
            here = np.array([column[row] for column in columns])
            out.append((np.full(len(weights), offset + row), here, np.array(weights)))
    return out


def _is_linear(group: ReducedGroup) -> bool:
    """Whether the residual reads unknowns and parameters alone, and its coefficients parameters alone."""
    if any(kind not in (UNKNOWN, PARAMETER, UNUSED) for kind in group.kinds):
        return False
    return not any(isinstance(node, Der | Time) for node in walk(group.residual)) and not varying_slots(group)


def _as_integers(values: list[float]) -> list[int] | None:
    """Integers in the same proportions; None where they are not simple fractions of the largest one."""
    largest = max(map(abs, values), default=0.0)
    if not largest or not np.isfinite(values).all():
        return None
    ratios = [fractions.Fraction(value / largest).limit_denominator(_FINEST_FRACTION) for value in values]
    common = lcm(*(each.denominator for each in ratios))
    near = (
        abs(float(each) * largest - value) <= _ROUNDING * abs(value) for each, value in zip(ratios, values, strict=True)
    )
    return [int(each * common) for each in ratios] if common <= LARGEST_WEIGHT and all(near) else None
