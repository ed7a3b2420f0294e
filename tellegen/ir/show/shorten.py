"""Statements that can be read: what machinery writes for a friction law fills pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tellegen.ir.expressions.expr import Call, Const, Expr, rebuild, same_with
from tellegen.ir.expressions.template import (
    AssertTemplate,
    Branch,
    EquationTemplate,
    ModalTemplate,
    Template,
    ValueTemplate,
    WhenTemplate,
)
from tellegen.ir.show.statements import show_template

LONGEST = 240
"""Letters of a statement that is shown whole."""


def shortened(template: Template, names: Sequence[str] | None = None) -> str:
    """A statement without neutral operands; if it is too long, what is nested deepest becomes an ellipsis.

    f(g(h(x))) is then f(g(…)).
    """
    text = show_template(_plain_template(template), names)
    for depth in range(6, 0, -1):
        if len(text) <= LONGEST:
            break
        text = _pruned(text, depth)
    return text


def plain(expr: Expr) -> Expr:
    """The expression without factors of one and terms of zero, which settle units or begin a sum."""
    return rebuild(expr, _without_neutral)


def _without_neutral(node: Expr, args: tuple[Expr, ...]) -> Expr:
    op = node.op if isinstance(node, Call) else ""
    if op == "mul":
        factors = tuple(arg for arg in args if not _is_number(arg, 1.0))
        return Call("mul", factors) if len(factors) == 2 else (*factors, Const(1.0))[0]
    if op == "add":
        terms = tuple(arg for arg in args if not _is_number(arg, 0.0))
        return Call("add", terms) if len(terms) > 1 else (*terms, Const(0.0))[0]
    if op == "sub" and _is_number(args[1], 0.0):
        return args[0]
    return same_with(node, args)


def _is_number(expr: Expr, value: float) -> bool:
    """Whether an expression is that number; True is not one."""
    return isinstance(expr, Const) and not isinstance(expr.value, bool) and expr.value == value


def _plain_template(template: Template) -> Template:
    if isinstance(template, ModalTemplate):
        return replace(template, cases=tuple((mode, plain(lhs), plain(rhs)) for mode, lhs, rhs in template.cases))
    if isinstance(template, EquationTemplate):
        return replace(template, lhs=plain(template.lhs), rhs=plain(template.rhs))
    if isinstance(template, ValueTemplate):
        return replace(template, value=plain(template.value))
    if isinstance(template, AssertTemplate):
        return replace(template, condition=plain(template.condition))
    assert isinstance(template, WhenTemplate)
    return replace(template, branches=tuple(_plain_branch(branch) for branch in template.branches))


def _plain_branch(branch: Branch) -> Branch:
    actions = tuple(replace(action, value=plain(action.value)) for action in branch.actions)
    return replace(branch, condition=plain(branch.condition), actions=actions)


def _pruned(text: str, depth: int) -> str:
    """A statement whose parentheses nested `depth` deep hold an ellipsis."""
    out = []
    level = 0
    for letter in text:
        level -= letter == ")"
        if level < depth:
            out.append(letter)
        level += letter == "("
        if letter == "(" and level == depth:
            out.append("…")
    return "".join(out)
