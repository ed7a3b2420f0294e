"""Expressions: arrays, matrices, slices, NumPy's functions, choices; every equation is compared with NumPy."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from language.numbers import Numbers
from language.reading import statements


class Vectors(tg.Component):
    a = tg.variable(shape=3)
    b = tg.variable(shape=3)
    M = tg.variable(shape=(2, 3))
    N = tg.variable(shape=(3, 2))
    s = tg.variable()


CASES: dict[str, tuple[Any, Any]] = {
    "sum": (lambda m: tg.sum(m.M), lambda v: v.M.sum()),
    "python sum": (lambda m: sum(m.a), lambda v: v.a.sum()),
    "dot": (lambda m: tg.dot(m.a, m.b), lambda v: v.a @ v.b),
    "matrix vector": (lambda m: m.M @ m.a, lambda v: v.M @ v.a),
    "vector matrix": (lambda m: m.a @ m.N, lambda v: v.a @ v.N),
    "matrix matrix": (lambda m: m.M @ m.N, lambda v: v.M @ v.N),
    "numbers matrix": (lambda m: np.eye(3) @ m.a, lambda v: v.a),
    "list matrix": (
        lambda m: [[1.0, 2.0, 3.0], [0.0, m.s, 1.0]] @ m.a,
        lambda v: np.array([[1, 2, 3], [0, v.s, 1]]) @ v.a,
    ),
    "cross": (lambda m: tg.cross(m.a, m.b), lambda v: np.cross(v.a, v.b)),
    "transpose": (lambda m: m.M.T @ m.N.T, lambda v: v.M.T @ v.N.T),
    "slice": (lambda m: m.M[:, 1:] * m.a[:2], lambda v: v.M[:, 1:] * v.a[:2]),
    "row": (lambda m: m.M[1] + m.b, lambda v: v.M[1] + v.b),
    "column": (lambda m: m.M[:, -1], lambda v: v.M[:, -1]),
    "reverse": (lambda m: m.a[::-1] - m.b, lambda v: v.a[::-1] - v.b),
    "fancy": (lambda m: m.a[[2, 0, 2]], lambda v: v.a[[2, 0, 2]]),
    "slice of expression": (lambda m: (m.a * m.s + m.b)[1:], lambda v: (v.a * v.s + v.b)[1:]),
    "slice of product": (lambda m: (m.M @ m.a)[0], lambda v: (v.M @ v.a)[0]),
    "new axis": (lambda m: m.a[:, None] * m.b[None, :], lambda v: np.outer(v.a, v.b)),
    "broadcast": (lambda m: m.M + m.a, lambda v: v.M + v.a),
    "scalar": (lambda m: 2 * m.a / m.s - 1, lambda v: 2 * v.a / v.s - 1),
    "numbers": (lambda m: np.array([1.0, 2.0, 3.0]) * m.a, lambda v: np.array([1.0, 2.0, 3.0]) * v.a),
    "list": (lambda m: m.a * [1, 2, 3], lambda v: v.a * np.array([1, 2, 3])),
    "stack": (lambda m: [m.s, 2 * m.s, m.a[0]] - m.b, lambda v: np.array([v.s, 2 * v.s, v.a[0]]) - v.b),
    "object array": (
        lambda m: np.array([m.s, 2 * m.s, m.a[0]]) + m.b,
        lambda v: np.array([v.s, 2 * v.s, v.a[0]]) + v.b,
    ),
    "numpy": (lambda m: np.sin(m.a) + np.exp(-m.b) * np.sqrt(m.s), lambda v: np.sin(v.a) + np.exp(-v.b) * np.sqrt(v.s)),
    "numpy two": (
        lambda m: np.maximum(m.a, m.b) - np.minimum(m.a, 0.5),
        lambda v: np.maximum(v.a, v.b) - np.minimum(v.a, 0.5),
    ),
    "atan2": (lambda m: np.arctan2(m.a, m.b) + tg.atan2(m.s, 2.0), lambda v: np.arctan2(v.a, v.b) + math.atan2(v.s, 2)),
    "where": (lambda m: tg.where(m.a > m.b, m.a, -m.b), lambda v: np.where(v.a > v.b, v.a, -v.b)),
    "logic": (
        lambda m: tg.where((m.a > 0.5) & ~(m.b > 0.5) | (m.s < 0), 1.0, 2.0),
        lambda v: np.where((v.a > 0.5) & ~(v.b > 0.5) | (v.s < 0), 1.0, 2.0),
    ),
    "powers": (lambda m: m.a**2 + m.s**m.b + 2**m.a, lambda v: v.a**2 + v.s**v.b + 2**v.a),
    "mod": (lambda m: (7 * m.a) % m.b, lambda v: np.mod(7 * v.a, v.b)),
    "rounding": (
        lambda m: tg.floor(5 * m.a) + tg.ceil(5 * m.b) * tg.sign(m.s - 0.5),
        lambda v: np.floor(5 * v.a) + np.ceil(5 * v.b) * np.sign(v.s - 0.5),
    ),
    "abs": (lambda m: abs(m.a - m.b) + np.abs(m.s - 1), lambda v: abs(v.a - v.b) + abs(v.s - 1)),
    "time": (lambda m: m.a * tg.time, lambda v: v.a * 0.3),
    "negation": (lambda m: -m.a - -m.b + +m.s, lambda v: -v.a + v.b + v.s),
    "grouping": (lambda m: m.a - (m.b - m.s) / (m.a / m.b) ** 2, lambda v: v.a - (v.b - v.s) / (v.a / v.b) ** 2),
}


@pytest.mark.parametrize("name", CASES)
def test_expression_agrees_with_numpy(name: str) -> None:
    written, plain = CASES[name]

    class Model(Vectors):
        def equations(self) -> Any:
            yield written(self) == 0.125  # may have any shape
            yield 0 == self.a - self.b  # filler, so that the model is balanced by what is taken away below
            yield self.M == 0
            yield self.N == 0
            yield self.s == 0

    sample = SimpleNamespace(a=np.ones(3), b=np.ones(3), M=np.ones((2, 3)), N=np.ones((3, 2)), s=1.0)
    balanced = balance(Model, np.shape(plain(sample)))
    for seed in range(3):
        numbers = Numbers(balanced(), seed=seed)
        a, b = numbers.array("a", (3,)), numbers.array("b", (3,))
        M, N, s = numbers.array("M", (2, 3)), numbers.array("N", (3, 2)), numbers["s"]
        expected = np.ravel(plain(SimpleNamespace(a=a, b=b, M=M, N=N, s=s))) - 0.125
        np.testing.assert_allclose(numbers.residuals()[: expected.size], expected, rtol=1e-13, atol=1e-15)


def balance(model: Any, shape: tuple[int, ...]) -> Any:
    """The model with as many more unknowns as its equation has elements; its variables a stay free."""
    count = int(np.prod(shape)) - 3

    class Balanced(model):
        more = tg.variable(shape=max(count, 0))
        less = tg.variable(shape=max(-count, 0))

        def equations(self) -> Any:
            yield self.less == 0
            if count < 0:
                yield 2 * self.less == 0

    return Balanced


def test_a_text_keeps_the_meaning_of_parentheses() -> None:
    class Model(tg.Component):
        x = tg.variable()
        y = tg.variable()
        z = tg.variable()

        def equations(self) -> Any:
            yield self.x == 1 - (2 - self.y) - 3 / (4 / self.y) * (-self.y) ** 2
            yield self.y == -(((self.x + 1) * 2) ** -1)
            yield self.z == tg.where((self.x > 1) | (self.y > 1) & ~(self.x < 3), 1, 2)

    for line, expected in zip(
        statements(Model()),
        [
            lambda _, y: 1 - (2 - y) - 3 / (4 / y) * (-y) ** 2,
            lambda x, _: -(((x + 1) * 2) ** -1),
            lambda x, y: 1 if (x > 1) or (y > 1 and not x < 3) else 2,
        ],
        strict=True,
    ):
        for x, y in ((0.7, 0.4), (1.5, 2.5), (3.5, 0.2), (0.2, 5.0), (4.0, 5.0)):
            right = line.split(" == ", 1)[1]
            got = eval(right, {"x": np.float64(x), "y": np.float64(y), "where": lambda c, a, b: a if c else b})
            assert got == pytest.approx(expected(x, y)), line


def test_an_array_equation_is_one_template() -> None:
    class Rod(tg.Component):
        n = tg.parameter(50, structural=True)
        T = tg.variable(shape=n)
        k = tg.parameter(np.linspace(1, 2, 50))

        def equations(self) -> Any:
            yield tg.der(self.T[1:-1]) == self.k[1:-1] * (self.T[2:] - 2 * self.T[1:-1] + self.T[:-2])
            yield self.T[[0, -1]] == [1.0, 2.0]

    flat = tg.flatten(Rod())
    assert flat.equations[0].rows == 48
    assert statements(Rod())[47] == "der(T[48]) == k[48]*(T[49] - 2*T[48] + T[47])"


def test_shared_parts_stay_shared() -> None:
    class Deep(tg.Component):
        x = tg.variable(shape=3)

        def equations(self) -> Any:
            y = self.x
            for _ in range(40):
                y = y * y + 1
            yield y[1:] == 1.0
            yield self.x[0] == 1

    flat = tg.flatten(Deep())
    assert len(flat.equations[0].template.nodes) < 200


@pytest.mark.parametrize(
    "wrong",
    [
        lambda m: m.a == m.M @ m.N,
        lambda m: m.M @ m.M == 0,
        lambda m: tg.cross(m.a[:2], m.b) == 0,
        lambda m: m.a[3] == 0,
        lambda m: m.s[0] == 0,
        lambda m: [m.a, m.s] == m.M,
    ],
)
def test_shapes_that_do_not_fit(wrong: Any) -> None:
    class Model(Vectors):
        def equations(self) -> Any:
            yield wrong(self)

    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Model())
    assert caught.value.code in ("E112", "E114", "E115")
