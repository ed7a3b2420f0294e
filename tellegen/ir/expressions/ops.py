"""The operations an expression may use: one table, read by the printer, the evaluator and the unit check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    `units` says how dimensions combine: "same" operands and result alike, "pure" dimensionless in and out,
    "angle" like pure, "bool" operands alike and result a Boolean, "logic" Booleans; the rest by name.
    """

    name: str
    arity: int
    numeric: Callable[..., Any] | None
    units: str
    infix: str = ""
    precedence: int = 100


def _where(condition: Any, yes: Any, no: Any) -> Any:
    return np.where(condition, yes, no)


def _add(*terms: Any) -> Any:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


_VARIADIC = -1

_TABLE = [
    Op("add", _VARIADIC, _add, "same", "+", 50),
    Op("sub", 2, np.subtract, "same", "-", 50),
    Op("mul", 2, np.multiply, "mul", "*", 60),
    Op("div", 2, np.divide, "div", "/", 60),
    Op("pow", 2, np.power, "pow", "**", 80),
    Op("neg", 1, np.negative, "same", "-", 70),
    Op("lt", 2, np.less, "bool", "<", 30),
    Op("le", 2, np.less_equal, "bool", "<=", 30),
    Op("gt", 2, np.greater, "bool", ">", 30),
    Op("ge", 2, np.greater_equal, "bool", ">=", 30),
    Op("eq", 2, np.equal, "bool", "==", 30),
    Op("ne", 2, np.not_equal, "bool", "!=", 30),
    Op("and", 2, np.logical_and, "logic", "&", 40),
    Op("or", 2, np.logical_or, "logic", "|", 35),
    Op("not", 1, np.logical_not, "logic", "~", 90),
    Op("where", 3, _where, "where"),
    Op("min", 2, np.minimum, "same"),
    Op("max", 2, np.maximum, "same"),
    Op("abs", 1, np.abs, "same"),
    Op("sign", 1, np.sign, "sign"),
    Op("sqrt", 1, np.sqrt, "sqrt"),
    Op("mod", 2, np.mod, "same"),
    Op("floor", 1, np.floor, "same"),
    Op("ceil", 1, np.ceil, "same"),
    Op("atan2", 2, np.arctan2, "ratio"),
    *(
        Op(name, 1, getattr(np, numpy_name), "pure")
        for name, numpy_name in (
            ("exp", "exp"),
            ("log", "log"),
            ("log10", "log10"),
            ("sin", "sin"),
            ("cos", "cos"),
            ("tan", "tan"),
            ("asin", "arcsin"),
            ("acos", "arccos"),
            ("atan", "arctan"),
            ("sinh", "sinh"),
            ("cosh", "cosh"),
            ("tanh", "tanh"),
        )
    ),
    # Operations whose value depends on the past, on events or on the solution method; no plain number for them.
    Op("pre", 1, None, "same"),
    Op("edge", 1, None, "logic"),
    Op("change", 1, None, "change"),
    Op("initial", 0, None, "logic"),
    Op("terminal", 0, None, "logic"),
    Op("sample", 2, None, "sample"),
    Op("delay", 2, None, "delay"),
    Op("varying_delay", 3, None, "delay"),  # what, how long ago, how long at most
    # what leaves a pipe of length one at its far end: what enters at the near and the far end, how far the content has
    # moved, whether it leaves at the far end, and at the start so many points of the pipe and what was there
    Op("transported", _VARIADIC, None, "delay"),
    Op("no_event", 1, lambda value: value, "same"),
    Op("smooth", 2, lambda _order, value: value, "smooth"),
    Op("homotopy", 2, lambda actual, _simplified: actual, "same"),
    # a signal and its derivatives by time, all of them known from elsewhere; index reduction takes the next one
    Op("with_derivatives", _VARIADIC, lambda value, *_derivatives: value, "delay"),
]

OPS: dict[str, Op] = {op.name: op for op in _TABLE}
WITH_DERIVATIVES = "with_derivatives"
DELAYS = frozenset({"delay", "varying_delay", "transported"})
RELATIONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
TRUTH_VALUED = RELATIONS | {"and", "or", "not", "edge", "change", "initial", "terminal", "sample"}
