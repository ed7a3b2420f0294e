"""Operations of expressions on bounds: those of the value and of its slope, from those of the operands."""

from __future__ import annotations

from collections.abc import Callable
from math import log, pi
from typing import NamedTuple

import numpy as np

from tellegen.ir.expressions.ops import RELATIONS, WITH_DERIVATIVES
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.symbolic.bounds.pairs import (
    EVERYTHING,
    ONE,
    ZERO,
    Pair,
    chosen,
    hull,
    inverse,
    joined,
    logarithm,
    minus,
    number,
    plus,
    raised,
    root,
    square,
    tangents,
    times,
    waves,
)

Operation = Callable[..., tuple[Pair, Pair]]


class Bounds(NamedTuple):
    """What is known of a value over each interval."""

    value: Pair
    middle: FloatArray
    slope: Pair


def _add(*terms: Bounds) -> tuple[Pair, Pair]:
    value = terms[0].value
    slope = terms[0].slope
    for term in terms[1:]:
        value = plus(value, term.value)
        slope = plus(slope, term.slope)
    return value, slope


def _negated(a: Bounds) -> tuple[Pair, Pair]:
    return minus(a.value), minus(a.slope)


def _subtract(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    return plus(a.value, minus(b.value)), plus(a.slope, minus(b.slope))


def _multiply(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    return times(a.value, b.value), plus(times(a.slope, b.value), times(a.value, b.slope))


def _divide(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    part = inverse(b.value)
    quotient = times(a.value, part)
    return quotient, times(plus(a.slope, minus(times(quotient, b.slope))), part)


def _power(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    """Of a constant exponent by its own rules, else exp(b log a)."""
    exponents = np.unique(b.middle)
    if len(exponents) == 1 and not np.any(b.value.high - b.value.low):
        n = float(exponents[0])
        return raised(a.value, n), times(times(number(n), raised(a.value, n - 1.0)), a.slope)
    base = Pair(logarithm(a.value.low), logarithm(a.value.high))
    inner = times(b.value, base)
    value = Pair(np.exp(inner.low), np.exp(inner.high))
    slope = plus(times(b.slope, base), times(b.value, times(a.slope, inverse(a.value))))
    return value, times(value, slope)


def _rising(function: Callable[[FloatArray], FloatArray], derivative: Callable[[Pair], Pair]) -> Operation:
    """A function that nowhere falls."""

    def operation(a: Bounds) -> tuple[Pair, Pair]:
        value = Pair(function(a.value.low), function(a.value.high))
        return value, times(derivative(a.value), a.slope)

    return operation


def _of_circle(a: Pair) -> Pair:
    """1 / sqrt(1 - x^2)."""
    rest = plus(ONE, minus(square(a)))
    root = Pair(np.sqrt(np.maximum(rest.low, 0.0)), np.sqrt(np.maximum(rest.high, 0.0)))
    return inverse(root)


def _acos(a: Bounds) -> tuple[Pair, Pair]:
    return Pair(np.arccos(a.value.high), np.arccos(a.value.low)), times(minus(_of_circle(a.value)), a.slope)


def _cosh(a: Bounds) -> tuple[Pair, Pair]:
    ends = hull(np.cosh(a.value.low), np.cosh(a.value.high))
    low = np.where((a.value.low <= 0.0) & (a.value.high >= 0.0), 1.0, ends.low)
    return Pair(low, ends.high), times(Pair(np.sinh(a.value.low), np.sinh(a.value.high)), a.slope)


def _abs(a: Bounds) -> tuple[Pair, Pair]:
    up, down = a.value.low >= 0.0, a.value.high <= 0.0
    size = np.maximum(-a.value.low, a.value.high)
    value = Pair(np.where(up, a.value.low, np.where(down, -a.value.high, 0.0)), size)
    return value, chosen(up, down, a.slope, minus(a.slope), joined(a.slope, minus(a.slope)))


def _min(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    value = Pair(np.minimum(a.value.low, b.value.low), np.minimum(a.value.high, b.value.high))
    first, second = a.value.high <= b.value.low, b.value.high <= a.value.low
    return value, chosen(first, second, a.slope, b.slope, joined(a.slope, b.slope))


def _max(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    opposite = [Bounds(minus(x.value), -x.middle, minus(x.slope)) for x in (a, b)]
    value, slope = _min(*opposite)
    return minus(value), minus(slope)


def _stepped(function: Callable[[FloatArray], FloatArray]) -> Operation:
    """A rising function of steps: its slope is zero where no step is inside."""

    def operation(a: Bounds) -> tuple[Pair, Pair]:
        value = Pair(function(a.value.low), function(a.value.high))
        is_flat = value.low == value.high
        return value, chosen(is_flat, is_flat, ZERO, ZERO, EVERYTHING)

    return operation


def _mod(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    turns = _divide(a, b)[0]
    same = np.floor(turns.low) == np.floor(turns.high)
    count = np.floor(turns.low)
    inner = plus(a.value, minus(times(Pair(count, count), b.value)))
    slope = plus(a.slope, minus(times(Pair(count, count), b.slope)))
    whole = hull(np.zeros(()), b.value.low, b.value.high)
    return chosen(same, same, inner, inner, whole), chosen(same, same, slope, slope, EVERYTHING)


def _atan2(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    ahead = b.value.low > 0.0
    quotient, slope = _divide(a, b)
    value = Pair(np.arctan(quotient.low), np.arctan(quotient.high))
    turn = times(slope, inverse(plus(ONE, square(quotient))))
    whole = Pair(np.array(-pi), np.array(pi))
    return chosen(ahead, ahead, value, value, whole), chosen(ahead, ahead, turn, turn, EVERYTHING)


def _where(condition: Bounds, a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    yes, no = condition.value.low > 0.0, condition.value.high <= 0.0
    value = chosen(yes, no, a.value, b.value, joined(a.value, b.value))
    return value, chosen(yes, no, a.slope, b.slope, EVERYTHING)


def _truth(always: BoolArray, never: BoolArray) -> tuple[Pair, Pair]:
    return Pair(np.where(always, 1.0, 0.0), np.where(never, 0.0, 1.0)), EVERYTHING


def _relation(name: str) -> Operation:
    def operation(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
        if name in ("gt", "ge"):
            a, b = b, a
        if name in ("lt", "gt"):
            return _truth(a.value.high < b.value.low, a.value.low >= b.value.high)
        if name in ("le", "ge"):
            return _truth(a.value.high <= b.value.low, a.value.low > b.value.high)
        apart = (a.value.high < b.value.low) | (a.value.low > b.value.high)
        same = (a.value.low == b.value.high) & (a.value.high == b.value.low)
        return _truth(same, apart) if name == "eq" else _truth(apart, same)

    return operation


def _and(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    return Pair(np.minimum(a.value.low, b.value.low), np.minimum(a.value.high, b.value.high)), EVERYTHING


def _or(a: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    return Pair(np.maximum(a.value.low, b.value.low), np.maximum(a.value.high, b.value.high)), EVERYTHING


def _not(a: Bounds) -> tuple[Pair, Pair]:
    return Pair(1.0 - a.value.high, 1.0 - a.value.low), EVERYTHING


def _first(a: Bounds, *_: Bounds) -> tuple[Pair, Pair]:
    return a.value, a.slope


def _second(_: Bounds, b: Bounds) -> tuple[Pair, Pair]:
    return b.value, b.slope


def _sine(a: Bounds) -> tuple[Pair, Pair]:
    return waves(a.value, 0.0), times(waves(a.value, 0.5 * pi), a.slope)


def _cosine(a: Bounds) -> tuple[Pair, Pair]:
    return waves(a.value, 0.5 * pi), times(minus(waves(a.value, 0.0)), a.slope)


def _exp(a: Pair) -> Pair:
    return Pair(np.exp(a.low), np.exp(a.high))


def _tanh_slope(a: Pair) -> Pair:
    return plus(ONE, minus(square(Pair(np.tanh(a.low), np.tanh(a.high)))))


def _cosh_pair(a: Pair) -> Pair:
    return _cosh(Bounds(a, a.low, ZERO))[0]


def _tangent(a: Bounds) -> tuple[Pair, Pair]:
    value = tangents(a.value)
    return value, times(plus(ONE, square(value)), a.slope)


OPERATIONS: dict[str, Operation] = {
    **{"add": _add, "sub": _subtract, "mul": _multiply, "div": _divide, "pow": _power, "neg": _negated},
    **{name: _relation(name) for name in RELATIONS},
    **{"and": _and, "or": _or, "not": _not, "where": _where, "min": _min, "max": _max, "abs": _abs},
    **{"sign": _stepped(np.sign), "floor": _stepped(np.floor), "ceil": _stepped(np.ceil), "mod": _mod},
    **{"atan2": _atan2, "sin": _sine, "cos": _cosine, "tan": _tangent, "acos": _acos, "cosh": _cosh},
    "sqrt": _rising(lambda x: np.sqrt(np.maximum(x, 0.0)), lambda a: times(number(0.5), inverse(root(a)))),
    "exp": _rising(np.exp, _exp),
    "log": _rising(logarithm, inverse),
    "log10": _rising(lambda x: logarithm(x) / log(10.0), lambda a: times(number(1.0 / log(10.0)), inverse(a))),
    "asin": _rising(np.arcsin, _of_circle),
    "atan": _rising(np.arctan, lambda a: inverse(plus(ONE, square(a)))),
    "sinh": _rising(np.sinh, _cosh_pair),
    "tanh": _rising(np.tanh, _tanh_slope),
    **{"no_event": _first, "homotopy": _first, WITH_DERIVATIVES: _first, "smooth": _second},
}
