"""Classes that were translated before, on disk: found by where they come from, their names and their modifications.

An entry lists all files and folders that were read for it, as they were then (`kept/read_files.py`). Where one has
changed, or the front end itself has, the class is translated again. What depends on more than files, such as the time
or a program, is not kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tellegen.ir.check.faults import checking
from tellegen.ir.expressions.expr import Function
from tellegen.ir.model import Model
from tellegen.kept.code_stamp import code_stamp
from tellegen.kept.files import keep, make_room, own_room
from tellegen.kept.pickles import NotKeptError, kept_record, to_bytes
from tellegen.kept.read_files import ReadFiles, Stamp, are_unchanged
from tellegen.kept.room import MOST_BYTES, MOST_BYTES_OF_ALL, ROOM
from tellegen.start.garbage_collection import collection_paused
from tellegen.start.records import dataclass

_SOURCES = ("frontends", "ir", "symbolic", "graph", "procedures", "units.py", "known_units.py")
"""The code that decides what is made of a text."""


@dataclass(frozen=True)
class ClassFacts:
    """What a class says about itself."""

    path: str
    restriction: str
    description: str
    is_complete: bool
    is_example: bool


@dataclass(frozen=True)
class KeptClass:
    """A class that was translated: its Model as bytes, and a name for what these contain."""

    facts: ClassFacts
    warnings: tuple[str, ...]
    model: bytes
    content: str
    stamps: dict[str, Stamp]


@dataclass(frozen=True)
class Origin:
    """Where classes come from: the paths that were loaded, and the places that are searched for other libraries."""

    paths: tuple[Path, ...]
    searched: tuple[Path, ...]

    def can_be_loaded(self) -> bool:
        """Whether these paths were loaded before, without a warning, and nothing has changed since."""
        place = self._place("loaded")
        stamps = kept_record(place) if place is not None else None
        return isinstance(stamps, dict) and are_unchanged(stamps)

    def loaded(self, read: ReadFiles) -> None:
        """Keep that they can be loaded, and by reading what."""
        place = self._place("loaded")
        if place is not None and read.are_all:
            _write(place, read.stamps)

    def kept_class(self, name: str, modifications: tuple[Mapping[str, Any], ...]) -> KeptClass | None:
        """A class as it was translated before, if all that was read for it is as it was."""
        place = self._place("translated", name, modifications)
        found = kept_record(place) if place is not None else None
        return found if isinstance(found, KeptClass) and are_unchanged(found.stamps) else None

    def keep_class(
        self, name: str, modifications: tuple[Mapping[str, Any], ...], made: KeptClass, read: ReadFiles
    ) -> None:
        """Keep a class for later processes."""
        place = self._place("translated", name, modifications)
        if place is not None and read.are_all:
            _write(place, made)

    def _place(self, kind: str, name: str = "", modifications: tuple[Mapping[str, Any], ...] = ()) -> Path | None:
        room = own_room(ROOM) if can_keep() and is_plain(modifications) else None
        if room is None:
            return None
        origin = [[str(path) for path in paths] for paths in (self.paths, self.searched)]
        key = repr((code_stamp(*_SOURCES), kind, origin, name, modifications))
        return room / f"{hashlib.sha256(key.encode()).hexdigest()}.{kind}"


def can_keep() -> bool:
    """Whether classes are kept: not while models are checked after every pass."""
    return not checking()


def is_plain(value: Any) -> bool:
    """Whether a modification is all in its text: numbers, texts, and lists and mappings of them."""
    if isinstance(value, Mapping):
        return type(value) is dict and all(type(key) is str and is_plain(inside) for key, inside in value.items())
    if type(value) in (list, tuple):
        return all(map(is_plain, value))
    return value is None or type(value) in (bool, int, float, str)


def model_bytes(model: Model) -> bytes:
    """A Model as bytes; none where it leads to functions of a user, or is too large to be kept."""
    try:
        with collection_paused():
            return to_bytes(model, rejected=(Function,), most=MOST_BYTES)
    except NotKeptError:
        return b""


def _write(place: Path, record: object) -> None:
    keep(place, to_bytes(record, most=2 * MOST_BYTES))
    make_room(place.parent, MOST_BYTES_OF_ALL)
