"""Classes in folders: a package is a folder with package.mo, or a file of its own (MLS 13.4)."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tellegen.errors import ModelicaError
from tellegen.ir.source_location import SourceLocation
from tellegen.kept.read_files import ReadFiles
from tellegen.start.records import dataclass

PACKAGE_FILE = "package.mo"
ORDER_FILE = "package.order"
_VERSIONED = re.compile(r"(?P<name>\S+) (?P<version>\d\S*)")


@dataclass(frozen=True)
class Entry:
    """A library or class in a folder: the file that holds it, and the version in the name of the folder."""

    name: str
    version: str
    place: str  # of the file; paths of the hundreds that nobody asks for would take longer than all the rest

    @property
    def file(self) -> Path:
        """The file that holds it."""
        return Path(self.place)

    @property
    def is_folder(self) -> bool:
        """Whether the class has a folder for more classes."""
        return os.path.basename(self.place) == PACKAGE_FILE


def entries_of(folder: Path, read: ReadFiles) -> list[Entry]:
    """The classes and libraries in a folder, in the order of package.order and then of their names."""
    read.note(folder)
    try:
        with os.scandir(folder) as found:
            entries = [entry for item in found if (entry := _entry(item, read)) is not None]
    except OSError:
        return []
    read.note(folder / ORDER_FILE)
    order = _order(folder)
    return sorted(entries, key=lambda entry: (order.get(entry.name, len(order)), entry.name, entry.version))


def libraries_at(place: Path, read: ReadFiles | None = None) -> list[Entry]:
    """The libraries in a folder; or the one that the place itself is."""
    read = read or ReadFiles()
    read.note(place)
    if is_file(place / PACKAGE_FILE, read) or place.is_file():
        return [entry for entry in entries_of(place.parent, read) if place in (entry.file, entry.file.parent)]
    return entries_of(place, read)


def is_file(path: str | Path, read: ReadFiles) -> bool:
    """Whether there is a file."""
    read.note(path)
    return os.path.isfile(path)


def classes_of(folder: Path, read: ReadFiles) -> dict[str, Entry]:
    """The classes in the folder of a package, by name."""
    classes: dict[str, Entry] = {}
    for entry in entries_of(folder, read):
        if entry.name in classes:
            message = f"the class '{entry.name}' stands in two places: {classes[entry.name].file} and {entry.file}"
            raise ModelicaError("E591", message, location=SourceLocation(str(entry.file), 1), advice="remove one")
        classes[entry.name] = entry
    return classes


def library_folder(folder: Path, read: ReadFiles) -> Path:
    """The outermost package around a folder or file that belongs to a package."""
    while is_file(folder.parent / PACKAGE_FILE, read):
        folder = folder.parent
    return folder


def _entry(item: os.DirEntry[str], read: ReadFiles) -> Entry | None:
    if item.name.endswith(".mo"):
        return _named(item.name.removesuffix(".mo"), item.path) if item.name != PACKAGE_FILE else None
    package = os.path.join(item.path, PACKAGE_FILE)
    return _named(item.name, package) if item.is_dir() and is_file(package, read) else None


def _named(text: str, place: str) -> Entry:
    found = _VERSIONED.fullmatch(text) if " " in text else None
    return Entry(found["name"], found["version"], place) if found is not None else Entry(text, "", place)


def _order(folder: Path) -> dict[str, int]:
    """The lines of package.order, where there is one."""
    try:
        lines = (folder / ORDER_FILE).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    return {line.strip(): number for number, line in enumerate(lines)}
