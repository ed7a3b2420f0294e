"""tg.gradient: how performance functions (numbers of a run) change with parameters and start values.

    found = tg.gradient(model, 2.0, of=[tg.final("load.w")], wrt=["motor.R", "load.J"])
    found[0, "motor.R"]              d final(load.w) / d motor.R, in the declared units

Gradients are computed forward, with the tangents of the model, or backward ("adjoint"), where the cost hardly depends
on how many parameters there are. Curves over time are tg.sensitivity's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.derivatives.confirmed_adjoint import ConfirmedAdjoint, forward
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.sensitivities.design_variables import Wanted
from tellegen.analyses.sensitivities.sensitivity import OfRun, SensitivityModel
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, RunRequest, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import panels
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.source_location import here
from tellegen.sheet import Table

METHODS = ("auto", "forward", "adjoint")
_MANY = 10  # design variables for each function, from which on going backward may pay
_LARGE = 3_000  # design variables times unknowns, from which on it does
_SHOWN = 10  # design variables of each function in print() and in notebooks


@dataclass(frozen=True, eq=False, repr=False)
class Gradients(OfRun):
    """Values of performance functions and their derivatives: `found[function, "motor.R"]`, `found.matrix`."""

    of: tuple[Performance, ...]
    wrt: tuple[str, ...]
    values: FloatArray
    matrix: FloatArray  # a row for each function, a column for each design variable, in declared units
    scale: FloatArray  # sizes of the design variables
    solution: Solution
    method: str

    @users_call
    def __getitem__(self, pair: Performance | str | int | tuple[Performance | str | int, str]) -> Any:
        """found[f, "motor.R"]: df/dR in declared units; found[f] is all of them by name."""
        of, wrt = pair if isinstance(pair, tuple) else (pair, None)
        row = self.matrix[self._position(of)]
        if wrt is None:
            return dict(zip(self.wrt, row.tolist(), strict=True))
        if wrt not in self.wrt:
            raise DesignError("E640", f"'{wrt}' is not varied; {nearest(str(wrt), self.wrt)}", location=here())
        return float(row[self.wrt.index(wrt)])

    def _position(self, of: Any) -> int:
        for k, function in enumerate(self.of):
            if of is function or (isinstance(of, str) and of == str(function)) or (isinstance(of, int) and of == k):
                return k
        texts = ", ".join(map(str, self.of))
        raise DesignError("E640", f"'{of}' has no gradients; there are those of: {texts}", location=here())

    @property
    def relative(self) -> FloatArray:
        """The matrix in percent per percent; NaN for functions that are zero."""
        values = np.where(self.values == 0.0, np.nan, self.values)
        return self.matrix * self.scale / values[:, None]

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each pair of a function and a design variable: `value` and `relative`."""
        import pandas as pd

        index = pd.MultiIndex.from_product([map(str, self.of), self.wrt], names=["function", "wrt"])
        return pd.DataFrame({"value": self.matrix.ravel(), "relative": self.relative.ravel()}, index=index)

    def _largest(self, row: int, limit: int) -> IntArray:
        """The design variables that a function changes most with, for the same change in percent."""
        return np.argsort(-np.abs(self.matrix[row] * self.scale), kind="stable")[:limit]

    @users_call
    def plot(self, limit: int = 30) -> Any:
        """A matplotlib figure, bars for each function: its change per percent of the variables that move it most."""
        shown = min(limit, len(self.wrt))
        size = (5.5 * len(self.of), 1.2 + 0.2 * shown)
        with panels(1, len(self.of), size) as (figure, axes):
            for k, (axis, function) in enumerate(zip(axes[0], self.of, strict=True)):
                chosen = self._largest(k, shown)[::-1]
                axis.barh([self.wrt[j] for j in chosen], (0.01 * self.matrix[k] * self.scale)[chosen])
                axis.set_xlabel(f"{function} per %")
                axis.tick_params(labelsize=8)
        return figure

    def _title(self) -> str:
        counts = f"{len(self.of)} functions, {len(self.wrt)} design variables"
        return f"Gradients of {self.name}: {counts} ({self.method})"

    def _page(self) -> list[Table | str]:
        relative = self.relative
        rows = [
            (str(function), self.wrt[j], f"{self.matrix[k, j]:.6g}", f"{relative[k, j]:.4g}")
            for k, function in enumerate(self.of)
            for j in self._largest(k, _SHOWN)
        ]
        left = len(self.wrt) - _SHOWN
        return [
            Table(("function", "with respect to", "derivative", "% per %"), rows),
            f"... {left} design variables with smaller effects for each function" if left > 0 else "",
        ]


@run_call(rtol=GRADIENTS)
def gradient(
    model: Any,
    stop: float | str | None = None,
    *,
    of: Sequence[Performance] | Performance,
    wrt: Sequence[Wanted] | Wanted,
    method: str = "auto",
    **run: Unpack[RunKeywords],
) -> Gradients:
    """Exact gradients of the performance functions `of` with respect to the design variables `wrt`.

    `wrt` is that of tg.sensitivity. method="forward" integrates a copy of the model for every design variable;
    "adjoint" integrates backwards, at a cost that hardly depends on how many there are; "auto" takes the cheaper one,
    and confirms adjoint gradients along one direction by a forward run.
    The keywords from `start` on are those of tg.simulate.
    """
    functions = _functions(of)
    made = model if isinstance(model, SensitivityModel) else SensitivityModel(model, wrt)
    return gradients(made, functions, method, made.request(stop, **run))


def _functions(of: Any) -> list[Performance]:
    """The performance functions whose gradients are wanted."""
    listed: list[Any] = [of] if isinstance(of, str | Performance) or not isinstance(of, Iterable) else list(of)
    if not listed or not all(isinstance(each, Performance) for each in listed):
        raise DesignError(
            "E640",
            f"`of` lists performance functions, not {of!r}",
            location=here(),
            advice="of=[tg.final('load.w'), tg.rms('motor.i')]; for curves over time: tg.sensitivity(model, wrt=[...])",
        )
    return listed


def gradients(made: SensitivityModel, of: Sequence[Performance], method: str, request: RunRequest) -> Gradients:
    """Values and gradients of performance functions, by the method asked for."""
    names = tuple(variable.name for variable in made.variables)
    if chosen_method(made, len(of), method) == "adjoint":
        found = ConfirmedAdjoint(made).tried(of, method, request)
        if found is not None:
            return Gradients(tuple(of), names, found.values, found.matrix, found.scale, found.solution, "adjoint")
    run, duals = forward(made, of, request)
    values = np.array([float(dual.value) for dual in duals])
    matrix = np.array([dual.slope for dual in duals]).reshape(len(of), len(names))
    return Gradients(tuple(of), names, values, matrix, run.scale, run.solution, "forward")


def chosen_method(made: SensitivityModel, functions: int, method: str) -> str:
    """Forward or adjoint."""
    if method not in METHODS:
        raise DesignError("E640", f"there is no method {method!r}; {nearest(str(method), METHODS)}", location=here())
    if method != "auto":
        return method
    many = len(made.variables)
    size = len(made.plain.reduced.unknowns)
    pays = many > _MANY * functions and many * size > _LARGE
    return "adjoint" if pays and AdjointModel(made).obstacle() is None else "forward"
