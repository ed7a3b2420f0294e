"""The spread of numbers by samples: standard deviations and yields, each with a confidence interval.

The interval of a variance is D. G. Bonett's (2006), which holds for distributions that are not normal as well; that
of a yield is Wilson's (1927). Both are meant for independent samples. A Latin hypercube is at least as exact (M. Stein,
1987), so there the intervals are on the safe side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest, norm, trim_mean

from tellegen.analyses.performance.expression import Constraint
from tellegen.analyses.robust.toleranced_runs import Runs
from tellegen.analyses.robust.tolerances import Tolerances, wrong
from tellegen.analyses.studies.design import LATIN, MONTE_CARLO, latin_hypercube, monte_carlo
from tellegen.analyses.studies.study_result import Study
from tellegen.errors import nearest
from tellegen.ir.model import FloatArray

SAMPLING = {"monte_carlo": (monte_carlo, MONTE_CARLO), "latin_hypercube": (latin_hypercube, LATIN)}
_FEW = 8  # samples below which nothing can be said
_INSIDE = 2.0**-40


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number from samples with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} ... {self.high:.4g})"


@dataclass(frozen=True, eq=False)
class Samples:
    """`study` has all runs; statistics are over those that gave a number."""

    study: Study
    mean: dict[str, float]
    sigma: dict[str, Estimate]
    _values: FloatArray  # a row for each run
    _rows: tuple[int, ...]
    _limits: tuple[Constraint, ...]

    def yield_of(self, limits: Sequence[Constraint]) -> Estimate:
        """The part of the runs inside the limits; a run that failed is outside."""
        good = np.ones(len(self._values), bool)
        for limit in limits:
            values = self._values[:, self._rows[self._limits.index(limit)]]
            good &= (values >= limit.low) & (values <= limit.high)
        found = binomtest(int(good.sum()), len(good))
        interval = found.proportion_ci(0.95, "wilson")
        return Estimate(float(good.mean()), float(interval.low), float(interval.high))

    def beyond(self, name: str, low: float, high: float) -> bool:
        """Whether a sample lies outside these values."""
        values = self.study[name].values
        slack = 1e-6 * (high - low)
        return bool(((values < low - slack) | (values > high + slack)).any())


def sampled(runs: Runs, samples: int, sampling: str, seed: int) -> Samples:
    """As many runs with parameters drawn from their distributions."""
    if sampling not in SAMPLING:
        what = f"there is no sampling {sampling!r}; {nearest(str(sampling), SAMPLING)}"
        raise wrong(what, f"one of {', '.join(map(repr, SAMPLING))}", "E654")
    if isinstance(samples, bool) or not isinstance(samples, int | np.integer) or samples < _FEW:
        what = f"samples is the number of runs, at least {_FEW}, not {samples!r}"
        raise wrong(what, "samples=500; samples=0 for the first-order prediction only", "E654")
    make, kind = SAMPLING[sampling]
    recipe = make(dict.fromkeys(runs.tolerances.names, (0.0, 1.0)), int(samples), seed=seed)
    assert recipe.unit is not None
    study = runs.many(cube=correlated(recipe.unit, runs.tolerances), kind=kind)
    names = runs.numbers.names
    values = np.column_stack([study[name].values for name in names])
    good = [column[np.isfinite(column)] for column in values.T]
    return Samples(
        study,
        {name: float(column.mean()) if len(column) else np.nan for name, column in zip(names, good, strict=True)},
        {name: deviation(column) for name, column in zip(names, good, strict=True)},
        values,
        tuple(runs.numbers.row(limit) for limit in runs.numbers.limits),
        runs.numbers.limits,
    )


def correlated(cube: FloatArray, tolerances: Tolerances) -> FloatArray:
    """Samples of the unit cube that make normal parameters correlated as asked."""
    if np.array_equal(tolerances.correlation, np.eye(len(tolerances.names))):
        return cube
    almost = tolerances.correlation + 1e-12 * np.eye(cube.shape[1])  # so that a correlation of one has a root
    scores: Any = norm.ppf(np.clip(cube, _INSIDE, 1.0 - _INSIDE))
    return norm.cdf(scores @ np.linalg.cholesky(almost).T)


def deviation(values: FloatArray, confidence: float = 0.95) -> Estimate:
    """The standard deviation with Bonett's interval."""
    n = len(values)
    if n < _FEW:
        return Estimate(np.nan, np.nan, np.nan)
    variance = float(values.var(ddof=1))
    if variance == 0.0:
        return Estimate(0.0, 0.0, 0.0)
    z = float(norm.ppf(0.5 + 0.5 * confidence))
    about = values - trim_mean(values, 1.0 / (2.0 * np.sqrt(n - 4.0)))
    kurtosis = n * float((about**4).sum()) / float((variance * (n - 1)) ** 2)
    correction = n / (n - z)
    wide = z * correction * np.sqrt(max(kurtosis - (n - 3.0) / n, 0.0) / (n - 1.0))
    return Estimate(
        float(np.sqrt(variance)),
        float(np.sqrt(correction * variance * np.exp(-wide))),
        float(np.sqrt(correction * variance * np.exp(wide))),
    )
