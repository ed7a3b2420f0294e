"""tg.piecewise: an input of the model as a variable of a search, piece by piece over time.

    tg.optimize(Cart(), stop=1.0, minimize=tg.integral("force**2"),
                variables={"force": tg.piecewise(20, -10.0, 10.0)},
                subject_to=[tg.final("x") == 1.0, tg.final("v") == 0.0])

With `stop=(0.5, 5.0)` the end of the run is searched too, between these times; pieces stay equally long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.compile import compile_model, flatten_model
from tellegen.engine.asked import seconds
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.names import find
from tellegen.engine.options import until
from tellegen.engine.values import si_values
from tellegen.errors import DesignError, nearest, users_call
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here
from tellegen.variation.driven import FINAL_TIME, KINDS, Drive, driven, open_inputs

_PER_PIECE = 12  # output points, for splines between them
_COMMON = 10  # times the pieces of one signal, to be even in those of all
_BEYOND = 1e-3  # of the longest run: the model ends itself before the run does


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A signal of `pieces` equally long pieces between bounds: straight lines, or constant ones."""

    pieces: int
    low: Any
    high: Any
    kind: str
    guess: Any

    @property
    def count(self) -> int:
        """How many values it takes: corners of lines, or constants."""
        return self.pieces + (self.kind == "linear")


@users_call
def piecewise(n: int, low: Any, high: Any, *, kind: str = "linear", guess: Any = None) -> Piecewise:
    """An input of the model as a variable of tg.optimize: `n` pieces of equal length, with values from low to high.

    `kind` is "linear" (n + 1 corners, joined by straight lines) or "constant" (n steps). The search begins at `guess`,
    a number or one for each value; without it in the middle between the bounds.
    """
    if kind not in KINDS:
        raise _wrong(f"there are no pieces of the kind {kind!r}", "kind='linear' or kind='constant'")
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise _wrong(f"the number of pieces is a whole number, not {n!r}", "tg.piecewise(20, -1.0, 1.0)")
    return Piecewise(int(n), low, high, kind, guess)


