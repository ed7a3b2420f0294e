"""Functions of lanes against 80-bit arithmetic: below two units in the last place, and right at the ends of ranges."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tellegen.engine.native.machine_code import MachineCode
from tellegen.ensembles.kernels import elementary
from tellegen.ir.program import Module
from tellegen.procedures.load import load
from tellegen.procedures.lower_lanes import lower_lanes

LANES = 4
LONG = np.finfo(np.longdouble).nmant >= 63
RANGES: dict[str, tuple[tuple[float, float], ...]] = {
    "exp": ((-1.0, 1.0), (-740.0, 709.0)),
    "log": ((0.5, 2.0), (1e-300, 1e300)),
    "log10": ((0.5, 2.0), (1e-300, 1e300)),
    "sin": ((-4.0, 4.0), (-9e5, 9e5)),
    "cos": ((-4.0, 4.0), (-9e5, 9e5)),
    "tan": ((-1.5, 1.5), (-1000.0, 1000.0)),
    "asin": ((-1.0, 1.0), (-0.6, 0.6)),
    "acos": ((-1.0, 1.0), (0.9, 1.0)),
    "atan": ((-3.0, 3.0), (-1e6, 1e6)),
    "sinh": ((-1.0, 1.0), (-700.0, 700.0)),
    "cosh": ((-1.0, 1.0), (-700.0, 700.0)),
    "tanh": ((-1.0, 1.0), (-20.0, 20.0)),
}
MOST_ULP = {"tan": 3.0}
"""A quotient of two rounded numbers."""


@cache
def native(name: str) -> Callable[..., Any]:
    """The function on arrays, in lanes."""
    function = getattr(elementary, name)
    count = function.__code__.co_argcount
    unit = load(function)
    full = unit.entries[name]
    module = lower_lanes(unit._replace(entries={}), LANES, 2)
    vector = f"<{LANES} x double>"
    loads = "".join(f"  %x{k} = load {vector}, ptr %a{k}, align 8\n" for k in range(count))
    given = ", ".join(f"ptr %a{k}" for k in range(count))
    passed = ", ".join(f"{vector} %x{k}" for k in range(count))
    text = re.sub(r"define internal (.*) noinline", r"define internal \1 alwaysinline", module.text)
    text += (
        f"\ndefine void @apply({given}, ptr %out) {{\n{loads}  %y = call {vector} @{full}({passed})\n"
        f"  store {vector} %y, ptr %out, align 8\n  ret void\n}}\n"
    )
    code = MachineCode((Module(text, 2, ("apply",)),))
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (count + 1))(code.addresses["apply"])

    def apply(*arrays: Any) -> Any:
        out = np.empty_like(arrays[0])
        for k in range(0, len(out), LANES):
            call(*(array[k:].ctypes.data for array in arrays), out[k:].ctypes.data)
        assert code is not None
        return out

    return apply


def ulps(found: Any, exact: Any) -> float:
    """The largest difference in units of the last place."""
    return float((np.abs(found - exact) / np.spacing(np.abs(exact.astype(float)))).max())


@pytest.mark.skipif(not LONG, reason="no 80-bit floats here")
@pytest.mark.parametrize("name", RANGES)
def test_accuracy(name: str) -> None:
    generator = np.random.default_rng(0)
    numpy_name = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}.get(name, name)
    for low, high in RANGES[name]:
        x = generator.uniform(low, high, 4000)
        if low > 0.0 and high > 1e3 * low:
            x = np.exp(generator.uniform(np.log(low), np.log(high), 4000))
        exact = getattr(np, numpy_name)(x.astype(np.longdouble))
        assert ulps(native(name)(x), exact) < MOST_ULP.get(name, 2.0)


@pytest.mark.skipif(not LONG, reason="no 80-bit floats here")
@pytest.mark.parametrize("name", ["sin", "cos"])
def test_multiples_of_a_quarter_turn(name: str) -> None:
    """Where nearly nothing is left of an angle, its digits beyond those of a double are what remains."""
    x = np.random.default_rng(3).integers(0, 600_000, 4000) * (0.5 * np.pi)
    assert ulps(native(name)(x), getattr(np, name)(x.astype(np.longdouble))) < 2.0


@pytest.mark.skipif(not LONG, reason="no 80-bit floats here")
def test_accuracy_of_two_arguments() -> None:
    generator = np.random.default_rng(1)
    x = generator.uniform(0.01, 50.0, 4000)
    y = generator.uniform(-40.0, 40.0, 4000)
    assert ulps(native("pow")(x, y), np.power(x.astype(np.longdouble), y.astype(np.longdouble))) < 2.0
    a = generator.normal(size=4000)
    b = generator.normal(size=4000)
    assert ulps(native("atan2")(a, b), np.arctan2(a.astype(np.longdouble), b.astype(np.longdouble))) < 2.0


def test_ends_of_ranges() -> None:
    inf = np.inf
    cases: dict[str, list[float]] = {
        "exp": [0.0, 710.0, -746.0, inf, -inf, -745.0, 709.7, 1.0],
        "log": [1.0, 0.0, -1.0, inf, 5e-324, 1e-310, 2.0, 0.5],
        "tanh": [0.0, 30.0, -30.0, inf, -inf, 0.625, -0.625, 1e-300],
        "atan": [0.0, 1e300, -1e300, inf, -inf, 1.0, -1.0, 0.66],
        "asin": [0.0, 1.0, -1.0, 2.0, 0.625, -0.625, 1e-10, -2.0],
    }
    for name, values in cases.items():
        x = np.array(values)
        with np.errstate(all="ignore"):
            exact = getattr(np, {"asin": "arcsin", "atan": "arctan"}.get(name, name))(x)
        assert native(name)(x) == pytest.approx(exact, rel=1e-15, nan_ok=True), name
    x = np.array([0.0, 0.0, -2.0, -2.0, 1.0, inf, 0.0, -8.0])
    y = np.array([2.0, -1.0, 3.0, 0.5, inf, -1.0, 0.0, 2.0])
    with np.errstate(all="ignore"):
        assert native("pow")(x, y) == pytest.approx(np.power(x, y), nan_ok=True)


def test_large_angles_are_left_to_others() -> None:
    assert np.isnan(native("sin")(np.array([2e6, 1e300, -2e6, np.inf]))).all()
