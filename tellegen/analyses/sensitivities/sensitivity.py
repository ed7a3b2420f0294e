"""How a run changes with parameters and start values: exact sensitivities along the whole solution.

    found = tg.sensitivity(model, wrt=["motor.R", "load.J"], stop=2.0)
    found["load.w", "motor.R"]              d load.w / d motor.R over time, in the declared units
    found.table("load.w")                   at the end, with relative values

The equations are differentiated template by template (variation/augment.py) and integrated together with the model,
with the same error control; initial values, algebraic loops and index reduction are differentiated with them. At events
the tangents jump as the instant moves (engine/runs/sensitivity_jumps.py); so they do at kinks (variation/kinks.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Unpack

import numpy as np

from tellegen.analyses.sensitivities.design_variables import DesignVariable, Wanted, design_variables, directions
from tellegen.analyses.sensitivities.difference_quotients import DifferenceQuotients
from tellegen.analyses.sensitivities.explain_tangents import TangentNames
from tellegen.analyses.sensitivities.hidden_effects import of_events, refuse_kept_parameters
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.explained.run_explanation import RunExplanation
from tellegen.engine.readout.quantity import quantity
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, si_values
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_request import RunKeywords, RunRequest, request_run, run_call
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, NumericError, RunFailedError, nearest, users_call, warn_user
from tellegen.figure import panels, with_unit
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table
from tellegen.variation.augment import DIRECTION, Augmented, Directions, with_tangents
from tellegen.variation.kinks import with_kinks_located

_SHOWN = 12  # states in print(), tables and plots that name none


@dataclass(frozen=True, eq=False)
class Tangents:
    """Where tangents are in an augmented model, and the directions of a run."""

    position: Any  # the tangent of a variable (row) by a design variable (column), -1 where there is none
    parameters: FloatArray  # how parameters change with the scaled design variables
    scale: FloatArray  # of the design variables


class OfRun(Result):
    """A result with derivatives of one run: how that ended, and with which parameters."""

    solution: Solution

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.solution.name

    @property
    def success(self) -> bool:
        """Whether the run reached the stop time."""
        return self.solution.success

    @property
    def message(self) -> str:
        """How the run ended."""
        return self.solution.message

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the run by path, in their declared units."""
        return {path: value for path, value in self.solution.parameters.items() if path != DIRECTION}


