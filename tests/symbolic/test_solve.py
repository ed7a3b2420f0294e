"""Equations solved for a leaf, and linearity."""

from __future__ import annotations

import numpy as np
import pytest

from structure.handmade import read
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.symbolic.evaluate import evaluate
from tellegen.symbolic.solve import is_affine, solved_for


def parsed(text: str) -> tuple[Expr, list[str]]:
    return read(text)


@pytest.mark.parametrize(
    "text",
    [
        "x - a",
        "a*x - b",
        "(x + a)/b - x*b",
        "where(a > b, x, 2.0*x + a) - b",
        "a*(b - 3.0*(x - a)) + x*b*b",
        "-x + no_event(2.0*x) + sin(a)",
        "homotopy(x, a) - b",
        "b*x/a/2.0",
    ],
)
def test_solutions_satisfy_the_equation(text: str) -> None:
    expr, names = parsed(text)
    leaf = Slot(names.index("x"))
    value = solved_for(expr, leaf)
    assert value is not None
    slots = [{"a": 0.7, "b": 1.9, "x": np.nan}[name] for name in names]
    slots[leaf.index] = float(evaluate(value, slots))
    assert evaluate(expr, slots) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    "text", ["x*x - a", "sin(x) - a", "where(x > a, x, 2.0*x)", "a/x - b", "floor(x) + x - a", "a - b + 0.0*x", "x**a"]
)
def test_what_cannot_be_solved_is_left(text: str) -> None:
    expr, names = parsed(text)
    assert solved_for(expr, Slot(names.index("x"))) is None


def test_joint_linearity() -> None:
    def linear(text: str, *unknowns: str) -> bool:
        expr, names = parsed(text)
        return is_affine(expr, lambda leaf: names[leaf.index] in unknowns)

    assert linear("a*x + b*y", "x", "y")
    assert not linear("x*y + a", "x", "y")
    assert linear("x*y + a", "x")
    assert linear("where(a > b, x, y)", "x", "y")
    assert not linear("where(x > b, x, y)", "x", "y")
    assert not linear("max(x, y)", "x", "y")
    assert linear("x/a - exp(b)*y", "x", "y")
