"""What the data say nothing about: directions of the start that no measurement depends on."""

from __future__ import annotations

import numpy as np

from tellegen.analyses.estimation.filtered_run import FilteredRun
from tellegen.analyses.estimation.problem import Problem

_NOTHING = 1e-3  # of a standard deviation of the start: so much less is known after all data
_PART = 0.3  # of a direction of length one: components that count


def unobservable(problem: Problem, run: FilteredRun) -> tuple[tuple[str, ...], ...]:
    """Names that only occur together in what was measured, or not at all; one group for each direction.

    Outputs by what is estimated at the start, in units of both noises: small singular values are such directions.
    """
    known = np.flatnonzero(problem.sigma > 0.0)
    if not len(known):
        return ()
    from_start = np.eye(len(problem.mean))  # kept states of late measurements follow the others
    rows = [np.zeros((1, len(problem.mean)))]
    for k, by_state in enumerate(run.by_state):
        rows.append(by_state @ from_start)
        if k < len(run.steps):
            from_start = run.steps[k].transition @ from_start
    seen = np.vstack(rows)[:, known] * problem.sigma[known]
    _, values, directions = np.linalg.svd(seen)
    values = np.concatenate([values, np.zeros(len(known) - len(values))])
    groups = []
    for value, direction in zip(values, directions, strict=True):
        if value < _NOTHING:
            groups.append(tuple(problem.names[known[k]] for k in np.flatnonzero(np.abs(direction) > _PART)))
    return tuple(groups)
