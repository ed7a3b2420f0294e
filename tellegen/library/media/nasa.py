"""Enthalpy, entropy and heat capacity of a gas mixture by NASA polynomials, and the temperature from them.

A mixture of ideal gases has the polynomials of its gases, added up in the ratio of their amounts. So the sum is taken
over coefficients, once, and what depends on the temperature costs the same for one gas and for ten:

    coefficients(gases, X)  ->  a1 ... a7, b1, b2 below and above 1000 K, in J/(kg K)

Everything works for numbers and symbols. The ranges meet at 1000 K to seven digits in cp, h and s; there is no event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import tellegen as tg
from tellegen.library.media.gas_data import R_GAS, T_BREAK, GasData
from tellegen.library.media.numbers_or_symbols import choose

T_GUESS = 1000.0
MOST_STEPS = 100


@dataclass(frozen=True)
class Coefficients:
    """The polynomial of a mixture, in J/(kg K): nine numbers or symbols for each of the two ranges."""

    low: tuple[Any, ...]
    high: tuple[Any, ...]

    def cp(self, T: tg.Expression) -> Any:
        """Heat capacity at constant pressure, J/(kg K)."""
        return choose(T < T_BREAK, _cp(self.low, T), _cp(self.high, T))

    def h(self, T: tg.Expression) -> Any:
        """Enthalpy, J/kg: that of formation at 298.15 K."""
        return choose(T < T_BREAK, _h(self.low, T), _h(self.high, T))

    def s0(self, T: tg.Expression) -> Any:
        """Entropy of the gases at 1 bar, each by itself, J/(kg K)."""
        return choose(T < T_BREAK, _s0(self.low, T), _s0(self.high, T))

    def T_of_h(self, h: float) -> float:
        """The temperature at which the enthalpy is h: Newton's method, of numbers.

        Enthalpy rises with temperature and, beyond the reach of small wiggles, ever steeper, so the steps come down
        to the solution from above.
        """
        T = T_GUESS
        for _ in range(MOST_STEPS):
            step = (h - float(self.h(T))) / float(self.cp(T))
            T = max(T + step, 0.5 * T)
            if abs(step) < 1e-12 * T:
                return T
        raise ValueError(f"no temperature of this gas has the enthalpy {h:g} J/kg")


def coefficients(gases: Sequence[GasData], X: Sequence[Any]) -> Coefficients:
    """Of a mixture with the mass fractions X."""
    per_mass = [R_GAS / gas.M * x for gas, x in zip(gases, X, strict=True)]
    low = tuple(add_up(w * gas.low[k] for w, gas in zip(per_mass, gases, strict=True)) for k in range(9))
    high = tuple(add_up(w * gas.high[k] for w, gas in zip(per_mass, gases, strict=True)) for k in range(9))
    return Coefficients(low, high)


def add_up(terms: Iterable[Any]) -> Any:
    """Plain addition: of numbers and symbols."""
    first, *rest = terms
    for term in rest:
        first = first + term
    return first


def _cp(a: Sequence[Any], T: tg.Expression) -> Any:
    return (a[0] / T + a[1]) / T + a[2] + T * (a[3] + T * (a[4] + T * (a[5] + T * a[6])))


def _h(a: Sequence[Any], T: tg.Expression) -> Any:
    powers = T * (a[2] + T * (a[3] / 2 + T * (a[4] / 3 + T * (a[5] / 4 + T * a[6] / 5))))
    return powers - a[0] / T + a[1] * _log(T) + a[7]


def _s0(a: Sequence[Any], T: tg.Expression) -> Any:
    powers = T * (a[3] + T * (a[4] / 2 + T * (a[5] / 3 + T * a[6] / 4)))
    return powers - (a[0] / (2 * T) + a[1]) / T + a[2] * _log(T) + a[8]


def _log(T: tg.Expression) -> Any:
    return tg.log(T / 1.0)  # a quotient has no unit, as a logarithm wants


def transport(numbers: Sequence[float], T: tg.Expression) -> Any:
    """A fit of viscosity or conductivity at T, in the unit of its table (gas_data.py)."""
    limit, *fits = numbers
    exponents = [A * _log(T) + (B + C / T) / T + D for A, B, C, D in (fits[:4], fits[4:])]
    return tg.exp(choose(T < limit, *exponents))
