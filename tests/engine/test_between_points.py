"""solution.at(t) between output points: curves that are faster than the points show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy

import tellegen as tg
from shared_models import shared_model
from tellegen.library import blocks
from tellegen.library import electrical as el

STATES = 3


class Fast(tg.Component):
    k = tg.parameter(1e6, "1/s")
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.k * self.x


@pytest.mark.parametrize("solver", ["auto", "cvode", "rodas", "ida"])
def test_a_transient_inside_one_interval(solver: str) -> None:
    """A cubic through the points swings to -500."""
    solution = shared_model(Fast).simulate(2.0, solver=solver)
    np.testing.assert_allclose(solution.at([0.001, 0.003, 0.002])["x"], 0.0, atol=1e-6)
    assert solution.at(1e-6)["x"] == pytest.approx(np.exp(-1.0), rel=1e-4)
    later = shared_model(Fast).simulate(2.0, start=0.002, initial=solution.at(0.002))
    assert abs(later["x"][0]) < 1e-6


def test_a_capacitor_after_its_switch() -> None:
    model = tg.System("switched")
    model.add(
        v=el.ConstantVoltage(V=12.0),
        r=el.Resistor(R=0.5),
        sw=el.IdealClosingSwitch(Ron=1e-3, Goff=1e-9),
        c=el.Capacitor(C=1e-3, v=tg.variable(start=0.0, fixed=True)),
        u=blocks.Step(height=1.0, start_time=0.5),
        g=el.Ground(),
    )
    model.connect(model.v.p, model.r.p)
    model.connect(model.r.n, model.sw.p)
    model.connect(model.sw.n, model.c.p)
    model.connect(model.u.y, model.sw.control)
    model.connect(model.v.n, model.c.n, model.g.p)
    solution = tg.simulate(model, 2.0)
    since = np.array([0.5e-3, 1e-3, 2e-3, 3e-3])
    after = solution.at(0.5 + since)
    np.testing.assert_allclose(after["c.v"], 12.0 * (1.0 - np.exp(-since / 0.501e-3)), atol=2e-4)
    np.testing.assert_allclose(after["r.v"] + after["sw.v"] + after["c.v"], 12.0, atol=1e-9)  # Kirchhoff


class Linear(tg.Component):
    A = tg.parameter(np.zeros((STATES, STATES)))
    x = tg.variable(shape=STATES, start=1.0, fixed=True)

    def equations(self) -> Any:
        for k in range(STATES):
            yield tg.der(self.x[k]) == sum(self.A[k, j] * self.x[j] for j in range(STATES))


def check(compiled: Any, seed: int) -> None:
    """Time constants from 1e-5 to 10 of the run, with few points, at random times against the matrix exponential."""
    random = np.random.default_rng(seed)
    basis = random.normal(size=(STATES, STATES)) + 2.0 * np.eye(STATES)
    a = basis @ np.diag(-(10.0 ** random.uniform(-1.0, 5.0, STATES))) @ np.linalg.inv(basis)
    solution = compiled.simulate(1.0, parameters={"A": a}, points=int(random.integers(2, 30)))
    times = np.concatenate([random.uniform(0.0, 1.0, 5), 10.0 ** random.uniform(-6.0, 0.0, 5)])
    exact = np.array([scipy.linalg.expm(a * t) @ np.ones(STATES) for t in times])
    assert np.abs(solution.at(times)["x"] - exact).max() < 1e-4 * np.abs(exact).max(initial=1.0), seed


@pytest.fixture(scope="module")
def linear() -> Any:
    return tg.compile(Linear())


@pytest.mark.parametrize("seed", range(8))
def test_any_time_constants(linear: Any, seed: int) -> None:
    check(linear, seed)


def test_a_smooth_curve_is_not_integrated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cubics are good enough there, and cost less."""
    solution = tg.simulate(Fast(k=1.0), 1.0)
    monkeypatch.setattr("tellegen.engine.results.interpolation.integrated", lambda *_: pytest.fail("integrated"))
    assert solution.at(0.4567)["x"] == pytest.approx(np.exp(-0.4567), rel=1e-6)
