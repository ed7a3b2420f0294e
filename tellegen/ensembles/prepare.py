"""A model and a request for runs -> the functions and numbers of an ensemble; or the reason why there is none.

One run by the scalar engine comes first: it says whether the model runs at all, with which method, at which scales.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.events.impulse_structure import impulse_structure
from tellegen.engine.events.step_limit_for_events import longest_step
from tellegen.engine.initialization.events_of_system import events_of
from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.integrators.one_step import OneStep
from tellegen.engine.integrators.rk45 import Rk45
from tellegen.engine.integrators.rodas import Rodas
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.engine.readout.quantity import columns, quantity
from tellegen.engine.request.path_lookup import Selection, find
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.request.scales import declared_scales
from tellegen.engine.results.check_assertions import is_judged
from tellegen.engine.results.check_limits import limited
from tellegen.engine.results.solution import Solution
from tellegen.engine.runs.find_scales import FoundScales
from tellegen.engine.runtime.events.event_record import LOOKAHEAD
from tellegen.ensembles.model.functions import (
    DiscreteStart,
    Limit,
    ModelParts,
    ModelText,
    StartSource,
    model_text,
)
from tellegen.ensembles.model.measures import DRIVE, Curve, Measure, Output, Reading
from tellegen.ensembles.model.places import nonlinear_tears, places
from tellegen.ensembles.numbers import Numbers
from tellegen.ensembles.refused import RefusedError
from tellegen.ensembles.wanted import Varied, Wanted, WantedDrive, WantedMeasure
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import PARAMETER

MOST_ROWS = 3000
"""Rows of equations above which straight-line code is too long."""
MOST_WINDOWS = 4
"""Parts of time: for each of them a kernel has its own code."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Functions of a model and the numbers that all runs share, with room for those of each run."""

    model: ModelText
    method: str
    base: Numbers
    signs: FloatArray  # of varied numbers, where a start value is that of an alias
    first: Solution

    def numbers(self, rows: FloatArray) -> Numbers:
        """For runs with these numbers in SI units, one row for each run."""
        return replace(self.base, varied=np.ascontiguousarray((rows * self.signs).T))


def prepare(
    compiled: CompiledModel,
    request: RunRequest,
    first: Solution,
    varied: tuple[Varied, ...],
    wanted: Wanted,
    method: str = "",
) -> Ensemble:
    """See the top of this file; `first` is the run with the numbers of the first one.

    `method` is "rk45" or "rodas"; without it, what the first run suggests.
    """
    model = _model_of(compiled, request, first)
    settings = first.settings
    assert settings is not None
    if is_judged(model) or nonlinear_tears(model.ode.program):  # at output points, as by the scalar engine
        wanted = replace(wanted, has_grid=True)
    method = method or _method(first, request.options)
    indices, starts, signs = _indices(model, varied)
    given = np.zeros(model.reduced.parameter_indices)
    for path in request.parameters:
        given[quantity(model.reduced, path).selection.indices] = 1.0
    given[indices] = 1.0
    discrete = _discrete_starts(model, request)
    computed = {start.place for start in discrete}
    where = places(model.reduced, model.program, model.ode.program, indices, starts, given, computed)
    parts = ModelParts(
        reduced=model.reduced,
        program=model.program,
        ode=model.ode.program,
        places=where,
        starts=_start_sources(model, settings.start.starts),
        discrete=discrete,
        outputs=tuple(_outputs(model, wanted.paths)),
        limits=_limits(model, settings.options),
        measures=(*_measures(model, wanted.measures), *map(_drive, wanted.drives)),
        implicit=method == "rodas",
        has_grid=wanted.has_grid,
        has_curves=wanted.has_curves,
    )
    base = _numbers(model, settings.options, settings.start, method, parts, wanted, first)
    texts = model.derived(_texts)
    key = (
        tuple(indices),
        tuple(starts),
        given.tobytes(),
        parts.outputs,
        parts.limits,
        parts.starts,
        discrete,
        method,
        wanted,
    )
    if key not in texts:
        texts[key] = model_text(parts)
    return Ensemble(texts[key], method, base, signs, first)


def _texts(_: NativeModel) -> dict[Hashable, ModelText]:
    """The functions of a model that were made before, by what they were made for."""
    return {}


def _model_of(compiled: CompiledModel, request: RunRequest, first: Solution) -> NativeModel:
    """The model as it ran; a RefusedError where runs need more than kernels do."""
    if not first.outcome.ok:
        raise RefusedError("its first run does not reach the end")
    model = first.compiled
    if model is None or first.settings is None or model.reduced is not compiled.reduced:
        raise RefusedError("its first run needed another form of the model")
    if model.ode.reason:
        raise RefusedError(f"it has no ODE mode ({model.ode.reason})")
    reasons = {
        "it has no states": not model.reduced.is_state.any(),
        "its states are chosen as it runs": depends_on_point(model),
        "it has invariants": model.reduced.invariants is not None,
        "states that are tied together jump at events": _jumps_together(model),
        "its initial values have to be searched for": not first.settings.start.gives_states_alone(model),
        "its assertions read initial() or terminal()": _asserts_of_ends(model),
        "the run begins where another one ended": request.run_state is not None,
        f"chattering={request.options.chattering!r}": request.options.chattering != "stop",
        "its equations are too many": len(model.reduced.unknowns) > MOST_ROWS,
    }
    for reason, holds in reasons.items():
        if holds:
            raise RefusedError(reason)
    return model


