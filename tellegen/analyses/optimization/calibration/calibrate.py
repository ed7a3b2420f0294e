"""tg.calibrate: the parameters and start values for which a model agrees best with measured data.

    fit = tg.calibrate(model, "run7.csv", variables={"motor.R": (0.5, 5.0), "motor.k": (0.01, 0.1)},
                       match={"motor.i": "current", "load.w": "speed"})
    print(fit)                      values with 95 % confidence intervals

Least squares with exact Jacobians. Columns of different size and noise count alike: each is weighted by the noise that
is left in it, estimated again and again until it stays (or given as `sigma`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Unpack

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import qmc

from tellegen.analyses.optimization.calibration.calibrated import Calibrated
from tellegen.analyses.optimization.calibration.fit_request import FitKeywords, request_fit
from tellegen.analyses.optimization.calibration.goodness import noise_left, spread
from tellegen.analyses.optimization.calibration.measured_data import Measured, read_data
from tellegen.analyses.optimization.formulation.search_variables import Variables, read_variables, wrong
from tellegen.analyses.performance.signal_expressions import Signal, signal
from tellegen.analyses.sensitivities.sensitivity import Sensitivity, SensitivityModel
from tellegen.engine.request.path_lookup import find
from tellegen.engine.request.run_options import GRADIENTS
from tellegen.engine.request.run_request import RunKeywords, RunRequest, run_call
from tellegen.errors import DesignError, LanguageError, TellegenError, warn_user
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_PASSES = 5
_SAME = 0.02  # relative change of the noise


@dataclass(eq=False)
class Fit:
    """Runs of the model at the times of the data, and how far they are from it."""

    made: SensitivityModel
    variables: Variables
    data: Measured
    request: RunRequest
    sigma: dict[str, float]
    runs: int = 0

    def __post_init__(self) -> None:
        self._last: tuple[bytes, FloatArray, FloatArray] | None = None
        self.best: tuple[float, FloatArray] | None = None  # with the present weights: the sum of squares, and where
        self.rows = {path: np.flatnonzero(~np.isnan(values)) for path, values in self.data.columns.items()}

    def simulate(self, x: FloatArray) -> Sensitivity:
        """A run, with output exactly at the times of the data."""
        parameters, initial = self.variables.given(x)
        self.runs += 1
        return self.made.run(self.request.with_values(parameters, initial))

    def differences(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Model minus data and its derivatives by the values, in units of the noise, column below column."""
        if self._last is None or self._last[0] != x.tobytes():
            found = self.simulate(x)
            at = _rows(found.time, self.data.time)
            parts = []
            slopes = []
            for path, values in self.data.columns.items():
                rows = self.rows[path]
                model, slope = _curve(found, signal(path), at[rows])
                parts.append((model - values[rows]) / self.sigma[path])
                slopes.append(slope / self.sigma[path])
            self._last = x.tobytes(), np.concatenate(parts), np.concatenate(slopes)
            cost = float(self._last[1] @ self._last[1])
            if self.best is None or cost < self.best[0]:
                self.best = cost, x.copy()
        return self._last[1], self._last[2]

    def weigh(self, sigma: dict[str, float]) -> None:
        """Other weights."""
        self.sigma = sigma
        self._last = None
        self.best = None


def _curve(found: Sensitivity, curve: Signal, rows: Any) -> tuple[FloatArray, FloatArray]:
    from tellegen.analyses.performance.dual_numbers import Dual

    def read(path: str) -> Dual:
        return Dual(np.asarray(found.solution[path], float)[rows], found[path][rows])

    value = curve.evaluate(read)
    return value.value, value.slope


def _rows(time: FloatArray, wanted: FloatArray) -> Any:
    """The row of each time; after an event that happens there."""
    slack = 1e-12 * max(abs(float(time[-1])), abs(float(time[0])))
    return np.searchsorted(time, wanted + slack, side="right") - 1


@run_call(request_fit, rtol=GRADIENTS, start=None, points=None)
def calibrate(
    model: Any,
    data: Any,
    *,
    variables: Mapping[str, Any],
    match: Mapping[str, str] | None = None,
    time: str = "time",
    sigma: Mapping[str, float] | None = None,
    **fitting: Unpack[FitKeywords],
) -> Calibrated:
    """Fit `variables` (between bounds) to measured data: a DataFrame, a CSV file or a dict of arrays.

    `match` says which curve of the model a column is: {"load.w": "speed"}; without it columns are named like curves.
    The search begins at `guess`, or at the model's own values, and from `starts` - 1 more places between the bounds;
    after Ctrl-C guess=fit continues where it was. `sigma` is the noise of each curve in its unit, where it is known: a
    fit whose residuals are too large for it (chi-square) is not a success and has no confidence intervals. Runs start
    at `start`, else at 0 or at the first time of the data if that is earlier; their output points are the times of the
    data. The other keywords from `start` on are those of tg.simulate.
    """
    if not variables:
        raise wrong("calibrate has no variables", "variables={'motor.R': (0.5, 5.0)}")
    asked = request_fit(**fitting)
    measured = read_data(data, match, time)
    made = SensitivityModel(model, list(variables))
    _check_curves(made, measured, matched=match is not None)
    request = _at_times_of_data(made, measured, asked.run)
    found = read_variables(made, variables, request.parameters)
    count = sum(int((~np.isnan(values)).sum()) for values in measured.columns.values())
    if count <= len(found.names):
        what = f"{count} measured values do not determine {len(found.names)} unknowns"
        raise DesignError("E624", what, location=here(), advice="use more data, or vary fewer parameters")
    known = _checked_sigma(sigma)
    fit = Fit(made, found, measured, request, known or {path: spread(v) for path, v in measured.columns.items()})
    missing = set(measured.columns) - set(fit.sigma)
    if missing:
        raise DesignError(
            "E624", f"sigma has no value for '{missing.pop()}'", location=here(), advice="give all, or none"
        )
    first = _best_start(fit, found.guess(asked.guess), asked.starts)
    return _fitted(fit, first, known is not None, asked.confidence)


