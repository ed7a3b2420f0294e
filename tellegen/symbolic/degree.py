"""The degree of time in an expression: whether a relation switches at an instant known in advance."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expressions.expr import Call, Expr, Time, walk


def is_linear_in_time(expr: Expr, moves: Callable[[Expr], bool]) -> bool:
    """Whether it is linear in time, and otherwise constant between events: `time/T - level`.

    `moves` says of a node whether it changes between events by itself.
    """
    degrees: dict[Expr, int] = {}
    for node in walk(expr):
        degrees[node] = _degree(node, [degrees[operand] for operand in node.args], moves)
    return degrees[expr] == 1


def _degree(node: Expr, of_operands: list[int], moves: Callable[[Expr], bool]) -> int:
    """The degree of time in it; what is not a polynomial, or moves otherwise, counts as degree two."""
    if isinstance(node, Time):
        return 1
    if moves(node):
        return 2
    op = node.op if isinstance(node, Call) else ""
    if op in ("add", "sub", "neg"):
        return max(of_operands)
    if op == "mul":
        return min(sum(of_operands), 2)
    if op == "div" and of_operands[1] == 0:
        return of_operands[0]
    if op == "where" and of_operands[0] == 0:
        return max(of_operands)
    return 2 if any(of_operands) else 0
