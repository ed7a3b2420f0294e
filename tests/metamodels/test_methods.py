"""The methods by themselves: they go through their data, leave samples out as a new fit would, and differentiate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.metamodels.chaos import Chaos, fit_chaos
from tellegen.metamodels.fit import row
from tellegen.metamodels.kriging import Kriging, _by_log_length, covariances
from tellegen.metamodels.taylor import Blend, Taylor

RANDOM = np.random.default_rng(3)
POINTS = RANDOM.uniform(-1, 1, (7, 2))
LENGTHS = np.array([0.7, 1.3])
ALL = [("taylor", True), ("blend", True), ("kriging", True), ("chaos", True), ("kriging", False), ("chaos", False)]


def truth(u: Any) -> Any:
    """Two smooth functions of two variables."""
    return np.stack([np.exp(0.5 * u[..., 0]) * np.sin(u[..., 1]), u[..., 0] ** 2 - 0.3 * u[..., 1]], axis=-1)


def slopes(u: Any) -> list[Any]:
    a, b = u[..., 0], u[..., 1]
    return [
        np.stack([0.5 * np.exp(0.5 * a) * np.sin(b), 2 * a], axis=-1),
        np.stack([np.exp(0.5 * a) * np.cos(b), np.full_like(b, -0.3)], axis=-1),
    ]


DATA = np.concatenate([truth(POINTS), *slopes(POINTS)])


def make(kind: str, points: Any, gradients: bool = True) -> Any:
    data = np.concatenate([truth(points), *(slopes(points) if gradients else [])])
    makers = {
        "taylor": Taylor,
        "blend": Blend,
        "kriging": lambda x, z: Kriging(x, z, LENGTHS),
        "chaos": lambda x, z: Chaos(x, z, 3 if gradients else 1),
    }
    return makers[kind](points, data)


def at(fit: Any, u: Any) -> Any:
    return row(fit.features(u)) @ fit.coefficients


@pytest.mark.parametrize("kind", ["taylor", "blend", "kriging"])
def test_values_and_slopes_at_the_samples(kind: str) -> None:
    """To the nugget of Kriging, 1e-9 of the variance."""
    fit = make(kind, POINTS)
    for k, u in enumerate(POINTS):
        assert np.abs(at(fit, u) - truth(u)).max() < 1e-5
        if kind != "blend":  # whose weights have a corner there
            expected = np.array([slope[k] for slope in slopes(POINTS)])
            assert np.abs(fit.slopes(u) @ fit.coefficients - expected).max() < 1e-4


@pytest.mark.parametrize(("kind", "gradients"), ALL)
def test_slopes_against_differences(kind: str, gradients: bool) -> None:
    fit, u, h = make(kind, POINTS, gradients), np.array([0.21, -0.4]), 1e-5
    for j, step in enumerate(np.eye(2) * h):
        quotient = (at(fit, u + step) - at(fit, u - step)) / (2 * h)
        assert np.abs(fit.slopes(u)[j] @ fit.coefficients - quotient).max() < 1e-7


@pytest.mark.parametrize(("kind", "gradients"), ALL)
def test_leaving_out_is_a_fit_without(kind: str, gradients: bool) -> None:
    """The formulas against seven new fits; distances too. The nugget of Kriging is not quite the same: 1e-5."""
    fit = make(kind, POINTS, gradients)
    for i in range(len(POINTS)):
        rest = make(kind, np.delete(POINTS, i, axis=0), gradients)
        assert np.abs(fit.left_out.predicted[i] - at(rest, POINTS[i])).max() < 1e-5
        assert fit.left_out.distance[i] == pytest.approx(rest.distance(POINTS[i]), rel=1e-3)


def test_polynomials_are_found_exactly() -> None:
    """Degree 2 lies in what is fitted: error zero, and the degree is chosen by itself."""
    points = RANDOM.uniform(-1, 1, (6, 2))
    a, b = points.T
    value = 1.0 + a * b - 2 * b**2
    data = np.concatenate([value, b, a - 4 * b])[:, None]
    fit = fit_chaos(points, data, None)
    assert fit.degree >= 2
    assert at(fit, np.array([0.3, 0.9]))[0] == pytest.approx(1.0 + 0.27 - 2 * 0.81, abs=1e-10)
    mean, variance = fit.moments()  # of 1 + ab - 2b^2: 1 - 2/3; 1/9 + 4 (1/5 - 1/9)
    assert mean[0] == pytest.approx(1.0 / 3.0)
    assert variance[0, 0] == pytest.approx(1.0 / 9.0 + 4.0 * (1.0 / 5.0 - 1.0 / 9.0))


def test_kriging_against_smt() -> None:
    """Without gradients, with the same correlation: predictions and variances of the Surrogate Modeling Toolbox."""
    smt = pytest.importorskip("smt.surrogate_models")
    z = truth(POINTS)[:, :1]
    own = Kriging(POINTS, z, LENGTHS)
    spread = POINTS.std(axis=0, ddof=1)  # SMT works on standardized points: theta = (w s)^2 / 2
    theta = (LENGTHS * spread) ** 2 / 2
    other = smt.KRG(theta0=theta, hyper_opt="NoOp", print_global=False, nugget=1e-9)
    other.set_training_values(POINTS, z)
    other.train()
    u = RANDOM.uniform(-1, 1, (5, 2))
    assert np.abs(other.predict_values(u)[:, 0] - [at(own, x)[0] for x in u]).max() < 1e-6
    ratio = np.sqrt(other.predict_variances(u)[:, 0]) / [own.distance(x) for x in u]
    assert ratio == pytest.approx(np.full(5, ratio[0]), rel=1e-3)  # in units of one standard deviation


@pytest.mark.parametrize("gradients", [True, False])
def test_likelihood_climbs_by_its_own_slopes(gradients: bool) -> None:
    """Derivatives of covariances by lengths, against differences."""
    h = 1e-6
    for j, step in enumerate(np.eye(2) * h):
        up, down = (covariances(POINTS, LENGTHS * np.exp(s * step), gradients) for s in (1, -1))
        found = _by_log_length(covariances(POINTS, LENGTHS, gradients), POINTS, LENGTHS, j)
        assert np.abs(found - (up - down) / (2 * h)).max() < 1e-8


def test_one_sample() -> None:
    """A plane by chaos, which is Taylor's; refused by Kriging."""
    one = POINTS[:1]
    data = np.concatenate([truth(one), *slopes(one)])
    u = np.array([0.3, 0.4])
    assert at(fit_chaos(one, data, None), u) == pytest.approx(at(Taylor(one, data), u))
    with pytest.raises(tg.DesignError, match="E662"):
        Kriging(one, data)


def test_gradients_are_worth_many_samples() -> None:
    """Seven samples with gradients predict far better than seven without; length scales are found."""
    u = RANDOM.uniform(-1, 1, (50, 2))
    errors = []
    for gradients in (True, False):
        fit = Kriging(POINTS, DATA if gradients else DATA[:7])
        errors.append(np.sqrt(np.mean((np.array([at(fit, x) for x in u]) - truth(u)) ** 2)))
    assert errors[0] < 0.01
    assert errors[0] < errors[1] / 5
