"""tg.gradient: how performance functions (numbers of a run) change with parameters and start values.

    found = tg.gradient(model, 2.0, of=[tg.final("load.w")], wrt=["motor.R", "load.J"])
    found[0, "motor.R"]              d final(load.w) / d motor.R, in the declared units

Gradients are computed forward, with the tangents of the model, or backward ("adjoint"), where the cost hardly depends
on how many parameters there are. Curves over time are tg.sensitivity's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.adjoint.adjoint import AdjointModel
from tellegen.analyses.performance.expression import Performance
from tellegen.analyses.performance.response import Response
from tellegen.analyses.sensitivities.design_variables import Wanted
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, RunRequest, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here
from tellegen.sheet import aligned

METHODS = ("auto", "forward", "adjoint")
_MANY = 10  # design variables for each function, from which on going backward may pay
_LARGE = 3_000  # design variables times unknowns, from which on it does
_ROUNDS = 12


class Gradients:
    """Values of performance functions and their derivatives: `found[function, "motor.R"]`, `found.matrix`."""

    def __init__(
        self,
        of: Sequence[Performance],
        wrt: Sequence[str],
        numbers: tuple[FloatArray, FloatArray, FloatArray],
        run: Any,
    ) -> None:
        self.of, self.wrt = tuple(of), tuple(wrt)
        self.values, self.matrix, self.scale = numbers
        self.solution: Solution
        self.method: str
        self.solution, self.method = run

    def __getitem__(self, pair: Any) -> Any:
        """found[f, "motor.R"]: df/dR in declared units; found[f] is all of them by name."""
        of, wrt = pair if isinstance(pair, tuple) else (pair, None)
        row = self.matrix[self._place(of)]
        if wrt is None:
            return dict(zip(self.wrt, row.tolist(), strict=True))
        if wrt not in self.wrt:
            raise DesignError("E640", f"'{wrt}' is not varied; {nearest(str(wrt), self.wrt)}", place=here())
        return float(row[self.wrt.index(wrt)])

    def _place(self, of: Any) -> int:
        for k, function in enumerate(self.of):
            if of is function or (isinstance(of, str) and of == str(function)) or (isinstance(of, int) and of == k):
                return k
        texts = ", ".join(map(str, self.of))
        raise DesignError("E640", f"'{of}' has no gradients; there are those of: {texts}", place=here())

    def table(self, limit: int = 30) -> str:
        """The derivatives, absolute and in percent per percent; of many the most important ones of each function."""
        rows = [("d(...)", "by", "value", "% per %")]
        for function, value, row in zip(self.of, self.values, self.matrix, strict=True):
            moves = row * self.scale
            for j in np.argsort(-np.abs(moves), kind="stable")[:limit]:
                relative = f"{moves[j] / value:.4g}" if value else ""
                rows.append((str(function), self.wrt[j], f"{row[j]:.6g}", relative))
        return aligned(rows)

    def plot(self, path: str | None = None, limit: int = 30) -> Any:
        """A panel of bars for each function: its change per percent of the design variables that move it most."""
        import matplotlib.pyplot as plt

        shown = min(limit, len(self.wrt))
        figure, axes = plt.subplots(
            1, len(self.of), squeeze=False, figsize=(5.5 * len(self.of), 1.2 + 0.2 * shown), layout="constrained"
        )
        for axis, function, row in zip(axes[0], self.of, self.matrix, strict=True):
            moves = 0.01 * row * self.scale
            chosen = np.argsort(-np.abs(moves), kind="stable")[:shown][::-1]
            axis.barh([self.wrt[j] for j in chosen], moves[chosen])
            axis.set_xlabel(f"{function} per %")
            axis.tick_params(labelsize=8)
            axis.grid(alpha=0.3)
        if path is not None:
            figure.savefig(path, dpi=150)
            plt.close(figure)
        return figure

    def __str__(self) -> str:
        return f"{self.method} gradients by {len(self.wrt)} design variables\n{self.table(10)}"

    __repr__ = __str__


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
    "adjoint" integrates backwards, at a cost that hardly depends on how many there are; "auto" takes the cheaper one.
    The keywords from `start` on are those of tg.simulate.
    """
    functions = _functions(of)
    made = model if isinstance(model, SensitivityModel) else SensitivityModel(model, wrt)
    return gradients(made, functions, method, made.request(stop, **run))


def _functions(of: Any) -> list[Performance]:
    """The performance functions whose gradients are wanted."""
    listed = [of] if isinstance(of, str | Performance) or not isinstance(of, Iterable) else list(of)
    if not listed or not all(isinstance(each, Performance) for each in listed):
        raise DesignError(
            "E640",
            f"`of` lists performance functions, not {of!r}",
            place=here(),
            advice="of=[tg.final('load.w'), tg.rms('motor.i')]; for curves over time: tg.sensitivity(model, wrt=[...])",
        )
    return listed


def gradients(made: SensitivityModel, of: Sequence[Performance], method: str, request: RunRequest) -> Gradients:
    """Values and gradients of performance functions, by the method asked for."""
    names = [variable.name for variable in made.variables]
    if chosen_method(made, len(of), method) == "adjoint":
        found = AdjointModel(made).tried(of, method, request)
        if found is not None:
            return Gradients(of, names, (found.values, found.matrix, found.scale), (found.solution, "adjoint"))
    run, duals = _forward(made, of, request)
    values = np.array([float(dual.value) for dual in duals])
    matrix = np.array([dual.slope for dual in duals]).reshape(len(of), len(names))
    return Gradients(of, names, (values, matrix, run.scale), (run.solution, "forward"))


def chosen_method(made: SensitivityModel, functions: int, method: str) -> str:
    """Forward or adjoint."""
    if method not in METHODS:
        raise DesignError("E640", f"there is no method {method!r}; {nearest(str(method), METHODS)}", place=here())
    if method != "auto":
        return method
    many, size = len(made.variables), len(made.plain.reduced.unknowns)
    pays = many > _MANY * functions and many * size > _LARGE
    return "adjoint" if pays and AdjointModel(made).obstacle() is None else "forward"


def _forward(made: SensitivityModel, of: Sequence[Performance], request: RunRequest) -> tuple[Sensitivity, Any]:
    """A run with points enough for the functions."""
    for last in (*(False,) * (_ROUNDS - 1), True):
        run = made.run(request)
        response = Response(run)
        duals = [function.evaluate(response) for function in of]
        finer = response.finer()
        if last or finer is None:
            return run, duals
        request = request.with_points(finer)
    raise AssertionError
