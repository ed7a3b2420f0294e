"""Whether the value of an expression is an integer, as far as its form says.

pre(n) + 1          n an integer: always
pre(n) + 0.5        never
pre(n) + step       step a number: it depends
"""

from __future__ import annotations

from collections.abc import Collection

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk
from tellegen.ir.expressions.ops import TRUTH_VALUED

_STAYS_WHOLE = frozenset({"add", "sub", "mul", "neg", "abs", "min", "max", "mod", "pre", "no_event", "homotopy"})
_MAKES_WHOLE = TRUTH_VALUED | {"floor", "ceil", "sign"}


def is_whole(expr: Expr, whole: Collection[int]) -> bool | None:
    """True: always, False: not in every case, None: it depends on numbers. `whole` are the slots of integers."""
    known: dict[Expr, bool | None] = {}
    for node in walk(expr):
        known[node] = _judged(node, known, whole)
    return known[expr]


def _judged(node: Expr, known: dict[Expr, bool | None], whole: Collection[int]) -> bool | None:
    if isinstance(node, Const):
        return float(node.value).is_integer()
    if isinstance(node, Slot):
        return True if node.index in whole else None
    if not isinstance(node, Call):
        return None
    if node.op in _MAKES_WHOLE:
        return True
    if node.op == "where":
        return _both(known[node.args[1]], known[node.args[2]])
    parts = [known[arg] for arg in node.args]
    if node.op in _STAYS_WHOLE and all(parts):
        return True
    if node.op in ("neg", "no_event"):
        return parts[0]
    one_fraction = node.op in ("add", "sub") and parts.count(False) == 1 and parts.count(True) == len(parts) - 1
    return False if one_fraction else None


def _both(yes: bool | None, no: bool | None) -> bool | None:
    """Of two values of which each may be chosen."""
    if yes is False or no is False:
        return False
    return True if yes and no else None
