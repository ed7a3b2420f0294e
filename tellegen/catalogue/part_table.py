"""The parts of one family as columns: an array of numbers for each quantity, strings for the rest.

A query compares whole columns, so 100 000 parts take a millisecond or two; a `Part` is made of a row when somebody
looks at it. Of a quantity all parts have one unit, the first that was stated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellegen.catalogue.interfaces_by_name import interface_named
from tellegen.catalogue.part import Part, parameters_of
from tellegen.catalogue.quantity import (
    ONE,
    Quantity,
    as_float,
    checked_unit,
    converted,
    dimension_name,
    is_number,
    read_quantity,
)
from tellegen.errors import BindingError
from tellegen.ir.source_location import SourceLocation
from tellegen.units import Unit, parse_unit

PARAMETERS = "parameters"
LIMITS = "limits"
BY_INTERFACE = ""
"""Of a column that a table calls neither: a parameter if the interface has one of this name, else a limit."""
FACTS = ("implementation", "source", "date", "tags")
"""The columns of strings beside the name and the interface."""


@dataclass(frozen=True)
class Origin:
    """Where parts were written: a file or a call, and where it is known the line of each."""

    location: SourceLocation
    lines: Sequence[int] = ()

    def of(self, row: int) -> SourceLocation:
        """The location of a part."""
        return replace(self.location, line=self.lines[row]) if self.lines else self.location


@dataclass(frozen=True)
class Heading:
    """What a column holds: `parameters.k [N.m/A]`."""

    name: str
    group: str = BY_INTERFACE
    unit: str | None = None  # None: each cell states its own


@dataclass(frozen=True, eq=False)
class Column:
    """A quantity of all parts of a family, NaN where a part does not have it; what is not a number stands aside."""

    name: str
    group: str
    unit: Unit
    values: np.ndarray
    others: Mapping[int, Any] = field(default_factory=dict)  # strings, Booleans and tuples, by row
    is_bare: bool = False  # no unit is stated, neither with the numbers nor above them

    def value(self, row: int) -> Any | None:
        """The value of a part, as a Quantity if it is a number; None if it does not have one."""
        number = self.values[row]
        return self.others.get(row) if np.isnan(number) else Quantity(float(number), self.unit.text)


@dataclass(frozen=True, eq=False)
class PartTable:
    """Parts of one interface."""

    family: str
    names: Sequence[str]
    facts: Mapping[str, Sequence[str]]  # of FACTS, those that are stated
    columns: tuple[Column, ...]
    origin: Origin

    def __len__(self) -> int:
        return len(self.names)

    def column(self, name: str) -> Column | None:
        """The column of a quantity; None if no part has it."""
        return next((column for column in self.columns if column.name == name and column.unit.text), None)

    def fact(self, kind: str, row: int) -> str:
        """A string of a part, empty if it is not stated."""
        stated = self.facts.get(kind)
        return stated[row] if stated is not None else ""

    def groups(self, row: int) -> dict[str, dict[str, Any]]:
        """The parameters and limits of a part, quantities for numbers."""
        interface = interface_named(self.family)
        known = parameters_of(interface) if interface is not None else {}
        groups: dict[str, dict[str, Any]] = {PARAMETERS: {}, LIMITS: {}}
        for column in self.columns:
            value = column.value(row)
            if value is not None:
                group = column.group or (PARAMETERS if column.name in known else LIMITS)
                groups[group][column.name] = value
        return groups

    def part(self, row: int) -> Part:
        """The part of a row."""
        groups = self.groups(row)
        bare = {column.name for column in self.columns if column.is_bare}  # in the unit that the interface declares
        parameters = {
            name: value.value if name in bare and isinstance(value, Quantity) else value
            for name, value in groups[PARAMETERS].items()
        }
        return Part(
            self.names[row],
            self.family,
            parameters,
            groups[LIMITS],
            self.fact("implementation", row) or None,
            self.fact("source", row),
            self.fact("date", row),
            split_tags(self.fact("tags", row)),
            location=self.origin.of(row),
        )


def split_tags(text: str) -> tuple[str, ...]:
    """Tags of a cell: `brushed, low noise`."""
    return tuple(tag.strip() for tag in text.split(",") if tag.strip())


@dataclass(frozen=True)
class Cells:
    """Parts of one family as they were read: strings, and for each heading a cell for each part (None: not stated)."""

    family: str
    names: list[str]
    facts: dict[str, list[str]]
    quantities: dict[Heading, list[Any]]
    origin: Origin


def table_of(cells: Cells) -> PartTable:
    """Cells as columns of numbers; E822 for what is not a number with a unit, E823 for units that do not agree."""
    columns = tuple(_column(cells, heading, given) for heading, given in cells.quantities.items())
    facts = {kind: stated for kind, stated in cells.facts.items() if any(stated)}
    return PartTable(cells.family, cells.names, facts, columns, cells.origin)


def _column(cells: Cells, heading: Heading, given: list[Any]) -> Column:
    if heading.unit is not None:
        stated = checked_unit(heading.unit, cells.origin.location, f"column '{heading.name}'")
        numbers = _plain_numbers(given)
        if numbers is not None:
            return Column(heading.name, heading.group, stated, numbers)
    return _column_of_cells(cells, heading, given)


def _plain_numbers(given: list[Any]) -> np.ndarray | None:
    """The fast way for a column of finite numbers in the unit of its heading; None if it holds anything else."""
    if not all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in given):
        return None
    values = np.array([np.nan if cell is None else as_float(cell) for cell in given])
    stated = np.array([cell is not None for cell in given])
    return values if np.isfinite(values[stated]).all() else None


def _column_of_cells(cells: Cells, heading: Heading, given: list[Any]) -> Column:
    values = np.full(len(given), np.nan)
    others: dict[int, Any] = {}
    unit = parse_unit(heading.unit or ONE) if heading.unit is not None else None
    for row, cell in enumerate(given):
        if cell is None:
            continue
        subject = f"'{heading.name}' of '{cells.names[row]}'"
        if not is_number(cell) and heading.group != LIMITS and _is_plain(cell):
            others[row] = cell
            continue
        in_heading_unit = heading.unit is not None and not isinstance(cell, str | Quantity)
        quantity = read_quantity(cell, cells.origin.of(row), subject)
        stated = unit if in_heading_unit and unit is not None else parse_unit(quantity.unit)
        unit = unit or stated
        if stated.dimension != unit.dimension:
            what = f"{subject} is {quantity}, other parts state it in {dimension_name(unit)}"
            advice = "one name is one quantity: give this one another name, or correct the unit"
            raise BindingError("E823", what, location=cells.origin.of(row), advice=advice)
        values[row] = converted(quantity.value, stated, unit)
    if others and heading.group == BY_INTERFACE:
        _reject_words(cells, heading, others)
    is_bare = heading.unit is None and all(
        row in others or isinstance(cell, int | float | None) for row, cell in enumerate(given)
    )
    return Column(heading.name, heading.group, unit or Unit("", None), values, others, is_bare)


def _is_plain(cell: Any) -> bool:
    """Whether a value of a structural parameter: a string, a Boolean, or a list of such and numbers."""
    if isinstance(cell, list | tuple):
        return all(_is_plain(item) or is_number(item) for item in cell)
    return isinstance(cell, str | bool)


def _reject_words(cells: Cells, heading: Heading, others: Mapping[int, Any]) -> None:
    """E822 for words in a column that is not said to hold parameters, and none that is a word in the interface."""
    interface = interface_named(cells.family)
    known = parameters_of(interface) if interface is not None else {}
    is_number = interface is not None and heading.name in interface._info.parameters
    words = {
        row: cell for row, cell in others.items() if heading.name not in known or (is_number and isinstance(cell, str))
    }
    if words:
        row, cell = next(iter(words.items()))
        what = f"'{heading.name}' of '{cells.names[row]}' is {cell!r}, not a number with a unit"
        advice = "words that describe a part belong to the column 'tags'"
        raise BindingError("E822", what, location=cells.origin.of(row), advice=advice)
