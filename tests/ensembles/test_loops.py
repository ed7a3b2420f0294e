"""Nonlinear algebraic loops in lanes: Newton's method in each, against single runs and closed solutions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import tellegen as tg
from ensembles.test_lanes import RTOL, both, ensemble, worst
from tellegen.ensembles.devices.ptx import ptx
from tellegen.ensembles.kernel import ADAPTIVE
from tellegen.library import electrical as el


class Diode(tg.Component):
    """Exponential, with a straight line where it would overflow."""

    p = el.Pin()
    n = el.Pin()
    v = tg.variable("V")
    i = tg.variable("A")

    def equations(self) -> Iterator[Any]:
        """Current through, voltage across."""
        u = self.v / 0.026
        yield self.v == self.p.v - self.n.v
        yield self.p.i == self.i
        yield self.n.i == -self.i
        yield self.i == 1e-12 * (tg.exp(tg.where(u < 30.0, u, 30.0)) * (1.0 + tg.maximum(u - 30.0, 0.0)) - 1.0)


class Rectifier(tg.Component):
    """Source, resistor and diode in series before the capacitor."""

    source = el.SineVoltage(V=5.0, f=50.0)
    r = el.Resistor(R=10.0)
    d = Diode()
    c = el.Capacitor(C=1e-3)
    load = el.Resistor(R=100.0)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """One circuit."""
        yield self.source.p, self.r.p
        yield self.r.n, self.d.p
        yield self.d.n, self.c.p, self.load.p
        yield self.source.n, self.c.n, self.load.n, self.ground.p


class Valves(tg.Component):
    """A tank behind two valves in series: the pressure between them is where both let the same through.

    It refills from a pump that switches by level, so runs have events in different order.
    """

    k1 = tg.parameter(1.0)
    k2 = tg.parameter(2.0)
    low = tg.parameter(0.5)
    high = tg.parameter(1.5)
    h = tg.variable(start=1.0, fixed=True)
    p = tg.variable(start=0.3)
    q = tg.variable()
    pumps = tg.boolean("fills", start=False)
    switched = tg.integer("switchings", start=0)

    def equations(self) -> Iterator[Any]:
        """Flows by roots of pressure drops with a linear part; the second one by a law of its own."""
        yield self.q == self.k1 * (self.h - self.p) / (1.0 + (self.h - self.p) ** 2) ** 0.25
        yield self.q == self.k2 * tg.sinh(self.p)
        yield tg.der(self.h) == tg.where(self.pumps, 1.5, 0.0) - self.q
        yield tg.when(self.h < self.low, self.pumps == True, self.switched == tg.pre(self.switched) + 1).elsewhen(  # noqa: E712
            self.h > self.high,
            self.pumps == False,  # noqa: E712
            self.switched == tg.pre(self.switched) + 1,
        )


class Turning(tg.Component):
    """x = y^3 - 3y turns back: what follows from y = 2 has no solution beyond x = -2."""

    rate = tg.parameter(1.0)
    x = tg.variable(start=2.0, fixed=True)
    y = tg.variable(start=2.0)

    def equations(self) -> Iterator[Any]:
        """Down along the branch."""
        yield self.x == self.y**3 - 3.0 * self.y
        yield tg.der(self.x) == -self.rate


def test_a_rectifier_by_both_methods() -> None:
    design = tg.monte_carlo({"r.R": (5.0, 20.0), "c.C": (5e-4, 2e-3), "load.R": (50.0, 200.0)}, 40, seed=1)
    for solver in ("rk45", "rodas"):
        lanes, single = both(Rectifier(), design, ["final(c.v)", "max(d.i)", "c.v"], stop=0.05, solver=solver)
        assert solver in lanes.device, lanes.device
        for output in ("final(c.v)", "max(d.i)", "c.v"):
            assert worst(lanes, single, output) < 20 * RTOL


def test_a_rectifier_against_scipy() -> None:
    """The current by bisection, the voltage by an integrator of SciPy."""

    def current(drop: float, resistance: float) -> float:
        def left(i: float) -> float:
            return drop - resistance * i - 0.026 * np.log1p(i / 1e-12)

        if drop < -0.7:
            return -1e-12
        found: Any = brentq(left, -1e-12 * (1 - 1e-12), 1.0, xtol=1e-18)
        return float(found)

    def rate(t: float, v: Any, resistance: float) -> Any:
        return (current(5.0 * np.sin(100.0 * np.pi * t) - v[0], resistance) - v / 100.0) / 1e-3

    study = tg.study(Rectifier(), {"r.R": [6.0, 12.0]}, outputs=["final(c.v)"], stop=0.03, device="cpu", rtol=1e-8)
    assert "cpu" in study.device
    for resistance, found in zip((6.0, 12.0), study["final(c.v)"].values, strict=True):
        exact = solve_ivp(rate, (0.0, 0.03), [0.0], "LSODA", rtol=1e-9, atol=1e-10, args=(resistance,))
        assert found == pytest.approx(exact.y[0, -1], rel=1e-5)


def test_two_hundred_runs_with_events_in_different_order() -> None:
    design = tg.monte_carlo({"k1": (0.5, 1.5), "k2": (1.0, 4.0), "low": (0.3, 0.6), "high": (1.2, 1.8)}, 200, seed=7)
    lanes, single = both(Valves(), design, ["final(h)", "final(p)", "final(switched)", "mean(q)"], stop=20.0)
    assert "cpu" in lanes.device
    assert "one by one" not in lanes.device
    assert (lanes["final(switched)"] == single["final(switched)"]).all()
    assert len(set(lanes["final(switched)"].values.tolist())) > 3
    for output in ("final(h)", "final(p)", "mean(q)"):
        assert worst(lanes, single, output) < 10 * RTOL


def test_runs_without_a_solution_end_as_single_ones() -> None:
    """Those that get to the turn fail there, in both ways with the same outcome; the others do not notice."""
    design = {"rate": np.linspace(0.6, 5.6, 11)}
    compiled = tg.compile(Turning())
    given: dict[str, Any] = {"outputs": ["final(y)"], "stop": 1.0}
    lanes = tg.study(compiled, design, device="cpu", workers=1, **given)
    single = tg.study(compiled, design, executor="serial", **given)
    assert (lanes["outcome"] == single["outcome"]).all()
    assert 2 <= int(np.isfinite(single["final(y)"]).sum()) <= 9
    assert worst(lanes, single, "final(y)") < 1e-5


def test_what_a_lane_finds_does_not_depend_on_the_others() -> None:
    design = tg.monte_carlo({"r.R": (5.0, 20.0)}, 9, seed=1)
    compiled = tg.compile(Rectifier())
    given: dict[str, Any] = {"outputs": ["final(c.v)"], "stop": 0.02, "device": "cpu", "workers": 1}
    together = tg.study(compiled, design, **given)
    alone = [
        float(tg.study(compiled, {"r.R": [value, 7.77]}, **given)["final(c.v)"][0]) for value in together["r.R"].values
    ]
    assert together["final(c.v)"].values.tolist() == alone


def test_its_ptx() -> None:
    """A loop within the run, still in registers."""
    text = ptx(ensemble(Valves(), "k1", "h", 1.0).model, ADAPTIVE, "sm_90")
    assert ".local" not in text
    assert "call" not in text
