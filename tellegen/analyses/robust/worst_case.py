"""The worst case: how far a number can go when every parameter may be anywhere in its band.

    "corner"      each parameter at the end of its band that the gradient points to: two runs for each number
    "vertices"    every combination of ends, 2^n runs
    "search"      a search inside the whole band, with exact gradients, from the worst corner

Values are always those of runs, never extrapolated. A corner is the worst case where the number rises or falls with
each parameter all over the band; for others there is the search. Of a normal distribution the band is three sigma.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tellegen.analyses.optimization.algorithms.gradient_based import Limits, slsqp
from tellegen.analyses.robust.toleranced_runs import Runs, values_of
from tellegen.analyses.robust.tolerances import wrong
from tellegen.errors import nearest
from tellegen.ir.model import FloatArray

WAYS = ("corner", "vertices", "search")
_MOST = 12  # parameters whose vertices are run


@dataclass(frozen=True, eq=False)
class Extreme:
    """A value, the parameters at which a run has it, and what first order says about this point."""

    value: float
    at: dict[str, float]
    first_order: float


@dataclass(frozen=True, eq=False)
class WorstCase:
    """The lowest and the highest value of a number; `failed` lists failed runs at corners."""

    low: Extreme
    high: Extreme
    failed: tuple[str, ...] = ()

    @property
    def nonlinearity(self) -> float:
        """How far first order is off at the two points, as a part of half the span."""
        span = 0.5 * (self.high.value - self.low.value)
        off = max(abs(end.value - end.first_order) for end in (self.low, self.high))
        return off / span if span > 0.0 else 0.0


class _Tried:
    """Points of the band with all numbers there."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self.points = [runs.tolerances.nominal]
        self.values = [values_of(runs.nominal)]
        self.failed: list[str] = []

    def add(self, x: FloatArray) -> None:
        """Run it."""
        found = self.runs.at(x)
        if found.failed:
            self.failed.append(found.failed)
            return
        self.points.append(x)
        self.values.append(values_of(found))

    def best(self, row: int, sign: float) -> FloatArray:
        """Where the number is smallest (sign = 1) or largest so far."""
        return self.points[int(np.argmin([sign * values[row] for values in self.values]))]

    def extreme(self, row: int, sign: float) -> Extreme:
        """The same as an error."""
        runs = self.runs
        x = self.best(row, sign)
        value = min(self.values, key=lambda values: sign * values[row])[row]
        linear = self.values[0][row] + float(runs.gradient[row] @ (x - runs.tolerances.nominal))
        return Extreme(float(value), dict(zip(runs.tolerances.names, x.tolist(), strict=True)), float(linear))


def worst_cases(runs: Runs, way: str) -> dict[str, WorstCase]:
    """For every number its lowest and highest value in the band."""
    if way not in WAYS:
        raise wrong(f"there is no worst={way!r}; {nearest(str(way), WAYS)}", "worst='corner' or None", "E654")
    tried = _Tried(runs)
    for x in _corners(runs):
        tried.add(x)
    if way == "vertices":
        _all_vertices(runs, tried)
    if way == "search":
        for row in range(len(runs.numbers.functions)):
            for sign in (1.0, -1.0):
                problem = runs.searched(row, sign)
                slsqp(problem, tried.best(row, sign), Limits())
                if problem.best is not None:
                    tried.add(problem.best.x)
    failed = tuple(dict.fromkeys(tried.failed))
    return {
        name: WorstCase(tried.extreme(row, 1.0), tried.extreme(row, -1.0), failed)
        for row, name in enumerate(runs.numbers.names)
    }


def _corners(runs: Runs) -> list[FloatArray]:
    """Where the gradients of the numbers point to, and the opposite corners."""
    tolerances = runs.tolerances
    found = []
    for slope in runs.gradient:
        way = np.where(slope < 0, -1.0, 1.0)
        found += [tolerances.nominal + way * tolerances.half, tolerances.nominal - way * tolerances.half]
    return list({x.tobytes(): x for x in found}.values())


def _all_vertices(runs: Runs, tried: Any) -> None:
    tolerances = runs.tolerances
    n = len(tolerances.names)
    if n > _MOST:
        what = f"{n} parameters have {2**n} vertices"
        raise wrong(what, f"worst='search'; vertices are for at most {_MOST} parameters", "E654")
    ends = np.array(list(product((-1.0, 1.0), repeat=n)))
    study = runs.many(values=tolerances.nominal + ends * tolerances.half)
    values = np.column_stack([study[name].values for name in runs.numbers.names])
    for x, row, reason in zip(tolerances.nominal + ends * tolerances.half, values, study["reason"].values, strict=True):
        if np.isfinite(row).all():
            tried.points.append(x)
            tried.values.append(row)
        else:
            tried.failed.append(str(reason))
