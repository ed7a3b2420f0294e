"""Sweep: steady states over a parameter, by path and as curves, and where the model jumped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.analyses.linearization.steady_state import SteadyState
from tellegen.errors import LanguageError, users_call
from tellegen.figure import entitle, panels, with_unit
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table
from tellegen.start.records import dataclass

_JUMP = "#dd5533"


@dataclass(frozen=True, eq=False)
class Jump:
    """The end of a branch: at `value` of the parameter the model goes from the point `before` to the point `after`."""

    path: str
    value: float
    before: SteadyState
    after: SteadyState


@dataclass(frozen=True, eq=False, repr=False)
class Sweep(Result):
    """Steady states over the parameter `path`: `sweep["diode.i"]` has a row for each of `values`."""

    path: str
    points: tuple[SteadyState, ...]
    jumps: tuple[Jump, ...]
    ended: str = ""  # why, where it ended early

    @property
    def success(self) -> bool:
        """Whether there is a point for each value asked for."""
        return not self.ended

    @property
    def message(self) -> str:
        """How it ended."""
        return self.ended

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.points[0].name

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the first point, by path and in their declared units."""
        return self.points[0].parameters

    @property
    def values(self) -> FloatArray:
        """The values of the parameter, in its declared unit."""
        return self[self.path]

    @users_call
    def __getitem__(self, path: str) -> Any:
        """A variable or parameter at all points."""
        return np.array([point[path] for point in self.points])

    @users_call
    def plot(self, *paths: str) -> Any:
        """A matplotlib figure of variables over the parameter; dotted lines are jumps."""
        if not paths:
            raise LanguageError("E187", "a plot of a sweep needs variables", location=here(), advice='plot("load.w")')
        first = self.points[0]
        with panels(len(paths), 1, (7.0, 1.2 + 2.2 * len(paths)), sharex=True) as (figure, axes):
            for path, (axis,) in zip(paths, axes, strict=True):
                axis.plot(self.values, self[path])
                for jump in self.jumps:
                    axis.axvline(jump.value, color=_JUMP, linestyle=":", linewidth=1.2)
                axis.set_ylabel(with_unit(path, first.unit(path)))
            axes[-1][0].set_xlabel(with_unit(self.path, first.unit(self.path)))
            entitle(figure, f"{self.name}: steady states over {self.path}")
        return figure

    def to_pandas(self, *paths: str) -> Any:
        """A DataFrame over the values of the parameter, of scalar variables (all if none are named)."""
        import pandas as pd

        names = paths or tuple(self.points[0])
        return pd.DataFrame({name: self[name] for name in names}, pd.Index(self.values, name=self.path))

    def _title(self) -> str:
        values = self.values
        unit = self.points[0].unit(self.path)
        ends = f"{self.path} = {values[0]:g} to {values[-1]:g} {unit}".rstrip()
        return f"Sweep of {self.name}: {len(values)} steady states, {ends}"

    def _page(self) -> Iterable[Table | str]:
        unit = self.points[0].unit(self.path)
        if self.jumps:
            rows = [(f"{jump.value:.6g}", unit, *_largest_change(jump)) for jump in self.jumps]
            yield Table((f"jump at {self.path}", "unit", "changes most", "from", "to"), rows)
        if self.ended:
            yield self.ended


def _largest_change(jump: Jump) -> tuple[str, str, str]:
    """The unknown that changes most for its size, before and after."""
    change = np.abs(jump.after.unknowns - jump.before.unknowns)
    size = np.maximum(np.abs(jump.after.unknowns), np.abs(jump.before.unknowns))
    reduced = jump.before._reduced
    worst = int(np.argmax(np.where(size > 1e-9 * size.max(initial=0.0), change, 0.0)))
    name = reduced.flat.variables.name(int(reduced.written[worst]))
    return name, f"{jump.before[name]:.4g}", f"{jump.after[name]:.4g}"
