"""All intervals of a horizon: where each ends, what is read there, and the exact derivatives of both.

    (x, u) at the start of interval k  ->  x and y at its end, with d(x, y)/dx and d(x, y)/du

The plant is compiled with its tangents. Where it is smooth, all intervals are run at once in lanes of the processor
(ensembles/): a horizon of 20 samples takes a tenth of a millisecond. A plant with events is run interval by interval,
because its tangents jump where it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from tellegen.analyses.optimization.formulation.piecewise_inputs import Piecewise, drive_inputs
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.engine.request.path_lookup import find, find_given, scalars_of
from tellegen.ensembles.devices.host import RepeatedRuns, host_kernel
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.ensembles.kernels.job import Status
from tellegen.ensembles.kernels.sizes import FINAL
from tellegen.ensembles.prepare import prepare
from tellegen.ensembles.refused import RefusedError
from tellegen.ensembles.wanted import Varied, Wanted
from tellegen.errors import TellegenError
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.predictive.problem import Inputs, wrong
from tellegen.start.records import dataclass

_MOST_STEPS = 5000  # of an interval: a plan that needs more is none


@dataclass(frozen=True, eq=False)
class Ends:
    """The ends of all intervals, in declared units: rows of `values` are states, then outputs."""

    values: FloatArray  # (horizon, states + outputs)
    by_state: FloatArray  # (horizon, states + outputs, states)
    by_input: FloatArray  # (horizon, states + outputs, inputs and disturbances)
    ok: BoolArray  # which intervals could be run


class Intervals(Protocol):
    """Runs all intervals of a horizon."""

    states: tuple[str, ...]
    where: str
    parts: tuple[float, ...]  # of a step that are worth to be tried

    def run(self, states: FloatArray, inputs: FloatArray) -> Ends:
        """From these states with these inputs and disturbances, a row for each interval."""
        ...


@dataclass(frozen=True, eq=False)
class Watched:
    """What is held for an interval, what is read at its end, and how long it is."""

    given: Inputs
    outputs: tuple[str, ...]
    period: float


class Plant:
    """A plant whose inputs are held for a period, compiled with its tangents; `held` are inputs, then disturbances."""

    def __init__(self, flat: FlatModel, watched: Watched, rtol: float, parameters: Mapping[str, Any]) -> None:
        given = watched.given
        unknown = [path for path in given.disturbances if not find(flat, path).parameter]
        rests = {path.partition("[")[0]: _default(flat, path) for path in unknown}
        pieces = {path: Piecewise(1, 0.0, 0.0, "constant") for path in given.wholes}
        pieces |= {path: Piecewise(1, value, value, "constant") for path, value in rests.items()}
        driven = drive_inputs(flat, pieces, 0.0, watched.period)
        self.watched = watched
        self.rtol = rtol
        self.parameters = dict(parameters)
        self.compiled: CompiledModel = compile_model(driven.model)
        self.states = _state_names(self.compiled)
        self.inputs = tuple(_held_name(self.compiled.flat, path) for path in given.names)
        estimated = [_held_name(self.compiled.flat, path) if path in unknown else path for path in given.disturbances]
        self.held = (*self.inputs, *estimated)
        self.tangents = SensitivityModel(self.compiled, [*self.states, *self.held])
        self.starts = np.array([_start(self.compiled, path) for path in self.states])
        self.disturbances = _values(self.compiled, estimated, self.parameters)

    def with_derivatives(self, state: FloatArray, held: FloatArray) -> Sensitivity:
        """One interval by the scalar engine."""
        parameters = {**self.parameters, **dict(zip(self.held, held.tolist(), strict=True))}
        initial = dict(zip(self.states, state.tolist(), strict=True))
        period = self.watched.period
        request = self.tangents.request(period, points=[period], rtol=self.rtol, parameters=parameters, initial=initial)
        return self.tangents.run(request)

    @property
    def is_smooth(self) -> bool:
        """Whether nothing happens between samples."""
        return self.compiled.reduced.events is None and not self.tangents.has_kinks

    @property
    def typical(self) -> FloatArray:
        """Numbers that inputs and disturbances can have: upper limits."""
        high = self.watched.given.high
        return np.concatenate([np.where(np.isfinite(high), high, 1.0), self.disturbances])

    @property
    def quiet(self) -> FloatArray:
        """The numbers nearest to zero that inputs can have, and the disturbances that are expected."""
        given = self.watched.given
        return np.concatenate([np.clip(np.zeros(len(given.names)), given.low, given.high), self.disturbances])


class SingleRuns:
    """Interval by interval, by the scalar engine."""

    where = "single runs"
    parts = (1.0, 0.25, 0.03)

    def __init__(self, plant: Plant) -> None:
        self.plant = plant
        self.states = plant.states

    def run(self, states: FloatArray, inputs: FloatArray) -> Ends:
        """See Intervals."""
        paths = (*self.states, *self.plant.watched.outputs)
        count = len(self.states)
        values = np.full((len(states), len(paths)), np.nan)
        slopes = np.full((len(states), len(paths), count + inputs.shape[1]), np.nan)
        for k, (state, held) in enumerate(zip(states, inputs, strict=True)):
            if np.isfinite(state).all():
                try:
                    found = self.plant.with_derivatives(state, held)
                except TellegenError:
                    continue
                values[k] = [float(found.solution[path][-1]) for path in paths]
                slopes[k] = [np.asarray(found[path])[-1] for path in paths]
        ok = np.array([bool(np.isfinite(row).all()) for row in values])
        return Ends(values, slopes[:, :, :count], slopes[:, :, count:], ok)


class Lanes:
    """All intervals at once, by the explicit method or, where that finds the plant stiff, by the Rosenbrock method."""

    parts = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 0.003, 0.001)

    def __init__(self, plant: Plant, method: str) -> None:
        watched = plant.watched
        self.states = plant.states
        first = plant.with_derivatives(plant.starts, plant.typical)
        augmented, compiled = plant.tangents.declared
        flat = compiled.flat
        paths = (*plant.states, *watched.outputs)
        own = [quantity(compiled.reduced, path) for path in paths]
        tangents = np.array([augmented.position[int(what.selection.indices.ravel()[0])] for what in own])
        self._depends = tangents >= 0
        orders = np.array([what.order for what in own])[:, None] + np.zeros(tangents.shape, int)
        names = [
            "der(" * int(order) + flat.variables.name(int(index)) + ")" * int(order)
            for index, order in zip(tangents[self._depends], orders[self._depends], strict=True)
        ]
        selections = [find_given(compiled.reduced, path) for path in plant.held]
        selections += [find(flat, path) for path in plant.states]
        varied = tuple(Varied(each, is_start=not each.parameter) for each in selections)
        request = plant.tangents.request(
            watched.period, points=[watched.period], rtol=plant.rtol, parameters=plant.parameters
        )
        wanted = Wanted((*paths, *names), has_curves=False, has_grid=False)
        ensemble = prepare(compiled, request, first.solution, varied, wanted, method)
        base = replace(ensemble.base, too_loose=np.zeros_like(ensemble.base.too_loose), most_steps=_MOST_STEPS)
        self._ensemble = replace(ensemble, base=base)
        self._signs = _column(np.broadcast_to(ensemble.signs, len(selections)))
        self._kernel = host_kernel(ensemble.model, ADAPTIVE)
        self._repeated: dict[int, RepeatedRuns] = {}
        self._given_scales = _column([each.member.unit.scale for each in selections])
        self._given_offsets = _column([each.member.unit.offset for each in selections])
        self._own_scales = _column([what.unit.scale for what in own])
        self._own_offsets = _column([what.unit.offset for what in own])
        self._scales = (self._own_scales * first.scale)[self._depends][:, None]
        self.where = f"{self._kernel.lanes} lanes, {method}"

    def run(self, states: FloatArray, inputs: FloatArray) -> Ends:
        """See Intervals."""
        number = states.shape[1]
        rows = np.concatenate([inputs.T, states.T])
        rows[np.isnan(rows)] = np.inf
        found = self._runs_of(len(states)).run((rows * self._given_scales + self._given_offsets) * self._signs)
        final = found.reduced[:, FINAL]
        count = len(self._own_scales)
        values = np.ascontiguousarray(((final[:count] - self._own_offsets) / self._own_scales).T)
        slopes = np.zeros((len(states), *self._depends.shape))
        slopes[:, self._depends] = (final[count:] / self._scales).T
        ok = (found.status == Status.DONE) & np.isfinite(final).all(axis=0)
        return Ends(values, slopes[:, :, :number], slopes[:, :, number:], ok)

    def _runs_of(self, count: int) -> RepeatedRuns:
        """So many runs, prepared once."""
        if count not in self._repeated:
            empty = np.zeros((count, len(self._given_scales)))
            self._repeated[count] = RepeatedRuns(self._kernel, self._ensemble.numbers(empty))
        return self._repeated[count]


def intervals_of(plant: Plant) -> Intervals:
    """In lanes where the plant allows it."""
    if plant.is_smooth:
        inputs = np.tile(plant.quiet, (2, 1))
        for method in ("rk45", "rodas"):
            try:
                lanes = Lanes(plant, method)
            except RefusedError:
                break
            if lanes.run(np.tile(plant.starts, (2, 1)), inputs).ok.all():
                return lanes
    return SingleRuns(plant)


def _held_name(flat: FlatModel, path: str) -> str:
    """The parameter that holds an input, or an element of one."""
    whole, _, element = path.partition("[")
    pieces = find(flat, f"{whole}.pieces").indices
    number = np.ravel_multi_index([int(k) for k in element[:-1].split(",")], pieces.shape[:-1]) if element else 0
    return flat.parameters.name(int(pieces.reshape(-1, pieces.shape[-1])[number, 0]))


def _column(numbers: Any) -> FloatArray:
    """Numbers below each other."""
    return np.array(numbers, float)[:, None]


def _default(flat: FlatModel, path: str) -> float:
    """The value of an input that nobody sets."""
    default = scalars_of(flat, f"{path.partition('[')[0]}.default")
    value = np.nan if default is None else float(flat.parameter_values[default.indices.ravel()[0]])
    return 0.0 if default is None or np.isnan(value) else float(default.member.unit.from_si(value))


def _values(compiled: CompiledModel, paths: list[str], parameters: Mapping[str, Any]) -> FloatArray:
    """Of parameters, in declared units."""
    p = parameter_vector(compiled, parameters)
    found = [quantity(compiled.reduced, path) for path in paths]
    return np.array([float(what.unit.from_si(p[what.selection.indices].ravel()[0])) for what in found])


def _state_names(compiled: CompiledModel) -> tuple[str, ...]:
    reduced = compiled.reduced
    variables = reduced.unknowns[reduced.is_state]
    if not len(variables):
        raise wrong(f"{compiled.flat.name} has no states: there is nothing to look ahead to", "give it a tg.der(...)")
    return tuple(compiled.flat.variables.name(int(index)) for index in variables)


def _start(compiled: CompiledModel, path: str) -> float:
    what = quantity(compiled.reduced, path)
    return float(what.unit.from_si(compiled.flat.variables.column("start")[what.selection.indices]))
