"""The end of a short program: no search for garbage where nothing waits for it.

At exit CPython collects garbage three times while it takes the modules apart. Each time it looks through all
objects, a hundred thousand and more once a model is compiled and plotted; that was a seventh of the time of a short
program. The process returns its memory anyway, so a collection matters only to an object in a cycle of references that
does something when it is deleted: writes the rest of a file, say. Where there is none, all objects are frozen, and the
collections have nothing to look through. In most programs a look at the classes and at the open files is enough; in the
others all objects are looked through. (Generators that wait in a cycle are not closed; Python does not promise it.)
"""

from __future__ import annotations

import gc
import io
import os
import sys
from contextlib import suppress
from itertools import compress
from typing import Any

_READERS = {io.FileIO, io.BufferedReader}  # hold nothing that is still to be written
_WRITERS = {io.TextIOWrapper, io.BufferedWriter}
_MACHINE_CODE = "llvmlite"  # whose objects return memory, and no more
_KNOWN = ("builtins", "io", "_io", "posix", "nt", "numpy", "tellegen", _MACHINE_CODE)
"""Modules whose objects write files, if they do anything when they are deleted."""


def finish_quickly() -> None:
    """Collect no more garbage, unless the deletion of an object may do something."""
    is_possible = _have_finalizers(_all_classes()) or _are_written()
    if not (is_possible and has_finalizers(gc.get_objects())):
        gc.disable()
        gc.freeze()


def _all_classes() -> set[type]:
    """The classes of this process."""
    found: set[type] = set()
    waiting: list[type] = [object]
    while waiting:
        fresh = set(type.__subclasses__(waiting.pop())) - found
        found |= fresh
        waiting += fresh
    return found


def _have_finalizers(classes: set[type]) -> bool:
    """Whether one of these classes says what its objects do when they are deleted, those of files aside."""
    return any("__del__" in vars(one) and one.__module__.partition(".")[0] not in _KNOWN for one in classes)


def _are_written() -> bool:
    """Whether this process opened files for writing that are not closed; true where that cannot be known.

    What it inherited stays open in the programs that it starts, and what Python opens does not (PEP 446).
    """
    try:
        from fcntl import F_GETFL, fcntl

        opened = [int(name) for name in os.listdir("/dev/fd")]
    except (ImportError, OSError):  # Windows
        return True
    for number in opened:
        with suppress(OSError):  # the list itself is closed by now
            if not os.get_inheritable(number) and fcntl(number, F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
                return True
    return False


def has_finalizers(objects: list[Any]) -> bool:
    """Whether something may happen when one of these objects is deleted."""
    types = list(map(type, objects))
    active = {one for one in set(types) if hasattr(one, "__del__")}
    own = active - _READERS - _WRITERS
    if any(one.__module__.split(".")[0] != _MACHINE_CODE for one in own):
        return True
    if (
        sum(map(types.count, _WRITERS)) <= sum(type(one) in _WRITERS for one in _streams())
        and not gc.get_freeze_count()
    ):
        return False  # no files but these
    files = compress(objects, map(_WRITERS.__contains__, types))
    return any(map(_is_being_written, files))


def _is_being_written(file: Any) -> bool:
    """Whether a file may hold back data."""
    return not any(file is one for one in _streams()) and not file.closed and file.writable()


def _streams() -> list[Any]:
    """The streams of the process, which the interpreter flushes."""
    streams = (sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__)
    found = {id(one): one for stream in streams for one in (stream, getattr(stream, "buffer", None))}
    return list(found.values())
