"""Random functions of time that jump at quarters of a second, as expressions and as functions of numbers."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import tellegen as tg

INSTANTS = tuple(k / 4 for k in range(1, 11))
STOP = 2.75
_BESIDE = 1e-7  # of an instant; dyadic numbers: nothing else jumps so close to it
_PIECES_PER_SECOND = 16


class Signal(NamedTuple):
    """The same function of time twice."""

    expression: Callable[[Any], Any]
    value: Callable[[Any], Any]

    def before(self, t: float) -> float:
        return float(self.value(t - _BESIDE))

    def after(self, t: float) -> float:
        return float(self.value(t + _BESIDE))

    def integral(self) -> float:
        """From 0 to the end, by Gauss's rule between the jumps."""
        nodes, weights = np.polynomial.legendre.leggauss(6)
        begin = np.arange(int(STOP * _PIECES_PER_SECOND))[:, np.newaxis]
        values = self.value((begin + (nodes + 1) / 2) / _PIECES_PER_SECOND)
        return float((values * weights).sum() / (2 * _PIECES_PER_SECOND))


def quarters(rng: random.Random, low: int, high: int) -> float:
    return rng.randint(4 * low, 4 * high) / 4


def line(rng: random.Random) -> Signal:
    slope = rng.choice([0.5, 1.0, 2.0, -0.5, -1.0, -2.0])
    offset = quarters(rng, -2, 2)
    return Signal(lambda t: slope * t + offset, lambda t: slope * np.asarray(t) + offset)


def rounded(rng: random.Random) -> Signal:
    x = line(rng)
    period = rng.choice([0.5, 1.0, 1.5, 2.0])
    return rng.choice(
        [
            Signal(lambda t: tg.floor(x.expression(t)), lambda t: np.floor(x.value(t))),
            Signal(lambda t: tg.ceil(x.expression(t)), lambda t: np.ceil(x.value(t))),
            Signal(lambda t: tg.sign(x.expression(t)), lambda t: np.sign(x.value(t))),
            Signal(lambda t: x.expression(t) % period, lambda t: np.mod(x.value(t), period)),
        ]
    )


def chosen(rng: random.Random) -> Signal:
    x = line(rng)
    limit = quarters(rng, -1, 3)
    compare = rng.choice([operator.lt, operator.le, operator.gt, operator.ge])
    one = rounded(rng)
    other = rounded(rng)
    return Signal(
        lambda t: tg.where(compare(x.expression(t), limit), one.expression(t), other.expression(t)),
        lambda t: np.where(compare(x.value(t), limit), one.value(t), other.value(t)),
    )


def table(rng: random.Random) -> Signal:
    """Steps, a jump in a line, or a period; of a line, or of what jumps by itself."""
    x = line(rng) if rng.random() < 0.7 else rounded(rng)
    points = np.array(sorted(rng.sample(range(-8, 17), rng.randint(3, 6)))) / 4
    kind = rng.choice(["linear", "constant"])
    outside = rng.choice(["hold", "periodic"])
    if kind == "linear" and outside == "hold":
        points = np.insert(points, 1, points[1])
    values = np.array([quarters(rng, -3, 3) for _ in points])

    def value(t: Any) -> Any:
        at = np.asarray(x.value(t))
        if outside == "periodic":
            at = points[0] + np.mod(at - points[0], points[-1] - points[0])
        left = np.clip(np.searchsorted(points, at, side="right") - 1, 0, len(points) - 1)
        if kind == "constant":
            return values[left]
        right = np.minimum(left + 1, len(points) - 1)
        width = np.where(right > left, points[right] - points[left], 1.0)
        return values[left] + (values[right] - values[left]) * np.clip((at - points[left]) / width, 0.0, 1.0)

    return Signal(lambda t: tg.interpolate(x.expression(t), points, values, kind=kind, outside=outside), value)


def delayed(rng: random.Random) -> Signal:
    by = rng.choice([0.25, 0.5, 1.0])
    x = rng.choice([rounded, chosen, table])(rng)
    return Signal(lambda t: tg.delay(x.expression(t), by), lambda t: x.value(np.maximum(np.asarray(t) - by, _BESIDE)))


def signal(seed: int) -> Signal:
    rng = random.Random(seed)
    one = rng.choice([rounded, chosen, table, delayed])(rng)
    other = rng.choice([rounded, chosen, table, delayed])(rng)
    factor = rng.choice([0.5, -1.0, 2.0])
    return Signal(
        lambda t: one.expression(t) + factor * other.expression(t), lambda t: one.value(t) + factor * other.value(t)
    )
