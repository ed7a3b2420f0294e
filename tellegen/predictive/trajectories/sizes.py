"""How large what is searched, reached, limited and paid for is: in these units all numbers of a search are about one.

A state that starts and ends at zero is as large as the inputs can make it: by what one interval does to it, in all of
them. Where inputs act on it through other states alone, these count with their sizes.
"""

from __future__ import annotations

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.predictive.intervals import Ends, Intervals
from tellegen.predictive.trajectories.problem import TrajectoryProblem
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Sizes:
    """In declared units; nothing is zero."""

    states: FloatArray
    inputs: FloatArray
    length: float  # of an interval
    ends: FloatArray
    limits: FloatArray
    cost: float

    def of_unknowns(self, count: int) -> FloatArray:
        """Of states at the ends of so many intervals, of inputs in them, and of their length."""
        return np.concatenate([np.tile(self.states, count), np.tile(self.inputs, count), [self.length]])


def sizes_of(problem: TrajectoryProblem, intervals: Intervals, states: FloatArray, held: FloatArray) -> Sizes:
    """From a first guess of states (the start first) and of what is held: inputs, then the length of an interval."""
    length = float(held[0, -1])
    given = problem.given
    span = 0.5 * (given.high - given.low)
    inputs = _one_for_zero(np.where(np.isfinite(span), span, np.abs(held[:, :-1]).max(axis=0)))
    guessed = np.abs(states).max(axis=0)
    found = intervals.run(states[:-1], held)
    reached = problem.count * _moved_by_inputs(found, inputs)
    count = len(guessed)
    by_states = problem.count * _largest(found.by_state)
    own = np.where(guessed > 0.0, guessed, reached[:count])
    for _ in range(count):
        np.fill_diagonal(by_states[:count], 0.0)
        own = np.where(own > 0.0, own, (by_states[:count] * own).max(axis=1, initial=0.0))
    own = _one_for_zero(own)
    outputs = np.maximum(reached[count:], (_largest(found.by_state)[count:] * own).max(axis=1, initial=0.0))
    first = len(problem.reached)
    least = outputs[first : first + len(problem.least)]
    bounds = np.array([problem.lowest, problem.highest])
    limits = np.where(np.isfinite(bounds), np.abs(bounds), 0.0).max(axis=0)
    ends = np.maximum(np.abs(problem.ends), _at_start(problem, intervals, states[0]))
    duration = problem.count * length
    cost = problem.of_time * duration + duration * float(problem.effort @ inputs**2) + float(least.sum())
    return Sizes(
        states=own,
        inputs=inputs,
        length=length,
        ends=_first_above_zero(ends, outputs[:first]),
        limits=_first_above_zero(limits, outputs[first + len(problem.least) :]),
        cost=cost or 1.0,
    )


def _at_start(problem: TrajectoryProblem, intervals: Intervals, start: FloatArray) -> FloatArray:
    """How large what has a value at the end is at the start, where it is a state."""
    names = intervals.states
    return np.array([abs(start[names.index(path)]) if path in names else 0.0 for path in problem.reached])


def _moved_by_inputs(found: Ends, inputs: FloatArray) -> FloatArray:
    return (_largest(found.by_input)[:, : len(inputs)] * inputs).max(axis=1, initial=0.0)


def _largest(slopes: FloatArray) -> FloatArray:
    """Of all intervals that could be run."""
    return np.where(np.isfinite(slopes), np.abs(slopes), 0.0).max(axis=0, initial=0.0)


def _first_above_zero(known: FloatArray, otherwise: FloatArray) -> FloatArray:
    return _one_for_zero(np.where(known > 0.0, known, otherwise))


def _one_for_zero(found: FloatArray) -> FloatArray:
    return np.where(found > 0.0, found, 1.0)
