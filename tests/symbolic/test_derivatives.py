"""der of any expression against central differences along a known motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from language.numbers import Numbers
from language.reading import names, statements
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, Time
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.partial import partial

STEP = 1e-5

EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda x, y: x * y,
    "quotient": lambda x, y: x / y,
    "triple": lambda x, y: x * y * x / (1 + y),
    "sum": lambda x, y: x + 2 * y - 3 + x - y,
    "powers": lambda x, y: x**2 + x**3.5 + y**-1 + x**y + 2.0**x,
    "square root": lambda x, y: np.sqrt(x * x + y),
    "trigonometric": lambda x, y: np.sin(x) * np.cos(y) + np.tan(x / 2),
    "inverse": lambda x, y: np.arcsin(x / 3) + np.arccos(y / 3) + np.arctan(x * y),
    "hyperbolic": lambda x, y: np.sinh(x) * np.cosh(y) + np.tanh(x - y),
    "exponential": lambda x, y: np.exp(-x) * np.log(y) + np.log10(x + y),
    "atan2": lambda x, y: np.arctan2(x - 1, y - 2),
    "absolute": lambda x, y: abs(x - 5) + abs(y),
    "extremes": lambda x, y: np.maximum(x, y) * np.minimum(x, 3.0),
    "mod": lambda x, y: (3 * x) % y,
    "negation": lambda x, y: -(x - -y),
    "time": lambda x, y: x + y,
}


def position(t: float) -> tuple[float, float]:
    return 1.3 + 0.4 * np.sin(2 * t), 0.8 + 0.3 * np.cos(t)


def velocity(t: float) -> tuple[float, float]:
    return 0.8 * np.cos(2 * t), -0.3 * np.sin(t)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_der_of_an_expression(name: str) -> None:
    f = EXPRESSIONS[name]
    with_time = name == "time"

    class Model(tg.Component):
        x = tg.variable()
        y = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == tg.der(f(self.x, self.y) * (tg.time**2 if with_time else 1))
            yield tg.der(self.x) == 1
            yield tg.der(self.y) == 1

    def value(t: float) -> float:
        return float(f(*position(t)) * (t**2 if with_time else 1))

    for t in (0.1, 0.7, 1.9):
        (x, y), (dx, dy) = position(t), velocity(t)
        numbers = Numbers(Model(), {"x": x, "y": y, "z": 0.0}, {"x": dx, "y": dy})
        expected = (value(t + STEP) - value(t - STEP)) / (2 * STEP)
        assert -numbers.residuals(time=t)[0] == pytest.approx(expected, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize(("x", "expected"), [(0.5, 2 * 0.5 * 7.0), (2.0, 3 * 7.0)])
def test_der_of_a_choice_is_that_of_the_chosen_branch(x: float, expected: float) -> None:
    class Model(tg.Component):
        x = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == tg.der(tg.where(self.x < 1, self.x**2, 3 * self.x - 2))
            yield tg.der(self.x) == 1

    assert Numbers(Model(), {"x": x, "z": 0.0}, {"x": 7.0}).residuals()[0] == pytest.approx(-expected)


def test_parameters_and_discrete_variables_do_not_move() -> None:
    class Model(tg.Component):
        k = tg.parameter(3.0)
        n = tg.integer()
        x = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == tg.der(self.k * self.n * self.x + self.k**2)
            yield tg.der(self.x) == 1
            yield tg.when(self.x > 1, self.n == tg.pre(self.n) + 1)

    numbers = Numbers(Model(), {"n": 2.0, "z": 0.0}, {"x": 5.0})
    assert numbers.residuals()[0] == pytest.approx(-30)


def test_second_derivatives_add_one_variable() -> None:
    class Model(tg.Component):
        x = tg.variable("m")
        a = tg.variable("m/s2")
        b = tg.variable("m2/s2")

        def equations(self) -> Any:
            yield self.a == tg.der(tg.der(self.x))
            yield self.b == tg.der(tg.der(self.x * self.x))
            yield tg.der(self.x) == 1

    assert names(Model()) == ["x", "a", "b", "x.der"]
    assert "x.der == der(x)" in statements(Model())
    numbers = Numbers(Model(), {"x": 2.0, "x.der": 3.0, "a": 0.0, "b": 0.0}, {"x": 3.0, "x.der": 5.0})
    residuals = dict(zip(statements(Model()), numbers.residuals(), strict=True))
    assert numbers.residuals()[0] == pytest.approx(-5)
    assert numbers.residuals()[1] == pytest.approx(-(2 * 3 * 3 + 2 * 2 * 5)), "(x x)'' = 2 x'x' + 2 x x''"
    assert residuals["x.der == der(x)"] == pytest.approx(0)


def test_second_derivatives_of_arrays_have_names_of_their_own() -> None:
    class Model(tg.Component):
        x = tg.variable(shape=3)

        def equations(self) -> Any:
            yield tg.der(tg.der(self.x)) == -self.x

    assert names(Model()) == ["x[0]", "x[1]", "x[2]", "x.der[0]", "x.der[1]", "x.der[2]"]
    assert "x.der[1] == der(x[1])" in statements(Model())

    class Overlap(Model):
        a = tg.variable(shape=2)
        b = tg.variable(shape=2)
        c = tg.variable()

        def equations(self) -> Any:
            yield self.a == tg.der(tg.der(self.x[1:]))
            yield self.b == tg.der(tg.der(self.x[0] * self.x[:2]))
            yield self.c == tg.der(tg.der(self.x[2]))

    have = names(Overlap())
    assert len([name for name in have if "der" in name]) == 3, (
        "one derivative for each element, however often it is used"
    )
    assert tg.flatten(Overlap()).equation_count == len(have)
    assert "a[1] == der(x.der[2])" in statements(Overlap())


def test_second_derivatives_of_members_of_children() -> None:
    class Inner(tg.Component):
        x = tg.variable()
        a = tg.variable()

        def equations(self) -> Any:
            yield self.a == tg.der(tg.der(self.x))
            yield tg.der(self.x) == 1

    class Outer(tg.Component):
        c = Inner()
        d = Inner.array(2)
        q = tg.variable()
        r = tg.variable(shape=2)

        def equations(self) -> Any:
            yield self.q == tg.der(tg.der(self.c.x))
            yield self.r == tg.der(tg.der(self.d.x))

    assert {"c.x.der", "d[1].x.der", "der(c.x)", "der(d.x)[1]"} < set(names(Outer()))
    assert "der(d.x)[1] == der(d[1].x)" in statements(Outer())


def test_vector_calculus() -> None:
    class Model(tg.Component):
        r = tg.variable(shape=3)
        F = tg.variable(shape=3)
        L = tg.variable(shape=3)
        power = tg.variable()

        def equations(self) -> Any:
            yield tg.der(self.r) == self.F
            yield self.L == tg.der(tg.cross(self.r, self.F))
            yield self.power == tg.der(tg.dot(self.r, self.r))
            yield tg.der(self.F) == 1

    numbers = Numbers(Model(), {"power": 0.0, **{f"L[{k}]": 0.0 for k in range(3)}})
    r, F = numbers.array("r", (3,)), numbers.array("F", (3,))
    dr, dF = (np.array([numbers.ders[numbers.index[f"{name}[{k}]"]] for k in range(3)]) for name in "rF")
    expected = np.cross(dr, F) + np.cross(r, dF)
    np.testing.assert_allclose(-numbers.residuals()[3:6], expected, rtol=1e-12)
    assert -numbers.residuals()[6] == pytest.approx(2 * r @ dr)


def random_expression(random: np.random.Generator, depth: int) -> Expr:
    """A tree of smooth operations over two slots and time."""
    if depth == 0:
        leaves: list[Expr] = [Slot(0), Slot(1), Time(), Const(float(random.uniform(0.5, 2.0)))]
        return leaves[random.integers(len(leaves))]
    op = ["add", "sub", "mul", "div", "sin", "exp", "tanh", "sqrt", "neg", "pow"][random.integers(10)]
    one = random_expression(random, depth - 1)
    positive = Call("add", (Const(1.5), Call("mul", (one, one))))
    if op in ("sin", "tanh", "neg"):
        return Call(op, (one,))
    if op == "exp":
        return Call("exp", (Call("tanh", (one,)),))
    if op == "sqrt":
        return Call("sqrt", (positive,))
    if op == "pow":
        return Call("pow", (positive, Const(float(random.uniform(-2, 2)))))
    other = random_expression(random, depth - 1)
    if op == "div":
        return Call("div", (other, positive))
    return Call(op, (one, other))


@pytest.mark.parametrize("seed", range(25))
def test_random_expressions(seed: int) -> None:
    random = np.random.default_rng(seed)
    expr = random_expression(random, 5)
    rate = time_derivative(expr, Der, lambda _: Const(0.0))
    assert rate is not None
    for t in (0.2, 1.1):
        after, before = (float(evaluate(expr, position(t + h), time=t + h)) for h in (STEP, -STEP))
        exact = float(evaluate(rate, position(t), time=t, ders=velocity(t)))
        scale = 1 + abs(exact) + abs(after)
        assert exact == pytest.approx((after - before) / (2 * STEP), rel=1e-6, abs=1e-7 * scale)


def test_what_has_no_derivative_says_so() -> None:
    class Model(tg.Component):
        x = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            yield self.z == tg.der(tg.delay(self.x, 1.0))
            yield tg.der(self.x) == 1

    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Model())
    assert caught.value.code == "E144"


@pytest.mark.parametrize("leaf", [Slot(0), Slot(1)])
def test_a_jacobian_has_no_hole_where_a_vector_is_zero(leaf: Slot) -> None:
    """sqrt(u^2 + v^2) and atan2(v, u): 0/0 at zero, and as central differences say elsewhere."""
    u, v = Slot(0), Slot(1)
    squares = [Call("mul", (part, part)) for part in (u, v)]
    for expr in (Call("sqrt", (Call("add", tuple(squares)),)), Call("atan2", (v, u))):
        slope = partial(expr, leaf)
        assert evaluate(slope, (0.0, 0.0)) == 0.0
        at = np.array([0.3, -0.4])
        step = STEP * np.eye(2)[leaf.index]
        difference = (evaluate(expr, at + step) - evaluate(expr, at - step)) / (2 * STEP)
        assert evaluate(slope, at) == pytest.approx(difference, abs=1e-8)
