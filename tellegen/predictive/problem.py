"""What a predictive controller is asked for, checked: inputs, what is tracked, weights and limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.path_lookup import Selection, find
from tellegen.errors import DesignError, nearest
from tellegen.ir.expressions.expr import Time, walk
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass
from tellegen.variation.driven import open_inputs

EXAMPLE = (
    "inputs={'force': (-20.0, 20.0)}, track={'cart.s': 1.0}, effort={'force': 0.01}, limits={'cart.v': (-2.0, 2.0)}"
)


@dataclass(frozen=True, eq=False)
class ControlProblem:
    """Inputs and outputs by path, in declared units; a row of weights for each sample of the horizon."""

    period: float
    horizon: int
    inputs: tuple[str, ...]
    low: FloatArray  # of inputs
    high: FloatArray
    effort: FloatArray  # weights of squared inputs
    changes: FloatArray  # weights of squared changes from sample to sample
    tracked: tuple[str, ...]
    weights: FloatArray  # (horizon, tracked)
    limited: tuple[str, ...]
    lowest: FloatArray  # of what is limited
    highest: FloatArray
    violation: float  # the price of a unit beyond a limit

    @property
    def outputs(self) -> tuple[str, ...]:
        """All that is read of the plant: what is tracked, then what is limited."""
        return *self.tracked, *self.limited


@dataclass(frozen=True, eq=False)
class Asked:
    """The arguments of tg.predictive_control that are weights and limits."""

    inputs: Any
    track: Any
    effort: Any
    changes: Any
    final: Any
    limits: Any
    violation: Any


def control_problem(flat: FlatModel, period: Any, horizon: Any, asked: Asked) -> ControlProblem:
    """Everything checked against the plant."""
    _refuse_time(flat)
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 1:
        raise wrong(f"the horizon is a number of samples, not {horizon!r}")
    step = seconds("period", period)
    if not step > 0.0:
        raise wrong(f"the period is a time above zero, not {period!r}")
    inputs = _mapping("inputs", asked.inputs)
    bounds = [_limits(path, pair) for path, pair in inputs.items()]
    track = _weights("track", asked.track)
    if not inputs or not track:
        raise wrong("a controller needs an input that it may set, and something to track")
    final = _weights("final", asked.final)
    limits = _mapping("limits", asked.limits)
    for path in inputs:
        _refuse_other_input(flat, path)
    for path in (*track, *final, *limits):
        _refuse_no_output(flat, path)
    _refuse_strangers("effort", asked.effort, inputs)
    _refuse_strangers("changes", asked.changes, inputs)
    tracked = tuple(dict.fromkeys((*track, *final)))
    weights = np.tile([track.get(path, 0.0) for path in tracked], (horizon, 1))
    weights[-1] = [final.get(path, track.get(path, 0.0)) for path in tracked]
    beyond = [_limits(path, pair) for path, pair in limits.items()]
    return ControlProblem(
        period=step,
        horizon=horizon,
        inputs=tuple(inputs),
        low=np.array([low for low, _ in bounds]),
        high=np.array([high for _, high in bounds]),
        effort=_in_order("effort", asked.effort, inputs),
        changes=_in_order("changes", asked.changes, inputs),
        tracked=tracked,
        weights=weights,
        limited=tuple(limits),
        lowest=np.array([low for low, _ in beyond]),
        highest=np.array([high for _, high in beyond]),
        violation=_number("violation", asked.violation),
    )


def wrong(what: str, advice: str = EXAMPLE) -> DesignError:
    """E690, of what was asked for."""
    return DesignError("E690", what, location=here(), advice=advice)


def _refuse_time(flat: FlatModel) -> None:
    """A plant whose equations contain time is another one at every sample."""
    for group in flat.equations:
        if any(isinstance(node, Time) for node in walk(*group.template.expressions())):
            raise wrong(
                f"{flat.name} depends on time by itself, and a plan looks ahead from any time",
                "make the source of it an input: load = tg.input('N.m')",
            )


def _mapping(name: str, given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(path, str) for path in given):
        raise wrong(f"{name} is a mapping by path, not {given!r}")
    return dict(given)


def _number(name: str, value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and found >= 0.0):
        raise wrong(f"{name} is a number from zero on, in declared units, not {value!r}")
    return found


def _weights(name: str, given: Any) -> dict[str, float]:
    return {path: _number(f"{name} of '{path}'", value) for path, value in _mapping(name, given).items()}


def _in_order(name: str, given: Any, inputs: Mapping[str, Any]) -> FloatArray:
    found = _weights(name, given)
    return np.array([found.get(path, 0.0) for path in inputs])


def _limits(path: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = (float(each) for each in pair)
    except (TypeError, ValueError):
        low, high = math.nan, math.nan
    if not low < high:
        raise wrong(f"the limits of '{path}' are a low and a high number in its declared unit, not {pair!r}")
    return low, high


def _refuse_other_input(flat: FlatModel, path: str) -> None:
    selection = find(flat, path)
    known = open_inputs(flat)
    if "[" in path:
        raise wrong(f"'{path}' is an element of an array, and inputs are set as a whole", "declare inputs one by one")
    if selection.parameter or selection.indices.size != 1 or not np.isin(selection.indices, known).all():
        names = [flat.variables.name(int(k)) for k in known]
        known_names = nearest(path, names) if names else "this plant has no open input"
        raise wrong(f"'{path}' is not an open input of {flat.name}; {known_names}", "force = tg.input('N')")


def _refuse_no_output(flat: FlatModel, path: str) -> None:
    selection: Selection = find(flat, path)
    if selection.parameter or selection.indices.size != 1:
        raise wrong(f"'{path}' is not one variable of {flat.name}", "name a variable, or an element: 'cells[2].T'")


def _refuse_strangers(name: str, given: Any, inputs: Mapping[str, Any]) -> None:
    for path in _mapping(name, given):
        if path not in inputs:
            raise wrong(f"{name} names '{path}', which is not among the inputs; {nearest(path, list(inputs))}")
