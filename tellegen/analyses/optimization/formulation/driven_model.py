"""A model whose inputs are pieces over time, in a search: its signals as curves, where to begin, output points.

Where the end of the run is searched too, corners move with it; so output points are kept as parts of the run, evenly in
every piece, and stay where they are among the corners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.variation.driven import FINAL_TIME, Drive

_PER_PIECE = 12  # output points, for splines between them
_COMMON = 10  # times the pieces of one signal, to be even in those of all


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
class DrivenModel:
    """A model whose inputs are pieces: what is compiled, what is varied, and when runs end."""

    model: Any
    variables: dict[str, Any]
    stop: float  # of runs; a model with a free end terminates before
    first: float = 0.0  # where the pieces of signals begin
    last: float = 0.0  # where they end, unless that is searched
    drives: tuple[Drive, ...] = ()
    free_end: bool = False

    # -- output points: as parts of the run where its corners are to stay among them ----------------------------------
    def first_points(self, points: Any) -> Any:
        """What a user gives, or enough in every piece, as parts of the run; times where nothing is driven."""
        if not self.free_end and not self.drives:
            return points
        if not isinstance(points, int):
            return self.to_parts(np.asarray(points, float), self.last)
        counts = [drive.pieces for drive in self.drives] or [1]
        common = int(np.lcm.reduce(counts))  # so that points are even in the pieces of all signals
        pieces = common if common <= _COMMON * max(counts) else max(counts)
        each = max(_PER_PIECE if self.drives else 0, -(-points // pieces))
        return np.arange(1.0, each * pieces + 1) / (each * pieces)

    def from_parts(self, points: Any, end: float | None) -> Any:
        """Times of points; the last one is after a free end, so that the run comes to it."""
        if not self.free_end and not self.drives:
            return points
        first = self.first
        last = self.last if end is None else end
        times = first + points * (last - first)
        return np.append(times[times < last], self.stop) if self.free_end else times

    def to_parts(self, times: FloatArray, end: float | None) -> Any:
        """The way back."""
        if not self.free_end and not self.drives:
            return times
        first = self.first
        last = self.last if end is None else end
        parts = (times - first) / (last - first)
        return np.unique(np.append(parts[(parts > 0.0) & (parts < 1.0)], 1.0))

    # -- signals ----------------------------------------------------------------------------------------------------
    def guesses(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """A guess of the user, that of a signal value by value."""
        found: dict[str, Any] = {}
        last = float((given or {}).get(FINAL_TIME, self.last))
        for name, value in (given or {}).items():
            drive = next((each for each in self.drives if each.path == name), None)
            if drive is None:
                found[name] = value
                continue
            count = drive.values.shape[-1]
            at = np.linspace(self.first, last, drive.pieces + 1)
            at = at if drive.kind == "linear" else 0.5 * (at[1:] + at[:-1])
            values = np.asarray([value(t) for t in at] if callable(value) else value, float)
            shape = (*drive.inputs.shape, count)
            if values.shape not in ((), (count,), shape):
                what = f"'{name}': a guess of {values.size} values for {count}"
                raise wrong_signal(what, f"a number, {count} of them, or a function of time")
            for position, each in np.ndenumerate(np.broadcast_to(values, shape)):
                found[f"{drive.name}[{','.join(map(str, position))}]"] = float(each)
        return found

    def curves(self, found: Mapping[str, float]) -> dict[str, Curve]:
        """The signals for values of the variables."""
        first = self.first
        last = found.get(FINAL_TIME, self.last)
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
        """The variables that are not part of a signal."""
        return [name for name in names if not any(name.startswith(f"{drive.name}[") for drive in self.drives)]


UNDRIVEN = DrivenModel(None, {}, 0.0)


def wrong_signal(what: str, advice: str) -> DesignError:
    """E626."""
    return DesignError("E626", what, location=here(), advice=advice)
