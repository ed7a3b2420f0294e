"""Performance functions as outputs of a study in lanes: the measures they need, and their values from these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from math import floor, log10
from typing import Any

import numpy as np

from tellegen.analyses.performance.between_points import largest_at_points
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.formulas_of_signals import (
    Formula,
    HasNoFormulaError,
    drives_of_states,
    formula_of,
    has_one_kink,
)
from tellegen.analyses.performance.measured import Asked
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import Signal
from tellegen.dataflow.scalar_rows import substituted
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.results.solution import Solution
from tellegen.ensembles.numbers import Numbers, Results
from tellegen.ensembles.wanted import WantedDrive, WantedMeasure
from tellegen.ir.expressions.expr import Const, Expr, Slot, Time
from tellegen.ir.model import FloatArray
from tellegen.symbolic import build
from tellegen.symbolic.bounds.bounded import HasNoBoundsError
from tellegen.symbolic.bounds.traced import BoundsOfCurve, bounds_of_curve

_PRODUCTS = (2.0, 3.0, 4.0)
_NOTHING = 1e-12  # of the largest value in the first run: what curves do below that does not count
_INSTANTS = ("first", "last")
_VALUE, _SIZE, _WHEN = range(3)
_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "maximum": "max"}


class _Traced:
    """An expression on its way: what arithmetic and functions of NumPy do to it becomes nodes."""

    def __init__(self, value: Expr) -> None:
        self.value = value

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **_: Any) -> _Traced:
        return _Traced(build.call(_NAMES.get(str(ufunc.__name__), str(ufunc.__name__)), *map(_expr, args)))

    def __add__(self, other: Any) -> _Traced:
        return _Traced(build.add(self.value, _expr(other)))

    def __radd__(self, other: Any) -> _Traced:
        return _Traced(build.add(_expr(other), self.value))

    def __sub__(self, other: Any) -> _Traced:
        return _Traced(build.sub(self.value, _expr(other)))

    def __rsub__(self, other: Any) -> _Traced:
        return _Traced(build.sub(_expr(other), self.value))

    def __mul__(self, other: Any) -> _Traced:
        return _Traced(build.mul(self.value, _expr(other)))

    def __rmul__(self, other: Any) -> _Traced:
        return _Traced(build.mul(_expr(other), self.value))

    def __truediv__(self, other: Any) -> _Traced:
        return _Traced(build.div(self.value, _expr(other)))

    def __rtruediv__(self, other: Any) -> _Traced:
        return _Traced(build.div(_expr(other), self.value))

    def __pow__(self, other: Any) -> _Traced:
        exponent = _expr(other)
        if build.number(exponent) in _PRODUCTS:
            return _Traced(reduce(build.mul, [self.value] * int(build.number(exponent) or 0)))
        return _Traced(build.pow_(self.value, exponent))

    def __rpow__(self, other: Any) -> _Traced:
        return _Traced(build.pow_(_expr(other), self.value))

    def __neg__(self) -> _Traced:
        return _Traced(build.neg(self.value))

    def __abs__(self) -> _Traced:
        return _Traced(build.call("abs", self.value))


def _expr(value: Any) -> Expr:
    return value.value if isinstance(value, _Traced) else Const(float(value))


def _bounds(run: Response, model: NativeModel, curve: Signal) -> BoundsOfCurve | None:
    """Of a curve that may have narrow peaks; None where it has none, or nobody knows."""
    try:
        formula = formula_of(model, curve)
        return None if formula is None or has_one_kink(formula) else _of_formula(run, formula)
    except (HasNoFormulaError, HasNoBoundsError):
        return None


def _of_formula(run: Response, formula: Formula) -> BoundsOfCurve:
    rows = formula.rows
    if not rows.tears.keys().isdisjoint(formula.given):
        raise HasNoBoundsError
    first = rows.cells.first_unknown
    order = [(cell, rows.formulas[cell]) for cell in formula.order]
    numbers = [cell for cell in formula.given if cell < first]
    states = [cell for cell in formula.given if cell >= first]
    found = bounds_of_curve(formula.value, order, numbers, states)
    size = largest_at_points(run, formula)
    return replace(found, floor=_NOTHING * 10.0 ** floor(log10(size)) if size > 0.0 else 0.0)


def wanted_drives(run: Response, model: NativeModel) -> tuple[WantedDrive, ...]:
    """What moves states and may have narrow peaks: a step that is longer than these would not see them."""
    found = []
    try:
        for formula in drives_of_states(model):
            bounds = _of_formula(run, formula)
            slots: dict[int, Expr] = {cell: Slot(k) for k, cell in enumerate(bounds.numbers)}
            found.append(WantedDrive(substituted(formula.value, slots), bounds))
    except (HasNoFormulaError, HasNoBoundsError):
        return ()
    return tuple(found)


def _wanted(asked: Asked, run: Response, model: NativeModel) -> WantedMeasure:
    """With its curve as an expression of paths."""
    paths: dict[str, int] = {}

    def read(path: str) -> _Traced:
        return _Traced(Time() if path == "time" else Slot(paths.setdefault(path, len(paths))))

    value = _expr(asked.curve.evaluate(read))
    start = -np.inf if asked.start is None else asked.start
    stop = np.inf if asked.stop is None else asked.stop
    bounds = _bounds(run, model, asked.curve) if asked.kind not in _INSTANTS else None
    return WantedMeasure(value, tuple(paths), asked.kind, start, stop, bounds)


@dataclass(eq=False)
class _Collected:
    """Reads nothing, and notes what is asked for."""

    asked: dict[tuple[str, str, float | None, float | None], Asked] = field(default_factory=dict)

    def value(self, asked: Asked) -> Any:
        """NaN."""
        self.asked.setdefault(_key(asked), asked)
        return np.full(1, np.nan)

    def instant(self, asked: Asked) -> Any:
        """NaN."""
        return self.value(asked)

    def span(self, start: float | None, stop: float | None) -> Any:  # noqa: ARG002
        """NaN."""
        return np.full(1, np.nan)


def _key(asked: Asked) -> tuple[str, str, float | None, float | None]:
    return asked.curve.text, asked.kind, asked.start, asked.stop


@dataclass(frozen=True, eq=False)
class _Values:
    """Reads the results of lanes."""

    numbers: dict[tuple[str, str, float | None, float | None], int]
    results: Results
    base: Numbers

    def value(self, asked: Asked) -> Any:
        """Of all runs."""
        return self.results.measured[self.numbers[_key(asked)], _VALUE]

    def instant(self, asked: Asked) -> Any:
        """Of all runs."""
        return self.results.measured[self.numbers[_key(asked)], _WHEN]

    def span(self, start: float | None, stop: float | None) -> Any:
        """NaN where there is no time between."""
        first = self.base.start if start is None else start
        last = self.results.reached if stop is None else np.full_like(self.results.reached, stop)
        return np.where(last > first, last - first, np.nan)


@dataclass(frozen=True, eq=False)
class Measures:
    """All measures that the outputs of a study need."""

    asked: tuple[Asked, ...]

    @staticmethod
    def of(functions: list[Performance]) -> Measures:
        """RefusedError where one needs more than measures."""
        collected = _Collected()
        for function in functions:
            function.of_runs(collected)
        return Measures(tuple(collected.asked.values()))

    def wanted(self, first: Solution, model: NativeModel) -> tuple[tuple[WantedMeasure, ...], tuple[WantedDrive, ...]]:
        """For kernels; the first run shows how large curves are."""
        if not self.asked:
            return (), ()
        run = Response(first).showing([asked.curve for asked in self.asked])
        return tuple(_wanted(asked, run, model) for asked in self.asked), wanted_drives(run, model)

    def sizes(self, results: Results) -> FloatArray:
        """How large the curves are, of all measures and runs."""
        return results.measured[:, _SIZE]

    def values(self, function: Performance, results: Results, base: Numbers) -> FloatArray:
        """Of a performance function, for all runs."""
        numbers = {_key(asked): k for k, asked in enumerate(self.asked)}
        found = function.of_runs(_Values(numbers, results, base))
        return np.broadcast_to(np.asarray(found, float), results.reached.shape)
