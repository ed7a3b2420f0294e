"""SQLite files of parts: a table for each family, with the columns of `tabular`.

Names of tables and columns come from files and users, so they are always quoted; values are always bound. Files are
opened read-only, and functions that a schema calls are not trusted.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tellegen.catalogue.part_table import FACTS, Origin, PartTable
from tellegen.catalogue.stores.tabular import (
    NAME,
    Grid,
    cell_of_text,
    heading_text,
    tables_of_grid,
    written_cell,
)
from tellegen.errors import BindingError
from tellegen.ir.source_location import SourceLocation

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"


def read_sqlite(path: Path, family: str) -> list[PartTable]:
    """The parts of all tables that have a column `name`; the family of a table is its name, if not `family`."""
    location = SourceLocation(str(path), 0)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
            contents = {name: _columns(connection, name) for (name,) in names.fetchall()}
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        what = f"{path.name} cannot be read as an SQLite file: {error}"
        raise BindingError("E820", what, location=location) from error
    with_parts = {name: columns for name, columns in contents.items() if NAME in columns}
    if contents and not with_parts:
        what = f"no table of {path.name} has a column 'name'"
        raise BindingError("E821", what, location=location, advice=f"tables: {', '.join(contents)}")
    grids = [Grid(columns, Origin(location.within(name)), family or name) for name, columns in with_parts.items()]
    return [table for grid in grids for table in tables_of_grid(grid)]


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, list[Any]]:
    rows = connection.execute(f"SELECT * FROM {_quoted(table)}")
    headings = [column[0] for column in rows.description]
    columns = list(zip(*rows.fetchall(), strict=True)) or [()] * len(headings)
    strings = (NAME, "interface", *FACTS)
    return {
        heading: list(cells) if heading in strings else [_cell(cell) for cell in cells]
        for heading, cells in zip(headings, columns, strict=True)
    }


def _cell(cell: Any) -> Any:
    return cell_of_text(cell) if isinstance(cell, str) else cell


def write_sqlite(tables: list[PartTable], path: Path) -> None:
    """Write parts to a new file; the same parts give the same bytes."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")  # the file is new: nothing is lost if the machine fails
        for family in dict.fromkeys(table.family for table in tables):
            _write_family(connection, family, [table for table in tables if table.family == family])


def _write_family(connection: sqlite3.Connection, family: str, tables: list[PartTable]) -> None:
    headings = list(dict.fromkeys(heading_text(column) for table in tables for column in table.columns))
    facts = [kind for kind in FACTS if any(kind in table.facts for table in tables)]
    declared = [f"{_quoted(NAME)} TEXT PRIMARY KEY", *(f"{_quoted(kind)} TEXT" for kind in facts)]
    connection.execute(f"CREATE TABLE {_quoted(family)} ({', '.join([*declared, *map(_quoted, headings)])})")
    marks = ", ".join("?" * (1 + len(facts) + len(headings)))
    for table in tables:
        stated = {heading_text(column): column for column in table.columns}
        rows = (
            (
                name,
                *(table.fact(kind, row) for kind in facts),
                *(written_cell(stated[key], row) if key in stated else None for key in headings),
            )
            for row, name in enumerate(table.names)
        )
        connection.executemany(f"INSERT INTO {_quoted(family)} VALUES ({marks})", rows)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
