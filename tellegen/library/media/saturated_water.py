"""Saturation of water vapour: pressure over liquid and over ice, and the temperature to a pressure.

Over liquid, 273.16 K to 647 K: equation 30 of IAPWS-IF97, one quadratic in three unknowns, so that pressure and
temperature both have a closed form. Over ice, 190 K to 273.16 K: IAPWS R14-08 (W. Wagner et al., 2011). The two meet
at the triple point, 611.657 Pa; there the slopes differ by the heat of melting, as they do in nature.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.media.numbers_or_symbols import at_least, at_most, choose

T_TRIPLE = 273.16
P_TRIPLE = 611.657
T_CRITICAL = 647.096
T_COLDEST = 130.0
"""Below it the pressure is held: it is then below 1e-7 Pa."""

N = (
    *(0.11670521452767e4, -0.72421316703206e6, -0.17073846940092e2, 0.12020824702470e5, -0.32325550322333e7),
    *(0.14915108613530e2, -0.48232657361591e4, 0.40511340542057e6, -0.23855557567849, 0.65017534844798e3),
)
ICE = ((-21.2144006, 0.00333333333), (27.3203819, 1.20666667), (-6.10598130, 1.70333333))


def pressure_over_liquid(T: tg.Expression) -> Any:
    """Pa."""
    x = at_most(at_least(T, 250.0), T_CRITICAL) / 1.0
    x = x + N[8] / (x - N[9])
    A = x**2 + N[0] * x + N[1]
    B = N[2] * x**2 + N[3] * x + N[4]
    C = N[5] * x**2 + N[6] * x + N[7]
    return 1e6 * (2.0 * C / (tg.sqrt(B**2 - 4.0 * A * C) - B)) ** 4


def temperature_over_liquid(p: tg.Expression) -> Any:
    """K."""
    b = (at_least(p, 1.0) / 1e6) ** 0.25
    E = b**2 + N[2] * b + N[5]
    F = N[0] * b**2 + N[3] * b + N[6]
    G = N[1] * b**2 + N[4] * b + N[7]
    D = 2.0 * G / (-F - tg.sqrt(F**2 - 4.0 * E * G))
    return 0.5 * (N[9] + D - tg.sqrt((N[9] + D) ** 2 - 4.0 * (N[8] + N[9] * D)))


def pressure_over_ice(T: tg.Expression) -> Any:
    """Pa."""
    theta = at_most(at_least(T, T_COLDEST), T_TRIPLE) / T_TRIPLE
    total: Any = 0.0
    for a, b in ICE:
        total = total + a * theta**b
    return P_TRIPLE * tg.exp(total / theta)


def temperature_over_ice(p: tg.Expression) -> Any:
    """K, by Newton steps for 1/T, in which the logarithm of the pressure is almost a straight line."""
    x: Any = 1.0 / T_TRIPLE  # 1/T
    wanted = tg.log(at_least(p, 1e-7) / P_TRIPLE)
    heat = 6136.0  # heat of sublimation over R: minus the slope of ln p over 1/T
    for _ in range(6):
        x = x + (tg.log(pressure_over_ice(1.0 / x) / P_TRIPLE) - wanted) / heat
    return 1.0 / x


def saturation_pressure(T: tg.Expression) -> Any:
    """Of water vapour over liquid or, below the triple point, over ice; Pa."""
    return choose(T > T_TRIPLE, pressure_over_liquid(T), pressure_over_ice(T))


def saturation_temperature(p: tg.Expression) -> Any:
    """Where the saturation pressure is p; K."""
    return choose(p > P_TRIPLE, temperature_over_liquid(p), temperature_over_ice(p))
