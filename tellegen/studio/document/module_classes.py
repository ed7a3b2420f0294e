"""Component classes of the Python files of a folder, read from their texts: parts for the models beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tellegen.errors import DocumentError
from tellegen.studio.document.model_folder import ModelFolder
from tellegen.studio.document.own_classes import own_shapes
from tellegen.studio.document.text.origins import Origin, origin_of
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.library.shapes import ClassShape, Shapes

MOST_FILES = 200
LARGEST = 300_000
"""Bytes of a module that is looked at."""


def module_shapes(folder: ModelFolder, files: Iterable[str], library: Shapes) -> dict[str, ClassShape]:
    """The component classes of some files, by name; files that cannot be read have none."""
    found: dict[str, ClassShape] = {}
    for file in list(files)[:MOST_FILES]:
        path = folder.root / file
        try:
            stamp = path.stat()
        except OSError:
            continue
        if stamp.st_size <= LARGEST:
            for shape in _shapes(path, file, stamp.st_mtime_ns, _Library(library)):
                found[shape.key] = shape
    return found


class _Library:
    """A library as a key: the same object means the same shapes."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Library) and other.shapes is self.shapes

    def __hash__(self) -> int:
        return id(self.shapes)


@lru_cache(maxsize=2 * MOST_FILES)  # as long as a file stays as it is
def _shapes(path: Path, file: str, changed: int, library: _Library) -> tuple[ClassShape, ...]:
    del changed
    try:
        source = SourceFile(path.read_text(encoding="utf-8"), file)
        own = own_shapes(source, library.shapes)
    except (OSError, UnicodeDecodeError, DocumentError, RecursionError):
        return ()
    return tuple(replace(shape, key=Origin(file, name).key, domain=file) for name, shape in own.items())


def imported_files(source: SourceFile) -> list[str]:
    """The files of the folder that a file imports from, as far as its text says it."""
    keys = [source.key_of(name) for name in source.imported]
    files = [origin.file for key in keys if (origin := origin_of(key)) is not None and origin.file.endswith(".py")]
    return list(dict.fromkeys(files))
