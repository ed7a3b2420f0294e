"""The sensitivity tables of S. A. Vaze's dissertation (chapters 3 and 4, examples E4 and E5).

Listed are predicted changes of power, sensitivity times change of the parameter, of an independent model ([V] columns
of the seeds, six or seven digits). The issue allows 0.05 %; two units of the last digit printed are asked for here.
Errata: Bv goes to 0.0147 (printed 0.0.0147); the labels of the two energies of J2 are swapped in the source.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from validation.measured import relative, within
from validation.test_slider_crank import DirectDrive, RectifiedDrive

OUNCE_INCH = 0.00706155181422604  # N m
OUNCE_MASS = OUNCE_INCH / 0.0254**2  # kg: ozf s^2/in
TENTHS = np.linspace(0.1, 1.0, 10)
FINE = np.concatenate([np.linspace(0.0, 0.05, 2001), np.linspace(0.0501, 1.0, 4001)])

E4 = {
    "motor.d": ("Bv", 0.001 * OUNCE_INCH, [2.653565e-06, 8.828419e-06, 1.689143e-05, 3.049341e-05, 6.687576e-05,
                                           2.816936e-04, -7.291774e-04, 1.652504e-04, 6.868960e-04, -8.960802e-03]),
    "mechanism.rod.I": ("J2", 0.001 * OUNCE_INCH, [2.958033e-06, 3.731127e-06, 3.337495e-06, 3.395397e-06, 6.514814e-06,
                                                   4.698298e-05, -7.129730e-04, -8.370803e-05, 1.285871e-05,
                                                   -1.282062e-03]),
}  # fmt: skip
E5 = {
    "mechanism.slider.m": ("ms", 0.001 * OUNCE_MASS, [1.14089e-05, 1.46865e-05, 1.48538e-05, 2.15312e-05, 4.57739e-05,
                                                      1.56284e-04, 3.03323e-03, 5.15816e-04, 3.34105e-04, 1.60026e-03]),
    "source.V": ("Vs", 0.01, [5.64003e-03, 6.57578e-03, 6.66270e-03, 6.65550e-03, 6.60361e-03, 6.38061e-03, 1.15690e-03,
                              6.08986e-03, 6.14295e-03, 3.65274e-03]),
}  # fmt: skip
ENERGIES = {
    "motor.d": 3.057777e-4,
    "mechanism.rod.I": 4.086668e-5,
    "mechanism.slider.m": 7.34099e-5,
    "source.V": 0.00672342,
}


@cache
def found(example: str) -> Any:
    model, wrt = (DirectDrive(), list(E4)) if example == "E4" else (RectifiedDrive(), list(E5))
    times = np.union1d(FINE, TENTHS)
    return tg.sensitivity(model, 1.0, wrt=wrt, rtol=1e-8, points=times[times > 0], solver="rk45")


def power_change(example: str, name: str) -> Any:
    s = found(example)
    if example == "E4":
        return 2.0 * s["motor.ia", name]
    return s["c.v", name] * s.solution["motor.ia"] + s.solution["c.v"] * s["motor.ia", name]


@pytest.mark.parametrize(("example", "table"), [("E4", E4), ("E5", E5)])
def test_predicted_changes_of_power(example: str, table: dict[str, Any]) -> None:
    time = found(example).time
    for name, (short, change, listed) in table.items():
        predicted = np.interp(TENTHS, time, power_change(example, name)) * change
        within(f"{example}, power by {short} at 0.1 .. 1 s", relative(predicted, listed), 1e-5, "seed, [V] column")
        energy = np.trapezoid(power_change(example, name), time) * change
        within(f"{example}, energy by {short}", relative(energy, ENERGIES[name]), 5e-5, "seed, [V]; trapezoids")


ACTUAL = {
    "motor.d": [2.653405e-06, 8.827478e-06, 1.688879e-05, 3.048573e-05, 6.684350e-05, 2.813093e-04, -7.326558e-04,
                1.648579e-04, 6.835958e-04, -9.275078e-03],
    "mechanism.rod.I": [2.957760e-06, 3.730981e-06, 3.337477e-06, 3.395321e-06, 6.514082e-06, 4.696286e-05,
                        -7.130193e-04, -8.359623e-05, 1.306221e-05, -1.288555e-03],
    "mechanism.slider.m": [1.13916e-05, 1.46657e-05, 1.48298e-05, 2.14836e-05, 4.56333e-05, 1.55523e-04, 2.98095e-03,
                           5.08704e-04, 3.33512e-04, 1.57341e-03],
    "source.V": [5.64751e-03, 6.58440e-03, 6.67140e-03, 6.66414e-03, 6.61198e-03, 6.38721e-03, 1.00605e-03, 6.07765e-03,
                 6.14984e-03, 3.56914e-03],
}  # fmt: skip


@cache
def compiled(example: str) -> Any:
    return tg.compile(DirectDrive() if example == "E4" else RectifiedDrive())


@cache
def power(example: str, name: str, change: float) -> Any:
    """At every tenth of a second, with one parameter a little off."""
    own = {"motor.d": 0.0137 * OUNCE_INCH, "mechanism.rod.I": 0.0373 * OUNCE_INCH}
    own |= {"mechanism.slider.m": 0.6211 * OUNCE_MASS, "source.V": 5.0}
    given = {name: own[name] + change}
    s = compiled(example).simulate(1.0, rtol=1e-10, points=TENTHS, solver="rk45", parameters=given)
    return (2.0 * s["motor.ia"] if example == "E4" else s["c.v"] * s["motor.ia"])[-10:]


@pytest.mark.parametrize(("name", "at", "mismatch"), [
    ("motor.d", 9, 0.0351), ("mechanism.rod.I", 8, 0.0158), ("mechanism.slider.m", 6, 0.0172), ("source.V", 6, 0.1302),
])  # fmt: skip
def test_finite_differences_beside_it(name: str, at: int, mismatch: float) -> None:
    """The changes that really happen, and why they are not the predicted ones: halve the change, halve the mismatch.

    Largest mismatches are at the tenths beside dead centres, as printed (0.9 s is the one exception, for the rod, whose
    sensitivity passes zero there). A difference of both sides leaves a quarter when its change is halved. The actual
    changes are differences of runs that agree in ten digits: 2e-4 of the largest for those of 1e-6 W.
    """
    example = "E4" if name in E4 else "E5"
    short, change, _ = {**E4, **E5}[name]
    exact = np.interp(TENTHS, found(example).time, power_change(example, name))
    nominal = power(example, name, 0.0)
    actual = power(example, name, change) - nominal
    within(f"{example}, actual change of power by {short}", relative(actual, ACTUAL[name]), 2e-4, "seed, [V] column")
    off = [np.abs((power(example, name, change / n) - nominal) * n / change / exact - 1.0) for n in (1, 2, 4)]
    assert int(np.argmax(off[0])) == at
    assert off[0][at] == pytest.approx(mismatch, rel=0.03)
    orders = np.log2([off[0][at] / off[1][at], off[1][at] / off[2][at]])
    within(f"{example}, order of the mismatch by {short}", orders - 1.0, 0.1, "one-sided difference: order 1")
    sides = [
        abs(
            (power(example, name, change / n) - power(example, name, -change / n))[at] * n / (2 * change) / exact[at]
            - 1
        )
        for n in (1, 2)
    ]
    within(f"{example}, order by {short}, both sides", np.log2(sides[0] / sides[1]) - 2.0, 0.1, "order 2")