class Sensitivity(OfRun):
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

    @users_call
    def __getitem__(self, pair: str | tuple[str, str]) -> Any:
        """d(of)/d(wrt) over time; with only `of`, a column for each design variable."""
        of, wrt = pair if isinstance(pair, tuple) and len(pair) == 2 else (pair, None)
        if wrt is not None and wrt not in self.wrt:
            raise DesignError("E644", f"{wrt!r} is not varied; {nearest(str(wrt), self.wrt)}", location=here())
        what = quantity(self.solution._reduced, of)
        indices = what.selection.indices
        if what.selection.parameter:
            raise DesignError("E644", f"'{of}' is a parameter; sensitivities are those of variables", location=here())
        chosen = slice(None) if wrt is None else self.wrt.index(wrt)
        return (
            self._values(self.tangents.position[indices][..., chosen], what.order)
            / self.scale[chosen]
            / what.unit.scale
        )

    def _values(self, positions: Any, order: int) -> Any:
        """Tangents over time in SI units, and zero where there is none."""
        where = np.ravel(positions)
        there = where >= 0
        out = np.zeros((len(self.time), where.size))
        out[:, there] = self.solution.si(where[there], order)
        return out.reshape(len(self.time), *np.shape(positions))

    @users_call
    def at(self, t: float, of: str, wrt: str) -> float:
        """A sensitivity at a time, after an event that happens there."""
        return float(self._between(self[of, wrt], t))

    def _between(self, curve: Any, t: float) -> float:
        at = int(np.searchsorted(self.time, t, side="right"))
        if at and self.time[at - 1] == t:
            return curve[at - 1]
        return float(np.interp(t, self.time, curve))

    def table(self, of: Sequence[str] | str | None = None, t: float | None = None) -> Any:
        """A DataFrame of values at a time, by default the end: `value`, and `relative` in percent per percent.

        Its rows are pairs of a variable and a design variable; the states where `of` names none.
        """
        import pandas as pd

        pairs = list(product(self._chosen(of), self.wrt))
        rows = [self._entry(path, wrt, t) for path, wrt in pairs]
        index = pd.MultiIndex.from_tuples(pairs, names=["variable", "wrt"])
        return pd.DataFrame(rows, index=index, columns=["value", "relative"])

    def _entry(self, path: str, wrt: str, t: float | None) -> tuple[float, float]:
        """The sensitivity at a time and the same in percent per percent; NaN where the variable is zero."""
        curve = self[path, wrt]
        nominal = self.solution[path]
        value = float(curve[-1] if t is None else self._between(curve, t))
        size = float(nominal[-1] if t is None else self._between(nominal, t))
        return value, value * float(self.scale[self.wrt.index(wrt)]) / size if size else np.nan

    def _chosen(self, of: Sequence[str] | str | None) -> list[str]:
        if of is None:
            own = set(self.solution.names()[: len(self.tangents.position)])
            return [name for name in self.solution.states() if name in own][:_SHOWN]
        return [of] if isinstance(of, str) else list(of)

    def _scalars(self, path: str) -> list[str]:
        """The elements of an array by name; a scalar by itself."""
        what = quantity(self.solution._reduced, path)
        if not what.selection.indices.ndim:
            return [path]
        names = [self.solution._reduced.flat.variables.name(int(k)) for k in what.selection.indices.ravel()]
        return ["der(" * what.order + name + ")" * what.order for name in names]

    @users_call
    def to_pandas(self, *of: str) -> Any:
        """A DataFrame over time with a column for each pair of a variable (the states by default) and a parameter."""
        import pandas as pd

        chosen = [scalar for path in self._chosen(of or None) for scalar in self._scalars(path)]
        columns = pd.MultiIndex.from_product([chosen, self.wrt], names=["variable", "wrt"])
        curves = [self[path, wrt] for path, wrt in columns]
        return pd.DataFrame(np.transpose(curves), index=pd.Index(self.time, name="time"), columns=columns)

    @users_call
    def plot(self, *of: str) -> Any:
        """A matplotlib figure with a panel for each variable: its change per percent of each design variable."""
        chosen = self._chosen(of or None)
        with panels(len(chosen), 1, (8.0, 2.6 * len(chosen)), sharex=True) as (figure, axes):
            for axis, name in zip(axes[:, 0], chosen, strict=True):
                for j, wrt in enumerate(self.wrt):
                    axis.plot(self.time, self[name, wrt] * self.scale[j] * 0.01, label=wrt)
                axis.set_ylabel(f"{with_unit(name, self.solution.unit(name))} per %")
                axis.legend()
            axes[-1, 0].set_xlabel("time [s]")
        return figure

    @users_call
    def explain(self) -> RunExplanation:
        """Why the run with sensitivities took its time, as solution.explain() says it of a run without them."""
        flat = self.solution._reduced.flat
        return TangentNames.of(flat, self.tangents.position, self.wrt).explained(self.solution.explain())

    def _title(self) -> str:
        return f"Sensitivity of {self.name} with respect to {', '.join(self.wrt)}"

    def _page(self) -> list[Table | str]:
        rows = []
        for path, wrt in product(self._chosen(None), self.wrt):
            value, relative = self._entry(path, wrt, None)
            rows.append((path, wrt, f"{value:.6g}", f"{relative:.4g}"))
        return [Table(("variable", "with respect to", f"at t = {self.time[-1]:g} s", "% per %"), rows)]