def _checked_sigma(sigma: Mapping[str, float] | None) -> dict[str, float] | None:
    if sigma is None:
        return None
    advice = "sigma={'motor.i': 0.05}, or leave it out: then it is estimated"
    if not isinstance(sigma, Mapping):
        raise DesignError("E624", f"sigma gives deviations by path, not {sigma!r}", location=here(), advice=advice)
    for path, value in sigma.items():
        if not isinstance(value, Real) or not 0.0 < value < np.inf:
            what = f"sigma of '{path}' is a standard deviation, a positive number, not {value!r}"
            raise DesignError("E624", what, location=here(), advice=advice)
    return dict(sigma)


def _at_times_of_data(made: SensitivityModel, measured: Measured, run: RunKeywords) -> RunRequest:
    """The runs asked for, with output exactly at the times of the data."""
    if run.get("points") is not None:
        advice = "leave points= out; fit.solution has many points, to be looked at"
        raise DesignError("E624", "the output points are the times of the data", location=here(), advice=advice)
    own = {**run, "points": measured.time}
    if own["start"] is None:
        own["start"] = min(0.0, float(measured.time[0]))
    return made.request(float(measured.time[-1]), **own)


def _check_curves(made: SensitivityModel, measured: Measured, matched: bool) -> None:
    """Check before any run that the columns are variables of the model."""
    for path in measured.columns:
        curve = signal(path).path
        try:
            if curve is not None:
                find(made.plain.flat, curve)
        except LanguageError as error:
            if matched:
                raise
            advice = f"name its variable, match={{'load.w': '{path}'}}; columns that are not matched are ignored"
            raise DesignError("E624", f"column '{path}': {error.message}", location=here(), advice=advice) from None


def _best_start(fit: Fit, guess: FloatArray, starts: int) -> FloatArray:
    """Where the search from several starts ends best, with the first weights; a single guess is taken as it is."""
    if starts == 1:
        return guess
    random = qmc.LatinHypercube(len(guess), rng=np.random.default_rng(0)).random(starts - 1)
    for first in (guess, *(fit.variables.values(u) for u in random)):
        try:
            _least_squares(fit, first)
        except TellegenError:  # no run from there succeeds
            continue
        except KeyboardInterrupt:
            break
    return guess if fit.best is None else fit.best[1]


def _fitted(fit: Fit, x: FloatArray, sigma_known: bool, confidence: float) -> Calibrated:
    """Least squares, with new weights until they stay."""
    message = ""
    try:
        for _ in range(1 if sigma_known else _PASSES):
            x, message = _least_squares(fit, x)
            if sigma_known:
                break
            left = noise_left(fit, x)
            before = fit.sigma
            fit.weigh(left)
            if all(abs(left[path] - before[path]) <= _SAME * before[path] for path in left):
                break
    except KeyboardInterrupt:
        message = "interrupted"
        x = x if fit.best is None else fit.best[1]
    result = Calibrated(fit, x, sigma_known, confidence, message)
    if result.goodness.doubt:
        warn_user(f"{result.name}: {result.goodness.doubt}; look at fit.plot('residuals')")
    return result


def _least_squares(fit: Fit, x: FloatArray) -> tuple[FloatArray, str]:
    variables = fit.variables

    def residual(u: FloatArray) -> FloatArray:
        try:
            return fit.differences(variables.values(u))[0]
        except TellegenError:
            if fit.runs <= 1:
                raise
            return np.full(sum(map(len, fit.rows.values())), 1e10)  # so bad that the step is taken back

    def jacobian(u: FloatArray) -> FloatArray:
        values = variables.values(u)
        return fit.differences(values)[1] * variables.scale(values)

    inside = np.clip(variables.normalized(x), 1e-6, 1.0 - 1e-6)  # the method begins strictly inside
    found = least_squares(residual, inside, jac=jacobian, bounds=(0.0, 1.0), xtol=1e-10, ftol=1e-10, gtol=1e-10)  # type: ignore[arg-type]
    return variables.values(found.x), "" if found.success else str(found.message)
