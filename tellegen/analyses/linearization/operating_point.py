"""Where a model is linearized: at its initial values, in steady state, at an instant of a run, or at a snapshot."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.linearization.steady_state import steady_at
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialization.assembly.assemble import assembled
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initialize
from tellegen.engine.integrators.dynamic_state_selection import StateWatch, rates_of_states
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.engine.request.run_request import STEADY, RunKeywords, RunRequest, request_run
from tellegen.engine.request.run_state import RunPoint
from tellegen.engine.results.check_assertions import warn_of_points
from tellegen.errors import LanguageError
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here


def operating_point(compiled: CompiledModel, at: Any, run: RunKeywords) -> tuple[NativeModel, Snapshot]:
    """The model with states that are independent there, and the point."""
    return _well_chosen(*_point(compiled, at, run))


def _point(compiled: CompiledModel, at: Any, run: RunKeywords) -> tuple[NativeModel, Snapshot]:
    """The operating point, and the model as a run to it had it."""
    if isinstance(at, Snapshot):
        return compiled, _of_this_model(compiled.reduced, at, run)
    if run.get("points") is not None:
        what = "points= says where curves have points, and a linear model is taken at one instant"
        raise LanguageError("E184", what, location=here(), advice="say at which time: at=0.5")
    until = None if at is None or at == STEADY else _time(at)
    initial = run.get("initial")
    if until is None and isinstance(initial, RunPoint) and initial.run_state is not None:
        what = "initial= says where a run starts, and there is none to linearize at a snapshot"
        raise LanguageError("E168", what, location=here(), advice="at=snapshot")
    request = _request(compiled, until, run)
    if until is not None:
        solution = compiled.run(request)
        return solution.compiled or compiled, solution.at(until)
    point = _standing(compiled, request, at == STEADY or request.steady)
    warn_of_points(compiled, [point], lambda point: point.when)
    return compiled, point


def _standing(compiled: CompiledModel, request: RunRequest, steady: bool) -> Snapshot:
    """The steady state, or the initial values."""
    start = request.options.start
    if steady:
        return steady_at(compiled, start, request.parameters, request.start_values)
    p = parameter_vector(compiled, request.parameters)
    first = assembled(compiled, Point(start, p), starts(compiled, p, request.start_values))
    return Snapshot(compiled.reduced, start, initialize(compiled, Point(start, p), first), p)


def _request(compiled: CompiledModel, until: float | None, run: RunKeywords) -> RunRequest:
    """The run to the point, or to no matter when where the point is its start."""
    start = seconds("start", run.get("start", 0.0))
    keywords: RunKeywords = {**run, "points": 2}
    return request_run(compiled.flat.experiment, start + 1.0 if until is None else until, **keywords)


def _of_this_model(model: ReducedModel, at: Snapshot, run: RunKeywords) -> Snapshot:
    """The snapshot, if it is one of this model and nothing else is asked for."""
    if at.name != model.flat.name or not np.array_equal(at._reduced.unknowns, model.unknowns):
        raise LanguageError("E168", "the operating point belongs to another model", location=here())
    given = [name for name, value in run.items() if value is not None]
    if given:
        what = f"{given[0]}= changes nothing: the snapshot to linearize at has all its values"
        raise LanguageError("E168", what, location=here(), advice="give it to the run that the snapshot is taken from")
    return at


def _time(at: Any) -> float:
    """The time to simulate to."""
    try:
        return seconds("at", at)
    except LanguageError:
        advice = "at=0.5, at='20 ms', at='steady', or a snapshot: at=solution.at(0.5)"
        what = f"at is a time, a snapshot or 'steady', not {at!r}"
        raise LanguageError("E169", what, location=here(), advice=advice) from None


def _well_chosen(compiled: NativeModel, point: Snapshot) -> tuple[NativeModel, Snapshot]:
    """With states that are independent at this point, where the model leaves a choice."""
    if compiled.reduced.candidates is None:
        return compiled, point
    watch = compiled.derived(StateWatch)
    stages = watch.better(point.t, point.unknowns, point.rates, point._p, watch.parts)
    if stages is None:
        return compiled, point
    other = compiled.with_states(stages)
    rates = rates_of_states(other.reduced, point.unknowns, point.rates)
    return other, Snapshot(other.reduced, point.t, Consistent(point.unknowns, rates), point._p)
