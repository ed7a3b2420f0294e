"""What a calibration found: values with confidence intervals, what they have to do with each other, and what is left.

The covariance is s^2 (J'J)^-1 with the exact Jacobian J of the weighted differences; intervals are Student's. What the
data say nothing about has an infinite interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import f as fisher
from scipy.stats import t as student

from tellegen.analyses.optimization.formulation.search_result import SearchResult
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import signal
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.figure import panels
from tellegen.ir.model import FloatArray
from tellegen.sheet import Table

if TYPE_CHECKING:
    from tellegen.analyses.optimization.calibration.calibrate import Fit

_UNKNOWN = 1e-8  # of the largest singular value: directions the data say nothing about


class Calibrated(SearchResult):
    """`variables` are the values; `low` and `high` the ends of their confidence intervals; `sigma` the noise left."""

    def __init__(self, fit: Fit, x: FloatArray, sigma_known: bool, confidence: float, message: str) -> None:
        residual, jacobian = fit.differences(x)
        self.confidence = confidence
        names = fit.variables.names
        self._fit = fit
        self._x = x
        super().__init__(fit.made, message)
        self.variables = dict(zip(names, x.tolist(), strict=True))
        self.freedom = len(residual) - len(x)
        self.sigma = dict(fit.sigma)
        self.runs = fit.runs
        spread = 1.0 if sigma_known else float(residual @ residual) / self.freedom
        self.covariance = spread * _inverse(jacobian)
        self.deviation = dict(zip(names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))
        factor = float(student.ppf(0.5 + 0.5 * self.confidence, self.freedom))
        self.low = {name: self.variables[name] - factor * self.deviation[name] for name in names}
        self.high = {name: self.variables[name] + factor * self.deviation[name] for name in names}

    @property
    def correlation(self) -> Any:
        """Correlations between the values, a DataFrame: near 1 or -1 the data only determine a combination."""
        import pandas as pd

        deviation = np.sqrt(np.diag(self.covariance))
        names = list(self.variables)
        with np.errstate(invalid="ignore"):
            return pd.DataFrame(self.covariance / np.outer(deviation, deviation), index=names, columns=names)

    def contains(self, values: Mapping[str, float]) -> bool:
        """Whether these values are inside the joint confidence region of all variables (an ellipsoid)."""
        away = np.array([values[name] - self.variables[name] for name in self.variables])
        distance = float(away @ np.linalg.solve(self.covariance, away))
        return distance <= len(away) * float(fisher.ppf(self.confidence, len(away), self.freedom))

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters to simulate with."""
        return dict(self._found.parameters)

    @property
    def initial(self) -> Mapping[str, Any] | str:
        """The start values to simulate with."""
        return self._found.initial or {}

    @cached_property
    def solution(self) -> Solution:
        """The run with the values found, with many points."""
        return self._fit.made.plain.run(self._found.with_points(1000))

    @property
    def _found(self) -> RunRequest:
        """The run with the values found."""
        return self._fit.request.with_values(*self._fit.variables.given(self._x))

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each variable: value, unit, standard deviation and confidence interval."""
        import pandas as pd

        columns = {"value": self.variables, "deviation": self.deviation, "low": self.low, "high": self.high}
        frame = pd.DataFrame(columns).reindex(list(self.variables))
        frame.insert(1, "unit", list(self._fit.variables.units))
        return frame

    def plot(self) -> Any:
        """A matplotlib figure of data and model, a panel for each signal."""
        data = self._fit.data
        response = Response(self.solution)
        count = len(data.columns)
        with panels(count, 1, (8.0, 2.8 * count), sharex=True) as (figure, axes):
            for axis, (name, values) in zip(axes[:, 0], data.columns.items(), strict=True):
                axis.plot(data.time, values, ".", ms=3, color="0.6", label="data")
                for piece in response.pieces:
                    axis.plot(piece.times, response.at(signal(name), piece, piece.times).value, color="C0", lw=1.5)
                axis.set_ylabel(name)
            axes[-1, 0].set_xlabel("time [s]")
        return figure

    def _title(self) -> str:
        end = f"; not finished: {self.message}" if self.message else ""
        counts = f"{len(self.variables)} variables, {self.freedom} degrees of freedom, {self.runs} runs"
        return f"Calibrated {self.name}: {counts}{end}"

    def _page(self) -> list[Table | str]:
        own = self._fit.variables
        rows = []
        for (name, value), unit, low, high in zip(self.variables.items(), own.units, own.low, own.high, strict=True):
            close = 1e-4 * (high - low)
            note = "at its bound" if value - low < close or high - value < close else ""
            rows.append((name, f"{value:.6g}", unit, f"{self.low[name]:.6g}", f"{self.high[name]:.6g}", note))
        interval = f"{self.confidence:.0%} from"
        noise = ", ".join(f"{path}: {sigma:.3g}" for path, sigma in self.sigma.items())
        return [Table(("variable", "value", "unit", interval, "to", ""), rows), f"noise left in {noise}"]


def _inverse(jacobian: FloatArray) -> FloatArray:
    """(J'J)^-1; infinite for what the data do not determine."""
    size = np.maximum(np.linalg.norm(jacobian, axis=0), 1e-300)
    _, values, rows = np.linalg.svd(jacobian / size, full_matrices=False)
    known = values > _UNKNOWN * values[0]
    scaled = (rows[known].T / values[known] ** 2) @ rows[known]
    out = scaled / np.outer(size, size)
    lost = (np.abs(rows[~known]) > 1e-3).any(axis=0)
    out[lost, lost] = np.inf
    return out
