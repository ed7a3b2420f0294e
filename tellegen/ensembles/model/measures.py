"""Curves of a model that are measured on the way: expressions of its quantities, as straight-line code."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tellegen.codegen.scalar import Value, literal
from tellegen.ensembles.model.steps import write_steps
from tellegen.ensembles.model.straight import Straight
from tellegen.ir.expressions.expr import Expr
from tellegen.ir.ode import OdeProgram
from tellegen.symbolic.bounds.traced import BoundsOfCurve

DRIVE = "drive"
_PER_STATE = 4  # numbers that bound a value and its rate


@dataclass(frozen=True)
class Output:
    """A quantity that is asked for: a sign times an unknown, its rate, or a number among the parameters."""

    array: str  # "y", "yp" or "p"
    index: int
    sign: float


@dataclass(frozen=True)
class Reading:
    """A quantity in its unit: factor*value + offset."""

    of: Output
    factor: float
    offset: float


@dataclass(frozen=True)
class Curve:
    """An expression of readings, its slots in order, and of time."""

    value: Expr
    readings: tuple[Reading, ...]
    bounds: BoundsOfCurve | None = None  # of what may have peaks that no point shows


@dataclass(frozen=True)
class Measure:
    """What is kept of a curve, from one time to another.

    "integral", "highest", "lowest", "first" or "last"; of a "drive", which moves states, nothing: it is looked at.
    """

    curve: Curve
    kind: str
    start: float = -math.inf
    stop: float = math.inf


def distinct_curves(measures: tuple[Measure, ...]) -> list[Curve]:
    """Each once."""
    return list(dict.fromkeys(measure.curve for measure in measures))


def distinct_windows(measures: tuple[Measure, ...]) -> list[tuple[float, float]]:
    """Each once."""
    return list(dict.fromkeys((measure.start, measure.stop) for measure in measures))


def measure_constants(measures: tuple[Measure, ...]) -> dict[str, Any]:
    """Numbers for the names of kernels/measures.py."""
    curves = distinct_curves(measures)
    windows = distinct_windows(measures)
    return {
        "MEASURE_CURVE": tuple(curves.index(measure.curve) for measure in measures) or (0,),
        "MEASURE_WINDOW": tuple(windows.index((measure.start, measure.stop)) for measure in measures) or (0,),
        "MEASURE_SIGN": tuple({"highest": 1, "lowest": -1}.get(measure.kind, 0) for measure in measures) or (0,),
        "MEASURE_INSTANT": tuple({"first": -1, "last": 1}.get(measure.kind, 0) for measure in measures) or (0,),
        "MEASURE_BOUNDED": tuple(int(measure.curve.bounds is not None) for measure in measures) or (0,),
        "MEASURE_FLOOR": tuple(_floor(measure.curve.bounds) for measure in measures) or (0.0,),
        "MEASURE_DRIVES": tuple(int(measure.kind == DRIVE) for measure in measures) or (0,),
        "WINDOW_START": tuple(start for start, _ in windows) or (0.0,),
        "WINDOW_STOP": tuple(stop for _, stop in windows) or (0.0,),
    }


def _floor(bounds: BoundsOfCurve | None) -> float:
    return 0.0 if bounds is None else bounds.floor


def curves_function(measures: tuple[Measure, ...], ode: OdeProgram, straight: Straight) -> Straight:
    """The values of all curves."""
    curves = distinct_curves(measures)
    if curves:
        write_steps(straight, ode, 0, len(ode.steps))
    for k, curve in enumerate(curves):
        slots = {slot: _read(straight, reading) for slot, reading in enumerate(curve.readings)}
        done: dict[Expr, Value] = {}
        straight.store(straight.printer.expression(curve.value, slots, done), k)
    return straight


def bounds_function(measures: tuple[Measure, ...], first_unknown: int, straight: Straight) -> Straight:
    """The bounds of all curves that have some, from those of states in `out`; see kernels/bounded_panels.py."""
    inside = 1 + _PER_STATE * len(straight.places.x)
    for k, curve in enumerate(distinct_curves(measures)):
        bounds = curve.bounds
        if bounds is None:
            continue
        given = [straight.read("p", cell) for cell in bounds.numbers]
        given.append(straight.printer.load("%out", "0"))
        for cell in bounds.states:
            place = cell - first_unknown
            first = 1 + _PER_STATE * straight.places.x[place]
            given.append(straight.read("y", place))
            given += [straight.printer.load("%out", str(first + i)) for i in range(_PER_STATE)]
        slots = dict(enumerate(given))
        done: dict[Expr, Value] = {}
        for i, value in enumerate(bounds.values):
            straight.store(straight.printer.expression(value, slots, done), inside + _PER_STATE * k + i)
    return straight


def _read(straight: Straight, reading: Reading) -> str:
    value = output_value(straight, reading.of)
    if reading.factor != 1.0:
        value = straight.printer.emit(f"fmul double {literal(reading.factor)}, {value}")
    if reading.offset != 0.0:
        value = straight.printer.emit(f"fadd double {value}, {literal(reading.offset)}")
    return value


def output_value(straight: Straight, output: Output) -> str:
    """A quantity, in a register."""
    return signed(straight, straight.read(output.array, output.index), output.sign)


def signed(straight: Straight, value: str, sign: float) -> str:
    """A value, or its negative."""
    return straight.printer.emit(f"fneg double {value}") if sign < 0.0 else value
