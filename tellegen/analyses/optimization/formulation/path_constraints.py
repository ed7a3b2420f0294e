"""Limits that hold along the whole run, for searches of signals:  peak(v) <= 1.2  at many instants instead of one.

A signal has many values, and at its optimum a curve often stays at its limit for a while. The peak alone would give a
method of one instant at a time, each time of another; so methods see the curve at the corners of the pieces and between
them, and whenever it still goes beyond its limit elsewhere, the instants where it does are added and the search goes
on (the exchange method of semi-infinite programming, R. Hettich and K. O. Kortanek, SIAM Review 35, 1993). Whether a
run keeps the limit is judged by the true peak.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.analyses.optimization.formulation.driven_model import DrivenModel
from tellegen.analyses.optimization.formulation.evaluation import FEASIBLE
from tellegen.analyses.optimization.formulation.problem import Problem
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Constraint, Performance, shown
from tellegen.analyses.performance.extremes import Extreme
from tellegen.analyses.performance.instants import Value
from tellegen.analyses.performance.response import Response
from tellegen.ir.model import FloatArray

ROUNDS = 6
_PER_PIECE = 2


@dataclass(frozen=True, eq=False)
class Instant(Performance):
    """A part of the way from the start to the end of the run, which moves with the end."""

    part: float

    def evaluate(self, response: Response) -> Dual:
        """The time."""
        first = response.start
        last = response.stop
        return first + self.part * (last - first)


def along_paths(constraints: tuple[Constraint, ...], driven: DrivenModel) -> tuple[list[Constraint], list[Constraint]]:
    """What methods see in the place of constraints, and those that are judged by their peaks."""
    seen: list[Constraint] = []
    paths: list[Constraint] = []
    pieces = max((drive.pieces for drive in driven.drives), default=0)
    for each in constraints:
        if not pieces or not _is_path(each):
            seen.append(each)
            continue
        paths.append(each)
        count = _PER_PIECE * pieces
        seen += [_at(each, k / count) for k in range(1, count)]
        seen.append(_at(each, 1.0))
    return seen, paths


def _is_path(constraint: Constraint) -> bool:
    """peak(...) <= limit or lowest(...) >= limit of the whole run."""
    extreme = constraint.performance
    if not isinstance(extreme, Extreme) or extreme.want_time or (extreme.start, extreme.stop) != (None, None):
        return False
    return bool(np.isinf(constraint.low) if extreme.sign > 0 else np.isinf(constraint.high))


def _at(constraint: Constraint, part: float, before: bool = False) -> Constraint:
    extreme = constraint.performance
    assert isinstance(extreme, Extreme)
    at = None if part >= 1.0 else Instant(part)
    return replace(constraint, performance=Value(extreme.curve, at, before, extreme.text))


def add_instants(problem: Problem, since: int) -> FloatArray | None:
    """Ask for the limits also where the optimum of the runs `since` then goes beyond them; None where it keeps them.

    The optimum is that of the limits asked for: its values are returned, for the search to continue from.
    """
    runs = [each for each in problem.history[since:] if not each.failed]
    if not runs or not problem.asked.paths:
        return None
    best = min(runs, key=lambda each: (max(each.seen_violation, FEASIBLE), each.objective))
    if best.violation <= FEASIBLE:
        return None
    run = problem.made.plain.run(problem.request_at(best.x))
    response = shown([path.performance for path in problem.asked.paths], Response(run))
    more = [each for path in problem.asked.paths for each in _beyond(path, response)]
    if not more:
        return None
    problem.ask(more)
    return best.x


def _beyond(path: Constraint, response: Response) -> Any:
    """The limit at the peaks of all pieces that go beyond it."""
    extreme = path.performance
    assert isinstance(extreme, Extreme)
    limit = path.high if extreme.sign > 0 else path.low
    first = float(response.start.value)
    last = float(response.stop.value)
    for t, height, ends in extreme.of_pieces(response):
        if height - extreme.sign * limit > 0.1 * FEASIBLE * (abs(limit) or 1.0):
            yield _at(path, (t - first) / (last - first), before=t == ends[1])
