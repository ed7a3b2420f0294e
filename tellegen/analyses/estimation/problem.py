"""What is to be estimated from what: names, units, what is known at the start, and noise; checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.estimation.records import Columns, NoiseLevels, wrong
from tellegen.analyses.optimization.calibration.measured_data import Measured, read_data
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.argument_checks import seconds
from tellegen.errors import nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.show.reduced_rows import variable_text
from tellegen.units import Unit, parse_quantity


@dataclass(frozen=True, eq=False)
class Problem:
    """The estimated vector is all states of the model, then parameters; all numbers are in declared units."""

    states: tuple[str, ...]
    parameters: tuple[str, ...]
    units: dict[str, str]
    mean: FloatArray
    sigma: FloatArray  # at the start
    walk: FloatArray  # noise per square root of a second
    outputs: tuple[str, ...]
    noise: FloatArray  # of the outputs
    time: FloatArray
    values: FloatArray  # a row for each time, a column for each output; not a number where none was measured
    inputs: tuple[str, ...]
    held: FloatArray  # a row for each time: the inputs from there on
    delays: FloatArray  # of the outputs: how long ago it was that a value shows

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that is estimated."""
        return (*self.states, *self.parameters)


@dataclass(frozen=True, eq=False)
class Asked:
    """The arguments of tg.estimate that say what is to be estimated from what."""

    states: Mapping[str, Any]
    parameters: Mapping[str, Any]
    noise: NoiseLevels
    columns: Columns


def problem_of(model: CompiledModel, data: Any, asked: Asked, initial: Mapping[str, Any]) -> Problem:
    """The problem, or the error that says what is wrong with it."""
    _refuse_memory(model)
    states = _states(model)
    walk = asked.noise.walk or {}
    sigma = asked.noise.measured
    columns = asked.columns
    walking = [path for path in walk if path not in states and path not in asked.parameters]
    parameters = (*asked.parameters, *(path for path in walking if _is_parameter(model, path)))
    names = (*states, *parameters)
    _refuse_unknown("states", asked.states, states, "the states of the model are")
    _refuse_unknown("walk", walk, names, "there are states and parameters")
    table = _measured(data, columns)
    _refuse_unknown("measured", sigma, tuple(table.columns), "the data measure")
    _refuse_unusable(table)
    missing = next((path for path in table.columns if path not in sigma), None)
    if missing is not None:
        raise wrong(
            f"how noisy is '{missing}'?",
            f"noise=tg.NoiseLevels(measured={{'{missing}': 0.1}}) is its standard deviation",
        )
    units = {path: quantity(model.reduced, path).unit.text for path in (*names, *table.columns)}
    held = read_data(data, dict(columns.inputs), columns.time).columns if columns.inputs else {}
    gap = next((path for path, values in held.items() if np.isnan(values).any()), None)
    if gap is not None:
        raise wrong(f"the input '{gap}' is missing at some times", "fill the gaps: inputs are held from row to row")
    deviations = {**asked.states, **asked.parameters}
    return Problem(
        states,
        parameters,
        units,
        _means(model, names, initial, float(table.time[0])),
        np.array([_size(model, path, deviations.get(path, 0.0)) for path in names]),
        np.array([_size(model, path, walk.get(path, 0.0)) for path in names]),
        tuple(table.columns),
        np.array([_size(model, path, sigma[path], least=True) for path in table.columns]),
        table.time,
        np.stack(list(table.columns.values()), axis=1),
        tuple(held),
        np.stack(list(held.values()), axis=1) if held else np.zeros((len(table.time), 0)),
        _delays(columns.delays or {}, tuple(table.columns)),
    )


def _refuse_unusable(table: Measured) -> None:
    """NaN is a value that was not measured; an infinite one is a mistake."""
    if not len(table.time):
        raise wrong("the data have no rows", "a row is a time and what was measured then")
    for path, values in table.columns.items():
        if np.isinf(values).any():
            time = float(table.time[int(np.argmax(np.isinf(values)))])
            raise wrong(f"'{path}' at t = {time:g} is not finite", "NaN is a value that was not measured")


