"""Units of a model as units of FMI: values are in SI units, and are shown in the units that were declared."""

from __future__ import annotations

import math

from tellegen.fmi.description import Attributes, BaseUnit, DisplayUnit
from tellegen.fmi.description import Unit as FmiUnit
from tellegen.ir.model import Member
from tellegen.units import Unit, readable

_ORDER = (1, 0, 2, 3, 4, 5, 6)  # of FMI's base units in ours: kg, m, s, A, K, mol, cd


class UnitTable:
    """The units that variables have used so far."""

    nothing = Attributes()

    def __init__(self) -> None:
        self._bases: dict[str, BaseUnit | None] = {}
        self._shown: dict[str, dict[str, DisplayUnit]] = {}

    def attributes(self, member: Member, bounds: tuple[float, ...]) -> Attributes:
        """Of a variable, with its minimum, maximum and nominal value (not a number: none)."""
        low, high, nominal = (None if math.isnan(value) or math.isinf(value) else float(value) for value in bounds)
        name = shown = ""
        if member.unit.dimension is not None:
            name, shown = self._names(member.unit)
        elif member.unit.text:
            name, shown = self._documented(member.unit.text, member.display)
        nominal = abs(nominal) if nominal else None
        return Attributes(unit=name, display_unit=shown, minimum=low, maximum=high, nominal=nominal)

    def _names(self, unit: Unit) -> tuple[str, str]:
        """The SI unit and, where it is another one, the declared unit."""
        assert unit.dimension is not None
        if unit.scale == 1.0 and unit.offset == 0.0:
            self._know(unit.text, unit)
            return unit.text, ""
        name = readable(unit.dimension) or "1"
        self._know(name, unit)
        shown = DisplayUnit(unit.text, 1.0 / unit.scale, -unit.offset / unit.scale)
        self._shown.setdefault(name, {})[unit.text] = shown
        return name, unit.text

    def _documented(self, name: str, display: Unit) -> tuple[str, str]:
        """A unit that numbers are in as they are, of whatever dimension, and the one they are shown in."""
        self._bases.setdefault(name, None)
        if not display.text:
            return name, ""
        shown = DisplayUnit(display.text, 1.0 / display.scale, -display.offset / display.scale)
        self._shown.setdefault(name, {})[display.text] = shown
        return name, display.text

    def _know(self, name: str, unit: Unit) -> None:
        if name in self._bases:
            return
        assert unit.dimension is not None
        exponents = [unit.dimension[k] for k in _ORDER]
        is_integer = all(float(each).is_integer() for each in exponents)
        self._bases[name] = BaseUnit((*(int(each) for each in exponents), 0)) if is_integer else None

    def units(self) -> tuple[FmiUnit, ...]:
        """All of them, by name."""
        return tuple(
            FmiUnit(name, base, tuple(self._shown.get(name, {}).values())) for name, base in sorted(self._bases.items())
        )
