"""The tangent of an expression: how it changes when its leaves change in a direction.

    R*i                 ->   R'*i + R*i' where(x > 0, a, b)  ->   where(x > 0, a', b')      between events; what the
    switching itself does is reported elsewhere pre(v)              ->   pre(v')

Conditions that the rules of min, max and abs bring in are not events: the function itself has none there.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.ir.expressions.expr import ZERO, Apply, Call, Der, Expr, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import DELAYS
from tellegen.symbolic.build import add, is_zero, mul
from tellegen.symbolic.partial import derivative_of_call, derivative_of_lookup
from tellegen.symbolic.slope import slope

_KINKS = frozenset(("min", "max", "abs", "mod"))
Leaf = Callable[[Slot | Der | Time], Expr | None]
"""The tangent of a leaf; None where it does not change."""


def tangent(expr: Expr, of_leaf: Leaf) -> Expr | None:
    """The tangent of an expression; None when an operation has none (a delay)."""
    done: dict[Expr, Expr] = {}
    for node in walk(expr):
        if isinstance(node, Slot | Der | Time):
            done[node] = of_leaf(node) or ZERO
            continue
        inner = tuple(done[arg] for arg in node.args)
        if all(map(is_zero, inner)):
            done[node] = ZERO
        elif isinstance(node, Lookup):
            done[node] = derivative_of_lookup(node, inner)
        elif isinstance(node, Apply):
            moved = [(k, d) for k, d in enumerate(inner) if not is_zero(d)]
            done[node] = add(*(mul(slope(node, k), d) for k, d in moved))
        elif isinstance(node, Call):
            if node.op in DELAYS:
                return None
            done[node] = _of_call(node, inner)
    return done.get(expr, ZERO)


def _of_call(node: Call, inner: tuple[Expr, ...]) -> Expr:
    if node.op == "pre":
        return Call("pre", inner)
    found = derivative_of_call(node, inner)
    return Call("no_event", (found,)) if node.op in _KINKS and not is_zero(found) else found
