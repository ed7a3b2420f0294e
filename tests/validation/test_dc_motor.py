"""The DC motor with gearbox and link of S. A. Vaze's dissertation (example E1): every listed value to six digits.

Parameters are given in ounce-force, inches and seconds, as printed there; pint converts them. The torque constant
(5.6 ozf in/A = 0.03954 N m/A) and the back-EMF constant (0.0401 V s/rad) differ, so the machine is given both.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import rotational as rot
from validation.measured import ALL, relative, within

SEED = "seed E1 (independent model)"


class Drive(tg.Component):
    """Library parts only; the motor has both constants."""

    source = el.StepVoltage(V=1.0)
    ground = el.Ground()
    motor = ma.DC_PermanentMagnet(
        two_constants=True,
        k=0.0401,
        k_t="5.6 ozf.inch/A",
        Ra=2.4,
        La=0.0048,
        Jr="0.0044 ozf.inch.s2",
        d="0.0137 ozf.inch.s/rad",
        ia=tg.variable(start=0.0, fixed=True),
    )
    gear = rot.IdealGear(ratio=12.5)
    link = rot.Inertia(J="41.077 ozf.inch.s2")

    def connections(self) -> Any:
        yield self.source.p, self.motor.pin_ap
        yield self.source.n, self.motor.pin_an, self.ground.p
        yield self.motor.flange, self.gear.flange_a
        yield self.gear.flange_b, self.link.flange_a


@cache
def compiled() -> Any:
    return tg.compile(Drive())


LISTED = {
    1.0: (7.182852, 0.296849, 3.823032),
    2.0: (12.001727, 0.216269, 13.576158),
    5.0: (18.829690, 0.102093, 61.831720),
    10.0: (21.360194, 0.059779, 164.293703),
}


@pytest.mark.parametrize("solver", ALL)
def test_listed_values(solver: str) -> None:
    """Six digits: half a unit of the last printed digit."""
    s = compiled().simulate(10.0, rtol=1e-10, points=list(LISTED), solver=solver)
    for k, listed in enumerate(LISTED.values()):
        values = [s[name][k + 1] for name in ("motor.w", "motor.ia", "motor.phi")]
        within(f"DC motor E1 at t = {s.time[k + 1]:g} s", np.subtract(values, listed), 0.5001e-6, SEED, solver)


@pytest.mark.parametrize("solver", ALL)
def test_peak_current(solver: str) -> None:
    """0.414840 A at 14.547 ms: where the derivative of the current is zero."""
    s = compiled().simulate(0.1, rtol=1e-10, points=np.linspace(0.0, 0.03, 601), solver=solver)
    slope = s["motor.va"] - 2.4 * s["motor.ia"] - s["motor.vi"]  # La di/dt
    k = int(np.argmax(s["motor.ia"]))
    t0: Any = brentq(lambda t: np.interp(t, s.time, slope), s.time[k - 1], s.time[k + 1])
    within("DC motor E1, peak current", s["motor.ia"].max() - 0.414840, 0.6e-6, SEED + ", A", solver)
    within("DC motor E1, time of the peak", t0 - 14.547e-3, 0.6e-6, SEED + ", s", solver)


def test_reflected_inertia() -> None:
    """Jm + JL/R^2 = 0.2672928 ozf in s^2: the torque over the acceleration at the motor."""
    s = compiled().simulate(1.0, rtol=1e-10, points=11)
    ounce_inch = 0.45359237 * 9.80665 / 16.0 * 0.0254
    torque = s["motor.tau_electrical"] / ounce_inch - 0.0137 * s["motor.w"]
    seen = torque[1:] / (12.5 * s["link.a"][1:])
    within("DC motor E1, reflected inertia", relative(seen, 0.2672928), 2e-7, SEED)


def test_eigenvalues() -> None:
    """-0.401589 and -499.650 1/s, the slow one from the decay, the fast one from the first moments."""
    rest = compiled().simulate(100.0, rtol=1e-11, atol=1e-13)
    w, i = (float(rest[name][-1]) for name in ("motor.w", "motor.ia"))
    s = compiled().simulate(10.0, rtol=1e-11, atol=1e-13, points=[5.0, 10.0])
    slow = np.log((w - s["motor.w"][2]) / (w - s["motor.w"][1])) / 5.0
    within("DC motor E1, slow eigenvalue", relative(slow, -0.401589), 1.3e-6, SEED)
    early = compiled().simulate(0.01, rtol=1e-11, atol=1e-13, points=[0.001, 0.002, 0.003])
    # i - i_steady = a exp(slow t) + b exp(fast t): what is left after projecting the slow mode out decays alone
    di, dw = early["motor.ia"] - i, early["motor.w"] - w
    ratio = (s["motor.ia"][1] - i) / (s["motor.w"][1] - w)  # of the slow mode
    fast_part = di - ratio * dw
    fast = np.log(fast_part[3] / fast_part[1]) / 0.002
    within("DC motor E1, fast eigenvalue", relative(fast, -499.650), 1.1e-6, SEED)


def test_steady_state() -> None:
    """After 100 s, 40 time constants. (No steady state in the strict sense: the angles go on.)"""
    s = compiled().simulate(100.0, rtol=1e-10)
    within("DC motor E1, steady speed", relative(s["motor.w"][-1], 21.75264), 2.4e-7, SEED)
    within("DC motor E1, steady speed of the link", relative(s["link.w"][-1], 1.740211), 3e-7, SEED)
    within("DC motor E1, steady current", relative(s["motor.ia"][-1], 0.05321628), 1e-7, SEED)


def test_gear_and_small_inductance() -> None:
    """The gear holds to rtol of 1e-8; with 4.8 uH the peak is 0.416663 A at 28 us (printed to two digits)."""
    s = compiled().simulate(10.0, rtol=1e-8)
    within("DC motor E1, gear", s["motor.phi"] - 12.5 * s["link.phi"], 1e-8, "constraint, rad")
    within("DC motor E1, gear speed", s["motor.w"] - 12.5 * s["link.w"], 1e-8, "constraint, rad/s")
    s = compiled().simulate(1e-3, rtol=1e-10, parameters={"motor.La": 4.8e-6}, points=2001)
    within("DC motor E1 with 4.8 uH, peak current", s["motor.ia"].max() - 0.416663, 0.6e-6, SEED + ", A")
    assert s.time[int(np.argmax(s["motor.ia"]))] == pytest.approx(28e-6, abs=1e-6)
