"""How a run changes with parameters and start values: exact sensitivities along the whole solution.

    found = tg.sensitivity(model, wrt=["motor.R", "load.J"], stop=2.0)
    found["load.w", "motor.R"]              d load.w / d motor.R over time, in the declared units
    print(found.table(["load.w"]))          at the end, with relative values

The equations are differentiated template by template (variation/augment.py) and integrated together with the model,
with the same error control; initial values, algebraic loops and index reduction are differentiated with them. At events
the tangents jump as the instant moves (engine/runs/sensitivity_jumps.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.sensitivities.design_variables import DesignVariable, Wanted, design_variables, directions
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.place import here
from tellegen.ir.reduced import ReducedModel
from tellegen.sheet import aligned
from tellegen.variation.augment import Augmented, with_tangents


@dataclass(frozen=True, eq=False)
class Tangents:
    """Where tangents are in an augmented model, and the directions of a run."""

    place: Any  # the tangent of a variable (row) by a design variable (column), -1 where there is none
    parameters: FloatArray  # how parameters change with the scaled design variables
    scale: FloatArray  # of the design variables


class Sensitivity:
    """`solution` is the run; sensitivities are read by pairs of what changes and what is varied."""

    def __init__(self, solution: Solution, variables: list[DesignVariable], tangents: Tangents) -> None:
        self.solution = solution
        self.variables = variables
        self.tangents = tangents
        self.scale = tangents.scale
        self.wrt = tuple(variable.name for variable in variables)

    def on(self, solution: Solution) -> Sensitivity:
        """The same at other times of the run: solution.at([...])."""
        return Sensitivity(solution, self.variables, self.tangents)

    def of_parameter(self, path: str) -> FloatArray:
        """How a parameter itself changes with each design variable, in its declared unit."""
        what = quantity(self.solution._reduced, path)
        return self.tangents.parameters[what.selection.indices] / self.scale / what.unit.scale

    @property
    def time(self) -> FloatArray:
        """The times of the solution."""
        return self.solution.time

    def __getitem__(self, pair: str | tuple[str, str]) -> Any:
        """d(of)/d(wrt) over time; with only `of`, a column for each design variable."""
        of, wrt = pair if isinstance(pair, tuple) else (pair, None)
        if wrt is not None and wrt not in self.wrt:
            raise DesignError("E644", f"'{wrt}' is not varied; {nearest(wrt, self.wrt)}", place=here())
        what = quantity(self.solution._reduced, of)
        indices = what.selection.indices
        if what.selection.parameter:
            raise DesignError("E644", f"'{of}' is a parameter; sensitivities are those of variables", place=here())
        columns = range(len(self.wrt)) if wrt is None else [self.wrt.index(wrt)]
        parts = [self._column(indices, what.order, j) / what.unit.scale for j in columns]
        return np.stack(parts, axis=-1) if wrt is None else parts[0]

    def _column(self, indices: Any, order: int, j: int) -> Any:
        """SI values per unit of design variable j."""
        places = self.tangents.place[indices, j]
        name = self.solution._reduced.flat.variables.name
        shape = (len(self.time), *indices.shape)
        out = np.zeros((len(self.time), max(indices.size, 1)))
        for k, place in enumerate(places.ravel().tolist()):
            if place >= 0:
                path = "der(" * order + name(place) + ")" * order
                out[:, k] = self.solution[path]
        return out.reshape(shape) / self.scale[j]

    def at(self, t: float, of: str, wrt: str) -> float:
        """A sensitivity at a time, after an event that happens there."""
        return float(self._between(self[of, wrt], t))

    def _between(self, curve: Any, t: float) -> float:
        at = int(np.searchsorted(self.time, t, side="right"))
        if at and self.time[at - 1] == t:
            return curve[at - 1]
        return float(np.interp(t, self.time, curve))

    def table(self, of: Sequence[str] | str, t: float | None = None) -> str:
        """Values at a time (the end if none is given): absolute, and in percent per percent."""
        of = [of] if isinstance(of, str) else list(of)
        rows = [("d(...)", "by", "value", "% per %")]
        for path in of:
            nominal = self.solution[path]
            for j, name in enumerate(self.wrt):
                curve = self[path, name]
                value = curve[-1] if t is None else self._between(curve, t)
                here_ = nominal[-1] if t is None else self._between(nominal, t)
                size = self.scale[j]
                relative = f"{value * size / here_:.4g}" if here_ else ""
                rows.append((path, name, f"{value:.6g}", relative))
        return aligned(rows)

    def plot(self, *of: str, path: str | None = None) -> Any:
        """A panel for each variable: its change per percent of each design variable."""
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(
            len(of), 1, sharex=True, squeeze=False, figsize=(8.0, 2.6 * len(of)), layout="constrained"
        )
        for axis, name in zip(axes[:, 0], of, strict=True):
            unit = quantity(self.solution._reduced, name).unit.text
            for j, wrt in enumerate(self.wrt):
                axis.plot(self.time, self[name, wrt] * self.scale[j] * 0.01, label=wrt)
            axis.set_ylabel(f"{name} [{unit}] per %" if unit else f"{name} per %")
            axis.legend(fontsize=8)
            axis.grid(alpha=0.3)
        axes[-1, 0].set_xlabel("time [s]")
        if path is not None:
            figure.savefig(path, dpi=150)
            plt.close(figure)
        return figure

    def __str__(self) -> str:
        return f"<Sensitivity of {self.solution.name} by {', '.join(self.wrt)}>"

    __repr__ = __str__


class SensitivityModel:
    """A model compiled with its tangents: once, then run with any numbers. What tg.sensitivity and tg.optimize use."""

    def __init__(self, model: Any, wrt: Sequence[Wanted] | Wanted) -> None:
        self.plain: CompiledModel = compile_model(model)
        self.variables = design_variables(self.plain.flat, wrt)
        _refuse_guesses(self.plain.reduced, self.variables)

    @cached_property
    def _declared(self) -> tuple[Augmented, CompiledModel]:
        p = parameter_vector(self.plain.reduced, None)
        found, _ = directions(self.plain.reduced, p, self.start_values({}), self.variables)
        augmented = with_tangents(self.plain.flat, found)
        return augmented, compile_model(augmented.flat)

    def prepare(self) -> None:
        """Compile now; otherwise the first run does."""
        _ = self._declared

    def request(self, stop: float | str | None, **run: Unpack[RunKeywords]) -> RunRequest:
        """A run as asked for; start values cannot be varied where it starts from the steady state."""
        request = request_run(self.plain.flat.experiment, stop, **run)
        request.refuse_varied_starts(variable.name for variable in self.variables if variable.starts)
        return request

    def start_values(self, initial: Mapping[str, Any]) -> FloatArray:
        """Start values of all variables, in SI units."""
        flat = self.plain.flat
        values = flat.variables.column("start").copy()
        for path, value in initial.items():
            selection = find(flat, path)
            values[selection.indices] = selection.member.unit.to_si(value)
        return values

    def run(self, request: RunRequest) -> Sensitivity:
        """A run with sensitivities."""
        augmented, compiled = self._declared
        reduced = self.plain.reduced
        p = parameter_vector(reduced, request.parameters)
        found, scale = directions(reduced, p, self.start_values(request.start_values), self.variables)
        direction = np.append(found.parameters[augmented.moved].ravel(), augmented.rest)
        starts = None
        if not request.steady:  # else the tangents of the steady state are solved for, like the steady state itself
            moved = zip(*np.nonzero(found.starts), strict=True)
            starts = {augmented.starts_name(k, j): found.starts[k, j] for k, j in moved}
        solution = compiled.run(request.with_values({"direction": direction}, starts))
        return Sensitivity(solution, self.variables, Tangents(augmented.place, found.parameters, scale))


@run_call()
def sensitivity(
    model: Any,
    stop: float | str | None = None,
    *,
    wrt: Sequence[Wanted] | Wanted,
    **run: Unpack[RunKeywords],
) -> Sensitivity:
    """Exact sensitivities of all variables over time, with respect to the design variables `wrt`.

    `wrt` names parameters, or variables for their start values; {"name": {"a.R": 1.0, "b.R": 2.0}} moves several at
    once. Derivatives of numbers such as a rise time are tg.gradient's. The keywords from `start` on are those of
    tg.simulate.
    """
    made = model if isinstance(model, SensitivityModel) else SensitivityModel(model, wrt)
    return made.run(made.request(stop, **run))


def _refuse_guesses(model: ReducedModel, variables: list[DesignVariable]) -> None:
    """A start value counts where a run starts from it: of states, and where it is fixed. Others are guesses."""
    fixed = model.flat.variables.column("fixed")
    for variable in variables:
        for index, _ in variable.starts:
            own = model.representative[index]
            place = int(model.position[own])
            counts = place < 0 or model.is_state[place] or model.is_tied[place]
            if counts or (fixed[model.representative == own] == 1.0).any():
                continue
            raise DesignError(
                "E644",
                f"nothing changes with the start value of '{model.flat.variables.name(index)}': "
                "it is only an initial guess, "
                "because the equations determine it from the states",
                place=here(),
                advice="vary start values of states (compiled.report() lists them), or declare it with fixed=True",
            )
