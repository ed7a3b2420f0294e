"""Booleans are not numbers: what is equated with a boolean, or assigned to one, checked once for each template.

tripped == (i > 10)     a Boolean
tripped == 3.7          a number: rejected
gear == pre(gear) + 0.5 of an integer: rejected as well
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.errors import LanguageError
from tellegen.flatten.checks.conditions import ARITHMETIC
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, Time
from tellegen.ir.expressions.template import EquationTemplate, Template, WhenTemplate
from tellegen.ir.show.statements import show_expr, show_template
from tellegen.symbolic.whole import is_whole


def check_types(template: Template) -> None:
    """Raise E177 where a boolean is to be a number, or an integer a part of one."""
    names = [slot.name for slot in template.slots]
    whole = {k for k, slot in enumerate(template.slots) if slot.type != "real"}
    for one, other in _pairs(template):
        kind = template.slots[one.index].type if isinstance(one, Slot) else ""
        if kind == "integer" and is_whole(other, whole) is False:
            name = show_expr(one, names)
            raise LanguageError(
                "E177",
                f"'{name}' is an integer, '{show_expr(other, names)}' is not",
                location=template.location,
                details=[f"in: {show_template(template)}"],
                advice=f"declare a discrete real variable: {name} = tg.variable(discrete=True)",
            )
        if kind == "boolean" and _is_number(other):
            name = show_expr(one, names)
            value = show_expr(other, names)
            raise LanguageError(
                "E177",
                f"'{name}' is a Boolean, '{value}' is a number",
                location=template.location,
                details=[f"in: {show_template(template)}"],
                advice=f"compare it: {name} == ({value} > 0); or declare '{name}' as a variable",
            )


def _pairs(template: Template) -> Iterator[tuple[Expr, Expr]]:
    if isinstance(template, EquationTemplate):
        yield template.lhs, template.rhs
        yield template.rhs, template.lhs
    elif isinstance(template, WhenTemplate):
        for branch in template.branches:
            yield from ((Slot(action.target), action.value) for action in branch.actions if action.target >= 0)


def _is_number(expr: Expr) -> bool:
    if isinstance(expr, Const):
        return expr.value not in (0, 1)
    return isinstance(expr, Der | Time) or (isinstance(expr, Call) and expr.op in ARITHMETIC)
