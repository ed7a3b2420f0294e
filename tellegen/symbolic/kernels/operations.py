"""What the expressions of kernels may consist of; native code of all of it is made in procedure.py."""

from __future__ import annotations

from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk

BINARY = {"sub": "-", "div": "/", "atan2": "atan2", "min": "min", "max": "max"}
RELATIONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_SAME = frozenset(
    {"neg", "abs", "sqrt", "floor", "ceil", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan"}
    | {"sinh", "cosh", "tanh"}
)
PASSED = {"no_event": 0, "smooth": 1, "homotopy": 0, "with_derivatives": 0}
OPERATIONS = (
    BINARY.keys() | RELATIONS.keys() | _SAME | PASSED.keys()
    | {"add", "mul", "pow", "and", "or", "not", "where", "sign", "mod", "log10"}
)  # fmt: skip
"""What expressions of kernels may consist of."""


def can_compile(expression: Expr) -> bool:
    """Whether native code exists for all operations of an expression."""
    return all(
        isinstance(node, Const | Slot) or (isinstance(node, Call) and node.op in OPERATIONS)
        for node in walk(expression)
    )
