"""Numeric evaluation of expressions with NumPy: the slow, obviously right reference.

Slots may hold whole columns, so one call evaluates a template for all its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tellegen.errors import InternalError
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, walk
from tellegen.ir.expressions.ops import OPS


def evaluate(
    expr: Expr,
    slots: Any,
    *,
    time: Any = 0.0,
    ders: Any = None,
    special: Mapping[Expr, Any] | None = None,
    apply: Callable[[Apply, list[Any]], Any] | None = None,
) -> Any:
    """The value of an expression; `slots` and `ders` are indexed by slot number.

    `special` gives values to nodes that are not plain functions (pre, initial, ...), `apply` calls opaque functions."""
    apply = apply or apply_by_rows
    done: dict[Expr, Any] = dict(special or {})
    with np.errstate(all="ignore"):
        for node in walk(expr):
            if node not in done:
                done[node] = _value(node, done, slots, time, ders, apply)
    return done[expr]


def _value(node: Expr, done: dict[Expr, Any], slots: Any, time: Any, ders: Any, apply: Any) -> Any:
    if isinstance(node, Const):
        return node.value
    if isinstance(node, Slot):
        return slots[node.index]
    if isinstance(node, Der):
        return ders[node.index]
    args = [done[arg] for arg in node.args]
    if isinstance(node, Apply):
        return apply(node, args)
    if isinstance(node, Lookup):
        return node.table(*args)
    if isinstance(node, Call):
        numeric = OPS[node.op].numeric
        if numeric is None:
            raise InternalError("E901", f"'{node.op}' is undefined outside a simulation")
        return numeric(*args)
    return time


def apply_by_rows(node: Apply, args: list[Any]) -> Any:
    """An opaque function, called row by row."""
    rows = np.broadcast(*args) if args else [()]
    out = []
    for row in rows:
        result = node.function.callable(*(float(value) for value in row))
        out.append(result if node.function.outputs == 1 else result[node.output])
    values = np.array(out, dtype=float)
    return values.reshape(rows.shape) if args else values[0]  # type: ignore[union-attr]
