"""How it reacts to small changes: a linear model at a point, exact from the templates.

    F(t, x, x', z, u) = 0      [dz; dx'] = -M^-1 (dF/dx dx + dF/du du),   M = [dF/dz  dF/dx']

One sparse factorization of M and one solve for each state and input eliminate the algebraic unknowns: no step sizes,
no differences. Where sampled parts act on states or outputs, the model goes from tick to tick (sampled_map.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.linearization.independent_states import Matrices, independent
from tellegen.analyses.linearization.linear_model import LinearModel
from tellegen.analyses.linearization.sampled_map import Deviations, TickMap, held_positions
from tellegen.analyses.linearization.steady_state import steady_at
from tellegen.analyses.sensitivities.parameter_derivatives import Instant, residual_by_parameters, tangent
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.initialization.assemble import assembled
from tellegen.engine.initialization.initial_system import Point
from tellegen.engine.initialization.initialize import initialize
from tellegen.engine.integrators.choose_solver import has_delays
from tellegen.engine.integrators.dynamic_state_selection import StateWatch, rates_of_states
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.readout.snapshot import Snapshot
from tellegen.engine.request.argument_checks import seconds
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.engine.request.path_lookup import find_given, list_of_paths
from tellegen.engine.request.run_request import STEADY, RunKeywords, RunRequest, request_run, run_call
from tellegen.engine.request.run_state import RunPoint
from tellegen.errors import LanguageError, NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import unknown_text, variable_text
from tellegen.ir.source_location import here


@run_call(points=None)
def linearize(
    model: Any,
    *,
    at: Snapshot | str | float | None = None,
    inputs: Sequence[str] | str | None = None,
    outputs: Sequence[str] | str | None = None,
    **run: Unpack[RunKeywords],
) -> LinearModel:
    """The linear model x' = A x + B u, y = C x + D u for small deviations; with sampled parts, one in discrete time.

    `at` is where: the initial values (None), `"steady"`, a time to simulate to (0.5, "20 ms"), or a Snapshot
    (`solution.at(0.5)`, `tg.steady_state(model)`). `inputs` are inputs of the model or parameters (by default all
    inputs of the model), `outputs` any variables (by default the outputs of the model, or the states if it has none).
    The keywords from `start` on are those of tg.simulate.
    """
    compiled = compile_model(model)
    if has_delays(compiled):
        raise NumericError(
            "E304",
            f"{compiled.flat.name} has delays, and no linear model with finitely many states is equal to a delay",
            location=here(),
            advice="use a Padé approximation instead of tg.delay, for example x' == (u - x)*2/T, late == 2*x - u",
        )
    model_there, point = _point(compiled, at, run)
    compiled, point = _well_chosen(model_there, point)
    reduced = compiled.reduced
    given = _inputs(reduced, [inputs] if isinstance(inputs, str) else inputs)
    shown = _outputs(reduced, [outputs] if isinstance(outputs, str) else outputs)
    held = held_positions(compiled)
    states = int(reduced.is_state.sum())
    change = Deviations(*_small_changes(compiled, point, np.concatenate([held, given.positions])), states, len(held))
    by_input = np.zeros((len(point._p), change.values.shape[1]))
    by_input[np.concatenate([held, given.positions]), states + np.arange(len(held) + len(given.positions))] = 1.0
    cd = _read(reduced, shown, change.values, change.rates, by_input)
    names = [variable_text(reduced, int(v)) for v in reduced.unknowns[reduced.is_state]]
    names += [reduced.flat.variables.name(int(reduced.known[k - reduced.flat.parameters.count])) for k in held]
    of_held = slice(states, states + len(held))
    dt = None
    if change.rates[:, of_held].any() or cd[:, of_held].any():
        ticks = TickMap(compiled, point, held, tangent(reduced, point._p, given.positions))
        dt, ab, first = ticks.over_a_period(change)
        cd = cd @ first
        kept = np.flatnonzero(ab.any(axis=0) | cd.any(axis=0))
        kept = kept[kept < states + len(held)]
    else:  # clocks have nothing to do with it
        ab = change.rates[reduced.is_state]
        kept = np.arange(states)
    found = independent(reduced, change.values, Matrices(ab, cd, kept, dt))
    return _scaled(found, [names[k] for k in found.states], given, shown, point)


def _scaled(found: Matrices, states: list[str], given: _Signals, shown: _Signals, point: Snapshot) -> LinearModel:
    """The linear model in the declared units."""
    reduced = point._reduced
    x_scale = np.array([quantity(reduced, name).unit.scale for name in states])
    first = found.cd.shape[1] - len(given.names)
    columns = np.concatenate([found.states, np.arange(first, found.cd.shape[1])])
    right = np.concatenate([x_scale, given.scale])
    ab = found.ab[found.states][:, columns] * right / x_scale[:, None]
    cd = found.cd[:, columns] * right / shown.scale[:, None]
    count = len(states)
    units = {name: quantity(reduced, name).unit.text for name in (*states, *given.names, *shown.names)}
    parts = (ab[:, :count], ab[:, count:], cd[:, :count], cd[:, count:])
    return LinearModel(*parts, tuple(states), given.names, shown.names, units, point, found.dt)


@dataclass(frozen=True, eq=False)
class _Signals:
    """Named scalars: their positions in the vector of parameters (inputs) or their numbers (outputs), and scales."""

    names: tuple[str, ...]
    positions: Any
    scale: FloatArray
    orders: tuple[int, ...] = ()


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
    if at == STEADY or request.steady:
        return compiled, steady_at(compiled, request.options.start, request.parameters, request.start_values)
    p = parameter_vector(compiled, request.parameters)
    start = request.options.start
    first = assembled(compiled, Point(start, p), starts(compiled, p, request.start_values))
    return compiled, Snapshot(compiled.reduced, start, initialize(compiled, Point(start, p), first), p)


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


def _inputs(model: ReducedModel, paths: Sequence[str] | None) -> _Signals:
    names: list[str] = []
    positions: list[int] = []
    scale: list[float] = []
    every_input = [model.flat.variables.name(int(v)) for v in model.known]
    for path in every_input if paths is None else list_of_paths("inputs", paths):
        selection = find_given(model, path)
        index = selection.indices.ravel()
        position = index if selection.parameter else model.known_position[index]
        if (position < 0).any():
            raise LanguageError(
                "E166",
                f"'{path}' is computed by the model, so it cannot be an input of the linear model",
                location=here(),
                advice="inputs are parameters and the top-level inputs of the model",
            )
        table = model.flat.parameters if selection.parameter else model.flat.variables
        names += [table.name(int(k)).removesuffix(".default") for k in index]
        positions += [int(k) for k in position]
        scale += [selection.member.unit.scale] * len(index)
    return _Signals(tuple(names), np.array(positions, np.int64), np.array(scale))


def _outputs(model: ReducedModel, paths: Sequence[str] | None) -> _Signals:
    table = model.flat.variables
    if paths is None:
        owner = [(first, length, node, v) for first, length, node, v in table.blocks() if v.role == "output"]
        own = [first + k for first, length, node, _ in owner if node.parent < 0 for k in range(length)]
        states = [variable_text(model, int(v)) for v in model.unknowns[model.is_state]]
        paths = [table.name(k) for k in own] or states
    names: list[str] = []
    numbers: list[int] = []
    orders: list[int] = []
    scale: list[float] = []
    for path in paths:
        what = quantity(model, path)
        if what.parameter:
            raise LanguageError("E167", f"'{path}' is a parameter, so it cannot be an output", location=here())
        for k in what.selection.indices.ravel():
            names.append("der(" * what.order + table.name(int(k)) + ")" * what.order)
            numbers.append(int(k))
            orders.append(what.order)
            scale.append(what.unit.scale)
    return _Signals(tuple(names), np.array(numbers, np.int64), np.array(scale), tuple(orders))


def _small_changes(compiled: NativeModel, point: Snapshot, positions: Any) -> tuple[FloatArray, FloatArray]:
    """The derivatives of all unknowns and of all rates by states and inputs: one column each, states first."""
    model = compiled.reduced
    p = point._p
    system = LocalSystem(compiled, p)
    system.t = point.t
    system.y = point.unknowns
    u = np.where(model.is_state, point.rates, point.unknowns)
    by_inputs = residual_by_parameters(model, Instant(point.t, point.unknowns, point.rates, p), positions)
    right = np.hstack([system.by_states(u).toarray(), by_inputs])
    try:
        change = -_solved(system.pattern, system.jacobian(u), right)
    except SingularMatrixError:
        raise _singular(compiled, system, u) from None
    values = np.where(model.is_state[:, None], 0.0, change)
    which = np.flatnonzero(model.is_state)
    values[which, np.arange(len(which))] = 1.0
    return values, np.where(model.is_state[:, None], change, 0.0)


def _solved(pattern: Pattern, values: FloatArray, right: FloatArray) -> FloatArray:
    """The solution of a sparse system for each column of the right-hand side."""
    if not len(right):
        return right
    factors = SparseLU(pattern, choose_pivots(pattern, values))
    factors.factor(values)
    return np.stack([factors.solve(column) for column in right.T], axis=1) if right.shape[1] else right


def _singular(compiled: NativeModel, system: LocalSystem, u: FloatArray) -> NumericError:
    dense = system.matrix(u)
    weight = np.abs(dense).sum(axis=0)
    worst = [unknown_text(compiled.reduced, int(k)) for k in np.argsort(weight)[:5]]
    return NumericError(
        "E304",
        f"the model cannot be linearized at t = {system.t:g}: its equations do not determine all unknowns there",
        details=["unknowns with the least influence on the equations:", *(f"  {name}" for name in worst)],
        advice="linearize at another point: at=0.1 (a time), or at=tg.steady_state(model, initial={...})",
    )


def _read(
    model: ReducedModel, shown: _Signals, values: FloatArray, rates: FloatArray, inputs: FloatArray
) -> FloatArray:
    """The derivatives of the outputs: one row each."""
    rows = [
        columns(model, [number], order, name).read(values.T, rates.T, np.zeros(inputs.shape[0]))[:, 0]
        + _directly(model, number, order, inputs)
        for number, order, name in zip(shown.positions, shown.orders, shown.names, strict=True)
    ]
    return np.array(rows).reshape(len(rows), values.shape[1])


def _directly(model: ReducedModel, variable: int, order: int, inputs: FloatArray) -> Any:
    """An output that is an input itself."""
    leader = model.representative[variable]
    sign = model.sign[variable]
    position = model.known_position[leader]
    return sign * inputs[position] if position >= 0 and order == 0 else 0.0
