"""Pressures that are hardly meant: nearly always bar given as pascal.

    pneumatic.FixedPressure(p=8)        8 Pa, where the component's own default is 7 bar

A parameter in pascal whose default is at least a tenth of a bar and that is given a positive value below a hundredth of
there is a warning. Small differences of pressure have small defaults, and vacuum is warned of once.
"""

from __future__ import annotations

import numpy as np

from tellegen.errors import warn_user
from tellegen.ir.flat import Table
from tellegen.ir.model import FloatArray, Member
from tellegen.units import parse_unit

# Pa
_USUAL = 1e4
_LOW = 1e3
_PRESSURE = parse_unit("Pa").dimension


def warn_of_low_pressure(table: Table, values: FloatArray) -> None:
    """Warn of parameters (in SI units, one for each scalar of the table) that few pressures of their kind have."""
    for start, length in table.blocks_of("pressures", _is_usual):
        mine = values[start : start + length]
        bad = np.flatnonzero((mine > 0.0) & (mine < _LOW))
        if len(bad):
            value = mine[bad[0]]
            unit = table.declaration(start).unit
            text = f"'{table.name(start + int(bad[0]))}' is {unit.from_si(value):g} {unit.text}, which is nearly zero"
            advice = f"; if bar is meant, write the string '{unit.from_si(value):g} bar'" if unit.text == "Pa" else ""
            warn_user(text + advice)


def _is_usual(member: Member) -> bool:
    """Whether the values of a member are usually far from zero."""
    default = member.attributes.get("value")
    return member.unit.dimension == _PRESSURE and default is not None and float(np.min(default)) >= _USUAL
