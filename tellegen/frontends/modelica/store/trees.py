"""Syntax trees of files, kept on disk, because reading them back takes a tenth of the time of parsing.

Where the tokens are is kept as well, so that the text of a file is not read again for the locations in a model. A kept
tree belongs to a version of the parser, to a path and to a file that has not changed since. It is a pickle, so it
is only taken from a folder that nobody else can write to, and only nodes of syntax trees come out of it.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from array import array
from pathlib import Path
from typing import Any, NamedTuple

from tellegen.frontends.modelica.syntax.classes import StoredDefinition
from tellegen.frontends.modelica.syntax.parser import VERSION, parse
from tellegen.frontends.modelica.syntax.source_file import Positions, SourceFile
from tellegen.kept.files import keep, kept, own_room
from tellegen.kept.read_files import is_settled, stamp_of
from tellegen.start.garbage_collection import lasting

_SYNTAX = "tellegen.frontends.modelica.syntax."


class KeptTree(NamedTuple):
    """The tree of a file, and where its tokens and lines begin (unsigned integers)."""

    tree: StoredDefinition
    starts: bytes
    lines: bytes


class _TreeReader(pickle.Unpickler):
    """Makes nodes of syntax trees and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith(_SYNTAX):
            raise pickle.UnpicklingError(f"{module}.{name} is not part of a syntax tree")
        return super().find_class(module, name)


def tree_of(file: SourceFile) -> StoredDefinition:
    """The syntax tree of a file, from disk where it was parsed before."""
    place = _place(Path(file.path)) if file.given_text is None else None
    if place is None:
        return parse(file)
    found = _read(place)
    if found is None:
        found = KeptTree(parse(file), file.positions.starts.tobytes(), file.positions.lines.tobytes())
        _keep(place, found)
    else:
        file.positions = Positions(array("I", found.starts), array("I", found.lines))
    return found.tree


def _place(path: Path) -> Path | None:
    """Where the tree of a file is kept; None where nothing is kept, or nothing there could be trusted."""
    room = own_room("modelica")
    stamp = stamp_of(str(path))
    if room is None or stamp is None or not is_settled(stamp):
        return None
    key = f"{VERSION} {path.absolute()} {stamp}"
    return room / f"{hashlib.sha256(key.encode()).hexdigest()}.pickle"


def _read(path: Path) -> KeptTree | None:
    data = kept(path)
    if data is None:
        return None
    try:
        with lasting():
            found = KeptTree(*_TreeReader(io.BytesIO(data)).load())
    except Exception:  # a damaged pickle may raise anything
        path.unlink(missing_ok=True)
        return None
    return found if isinstance(found.tree, StoredDefinition) else None


def _keep(path: Path, tree: KeptTree) -> None:
    try:
        keep(path, pickle.dumps(tuple(tree), protocol=5))
    except RecursionError:  # a tree too deep for pickle: next time it takes longer again
        return
