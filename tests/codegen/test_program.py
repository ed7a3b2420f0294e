"""The native code against the NumPy reference, on groups large (loops) and small (straight-line)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from structure.handmade import HandMade, ladder, rc_circuit, read_names
from tellegen.codegen import python
from tellegen.compile import compile_model
from tellegen.engine.compiled import CompiledModel
from tellegen.ir.flat import FlatModel


def compiled(flat: FlatModel) -> CompiledModel:
    """All stages after flattening."""
    return compile_model(flat)


def zoo(copies: int) -> FlatModel:
    """Every operation, `copies` times."""
    texts = [
        "der(x) == a*b - x/a + x**3 + x**2 + x**b + x**(-1)",
        "x == where(a > b, sqrt(a), b*x) + min(a, b)*max(b, x) + abs(b - a*y) + y",
        "z == sign(a)*b + floor(3.3*a)*x + ceil(b) + mod(7.0*a, b) - mod(-a, b) + exp(-y)",
        "w == atan2(a, b) + exp(x*a) + log(a) + log10(b) + sin(time*b) + cos(b) + tan(x) + z**4",
        "der(v) == asin(x) + acos(y) + atan(a) + sinh(a) + cosh(b) + tanh(x*a) + smooth(1, w) + no_event(z)",
        "q == where((a > 0.0) & ~(b < x) | (a >= 3.0), der(x)*b, homotopy(y, x)) + (a <= x)*2.0",
    ]
    b = HandMade()
    for k in range(copies):
        b.variable(*(f"{name}{k}" for name in "xyzwvq"))
        b.parameter(f"a{k}", 0.7 + 0.1 * k)
        b.parameter(f"b{k}", 0.45 + 0.05 * k)
    for text in texts:
        columns: dict[str, Any] = {name: [f"{name}{k}" for k in range(copies)] for name in read_names(text)}
        b.group(text, **columns)
    return b.flat()


@pytest.mark.parametrize("copies", [1, 3, 9])
def test_native_code_agrees_with_the_reference(copies: int) -> None:
    model = compiled(zoo(copies))
    reference = python.build(model.program)
    rng = np.random.default_rng(0)
    n = model.program.size
    y, yp = rng.uniform(0.2, 0.8, n), rng.uniform(-1, 1, n)
    given = model.flat.parameters.column("value")
    p = np.append(given, np.ones(model.reduced.parameter_indices - len(given)))  # homotopy, and flags that are all up
    expected = np.zeros(n)
    reference["residual"](0.3, y, yp, p, expected)
    np.testing.assert_allclose(model.residual(0.3, y, yp, p), expected, rtol=1e-13, atol=1e-13)
    values = np.zeros(model.program.pattern.count)
    reference["jacobian"](0.3, 0.8, 5.0, y, yp, p, values)
    np.testing.assert_allclose(model.jacobian(0.3, y, yp, p, by_value=0.8, by_rate=5.0), values, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("flat", [rc_circuit(), ladder(3), ladder(20), zoo(6)], ids=["rc", "small", "large", "zoo"])
def test_jacobian_is_the_derivative_of_the_residual(flat: FlatModel) -> None:
    from scipy.sparse import csc_array

    model = compiled(flat)
    n, pattern = model.program.size, model.program.pattern
    rng = np.random.default_rng(1)
    y, yp = rng.uniform(0.2, 0.8, n), rng.uniform(-1, 1, n)
    p = np.append(model.flat.parameters.column("value"), 1.0)  # the last one blends homotopy
    entries = model.jacobian(0.3, y, yp, p, by_rate=2.0)
    matrix = csc_array((entries, pattern.indices, pattern.indptr), shape=pattern.shape)
    direction = rng.normal(size=n)
    h = 1e-6
    moved = [model.residual(0.3, y + s * h * direction, yp + s * 2.0 * h * direction, p) for s in (1, -1)]
    np.testing.assert_allclose(matrix @ direction, (moved[0] - moved[1]) / (2 * h), rtol=1e-5, atol=1e-6)


def test_text_does_not_depend_on_the_number_of_components() -> None:
    texts = [[module.text for module in compiled(ladder(n)).native.modules] for n in (50, 500)]
    assert sum(map(len, texts[0])) == pytest.approx(sum(map(len, texts[1])), rel=0.02)


def test_long_sums_cost_no_code() -> None:
    b = HandMade()
    b.variable("total", *(f"i{k}" for k in range(200)))
    b.group("x == time", x=[f"i{k}" for k in range(200)])
    b.sum("total", *(f"-i{k}" for k in range(200)))
    model = compiled(b.flat())
    y = np.arange(201.0)
    r = model.residual(0.0, y, np.zeros(201), np.zeros(0))
    assert r[-1] == y[0] - y[1:].sum()
    assert sum(len(module.text) for module in model.native.modules) < 6000
