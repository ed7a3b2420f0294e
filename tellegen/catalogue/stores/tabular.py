"""Tables with a row for each part: CSV files, tables of SQLite files and of pandas.

Columns of strings are name, interface, implementation, source, date and tags. All others are quantities, with the unit
in brackets: `torque_max [N.m]`, `parameters.k [N.m/A]`, `limits.mass [kg]`. Without one of the two prefixes a column is
a parameter if the interface has one of this name. A cell may state a unit of its own, `130 g`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tellegen.catalogue.part_table import FACTS, Cells, Column, Heading, Origin, PartTable, table_of
from tellegen.errors import BindingError

NAME = "name"
INTERFACE = "interface"
_HEADING = re.compile(r"\s*(?:(parameters|limits)\.)?([A-Za-z_]\w*)\s*(?:\[\s*(.*?)\s*\])?\s*")
ADVICE = "columns: name, interface, source, ... and quantities such as 'torque_max [N.m]'"


@dataclass(frozen=True)
class Grid:
    """Columns of cells by heading, all of one length; None is an empty cell."""

    columns: dict[str, list[Any]]
    origin: Origin
    family: str  # of parts that do not state an interface; empty: each has to

    def fault(self, what: str, advice: str = ADVICE) -> BindingError:
        """E821 of this table."""
        return BindingError("E821", what, location=self.origin.location, advice=advice)


def tables_of_grid(grid: Grid) -> list[PartTable]:
    """The parts of a table, by family."""
    names = [_string(cell) for cell in grid.columns.get(NAME, [])]
    if NAME not in grid.columns:
        raise grid.fault(f"a table has no column 'name' but {', '.join(map(repr, grid.columns)) or 'none at all'}")
    unnamed = next((row for row, name in enumerate(names) if not name), None)
    if unnamed is not None:
        raise BindingError("E821", "a part has no name", location=grid.origin.of(unnamed), advice=ADVICE)
    headings = {key: _heading(grid, key) for key in grid.columns if key not in (NAME, INTERFACE, *FACTS)}
    if len(set(headings.values())) < len(headings):
        raise grid.fault("two columns hold the same quantity")
    members: dict[str, list[int]] = {}
    for row, family in enumerate(_families(grid, len(names))):
        members.setdefault(family, []).append(row)
    return [table_of(_cells(grid, headings, family, rows)) for family, rows in members.items()]


def _families(grid: Grid, count: int) -> list[str]:
    stated = [_string(cell) for cell in grid.columns.get(INTERFACE, [None] * count)]
    families = [family or grid.family for family in stated]
    if not all(families):
        what = "a table of parts does not state their interface"
        raise grid.fault(what, "add a column 'interface', or give tg.catalogue(table, interface=...)")
    return families


def _heading(grid: Grid, key: Any) -> Heading:
    match = _HEADING.fullmatch(key) if isinstance(key, str) else None
    if match is None:
        raise grid.fault(f"the column {key!r} is not the name of a quantity")
    group, name, unit = match.groups()
    return Heading(name, group or "", unit)


def _cells(grid: Grid, headings: dict[str, Heading], family: str, rows: list[int]) -> Cells:
    every = len(rows) == len(grid.columns[NAME])

    def picked(cells: Sequence[Any]) -> list[Any]:
        return list(cells) if every else [cells[row] for row in rows]

    facts = {kind: [_string(cell) for cell in picked(grid.columns[kind])] for kind in FACTS if kind in grid.columns}
    quantities = {heading: picked(grid.columns[key]) for key, heading in headings.items()}
    stated = {heading: cells for heading, cells in quantities.items() if any(cell is not None for cell in cells)}
    lines = picked(grid.origin.lines) if grid.origin.lines else ()
    names = [_string(cell) for cell in picked(grid.columns[NAME])]
    return Cells(family, names, facts, stated, Origin(grid.origin.location, lines))


def _string(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def cell_of_text(text: str) -> Any:
    """A cell of a text file or of SQLite: a number, a list or Boolean in JSON, a string; None if it is empty."""
    stripped = text.strip()
    if not stripped:
        return None
    try:
        return float(stripped)
    except ValueError:
        pass
    if stripped[0] in "[tf":
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError):
            pass
    return stripped


def heading_text(column: Column) -> str:
    """The heading of a column that is written."""
    group = f"{column.group}." if column.group else ""
    return f"{group}{column.name} [{column.unit.text}]" if column.unit.text else f"{group}{column.name}"


def written_cell(column: Column, row: int) -> Any:
    """A cell that is written: a number in the unit of the heading, JSON for what is not a number, or None."""
    value = column.value(row)
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value) if row in column.others else value.value
