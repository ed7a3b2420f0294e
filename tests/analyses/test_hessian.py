"""Second derivatives of performance functions: closed-form solutions, and differences of gradients taken otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tests.analyses.test_sensitivity import Ball, after_one_bounce


class Discharge(tg.Component):
    """v = V exp(-t / (R C)), with R in kiloohm."""

    r = el.Resistor(R=2.0)
    c = el.Capacitor(C=0.25, v=tg.variable(start=3.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.c.p, self.r.p
        yield self.c.n, self.r.n, self.ground.p


@pytest.mark.parametrize("method", ["forward", "adjoint"])
def test_discharge_in_closed_form(method: str) -> None:
    """With u = t/(RC): v_RR = v u (u - 2) / R^2, v_RC = v u (u - 1) / (R C), v_RV = v u / (R V)."""
    R, C, V, t = 2.0, 0.25, 3.0, 0.8
    u = t / (R * C)
    v = V * np.exp(-u)
    wrt = ["r.R", "c.C", "c.v"]
    along = tg.hessian_vector(Discharge(), t, of=tg.final("c.v"), wrt=wrt, direction={"r.R": 1.0}, method=method)
    expected = [v * u * (u - 2.0) / R**2, v * u * (u - 1.0) / (R * C), v * u / (R * V)]
    assert along.values == pytest.approx(expected, rel=2e-6)
    assert (np.abs(along.values - expected) < along.error + 1e-6 * np.abs(expected)).all()
    assert along.curvature == pytest.approx(expected[0], rel=2e-6)
    mixed = tg.hessian_vector(Discharge(), t, of=tg.final("c.v"), wrt=wrt, direction=[1.0, 0.5, -2.0], method=method)
    v_CR, v_CC, v_CV = expected[1], v * u * (u - 2.0) / C**2, v * u / (C * V)
    assert mixed["c.C"] == pytest.approx(v_CR + 0.5 * v_CC - 2.0 * v_CV, rel=2e-6)


def test_across_a_bounce() -> None:
    """The height after a bounce, by restitution and gravity; the closed-form solution by complex steps, differenced."""

    def slope(name: str, **values: float) -> float:
        moved: dict[str, Any] = {k: x + (1e-30j if k == name else 0.0) for k, x in values.items()}
        return after_one_bounce(0.7, moved["h"], moved["g"], moved["e"]).imag / 1e-30

    found = tg.hessian_vector(
        Ball(), 0.7, of=tg.final("h"), wrt=["h", "g", "e"], direction={"g": 1.0}, method="adjoint"
    )
    for name in ("h", "g", "e"):
        a, b = (slope(name, h=1.0, g=10.0 + step, e=0.8) for step in (1e-4, -1e-4))
        assert found[name] == pytest.approx((a - b) / 2e-4, rel=1e-6), name


def test_start_value_and_design_variable_of_several() -> None:
    """f = integral of v^2 = V^2 R C / 2 (1 - exp(-2 t / (R C))): along 'both', which moves R and C."""
    wrt = [{"both": {"r.R": 1.0, "c.C": 0.125}}, "c.v"]
    found = tg.hessian_vector(Discharge(), 0.8, of=tg.integral("c.v**2"), wrt=wrt, direction={"both": 1.0})

    def energy(s: Any, V: Any) -> Any:
        tau = (2.0 + s) * (0.25 + 0.125 * s)
        return V**2 * tau / 2.0 * (1.0 - np.exp(-1.6 / tau))

    step = 1e-4
    twice = (energy(step, 3.0) - 2.0 * energy(0.0, 3.0) + energy(-step, 3.0)) / step**2
    mixed = (energy(step, 3.0 + 1e-30j).imag - energy(-step, 3.0 + 1e-30j).imag) / (2e-30 * step)
    assert found["both"] == pytest.approx(twice, rel=1e-5)
    assert found["c.v"] == pytest.approx(mixed, rel=1e-6)


def test_mistakes() -> None:
    with pytest.raises(tg.DesignError, match=r"E641.*'q' is not varied"):
        tg.hessian_vector(Discharge(), 1.0, of=tg.final("c.v"), wrt="r.R", direction={"q": 1.0})
    with pytest.raises(tg.DesignError, match=r"E641.*is invalid"):
        tg.hessian_vector(Discharge(), 1.0, of=tg.final("c.v"), wrt="r.R", direction=[0.0])
    with pytest.raises(tg.DesignError, match=r"E641.*one performance function"):
        tg.hessian_vector(Discharge(), 1.0, of="c.v", wrt="r.R", direction=[1.0])  # type: ignore[arg-type]
