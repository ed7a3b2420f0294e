"""Where the variance of an output comes from: Sobol's indices, by Saltelli's runs and estimators (SALib).

S1 is the part of the variance that a parameter makes by itself, ST the part it takes part in; they differ by what it
does together with others. I. M. Sobol (2001), A. Saltelli et al. (2010).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.analyses.executors.cluster import missing
from tellegen.errors import DesignError, NumericError
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.sheet import Result, Table

if TYPE_CHECKING:
    from tellegen.analyses.studies.study_result import Study

SALTELLI = "Saltelli"


@dataclass(frozen=True, eq=False, repr=False)
class SobolIndices(Result):
    """`table` has S1 and ST of every parameter with half the width of their confidence intervals."""

    output: str
    table: Any
    confidence: float

    def __getitem__(self, column: str) -> Any:
        return self.table[column]

    def to_pandas(self) -> Any:
        """The table."""
        return self.table.copy()

    def _title(self) -> str:
        return f"SobolIndices of {self.output}: {len(self.table)} parameters ({self.confidence:.0%} intervals)"

    def _page(self) -> list[Table | str]:
        rows = [(str(name), *(f"{value:.4f}" for value in row)) for name, *row in self.table.itertuples()]
        return [Table(("", *map(str, self.table.columns)), rows)]

    def plot(self) -> Any:
        """Bars with their intervals."""
        from tellegen.analyses.studies.study_plot import plot_indices

        return plot_indices(self)


def saltelli_cube(parameters: int, n: int, seed: int) -> FloatArray:
    """The runs in the unit cube: n*(parameters + 2), in the order the estimators need."""
    sample, _ = _salib()
    return np.asarray(sample(_problem(parameters), n, calc_second_order=False, seed=seed))


def indices_of(study: Study, output: str | None, confidence: float) -> SobolIndices:
    """The indices of an output that is one number."""
    location = here()
    _, analyze = _salib()
    if study.kind != SALTELLI:
        what = f"Sobol indices need the runs of tg.saltelli, but these are of a {study.kind}"
        advice = "tg.study(model, tg.saltelli({...}, 256), outputs=[...]).sobol_indices()"
        raise DesignError("E608", what, location=location, advice=advice)
    numbers = [name for name in study.outputs if study[name].dims == ("run",)]
    if output is None and len(numbers) == 1:
        output = numbers[0]
    if output not in numbers:
        what = "name one output" if output is None else f"'{output}' is not an output that is a single number"
        have = f"such outputs are: {', '.join(numbers)}" if numbers else "there are none: outputs=['final(load.w)']"
        raise DesignError("E608", what, location=location, advice=have)
    values = study[output].values
    bad = int((~np.isfinite(values)).sum())
    if bad:
        what = f"{bad} of {len(values)} runs have no '{output}', and the indices need all of them"
        advice = "study.failures() gives the reasons; narrow the ranges, or complete the study"
        raise NumericError("E320", what, location=location, advice=advice)
    import pandas as pd

    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        what = f"'{output}' is the same in all runs: there is no variance to attribute"
        raise NumericError("E320", what, location=location, advice="look at another output, or widen the ranges")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = analyze(_problem(len(study.variables)), values, calc_second_order=False, conf_level=confidence, seed=0)
    columns = {"S1": "S1", "S1_conf": "S1 ±", "ST": "ST", "ST_conf": "ST ±"}
    table = pd.DataFrame({title: found[key] for key, title in columns.items()}, index=list(study.variables))
    return SobolIndices(output, table, confidence)


def _problem(parameters: int) -> dict[str, Any]:
    names = [f"x{k}" for k in range(parameters)]
    return {"num_vars": parameters, "names": names, "bounds": [[0.0, 1.0]] * parameters}


def _salib() -> tuple[Any, Any]:
    try:
        from SALib.analyze import sobol as analyze
        from SALib.sample import sobol as sample
    except ImportError:
        raise missing("SALib", "studies", here(), "all other designs work without it") from None
    return sample.sample, analyze.analyze
