"""Measurements that arrive late: what a sensor shows at t is what was there at t - delay.

The state of each such instant is kept beside the present one until its measurement arrives, and both are corrected
then, because they are correlated:

    z = (x, kept 1, kept 2, ...)         keep: kept := x          move: x := f(x), kept stay         y = h(kept)

This is the augmented filter of the textbooks with no more than what is waited for, at any times. Keeping takes no time:
it is a step of its own, between two rows of the same instant, so that all filters and the smoother take it as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.problem import Problem, wrong
from tellegen.analyses.estimation.propagation import Outputs, Prediction, Propagation
from tellegen.analyses.estimation.square_root import Gaussian
from tellegen.ir.model import FloatArray

_SAME = 1e-9  # of the shortest interval: instants that close are one


@dataclass(frozen=True)
class Row:
    """An instant: which row of the data it is, if any, and where the state is kept on the way into it, if at all."""

    time: float
    given: int
    before: int  # the row of the data whose inputs are held
    keeps: int = -1


@dataclass(frozen=True, eq=False)
class Waiting:
    """Rows in the order of time; `due`: by row and column of the data the place and the row of what was kept for it."""

    rows: tuple[Row, ...]
    places: int
    due: dict[tuple[int, int], tuple[int, int]]

    @property
    def given(self) -> list[int]:
        """The rows that are rows of the data."""
        return [k for k, row in enumerate(self.rows) if row.given >= 0]


def waiting(problem: Problem) -> Waiting:
    """When states have to be kept, and until when."""
    taken = _taken(problem)
    slack = _SAME * float(np.diff(problem.time).min(initial=1.0))
    instants = _distinct(sorted(set(taken.values())), slack)
    last_needed = {instant: max(k for (k, _), when in taken.items() if abs(when - instant) <= slack)
                   for instant in instants}  # fmt: skip
    rows: list[Row] = []
    free: list[int] = []
    busy: list[tuple[int, int]] = []  # row of the data after which a place is free, the place
    place_of: dict[float, tuple[int, int]] = {}
    places = 0
    coming = list(instants)
    for k, time in enumerate(problem.time.tolist()):
        while coming and coming[0] < time - slack:
            rows.append(Row(coming[0], -1, k - 1))
            places = _keep(rows, coming.pop(0), k - 1, _Places(free, busy, place_of, last_needed, places))
        rows.append(Row(time, k, k))
        free += [place for until, place in busy if until <= k]
        busy[:] = [(until, place) for until, place in busy if until > k]
        while coming and coming[0] <= time + slack:
            places = _keep(rows, coming.pop(0), k, _Places(free, busy, place_of, last_needed, places))
    due = {}
    for (k, j), when in taken.items():
        instant = min(instants, key=lambda each, when=when: abs(each - when))
        due[k, j] = place_of[instant]
    return Waiting(tuple(rows), places, due)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where states can be kept, while rows are made."""

    free: list[int]
    busy: list[tuple[int, int]]
    place_of: dict[float, tuple[int, int]]
    last_needed: dict[float, int]
    count: int


def _keep(rows: list[Row], instant: float, before: int, places: _Places) -> int:
    """One more row in which the state is kept; the number of places there are now."""
    count = places.count
    if places.free:
        place = places.free.pop()
    else:
        place = count
        count += 1
    rows.append(Row(instant, -1, before, place))
    places.busy.append((places.last_needed[instant], place))
    places.place_of[instant] = (place, len(rows) - 1)
    return count


def _taken(problem: Problem) -> dict[tuple[int, int], float]:
    """When each late value was taken, by row and column."""
    taken = {}
    for j, delay in enumerate(problem.delays):
        for k in np.flatnonzero(~np.isnan(problem.values[:, j])) if delay > 0.0 else ():
            taken[int(k), j] = float(problem.time[k] - delay)
    first = float(problem.time[0])
    early = next((key for key, when in taken.items() if when < first), None)
    if early is not None:
        path = problem.outputs[early[1]]
        delay = problem.delays[early[1]]
        what = f"'{path}' at t = {problem.time[early[0]]:g} was taken {delay:g} s before, when t < {first:g}"
        raise wrong(what, "leave such values out (NaN), or begin the data earlier: the model starts with the first row")
    return taken


def _distinct(instants: list[float], slack: float) -> list[float]:
    found: list[float] = []
    for instant in instants:
        if not found or instant - found[-1] > slack:
            found.append(instant)
    return found


