"""Symbols as text, and NumPy's names for the operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import LanguageError, nearest
from tellegen.ir.source_location import here

SAME_NAME = (
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "log10",
    "sqrt",
    "sinh",
    "cosh",
    "tanh",
    "sign",
    "floor",
    "ceil",
    "matmul",
)
UFUNCS = {
    **{name: name for name in SAME_NAME},
    **{"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "power": "pow", "negative": "neg"},
    **{"arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "absolute": "abs", "remainder": "mod"},
    **{"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "equal": "eq", "not_equal": "ne"},
    **{"minimum": "min", "maximum": "max", "logical_and": "and", "logical_or": "or", "logical_not": "not"},
    **{"bitwise_and": "and", "bitwise_or": "or", "invert": "not"},
}
"""Operation for each NumPy function that may meet a symbol."""

INFIX = {
    **{"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "mod": "%"},
    **{"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and": "&", "or": "|"},
}


def shown_index(chosen: np.ndarray[Any, Any]) -> str:
    """Numbers of elements as a person writes them: 3, 1:4, or dots."""
    if not chosen.ndim:
        return str(int(chosen))
    if chosen.ndim > 1 or not chosen.size or (np.diff(chosen) != 1).any():
        return "..."
    return f"{int(chosen[0])}:{int(chosen[-1]) + 1}"


def show_symbol(symbol: Any, depth: int = 6) -> str:
    """A symbol as the user would write it, cut short when deep."""
    if symbol.op == "literal":
        return np.array2string(symbol.value, precision=6, threshold=6)
    name = getattr(symbol, "label", None)
    if name is not None:
        return str(name())
    if depth == 0:
        return "..."
    parts = [show_symbol(arg, depth - 1) for arg in symbol.args]
    if symbol.op in INFIX and len(parts) > 1:
        wrapped = [
            f"({p})" if a.op in INFIX and symbol.op != "eq" else p for p, a in zip(parts, symbol.args, strict=True)
        ]
        return f" {INFIX[symbol.op]} ".join(wrapped)
    if symbol.op == "neg":
        return f"-{parts[0]}"
    if symbol.op == "apply":
        return f"{symbol.extra[0].name}({', '.join(parts)})"
    name = symbol.extra.name if symbol.op == "lookup" else symbol.op
    return f"{name}({', '.join(parts)})"


def number_of(name: Any, symbol: Any) -> Any:
    """The number of one of an enumeration's names, `gear == "first"` and `pre(gear) == "first"`; all else as it is."""
    if not isinstance(name, str):
        return name
    leaf = symbol.args[0] if symbol.op == "pre" else symbol
    decl = getattr(leaf, "decl", None)
    if getattr(decl, "type", "") != "enumeration":
        return name
    names = decl.literals  # type: ignore[union-attr]
    if name not in names:
        raise LanguageError("E179", f"'{leaf}' is never '{name}'", location=here(), advice=nearest(name, names))
    return names.index(name)