@dataclass(frozen=True, eq=False)
class Curve:
    """A signal that was found: its corners (or where its steps begin, and the end), and the values there."""

    times: FloatArray
    values: FloatArray
    kind: str
    unit: str = ""

    def __call__(self, t: Any) -> Any:
        """The value at a time."""
        if self.kind == "linear":
            return np.interp(t, self.times, self.values)
        at = np.searchsorted(self.times, t, side="right") - 1
        return self.values[np.clip(at, 0, len(self.values) - 1)]

    @property
    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Times and values of its graph, a step by two points: for plots and blocks.TimeTable."""
        if self.kind == "linear":
            return self.times, self.values
        return np.repeat(self.times, 2)[1:-1], np.repeat(self.values, 2)


@dataclass(frozen=True, eq=False)
class Driven:
    """A model whose inputs are pieces: what is compiled, what is varied, and when runs end."""

    model: Any
    variables: dict[str, Any]
    stop: float  # of runs; a model with a free end terminates before
    span: tuple[float, float] = (0.0, 0.0)
    drives: tuple[Drive, ...] = ()
    free_end: bool = False

    # -- output points: as parts of the run where its corners are to stay among them ----------------------------------
    def first_points(self, points: Any) -> Any:
        """What a user gives, or enough in every piece, as parts of the run; times where nothing is driven."""
        if not self.free_end and not self.drives:
            return points
        if not isinstance(points, int):
            return self.to_parts(np.asarray(points, float), self.span[1])
        counts = [drive.pieces for drive in self.drives] or [1]
        common = int(np.lcm.reduce(counts))  # so that points are even in the pieces of all signals
        pieces = common if common <= _COMMON * max(counts) else max(counts)
        each = max(_PER_PIECE if self.drives else 0, -(-points // pieces))
        return np.arange(1.0, each * pieces + 1) / (each * pieces)

    def from_parts(self, points: Any, end: float | None) -> Any:
        """Times of points; the last one is behind a free end, so that the run comes to it."""
        if not self.free_end and not self.drives:
            return points
        first, last = self.span[0], self.span[1] if end is None else end
        times = first + points * (last - first)
        return np.append(times[times < last], self.stop) if self.free_end else times

    def to_parts(self, times: FloatArray, end: float | None) -> Any:
        """The way back."""
        if not self.free_end and not self.drives:
            return times
        first, last = self.span[0], self.span[1] if end is None else end
        parts = (times - first) / (last - first)
        return np.unique(np.append(parts[(parts > 0.0) & (parts < 1.0)], 1.0))

    def curves(self, found: Mapping[str, float]) -> dict[str, Curve]:
        """The signals for values of the variables."""
        first, last = self.span[0], found.get(FINAL_TIME, self.span[1])
        curves = {}
        for drive in self.drives:
            times = np.linspace(first, last, drive.pieces + 1)
            values = np.array([value for name, value in found.items() if name.startswith(f"{drive.name}[")])
            rows = values.reshape(-1, drive.values.shape[-1])
            names = [drive.path] if not drive.inputs.ndim else [f"{drive.path}[{k}]" for k in range(len(rows))]
            for name, row in zip(names, rows, strict=True):
                curves[name] = Curve(times, row, drive.kind, drive.unit.text)
        return curves

    def scalars(self, names: Sequence[str]) -> list[str]:
        """The variables that are no part of a signal."""
        return [name for name in names if not any(name.startswith(f"{drive.name}[") for drive in self.drives)]


UNDRIVEN = Driven(None, {}, 0.0)


def drive_inputs(model: Any, variables: Mapping[str, Any] | None, start: Any, stop: Any) -> Driven:
    """The model as it is if no signal and no end is searched, else with pieces and a free end."""
    given = dict(variables or {})
    signals = {path: each for path, each in given.items() if isinstance(each, Piecewise)}
    free_end = isinstance(stop, list | tuple | np.ndarray)
    if not signals and not free_end:
        compiled = compile_model(model)
        return Driven(compiled, given, until(compiled.flat.experiment.stop if stop is None else stop))
    flat = flatten_model(model.flat if isinstance(model, CompiledModel) else model)
    first = seconds("start", start)
    if free_end:
        low, high = _end_bounds(flat, first, stop)
        last, longest = 0.5 * (low + high), high + _BEYOND * (high - first)
        given[FINAL_TIME] = (low, high)
    else:
        last = longest = until(flat.experiment.stop if stop is None else stop)
    drives = tuple(_drive(flat, path, each) for path, each in signals.items())
    bounds: dict[str, Any] = {}
    for path, each in given.items():
        name = f"{path}.pieces" if path in signals else path
        bounds[name] = (each.low, each.high) if path in signals else each
    made = driven(flat, drives, (first, last), free_end)
    return Driven(made, bounds, longest, (first, last), drives, free_end)


def _end_bounds(flat: FlatModel, start: float, stop: Any) -> tuple[float, float]:
    if len(stop) != 2:
        raise _wrong(f"stop is a time, or a pair of bounds for it, not {stop!r}", "stop=(0.5, 5.0)")
    low, high = (seconds("stop", each) for each in stop)
    if not start < low < high:
        what = f"the run cannot end between {low:g} s and {high:g} s, it starts at {start:g} s"
        raise _wrong(what, "stop=(0.5, 5.0): the earliest end behind the start, then the latest")
    names = flat.tree.nodes[0].kind
    if FINAL_TIME in names.variable_index or FINAL_TIME in names.parameter_index or FINAL_TIME in names.child_index:
        what = f"the model has a '{FINAL_TIME}' of its own, which is what a free end is called"
        raise _wrong(what, "give that of the model another name")
    return low, high


def _drive(flat: FlatModel, path: str, each: Piecewise) -> Drive:
    selection = find(flat, path)
    known = open_inputs(flat)
    if "[" in path or selection.parameter or not np.isin(selection.indices, known).all():
        names = sorted({flat.variables.name(int(k)).partition("[")[0] for k in known})
        why = "name the whole of it" if "[" in path else "it is no input that is open"
        known_names = nearest(path, names) if names else "this model has no open input"
        what = f"'{path}' cannot be a signal: {why}; {known_names}"
        raise _wrong(what, "declare it in the model: force = tg.input('N')")
    unit, rows = selection.member.unit, max(selection.indices.size, 1)
    middle = 0.5 * sum(unit.from_si(float(si_values(selection, bound))) for bound in (each.low, each.high))
    values = np.asarray(middle if each.guess is None else each.guess, float)
    if values.shape not in ((), (each.count,), (*selection.indices.shape, each.count)):
        what = f"'{path}': a guess of {values.size} values for {each.count}"
        raise _wrong(what, f"a number, or {each.count} of them")
    values = np.broadcast_to(values, (rows, each.count))
    return Drive(path, selection.indices, each.kind, unit.to_si(np.array(values, float)), unit)


def _wrong(what: str, advice: str) -> DesignError:
    return DesignError("E626", what, place=here(), advice=advice)
