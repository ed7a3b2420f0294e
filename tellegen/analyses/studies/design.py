"""Designs: which runs a study makes. A grid of values, or samples that fill a space of ranges and distributions.

    tg.grid({"motor.R": [1, 2, 3], "load.J": [0.01, 0.02]})     6 runs
    tg.latin_hypercube({"motor.R": (1, 3), "load.J": "±10 %"}, 200)

A design is a recipe: numbers are made when a study brings the model, which knows units and own values. The same recipe
gives the same numbers, so that a study can continue where it was interrupted; another `seed` gives others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import DesignError, users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import SourceLocation, here

GRID = "grid"
TABLE = "table"
LATIN = "Latin hypercube"
SOBOL = "Sobol sequence"
MONTE_CARLO = "Monte Carlo"
SALTELLI = "Saltelli"
_MOST_RUNS = 10**8


@dataclass(frozen=True, eq=False)
class Design:
    """`ranges` by path, as written; `unit` are samples of the unit cube, one row for each run, None for levels."""

    kind: str
    ranges: dict[str, Any]
    unit: FloatArray | None
    location: SourceLocation

    def __len__(self) -> int:
        if self.unit is not None:
            return len(self.unit)
        sizes = [np.size(values) for values in self.ranges.values()]
        return sizes[0] if self.kind == TABLE else int(np.prod(sizes))

    def __repr__(self) -> str:
        return f"<Design: {self.kind} of {len(self)} runs over {', '.join(self.ranges)}>"


@users_call
def grid(variables: Mapping[str, Any]) -> Design:
    """Every combination of the values of each path: {"motor.R": [1, 2, 3], "load.J": [0.01, 0.02]} are six runs."""
    return Design(GRID, _checked(variables), None, here())


@users_call
def latin_hypercube(variables: Mapping[str, Any], n: int, *, seed: int = 0) -> Design:
    """`n` runs, one in each n-th part of every range: few runs that say something about every parameter."""
    from scipy.stats import qmc

    ranges = _checked(variables)
    return Design(LATIN, ranges, sampler(qmc.LatinHypercube, len(ranges), seed).random(_count(n)), here())


@users_call
def sobol(variables: Mapping[str, Any], n: int, *, seed: int = 0) -> Design:
    """`n` runs of a scrambled Sobol sequence, which fills the space evenly; best with n = 64, 128, 256, ..."""
    from scipy.stats import qmc

    ranges = _checked(variables)
    return Design(SOBOL, ranges, sampler(qmc.Sobol, len(ranges), seed).random(_count(n)), here())


@users_call
def monte_carlo(variables: Mapping[str, Any], n: int, *, seed: int = 0) -> Design:
    """`n` independent random runs: what tolerances of the parameters do to the outputs."""
    ranges = _checked(variables)
    return Design(MONTE_CARLO, ranges, _generator(seed).random((_count(n), len(ranges))), here())


@users_call
def saltelli(variables: Mapping[str, Any], n: int, *, seed: int = 0) -> Design:
    """The runs that `study.sobol_indices()` needs: n*(k + 2) for k parameters; n = 64, 128, 256, ... Needs SALib."""
    from tellegen.analyses.studies.sobol_indices import saltelli_cube

    ranges = _checked(variables)
    return Design(SALTELLI, ranges, saltelli_cube(len(ranges), _count(n), seed), here())


def designed(variables: Any) -> Design:
    """What a study is given: a design, a dict of values (a grid), or a table with a run in each row."""
    if isinstance(variables, Design):
        return variables
    if hasattr(variables, "columns") and hasattr(variables, "to_dict"):  # a pandas DataFrame
        ranges = {str(name): list(variables[name]) for name in variables.columns}
        return Design(TABLE, _checked(ranges), None, here())
    return Design(GRID, _checked(variables), None, here())


def _checked(variables: Any) -> dict[str, Any]:
    """The paths and what is said about them."""
    advice = "write {'motor.R': [1.0, 2.0, 3.0]}, or a design: tg.latin_hypercube({'motor.R': (1.0, 3.0)}, 100)"
    if not isinstance(variables, Mapping):
        what = f"what to vary is a dict of paths and values, not {variables!r}"
        raise DesignError("E602", what, location=here(), advice=advice)
    if not variables:
        raise DesignError("E602", "nothing is varied: the dict is empty", location=here(), advice=advice)
    if wrong := [path for path in variables if not isinstance(path, str)]:
        raise DesignError("E602", f"a path is a string, not {wrong[0]!r}", location=here(), advice=advice)
    return {path.strip(): values for path, values in variables.items()}


def _count(n: Any) -> int:
    if isinstance(n, int | np.integer) and not isinstance(n, bool) and 1 <= n <= _MOST_RUNS:
        return int(n)
    raise DesignError(
        "E602", f"n is the number of runs, from 1 to {_MOST_RUNS:g}, not {n!r}", location=here(), advice="n=256"
    )


def _generator(seed: Any) -> np.random.Generator:
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool) and seed >= 0:
        return np.random.default_rng(seed)
    what = f"seed is an integer ≥ 0, which makes the same samples again, not {seed!r}"
    raise DesignError("E602", what, location=here(), advice="seed=1")


def sampler(kind: Any, dimensions: int, seed: int) -> Any:
    """A sampler of SciPy; the keyword for its random numbers has two names."""
    generator = _generator(seed)
    try:
        return kind(dimensions, rng=generator)
    except TypeError:
        return kind(dimensions, seed=generator)
