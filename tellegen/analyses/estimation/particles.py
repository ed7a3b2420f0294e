"""The particle filter: many runs with noise, weighted by how well they agree with what was measured.

Particles are drawn again in proportion to their weights where few carry most of it (systematic resampling; Gordon,
Salmond and Smith, 1993). Those drawn several times are moved apart by a kernel that keeps mean and covariance (Liu and
West, 2001), or parameters would be left with a few values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.problem import Problem
from tellegen.analyses.estimation.propagation import Propagation
from tellegen.analyses.estimation.square_root import Gaussian, Innovation, Step, inverse_root, lower
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray

_FEW = 0.5  # of the particles: fewer effective ones are drawn again
_HARDLY_ANY = 3.0  # effective particles: their mean and spread say nothing


def particle_filter(propagation: Propagation, count: int, seed: int) -> FilteredRun:
    """Means and covariances of the particles."""
    problem = propagation.problem
    rng = np.random.default_rng(seed)
    particles = problem.mean + problem.sigma * rng.normal(size=(count, len(problem.mean)))
    weights = np.full(count, 1.0 / count)
    values = np.array([propagation.outputs(float(problem.time[0]), each, 0) for each in particles])
    out = FilteredRun()
    fewest, when = float(count), 0.0
    for k, time in enumerate(problem.time):
        before = _moments(particles, weights)
        weights, innovation = _weighted(problem, k, values, weights)
        effective = 1.0 / float(weights @ weights)
        if effective < fewest:
            fewest, when = effective, float(time)
        after = _moments(particles, weights)
        out.note(before, after, innovation, np.zeros((0, len(problem.mean))))
        if k + 1 == len(problem.time):
            break
        if effective < _FEW * count:
            particles = _moved_apart(particles[_drawn(weights, rng)], after, rng)
            weights = np.full(count, 1.0 / count)
        width = float(problem.time[k + 1] - time)
        noisy = particles + np.sqrt(width) * problem.walk * rng.normal(size=particles.shape)
        moved = [propagation.move(float(time), float(problem.time[k + 1]), each, k) for each in noisy]
        ends = np.array([state for state, _ in moved])
        out.steps.append(_step(particles, ends, weights))
        particles = ends
        values = np.array([outputs for _, outputs in moved])
    if fewest < min(_HARDLY_ANY, count):
        warn_user(
            f"at t = {when:.4g} only {fewest:.2g} of {count} particles agree with what was measured, "
            "so their mean and deviation say nothing; give more particles, more noise, or other start values"
        )
    return out


def _moments(particles: FloatArray, weights: FloatArray) -> Gaussian:
    mean = weights @ particles
    return Gaussian(mean, lower(((particles - mean) * np.sqrt(weights)[:, None]).T))


def _weighted(problem: Problem, k: int, values: FloatArray, weights: FloatArray) -> tuple[FloatArray, Innovation]:
    seen = ~np.isnan(problem.values[k])
    if not seen.any():
        return weights, Innovation(np.zeros(0), 0.0)
    noise = problem.noise[seen]
    error = (problem.values[k, seen] - values[:, seen]) / noise
    logs = np.log(np.maximum(weights, 1e-300)) - 0.5 * (error**2).sum(axis=1)
    likely = np.exp(logs - logs.max())
    mean = weights @ values[:, seen]
    spread = ((values[:, seen] - mean) * np.sqrt(weights)[:, None]).T
    root = lower(np.diag(noise), spread)
    whitened = np.linalg.solve(root, problem.values[k, seen] - mean)
    return likely / likely.sum(), Innovation(whitened, 2.0 * float(np.log(np.diag(root)).sum()))


def _drawn(weights: FloatArray, rng: np.random.Generator) -> Any:
    count = len(weights)
    places = (rng.random() + np.arange(count)) / count
    return np.minimum(np.searchsorted(np.cumsum(weights), places), count - 1)


def _moved_apart(particles: FloatArray, like: Gaussian, rng: np.random.Generator) -> FloatArray:
    count, size = particles.shape
    width = (4.0 / ((size + 2.0) * count)) ** (1.0 / (size + 4.0))
    mean = particles.mean(axis=0)
    kept = np.sqrt(max(1.0 - width**2, 0.0)) * (particles - mean)
    return mean + kept + width * rng.normal(size=particles.shape) @ like.root.T


def _step(particles: FloatArray, ends: FloatArray, weights: FloatArray) -> Step:
    """The regression of where particles end on where they were: what the smoother needs."""
    before = _moments(particles, weights)
    after = _moments(ends, weights)
    moved = ((particles - before.mean) * np.sqrt(weights)[:, None]).T
    spread = ((ends - after.mean) * np.sqrt(weights)[:, None]).T
    inverse = inverse_root(before.root)
    transition = spread @ moved.T @ inverse.T @ inverse
    return Step(before, after, transition, lower(spread - transition @ moved))
