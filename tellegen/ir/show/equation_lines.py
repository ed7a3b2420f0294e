"""Equations and expressions of a ReducedModel as they are solved, one row at a time.

x'' is the unknown that index reduction made of the second derivative of x; der(x) is the rate of a state.
"""

from __future__ import annotations

from tellegen.ir.equation import NUMBER, Equation, Leaf, group_equation
from tellegen.ir.reduced import ReducedGroup, ReducedModel
from tellegen.ir.show.statements import show_expr, show_number


def leaf_text(leaf: Leaf) -> str:
    """A name, with a stroke for each derivative, or a number."""
    return show_number(leaf.value) if leaf.kind == NUMBER else leaf.name + "'" * leaf.order


def equation_line(equation: Equation) -> str:
    """left == right."""
    names = [leaf_text(leaf) for leaf in equation.leaves]
    left, right = equation.sides()
    return f"{show_expr(left, names)} == {show_expr(right, names) if right is not None else '0'}"


def expression_line(model: ReducedModel, group: ReducedGroup, row: int) -> str:
    """What a row computes, where it is not an equation."""
    names = [leaf_text(leaf) for leaf in group_equation(model, group, row).leaves]
    return show_expr(group.residual, names)
