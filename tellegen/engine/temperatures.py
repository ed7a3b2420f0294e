"""Absolute temperatures below absolute zero: nearly always degrees Celsius given as kelvin.

A quantity counts as absolute if it is declared in a unit with a zero of its own (degC, degF), or in kelvin under a name
such as T, T0, T_wall or temperature. Differences in kelvin (dT) may be negative.
"""

from __future__ import annotations

import re
import warnings

import numpy as np

from tellegen.ir.flat import Table
from tellegen.ir.model import FloatArray, Member
from tellegen.ir.place import here
from tellegen.units import TEMPERATURE

_ABSOLUTE = re.compile(r"(^|[._])(T(\d|_|$)|[Tt]emperature)")
_RELATIVE = re.compile(r"difference|less|relative|rise|drop|above|below|over", re.IGNORECASE)


def warn_below_zero(table: Table, values: FloatArray, what: str) -> None:
    """Warn of values (in SI units, one for each scalar of the table) that no absolute temperature has."""
    if not (values < 0.0).any():
        return
    for start, length, _, member in table.blocks():
        bad = np.flatnonzero(values[start : start + length] < 0.0)
        if len(bad) and is_absolute(member):
            value = values[start + bad[0]]
            shown = f"{member.unit.from_si(value):g} {member.unit.text}"
            text = f"'{table.name(start + int(bad[0]))}' {what} {shown}, below absolute zero"
            advice = "" if member.unit.offset else f"; if degrees Celsius are meant, write the text '{value:g} degC'"
            place = here()
            warnings.warn_explicit(text + advice, UserWarning, place.file, place.line)


def is_absolute(member: Member) -> bool:
    """Whether a member is an absolute temperature; see the top of this file."""
    unit = member.unit
    if unit.dimension != TEMPERATURE:
        return False
    named = _ABSOLUTE.search(member.name) and not _RELATIVE.search(member.description)
    return unit.offset != 0.0 or bool(named)
