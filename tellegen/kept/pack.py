"""Many small records in one file of the cache: to write a file for each takes longer than to make what is in it.

    batch ::= mark, length of the index, length of the content, digest of the index, index, content

A process appends what it made as one batch, in one call, so that batches of several processes do not mix. Of two
records of one name the later counts. One that is damaged or too large is replaced.
"""

from __future__ import annotations

import hashlib
import marshal
import mmap
import os
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tellegen.kept.files import replace_file

_MARK = b"batch-1\n"
_NUMBER = 8  # bytes of a length
_DIGEST = 32  # bytes of SHA-256
_HEAD = len(_MARK) + 2 * _NUMBER + _DIGEST
_MOST_BYTES = 64_000_000


class _Batches(NamedTuple):
    """What a file holds."""

    content: memoryview
    records: dict[str, tuple[int, int, bytes]]  # where a record begins, its length and its digest
    are_whole: bool


class Pack:
    """The records of a file by name."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, name: str) -> bytes | None:
        """A record; None where there is none, or not the whole of it."""
        place = self._batches.records.get(name)
        if place is None:
            return None
        begin, length, digest = place
        found = bytes(self._batches.content[begin : begin + length])
        return found if hashlib.sha256(found).digest() == digest else None

    def names(self) -> list[str]:
        """The names of all records."""
        return [*self._batches.records]

    def add(self, records: dict[str, bytes]) -> None:
        """Write records after the others."""
        if not records:
            return
        batches = _read(self._path)  # as it is now
        if not batches.are_whole or len(batches.content) > _MOST_BYTES:
            replace_file(self._path, _batch(records))
            return
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
            try:
                os.write(file, _batch(records))  # cut off where the disk is full: the next one replaces the file
            finally:
                os.close(file)

    @cached_property
    def _batches(self) -> _Batches:
        return _read(self._path)


def _batch(records: dict[str, bytes]) -> bytes:
    index: dict[str, tuple[int, int, bytes]] = {}
    begin = 0
    for name, record in records.items():
        index[name] = (begin, len(record), hashlib.sha256(record).digest())
        begin += len(record)
    written = marshal.dumps(index)
    lengths = (len(written), begin)
    head = (_MARK, *(length.to_bytes(_NUMBER, "little") for length in lengths), hashlib.sha256(written).digest())
    return b"".join((*head, written, *records.values()))


def _read(path: Path) -> _Batches:
    """The records of all batches up to the first that is damaged."""
    records: dict[str, tuple[int, int, bytes]] = {}
    try:
        with open(path, "rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        return _Batches(memoryview(b""), records, are_whole=True)
    except (OSError, ValueError):  # it cannot be read, or is empty
        return _Batches(memoryview(b""), records, are_whole=False)
    at = 0
    while at < len(content):
        mark, lengths = content[at : at + len(_MARK)], content[at + len(_MARK) : at + _HEAD - _DIGEST]
        begin = at + _HEAD + int.from_bytes(lengths[:_NUMBER], "little")
        end = begin + int.from_bytes(lengths[_NUMBER:], "little")
        index = content[at + _HEAD : begin]
        digest = content[at + _HEAD - _DIGEST : at + _HEAD]
        if mark != _MARK or end > len(content) or hashlib.sha256(index).digest() != digest:
            return _Batches(content, records, are_whole=False)
        found: dict[str, tuple[int, int, bytes]] = marshal.loads(index)
        records.update({name: (begin + first, length, sha) for name, (first, length, sha) in found.items()})
        at = end
    return _Batches(content, records, are_whole=True)
