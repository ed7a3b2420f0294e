"""What a calibration found: values with confidence intervals, what they have to do with each other, and what is left.

The covariance is s^2 (J'J)^-1 with the exact Jacobian J of the weighted differences; intervals are Student's. What the
data say nothing about has an infinite interval. Where the model does not fit there are none: they would say how exact
the values of a wrong model are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import f as fisher
from scipy.stats import t as student

from tellegen.analyses.optimization.calibration.goodness import judged, residuals
from tellegen.analyses.optimization.formulation.search_result import SearchResult
from tellegen.analyses.performance.response import Response
from tellegen.analyses.performance.signal_expressions import signal
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest, users_call
from tellegen.figure import panels
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.ir.source_location import here
from tellegen.sheet import Table

if TYPE_CHECKING:
    from tellegen.analyses.optimization.calibration.calibrate import Fit

_KINDS = ("curves", "residuals")
_AT_BOUND = 1e-4  # of the distance between the bounds
_UNKNOWN = 1e-8  # of the largest singular value: directions the data say nothing about


class Calibrated(SearchResult):
    """`variables` are the values; `low` and `high` the ends of their confidence intervals; `sigma` the noise left.

    `goodness` says how well the model fits. Intervals are not numbers where they would mean nothing: all of them where
    the model does not fit, that of a value at its bound otherwise.
    """

    def __init__(self, fit: Fit, x: FloatArray, sigma_known: bool, confidence: float, message: str) -> None:
        residual, jacobian = fit.differences(x)
        self.confidence = confidence
        names = fit.variables.names
        self._fit = fit
        self._x = x
        self._ended = message
        self.goodness = judged(fit, x, sigma_known)
        super().__init__(fit.made, message or ("" if self.goodness.fits else self.goodness.doubt))
        self.variables = dict(zip(names, x.tolist(), strict=True))
        self.freedom = len(residual) - len(x)
        self.sigma = self.goodness.noise
        self.sigma_given = dict(fit.sigma) if sigma_known else None
        self.runs = fit.runs
        spread = 1.0 if sigma_known else float(residual @ residual) / self.freedom
        self.covariance = self._covariance(jacobian, spread)
        self.deviation = dict(zip(names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))
        factor = float(student.ppf(0.5 + 0.5 * self.confidence, self.freedom))
        self.low = {name: self.variables[name] - factor * self.deviation[name] for name in names}
        self.high = {name: self.variables[name] + factor * self.deviation[name] for name in names}

    def _covariance(self, jacobian: FloatArray, spread: float) -> FloatArray:
        """Of values between their bounds; not a number where it would mean nothing."""
        out = np.full((len(self._x), len(self._x)), np.nan)
        free = np.flatnonzero(~self._at_bound)
        if self.goodness.fits and len(free):
            out[free[:, None], free] = spread * _inverse(jacobian[:, free])
        return out

    @property
    def _at_bound(self) -> BoolArray:
        own = self._fit.variables
        close = _AT_BOUND * (own.high - own.low)
        return (self._x - own.low < close) | (own.high - self._x < close)

    @property
    def correlation(self) -> Any:
        """Correlations between the values, a DataFrame: near 1 or -1 the data only determine a combination."""
        import pandas as pd

        deviation = np.sqrt(np.diag(self.covariance))
        names = list(self.variables)
        with np.errstate(invalid="ignore"):
            return pd.DataFrame(self.covariance / np.outer(deviation, deviation), index=names, columns=names)

    def contains(self, values: Mapping[str, float]) -> bool:
        """Whether these values are inside the joint confidence region (an ellipsoid) of all variables off their bounds.

        Nothing is where the model does not fit.
        """
        free = np.flatnonzero(~self._at_bound)
        if not self.goodness.fits or not len(free):
            return False
        away = np.array([values[name] - self.variables[name] for name in self.variables])[free]
        distance = float(away @ np.linalg.solve(self.covariance[free[:, None], free], away))
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

    @users_call
    def plot(self, kind: str = "curves") -> Any:
        """A matplotlib figure, a panel for each signal: "curves" (data and model) or "residuals" (model minus data)."""
        if kind not in _KINDS:
            advice = "fit.plot('residuals')"
            what = f"there is no plot '{kind}'; {nearest(kind, _KINDS)}"
            raise DesignError("E624", what, location=here(), advice=advice)
        return self._plot_curves() if kind == "curves" else self._plot_residuals()

    def _plot_residuals(self) -> Any:
        data = self._fit.data
        parts = residuals(self._fit, self._x)
        count = len(parts)
        with panels(count, 1, (8.0, 2.8 * count), sharex=True) as (figure, axes):
            for axis, (name, part) in zip(axes[:, 0], parts.items(), strict=True):
                axis.plot(data.time[self._fit.rows[name]], part, ".", ms=3)
                noise = (self.sigma_given or self.sigma)[name]
                axis.axhspan(-2.0 * noise, 2.0 * noise, color="0.9", zorder=0, label="2 sigma")
                axis.axhline(0.0, color="0.6", lw=0.9)
                axis.set_ylabel(f"{name}: model - data")
            axes[0, 0].legend(loc="upper right")
            axes[-1, 0].set_xlabel("time [s]")
        return figure

    def _plot_curves(self) -> Any:
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
        end = f"; not finished: {self._ended}" if self._ended else ""
        counts = f"{len(self.variables)} variables, {self.freedom} degrees of freedom, {self.runs} runs"
        return f"Calibrated {self.name}: {counts}{end}"

    def _page(self) -> list[Table | str]:
        own = self._fit.variables
        rows = []
        for (name, value), unit, bound in zip(self.variables.items(), own.units, self._at_bound, strict=True):
            ends = [f"{end:.6g}" if not np.isnan(end) else "" for end in (self.low[name], self.high[name])]
            rows.append((name, f"{value:.6g}", unit, *ends, "at its bound" if bound else ""))
        interval = f"{self.confidence:.0%} from"
        return [
            Table(("variable", "value", "unit", interval, "to", ""), rows),
            f"noise left in {', '.join(self._noise_of(path) for path in self.sigma)}",
            self.goodness.doubt,
        ]

    def _noise_of(self, path: str) -> str:
        given = "" if self.sigma_given is None else f" (sigma given: {self.sigma_given[path]:.3g})"
        return f"{path}: {self.sigma[path]:.3g}{given}"


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