def _delays(given: Mapping[str, Any], outputs: tuple[str, ...]) -> FloatArray:
    _refuse_unknown("delays", given, outputs, "measured are")
    found = np.array([seconds("delays", given.get(path, 0.0)) for path in outputs])
    if (found < 0.0).any():
        path = outputs[int(np.argmin(found))]
        raise wrong(f"'{path}' arrives {-found.min():g} s before it is measured", "a delay is a time from zero on")
    return found


def _measured(data: Any, columns: Columns) -> Measured:
    if columns.match is None and columns.inputs and hasattr(data, "keys"):
        left_out = {columns.time, *columns.inputs.values()}
        return read_data(data, {name: name for name in data.keys() if name not in left_out}, columns.time)  # noqa: SIM118
    return read_data(data, columns.match, columns.time)


def _states(model: CompiledModel) -> tuple[str, ...]:
    reduced = model.reduced
    names = tuple(variable_text(reduced, int(v)) for v in reduced.unknowns[reduced.is_state])
    nameless = next((name for name in names if name.startswith("der(")), None)
    if nameless is not None or not names:
        what = f"the state {nameless} of {model.name} has no name" if nameless else f"{model.name} has no states"
        raise wrong(what, "declare a variable for it, with an equation v == tg.der(x), and state='prefer'")
    return names


def _refuse_memory(model: CompiledModel) -> None:
    """Each interval between measurements is a run of its own, which begins with the states and nothing else."""
    flat = model.flat
    kept = next((flat.variables.name(start) for start, length, _, member in flat.variables.blocks()
                 if length and member.discrete and not member.initial_parameter), None)  # fmt: skip
    events = model.reduced.events
    if kept is None and events is not None and len(events.delays.index):
        advice = "put a lag in its place; a sensor that is late is tg.Columns(delays={'y': '0.2 s'})"
        raise wrong(f"{flat.name} has a delay, which remembers more than its states", advice)
    if kept is not None:
        what = f"'{kept}' of {flat.name} remembers the past, and no Gaussian describes what is known of it"
        raise wrong(what, "estimate from the part of the model that is continuous")


def _is_parameter(model: CompiledModel, path: str) -> bool:
    return quantity(model.reduced, path).selection.parameter


def _means(model: CompiledModel, names: tuple[str, ...], initial: Mapping[str, Any], begin: float) -> FloatArray:
    stop = begin + 1e-3 * max(1.0, abs(begin))  # only the start is looked at
    started = model.simulate(stop=stop, start=begin, points=[stop], initial=initial or None)
    given = started.parameters
    return np.array([float(given[name]) if name in given else float(started[name][0]) for name in names])


def _size(model: CompiledModel, path: str, given: Any, *, least: bool = False) -> float:
    """A standard deviation in the declared unit."""
    try:
        unit = quantity(model.reduced, path).unit
        value = _difference(given, unit) if isinstance(given, str) else float(given)
    except (TypeError, ValueError):
        value = -1.0
    if not np.isfinite(value) or value < 0.0 or (least and value == 0.0):
        raise wrong(f"{given!r} is not a standard deviation of '{path}'", "give a positive number in its unit")
    return value


def _difference(given: str, unit: Unit) -> float:
    """A text as a difference in a unit: of temperatures in degC one of 0.5 K is 0.5."""
    return _kelvin(given) if unit.offset else parse_quantity(given, unit)


def _kelvin(given: str) -> float:
    number, _, written = given.strip().partition(" ")
    if written.strip() != "K":
        raise ValueError(given)
    return float(number)


def _refuse_unknown(what: str, given: Mapping[str, Any], known: tuple[str, ...], which: str) -> None:
    path = next((path for path in given if path not in known), None)
    if path is not None:
        raise wrong(f"{what} names '{path}'; {nearest(path, known)}", f"{which}: {', '.join(known[:8])}")
