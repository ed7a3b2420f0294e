"""An equation solved for one of its leaves, where that is possible in symbols.

    C*der(v) - i      for der(v):   i / C
    z*z - x           for z:        not possible (the leaf does not occur linearly)

The expression is taken apart into coefficient * leaf + rest along the operations that keep it affine. A derivative by
rule would not do: it treats the branches of `where` and the steps of `floor` as constant.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Der, Expr, Slot, walk
from tellegen.symbolic.build import add, div, mul, neg, sub, where

Affine = tuple[Expr, Expr]
"""Coefficient and rest."""

_PASSED = {"no_event": 0, "homotopy": 0, "with_derivatives": 0}


def solved_for(residual: Expr, leaf: Slot | Der) -> Expr | None:
    """The value of the leaf that makes the residual zero; None where it does not occur linearly."""
    parts = affine(residual, leaf)
    if parts is None or parts[0] == ZERO:
        return None
    coefficient, rest = parts
    return div(neg(rest), coefficient)


def affine(expr: Expr, leaf: Slot | Der) -> Affine | None:
    """(a, b) with expr == a*leaf + b and no leaf in a and b; None if there are none."""
    done: dict[Expr, Affine] = {}
    for node in walk(expr):
        if node == leaf:
            done[node] = (ONE, ZERO)
        elif done.keys().isdisjoint(node.args):
            continue  # does not contain the leaf
        else:
            parts = _through(node, [done.get(arg, (ZERO, arg)) for arg in node.args])
            if parts is None:
                return None
            done[node] = parts
    return done.get(expr, (ZERO, expr))


def _through(node: Expr, args: list[Affine]) -> Affine | None:
    """The parts of an operation whose operands have these parts."""
    op = node.op if isinstance(node, Call) else ""
    if op == "add":
        return add(*(a for a, _ in args)), add(*(b for _, b in args))
    if op == "sub":
        return sub(args[0][0], args[1][0]), sub(args[0][1], args[1][1])
    if op == "neg":
        return neg(args[0][0]), neg(args[0][1])
    if op in _PASSED:
        return args[_PASSED[op]]
    if op == "mul" and ZERO in (args[0][0], args[1][0]):
        (a, b), factor = (args[0], args[1][1]) if args[1][0] == ZERO else (args[1], args[0][1])
        return mul(a, factor), mul(b, factor)
    if op == "div" and args[1][0] == ZERO:
        return div(args[0][0], args[1][1]), div(args[0][1], args[1][1])
    if op == "where" and args[0][0] == ZERO:
        condition = args[0][1]
        return where(condition, args[1][0], args[2][0]), where(condition, args[1][1], args[2][1])
    return None


def is_affine(expr: Expr, is_unknown: Callable[[Slot | Der], bool]) -> bool:
    """Whether the expression is affine in all unknowns together."""
    degree: dict[Expr, int] = {}
    for node in walk(expr):
        if isinstance(node, Slot | Der):
            degree[node] = int(is_unknown(node))
            continue
        inner = [degree[arg] for arg in node.args]
        op = node.op if isinstance(node, Call) else ""
        if not any(inner):
            degree[node] = 0
        elif op in ("add", "sub", "neg") or (op == "where" and not inner[0]) or op in _PASSED:
            degree[node] = max(inner)
        elif op == "mul":
            degree[node] = sum(inner)
        elif op == "div" and not inner[1]:
            degree[node] = inner[0]
        else:
            degree[node] = 2
        if degree[node] > 1:
            return False
    return True
