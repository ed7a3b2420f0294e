"""What a model may be varied by: parameters, start values, and names for several of them at once.

    "motor.R"                                     a parameter
    "ball.h"                                      a variable: its start value
    {"scale": {"a.R": 1.0, "b.R": 2.0}}           a name, and how fast each of several moves with it

Each becomes a direction over all parameters and start values, carried through the expressions that bind parameters to
others. Directions are scaled to the size of what they vary, so that tangents are as large as the variables themselves
and the tolerances of a run mean the same for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.sensitivities.parameter_derivatives import tangent
from tellegen.engine.request.path_lookup import Selection, find
from tellegen.errors import DesignError
from tellegen.ir.expressions.expr import Slot
from tellegen.ir.expressions.template import ValueTemplate
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial
from tellegen.variation.augment import Directions

Wanted = str | Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class DesignVariable:
    """A name, and scalars with how fast they move (SI per unit of the variable)."""

    name: str
    unit: str
    parameters: tuple[tuple[int, float], ...]
    starts: tuple[tuple[int, float], ...]


def design_variables(flat: FlatModel, wanted: Sequence[Wanted | DesignVariable] | Wanted) -> list[DesignVariable]:
    """The variables asked for; arrays element by element."""
    if isinstance(wanted, str | Mapping):
        wanted = [wanted]
    out: list[DesignVariable] = []
    for each in () if wanted is None else wanted:
        if isinstance(each, Mapping):
            out += [_several(flat, name, weights) for name, weights in each.items()]
        elif isinstance(each, DesignVariable):
            out.append(each)
        else:
            out += _of_path(flat, each)
    if not out:
        what = "wrt names nothing to vary"
        raise DesignError(
            "E644",
            what,
            location=here(),
            advice="wrt=['motor.R', 'load.J']: parameters, or variables for their start values",
        )
    return out


def sum_of(name: str, variables: Sequence[DesignVariable], weights: FloatArray) -> DesignVariable:
    """One variable that moves several, each as fast as its weight says."""
    pairs = list(zip(variables, weights.tolist(), strict=True))
    parameters = [(k, weight * rate) for variable, weight in pairs for k, rate in variable.parameters]
    starts = [(k, weight * rate) for variable, weight in pairs for k, rate in variable.starts]
    return DesignVariable(name, "", tuple(parameters), tuple(starts))


def _of_path(flat: FlatModel, path: str) -> list[DesignVariable]:
    selection = find(flat, path)
    _check(selection)
    table = flat.parameters if selection.parameter else flat.variables
    unit = selection.member.unit
    found = []
    for index in selection.indices.ravel().tolist():
        moves = ((index, unit.scale),)
        name = table.name(index)
        found.append(
            DesignVariable(name, unit.text, moves, ())
            if selection.parameter
            else DesignVariable(name, unit.text, (), moves)
        )
    return found


def _several(flat: FlatModel, name: str, weights: Mapping[str, float]) -> DesignVariable:
    parameters: list[tuple[int, float]] = []
    starts: list[tuple[int, float]] = []
    if not isinstance(weights, Mapping):
        raise DesignError(
            "E644",
            f"'{name}' moves paths with weights, not {weights!r}",
            location=here(),
            advice=f"wrt=['{name}'] for the path itself, wrt={{'{name}': {{'a.R': 1.0, 'b.R': 1.0}}}} for several",
        )
    for path, weight in weights.items():
        selection = find(flat, path)
        _check(selection)
        moves = [(int(index), float(weight) * selection.member.unit.scale) for index in selection.indices.ravel()]
        (parameters if selection.parameter else starts).extend(moves)
    return DesignVariable(name, "", tuple(parameters), tuple(starts))


def _check(selection: Selection) -> None:
    """Only real numbers can be varied by a little."""
    kind = getattr(selection.member, "type", "real")
    if kind != "real":
        what = f"'{selection.path}' is {kind}: it cannot be a design variable"
        raise DesignError(
            "E645", what, location=here(), advice="vary real parameters and start values; enumerate the others"
        )


def directions(
    model: ReducedModel, p: FloatArray, starts: FloatArray, chosen: Sequence[DesignVariable]
) -> tuple[Directions, FloatArray]:
    """Scaled directions at parameters p (with start values of all variables), and the scales."""
    flat = model.flat
    columns = len(chosen)
    scale = np.ones(columns)
    for j, variable in enumerate(chosen):
        sizes = [abs(p[k] / w) for k, w in variable.parameters if w and p[k]]
        sizes += [abs(starts[k] / w) for k, w in variable.starts if w and np.isfinite(starts[k]) and starts[k]]
        scale[j] = max(sizes, default=1.0)
    by_parameter = np.zeros((flat.parameters.count, columns))
    feeds = np.zeros(len(p), bool)  # whether others are computed from it
    for group in flat.parameter_bindings:
        feeds[group.bindings[:, 1:]] = True
    for j, variable in enumerate(chosen):
        if variable.parameters:
            positions = np.array([k for k, _ in variable.parameters])
            weights = np.array([w for _, w in variable.parameters]) * scale[j]
            if feeds[positions].any():
                by_parameter[:, j] = (tangent(model, p, positions) @ weights)[: flat.parameters.count]
            else:
                np.add.at(by_parameter[:, j], positions, weights)
    by_start = _starts(flat, p, by_parameter)
    for j, variable in enumerate(chosen):
        for k, weight in variable.starts:
            by_start[k, j] = weight * scale[j]
    return Directions(by_parameter, by_start, tuple(variable.name for variable in chosen)), scale


def _starts(flat: FlatModel, p: FloatArray, by_parameter: FloatArray) -> FloatArray:
    """How start values that are expressions of parameters move."""
    out = np.zeros((flat.variables.count, by_parameter.shape[1]))
    for group in flat.start_bindings:
        template = group.template
        rows = group.bindings
        assert isinstance(template, ValueTemplate)
        slots: list[Any] = [None, *(p[rows[:, k]] for k in range(1, rows.shape[1]))]
        for k in range(1, rows.shape[1]):
            slope = np.broadcast_to(evaluate(partial(template.value, Slot(k)), slots), len(rows))
            out[rows[:, 0]] += slope[:, None] * by_parameter[rows[:, k]]
    return out
