"""One output of a metamodel: its curves as a basis, a method for the numbers of that basis, and how wrong both are.

The error is estimated by leave-one-out cross-validation: each sample is predicted from the others. At a new point these
errors count, those of the samples around most, scaled by how much farther (in the method's own measure) the point is
from what is known.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here
from tellegen.metamodels.basis import Basis, basis_of
from tellegen.metamodels.chaos import fit_chaos
from tellegen.metamodels.fit import Fit, row
from tellegen.metamodels.kriging import Kriging
from tellegen.metamodels.taylor import Blend, Taylor

METHODS = ("kriging", "chaos", "blend", "taylor")
_NEAR = 1e-6


def known_method(method: Any, gradients: bool, degree: Any) -> None:
    """Reject a method that does not exist, or cannot do without what it is not given."""
    if method not in METHODS:
        hint = nearest(method, METHODS) if isinstance(method, str) else ""
        raise _mistake(f"{method!r} is not a method of a metamodel; {hint}", f"method is one of {', '.join(METHODS)}")
    if not gradients and method in ("taylor", "blend"):
        raise _mistake(f"'{method}' needs gradients", "omit gradients=False, or use 'kriging' or 'chaos'")
    whole = isinstance(degree, int | np.integer) and not isinstance(degree, bool) and degree >= 0
    if degree is not None and (method != "chaos" or not whole):
        raise _mistake(f"degree={degree!r} is for method='chaos', an integer", "method='chaos', degree=3")


class Response:
    """An output over the box: curves[sample, value and slopes, time] made a function."""

    def __init__(self, points: FloatArray, curves: FloatArray, method: str, degree: int | None) -> None:
        self.points = points
        self.method = method
        self.basis: Basis = basis_of(curves)
        self.fit: Fit = _fitted(points, self.basis.data, method, degree)
        self.curves = curves[:, 0]

    def curve(self, u: FloatArray) -> FloatArray:
        """The prediction over time."""
        return self.basis.curve(row(self.fit.features(u)) @ self.fit.coefficients)

    def slopes(self, u: FloatArray) -> FloatArray:
        """Derivatives of the prediction, a row for each direction of the cube."""
        return self.fit.slopes(u) @ self.fit.coefficients @ self.basis.shapes

    @cached_property
    def left_out(self) -> FloatArray:
        """What each sample's curve is off when it is predicted from the others."""
        return self.basis.curve(self.fit.left_out.predicted) - self.curves

    @cached_property
    def relative_errors(self) -> FloatArray:
        """Root of mean square of these over that of all curves: one number for each sample."""
        size = np.sqrt(np.mean(self.curves**2)) or 1.0
        return np.sqrt(np.mean(self.left_out**2, axis=1)) / size

    @property
    def relative_error(self) -> float:
        """The same over all samples."""
        return float(np.sqrt(np.mean(self.relative_errors**2)))

    @cached_property
    def _per_distance(self) -> FloatArray:
        return (self.left_out / self.fit.left_out.distance[:, None]) ** 2

    def error(self, u: FloatArray) -> FloatArray:
        """The estimated error over time: errors of the samples around, scaled to the distance of the point.

        Half of it is the mean over all samples: the few around may happen to be good.
        """
        closeness = 1.0 / (((u - self.points) ** 2).sum(axis=1) + _NEAR)
        weights = 0.5 * closeness / closeness.sum() + 0.5 / len(self.points)
        return self.fit.distance(u) * np.sqrt(weights @ self._per_distance)


def _fitted(points: FloatArray, data: FloatArray, method: str, degree: int | None) -> Fit:
    if method == "chaos":
        return fit_chaos(points, data, degree)
    return {"kriging": Kriging, "blend": Blend, "taylor": Taylor}[method](points, data)


def _mistake(what: str, advice: str) -> DesignError:
    return DesignError("E662", what, location=here(), advice=advice)
