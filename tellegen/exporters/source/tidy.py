"""Expressions without the ones and zeros that lowering produces: 1.0*a is a, a + 0.0 is a."""

from __future__ import annotations

from tellegen.ir.expressions.expr import Call, Expr, rebuild, same_with
from tellegen.symbolic import build


def tidy(expr: Expr) -> Expr:
    """The same value with fewer operations; the order of terms stays."""
    return rebuild(expr, _tidied)


def _tidied(node: Expr, args: tuple[Expr, ...]) -> Expr:
    if isinstance(node, Call):
        numbers = [build.number(arg) for arg in args]
        if node.op == "mul" and any(value in (1.0, -1.0) for value in numbers):
            return build.mul(*args)
        if node.op in ("add", "sub") and 0.0 in numbers:
            return build.call(node.op, *args)
        if node.op == "div" and numbers[1] == 1.0:
            return args[0]
        if node.op == "neg" and isinstance(args[0], Call) and args[0].op == "neg":
            return args[0].args[0]
    return same_with(node, args)
