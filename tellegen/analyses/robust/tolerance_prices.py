"""What a tolerance costs, as users write it.

("1 %", 0.05)                   0.05 for a tolerance of 1 %, twice as much for one half as wide:  c = a / t
("1 %", 0.05, 2.0)              four times as much for one half as wide:                            c = a / t^2
{"5 %": 0.01, "1 %": 0.05}      only these can be bought
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.robust.tolerances import half_width, wrong
from tellegen.errors import DesignError
from tellegen.ir.model import FloatArray
from tellegen.units import Unit

_HOW = "('1 %', 0.05): the price of a tolerance; ('1 %', 0.05, 2.0) with an exponent; or {'5 %': 0.01, '1 %': 0.05}"


@dataclass(frozen=True, eq=False)
class Price:
    """Tolerances with their prices: one, and the exponent by which others cost more; or all that can be bought."""

    halves: FloatArray
    prices: FloatArray
    exponent: float = 1.0
    in_percent: bool = True

    @property
    def is_catalogue(self) -> bool:
        """Whether only these can be bought."""
        return self.exponent == 0.0

    def of(self, half: Any) -> Any:
        """The price of any tolerance."""
        if self.is_catalogue:
            return self.prices[int(np.argmin(np.abs(self.halves - half)))]
        return self.prices[0] * (self.halves[0] / half) ** self.exponent


def read_price(path: str, written: Any, nominal: float, unit: Unit) -> Price:
    """See the top of this file."""
    if isinstance(written, Mapping) and written:
        found = [half_width(path, key, nominal, unit) for key in written]
        prices = np.array([_number(path, value) for value in written.values()])
        return Price(np.array([half for half, _ in found]), prices, 0.0, all(percent for _, percent in found))
    if not isinstance(written, tuple | list) or len(written) not in (2, 3):
        raise _wrong(path, written)
    half, in_percent = half_width(path, written[0], nominal, unit)
    exponent = _number(path, written[2]) if len(written) == 3 else 1.0
    return Price(np.array([half]), np.array([_number(path, written[1])]), exponent, in_percent)


def _number(path: str, written: Any) -> float:
    try:
        value = float(written)
    except (TypeError, ValueError):
        raise _wrong(path, written) from None
    if not (np.isfinite(value) and value > 0.0):
        raise _wrong(path, written)
    return value


def _wrong(path: str, written: Any) -> DesignError:
    return wrong(f"'{path}': {written!r} is not a price of a tolerance", _HOW, "E656")
