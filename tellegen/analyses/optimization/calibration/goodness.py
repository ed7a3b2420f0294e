"""How good a fit is: the noise left in each column, whether it is as large as it may be, and whether it is noise.

chi-square         with known noise: the sum of squared residuals in units of it; its probability if the model is right
autocorrelation    of residuals that follow each other: near zero for noise, near one where the model is off
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import chi2

from tellegen.ir.model import FloatArray

if TYPE_CHECKING:
    from tellegen.analyses.optimization.calibration.calibrate import Fit

_IMPROBABLE = 1e-4  # a right model is rejected once in so many fits
_CORRELATED = 0.5  # of residuals that follow each other, from which on intervals are too narrow to be believed
_DEVIATIONS = 5.0  # from zero, in standard deviations of white noise
_EXACT = 1e3  # tolerances of the run: residuals below are those of the integration


@dataclass(frozen=True, eq=False)
class Goodness:
    """`noise` and `autocorrelation` by curve; `probability` is that of chi-square, None without known noise."""

    noise: dict[str, float]
    autocorrelation: dict[str, float]
    chi_square: float | None
    probability: float | None
    freedom: int  # measured values less variables
    systematic: tuple[str, ...]  # curves whose residuals are not noise

    @property
    def fits(self) -> bool:
        """Whether the residuals are as small as known noise allows."""
        return self.probability is None or self.probability >= _IMPROBABLE

    @property
    def doubt(self) -> str:
        """What speaks against the fit, in words; empty where nothing does."""
        if not self.fits:
            test = f"chi-square {self.chi_square:.4g} with {self.freedom} degrees of freedom"
            return f"the model does not fit the data: the residuals are too large for this sigma ({test})"
        if self.systematic:
            names = ", ".join(f"'{path}'" for path in self.systematic)
            return f"residuals of {names} are not random: the model is systematically off, or the noise is correlated"
        return ""


def judged(fit: Fit, x: FloatArray, sigma_known: bool) -> Goodness:
    """The fit at these values."""
    weighted, _ = fit.differences(x)
    parts = residuals(fit, x)
    total = float(weighted @ weighted)
    freedom = len(weighted) - len(x)
    lag = {path: _autocorrelation(part) for path, part in parts.items()}
    noise = noise_left(fit, x)
    systematic = tuple(path for path, part in parts.items() if _is_systematic(fit, path, part, lag[path]))
    return Goodness(
        noise,
        lag,
        total if sigma_known else None,
        float(chi2.sf(total, freedom)) if sigma_known else None,
        freedom,
        systematic,
    )


def residuals(fit: Fit, x: FloatArray) -> dict[str, FloatArray]:
    """Model minus data by curve, in its unit."""
    weighted, _ = fit.differences(x)
    ends = np.cumsum([len(rows) for rows in fit.rows.values()])
    parts = np.split(weighted, ends[:-1])
    return {path: part * fit.sigma[path] for path, part in zip(fit.rows, parts, strict=True)}


def noise_left(fit: Fit, x: FloatArray) -> dict[str, float]:
    """The standard deviation of what is left in each column; never nothing."""
    parts = residuals(fit, x)
    count = sum(map(len, parts.values()))
    out = {}
    for path, part in parts.items():
        free = max(len(part) * (1.0 - len(x) / count), 1.0)
        out[path] = max(float(np.sqrt((part**2).sum() / free)), 1e-9 * spread(fit.data.columns[path]))
    return out


def spread(values: FloatArray) -> float:
    """The size of a column: how much it varies."""
    return float(np.nanstd(values)) or float(np.nanmax(np.abs(values))) or 1.0


def _autocorrelation(part: FloatArray) -> float:
    """Of residuals one after the other."""
    size = float(part @ part)
    return float(part[1:] @ part[:-1]) / size if size and len(part) > 1 else 0.0


def _is_systematic(fit: Fit, path: str, part: FloatArray, lag: float) -> bool:
    """Whether residuals follow each other, more than chance allows, and are larger than the error of a run."""
    exact = _EXACT * float(fit.request.options.rtol) * float(np.nanmax(np.abs(fit.data.columns[path])))
    large = float(np.abs(part).max(initial=0.0)) > exact
    return large and lag > _CORRELATED and lag * np.sqrt(len(part)) > _DEVIATIONS