class SensitivityModel:
    """A model compiled with its tangents: once, then run with any numbers. What tg.sensitivity and tg.optimize use."""

    def __init__(self, model: Any, wrt: Sequence[Wanted | DesignVariable] | Wanted) -> None:
        self.plain: CompiledModel = compile_model(model)
        self._own = [] if self.plain is model else [self.plain]
        self.variables = design_variables(self.plain.flat, wrt)
        _refuse_guesses(self.plain.reduced, self.variables)

    @cached_property
    def _flat(self) -> FlatModel:
        """The model with its kinks as events: derivatives are those of its runs."""
        return with_kinks_located(self.plain.flat)

    @property
    def has_kinks(self) -> bool:
        """Whether some of its functions have kinks."""
        return self._flat is not self.plain.flat

    @cached_property
    def quotients(self) -> DifferenceQuotients:
        """The functions whose derivatives are not exact."""
        return DifferenceQuotients(self.plain.reduced)

    def state_quotients(self, solution: Solution) -> None:
        """Name them in the stats of a run that derivatives are computed along."""
        self.quotients.warn_once()
        if self.quotients.names:
            solution.stats["difference_quotients"] = self.quotients.names

    @cached_property
    def located(self) -> CompiledModel:
        """The model without tangents, its kinks as events."""
        return self._compiled(self._flat) if self.has_kinks else self.plain

    @cached_property
    def declared(self) -> tuple[Augmented, CompiledModel]:
        """The model with its tangents, kinks as events."""
        return self._augmented(self._flat)

    @cached_property
    def _as_written(self) -> tuple[Augmented, CompiledModel]:
        return self._augmented(self.plain.flat)

    def _augmented(self, flat: FlatModel) -> tuple[Augmented, CompiledModel]:
        augmented = with_tangents(flat, self.directions)
        return augmented, self._compiled(augmented.flat)

    def _compiled(self, flat: FlatModel) -> CompiledModel:
        self._own.append(compile_model(flat))
        return self._own[-1]

    def __del__(self) -> None:
        """What was compiled here is run by nobody else."""
        for compiled in getattr(self, "_own", ()):
            compiled.let_go()

    @cached_property
    def directions(self) -> Directions:
        """How parameters and start values move with the design variables; E647 where that has hidden effects."""
        p = parameter_vector(self.plain, None)
        found, _ = directions(self.plain.reduced, p, self.start_values({}), self.variables)
        refuse_kept_parameters(self.plain.flat, found.parameters)
        return found

    def prepare(self) -> None:
        """Compile now; otherwise the first run does."""
        _ = self.declared

    def request(self, stop: float | str | None, **run: Unpack[RunKeywords]) -> RunRequest:
        """A run as asked for; start values cannot be varied where it starts from the steady state."""
        request = new_run(self.plain, request_run(self.plain.flat.experiment, stop, **run))
        request.refuse_varied_starts(variable.name for variable in self.variables if variable.starts)
        return request

    def start_values(self, initial: Mapping[str, Any]) -> FloatArray:
        """Start values of all variables, in SI units."""
        flat = self.plain.flat
        values = flat.variables.column("start").copy()
        for path, value in initial.items():
            selection = find(flat, path)
            values[selection.indices] = si_values(selection, value)
        return values

    def run(self, request: RunRequest) -> Sensitivity:
        """A run with sensitivities."""
        try:
            return self._run(request, *self.declared)
        except NumericError as error:
            if (hidden := of_events(self.plain.reduced, error)) is not None:
                raise hidden from None
            if not (self.has_kinks and isinstance(error, RunFailedError)):
                raise
        found = self._run(request, *self._as_written)
        warn_user(
            f"{self.plain.flat.name}: the run fails where kinks of min, max and abs are located as events, so "
            "sensitivities are integrated across them: they may be inexact"
        )
        return found

    def _run(self, request: RunRequest, augmented: Augmented, compiled: CompiledModel) -> Sensitivity:
        reduced = self.plain.reduced
        p = parameter_vector(self.plain, request.parameters)
        found, scale = directions(reduced, p, self.start_values(request.start_values), self.variables)
        direction = np.append(found.parameters[augmented.moved].ravel(), augmented.rest)
        starts = None
        if not request.steady:  # else the tangents of the steady state are solved for, like the steady state itself
            moved = zip(*np.nonzero(found.starts), strict=True)
            starts = {augmented.starts_name(k, j): found.starts[k, j] for k, j in moved}
        try:
            solution = compiled.run(request.with_values({DIRECTION: direction}, starts))
        except NumericError as error:
            TangentNames.of(compiled.flat, augmented.position, found.names).put_into(error)
            raise
        self.state_quotients(solution)
        return Sensitivity(solution, self.variables, Tangents(augmented.position, found.parameters, scale))


def new_run(model: CompiledModel, request: RunRequest) -> RunRequest:
    """The run asked for, from the values of a snapshot where one is given."""
    return request.from_values(model.reduced.events is None and not model.program.initial_size)


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
            position = int(model.position[own])
            counts = position < 0 or model.is_state[position] or model.is_tied[position]
            if counts or (fixed[model.representative == own] == 1.0).any():
                continue
            raise DesignError(
                "E644",
                f"nothing changes with the start value of '{model.flat.variables.name(index)}': "
                "it is only an initial guess, "
                "because the equations determine it from the states",
                location=here(),
                advice="vary start values of states (compiled.report() lists them), or declare it with fixed=True",
            )
