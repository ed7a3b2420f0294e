"""Expressions, references and selections of documents: what is written is read as exactly the same."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from seeds import each_seed
from tellegen.ir.expressions.expr import TIME, Call, Const, Der, Expr, Lookup, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.table import Table
from tellegen.markup.expressions.parser import Callables, Parser
from tellegen.markup.expressions.selection import elements_of, selections
from tellegen.markup.expressions.text import Names, expression_text, number_text
from tellegen.xml.elements import Mark, Text

SLOTS = ["a", "motor.i", "cells[2:5].T[0]", "`der(x)`"]
TABLE = Table((np.array([0.0, 1.0]),), np.ones((3, 2)))


def text_of(value: str) -> Text:
    return Text(value, (Mark(0, 1, 1),), "model.xml")


def read(value: str, names: Names | None = None) -> Expr:
    tables = {name: table for table, name in (names or Names()).tables.items()}
    return Parser(Callables(tables), SLOTS.index).expression(text_of(value))


def random_expression(rng: np.random.Generator, depth: int) -> Expr:
    """Any operation on any operands, whether or not it makes sense."""
    if depth == 0 or rng.random() < 0.1:
        return LEAVES[int(rng.integers(len(LEAVES)))]
    if rng.random() < 0.05:
        return Lookup(TABLE, (random_expression(rng, depth - 1),))
    op = OPERATIONS[int(rng.integers(len(OPERATIONS)))]
    arity = int(rng.integers(1, 5)) if op.arity < 0 else op.arity
    return Call(op.name, tuple(random_expression(rng, depth - 1) for _ in range(arity)))


LEAVES = [
    *(Slot(k) for k in range(4)),
    *(Der(k) for k in range(4)),
    *(Const(value) for value in (0.0, 1.0, -1.0, 0.1, -2.5e-7, 1e300, float("inf"), -float("inf"), True, False)),
    TIME,
]
OPERATIONS = [*OPS.values(), *(op for op in OPS.values() if op.infix)]  # those with infix signs twice as often


@each_seed(range(300))
def test_random_expressions_come_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    expr = random_expression(rng, int(rng.integers(1, 6)))
    names = Names()
    assert read(expression_text(expr, SLOTS, names), names) == expr


def test_deep_expressions_are_no_problem() -> None:
    assert read("(" * 20_000 + "a" + ")" * 20_000) == Slot(0)
    expr: Expr = Slot(0)
    for _ in range(1000):
        expr = Call("sub", (Const(1.0), expr))
    text = expression_text(expr, SLOTS, Names())
    assert text.count("(") == 999
    assert expression_text(read(text), SLOTS, Names()) == text  # comparing the trees themselves would recurse


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.0, "2"), (0.1, "0.1"), (-0.0, "-0.0"), (1e22, "1e+22"), (float("nan"), "nan"), (1e-300, "1e-300")],
)
def test_numbers_have_all_digits(value: float, shown: str) -> None:
    assert number_text(value) == shown
    assert np.array_equal(float(shown), value, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("a + ", 3, "an operand is missing at the end"),
        ("a b", 3, "an operator is expected, not 'b'"),
        ("(a", 1, "a parenthesis is not closed"),
        ("a)", 2, "')' closes nothing"),
        ("()", 2, "an operand is expected, not ')'"),
        ("a < 1 < 2", 7, "comparisons do not form chains"),
        ("sin(a, a)", 1, "'sin' takes 1 operands, not 2"),
        ("sine(a)", 1, "'sine' is not a function; perhaps you meant 'sin'"),
        ("sin(a,)", 7, "an operand is expected, not ')'"),
        ("a, a", 2, "a comma stands between operands of a function only"),
        ("a $ 2", 3, "'$' is not expected here"),
        ("der(2)", 5, "der(...) takes the name of a variable"),
        ("a + b", 5, "is not in list"),
    ],
)
def test_mistakes_have_columns(text: str, column: int, words: str) -> None:
    with pytest.raises(tg.DocumentError, match="E845") as caught:
        read(text)
    assert words in caught.value.message
    assert caught.value.location is not None
    assert caught.value.location.column == column


@each_seed(range(200))
def test_random_selections_come_back(seed: int) -> None:
    """A product of choices along axes is written as such; anything else is left to be listed."""
    rng = np.random.default_rng(seed)
    axes = tuple(int(n) for n in rng.integers(1, 6, int(rng.integers(1, 4))))
    size = int(np.prod(axes))
    if seed % 2:
        elements = rng.integers(0, size, int(rng.integers(1, 5)))
    else:
        chosen = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for n in axes]
        chosen = [np.sort(values) if rng.random() < 0.6 else values for values in chosen]
        elements = np.ravel_multi_index(np.ix_(*chosen), axes).ravel()
    texts = selections(elements, axes)
    assert seed % 2 or texts is not None
    if texts is not None:
        assert np.array_equal(elements_of(texts, axes), elements)
