"""tg.calibrate: parameters found again from noisy data, with intervals that are right as often as they claim."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, kstest

import tellegen as tg
from tellegen.analyses.optimization.calibration.calibrate import Fit
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Motor(tg.Component):
    """A DC motor spins up a flywheel."""

    source = el.StepVoltage(V=12.0, start_time=0.05)
    r = el.Resistor(R=2.4)
    coil = el.Inductor(L=4.8e-3, i=tg.variable(start=0.0, fixed=True))
    emf = el.EMF(k=0.04)
    load = rot.Inertia(J=1e-3, w=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.emf.n, self.source.n, self.ground.p
        yield self.emf.flange, self.load.flange_a


TRUE = {"r.R": 2.1, "coil.L": 6e-3, "emf.k": 0.045, "load.J": 1.4e-3}
BOUNDS = {"r.R": (0.5, 10.0), "coil.L": (1e-3, 0.05), "emf.k": (0.01, 0.2), "load.J": (1e-4, 1e-2)}
MATCH = {"coil.i": "current", "load.w": "speed"}


def measured(model: Any, seed: int, noise: tuple[float, float] = (0.05, 1.0)) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    times = np.linspace(0.005, 1.5, 300)
    run = model.simulate(1.5, points=times, parameters=TRUE, rtol=1e-10)
    rows = np.searchsorted(run.time, times, side="right") - 1
    clean = {"current": run["coil.i"][rows], "speed": run["load.w"][rows]}
    return {
        "time": times,
        **{
            name: values + sigma * rng.standard_normal(300)
            for (name, values), sigma in zip(clean.items(), noise, strict=True)
        },
    }


def test_without_noise_the_parameters_come_out() -> None:
    model = tg.compile(Motor())
    fit = tg.calibrate(model, measured(model, 0, (0.0, 0.0)), variables=BOUNDS, match=MATCH, rtol=1e-9)
    assert fit.variables == pytest.approx(TRUE, rel=1e-6)


def test_noisy_data() -> None:
    """The distance of the truth from the fit, in the metric of the covariance, is chi-square with 4 degrees of freedom.

    The sum over experiments is within its 99.8 % range, so the joint region is neither too narrow nor too wide. (Over
    400 other seeds the truth was in the 95 % region in 95.75 % of the experiments.)
    """
    model, count = tg.compile(Motor()), 20
    total, inside = 0.0, 0
    for seed in range(count):
        fit = tg.calibrate(model, measured(model, seed), variables=BOUNDS, match=MATCH)
        away = np.array([TRUE[name] - fit.variables[name] for name in fit.variables])
        total += float(away @ np.linalg.solve(fit.covariance, away))
        inside += fit.contains(TRUE)
        assert fit.sigma == pytest.approx({"coil.i": 0.05, "load.w": 1.0}, rel=0.2)
    assert chi2.ppf(0.001, 4 * count) < total < chi2.ppf(0.999, 4 * count)
    assert 15 < inside <= count


def test_against_scipy_on_the_closed_solution() -> None:
    """A decay: values and covariance as scipy.optimize.curve_fit finds them."""
    from scipy.optimize import curve_fit

    class Decay(tg.Component):
        x = tg.variable(start=3.0, fixed=True)
        k = tg.parameter(1.0)

        def equations(self):
            yield tg.der(self.x) == -self.k * self.x

    rng = np.random.default_rng(7)
    t = np.linspace(0, 3, 60)
    x = 2.5 * np.exp(-1.3 * t) + 0.02 * rng.standard_normal(60)
    fit = tg.calibrate(Decay(), {"time": t, "x": x}, variables={"x": (0.1, 10.0), "k": (0.1, 5.0)}, rtol=1e-10)
    found, covariance = curve_fit(lambda t, a, k: a * np.exp(-k * t), t, x, p0=[3.0, 1.0], xtol=1e-12, ftol=1e-12)
    assert list(fit.variables.values()) == pytest.approx(found.tolist(), rel=1e-6)
    assert fit.covariance == pytest.approx(covariance, rel=1e-4)


def test_files_frames_and_holes(tmp_path: Any) -> None:
    import pandas as pd

    model = tg.compile(Motor())
    table = pd.DataFrame(measured(model, 3))
    table.loc[10:40, "speed"] = np.nan
    table.to_csv(tmp_path / "run.csv", index=False)
    given = {"variables": BOUNDS, "match": MATCH}
    a = tg.calibrate(model, table, **given)
    b = tg.calibrate(model, tmp_path / "run.csv", **given)
    c = tg.calibrate(model, table.set_index("time"), **given)
    assert a.variables == pytest.approx(b.variables, rel=1e-9)
    assert a.variables == pytest.approx(c.variables, rel=1e-9)
    assert a.freedom == 600 - 31 - 4
    a.plot().savefig(tmp_path / "fit.png", dpi=150)
    assert (tmp_path / "fit.png").stat().st_size > 5000
    assert "95% from" in str(a)


def test_what_data_do_not_determine() -> None:
    """Only the product of two parameters is in the equations: their intervals are infinite."""

    class Product(tg.Component):
        x = tg.variable(start=1.0, fixed=True)
        a = tg.parameter(1.0)
        b = tg.parameter(2.0)

        def equations(self):
            yield tg.der(self.x) == -self.a * self.b * self.x

    t = np.linspace(0, 1, 50)
    data = {"time": t, "x": np.exp(-1.7 * t) + 0.01 * np.random.default_rng(0).standard_normal(50)}
    fit = tg.calibrate(Product(), data, variables={"a": (0.1, 5.0), "b": (0.1, 5.0)})
    assert fit.variables["a"] * fit.variables["b"] == pytest.approx(1.7, rel=0.02)
    assert not np.isfinite(fit.high["a"])


@pytest.mark.parametrize(
    "change",
    [
        {"data": "nowhere.csv"},
        {"data": [1, 2, 3]},
        {"time": "t"},
        {"match": {"load.w": "velocity"}},
        {"match": {}},
        {"sigma": {"coil.i": 0.05}},
        {"data": {"time": [0.1, 0.2], "current": [0.1, 0.2]}, "match": {"coil.i": "current"}},
        {"data": {"time": [0.1, 0.1, 0.2], "current": [0.1, 0.2, 0.3], "speed": [0.0, 1.0, 2.0]}},
        {"data": {"time": [0.1, 0.3, 0.2], "current": ["a", "b", "c"], "speed": [0.0, 1.0, 2.0]}},
    ],
)
def test_mistakes(change: dict[str, Any]) -> None:
    model = tg.compile(Motor())
    given: dict[str, Any] = {"data": measured(model, 0), "variables": BOUNDS, "match": MATCH, **change}
    with pytest.raises(tg.TellegenError, match="E624"):
        tg.calibrate(model, **given)


def distance(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(abs(np.log(a[name] / b[name])) for name in a)


def test_interrupted_and_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the fourth run keeps the values so far; guess=fit goes on from there to the same end."""
    model = tg.compile(Motor())
    data = measured(model, 1)
    whole = tg.calibrate(model, data, variables=BOUNDS, match=MATCH)
    run, count = Fit.simulate, [0]

    def interrupted(self: Fit, x: Any) -> Any:
        count[0] += 1
        if count[0] == 4:
            raise KeyboardInterrupt
        return run(self, x)

    monkeypatch.setattr(Fit, "simulate", interrupted)
    half = tg.calibrate(model, data, variables=BOUNDS, match=MATCH)
    assert half.message == "interrupted"
    assert not half.success
    own = {"r.R": 2.4, "coil.L": 4.8e-3, "emf.k": 0.04, "load.J": 1e-3}
    assert distance(half.variables, whole.variables) < distance(own, whole.variables), "the best so far, not the start"
    again = tg.calibrate(model, data, variables=BOUNDS, match=MATCH, guess=half)
    assert again.success
    assert again.variables == pytest.approx(whole.variables, rel=1e-4)


