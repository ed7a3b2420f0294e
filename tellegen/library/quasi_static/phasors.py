"""Complex numbers of symbols: a phasor is a real and an imaginary part, scalars or vectors with an entry per phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tellegen as tg

TINY = 1e-200
"""Below the square of any amplitude: the root of a sum of squares has a derivative at zero with it."""


@dataclass(frozen=True)
class Phasor:
    """re + j im, effective values: a voltage of the amplitude sqrt(2) V has the absolute value V."""

    re: Any
    im: Any

    def __add__(self, other: Phasor) -> Phasor:
        return Phasor(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Phasor) -> Phasor:
        return Phasor(self.re - other.re, self.im - other.im)

    def __neg__(self) -> Phasor:
        return Phasor(-self.re, -self.im)

    def __mul__(self, other: Phasor) -> Phasor:
        return Phasor(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def __getitem__(self, k: Any) -> Phasor:
        return Phasor(self.re[k], self.im[k])

    def scaled(self, factor: Any) -> Phasor:
        """Times a real factor."""
        return Phasor(factor * self.re, factor * self.im)

    def turned(self, factor: Any) -> Phasor:
        """Times j and a real factor: a reactance or susceptance."""
        return Phasor(-(factor * self.im), factor * self.re)

    def through(self, matrix: Any) -> Phasor:
        """A real matrix times a vector of phasors."""
        return Phasor(matrix @ self.re, matrix @ self.im)

    def total(self) -> Phasor:
        """The sum over all phases."""
        return Phasor(tg.sum(self.re), tg.sum(self.im))

    def absolute(self) -> Any:
        """sqrt(re^2 + im^2)."""
        return tg.sqrt(self.re**2 + self.im**2 + TINY)


def equal(one: Phasor, other: Phasor) -> Iterator[Any]:
    """Two equations."""
    yield one.re == other.re
    yield one.im == other.im


def zero(one: Phasor, m: int) -> Iterator[Any]:
    """Two equations for vectors of m phases."""
    yield one.re == [0.0] * m
    yield one.im == [0.0] * m


def active_power(v: Phasor, i: Phasor) -> Any:
    """Re(v conj(i)) of all phases together."""
    return tg.dot(v.re, i.re) + tg.dot(v.im, i.im)


def single_power(v: Phasor, i: Phasor) -> Any:
    """Re(v conj(i)) of one phase."""
    return v.re * i.re + v.im * i.im


def reactive_power(v: Phasor, i: Phasor) -> Any:
    """Im(v conj(i)) of all phases together, positive for inductances."""
    return tg.dot(v.im, i.re) - tg.dot(v.re, i.im)
