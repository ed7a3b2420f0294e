"""Temperatures and differences of temperatures: both are measured in kelvin, and only one has a zero in degC.

"2 degC" is 275.15 K. Given to a quantity that is a difference, 2 K are meant. A quantity in kelvin counts as a
difference by its name (dT, delta_T, T_diff) or if its description says so.
"""

from __future__ import annotations

import re

from tellegen.units import TEMPERATURE, Unit, parse_quantity, written_unit

_NAMED = r"(^|[._])(d|delta|Delta)_?(T|theta)|(T|[Tt]emp\w*)_?(diff|rise|drop)"
_DESCRIBED = r"(?i)difference|temperature (rise|drop)|(rise|drop) of (the )?temperature"


def is_difference(name: str, description: str, unit: Unit) -> bool:
    """Whether a quantity is a difference of temperatures."""
    if unit.dimension != TEMPERATURE or unit.offset:
        return False
    return bool(re.search(_NAMED, name) or re.search(_DESCRIBED, description))


def mistaken_difference(text: str, name: str, description: str, unit: Unit) -> str | None:
    """What is wrong with a difference given as an absolute temperature, in words; None where nothing is."""
    if not is_difference(name, description, unit):
        return None
    written = written_unit(text)
    if written is None or not written.offset:
        return None
    number = text.replace(written.text, "").strip()
    taken = parse_quantity(text, unit)
    difference = float(number) * written.scale / unit.scale
    return (
        f"'{text}' is an absolute temperature, {taken:g} {unit.text}, but '{name}' is a difference: '{difference:g} K'"
    )
