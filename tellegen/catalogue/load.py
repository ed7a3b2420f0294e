"""`tg.catalogue(source)`: a catalogue of files, directories and tables; without a source the one that is shipped."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from tellegen.catalogue.catalogue import Catalogue
from tellegen.catalogue.interfaces_by_name import family_name, is_interface
from tellegen.catalogue.part_table import PartTable
from tellegen.catalogue.preferred_values import preferred_values
from tellegen.catalogue.stores.csv_files import read_csv
from tellegen.catalogue.stores.documents import Document
from tellegen.catalogue.stores.pandas_tables import is_pandas_table, read_pandas
from tellegen.catalogue.stores.sqlite_files import read_sqlite
from tellegen.errors import BindingError, users_call
from tellegen.ir.source_location import SourceLocation, here

SHIPPED = Path(__file__).parent / "data"
SQLITE = (".sqlite", ".sqlite3", ".db")
ENDINGS = (".toml", ".json", ".csv", *SQLITE)


@users_call
def catalogue(*sources: Any, interface: Any = "") -> Catalogue:
    """The parts of files (.toml, .json, .csv, .sqlite), directories of them and pandas tables, taken together.

    `interface` (a class or a name) is that of parts in tables which do not state theirs. Without sources: the
    catalogue that is shipped with Tellegen, in which every number names its source.
    """
    if interface and not isinstance(interface, str) and not is_interface(interface):
        what = f"interface is {interface!r}"
        raise BindingError("E821", what, location=here(), advice="a class that derives from tg.Interface, or its name")
    if not sources:
        return _shipped()
    family = family_name(interface)
    return Catalogue.of_tables(table for source in sources for table in _tables(source, family))


@cache
def _shipped() -> Catalogue:
    return Catalogue.of_tables([*_directory(SHIPPED, ""), *preferred_values()])


def _tables(source: Any, family: str) -> list[PartTable]:
    if isinstance(source, Catalogue):
        return source.tables
    if is_pandas_table(source):
        return read_pandas(source, family)
    if not isinstance(source, str | PathLike):
        what = f"a catalogue cannot be made of {source!r}"
        advice = f"a file ({', '.join(ENDINGS)}), a directory, a pandas table or a tg.Catalogue"
        raise BindingError("E820", what, location=here(), advice=advice)
    path = Path(source)
    if path.is_dir():
        return _directory(path, family)
    return _file(path, family)


def _directory(path: Path, family: str) -> list[PartTable]:
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in ENDINGS and file.is_file())
    if not files:
        what = f"the directory {path} holds no catalogue"
        raise BindingError("E820", what, location=here(), advice=f"files that end in {', '.join(ENDINGS)}")
    return [table for file in files for table in _file(file, family)]


def _file(path: Path, family: str) -> list[PartTable]:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        what = f"{path.name} is not a catalogue by its ending"
        raise BindingError("E820", what, location=here(), advice=f"files that end in {', '.join(ENDINGS)}")
    if not path.is_file():
        raise BindingError("E820", f"there is no file {path}", location=here(), advice="check the path")
    if ending in SQLITE:
        return read_sqlite(path, family)
    text = _text(path)
    if ending == ".csv":
        return read_csv(path, text, family or path.stem)
    return Document(str(path), text, _content(path, text)).tables()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        what = f"{path.name} cannot be read: {error}"
        raise BindingError("E820", what, location=here(), advice="catalogues are text in UTF-8") from error


def _content(path: Path, text: str) -> Any:
    reads = tomllib.loads if path.suffix.lower() == ".toml" else json.loads
    try:
        return reads(text)
    except (ValueError, RecursionError) as error:
        kind = path.suffix[1:].upper()
        what = f"{path.name} cannot be read as {kind}: {error}"
        location = SourceLocation(str(path), _line(error))
        raise BindingError("E820", what, location=location) from error


def _line(error: Exception) -> int:
    """The line of a mistake in JSON or TOML; the latter says it in its message only."""
    words = str(error).split()
    stated = words[words.index("line") + 1].rstrip(",:") if "line" in words[:-1] else "1"
    return getattr(error, "lineno", int(stated) if stated.isdigit() else 1)
