"""Random signals in equations, for noise analyses: `tg.noisy(self.v == self.R * self.i, tg.Noise("thermal", ...))`.

They are zero in all other analyses and cost nothing there.
"""

from __future__ import annotations

from typing import Any

from tellegen.errors import LanguageError
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.ir.source_location import here
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Noise:
    """A random signal with the spectral density density/f**exponent, in the square of the equation's SI unit over Hz.

    The density is an expression of variables and parameters at the operating point. A signal of one name in several
    equations of a component is the same one: it enters each of them times `factor`.
    """

    name: str
    density: Any
    exponent: Any = 0.0
    factor: float = 1.0


@dataclass(frozen=True, eq=False)
class Noisy:
    """An equation to whose right-hand side random signals are added."""

    verb = "noisy"
    equation: Symbol
    noises: tuple[Noise, ...]


def noisy(equation: Any, *noises: Noise) -> Noisy:
    """An equation with random signals on its right-hand side; `tg.noise` computes what becomes of them."""
    if not isinstance(equation, Symbol) or equation.op != "eq":
        what = f"tg.noisy needs an equation, not {equation!r}"
        raise LanguageError("E148", what, location=here(), advice="yield tg.noisy(left == right, tg.Noise(...))")
    for each in noises:
        if not isinstance(each, Noise):
            what = f"tg.noisy takes an equation and tg.Noise(...), not {each!r}"
            raise LanguageError("E148", what, location=here(), advice='tg.Noise("thermal", 4*k*T*R)')
    if equation.shape:
        what = f"tg.noisy needs an equation of numbers, not one with shape {equation.shape}"
        raise LanguageError("E148", what, location=here(), advice="write one for each element")
    return Noisy(equation, noises)