def _jumps_together(model: NativeModel) -> bool:
    """Whether a jump of a state may move others by constraints."""
    return model.reduced.events is not None and impulse_structure(model) is not None


def _method(first: Solution, options: Options) -> str:
    """The explicit method, or the Rosenbrock method where the first run was stiff."""
    if options.solver in ("rk45", "rodas"):
        return options.solver
    if options.solver != "auto":
        raise RefusedError(f"solver='{options.solver}' has no lanes")
    return "rk45" if first.stats.get("solver") == "rk45" and not first.stats.get("stiff") else "rodas"


def _indices(model: NativeModel, varied: tuple[Varied, ...]) -> tuple[list[int], list[int], FloatArray]:
    """Places of parameters, and of states whose start values are varied; these columns of numbers come last."""
    reduced = model.reduced
    indices: list[int] = []
    starts: list[int] = []
    signs: list[float] = []
    for one in varied:
        if one.selection.indices.size != 1:
            raise RefusedError("an array is varied as one")
        index = int(one.selection.indices.ravel()[0])
        if one.is_start:
            starts.append(int(reduced.position[reduced.representative[index]]))
            signs.append(float(reduced.sign[index]))
        elif starts:
            raise RefusedError("parameters are varied after start values")
        else:
            indices.append(index if one.selection.parameter else int(reduced.known_position[index]))
            signs.append(1.0)
    return indices, starts, np.array(signs)


def _start_sources(model: NativeModel, starts: Any) -> tuple[StartSource, ...]:
    """Which start values of states follow from parameters; see exporters/image/prepared_run.py."""
    reduced = model.reduced
    groups = model.flat.start_bindings
    bound = {int(variable) for group in groups for variable in group.bindings[:, 0]}
    found = []
    for state in model.ode.program.states.tolist():
        source = int(starts.source[state])
        is_bound = source in bound and not starts_were_given(starts, state)
        found.append(StartSource(source if is_bound else -1, float(reduced.sign[source]) if is_bound else 1.0))
    return tuple(found)


def _discrete_starts(model: NativeModel, request: RunRequest) -> tuple[DiscreteStart, ...]:
    """Discrete variables whose start values follow from parameters, but for those that the run was given."""
    reduced = model.reduced
    asked = {int(index) for path in request.start_values for index in find(model.flat, path).indices.ravel()}
    found = []
    for group in model.flat.start_bindings:
        for variable in group.bindings[:, 0].tolist():
            place = int(reduced.known_position[reduced.representative[variable]])
            if place >= 0 and reduced.sign[variable] != 0 and variable not in asked:
                found.append(DiscreteStart(place, variable, float(reduced.sign[variable])))
    return tuple(found)


def starts_were_given(starts: Any, state: int) -> bool:
    """Whether the run was given a start value of a state."""
    return bool(starts.cost[state] >= 1000.0)


def _limits(model: NativeModel, options: Options) -> tuple[Limit, ...]:
    """Variables with limits, up to the tolerances that a run has for them; see engine/results/check_limits.py."""
    flat = model.flat
    found = []
    for variable in limited(flat).tolist():
        at = columns(model.reduced, np.array([variable]), 0, "")
        if at.index[0] < 0 and at.given[0] < 0:
            continue
        of = Output("p", int(at.given[0]), float(at.sign[0]))
        if at.index[0] >= 0:
            of = Output("yp" if at.rate[0] else "y", int(at.index[0]), float(at.sign[0]))
        slack = float(options.absolute(declared_scales(flat.variables.column("nominal")[[variable]])).start[0])
        low, high = (float(flat.variables.column(bound)[variable]) for bound in ("min", "max"))
        low = low - slack if math.isfinite(low) else -math.inf
        high = high + slack if math.isfinite(high) else math.inf
        found.append(Limit(of, low, high))
    return tuple(found)


def _asserts_of_ends(model: NativeModel) -> bool:
    """Whether an assertion is one of the first or the last instant alone."""
    reduced = model.reduced
    ends = [reduced.initial_index, reduced.terminal_index]
    return any(
        bool(np.isin(group.bindings[:, slot], ends).any())
        for _, group in reduced.asserted
        for slot, kind in enumerate(group.kinds)
        if kind == PARAMETER
    )


