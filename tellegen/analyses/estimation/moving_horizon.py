"""Moving-horizon estimation: least squares over the last measurements, solved again at each of them.

    min  |S^-1 (x_j - prior)|^2 + sum |w_k|^2_Q^-1 + sum |y_k - h(x_k)|^2_R^-1      x_k+1 = f(x_k) + w_k,  k = j ... now

A step of Gauss and Newton is a linear filter and smoother along the present trajectory (Bell, 1994), so the exact
derivatives of the runs and the square roots of the filters serve here too. The prior of a window is what was
predicted when its first measurement was the next one; with a window as long as the data it is the full problem.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.kalman_filters import start_of
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.analyses.estimation.square_root import Gaussian, Step, lower, measured
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray

_ITERATIONS = 20
_CONVERGED = 1e-6  # of the standard deviations


def moving_horizon(propagation: Propagation, window: int) -> FilteredRun:
    """The estimates at the end of each window."""
    problem = propagation.problem
    out = FilteredRun()
    priors = [start_of(problem)]
    trajectory: list[FloatArray] = []
    for k in range(len(problem.time)):
        first = max(0, k - window + 1)
        trajectory.append(priors[k].mean)
        found = _solved(propagation, priors[first], first, trajectory[first:])
        trajectory[first:] = [each.mean for each in found.smoothed]
        last = found.run
        out.note(priors[k], last.filtered[-1], last.innovations[-1], last.by_state[-1])
        if k + 1 < len(problem.time):
            now = out.filtered[-1]
            moved = propagation.predict(float(problem.time[k]), float(problem.time[k + 1]), now.mean, k)
            ahead = Gaussian(moved.mean, lower(moved.transition @ now.root, moved.noise))
            out.steps.append(Step(now, ahead, moved.transition, moved.noise))
            priors.append(ahead)
    return out


@dataclass(frozen=True, eq=False)
class Window:
    """The last linear filter along the trajectory, and the trajectory."""

    run: FilteredRun
    smoothed: list[Gaussian]


def _solved(propagation: Propagation, prior: Gaussian, first: int, guess: list[FloatArray]) -> Window:
    """The least squares of one window, from a guess of its trajectory."""
    trajectory = guess
    for _ in range(_ITERATIONS):
        run = _linear(propagation, prior, first, trajectory)
        found = run.backward()
        change = max(
            float(np.max(np.abs(each.mean - old) / np.where(each.sigma > 0.0, each.sigma, np.inf), initial=0.0))
            for each, old in zip(found, trajectory, strict=True)
        )
        trajectory = [each.mean for each in found]
        if change < _CONVERGED:
            return Window(run, found)
    warn_user(f"the horizon that ends at t = {propagation.problem.time[first + len(guess) - 1]:g} has not converged")
    return Window(run, found)  # pyright: ignore[reportPossiblyUnboundVariable]


def _linear(propagation: Propagation, prior: Gaussian, first: int, trajectory: list[FloatArray]) -> FilteredRun:
    """The filter of the model linearized along a trajectory."""
    problem = propagation.problem
    out = FilteredRun()
    state = prior
    for place, at in enumerate(trajectory):
        k = first + place
        seen = ~np.isnan(problem.values[k])
        outputs = propagation.look(float(problem.time[k]), at, k)
        by_state = outputs.by_state[seen]
        expected = outputs.values[seen] + by_state @ (state.mean - at)
        after, innovation = measured(state, problem.values[k, seen] - expected, by_state, problem.noise[seen])
        out.note(state, after, innovation, by_state / problem.noise[seen, None])
        if place + 1 < len(trajectory):
            moved = propagation.predict(float(problem.time[k]), float(problem.time[k + 1]), at, k)
            mean = moved.mean + moved.transition @ (after.mean - at)
            state = Gaussian(mean, lower(moved.transition @ after.root, moved.noise))
            out.steps.append(Step(after, state, moved.transition, moved.noise))
    return out
