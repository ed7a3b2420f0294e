"""Arithmetic of intervals: the lowest and the highest value of something, for many intervals at once."""

from __future__ import annotations

from math import inf, pi
from typing import NamedTuple

import numpy as np

from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray


class Pair(NamedTuple):
    """The lowest and the highest value of something over each interval."""

    low: FloatArray
    high: FloatArray


EVERYTHING = Pair(np.array(-inf), np.array(inf))
ZERO = Pair(np.zeros(()), np.zeros(()))
ONE = Pair(np.ones(()), np.ones(()))


def numbers(pair: Pair) -> Pair:
    """What is not a number says nothing."""
    return Pair(np.where(np.isnan(pair.low), -inf, pair.low), np.where(np.isnan(pair.high), inf, pair.high))


def hull(*values: FloatArray) -> Pair:
    """The bounds of several values."""
    low = high = values[0]
    for value in values[1:]:
        low = np.minimum(low, value)
        high = np.maximum(high, value)
    return Pair(low, high)


def plus(a: Pair, b: Pair) -> Pair:
    """The sum."""
    return Pair(a.low + b.low, a.high + b.high)


def minus(a: Pair) -> Pair:
    """The opposite."""
    return Pair(-a.high, -a.low)


def times(a: Pair, b: Pair) -> Pair:
    """The product."""
    products = [x * y for x in a for y in b]
    return hull(*(np.where(np.isnan(product), 0.0, product) for product in products))  # 0 times unbounded is 0


def inverse(a: Pair) -> Pair:
    """One divided by it."""
    has_zero = (a.low <= 0.0) & (a.high >= 0.0)
    return Pair(np.where(has_zero, -inf, 1.0 / a.high), np.where(has_zero, inf, 1.0 / a.low))


def joined(a: Pair, b: Pair) -> Pair:
    """What contains both."""
    return Pair(np.minimum(a.low, b.low), np.maximum(a.high, b.high))


def chosen(first: BoolArray, second: BoolArray, a: Pair, b: Pair, otherwise: Pair) -> Pair:
    """`a` where the first holds, `b` where the second does."""
    parts = zip(a, b, otherwise, strict=True)
    return Pair(*(np.where(first, x, np.where(second, y, z)) for x, y, z in parts))


def number(value: float) -> Pair:
    """A number."""
    return Pair(np.array(value), np.array(value))


def raised(a: Pair, n: float) -> Pair:
    """To the power of a number."""
    if n == 0.0:
        return ONE
    if n < 0.0:
        return inverse(raised(a, -n))
    ends = hull(np.power(a.low, n), np.power(a.high, n))
    if n != int(n):
        return Pair(np.where(a.high < 0.0, np.nan, np.power(np.maximum(a.low, 0.0), n)), np.power(a.high, n))
    if n % 2.0:
        return ends
    return Pair(np.where((a.low <= 0.0) & (a.high >= 0.0), 0.0, ends.low), ends.high)


def logarithm(x: FloatArray) -> FloatArray:
    """Natural, minus infinity where there is none."""
    return np.where(x > 0.0, np.log(np.maximum(x, 1e-320)), -inf)


def waves(a: Pair, shift: float) -> Pair:
    """sin(x + shift)."""
    low, high = a.low + shift, a.high + shift
    ends = hull(np.sin(low), np.sin(high))
    has_top = np.floor((high - 0.5 * pi) / (2.0 * pi)) != np.floor((low - 0.5 * pi) / (2.0 * pi))
    has_bottom = np.floor((high + 0.5 * pi) / (2.0 * pi)) != np.floor((low + 0.5 * pi) / (2.0 * pi))
    return numbers(Pair(np.where(has_bottom, -1.0, ends.low), np.where(has_top, 1.0, ends.high)))


def tangents(a: Pair) -> Pair:
    """tan(x)."""
    has_pole = np.floor(a.low / pi + 0.5) != np.floor(a.high / pi + 0.5)
    return numbers(Pair(np.where(has_pole, -inf, np.tan(a.low)), np.where(has_pole, inf, np.tan(a.high))))


def square(a: Pair) -> Pair:
    """x^2."""
    return raised(a, 2.0)


def root(a: Pair) -> Pair:
    """sqrt(x)."""
    return Pair(np.sqrt(np.maximum(a.low, 0.0)), np.sqrt(np.maximum(a.high, 0.0)))
