"""Arithmetic and functions of signals."""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import MISO, SI2SO, SISO, Statements, shape_of, sizes_from


class Gain(SISO):
    """y = k u."""

    k = tg.parameter(1.0, description="gain")

    def equations(self) -> Statements:
        yield self.y == self.k * self.u


class MatrixGain(tg.Component):
    """y = K u for vectors u and y."""

    rows = tg.parameter(1, structural=True, description="outputs: rows of K")
    columns = tg.parameter(1, structural=True, description="inputs: columns of K")
    K = tg.parameter(1.0, shape=(rows, columns), description="matrix of gains")
    u = tg.input(shape=columns, description="inputs")
    y = tg.output(shape=rows, description="outputs")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, rows=("K", 0, 0), columns=("K", 1, 0))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        yield self.y == self.K @ self.u


class Add(SI2SO):
    """y = k1 u1 + k2 u2."""

    k1 = tg.parameter(1.0, description="gain of u1")
    k2 = tg.parameter(1.0, description="gain of u2")

    def equations(self) -> Statements:
        yield self.y == self.k1 * self.u1 + self.k2 * self.u2


class Add3(SI2SO):
    """y = k1 u1 + k2 u2 + k3 u3."""

    u3 = tg.input(description="third input")
    k1 = tg.parameter(1.0, description="gain of u1")
    k2 = tg.parameter(1.0, description="gain of u2")
    k3 = tg.parameter(1.0, description="gain of u3")

    def equations(self) -> Statements:
        yield self.y == self.k1 * self.u1 + self.k2 * self.u2 + self.k3 * self.u3


class Feedback(SI2SO):
    """y = u1 - u2: what is wanted less what is measured."""

    def equations(self) -> Statements:
        yield self.y == self.u1 - self.u2


class Sum(MISO):
    """y = k[0] u[0] + k[1] u[1] + ..."""

    k = tg.parameter(1.0, shape=MISO.nu, description="gains")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, nu=("k", 0, 0))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        yield self.y == tg.sum(self.k * self.u)


class Product(SI2SO):
    """y = u1 u2."""

    def equations(self) -> Statements:
        yield self.y == self.u1 * self.u2


class Division(SI2SO):
    """y = u1 / u2."""

    def equations(self) -> Statements:
        yield self.y == self.u1 / self.u2


class Min(SI2SO):
    """The smaller of u1 and u2."""

    def equations(self) -> Statements:
        yield self.y == tg.minimum(self.u1, self.u2)


class Max(SI2SO):
    """The larger of u1 and u2."""

    def equations(self) -> Statements:
        yield self.y == tg.maximum(self.u1, self.u2)


class Power(SISO):
    """y = base ** u for a base above 0, as exp(u log(base)); `Exponentiation` raises u itself."""

    base = tg.parameter(math.e, "1", "base", min=1e-300)

    def equations(self) -> Statements:
        yield self.y == tg.exp(self.u * tg.log(self.base))


class Exponentiation(SISO):
    """y = u ** exponent."""

    exponent = tg.parameter(2.0, "1", "exponent")

    def equations(self) -> Statements:
        yield self.y == self.u**self.exponent


class Polynomial(SISO):
    """y = c[0] u^n + ... + c[n-1] u + c[n]: coefficients in falling powers."""

    degree = tg.parameter(1, structural=True, description="found from c")
    c = tg.parameter(1.0, shape=degree + 1, description="coefficients")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, degree=("c", 0, -1))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        y = self.c[0]
        for k in range(1, shape_of(self.c)[0]):
            y = y * self.u + self.c[k]
        yield self.y == y


class Average(MISO):
    """The mean of all inputs."""

    def equations(self) -> Statements:
        yield self.y == tg.sum(self.u) / self.nu
