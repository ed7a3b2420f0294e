"""An expression as a weighted sum of parts.

    a - (b - a) + 3 - sin(c)   ->   {a: 2, b: -1, sin(c): -1}, 3

Used to recognise equations that only say "equal", "opposite" or "zero", and to notice that a term cancelled.
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import Call, Const, Expr, walk
from tellegen.symbolic.build import add, mul, number


def weighted_sum(expr: Expr) -> tuple[dict[Expr, float], float]:
    """Parts with their constant weights (never zero), and the constant that remains."""
    weights, constant = _all_parts(expr)
    return {part: weight for part, weight in weights.items() if weight}, constant


def _all_parts(expr: Expr) -> tuple[dict[Expr, float], float]:
    """The same, with the parts whose weights add up to zero."""
    weights: dict[Expr, float] = {}
    constant = 0.0
    stack: list[tuple[Expr, float]] = [(expr, 1.0)]
    while stack:
        node, weight = stack.pop()
        value = number(node)
        if value is not None:
            constant += weight * value
            continue
        op = node.op if isinstance(node, Call) else ""
        if op == "add":
            stack.extend((arg, weight) for arg in reversed(node.args))
        elif op == "sub":
            stack.append((node.args[1], -weight))
            stack.append((node.args[0], weight))
        elif op == "neg":
            stack.append((node.args[0], -weight))
        elif op == "mul" and (factor := number(node.args[0])) is not None:
            stack.append((node.args[1], weight * factor))
        elif op in ("mul", "div") and (factor := number(node.args[1])):
            stack.append((node.args[0], weight * factor if op == "mul" else weight / factor))
        else:
            weights[node] = weights.get(node, 0.0) + weight
    return weights, constant


def from_weights(weights: dict[Expr, float], constant: float) -> Expr:
    """The sum that `weighted_sum` took apart."""
    terms = [mul(Const(weight), part) for part, weight in weights.items()]
    return add(*terms, Const(constant))


def cancelled(expr: Expr) -> Expr:
    """The expression without the terms that cancel each other; the very same one when nothing cancels."""
    weights, constant = _all_parts(expr)
    if all(weights.values()):
        return expr
    kept = from_weights({part: weight for part, weight in weights.items() if weight}, constant)
    return kept if _leaf_count(kept) < _leaf_count(expr) else expr


def _leaf_count(expr: Expr) -> int:
    return sum(1 for node in walk(expr) if not node.args and not isinstance(node, Const))
