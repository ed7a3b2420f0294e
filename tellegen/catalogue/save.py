"""Writing catalogues: the same parts always give the same bytes."""

from __future__ import annotations

import json
import sqlite3
from os import PathLike
from pathlib import Path

from tellegen.catalogue.part_table import PartTable
from tellegen.catalogue.stores.csv_files import csv_text
from tellegen.catalogue.stores.documents import content_of
from tellegen.catalogue.stores.sqlite_files import write_sqlite
from tellegen.catalogue.stores.toml_text import toml_text
from tellegen.errors import BindingError
from tellegen.ir.source_location import here

SQLITE = (".sqlite", ".sqlite3", ".db")
TEXTS = {
    ".toml": lambda tables: toml_text(content_of(tables)),
    ".json": lambda tables: json.dumps(content_of(tables), indent=1, ensure_ascii=False) + "\n",
    ".csv": csv_text,
}


def save_tables(tables: list[PartTable], path: str | PathLike[str]) -> None:
    """Write parts in the format of the file's ending."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (*TEXTS, *SQLITE):
        what = f"a catalogue cannot be saved as '{target.name}'"
        raise BindingError("E831", what, location=here(), advice=f"file endings: {', '.join((*TEXTS, *SQLITE))}")
    try:
        if ending in SQLITE:
            write_sqlite(tables, target)
        else:
            target.write_text(TEXTS[ending](tables), encoding="utf-8", newline="\n")
    except (OSError, sqlite3.Error, UnicodeEncodeError) as error:
        what = f"{target} cannot be written: {error}"
        raise BindingError("E831", what, location=here(), advice="check the path and the names of parts") from error