def _outputs(model: NativeModel, paths: tuple[str, ...]) -> list[Output]:
    """Quantities as elements of y, y' or p."""
    found = []
    for path in paths:
        what = quantity(model.reduced, path)
        if not isinstance(what.source, Selection) or what.parameter:
            raise RefusedError(f"'{path}' is computed from a whole solution")
        read = columns(model.reduced, what.selection.indices.ravel(), what.order, path)
        for index, known, sign, is_rate in zip(read.index, read.given, read.sign, read.rate, strict=True):
            if index < 0 and known < 0:
                raise RefusedError(f"'{path}' is constant")
            array = "p" if index < 0 else "yp" if is_rate else "y"
            found.append(Output(array, int(known if index < 0 else index), float(sign)))
    return found


def _measures(model: NativeModel, wanted: tuple[WantedMeasure, ...]) -> tuple[Measure, ...]:
    """With the places of what they read."""
    if len({(one.start, one.stop) for one in wanted}) > MOST_WINDOWS:
        raise RefusedError(f"its outputs are measured in more than {MOST_WINDOWS} parts of time")
    found = []
    for one in wanted:
        readings = tuple(_reading(model, path) for path in one.paths)
        found.append(Measure(Curve(one.value, readings, one.bounds), one.kind, one.start, one.stop))
    return tuple(found)


def _drive(one: WantedDrive) -> Measure:
    readings = tuple(Reading(Output("p", cell, 1.0), 1.0, 0.0) for cell in one.bounds.numbers)
    return Measure(Curve(one.value, readings, one.bounds), DRIVE)


def _reading(model: NativeModel, path: str) -> Reading:
    """A quantity, which is one number, in its unit."""
    what = quantity(model.reduced, path)
    if what.shape:
        raise RefusedError(f"'{path}' is an array")
    offset, one = (float(what.unit.from_si(number)) for number in (0.0, 1.0))
    if what.parameter:
        place = Output("p", int(what.selection.indices.ravel()[0]), 1.0)
    else:
        (place,) = _outputs(model, (path,))
    return Reading(place, one - offset, offset)


def _numbers(
    model: NativeModel,
    options: Options,
    start: Any,
    method: str,
    parts: ModelParts,
    wanted: Wanted,
    first: Solution,
) -> Numbers:
    """Tolerances and limits of steps as the scalar engine has them, from the scales that the first run found."""
    found = first.stats.get("scales")
    scales = found.scales if isinstance(found, FoundScales) else start.starts.scales
    system = OdeSystem(model)
    system.reset(start.point.p, scales.size)
    system.y[:] = start.starts.value
    machine = _events(system, options)
    run = _integrator(system, options, scales, method, machine)
    states = model.ode.program.states
    unjudged = scales.is_declared[states] | _is_noise(first, run, states)
    return Numbers(
        varied=np.zeros((parts.places.varied, 1)),
        common=np.concatenate([start.point.p, start.starts.value[states], *_tears(system, parts)]),
        atol=np.array(run.step_tolerances.start, float),
        part=np.array(run.step_tolerances.part, float),
        too_loose=np.where(unjudged, 0.0, run.step_tolerances.too_loose),
        times=options.times(),
        rtol=float(run.rtol),
        start=options.start,
        stop=float(options.times()[-1]),
        longest=float(run.largest),
        lookahead=LOOKAHEAD * options.length,
        outputs=len(parts.outputs),
        has_curves=wanted.has_curves,
        measures=len(wanted.measures) + len(wanted.drives),
    )


def _tears(system: OdeSystem, parts: ModelParts) -> tuple[FloatArray, FloatArray]:
    """Guesses and scales of the tears of nonlinear loops, as the scalar engine has them at the start."""
    at = [index + (array == "yp") * system.y.size for array, index in parts.places.tears]
    return np.append(system.y, np.zeros_like(system.y))[at], system.scale[at]


def _is_noise(first: Solution, run: OneStep, states: Any) -> Any:
    """Which states stayed small in the first run, and its judge of scales was content: roundings of others."""
    peaks = first.peaks
    if peaks is None:
        return np.zeros(len(states), bool)
    largest = np.full(int(max(states.max(), peaks.unknowns.max())) + 1, np.inf)
    largest[peaks.unknowns] = peaks.value
    return np.asarray(largest[states] < run.step_tolerances.too_loose)


def _events(system: OdeSystem, options: Options) -> EventHandler | None:
    if system.model.reduced.events is None:
        return None
    system.attach(EventHandler(system.model, system.p, all_native=True))
    machine = events_of(system, options)
    if machine.uses_terminal:
        raise RefusedError("it reads terminal()")
    return machine


def _integrator(system: OdeSystem, options: Options, scales: Any, method: str, machine: EventHandler | None) -> OneStep:
    kind: type[OneStep] = Rodas if method == "rodas" else Rk45
    run = kind(system, options, options.absolute(scales), machine)
    if machine is not None:
        run.largest = min(run.largest, longest_step(machine, options.start, options.stop))
    if not math.isfinite(run.largest):
        run.largest = options.length
    return run
