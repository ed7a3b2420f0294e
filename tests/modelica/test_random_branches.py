"""If-equations drawn at random: the rows hold for the values that the branch in force gives, and for no others."""

from __future__ import annotations

import random

import pytest

from modelica_texts import views_of
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.sections.read_sections import statements_of
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, Time
from tellegen.ir.expressions.ops import OPS

COUNT = 4
Branch = list[tuple[int, int]]  # variable, value: one equation each


def drawn(dice: random.Random) -> tuple[str, list[tuple[float, Branch]]]:
    """The text of an if-equation whose branches determine all variables in any order, and from when each holds."""
    limits = sorted(dice.sample(range(1, 100), dice.randrange(1, 4)), reverse=True)
    branches: list[tuple[float, Branch]] = []
    text = ""
    for keyword, limit in [*zip(["if"] + ["elseif"] * len(limits), limits, strict=False), ("else", 0)]:
        order = dice.sample(range(COUNT), COUNT)
        values = [(variable, dice.randrange(-9, 10)) for variable in order]
        branches.append((limit, values))
        text += keyword + (f" time > {limit} then " if limit else " ")
        text += "".join(_written(dice, variable, value) for variable, value in values)
    return text + "end if;", branches


def _written(dice: random.Random, variable: int, value: int) -> str:
    """An equation for a variable, with the variable on either side or in a sum."""
    forms = (f"x{variable} = {value};", f"{value} = x{variable};", f"2*x{variable} + 1 = {2 * value + 1};")
    return dice.choice(forms)


def number(expr: Expr, values: list[float], time: float) -> float:
    """An expression at a point, by the operations' own arithmetic."""
    if isinstance(expr, Const):
        return float(expr.value)
    if isinstance(expr, Slot):
        return values[expr.index]
    if isinstance(expr, Time):
        return time
    assert isinstance(expr, Call)
    compute = OPS[expr.op].numeric
    assert compute is not None
    return float(compute(*(number(arg, values, time) for arg in expr.args)))


@pytest.mark.parametrize("seed", range(40))
def test_rows_say_what_the_branch_in_force_says(seed: int) -> None:
    dice = random.Random(seed)
    text, branches = drawn(dice)
    declared = ", ".join(f"x{variable}" for variable in range(COUNT))
    instance = instantiate(views_of(f"model M Real {declared}; equation {text} end M;").named("M"))
    rows = statements_of(instance).equations
    assert len(rows) == COUNT
    for time in (0.5, *(limit + 0.5 for limit, _ in branches)):
        values = [0.0] * COUNT
        for variable, value in next(branch for limit, branch in branches if time > limit or not limit):
            values[variable] = value
        residuals = [number(row.left, values, time) - number(row.right, values, time) for row in rows]
        assert residuals == [0.0] * COUNT
        values[dice.randrange(COUNT)] += 1
        residuals = [number(row.left, values, time) - number(row.right, values, time) for row in rows]
        assert sum(residual != 0 for residual in residuals) == 1