class Line(tg.Component):
    """y = a t."""

    a = tg.parameter(1.0)
    y = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.y) == self.a


class Swinging(tg.Component):
    """x = cos(w t): the sum of squares has a minimum for many frequencies."""

    w = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == -(self.w**2) * self.x


def test_a_model_that_does_not_fit_has_no_intervals(tmp_path: Any) -> None:
    """A line cannot follow a parabola: the noise left is the misfit, not the sigma given."""
    t = np.linspace(0.0, 10.0, 101)
    with pytest.warns(UserWarning, match="does not fit the data"):
        fit = tg.calibrate(Line(), {"time": t, "y": t**2}, variables={"a": (0.1, 100.0)}, sigma={"y": 0.001})
    assert not fit.success
    assert "chi-square" in fit.message
    assert fit.goodness.probability == 0.0
    misfit = fit.variables["a"] * t - t**2
    assert fit.sigma["y"] == pytest.approx(np.sqrt((misfit**2).sum() / 100.0), rel=1e-6)
    assert fit.sigma_given == {"y": 0.001}
    assert np.isnan(fit.low["a"])
    assert not fit.contains({"a": fit.variables["a"]})
    assert "sigma given: 0.001" in str(fit)
    fit.plot("residuals").savefig(tmp_path / "residuals.png")
    with pytest.raises(tg.DesignError, match=r"E624.*there is no plot 'residual'"):
        fit.plot("residual")


