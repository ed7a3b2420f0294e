"""Conditions that cannot mean what they say, checked once for each template.

(T < 290 | on)              binds as T < (290 | on): a number where a Boolean is needed
when x == 0.5               x passes 0.5 between two steps and is equal to it at none (but no_event asks for no instant)
when ...: n == n + 1        holds for no n: the value before the event is pre(n)
"""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.errors import LanguageError
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, Time
from tellegen.ir.expressions.template import SlotInfo, Template, WhenTemplate
from tellegen.ir.show.statements import show_expr, show_template

ARITHMETIC = frozenset({"add", "sub", "mul", "div", "pow", "neg", "sqrt", "exp", "log", "log10", "sin", "cos", "tan"})
_LOGIC = {"and": "&", "or": "|", "not": "~"}
_OF_THE_PAST = ("pre", "edge", "change")


def check_conditions(template: Template) -> None:
    """Raise E177, E140 or E141 for the three lines on top of this file."""
    names = [slot.name for slot in template.slots]
    located = set(_above(("no_event",), *template.expressions()))
    for node in template.nodes:
        if not isinstance(node, Call):
            continue
        judged = node.args if node.op in _LOGIC else node.args[:1] if node.op == "where" else ()
        for part in judged:
            if _is_number(part, template.slots):
                raise _no_truth_value(template, node, show_expr(part, names))
        is_equality = node.op in ("eq", "ne") and node in located
        if is_equality and any(_is_continuous(part, template.slots) for part in node.args):
            raise _equality(template, show_expr(node, names), *(show_expr(part, names) for part in node.args))
    if isinstance(template, WhenTemplate):
        for branch in template.branches:
            for action in branch.actions:
                if action.verb == "assign" and Slot(action.target) in _above(_OF_THE_PAST, action.value):
                    raise _of_itself(template, names[action.target])


def _is_number(expr: Expr, slots: tuple[SlotInfo, ...]) -> bool:
    if isinstance(expr, Slot):
        slot = slots[expr.index]
        return slot.type == "real" and not slot.parameter and not slot.discrete
    if isinstance(expr, Const):
        return expr.value not in (0, 1)
    return isinstance(expr, Der | Time) or (isinstance(expr, Call) and expr.op in ARITHMETIC)


def _is_continuous(expr: Expr, slots: tuple[SlotInfo, ...]) -> bool:
    """Whether it moves between events; signals from outside may be discrete there."""
    if isinstance(expr, Slot):
        slot = slots[expr.index]
        is_own = slot.role not in ("input", "output")
        return is_own and slot.type == "real" and not slot.parameter and not slot.discrete
    return isinstance(expr, Der | Time)


def _above(operations: tuple[str, ...], *roots: Expr) -> Iterator[Expr]:
    """The nodes of expressions that are not operands of some operations."""
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        if not (isinstance(node, Call) and node.op in operations):
            stack.extend(node.args)


def _no_truth_value(template: Template, node: Call, number: str) -> LanguageError:
    if node.op == "where":
        what = f"the condition of tg.where, '{number}', is a number"
        advice = f"compare it: tg.where({number} > 0, ...)"
    else:
        sign = _LOGIC[node.op]
        what = f"'{sign}' combines Booleans, but '{number}' is a number"
        advice = (
            f"'{sign}' has a higher precedence than < and ==: put parentheses "
            f"around comparisons, (a < b) {sign} (c < d)"
        )
        if node.op == "not":
            what = f"'~' is for Booleans, but '{number}' is a number"
            advice = f"compare it: ~({number} > 0)"
    return LanguageError(
        "E177", what, location=template.location, details=[f"in: {show_template(template)}"], advice=advice
    )


def _equality(template: Template, text: str, left: str, right: str) -> LanguageError:
    return LanguageError(
        "E140",
        f"'{text}' compares continuous quantities for equality, which no step would hit exactly",
        location=template.location,
        details=[f"in: {show_template(template)}"],
        advice=f"use an inequality, whose zero crossing is located: {left} > {right};\n"
        "declare what changes only at events with discrete=True",
    )


def _of_itself(template: Template, name: str) -> LanguageError:
    return LanguageError(
        "E141",
        f"the new value of '{name}' is computed from itself",
        location=template.location,
        details=[f"in: {show_template(template)}"],
        advice=f"the value before the event is tg.pre({name}): self.{name} == tg.pre(self.{name}) + 1",
    )
