"""@tg.function: traced where it can be, opaque where it must be; numbers go through unchanged."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from language.numbers import Numbers
from language.reading import statements
from tellegen.ir.expressions.expr import Apply


@tg.function
def traced(x: Any, k: float = 2.0) -> Any:
    return k * x + tg.sin(x)


@tg.function
def by_numpy(x: Any) -> Any:
    return np.exp(-(x**2)) * np.where(True, 1.0, 2.0)


@tg.function
def branching(x: float) -> float:
    return x if x > 0.5 else -x


@tg.function
def comparing(x: float) -> float:
    return 1.0 if x == 0 else 2.0 * x


@tg.function
def by_math(x: float) -> float:
    return math.sin(x) + 1


@tg.function
def table(x: float) -> float:
    return float(np.interp(x, [0.0, 1.0], [5.0, 7.0]))


@tg.function(opaque=True, derivative=lambda x: 2 * x)
def square(x: float) -> float:
    return x * x


@tg.function(outputs=2)
def polar(x: float, y: float) -> tuple[float, float]:
    return math.hypot(x, y), math.atan2(y, x)


@tg.function(opaque=True)
def norm(v: Any, scale: float) -> float:
    assert np.shape(v) == (3,)
    return float(scale * np.linalg.norm(v))


def model(f: Any, outputs: int = 1) -> Any:
    class Model(tg.Component):
        x = tg.variable()
        z = tg.variable(shape=outputs)

        def equations(self) -> Any:
            yield self.z == f(self.x)
            yield tg.der(self.x) == 1

    return Model()


def applied(what: Any) -> list[Any]:
    """The opaque functions in a model's equations."""
    return [n.function for group in tg.flatten(what).equations for n in group.template.nodes if isinstance(n, Apply)]


@pytest.mark.parametrize(
    ("f", "plain", "opaque"),
    [
        (traced, lambda x: 2 * x + math.sin(x), False),
        (lambda x: traced(x, k=3.0), lambda x: 3 * x + math.sin(x), False),
        (by_numpy, lambda x: math.exp(-(x**2)), False),
        (branching, lambda x: x if x > 0.5 else -x, True),
        (comparing, lambda x: 2 * x, True),
        (by_math, lambda x: math.sin(x) + 1, True),
        (table, lambda x: 5 + 2 * x, True),
        (square, lambda x: x * x, True),
        (lambda x: norm([x, 2 * x, 0.0], 3.0), lambda x: 3 * math.sqrt(5) * x, True),
    ],
)
def test_values_and_kind(f: Any, plain: Any, opaque: bool) -> None:
    for x in (0.2, 0.7):
        numbers = Numbers(model(f), {"x": x, "z[0]": 0.0})
        assert -numbers.residuals()[0] == pytest.approx(plain(x), rel=1e-12)
    assert bool(applied(model(f))) == opaque


def test_called_with_numbers_it_is_the_function() -> None:
    assert branching(-3.0) == 3.0
    assert polar(3.0, 4.0)[0] == 5.0
    assert traced.__name__ == "traced"


def test_several_outputs() -> None:
    found = model(lambda x: polar(x, 2 * x), outputs=2)
    numbers = Numbers(found, {"x": 0.3, "z[0]": 0.0, "z[1]": 0.0})
    np.testing.assert_allclose(-numbers.residuals()[:2], polar(0.3, 0.6), rtol=1e-12)
    assert "z[1] == polar(x, 2*x)[1]" in statements(found)


def test_a_traced_function_is_part_of_the_equation() -> None:
    assert statements(model(traced))[0] == "z[0] == 2*x + sin(x)"


def test_the_derivative_comes_along() -> None:
    (function,) = applied(model(square))
    assert function.derivative is not None
    assert function.derivative(3.0) == 6.0


def test_arrays_call_row_by_row() -> None:
    class Model(tg.Component):
        x = tg.variable(shape=4)
        z = tg.variable(shape=4)

        def equations(self) -> Any:
            yield self.z == [branching(self.x[k]) for k in range(4)]
            yield tg.der(self.x) == 1

    numbers = Numbers(Model(), {f"z[{k}]": 0.0 for k in range(4)})
    x = numbers.array("x", (4,))
    np.testing.assert_allclose(-numbers.residuals()[:4], np.where(x > 0.5, x, -x))


def test_nominal_sizes_follow_the_scalars() -> None:
    sized = tg.function(norm.python, opaque=True, nominal=(1e-6, 5.0))
    (function,) = applied(model(lambda x: sized([x, x, x], 2.0)))
    assert function.nominal == (1e-6, 1e-6, 1e-6, 5.0)
    with pytest.raises(tg.LanguageError, match="norm has 2 arguments, but nominal has 1"):
        tg.flatten(model(lambda x: tg.function(norm.python, opaque=True, nominal=(1.0,))([x, x, x], 2.0)))


class Halves:
    """An object that can be called, with its slopes."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        return (self.factor * x * y, x - y) if x > 0 else (0.0, 0.0)

    def slopes(self, x: float, y: float) -> Any:
        return ((self.factor * y, self.factor * x), (1.0, -1.0))


def test_elementwise_functions_take_arrays_apart() -> None:
    """One template whatever the size, a tuple of arrays for several outputs, and objects instead of functions."""
    half = Halves(0.5)
    both = tg.function(half, opaque=True, outputs=2, derivative=half.slopes, elementwise=True)

    class Model(tg.Component):
        n = tg.parameter(4, structural=True)
        x = tg.variable(shape=n, start=1.0, fixed=True)
        y = tg.parameter([1.0, 2.0, 3.0, 4.0])
        z = tg.variable(shape=n)
        d = tg.variable(shape=n)

        def equations(self) -> Any:
            product, difference = both(self.x, self.y)
            yield self.z == product
            yield self.d == difference
            yield tg.der(self.x) == 1

    flat = tg.flatten(Model())
    assert len(flat.equations) == 3
    assert "z[2] == Halves(x[2], y[2])[0]" in str(flat)
    for solver in ("ida", "cvode"):
        run = tg.simulate(Model(), stop=1.0, solver=solver)
        np.testing.assert_allclose(run["z"][-1], 0.5 * 2.0 * np.arange(1.0, 5.0), rtol=1e-6)
        np.testing.assert_allclose(run["d"][-1], 2.0 - np.arange(1.0, 5.0), atol=1e-6)
    sent = pickle.loads(pickle.dumps(both))
    assert sent(2.0, 3.0) == (3.0, -1.0)


def test_the_time_derivative_of_a_function_with_slopes() -> None:
    """tg.der goes through an opaque function that knows its derivative, and refuses one that does not."""

    class Model(tg.Component):
        f = tg.parameter(square, structural=True)
        x = tg.variable(start=2.0, fixed=True)

        def equations(self) -> Any:
            yield tg.der(self.f(self.x)) == 1.0

    run = tg.simulate(Model(), stop=5.0, rtol=1e-9)
    np.testing.assert_allclose(run["x"], np.sqrt(4.0 + run.time), rtol=1e-7)
    with pytest.raises(tg.LanguageError, match="E144"):
        tg.flatten(Model(f=branching))
