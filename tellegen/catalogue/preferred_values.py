"""Resistors and capacitors of the preferred series of IEC 60063: generated, not offers of a maker.

E24 and E6 are lists, not formulas: several of their values differ from the rounded powers of ten.
"""

from __future__ import annotations

from dataclasses import dataclass

from tellegen.catalogue.part_table import PARAMETERS, Cells, Heading, Origin, PartTable, table_of
from tellegen.ir.source_location import SourceLocation

E24 = (10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91)
E6 = (10, 15, 22, 33, 47, 68)
READ = "series as in github.com/rob-smallshire/eseries, eseries/eseries.py, commit 3becd72de8b1"
DATE = "2026-11-16"


@dataclass(frozen=True)
class Series:
    """A preferred series over several decades, as parts of an interface with one parameter."""

    name: str
    values: tuple[int, ...]
    family: str
    parameter: str
    unit: str
    decades: range  # powers of ten of the values in `unit`, which have two digits before the point
    prefixes: dict[int, str]  # by power of ten, in steps of three

    def table(self) -> PartTable:
        """The parts of the series."""
        steps = [(digits, decade) for decade in self.decades for digits in self.values]
        count = len(steps)
        facts = {
            "source": [f"generated: {self.name} series of IEC 60063; {READ}"] * count,
            "date": [DATE] * count,
            "tags": [f"generated, {self.name}"] * count,
        }
        numbers = [float(f"{digits}e{decade}") for digits, decade in steps]
        names = [self._part_name(digits, decade) for digits, decade in steps]
        quantities = {Heading(self.parameter, PARAMETERS, self.unit): numbers}
        return table_of(Cells(self.family, names, facts, quantities, Origin(SourceLocation(__file__, 1))))

    def _part_name(self, digits: int, decade: int) -> str:
        power = (decade + 1) // 3 * 3  # two digits before the point: 10 to 99 times ten to this decade
        number = float(f"{digits}e{decade - power}")
        return f"{self.name} {number:g} {self.prefixes[power]}{self.unit}"


RESISTORS = Series("E24", E24, "ResistorInterface", "R", "ohm", range(-1, 6), {0: "", 3: "k", 6: "M"})
CAPACITORS = Series("E6", E6, "CapacitorInterface", "C", "F", range(-12, -4), {-12: "p", -9: "n", -6: "u", -3: "m"})


def preferred_values() -> list[PartTable]:
    """The generated families of the shipped catalogue."""
    return [RESISTORS.table(), CAPACITORS.table()]
