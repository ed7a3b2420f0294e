"""Runs that continue where another one stood: the model must be the same, parameters may change at that instant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import continued
from tellegen.engine.initialization.run_start import RunStart
from tellegen.engine.integrators.dynamic_state_selection import chosen_at_start
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import changed_parameters, starts
from tellegen.engine.request.run_state import RunState
from tellegen.engine.runs.exact_values import with_exact_values
from tellegen.engine.runs.kinks_as_events import all_relations_as_events, kinks_as_events
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray, ReducedModel
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.source_location import here

_UNMOVED = 1e-9  # relative: what is solved for again is the same but for roundings


def start_of_continued(
    compiled: NativeModel, state: RunState, parameters: Mapping[str, Any]
) -> tuple[NativeModel, RunStart]:
    """The model with states that suit the point, and where the run begins."""
    compiled = _model_of(compiled, state)
    p = changed_parameters(compiled, state.p, parameters)
    first = replace(starts(compiled, p.copy(), None), value=state.unknowns.copy())
    if state.scales is not None:
        first = replace(first, scales=state.scales)
    point = Point(state.t, p)
    compiled = chosen_at_start(compiled, point, first)
    start = RunStart(point, first, state=state)
    if start.is_changed:
        _refuse_values_that_cancel(compiled, p, state)
        _refuse_moved_constraints(compiled, point, state)
    return compiled, start


def _model_of(compiled: NativeModel, state: RunState) -> NativeModel:
    """The model of the run that continues, with its kinks as events if that had them; E185 where it is another one."""
    if _is_of(compiled.reduced, state):
        return compiled
    exact = state.model.flat.exact_parameters
    if exact is not None:
        compiled = with_exact_values(compiled, exact) or compiled
        if _is_of(compiled.reduced, state):
            return compiled
    for located in (kinks_as_events(compiled), all_relations_as_events(compiled)):
        if located is not None and _is_of(located.reduced, state):
            return located
    known = state.model.flat
    flat = compiled.flat
    name = f"model {known.name}" if known.name != flat.name else f"another version of {flat.name}"
    raise LanguageError(
        "E185",
        f"the snapshot is of {name}, so that a run of this model cannot continue from it",
        location=here(),
        advice="initial=dict(snapshot) starts a new run from its values; other values of parameters: parameters={...}",
    )


def _is_of(model: ReducedModel, state: RunState) -> bool:
    """Whether the numbers of a state mean what those of the model do."""
    known = state.model.flat
    return model.flat is known or (len(state.p) == model.parameter_indices and _are_same(model.flat, known))


def _are_same(one: FlatModel, other: FlatModel) -> bool:
    """Whether two models have the same variables, equations and declared numbers."""
    are_equal = np.array_equal(one.parameter_values, other.parameter_values, equal_nan=True)
    are_equal &= _exact_values(one) == _exact_values(other)
    return are_equal and one.variables.count == other.variables.count and _statements(one) == _statements(other)


def _exact_values(flat: FlatModel) -> bytes:
    return b"" if flat.exact_parameters is None else flat.exact_parameters.tobytes()


def _statements(flat: FlatModel) -> list[str]:
    """All that a model says, without comments, which name the places in files."""
    return [line for line in show_flat(flat).splitlines() if not line.lstrip().startswith("#")]


def _refuse_values_that_cancel(compiled: NativeModel, p: FloatArray, state: RunState) -> None:
    """E308 where the model is for exactly the parameters of the run that is continued."""
    exact = compiled.flat.exact_parameters
    if exact is None or np.array_equal(exact, p[: len(exact)], equal_nan=True):
        return
    raise NumericError(
        "E308",
        f"{compiled.flat.name}: with the parameters of the run until t = {state.t:g} s a constraint between states "
        "holds because they cancel each other; with other ones it does not",
        location=here(),
        advice="initial=dict(snapshot) starts a new run from its values, with other parameters",
    )


def _refuse_moved_constraints(compiled: NativeModel, point: Point, state: RunState) -> None:
    """E308 where changed parameters move what constraints tie to each other: which of it jumps is not determined."""
    tied = _continuous(compiled.reduced)
    if not tied.any():
        return
    found = continued(compiled, point, state.unknowns, np.nan_to_num(state.rates))
    if found is not None and _is_unmoved(state.unknowns[tied], found.y[tied]):
        return
    raise NumericError(
        "E308",
        f"{compiled.flat.name}: the parameters that change at t = {state.t:g} s are in a constraint between states, "
        "which would have to jump",
        location=here(),
        advice="make them discrete variables that a when-statement changes: then states jump as conservation demands",
    )


def _continuous(model: ReducedModel) -> BoolArray:
    """Unknowns that constraints tie to others and that are integrals: all but the highest derivatives."""
    if model.candidates is None:
        return model.is_tied
    tied = model.is_tied.copy()
    chain = model.candidates.chain
    tied[model.position[chain[np.arange(len(chain)), model.candidates.d]]] = False
    return tied


def _is_unmoved(before: FloatArray, after: FloatArray) -> bool:
    return np.allclose(before, after, rtol=_UNMOVED, atol=_UNMOVED * float(np.abs(before).max(initial=0.0)))