def test_without_sigma_systematic_residuals_are_reported() -> None:
    t = np.linspace(0.0, 10.0, 101)
    noise = np.random.default_rng(0).standard_normal(101)
    with pytest.warns(UserWarning, match="residuals of 'y' are not random"):
        bad = tg.calibrate(Line(), {"time": t, "y": t**2 + noise}, variables={"a": (0.1, 100.0)})
    assert bad.goodness.autocorrelation["y"] > 0.9
    good = tg.calibrate(Line(), {"time": t, "y": 3.0 * t + noise}, variables={"a": (0.1, 100.0)})
    assert good.goodness.doubt == ""
    assert abs(good.goodness.autocorrelation["y"]) < 0.3


def test_a_value_at_its_bound_has_no_interval() -> None:
    t = np.linspace(0.0, 1.0, 50)
    y = 3.0 * t + 0.1 * np.random.default_rng(0).standard_normal(50)
    fit = tg.calibrate(Line(), {"time": t, "y": y}, variables={"a": (0.1, 2.9), "y": (-1.0, 1.0)})
    assert np.isnan(fit.high["a"])
    assert np.isfinite(fit.high["y"])
    assert "at its bound" in str(fit)


def test_several_starts_find_the_right_minimum() -> None:
    model = tg.compile(Swinging())
    t = np.linspace(0.0, 12.0, 120)
    data = {"time": t, "x": np.cos(7.3 * t) + 0.05 * np.random.default_rng(1).standard_normal(120)}
    variables = {"w": (0.5, 12.0)}
    with pytest.warns(UserWarning, match="does not fit"):
        lost = tg.calibrate(model, data, variables=variables, sigma={"x": 0.05})
    found = tg.calibrate(model, data, variables=variables, sigma={"x": 0.05}, starts=36)
    assert not lost.success
    assert found.success
    assert found.variables["w"] == pytest.approx(7.3, abs=3e-3)


def test_the_probability_of_right_models_is_uniform() -> None:
    """Random lines with known noise: by Kolmogorov and Smirnov the probabilities are evenly spread between 0 and 1."""
    model = tg.compile(Line())
    t = np.linspace(0.0, 1.0, 30)
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        slope, sigma = rng.uniform(0.5, 5.0), rng.uniform(0.01, 1.0)
        data = {"time": t, "y": slope * t + sigma * rng.standard_normal(30)}
        fit = tg.calibrate(model, data, variables={"a": (-10.0, 10.0)}, sigma={"y": sigma})
        found.append(fit.goodness.probability)
    assert kstest(found, "uniform").pvalue > 1e-3
    assert min(found) > 1e-4
