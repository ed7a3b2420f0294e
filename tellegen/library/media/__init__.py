"""Media: what flows. One interface (`Medium`) for all; components take a medium as a structural parameter.

For example:

    from tellegen.library import media

    water = media.Water()
    water.density(water.at(p=2e5, T=350.0))     numbers in, numbers out
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.media.gas_data import GASES
from tellegen.library.media.ideal_gases import GasMixture, IdealGas, dry_air
from tellegen.library.media.interface import Medium, State
from tellegen.library.media.liquids import ConstantLiquid, LinearLiquid, PolynomialLiquid, Water, glycol47
from tellegen.library.media.moist_air import MoistAir
from tellegen.library.media.real_fluids import RealFluid, Saturation, TwoPhaseFluid
from tellegen.library.media.tabulated_fluids import TabulatedFluid

__all__ = [
    "GASES",
    "ConstantLiquid",
    "GasMixture",
    "IdealGas",
    "LinearLiquid",
    "Medium",
    "MoistAir",
    "PolynomialLiquid",
    "RealFluid",
    "Saturation",
    "State",
    "TabulatedFluid",
    "TwoPhaseFluid",
    "Water",
    "dry_air",
    "glycol47",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