class LatePropagation(Propagation):
    """Runs of a model with kept states beside the present one; `problem` has all rows and the longer vector."""

    def __init__(self, inner: Propagation, plan: Waiting) -> None:
        given = inner.problem
        before = np.array([row.before for row in plan.rows])
        values = np.full((len(plan.rows), given.values.shape[1]), np.nan)
        values[plan.given] = given.values
        size = len(given.mean)
        rest = np.zeros(plan.places * size)
        self._inner = inner
        self._plan = plan
        self._size = size
        self._rows = before
        self.problem = replace(
            given,
            time=np.array([row.time for row in plan.rows]),
            values=values,
            held=given.held[before],
            mean=np.concatenate([given.mean, np.tile(given.mean, plan.places)]),
            sigma=np.concatenate([given.sigma, rest]),
            walk=np.concatenate([given.walk, rest]),
        )

    def predict(self, start: float, stop: float, state: FloatArray, row: int) -> Prediction:
        """See Propagation."""
        keeps = self._plan.rows[row + 1].keeps
        whole = np.eye(len(state))
        if keeps >= 0:
            whole[self._part(keeps)] = whole[self._part(-1)]
            return Prediction(whole @ state, whole, np.zeros((len(state), 0)))
        moved = self._inner.predict(start, stop, state[: self._size], int(self._rows[row]))
        whole[: self._size, : self._size] = moved.transition
        noise = np.zeros((len(state), moved.noise.shape[1]))
        noise[: self._size] = moved.noise
        return Prediction(np.concatenate([moved.mean, state[self._size :]]), whole, noise)

    def look(self, time: float, state: FloatArray, row: int) -> Outputs:
        """See Propagation."""
        found = self._inner.look(time, state[: self._size], int(self._rows[row]))
        values = found.values.copy()
        by_state = np.zeros((len(values), len(state)))
        by_state[:, : self._size] = found.by_state
        for j, (place, at) in self._due(row).items():
            then = self._inner.look(self._plan.rows[at].time, state[self._part(place)], int(self._rows[at]))
            values[j] = then.values[j]
            by_state[j] = 0.0
            by_state[j, self._part(place)] = then.by_state[j]
        return Outputs(values, by_state)

    def outputs(self, time: float, state: FloatArray, row: int) -> FloatArray:
        """See Propagation."""
        values = self._inner.outputs(time, state[: self._size], int(self._rows[row]))
        for j, (place, at) in self._due(row).items():
            then = self._plan.rows[at].time
            values[j] = self._inner.outputs(then, state[self._part(place)], int(self._rows[at]))[j]
        return values

    def move(self, start: float, stop: float, state: FloatArray, row: int) -> tuple[FloatArray, FloatArray]:
        """See Propagation."""
        keeps = self._plan.rows[row + 1].keeps
        moved = state.copy()
        if keeps >= 0:
            moved[self._part(keeps)] = state[self._part(-1)]
        else:
            moved[: self._size] = self._inner.move(start, stop, state[: self._size], int(self._rows[row]))[0]
        return moved, self.outputs(stop, moved, row + 1)

    def _part(self, place: int) -> slice:
        """Where a kept state is in the vector; the present one is at -1."""
        return slice((place + 1) * self._size, (place + 2) * self._size)

    def _due(self, row: int) -> dict[int, tuple[int, int]]:
        """The outputs that arrive at a row: in which place their state was kept, and at which row."""
        given = self._plan.rows[row].given
        outputs = range(len(self.problem.outputs))
        return {j: self._plan.due[given, j] for j in outputs if (given, j) in self._plan.due}


class ArrivedRun(FilteredRun):
    """A run with kept states, as it is seen at the rows of the data: the present state alone."""

    def __init__(self, whole: FilteredRun, rows: list[int], size: int) -> None:
        super().__init__(
            predicted=[_present(whole.predicted[k], size) for k in rows],
            filtered=[_present(whole.filtered[k], size) for k in rows],
            innovations=[whole.innovations[k] for k in rows],
        )
        self._whole = whole
        self._rows = rows
        self._size = size

    def backward(self) -> list[Gaussian]:
        """See FilteredRun."""
        found = self._whole.backward()
        return [_present(found[k], self._size) for k in self._rows]


def _present(state: Gaussian, size: int) -> Gaussian:
    return Gaussian(state.mean[:size], state.root[:size])
