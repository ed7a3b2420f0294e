"""Absolute temperatures that are hardly meant: nearly always degrees Celsius given as kelvin.

Below absolute zero there are none, and below 100 K only those who cool with liquid gases have some: both cause a
warning.

A quantity counts as absolute if it is declared in a unit with a zero of its own (degC, degF), or in kelvin under a name
such as T, T0, T_wall or temperature. Differences in kelvin (dT) may be negative.
"""

from __future__ import annotations

import re

import numpy as np

from tellegen.errors import warn_user
from tellegen.ir.flat import Table
from tellegen.ir.model import FloatArray, Member
from tellegen.units import TEMPERATURE

_COLD = 100.0  # K
_ABSOLUTE = r"(^|[._])(T(\d|_|$)|[Tt]emperature)"
_RELATIVE = r"(?i)difference|less|relative|rise|drop|above|below|over"


def warn_of_cold(table: Table, values: FloatArray, what: str) -> None:
    """Warn of values (in SI units, one for each scalar of the table) that few absolute temperatures have, or none."""
    for start, length in table.blocks_of("absolute temperatures", is_absolute):
        mine = values[start : start + length]
        bad = np.flatnonzero((mine < _COLD) & (mine != 0.0))  # zero is what nobody has given
        if not len(bad):
            continue
        value = mine[bad[0]]
        unit = table.declaration(start).unit
        how = "below absolute zero" if value < 0.0 else f"which is {value - 273.15:g} degC"
        text = f"'{table.name(start + int(bad[0]))}' {what} {unit.from_si(value):g} {unit.text}, {how}"
        advice = "" if unit.offset else f"; if degrees Celsius are meant, write the string '{value:g} degC'"
        warn_user(text + advice)


def is_absolute(member: Member) -> bool:
    """Whether a member is an absolute temperature; see the top of this file."""
    unit = member.unit
    if unit.dimension != TEMPERATURE:
        return False
    named = re.search(_ABSOLUTE, member.name) and not re.search(_RELATIVE, member.description)
    return unit.offset != 0.0 or bool(named)
