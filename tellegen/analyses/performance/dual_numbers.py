"""Numbers with their derivatives: arithmetic that carries the chain rule along.

    Dual(3.0, [1.0, 0.0]) * Dual(2.0, [0.0, 1.0])   ->   Dual(6.0, [2.0, 3.0])

The value is a number or an array over times; the slope has one more axis, for the directions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Dual:
    """A value and how fast it changes in each direction."""

    value: Any
    slope: Any

    def __add__(self, other: object) -> Dual:
        other = _dual(other, self)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: object) -> Dual:
        other = _dual(other, self)
        return Dual(self.value - other.value, self.slope - other.slope)

    def __mul__(self, other: object) -> Dual:
        other = _dual(other, self)
        return Dual(self.value * other.value, _up(other.value) * self.slope + _up(self.value) * other.slope)

    def __truediv__(self, other: object) -> Dual:
        other = _dual(other, self)
        ratio = self.value / other.value
        return Dual(ratio, (self.slope - _up(ratio) * other.slope) / _up(other.value))

    def __pow__(self, other: Any) -> Dual:
        if not isinstance(other, Dual):  # also of negative numbers, and of zero
            return apply(self, lambda x: x**other, lambda x: other * x ** (other - 1.0) if other else 0.0 * x)
        return apply(apply(self, np.log, lambda x: 1.0 / x) * other, np.exp, np.exp)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __abs__(self) -> Dual:
        return apply(self, np.abs, np.sign)

    def __radd__(self, other: object) -> Dual:
        return self + other

    def __rsub__(self, other: object) -> Dual:
        return -self + other

    def __rmul__(self, other: object) -> Dual:
        return self * other

    def __rtruediv__(self, other: object) -> Dual:
        return _dual(other, self) / self

    def __rpow__(self, other: object) -> Dual:
        return _dual(other, self) ** self


Rule = Callable[[Any], Any]
RULES: dict[str, tuple[Rule, Rule]] = {
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: 1.0 / x),
    "log10": (np.log10, lambda x: 1.0 / (np.log(10.0) * x)),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda x: -np.sin(x)),
    "tan": (np.tan, lambda x: 1.0 + np.tan(x) ** 2),
    "asin": (np.arcsin, lambda x: 1.0 / np.sqrt(1.0 - x * x)),
    "acos": (np.arccos, lambda x: -1.0 / np.sqrt(1.0 - x * x)),
    "atan": (np.arctan, lambda x: 1.0 / (1.0 + x * x)),
    "sinh": (np.sinh, np.cosh),
    "cosh": (np.cosh, np.sinh),
    "tanh": (np.tanh, lambda x: 1.0 - np.tanh(x) ** 2),
}
"""Functions of one number, each with its derivative."""


def apply(x: object, function: Rule, derivative: Rule) -> Any:
    """A function of a dual or of a plain number."""
    if not isinstance(x, Dual):
        return function(x)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Dual(function(x.value), _up(derivative(x.value)) * x.slope)


def larger(a: Any, b: Any) -> Any:
    """The larger of two, time by time."""
    if not isinstance(a, Dual) and not isinstance(b, Dual):
        return np.maximum(a, b)
    first = _dual(a, b)
    second = _dual(b, a)
    wins = first.value >= second.value
    return Dual(np.where(wins, first.value, second.value), np.where(_up(wins), first.slope, second.slope))


def _up(values: object) -> Any:
    """With an axis for the directions."""
    return np.asarray(values)[..., None]


def _dual(x: object, like: Dual) -> Dual:
    return x if isinstance(x, Dual) else Dual(x, np.zeros_like(like.slope))
