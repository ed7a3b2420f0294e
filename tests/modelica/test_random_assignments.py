"""Assignments to arrays drawn at random: arrays are values, so what was copied from one does not change with it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from modelica_texts import views_of
from tellegen.frontends.modelica.evaluation.class_scope import ClassScope
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.syntax.parser import parse_expression
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.symbolic.evaluate import evaluate as number_of

N = 3
NAMES = ("a", "b", "c")
Arrays = dict[str, np.ndarray]


class Program:
    """Statements over vectors a, b, c and a matrix m, as Modelica and executed by NumPy on copies."""

    def __init__(self, seed: int, x: float) -> None:
        self.dice = random.Random(seed)
        self.x = x
        self.arrays: Arrays = {name: np.zeros(N) for name in NAMES} | {"m": np.zeros((N, N))}
        self.text = "".join(self.statement(self.arrays, 0) for _ in range(14))

    def statement(self, arrays: Arrays, depth: int) -> str:
        """One more statement; it acts on the arrays given."""
        dice = self.dice
        i, j = dice.randrange(N), dice.randrange(N)
        left, right = dice.choice(NAMES), dice.choice(NAMES)
        value = dice.randrange(1, 9)
        what = dice.choice(["element", "element", "sum", "copy", "row", "column", "matrix", "loop", "if"])
        if what == "if" and depth < 2:
            return self.branches(arrays, depth)
        if what == "copy":
            arrays[left] = arrays[right].copy()
            return f"{left} := {right};\n"
        if what == "row":
            arrays["m"][i, :] = arrays[right]
            return f"m[{i + 1}, :] := {right};\n"
        if what == "column":
            arrays[left] = arrays["m"][:, j].copy()
            return f"{left} := m[:, {j + 1}];\n"
        if what == "matrix":
            arrays["m"][i, j] = value
            return f"m[{i + 1}, {j + 1}] := {value};\n"
        if what == "loop":
            for k in range(N):
                arrays[left][k] = arrays[right][N - 1 - k] + k + 1
            return f"for k in 1:{N} loop {left}[k] := {right}[{N + 1} - k] + k; end for;\n"
        if what == "sum":
            arrays[left][i] = arrays[right][j] + self.x
            return f"{left}[{i + 1}] := {right}[{j + 1}] + x;\n"
        arrays[left][i] = value
        return f"{left}[{i + 1}] := {value};\n"

    def branches(self, arrays: Arrays, depth: int) -> str:
        """An if statement; only the branch in force acts."""
        idle = {name: array.copy() for name, array in arrays.items()}
        holds = self.x > 0
        body = "".join(self.statement(arrays if holds else idle, depth + 1) for _ in range(2))
        other = "".join(self.statement(idle if holds else arrays, depth + 1) for _ in range(2))
        return f"if x > 0 then {body} else {other} end if;\n"


def result(text: str, x: float | Expr) -> np.ndarray:
    """All arrays after the statements, one after the other."""
    declared = "".join(f"  Real {array}[{N}] = zeros({N});\n" for array in NAMES)
    rows = ", ".join(f"m[{k + 1}, :]" for k in range(N))
    source = f"""
package P
  function f
    input Real x;
    output Real y[{(len(NAMES) + N) * N}];
  protected
{declared}  Real m[{N}, {N}] = zeros({N}, {N});
  algorithm
    {text}    y := cat(1, {", ".join(NAMES)}, {rows});
  end f;
end P;
"""
    scope = ClassScope(views_of(source).root.find("P")).with_locals({"x": x})  # type: ignore[arg-type]
    found = evaluate(parse_expression(SourceFile("test", "f(x)")), scope)
    assert isinstance(found, np.ndarray)
    at = [1.5]
    return np.array([float(number_of(one, at)) if isinstance(one, Expr) else float(one) for one in found])


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("x", [1.5, -1.5, Slot(0)], ids=["positive", "negative", "symbol"])
def test_arrays_are_values(seed: int, x: float | Slot) -> None:
    program = Program(seed, 1.5 if isinstance(x, Slot) else x)
    expected = np.concatenate([array.ravel() for array in program.arrays.values()])
    np.testing.assert_allclose(result(program.text, x), expected)
