"""Optima known in closed form or from the literature: controller tuning, gear ratio, filter."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from validation.measured import relative, within


class Third(tg.Component):
    """y''' + a y'' + b y' + y = 1: the standard form of third order, in units of its natural frequency."""

    y = tg.variable(start=0.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    w = tg.variable(start=0.0, fixed=True)
    a = tg.parameter(2.5)
    b = tg.parameter(3.0)

    def equations(self):
        yield tg.der(self.y) == self.v
        yield tg.der(self.v) == self.w
        yield tg.der(self.w) == 1 - self.y - self.b * self.v - self.a * self.w


@cache
def least_itae() -> float:
    """By SciPy on the closed-form solution, 1 - y = the sum of c_k exp(s_k t), and sums on a fine grid."""
    t = np.linspace(0, 30, 30001)

    def value(x: np.ndarray) -> float:
        s = np.roots([1.0, *x, 1.0])
        start = np.linalg.solve(np.vander(s, 3, increasing=True).T, [1.0, 0.0, 0.0])
        return float(np.trapezoid(t * np.abs((start @ np.exp(np.outer(s, t))).real), t))

    found = minimize(value, [1.8, 2.2], method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9})
    return float(found.fun)


@pytest.mark.parametrize("method", ["slsqp", "ipopt", "trust-constr"])
def test_itae_of_third_order(method: str) -> None:
    """The standard form s^3 + 1.75 s^2 + 2.15 s + 1 was found on an analogue computer (D. Graham and R. C. Lathrop,
    1953), to about two percent; digital computers find 1.783 and 2.172 (Y. Cao, 1989)."""
    if method == "ipopt":
        pytest.importorskip("ipyopt")
    best = tg.optimize(
        Third(),
        30.0,
        minimize=tg.integral("time * abs(1 - y)"),
        variables={"a": (1.0, 4.0), "b": (1.0, 4.0)},
        method=method,
    )
    assert best.success, best.message
    found = np.array([best.variables["a"], best.variables["b"]])
    case = "controller by ITAE, third order"
    within(f"{case}: coefficients", relative(found, [1.75, 2.15]), 0.025, "Graham and Lathrop", method)
    within(f"{case}: coefficients", relative(found, [1.783, 2.172]), 1e-3, "Cao", method)
    within(f"{case}: value", best.objective / least_itae() - 1, 2e-6, "SciPy", method)


class Move(tg.Component):
    """A motor of limited torque turns a load by a radian, from rest to rest."""

    drive = rot.Torque()
    rotor = rot.Inertia(J=2e-4)
    gear = rot.IdealGear(ratio=3.0)
    load = rot.Inertia(J=8e-3, phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=0.0, fixed=True))

    def connections(self):
        yield self.drive.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.load.flange_a

    def equations(self):
        yield self.drive.tau == tg.where(self.load.phi < 0.5, 0.5, -0.5)
        yield tg.when((self.load.w < 0) & (self.load.phi > 0.5), tg.terminate("at rest"))


def test_gear_ratio() -> None:
    """n = sqrt(J_load / J_motor). The minimum is flat: its place is known to the root of the tolerance."""
    best = tg.optimize(Move(), 5.0, minimize=tg.final("time"), variables={"gear.ratio": (1.0, 30.0)}, tolerance=1e-9)
    n = np.sqrt(8e-3 / 2e-4)
    within("gear ratio of the shortest move", best.variables["gear.ratio"] / n - 1, 1e-3, "sqrt(J_load / J_motor)")
    least = 2 * np.sqrt((2e-4 * n**2 + 8e-3) / (0.5 * n))
    within("time of the shortest move", best.objective / least - 1, 1e-6, "closed form")


class Filter(tg.Component):
    """A filter of second order after a step."""

    source = el.ConstantVoltage(V=1.0)
    r = el.Resistor(R=20.0)
    coil = el.Inductor(L=1e-3, i=tg.variable(start=0.0, fixed=True))
    c = el.Capacitor(C=1e-6, v=tg.variable(start=0.0, fixed=True))
    ground = el.Ground()

    def connections(self):
        yield self.source.p, self.r.p
        yield self.r.n, self.coil.p
        yield self.coil.n, self.c.p
        yield self.c.n, self.source.n, self.ground.p


def test_filter() -> None:
    """The integral of the squared error is smallest at damping 1/2, R = sqrt(L/C), where it is sqrt(L C)."""
    best = tg.optimize(Filter(), 1e-3, minimize=1e6 * tg.integral("(1 - c.v)**2"), variables={"r.R": (5.0, 200.0)})
    within("filter with the least squared error: R", best.variables["r.R"] / np.sqrt(1e3) - 1, 1e-3, "sqrt(L/C)")
    within("filter with the least squared error", best.objective / (1e6 * np.sqrt(1e-9)) - 1, 1e-6, "sqrt(L C)")
