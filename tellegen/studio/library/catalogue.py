"""The component classes of the library as shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from tellegen.class_reference import Entry, Row, body, is_boxed, is_interface, library_entries, port_colour, port_sides
from tellegen.class_reference.entry import PARAMETER, STRUCTURAL, VARIABLE
from tellegen.class_reference.symbol import COLOURS, OTHER
from tellegen.studio.library.shapes import (
    ClassShape,
    ParameterShape,
    Shapes,
    VariableShape,
    height_of,
    placed_ports,
)

START = "start "
"""Before the start value of a variable in its row."""


@cache
def library_shapes() -> Shapes:
    """All public classes, connectors included, by `domain.Name`."""
    return {entry.full_name: shape_of(entry) for entry in library_entries()}


def shape_of(entry: Entry) -> ClassShape:
    """The shape of one class."""
    sides = port_sides(entry)
    colours = {row.name: port_colour(entry, row.name) for rows in sides.values() for row in rows}
    rows = entry.rows(PARAMETER, STRUCTURAL)
    return ClassShape(
        key=entry.full_name,
        domain=entry.domain,
        headline=entry.headline,
        ports=() if entry.connector else placed_ports(sides, colours),
        parameters=tuple(
            ParameterShape(row.name, row.unit, _default(entry, row), row.meaning, row.kind == STRUCTURAL, row.choices)
            for row in rows
        ),
        drawing="" if entry.connector else body(entry),
        boxed=not entry.connector and is_boxed(entry),
        height=height_of(sides),
        colour=COLOURS.get(entry.domain, OTHER),
        connector=entry.connector,
        starts=tuple(_starts(entry)),
        abstract=is_interface(entry.cls),
    )


def _default(entry: Entry, row: Row) -> str:
    """The default as text; an empty text is one too, unlike none."""
    declared = entry.cls._info.structural.get(row.name)
    return '""' if declared is not None and isinstance(declared.value, str) and not declared.value else row.value


def differentiated(entry: Entry, laws: Iterable[str]) -> tuple[VariableShape, ...]:
    """Variables without a start value of their own that equations differentiate: a capacitor's voltage."""
    states = {name for law in laws for name in re.findall(r"\bder\((\w+)\)", law)}
    rows = [row for row in entry.rows(VARIABLE) if row.name in states and not row.value and not row.shape]
    return tuple(VariableShape(row.name, row.unit, "0", row.meaning) for row in rows)


def _starts(entry: Entry) -> Iterator[VariableShape]:
    """Variables with a start value of their own."""
    for row in entry.rows(VARIABLE):
        if row.value.startswith(START) and not row.shape:
            yield VariableShape(row.name, row.unit, row.value.removeprefix(START), row.meaning)
