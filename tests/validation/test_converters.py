"""Switching converters at 100 kHz: the periodic state against matrix exponentials, means against textbook formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from validation.measured import within

T = 1e-5


class Buck(tg.Component):
    """24 V to less: a switch, a freewheeling diode, an inductor, a capacitor."""

    duty = tg.parameter(0.5, "1")
    source = el.ConstantVoltage(V=24.0)
    pwm = blocks.Pulse(period=T, width=duty)
    switch = el.IdealClosingSwitch(Ron=1e-3, Goff=1e-7)
    diode = el.IdealDiode(Ron=1e-3, Goff=1e-7)
    coil = el.Inductor(L=100e-6, i=tg.variable(start=0.0, fixed=True))
    c = el.Capacitor(C=10e-6, v=tg.variable(start=0.0, fixed=True))
    load = el.Resistor(R=5.0)
    ground = el.Ground()

    def connections(self):
        yield self.pwm.y, self.switch.control
        yield self.source.p, self.switch.p
        yield self.switch.n, self.diode.n, self.coil.p
        yield self.coil.n, self.c.p, self.load.p
        yield self.source.n, self.diode.p, self.c.n, self.load.n, self.ground.p


def periodic(model: dict[str, float], duty: float) -> tuple[Any, Any]:
    """i and v at the begin of a period and at the end of the pulse in the periodic state of continuous conduction.

    x' = A x + b V while the switch conducts, x' = A x while the diode does; Ron of both is in series with L, and
    Goff of the other one carries 1e-7 of the current.
    """
    L, C, R, Ron, V = (model[k] for k in ("L", "C", "R", "Ron", "V"))
    A = np.array([[-Ron / L, -1 / L], [1 / C, -1 / (R * C)]])
    b = np.array([V / L, 0.0])
    on, off = expm(A * duty * T), expm(A * (1 - duty) * T)
    step = np.linalg.solve(A, (on - np.eye(2)) @ b)
    begin = np.linalg.solve(np.eye(2) - off @ on, off @ step)
    return begin, on @ begin + step


def test_buck_converter_in_continuous_conduction() -> None:
    """10 ms at 100 kHz, started from nothing: 1000 periods settle the filter (2 R C = 100 us) completely."""
    s = tg.simulate(Buck(), 10e-3, points=1000, rtol=1e-7)
    begin, end = periodic({"L": 100e-6, "C": 10e-6, "R": 5.0, "Ron": 1e-3, "V": 24.0}, 0.5)
    low, high = s.at(9.99e-3), s.at(9.995e-3)
    within(
        "Buck converter, current at the begin of a period", low["coil.i"] / begin[0] - 1, 1e-5, "matrix exponentials"
    )
    within("Buck converter, current at the end of a pulse", high["coil.i"] / end[0] - 1, 1e-5, "matrix exponentials")
    within("Buck converter, voltage at the begin of a period", low["c.v"] / begin[1] - 1, 1e-5, "matrix exponentials")
    ripple = (24.0 - 12.0) * 0.5 * T / 100e-6
    within(
        "Buck converter, ripple of the current", (high["coil.i"] - low["coil.i"]) / ripple - 1, 5e-3, "(V - U) D T/L"
    )


def test_buck_converter_in_discontinuous_conduction() -> None:
    """A light load: the current ends before the period. U/V = 2/(1 + sqrt(1 + 4 K/D^2)), K = 2 L/(R T).

    The formula neglects the ripple of U (6e-4 here) and Ron.
    """
    K, D = 2 * 100e-6 / (200.0 * T), 0.5
    start = 24.0 * 2 / (1 + np.sqrt(1 + 4 * K / D**2))
    numbers = {"load.R": 200.0, "duty": D}
    s = tg.simulate(Buck(c=el.Capacitor(C=10e-6, v=tg.variable(start=start, fixed=True))), 10e-3, parameters=numbers)
    late = s.time > 5e-3
    mean = np.trapezoid(s["c.v"][late], s.time[late]) / np.ptp(s.time[late])
    within("Buck converter, discontinuous, mean voltage", mean / start - 1, 2e-3, "textbook formula")
    assert s["coil.i"][late].min() > -1e-4
    nothing = np.abs(s["coil.i"][late]) < 1e-4
    assert nothing.mean() > 0.1, "the current should rest at zero for a part of every period"


class Boost(tg.Component):
    """12 V to more."""

    source = el.ConstantVoltage(V=12.0)
    pwm = blocks.Pulse(period=T, width=0.6)
    coil = el.Inductor(L=200e-6, i=tg.variable(start=0.0, fixed=True))
    switch = el.IdealClosingSwitch(Ron=1e-3, Goff=1e-7)
    diode = el.IdealDiode(Ron=1e-3, Goff=1e-7)
    c = el.Capacitor(C=20e-6, v=tg.variable(start=12.0, fixed=True))
    load = el.Resistor(R=30.0)
    ground = el.Ground()

    def connections(self):
        yield self.pwm.y, self.switch.control
        yield self.source.p, self.coil.p
        yield self.coil.n, self.switch.p, self.diode.p
        yield self.diode.n, self.c.p, self.load.p
        yield self.source.n, self.switch.n, self.c.n, self.load.n, self.ground.p


def test_boost_converter() -> None:
    """U = V/(1 - D) in the mean, less what Ron takes: 1e-3 ohm against (1 - D)^2 R = 4.8 ohm."""
    s = tg.simulate(Boost(), 10e-3)
    late = s.time >= 5e-3
    mean = np.trapezoid(s["c.v"][late], s.time[late]) / np.ptp(s.time[late])
    within("Boost converter, mean voltage", mean / 30.0 - 1, 3e-3, "V/(1 - D)")


@pytest.mark.parametrize("model", [Buck, Boost])
def test_power_and_energy(model: Any) -> None:
    """Tellegen in every row; and energy from the source = heat + stored, by the trapezoidal rule (1e-4)."""
    s = tg.simulate(model(), 2e-4, points=20001, rtol=1e-8)
    names = ["source", "switch", "diode", "coil", "c", "load"]
    pins = [f"{name}.{pin}" for name in names for pin in "pn"] + ["ground.p"]
    powers = np.array([s[f"{pin}.v"] * s[f"{pin}.i"] for pin in pins])
    within("Converters, power of all pins", powers.sum(axis=0) / np.abs(powers).max(), 1e-9, "Tellegen")
    work = {name: np.trapezoid(s[f"{name}.v"] * s[f"{name}.i"], s.time) for name in names}
    inside = 0.5 * s["coil.L"] * s["coil.i"] ** 2 + 0.5 * s["c.C"] * s["c.v"] ** 2
    heat = work["switch"] + work["diode"] + work["load"]
    missing = heat + inside[-1] - inside[0] + work["source"]
    within("Converters, energy", missing / work["source"], 1e-4, "conservation")
