"""Tables of pandas with a row for each part."""

from __future__ import annotations

from typing import Any

from tellegen.catalogue.part_table import Origin, PartTable
from tellegen.catalogue.stores.tabular import NAME, Grid, cell_of_text, tables_of_grid
from tellegen.ir.source_location import here


def is_pandas_table(given: Any) -> bool:
    """Whether something is a DataFrame; pandas need not be loaded for that."""
    return type(given).__module__.startswith("pandas") and hasattr(given, "iloc") and hasattr(given, "columns")


def read_pandas(frame: Any, family: str) -> list[PartTable]:
    """The parts of a table; the index holds the names if no column does."""
    grid = Grid({}, Origin(here()), family)
    columns = list(frame.columns)
    if len(set(columns)) < len(columns):
        raise grid.fault("a table has two columns of one heading")
    for k, heading in enumerate(columns):
        column = frame.iloc[:, k]
        missing = column.isna().tolist()
        cells = column.tolist()
        grid.columns[heading] = [None if gone else _cell(cell) for cell, gone in zip(cells, missing, strict=True)]
    if NAME not in grid.columns and (frame.index.name == NAME or frame.index.dtype == object):
        grid.columns[NAME] = [str(name) for name in frame.index]
    return tables_of_grid(grid)


def _cell(cell: Any) -> Any:
    return cell_of_text(cell) if isinstance(cell, str) else cell
