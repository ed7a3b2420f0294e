"""Robust design against closed-form solutions: variances, yields, worst cases, least sensitive designs, cheapest
tolerances.

First order is exact up to the gradients (1e-7); samples are compared with the exact moments, whose distance to the
sampled ones is told by the interval that comes with them.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import tellegen as tg
from tellegen.library import electrical as el
from validation.measured import relative, within


class LowPass(tg.Component):
    """v = V (1 - exp(-t/RC)): half the voltage after RC ln 2."""

    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=1e3)
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


class Divider(tg.Component):
    """V R2/(R1 + R2)."""

    source = el.ConstantVoltage(V=10.0)
    r1 = el.Resistor(R=1e3)
    r2 = el.Resistor(R=2e3)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.r1.p
        yield self.r1.n, self.r2.p
        yield self.r2.n, self.source.n, self.ground.p


class Oscillator(tg.Component):
    """v = cos(t / sqrt(LC)): zero after a quarter of the period."""

    l = el.Inductor(L=1e-3, i=tg.variable(start=0.0, fixed=True))  # noqa: E741
    c = el.Capacitor(C=1e-6, v=tg.variable(start=1.0, fixed=True))
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.l.p, self.c.p
        yield self.l.n, self.c.n, self.ground.p


class Throw(tg.Component):
    """Lands after v^2 sin(2 a)/g."""

    v = tg.parameter(20.0, "m/s")
    a = tg.parameter(0.6, "rad")
    x = tg.variable("m", start=0.0, fixed=True)
    h = tg.variable("m", start=0.0, fixed=True)
    w = tg.variable("m/s", start=v * tg.sin(a), fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == self.v * tg.cos(self.a)
        yield tg.der(self.h) == self.w
        yield tg.der(self.w) == -9.81
        yield tg.when(self.h < 0, tg.terminate("landed"))


class Square(tg.Component):
    """y = p^2 and s = a + 2 b."""

    p = tg.parameter(1.0)
    a = tg.parameter(1.0)
    b = tg.parameter(3.0)
    y = tg.variable()
    s = tg.variable()

    def equations(self) -> Any:
        yield self.y == self.p**2
        yield self.s == self.a + 2.0 * self.b


HALF = tg.time_when("c.v > 0.5")
OUT = tg.final("r2.v")


def test_time_constant() -> None:
    """The variance of R C: to first order, and exactly, where the variances of both multiply."""
    tolerances = {"r.R": "5 %", "c.C": ("30 %", "normal")}
    found = tg.robustness(LowPass(), 2e-3, of=HALF, tolerances=tolerances, samples=1000, executor="serial")
    r, c, tau = 0.05**2 / 3.0, 0.1**2, 1e-3 * np.log(2.0)
    first = tau * np.sqrt(r + c)
    within("RC, sigma to first order", relative(found.sigma[HALF.text], first), 1e-6, "closed: sqrt(sR^2 + sC^2)")
    parts = found.contributions()["part"]
    within("RC, part of C", relative(parts["c.C"], c / (r + c)), 1e-6, "closed")
    exact, drawn = tau * np.sqrt((1.0 + r) * (1.0 + c) - 1.0), found.samples
    assert drawn is not None
    sigma = drawn.sigma[HALF.text]
    assert sigma.low < exact < sigma.high
    within("RC, sigma of 1000 samples", relative(sigma.value, exact), 0.05, "closed: variances multiply; 2 sigma")


def test_divider_and_its_worst_case() -> None:
    found = tg.robustness(Divider(), 1.0, of=OUT, tolerances={"r1.R": "5 %", "r2.R": "5 %"}, distribution="triangular")
    expected = 10.0 * 2.0 / 9.0 * 0.05 * np.sqrt(2.0 / 6.0)
    within("divider, sigma", relative(found.sigma[OUT.text], expected), 1e-8, "closed: V R1 R2/(R1 + R2)^2 sqrt(2) s")
    worst, low, high = found.worst[OUT.text], 10.0 * 1.9 / (1.9 + 1.05), 10.0 * 2.1 / (2.1 + 0.95)
    within("divider, worst case", relative([worst.low.value, worst.high.value], [low, high]), 1e-8, "closed")
    assert worst.low.at == pytest.approx({"r1.R": 1050.0, "r2.R": 1900.0})


def test_resonance() -> None:
    """d sqrt(LC) / sqrt(LC) = (dL/L + dC/C)/2."""
    quarter = tg.time_when("c.v < 0")
    tolerances = {"l.L": "10 %", "c.C": "0.05 uF"}
    found = tg.robustness(Oscillator(), 1e-4, of=quarter, tolerances=tolerances, worst="vertices", executor="serial")
    expected = np.pi / 2.0 * np.sqrt(1e-9) * 0.5 * np.sqrt((0.1**2 + 0.05**2) / 3.0)
    within("quarter of a period, sigma", relative(found.sigma[quarter.text], expected), 1e-6, "closed")
    ends = np.pi / 2.0 * np.sqrt(1e-9 * np.array([0.9 * 0.95, 1.1 * 1.05]))
    worst = found.worst[quarter.text]
    within("quarter of a period, worst", relative([worst.low.value, worst.high.value], ends), 1e-6, "closed")


def test_a_square_shows_what_first_order_leaves_out() -> None:
    """Var p^2 = 4 m^2 s^2 + 2 s^4 for a normal p: the second part is not of first order; the mean moves by s^2."""
    s, y = 0.4, tg.final("y")
    asked: dict[str, Any] = {"tolerances": {"p": (3.0 * s, "normal")}, "executor": "serial", "points": 10}
    with pytest.warns(UserWarning, match="prediction is off"):
        tg.robustness(Square(), 1.0, of=y, **asked)
    found = tg.robustness(Square(), 1.0, of=y, samples=1000, sampling="latin_hypercube", **asked)
    drawn = found.samples
    assert drawn is not None
    within("square, variance to first order", relative(found.variance[y.text], 4.0 * s**2), 1e-8, "closed: 4 m^2 s^2")
    exact = 4.0 * s**2 + 2.0 * s**4
    within("square, sampled variance", relative(drawn.sigma[y.text].value ** 2, exact), 0.01, "closed; 1000 samples")
    within("square, sampled mean", drawn.mean[y.text] - (1.0 + s**2), 0.01, "closed: m^2 + s^2")


def test_correlation() -> None:
    """Var (a + 2 b) = sa^2 + 4 sb^2 + 4 r sa sb."""
    s = tg.final("s")
    found = tg.robustness(
        Square(),
        1.0,
        of=s,
        tolerances={"a": 0.3, "b": 0.6, "p": "1 %"},
        distribution="normal",
        correlation={("a", "b"): -0.7},
        samples=1000,
        sampling="latin_hypercube",
        executor="serial",
        points=10,
    )
    exact = 0.1**2 + 4.0 * 0.2**2 - 4.0 * 0.7 * 0.1 * 0.2
    within("correlated sum, variance", relative(found.variance[s.text], exact), 1e-8, "closed")
    drawn = found.samples
    assert drawn is not None
    within("correlated sum, sampled", relative(drawn.sigma[s.text].value ** 2, exact), 0.06, "closed; 1000 samples")


def test_yield() -> None:
    """Of a sum of normal parameters the yield is a normal distribution."""
    s, sigma = tg.final("s"), np.sqrt(0.1**2 + 4.0 * 0.2**2)
    found = tg.robustness(
        Square(),
        1.0,
        of=[s <= 7.5, s >= 6.7],
        tolerances={"a": 0.3, "b": 0.6},
        distribution="normal",
        samples=500,
        executor="serial",
        points=10,
    )
    parts = norm.cdf(0.5 / sigma), norm.cdf(0.3 / sigma)
    both = parts[0] + parts[1] - 1.0
    normal, drawn = list(found.first_order_yield().values()), list(found.sampled_yield().values())
    within("yield of each limit and of both", relative(normal, [*parts, both]), 1e-8, "normal distribution")
    for estimate, exact in zip(drawn, (*parts, both), strict=True):
        assert estimate.low < exact < estimate.high


def test_least_sensitive_throw() -> None:
    """How to throw 30 m with the least scatter, with deviations sv of the speed and sa of the angle.

    With s = sin(2 a) and v^2 = g R/s the variance is 4 R^2 (A s + sa^2 (1/s^2 - 1)), A = sv^2/(g R): least at
    s^3 = 2 sa^2/A. The landing is an event, and second derivatives go through it. They are differences of exact
    gradients, and the minimum is flat: 1e-5 of the variables, 1e-8 of sigma.
    """
    R, sv, sa, x = 30.0, 1.0, 0.03, tg.final("x")
    best = tg.robust_optimize(
        Throw(),
        10.0,
        minimize=tg.sigma(x),
        variables={"v": (10.0, 40.0), "a": (0.1, 0.75)},
        tolerances={"v": 3.0 * sv, "a": 3.0 * sa},
        distribution="normal",
        subject_to=[x == R],
    )
    A = sv**2 / (9.81 * R)
    s = (2.0 * sa**2 / A) ** (1.0 / 3.0)
    within("throw, angle", relative(best.variables["a"], 0.5 * np.arcsin(s)), 1e-5, "closed")
    within("throw, speed", relative(best.variables["v"], np.sqrt(9.81 * R / s)), 1e-5, "closed")
    least = 2.0 * R * np.sqrt(A * s + sa**2 * (1.0 / s**2 - 1.0))
    within("throw, sigma", relative(best.objective, least), 1e-7, "closed")


def test_limit_kept_with_three_sigmas() -> None:
    """The largest output of a divider whose mean + 3 sigma is 7 V; tolerances in percent grow with the resistance."""
    best = tg.robust_optimize(
        Divider(),
        1.0,
        maximize=OUT,
        variables={"r2.R": (500.0, 5000.0)},
        tolerances={"r1.R": "5 %", "r2.R": "5 %", "source.V": "0.1 V"},
        subject_to=[OUT + 3.0 * tg.sigma(OUT) <= 7.0],
        points=10,
    )

    def above(r2: float) -> float:
        ratio = r2 / (1e3 + r2)
        scatter = (10.0 * ratio * (1.0 - ratio) * 0.05) ** 2 * 2.0 / 3.0 + (ratio * 0.1) ** 2 / 3.0
        return 10.0 * ratio + 3.0 * np.sqrt(scatter) - 7.0

    exact = brentq(above, 500.0, 5000.0, xtol=1e-9)
    within("divider, 3 sigma below a limit", relative(best.variables["r2.R"], exact), 1e-5, "closed, by bisection")


PRICES = {"r1.R": 0.02, "r2.R": 0.05, "source.V": 0.3}
SLOPES = np.array([-10.0 * 2.0 / 9.0, 10.0 * 2.0 / 9.0, 10.0 * 2.0 / 3.0])  # by relative changes


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_cheapest_tolerances_for_a_variance(exponent: float) -> None:
    """Lagrange: a_i b / t_i^(b+1) is proportional to g_i^2 t_i, so t_i ~ (a_i / g_i^2)^(1/(b + 2))."""
    bought = tg.allocate_tolerances(
        Divider(),
        1.0,
        keep=tg.sigma(OUT) <= 0.02,
        prices={name: ("1 %", price, exponent) for name, price in PRICES.items()},
        distribution="normal",
        points=2,
    )
    t = (np.array(list(PRICES.values())) / SLOPES**2) ** (1.0 / (exponent + 2.0))
    t *= 0.02 / np.sqrt(((SLOPES * t / 3.0) ** 2).sum())
    found = np.array(list(bought.tolerances.values())) / [1e3, 2e3, 10.0]
    within(f"tolerances for a variance, cost a/t^{exponent:g}", relative(found, t), 1e-5, "closed, Lagrange")
    cost = sum(price * (0.01 / each) ** exponent for price, each in zip(PRICES.values(), t, strict=True))
    within(f"their cost, a/t^{exponent:g}", relative(bought.cost, cost), 1e-8, "closed, Lagrange")
    assert bought.robustness(worst=None).sigma[OUT.text] == pytest.approx(0.02, rel=1e-6)


def test_cheapest_tolerances_for_a_worst_case() -> None:
    """sum |g_i| t_i = room with costs a_i/t_i: t_i ~ sqrt(a_i/|g_i|)."""
    bought = tg.allocate_tolerances(
        Divider(),
        1.0,
        keep=[OUT <= 7.0, OUT >= 6.4],
        prices={name: ("1 %", price) for name, price in PRICES.items()},
        margin="worst_case",
        points=2,
    )
    t = np.sqrt(np.array(list(PRICES.values())) / np.abs(SLOPES))
    t *= (20.0 / 3.0 - 6.4) / (np.abs(SLOPES) @ t)
    found = np.array(list(bought.tolerances.values())) / [1e3, 2e3, 10.0]
    within("tolerances for a worst case", relative(found, t), 1e-5, "closed, Lagrange")
    assert bought.active == ("final(r2.v) >= 6.4",)


def test_cheapest_tolerances_of_a_catalogue() -> None:
    """Against all combinations."""
    classes = {0.01: 0.05, 0.02: 0.03, 0.05: 0.02, 0.1: 0.01}
    written = {f"{100 * t:g} %": price for t, price in classes.items()}
    bought = tg.allocate_tolerances(
        Divider(), 1.0, keep=[OUT >= 6.2], prices=dict.fromkeys(PRICES, written), points=2, margin=2.0
    )
    room = (20.0 / 3.0 - 6.2) / 2.0
    kept = [
        (sum(classes[t] for t in each), each)
        for each in product(classes, repeat=3)
        if np.sqrt((SLOPES**2 * np.array(each) ** 2 / 3.0).sum()) <= room
    ]
    within("cheapest of a catalogue", bought.cost - min(kept)[0], 1e-12, "all 64 combinations")
