"""Syntax trees of files, kept on disk, because reading them back takes a tenth of the time of parsing.

What is kept of a library's file are the classes that somebody looked into; the others stay unread until a model needs
them. A kept tree belongs to a version of the parser, to a path and to a file that has not changed since. It is a
pickle, so it is only taken from a folder that nobody else can write to, and only nodes of syntax trees come out of it.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from tellegen.frontends.modelica.store.unread_classes import UnreadBody, parse_outside
from tellegen.frontends.modelica.syntax.classes import StoredDefinition
from tellegen.frontends.modelica.syntax.parser import VERSION, parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.kept.files import own_room
from tellegen.kept.pack import Pack
from tellegen.kept.read_files import is_settled, stamp_of
from tellegen.start.garbage_collection import lasting
from tellegen.start.records import dataclass

_NODES = ("tellegen.frontends.modelica.syntax.", UnreadBody.__module__)


@dataclass(frozen=True)
class _ReadTree:
    """A tree that can be kept."""

    tree: StoredDefinition
    file: SourceFile
    name: str  # under which it is kept
    is_new: bool


class Trees:
    """The trees that a store has read."""

    def __init__(self) -> None:
        self._read: list[_ReadTree] = []

    def whole(self, file: SourceFile) -> StoredDefinition:
        """The tree of a file that somebody works on: all its mistakes are reported."""
        return self._tree(file, parse)

    def outside(self, file: SourceFile) -> StoredDefinition:
        """The tree of a library's file, whose inner classes are read when they are asked for."""
        return self._tree(file, parse_outside)

    def keep(self) -> None:
        """Write the trees that are not on disk yet, or were read further."""
        fresh = [one for one in self._read if one.is_new or one.file.is_read_further]
        self._read.clear()
        if self._pack is not None:
            self._pack.add({one.name: data for one in fresh if (data := _to_bytes(one)) is not None})

    @cached_property
    def _pack(self) -> Pack | None:
        """Where trees are kept; None where nothing is kept, or nothing there could be trusted."""
        room = own_room("modelica")
        return Pack(room / "trees.pack") if room is not None else None

    def _tree(self, file: SourceFile, read: Callable[[SourceFile], StoredDefinition]) -> StoredDefinition:
        name = _name(file, read.__name__) if self._pack is not None else None
        if name is None or self._pack is None:
            return read(file)
        data = self._pack.find(name)
        found = _from_bytes(data, file) if data is not None else None
        tree = found if found is not None else read(file)
        self._read.append(_ReadTree(tree, file, name, is_new=found is None))
        return tree


def _name(file: SourceFile, way: str) -> str | None:
    """Under which the tree of a file is kept; None where a change of the file might not be seen."""
    if file.given_text is not None:
        return None
    path = Path(file.path).absolute()
    file.stamp = stamp_of(str(path))
    if file.stamp is None or not is_settled(file.stamp):
        return None
    return f"{VERSION} {way} {path} {file.stamp}"


class _TreeWriter(pickle.Pickler):
    """Writes trees; the file they belong to is the one that they are read for."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.dispatch_table = {SourceFile: lambda _: (_own_file, ())}


def _own_file() -> SourceFile:
    """Stands for the file of a tree in what is kept of it."""
    raise NotImplementedError


class _TreeReader(pickle.Unpickler):
    """Makes nodes of syntax trees and nothing else."""

    def __init__(self, data: bytes, file: SourceFile) -> None:
        super().__init__(io.BytesIO(data))
        self._file = file

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) == (__name__, _own_file.__name__):
            return lambda: self._file
        if not module.startswith(_NODES):
            raise pickle.UnpicklingError(f"{module}.{name} is not part of a syntax tree")
        return super().find_class(module, name)


def _from_bytes(data: bytes, file: SourceFile) -> StoredDefinition | None:
    try:
        with lasting():
            found = _TreeReader(data, file).load()
    except Exception:  # a damaged pickle may raise anything
        return None
    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], StoredDefinition):
        return None
    file.pieces = found[1]
    return found[0]


def _to_bytes(one: _ReadTree) -> bytes | None:
    buffer = io.BytesIO()
    try:
        _TreeWriter(buffer).dump((one.tree, one.file.pieces))
    except RecursionError:  # a tree too deep for pickle: next time it takes longer again
        return None
    return buffer.getvalue()
