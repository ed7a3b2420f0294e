"""Bounds as expressions: what native code computes to bound a formula over one interval.

    sin(x)                x within low ... high, its slope within ...      ->      four expressions of these numbers

The rules are those of operations.py: they are carried out on expressions in the place of NumPy's arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tellegen.ir.expressions.expr import TIME, Call, Const, Expr, Lookup, Slot, walk
from tellegen.start.records import dataclass
from tellegen.symbolic import build
from tellegen.symbolic.bounds.bounded import HasNoBoundsError, bounded
from tellegen.symbolic.bounds.operations import Bounds
from tellegen.symbolic.bounds.pairs import ONE, ZERO, Pair

_LONG = 80
"""Operations of a formula, of which bounds are some thirty times as many."""
_UNLIKE = {
    **{"add": build.add, "subtract": build.sub, "multiply": build.mul, "divide": build.div, "power": build.pow_},
    **{"negative": build.neg},
}
_NAMES = {
    **{"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "equal": "eq", "not_equal": "ne"},
    **{"logical_and": "and", "logical_or": "or", "logical_not": "not", "bitwise_and": "and", "bitwise_or": "or"},
    **{"invert": "not", "minimum": "min", "maximum": "max", "absolute": "abs", "remainder": "mod", "arctan2": "atan2"},
    **{"arcsin": "asin", "arccos": "acos", "arctan": "atan"},
}


class Traced(NDArrayOperatorsMixin):
    """A number that is not known yet: what NumPy does to it becomes an expression."""

    def __init__(self, value: Expr) -> None:
        self.value = value

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **_: Any) -> Any:
        name = str(ufunc.__name__)
        values = [_expr(arg) for arg in args]
        if name == "isnan":
            return Traced(Call("ne", (values[0], values[0])))
        if name in ("fmin", "fmax"):
            return _known(name[1:], values[0], values[1])
        if name in _UNLIKE:
            return _number(_UNLIKE[name](*values))
        return _number(_simple(_NAMES.get(name, name), values))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is not np.where:
            return NotImplemented
        return _number(build.where(*map(_expr, args)))


def _expr(value: Any) -> Expr:
    if isinstance(value, Traced):
        return value.value
    return Const(bool(value)) if np.asarray(value).dtype == bool else Const(float(value))


def _number(value: Expr) -> Any:
    """What is known is a number of NumPy."""
    return np.array(value.value) if isinstance(value, Const) else Traced(value)


def _simple(name: str, values: Sequence[Expr]) -> Expr:
    """An operation of what may be the same or known."""
    if name in ("min", "max") and values[0] == values[1]:
        return values[0]
    if name in ("and", "or"):
        decides = Const(name == "or")
        rest = [value for value in values if not isinstance(value, Const)]
        if len(rest) < len(values):
            return decides if decides in values else (*rest, values[0])[0]
    return Call(name, tuple(values))


def _known(name: str, a: Expr, b: Expr) -> Any:
    """The smaller or larger of two; of one that is not a number the other."""
    first = build.where(Call("eq", (a, a)), Call(name, (a, b)), b)
    return _number(build.where(Call("eq", (b, b)), first, a))


@dataclass(frozen=True)
class BoundsOfCurve:
    """The lowest and the highest value of a formula over an interval, and of its derivative by time.

    Slots: `numbers`, in their order; half of the interval; of each of `states` its value in the middle, its lowest and
    highest value, and the lowest and highest of its rate. The time is that in the middle. What the formula does below
    `floor` does not count.
    """

    values: tuple[Expr, Expr, Expr, Expr]
    numbers: tuple[int, ...]
    states: tuple[int, ...]
    floor: float = 0.0


def bounds_of_curve(
    value: Expr, order: Sequence[tuple[int, Expr]], numbers: Sequence[int], states: Sequence[int]
) -> BoundsOfCurve:
    """Of a formula of cells; `order` are formulas of cells that come before it. HasNoBoundsError where it has none."""
    nodes = list(walk(value, *(each for _, each in order)))
    if len(nodes) > _LONG or any(map(_is_beyond, nodes)):
        raise HasNoBoundsError
    half: Any = Traced(Slot(len(numbers)))
    cells = {cell: constant(Slot(k)) for k, cell in enumerate(numbers)}
    for k, cell in enumerate(states):
        first = len(numbers) + 1 + 5 * k
        middle, low, high, falls, rises = (_number(Slot(first + i)) for i in range(5))
        cells[cell] = Bounds(Pair(low, high), middle, Pair(falls, rises))
    now: Any = Traced(TIME)
    time = Bounds(Pair(now - half, now + half), now, ONE)
    for cell, each in order:
        cells[cell] = bounded(each, cells, time, half)
    found = bounded(value, cells, time, half)
    low, high, falls, rises = (_expr(end) for end in (*found.value, *found.slope))
    return BoundsOfCurve((low, high, falls, rises), tuple(numbers), tuple(states))


def constant(number: Expr) -> Bounds:
    """A number that does not change."""
    value = _number(number)
    return Bounds(Pair(value, value), value, ZERO)


def _is_beyond(node: Expr) -> bool:
    """What takes more than arithmetic: a table, and a power that is not known."""
    is_power = isinstance(node, Call) and node.op == "pow"
    return isinstance(node, Lookup) or (is_power and not isinstance(node.args[1], Const))
