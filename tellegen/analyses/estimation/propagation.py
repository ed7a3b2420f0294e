"""From one instant to the next: runs of the model, their state-transition matrices, and what noise adds on the way.

    x+ = f(x)           Phi = dx+/dx           Q = integral of Phi(t+, t) G G' Phi(t+, t)' dt

Phi are forward sensitivities of the run, which pass events; the integral is Gauss's with five nodes. Where a mode
decays so far that Phi cannot be inverted the interval is divided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.analyses.estimation.problem import Problem
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import request_run
from tellegen.ir.model import FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
_INVERTIBLE = 1e8
_MOST_PARTS = 10  # times an interval is halved
_MOMENT = 1e-3  # of the shortest interval: a run of which only the start is looked at
_ROUGH = 1e-6  # relative tolerance of such runs


@dataclass(frozen=True, eq=False)
class Prediction:
    """Where an interval ends, the transition matrix, and a root of what noise adds."""

    mean: FloatArray
    transition: FloatArray
    noise: FloatArray


@dataclass(frozen=True, eq=False)
class Outputs:
    """The outputs at a state, and how they depend on it."""

    values: FloatArray
    by_state: FloatArray


class Propagation:
    """Runs of a model between measurements: from a whole estimated vector, with the inputs of a row of the data."""

    def __init__(self, model: CompiledModel, problem: Problem, run: dict[str, Any]) -> None:
        self.model = model
        self.problem = problem
        self.run = run
        self._tangents = SensitivityModel(model, list(problem.names))
        self._moment = _MOMENT * float(np.diff(problem.time).min(initial=1.0))

    @cached_property
    def _walk(self) -> FloatArray:
        """A column for each part with noise of its own."""
        walk = self.problem.walk
        return np.diag(walk)[:, walk > 0.0]

    def predict(self, start: float, stop: float, state: FloatArray, row: int, depth: int = 0) -> Prediction:
        """The state some time later, with its transition matrix and noise."""
        width = stop - start
        nodes = start + 0.5 * width * (1.0 + _NODES) if self._walk.shape[1] else np.zeros(0)
        found = self._with_tangents(start, stop, np.append(nodes, stop), state, row)
        at = np.searchsorted(found.time, np.append(nodes, stop) + 1e-12 * max(abs(start), abs(stop)), side="right") - 1
        transition = self._transition(found, at[-1])
        between = [self._transition(found, k) for k in at[:-1]]
        is_stiff = any(np.linalg.cond(each / _lengths(each)) > _INVERTIBLE for each in between)
        if is_stiff and depth < _MOST_PARTS:
            middle = 0.5 * (start + stop)
            first = self.predict(start, middle, state, row, depth + 1)
            second = self.predict(middle, stop, first.mean, row, depth + 1)
            noise = np.hstack([second.transition @ first.noise, second.noise])
            return Prediction(second.mean, second.transition @ first.transition, noise)
        mean = self._mean(found, at[-1], state)
        columns = [
            np.sqrt(0.5 * width * weight) * transition @ _solved(each, self._walk)
            for weight, each in zip(_WEIGHTS, between, strict=False)
        ]
        return Prediction(mean, transition, np.hstack([np.zeros((len(state), 0)), *columns]))

    def look(self, time: float, state: FloatArray, row: int) -> Outputs:
        """The outputs at an instant."""
        found = self._with_tangents(time, time + self._moment, [time + self._moment], state, row, rtol=_ROUGH)
        values = np.array([float(found.solution[path][0]) for path in self.problem.outputs])
        by_state = np.array([np.asarray(found[path])[0] for path in self.problem.outputs])
        return Outputs(values, by_state)

    def outputs(self, time: float, state: FloatArray, row: int) -> FloatArray:
        """The outputs at an instant, without derivatives."""
        solution = self._plain(time, time + self._moment, state, row, rtol=_ROUGH)
        return np.array([float(solution[path][0]) for path in self.problem.outputs])

    def move(self, start: float, stop: float, state: FloatArray, row: int) -> tuple[FloatArray, FloatArray]:
        """The state some time later and the outputs there, without derivatives."""
        solution = self._plain(start, stop, state, row)
        values = np.array([float(solution[path][-1]) for path in self.problem.outputs])
        states = [float(solution[path][-1]) for path in self.problem.states]
        return np.concatenate([states, state[len(states) :]]), values

    def _plain(self, start: float, stop: float, state: FloatArray, row: int, **other: Any) -> Any:
        given = {**self._given(state, row), **self.run, **other}
        return self.model.run(request_run(self.model.flat.experiment, stop, start=start, points=[stop], **given))

    def _with_tangents(
        self, start: float, stop: float, points: Any, state: FloatArray, row: int, **other: Any
    ) -> Sensitivity:
        given = {**self._given(state, row), **self.run, **other}
        return self._tangents.run(self._tangents.request(stop, start=start, points=points, **given))

    def _given(self, state: FloatArray, row: int) -> Any:
        problem = self.problem
        count = len(problem.states)
        inputs = dict(zip(problem.inputs, problem.held[row].tolist(), strict=True))
        parameters = dict(zip(problem.parameters, state[count:].tolist(), strict=True))
        return {
            "parameters": {**inputs, **parameters},
            "initial": dict(zip(problem.states, state[:count].tolist(), strict=True)),
        }

    def _mean(self, found: Sensitivity, row: int, state: FloatArray) -> FloatArray:
        states = [float(found.solution[path][row]) for path in self.problem.states]
        return np.concatenate([states, state[len(states) :]])

    def _transition(self, found: Sensitivity, row: int) -> FloatArray:
        """d(state)/d(state at the start); parameters keep their values."""
        out = np.eye(len(self.problem.names))
        for k, path in enumerate(self.problem.states):
            out[k] = np.asarray(found[path])[row]
        return out


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """matrix^-1 right, with rows of length one: what has decayed counts like the rest."""
    lengths = _lengths(matrix)
    found: Any = np.linalg.lstsq(matrix / lengths, right / lengths, rcond=None)[0]
    return found


def _lengths(matrix: FloatArray) -> FloatArray:
    found = np.sqrt((matrix**2).sum(axis=1))
    return np.where(found > 0.0, found, 1.0)[:, None]
