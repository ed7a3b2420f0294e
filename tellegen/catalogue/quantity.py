"""Numbers with the unit they were stated in, as data sheets and catalogues have them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from tellegen.errors import BindingError
from tellegen.ir.source_location import SourceLocation, here
from tellegen.units import DIMENSIONLESS, Unit, UnitTextError, describe, parse_unit

ONE = "1"
"""The unit of a pure number."""
_NUMBER_AND_UNIT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*", re.S)
_DIGITS = 15  # what a conversion of a decimal number may claim


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a unit: `part.limits["mass"]` is `Quantity(0.13, "kg")`."""

    value: float
    unit: str = ONE

    def to(self, unit: str) -> float:
        """The number in another unit: `quantity.to("g")`."""
        wanted = checked_unit(unit, here())
        own = parse_unit(self.unit)
        if own.dimension != wanted.dimension:
            what = f"{self} cannot be converted to '{unit}': it measures something else"
            raise BindingError("E829", what, location=here(), advice=f"units such as '{self.unit}'")
        return converted(self.value, own, wanted)

    def __str__(self) -> str:
        number = f"{self.value:.6g}"
        return number if self.unit == ONE else f"{number} {self.unit}"


def converted(value: float, own: Unit, wanted: Unit) -> float:
    """A number in another unit of the same dimension, rounded to the digits that survive the conversion."""
    if own.text == wanted.text:
        return value
    return float(f"{wanted.from_si(own.to_si(value)):.{_DIGITS}g}")


def checked_unit(text: str, location: SourceLocation, subject: str = "") -> Unit:
    """The unit of a string; E822 for what is not a unit."""
    try:
        unit = parse_unit(text or ONE)
    except UnitTextError as error:
        what = f"{subject}: {error}" if subject else str(error)
        raise BindingError("E822", what, location=location, advice="'0.13 N.m', '24 V', '200 g'") from error
    return unit


def dimension_name(unit: Unit) -> str:
    """A dimension for messages: `N.m (kg.m2/s2)`."""
    if unit.dimension in (None, DIMENSIONLESS):
        return "a pure number"
    base = describe(unit.dimension)  # type: ignore[arg-type]
    return unit.text if unit.text == base else f"{unit.text} ({base})"


def is_number(given: Any) -> bool:
    """Whether a value is a number, with or without a unit; a string that begins with one is meant as one."""
    if isinstance(given, str):
        return _NUMBER_AND_UNIT.fullmatch(given) is not None
    return isinstance(given, int | float | Quantity) and not isinstance(given, bool)


def split_quantity(text: str) -> tuple[float, str] | None:
    """Number and unit of a string, not checked; None for one that does not begin with a number."""
    match = _NUMBER_AND_UNIT.fullmatch(text)
    return (float(match[1]), match[2] or ONE) if match is not None else None


def as_float(number: float) -> float:
    """A number as a float; an integer beyond all floats is infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def read_quantity(given: Any, location: SourceLocation, subject: str) -> Quantity:
    """A number, a string with a unit or a Quantity; E822 for anything else and for what is not finite."""
    if isinstance(given, Quantity):
        found = given
    elif isinstance(given, str) and (parts := split_quantity(given)) is not None:
        found = Quantity(*parts)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        found = Quantity(as_float(given))
    else:
        what = f"{subject} is {given!r}, not a number with a unit"
        raise BindingError("E822", what, location=location, advice="write it as '0.13 N.m', or 36.3 for a pure number")
    if not math.isfinite(found.value):
        what = f"{subject} is {found.value}"
        raise BindingError("E822", what, location=location, advice="leave out what is not known or not limited")
    checked_unit(found.unit, location, subject)
    return found
