"""The picture of a search: objective, variables and signals, run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE
from tellegen.figure import panels, with_unit

if TYPE_CHECKING:
    from tellegen.analyses.optimization.single_objective.optimum import Optimum

_NAMED = 10  # variables with a name in the legend
_GHOSTS = 12  # signals of earlier runs


def plot_search(found: Optimum) -> Any:
    """The objective above (runs that keep the constraints filled), then the variables, then a panel for each signal."""
    problem = found.problem
    scalars = problem.driven.scalars(problem.variables.names)
    count = 1 + bool(scalars) + len(found.signals)
    with panels(count, 1, (8.0, 1.0 + 2.25 * max(count, 2))) as (figure, axes):
        rows = list(axes[:, 0])
        _objective(rows.pop(0), found)
        if scalars:
            _scalars(rows.pop(0), found, scalars)
        for axis, name in zip(rows, found.signals, strict=True):
            _signal(axis, found, name)
    return figure


def _objective(axis: Any, found: Optimum) -> None:
    sign = found.problem.asked.sign
    number = np.arange(1, found.runs + 1)
    objective = np.array([sign * each.objective for each in found.history])
    keeps = np.array([each.violation <= FEASIBLE for each in found.history])
    axis.plot(number, objective, color="0.8", lw=1)
    axis.plot(number[keeps], objective[keeps], "o", ms=4, label="constraints hold")
    if (~keeps).any():
        axis.plot(number[~keeps], objective[~keeps], "o", ms=4, mfc="none", label="violated")
        axis.legend(fontsize=8)
    axis.set_title(str(found.problem.asked.objective), fontsize=9)
    axis.set_ylabel("objective")
    axis.set_xlabel("run")


def _scalars(axis: Any, found: Optimum, names: list[str]) -> None:
    variables = found.problem.variables
    number = np.arange(1, found.runs + 1)
    normalized = np.array([variables.normalized(each.x) for each in found.history])
    for name in names:
        axis.plot(number, normalized[:, variables.names.index(name)], "o-", ms=3, lw=1, label=name)
    axis.set_ylabel("between the bounds")
    axis.set_xlabel("run")
    if len(names) <= _NAMED:
        axis.legend(fontsize=8)


def _signal(axis: Any, found: Optimum, name: str) -> None:
    problem = found.problem
    good = [each for each in found.history if not each.failed]
    for k in np.unique(np.linspace(0, len(good) - 1, _GHOSTS).astype(int)):
        values = dict(zip(problem.variables.names, good[k].x.tolist(), strict=True))
        axis.plot(*problem.driven.curves(values)[name].corners, color=str(0.9 - 0.4 * k / len(good)), lw=1)
    curve = found.signals[name]
    axis.plot(*curve.corners, color="C0", lw=1.8)
    axis.set_ylabel(with_unit(name, curve.unit))
    axis.set_xlabel("time [s]")
