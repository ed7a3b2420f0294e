"""CSV files of parts."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from tellegen.catalogue.part_table import FACTS, Origin, PartTable
from tellegen.catalogue.stores.tabular import (
    INTERFACE,
    NAME,
    Grid,
    cell_of_text,
    heading_text,
    tables_of_grid,
    written_cell,
)
from tellegen.errors import BindingError
from tellegen.ir.source_location import SourceLocation


def read_csv(path: Path, text: str, family: str) -> list[PartTable]:
    """The parts of a CSV file with a line of headings; `family` is that of parts that do not state theirs."""
    location = SourceLocation(str(path), 1)
    try:
        lines = [(k, line) for k, line in enumerate(csv.reader(io.StringIO(text), strict=True), 1) if any(line)]
    except csv.Error as error:
        raise BindingError("E820", f"{path.name} cannot be read as CSV: {error}", location=location) from error
    if not lines:
        raise BindingError("E821", f"{path.name} has no line of headings", location=location)
    headings = [cell.strip() for cell in lines[0][1]]
    for number, line in lines[1:]:
        if len(line) != len(headings):
            what = f"{len(line)} cells under {len(headings)} headings"
            raise BindingError("E821", what, location=SourceLocation(str(path), number))
    if len(set(headings)) < len(headings):
        raise BindingError("E821", f"{path.name} has two columns of one heading", location=location)
    columns: dict[str, list[Any]] = {}
    for k, heading in enumerate(headings):
        is_text = heading in (NAME, INTERFACE, *FACTS)
        cells = [line[k] for _, line in lines[1:]]
        columns[heading] = (
            [cell.strip() or None for cell in cells] if is_text else [cell_of_text(cell) for cell in cells]
        )
    return tables_of_grid(Grid(columns, Origin(location, [number for number, _ in lines[1:]]), family))


def _string(cell: str) -> str | None:
    return cell.strip() or None


def csv_text(tables: list[PartTable]) -> str:
    """Parts of all families as CSV, with a column for each quantity and unit."""
    headings = list(dict.fromkeys(heading_text(column) for table in tables for column in table.columns))
    facts = [kind for kind in FACTS if any(kind in table.facts for table in tables)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([NAME, INTERFACE, *facts, *headings])
    for table in tables:
        columns = {heading_text(column): column for column in table.columns}
        for row, name in enumerate(table.names):
            cells = [written_cell(columns[heading], row) if heading in columns else None for heading in headings]
            writer.writerow([name, table.family, *(table.fact(kind, row) for kind in facts), *cells])
    return out.getvalue()
