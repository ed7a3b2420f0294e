"""Trajectory: the inputs that were found, the states on the way, and the run of the plant with them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.driven_model import Curve
from tellegen.analyses.optimization.formulation.piecewise_inputs import Piecewise, drive_inputs
from tellegen.compile import compile_model
from tellegen.engine.request.path_lookup import find
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import entitle, panels, with_unit
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.predictive.trajectories.problem import TrajectoryProblem
from tellegen.predictive.trajectories.quadratic_steps import Found
from tellegen.sheet import Result, Table


class Trajectory(Result):
    """What tg.trajectory found: `trajectory["force"]` of inputs, `trajectory["x"]` of states at `trajectory.time`."""

    def __init__(
        self, flat: FlatModel, problem: TrajectoryProblem, states: tuple[str, ...], found: Found, where: str
    ) -> None:
        self._flat = flat
        self._found = found
        self.problem = problem
        self.states = states
        self.where = where
        self.steps = found.steps

    @property
    def success(self) -> bool:
        """Whether no other trajectory near this one is better."""
        return self._found.success

    @property
    def message(self) -> str:
        """How the search ended."""
        return self._found.message

    @property
    def name(self) -> str:
        """The name of the plant."""
        return self._flat.name

    @property
    def duration(self) -> float:
        """How long it lasts, in seconds."""
        return self.problem.count * self._found.point.guess.length

    @property
    def objective(self) -> float:
        """What was made least."""
        return self._found.point.cost

    @property
    def time(self) -> FloatArray:
        """The ends of all intervals, and the start."""
        return np.linspace(0.0, self.duration, self.problem.count + 1)

    @users_call
    def __getitem__(self, path: str) -> FloatArray:
        """A state at all times, or an input in all intervals, in declared units."""
        guess = self._found.point.guess
        if path in self.states:
            return guess.states[:, self.states.index(path)]
        names = self.problem.given.names
        if path in names:
            return guess.inputs[:, names.index(path)]
        what = f"'{path}' is neither a state nor an input; {nearest(path, (*self.states, *names))}"
        raise DesignError("E692", what, location=here(), advice="other variables are those of trajectory.solution")

    @cached_property
    def signals(self) -> dict[str, Curve]:
        """The inputs as functions of time: `signals["force"](0.3)`, `.corners` for plots and tables."""
        units = {path: find(self._flat, path).member.unit.text for path in self.problem.given.names}
        return {path: Curve(self.time, self[path], "constant", unit) for path, unit in units.items()}

    @cached_property
    def solution(self) -> Solution:
        """A run of the plant with these inputs, from start to end by the engine of tg.simulate."""
        given = self.problem.given
        count = self.problem.count
        pieces = {path: Piecewise(count, 0.0, 0.0, "constant") for path in given.wholes}
        compiled = compile_model(drive_inputs(self._flat, pieces, 0.0, self.duration).model)
        values = {}
        for path in given.wholes:
            shape = find(self._flat, path).indices.shape
            own = [self[name] for name in given.names if name.partition("[")[0] == path]
            values[f"{path}.pieces"] = np.array(own).reshape(*shape, count)
        start = dict(zip(self.states, self._found.point.guess.states[0].tolist(), strict=True))
        return compiled.simulate(self.duration, parameters=values, initial=start, rtol=1e-8)

    def to_pandas(self) -> Any:
        """A DataFrame over time: states, and inputs as they are from each time on; at the end nothing follows."""
        import pandas as pd

        columns = {name: np.append(self[name], np.nan) for name in self.problem.given.names}
        columns |= {name: self[name] for name in self.states}
        return pd.DataFrame(columns, index=pd.Index(self.time, name="time"))

    @users_call
    def plot(self, *paths: str) -> Any:
        """A matplotlib figure: inputs as steps, states with the ends of intervals marked; limits dotted."""
        shown = paths or (*self.problem.given.names, *self.states)
        problem = self.problem
        limits = dict(zip(problem.limited, zip(problem.lowest, problem.highest, strict=True), strict=True))
        limits |= dict(zip(problem.given.names, zip(problem.given.low, problem.given.high, strict=True), strict=True))
        with panels(len(shown), 1, (8.0, 1.2 + 1.6 * len(shown)), sharex=True) as (figure, axes):
            for (axis,), path in zip(axes, shown, strict=True):
                if path in problem.given.names:
                    axis.plot(*self.signals[path].corners)
                else:
                    axis.plot(self.time, self[path], ".-")
                for bound in limits.get(path, ()):
                    if np.isfinite(bound):
                        axis.axhline(bound, color="0.6", linestyle=":")
                axis.set_ylabel(with_unit(path, find(self._flat, path).member.unit.text))
            axes[-1][0].set_xlabel("time [s]")
            entitle(figure, self._title())
        return figure

    def _title(self) -> str:
        return f"Trajectory of {self.name}: {self.objective:.6g} in {self.duration:.6g} s"

    def _page(self) -> list[Table | str]:
        rows = [(path, f"{self[path][0]:.6g}", f"{self[path][-1]:.6g}") for path in self.states]
        words = f"{self.problem.count} intervals, {self.steps} steps, {self.where}: {self.message}"
        return [Table(("state", "start", "end"), rows), words]
