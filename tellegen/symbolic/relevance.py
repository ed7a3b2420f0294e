"""When a part of an expression matters: under which other conditions its value can change that of the whole.

    mode == stuck and s > s_max          s > s_max matters while mode == stuck
    where(off, s, where(v > 0, v, 0))    v > 0 matters while not off

Only conditions that the caller calls steady count. What is not a condition, such as a sum, depends on all its parts.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expressions.expr import Call, Const, Expr, walk

_TRUE = Const(True)


def relevance(root: Expr, is_steady: Callable[[Expr], bool]) -> dict[Expr, Expr]:
    """For each part of an expression the condition under which it matters; parts that always do are left out."""
    found: dict[Expr, Expr] = {root: _TRUE}
    for node in reversed(walk(root)):  # users before what they use
        outer = found[node]
        for number, part in enumerate(node.args):
            inner = _both(outer, _condition(node, number, is_steady))
            found[part] = _either(found[part], inner) if part in found else inner
    return {node: condition for node, condition in found.items() if condition != _TRUE}


def _condition(node: Expr, number: int, is_steady: Callable[[Expr], bool]) -> Expr:
    """The condition under which an operand matters for its node."""
    if not isinstance(node, Call):
        return _TRUE
    if node.op in ("and", "or"):
        steady = [other for k, other in enumerate(node.args) if k != number and is_steady(other)]
        condition = _TRUE
        for other in steady:
            condition = _both(condition, other if node.op == "and" else _negated(other))
        return condition
    if node.op == "where" and number > 0 and is_steady(node.args[0]):
        return node.args[0] if number == 1 else _negated(node.args[0])
    return _TRUE


def _negated(condition: Expr) -> Expr:
    if isinstance(condition, Call) and condition.op == "not":
        return condition.args[0]
    return Call("not", (condition,))


def _both(first: Expr, second: Expr) -> Expr:
    if _TRUE in (first, second):
        return second if first == _TRUE else first
    return first if first == second else Call("and", (first, second))


def _either(first: Expr, second: Expr) -> Expr:
    if _TRUE in (first, second):
        return _TRUE
    return first if first == second else Call("or", (first, second))


def without_events(root: Expr) -> set[Expr]:
    """The nodes below no_event and smooth."""
    inside: set[Expr] = set()
    for node in walk(root):
        if isinstance(node, Call) and node.op in ("no_event", "smooth"):
            inside.update(walk(*node.args))
    return inside
