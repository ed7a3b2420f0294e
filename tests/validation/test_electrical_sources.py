"""Every shape of voltage and current against its formula in NumPy: both kinds have the same shapes.

The load is a resistor of 2 ohm, so that a source of current of the same numbers gives -2 ohm times the voltage of the
other. Values are formulas of time, compared at points of the run that no corner falls on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from validation.measured import within
from validation.ngspice_circuits import circuit

Array = Any
START, OFFSET, HEIGHT = 0.1317, 0.7, 2.5
TIMES = np.linspace(0.0, 3.0, 301)
BEGIN = {"offset": OFFSET, "start_time": START}


def sine(t: Array) -> Array:
    return np.sin(2 * np.pi * 1.7 * t + 0.4)


def cosine(t: Array) -> Array:
    return np.cos(2 * np.pi * 1.7 * t + 0.4)


def exponentials(t: Array) -> Array:
    top = 1 - np.exp(-0.5 / 0.2)
    return np.where(t < 0.5, 1 - np.exp(-t / 0.2), top * np.exp(-(t - 0.5) / 0.3))


def trapezoid(t: Array) -> Array:
    return np.interp(t % 0.9, [0.0, 0.1, 0.4, 0.6, 0.9], [0.0, 1.0, 1.0, 0.0, 0.0])


WAVE = {"f": 1.7, "phase": 0.4}
SHAPES: dict[str, tuple[dict[str, float], Callable[[Array], Array]]] = {
    "Step": ({}, lambda t: 1.0 + 0.0 * t),
    "Ramp": ({"duration": 1.2}, lambda t: np.minimum(t / 1.2, 1.0)),
    "Sine": (WAVE, sine),
    "Cosine": (WAVE, cosine),
    "ExpSine": ({**WAVE, "damping": 0.8}, lambda t: np.exp(-0.8 * t) * sine(t)),
    "Exponentials": ({"rise_time": 0.5, "rise_time_const": 0.2, "fall_time_const": 0.3}, exponentials),
    "Pulse": ({"period": 0.7, "width": 0.3}, lambda t: np.where(t % 0.7 < 0.21, 1.0, 0.0)),
    "SawTooth": ({"period": 0.7}, lambda t: t % 0.7 / 0.7),
    "Trapezoid": ({"rising": 0.1, "width": 0.3, "falling": 0.2, "period": 0.9}, trapezoid),
}


def voltage(source: Any) -> Array:
    """On 2 ohm, at TIMES."""
    parts = {"x": (source, "a", "0"), "r": (el.Resistor(R=2.0), "a", "0")}
    s = tg.simulate(circuit("case", parts, {}), TIMES[-1], points=TIMES, rtol=1e-9)
    return s.at(TIMES)["r.v"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["Voltage", "Current"])
def test_shapes(shape: str, kind: str) -> None:
    numbers, formula = SHAPES[shape]
    letter = {"Voltage": "V", "Current": "I"}[kind]
    height = {f"{letter.lower()}_max" if shape == "Exponentials" else letter: HEIGHT}
    found = voltage(getattr(el, f"{shape}{kind}")(**height, **numbers, **BEGIN))
    wanted = OFFSET + np.where(TIMES < START, 0.0, HEIGHT * formula(np.maximum(TIMES - START, 0.0)))
    sign = 1.0 if kind == "Voltage" else -2.0
    within(f"{shape}{kind}", found - sign * wanted, 1e-8, "formula in NumPy, V")


@pytest.mark.parametrize("kind", ["Voltage", "Current"])
def test_tables(kind: str) -> None:
    times, values = (0.205, 1.0, 1.0, 1.5, 2.505), (1.0, 3.0, -1.0, 0.5, 2.0)
    found = voltage(getattr(el, f"Table{kind}")(times=times, values=values, offset=0.5))
    before = np.interp(TIMES, times[:2], values[:2])
    wanted = 0.5 + np.where(TIMES < 1.0, before, np.interp(TIMES, times[2:], values[2:]))
    sign = 1.0 if kind == "Voltage" else -2.0
    within(f"Table{kind}", found - sign * wanted, 1e-8, "NumPy's interp, V")


@pytest.mark.parametrize("kind", ["Voltage", "Current"])
def test_every_shape_has_a_test(kind: str) -> None:
    elsewhere = {"LightningImpulse", "Supply"}  # test_more_parts.py
    known = {f"{shape}{kind}" for shape in [*SHAPES, "Table", "Constant", "Signal"]}
    shapes = {name for name in el.__all__ if name.endswith(kind)}
    assert shapes - {f"{shape}{kind}" for shape in elsewhere} == known
    constant = getattr(el, f"Constant{kind}")(**{kind[0].replace("C", "I"): 1.5})
    sign = 1.0 if kind == "Voltage" else -2.0
    within(f"Constant{kind}", voltage(constant) - sign * 1.5, 1e-12, "the number, V")
    signal = getattr(el, f"Signal{kind}")(u=-0.5)
    within(f"Signal{kind}", voltage(signal) + sign * 0.5, 1e-12, "the number, V")
