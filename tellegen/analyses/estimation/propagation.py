"""From one instant to the next: runs of the model, their state-transition matrices, and what noise adds on the way.

    x+ = f(x)           Phi = dx+/dx           Q = integral of Phi(t+, t) G G' Phi(t+, t)' dt

Phi are forward sensitivities of the run, which pass events. The integral is Gauss's with five nodes, from event to
event, where Phi jumps; Simpson's rule, which sees both ends, is compared with it, and where they disagree the interval
is divided, its end first: what noise adds to a fast mode before has decayed by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from tellegen.analyses.estimation.problem import Problem
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.compiled import CompiledModel
from tellegen.engine.request.run_request import request_run
from tellegen.ir.model import FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(9)
_INVERTIBLE = 1e8
_AGREE = 1e-2  # of both rules: the one with nine nodes is then right to 1e-9, also where states swing between samples
_MOST_PARTS = 12  # times an interval is halved
_MOMENT = 1e-3  # of the shortest interval: a run of which only the start is looked at
_ROUGH = 1e-6  # relative tolerance of such runs
_SHORT = 1e-9  # of an interval: events that close to its ends are at them
Piece = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Prediction:
    """Where an interval ends, the transition matrix, and a root of what noise adds."""

    mean: FloatArray
    transition: FloatArray
    noise: FloatArray


@dataclass(frozen=True)
class Interval:
    """A part of the time between two rows of the data; inputs are those of the first."""

    start: float
    stop: float
    row: int


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

    def predict(self, start: float, stop: float, state: FloatArray, row: int) -> Prediction:
        """The state some time later, with its transition matrix and noise."""
        size = len(state)
        return self._predict(Interval(start, stop, row), state, np.eye(size), np.zeros((size, 0)), 0)

    def _predict(
        self, interval: Interval, state: FloatArray, after: FloatArray, known: FloatArray, depth: int
    ) -> Prediction:
        """The noise is that at the end of the whole interval, which `after` leads to and where `known` is besides."""
        places = _NODES if self._walk.shape[1] else np.zeros(0)
        found = self._from(interval, state, [(interval.start, interval.stop)], places)
        pieces = _pieces(found, interval)
        if len(pieces) > 1 and len(places):
            found = self._from(interval, state, pieces, places)
        transition = self._transition(found, -1)
        mean = self._mean(found, -1, state)
        rules = [self._rules(found, piece, interval, state, after) for piece in pieces] if len(places) else []
        if _is_accurate(rules, known) or depth == _MOST_PARTS:
            return Prediction(mean, transition, np.hstack([np.zeros((len(state), 0)), *(rule.gauss for rule in rules)]))
        middle = 0.5 * (interval.start + interval.stop)
        there = self._mean(found, _row(found, middle), state)
        last = self._predict(Interval(middle, interval.stop, interval.row), there, after, known, depth + 1)
        both = np.hstack([known, last.noise])
        first = self._predict(
            Interval(interval.start, middle, interval.row), state, after @ last.transition, both, depth + 1
        )
        return Prediction(mean, last.transition @ first.transition, np.hstack([first.noise, last.noise]))

    def _from(self, interval: Interval, state: FloatArray, pieces: list[Piece], places: FloatArray) -> Sensitivity:
        """The run, with rows at places of all pieces (from -1 to 1), in the middle of the interval and at its end."""
        middle = 0.5 * (interval.start + interval.stop)
        times = [0.5 * (begin + end) + 0.5 * (end - begin) * place for begin, end in pieces for place in places]
        points = np.unique([*times, middle, interval.stop])
        return self._with_tangents(interval.start, interval.stop, points, state, interval.row)

    def _rules(
        self, found: Sensitivity, piece: Piece, interval: Interval, state: FloatArray, after: FloatArray
    ) -> _Rules:
        """What noise adds between two events, at the end of the whole interval."""
        begin, end = piece
        half = np.sqrt(0.5 * (end - begin))
        times = 0.5 * (begin + end) + 0.5 * (end - begin) * _NODES
        rows = [_row(found, begin), *(_row(found, float(t)) for t in times), _row(found, end, is_before=True)]
        transition = self._transition(found, -1)
        columns = [half * after @ self._from_there(found, row, interval, state, transition) for row in rows]
        gauss = [np.sqrt(weight) * each for weight, each in zip(_WEIGHTS, columns[1:-1], strict=True)]
        simpson = (columns[0], 2.0 * columns[len(columns) // 2], columns[-1])
        return _Rules(np.hstack(gauss), np.hstack(simpson) / np.sqrt(3.0))

    def _from_there(
        self, found: Sensitivity, k: int, interval: Interval, state: FloatArray, transition: FloatArray
    ) -> FloatArray:
        """What the noise of an instant has become at the end of an interval."""
        if interval.stop - float(found.time[k]) <= _SHORT * (interval.stop - interval.start):
            return self._walk
        until = self._transition(found, k)
        lengths = _lengths(until)
        if np.linalg.cond(until / lengths) < _INVERTIBLE:
            return transition @ np.linalg.solve(until / lengths, self._walk / lengths)
        time = float(found.time[k])
        further = self._with_tangents(time, interval.stop, [interval.stop], self._mean(found, k, state), interval.row)
        return self._transition(further, -1) @ self._walk

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


@dataclass(frozen=True, eq=False)
class _Rules:
    """Roots of what noise adds in a piece of an interval, by Gauss's rule and by Simpson's."""

    gauss: FloatArray
    simpson: FloatArray


def _pieces(found: Sensitivity, interval: Interval) -> list[Piece]:
    """The interval from event to event."""
    least = _SHORT * (interval.stop - interval.start)
    edges = [interval.start]
    for event in found.solution.events:
        if edges[-1] + least < event.time < interval.stop - least:
            edges.append(float(event.time))
    return list(pairwise([*edges, interval.stop]))


def _row(found: Sensitivity, time: float, *, is_before: bool = False) -> int:
    """The row of a time: of several at an event the last, or the first."""
    slack = 1e-12 * max(abs(time), abs(float(found.time[-1])))
    after = int(np.searchsorted(found.time, time + slack, side="right")) - 1
    return int(np.searchsorted(found.time, time - slack, side="left")) if is_before else after


def _is_accurate(rules: list[_Rules], known: FloatArray) -> bool:
    """Whether both rules agree on the covariance that noise adds, in proportion to what there is in all."""
    if not rules:
        return True
    fine = sum(rule.gauss @ rule.gauss.T for rule in rules)
    rough = sum(rule.simpson @ rule.simpson.T for rule in rules)
    size = np.sqrt(np.diag(fine) + (known**2).sum(axis=1))
    size = np.where(size > 0.0, size, 1.0)
    return bool(np.isfinite(fine).all() and (np.abs(fine - rough) <= _AGREE * np.outer(size, size)).all())


def _lengths(matrix: FloatArray) -> FloatArray:
    found = np.sqrt((matrix**2).sum(axis=1))
    return np.where(found > 0.0, found, 1.0)[:, None]
