"""Media: what flows. One interface (`Medium`) for all; components take a medium as a structural parameter.

For example:

    from tellegen.library import media

    water = media.Water()
    water.density(water.at(p=2e5, T=350.0))     numbers in, numbers out
"""

from __future__ import annotations

from tellegen.library.media.interface import Medium, State
from tellegen.library.media.liquids import ConstantLiquid, LinearLiquid, PolynomialLiquid, Water, glycol47

__all__ = [
    "ConstantLiquid",
    "LinearLiquid",
    "Medium",
    "PolynomialLiquid",
    "State",
    "Water",
    "glycol47",
]
