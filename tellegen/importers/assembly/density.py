"""Densities as users write them: one number, a number with a unit, or one for each pattern of names."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

import numpy as np

from tellegen.errors import DataError
from tellegen.ir.source_location import here
from tellegen.units import UnitTextError, parse_quantity, parse_unit

Density = float | str | Mapping[str, float | str]


def density_of(given: float | str) -> float:
    """A density in kg/m3."""
    try:
        value = parse_quantity(given, parse_unit("kg/m3")) if isinstance(given, str) else float(given)
    except (UnitTextError, TypeError, ValueError) as error:
        what = str(error) if isinstance(error, UnitTextError) else f"the density is {given!r}"
        raise DataError("E707", what, location=here(), advice="density=2700 (kg/m3) or density='2.7 g/cm3'") from None
    if not (np.isfinite(value) and value > 0.0):
        raise DataError("E707", f"the density is {value:g} kg/m3", location=here(), advice="a density is positive")
    return value


def density_of_part(name: str, densities: Density | None) -> float | None:
    """The density of a part: that of the first pattern that fits its name; None where none does."""
    if densities is None:
        return None
    if not isinstance(densities, Mapping):
        return density_of(densities)
    found = next((value for pattern, value in densities.items() if fnmatchcase(name, pattern)), None)
    return None if found is None else density_of(found)
