"""The extended and the unscented Kalman filter, both in square-root form.

The extended one moves the covariance with the transition matrix of the run (exact for linear models); the unscented one
runs the model from 2n+1 points that have mean and covariance of the estimate (Julier and Uhlmann, 1997, with
kappa = 1, so that all weights are positive), and adds half of the noise before and half after each interval.
"""

from __future__ import annotations

import numpy as np

from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.problem import Problem
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.analyses.estimation.square_root import Gaussian, Innovation, Step, inverse_root, lower, measured
from tellegen.ir.model import FloatArray

_KAPPA = 1.0


def extended(propagation: Propagation) -> FilteredRun:
    """The extended Kalman filter."""
    problem = propagation.problem
    out = FilteredRun()
    state = start_of(problem)
    for k, time in enumerate(problem.time):
        seen = ~np.isnan(problem.values[k])
        outputs = propagation.look(float(time), state.mean, k)
        difference = problem.values[k, seen] - outputs.values[seen]
        after, innovation = measured(state, difference, outputs.by_state[seen], problem.noise[seen])
        out.note(state, after, innovation, outputs.by_state[seen] / problem.noise[seen, None])
        if k + 1 < len(problem.time):
            moved = propagation.predict(float(time), float(problem.time[k + 1]), after.mean, k)
            state = Gaussian(moved.mean, lower(moved.transition @ after.root, moved.noise))
            out.steps.append(Step(after, state, moved.transition, moved.noise))
    return out


def start_of(problem: Problem) -> Gaussian:
    """What is known before any data."""
    return Gaussian(problem.mean, np.diag(problem.sigma))


def unscented(propagation: Propagation) -> FilteredRun:
    """The unscented Kalman filter."""
    problem = propagation.problem
    out = FilteredRun()
    state = start_of(problem)
    for k, time in enumerate(problem.time):
        after, innovation, by_state = _seen(propagation, state, float(time), k)
        out.note(state, after, innovation, by_state)
        if k + 1 < len(problem.time):
            step = _moved(propagation, after, float(time), float(problem.time[k + 1]), k)
            out.steps.append(step)
            state = step.predicted
    return out


def _points(state: Gaussian) -> tuple[FloatArray, FloatArray]:
    """Points as rows and their weights: the mean, and columns of the root on both sides of it."""
    size = len(state.mean)
    reach = np.sqrt(size + _KAPPA) * state.root.T
    points = np.vstack([state.mean, state.mean + reach, state.mean - reach])
    weights = np.full(2 * size + 1, 0.5 / (size + _KAPPA))
    weights[0] = _KAPPA / (size + _KAPPA)
    return points, weights


def _seen(propagation: Propagation, state: Gaussian, time: float, k: int) -> tuple[Gaussian, Innovation, FloatArray]:
    """After the measurements of a time; the regression of outputs on states stands for their derivatives."""
    problem = propagation.problem
    seen = ~np.isnan(problem.values[k])
    if not seen.any():
        return state, Innovation(np.zeros(0), 0.0), np.zeros((0, len(state.mean)))
    points, weights = _points(state)
    values = np.array([propagation.outputs(time, point, k)[seen] for point in points])
    mean = weights @ values
    spread = ((values - mean) * np.sqrt(weights)[:, None]).T
    moved = ((points - state.mean) * np.sqrt(weights)[:, None]).T
    by_state = spread @ moved.T @ inverse_root(state.root).T @ inverse_root(state.root)
    count = int(seen.sum())
    above = np.hstack([np.diag(problem.noise[seen]), spread])
    below = np.hstack([np.zeros((len(state.mean), count)), moved])
    root = lower(np.vstack([above, below]))
    whitened = np.linalg.solve(root[:count, :count], problem.values[k, seen] - mean)
    after = Gaussian(state.mean + root[count:, :count] @ whitened, root[count:, count:])
    surprise = Innovation(whitened, 2.0 * float(np.log(np.diag(root[:count, :count])).sum()))
    return after, surprise, by_state / problem.noise[seen, None]


def _moved(propagation: Propagation, state: Gaussian, start: float, stop: float, k: int) -> Step:
    half = np.sqrt(0.5 * (stop - start)) * np.diag(propagation.problem.walk)
    noisy = Gaussian(state.mean, lower(state.root, half))
    points, weights = _points(noisy)
    ends = np.array([propagation.move(start, stop, point, k)[0] for point in points])
    mean = weights @ ends
    spread = ((ends - mean) * np.sqrt(weights)[:, None]).T
    predicted = Gaussian(mean, lower(spread, half))
    moved = ((points - state.mean) * np.sqrt(weights)[:, None]).T
    inverse = inverse_root(noisy.root)
    transition = spread @ moved.T @ inverse.T @ inverse
    rest = lower(spread - transition @ moved, transition @ half, half)
    return Step(state, predicted, transition, rest)
