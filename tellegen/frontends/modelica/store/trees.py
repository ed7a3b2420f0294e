"""Syntax trees of files, kept on disk, because reading them back takes a tenth of the time of parsing.

Where the tokens are is kept as well, so that the text of a file is not read again for the locations in a model. A kept
tree belongs to a version of the parser and to path, size and time of the last change of the file. It is a pickle, so it
is only taken from a folder that nobody else can write to, and only nodes of syntax trees come out of it.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import tempfile
from array import array
from pathlib import Path
from typing import Any, NamedTuple

from tellegen.cache import cache_folder
from tellegen.frontends.modelica.syntax.classes import StoredDefinition
from tellegen.frontends.modelica.syntax.parser import VERSION, parse
from tellegen.frontends.modelica.syntax.source_file import Positions, SourceFile
from tellegen.start.garbage_collection import collection_paused

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
    kept = _place(Path(file.path)) if file.given_text is None else None
    if kept is None:
        return parse(file)
    found = _read(kept)
    if found is None:
        found = KeptTree(parse(file), file.positions.starts.tobytes(), file.positions.lines.tobytes())
        _keep(kept, found)
    else:
        file.positions = Positions(array("I", found.starts), array("I", found.lines))
    return found.tree


def _place(path: Path) -> Path | None:
    """Where the tree of a file is kept; None where nothing is kept, or nothing there could be trusted."""
    folder = cache_folder()
    if folder is None:
        return None
    folder = folder / "modelica"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(folder.stat()):
            return None
        status = path.stat()
    except OSError:
        return None
    key = f"{VERSION} {path.absolute()} {status.st_size} {status.st_mtime_ns}"
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()}.pickle"


def _is_ours(status: os.stat_result) -> bool:
    """Whether only this user can write to a folder. Windows keeps the folder of a user to that user."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _read(path: Path) -> KeptTree | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    try:
        with collection_paused():
            found = KeptTree(*_TreeReader(io.BytesIO(data)).load())
    except Exception:  # a damaged pickle may raise anything
        path.unlink(missing_ok=True)
        return None
    return found if isinstance(found.tree, StoredDefinition) else None


def _keep(path: Path, tree: KeptTree) -> None:
    """A file appears as a whole or not at all."""
    try:
        data = pickle.dumps(tuple(tree), protocol=5)
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, delete=False) as file:
            file.write(data)
        os.replace(file.name, path)
    except (OSError, RecursionError):  # a full disk, a tree too deep for pickle: next time it takes longer again
        return
