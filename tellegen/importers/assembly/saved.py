"""Assemblies on disk: what was found, what was decided, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tellegen.errors import NetlistError
from tellegen.importers.assembly.edits import Edit
from tellegen.importers.assembly.records import FileStamp, Origin, Parts
from tellegen.importers.assembly.storage import RECORDS, DamagedRecordError, from_json, to_json
from tellegen.ir.source_location import here
from tellegen.network.mechanics.twists import Tolerance


@dataclass(frozen=True, eq=False)
class SavedAssembly:
    """All that is needed to make an assembly again."""

    name: str
    found: Parts
    edits: tuple[Edit, ...]
    files: tuple[FileStamp, ...]
    tolerance: Tolerance
    origin: Origin | None


RECORDS[SavedAssembly.__name__] = SavedAssembly


def write_saved(path: Path, saved: SavedAssembly) -> None:
    """As JSON."""
    try:
        path.write_text(to_json(saved), encoding="utf-8")
    except OSError as error:
        what = f"'{path}' cannot be written: {error.strerror}"
        raise NetlistError("E510", what, location=here(), advice="create its folder first") from None


def read_saved(path: Path) -> SavedAssembly:
    """From JSON."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        what = f"'{path}' cannot be read: {error.strerror}"
        raise NetlistError("E510", what, location=here(), advice="check the path") from None
    try:
        saved = from_json(text)
    except DamagedRecordError:
        saved = None
    if not isinstance(saved, SavedAssembly) or not isinstance(saved.found, Parts):
        what = f"'{path}' is not an assembly that was saved"
        raise NetlistError("E510", what, location=here(), advice="assembly.save('robot.json') writes one")
    return saved
