"""Which code of Tellegen made something: a digest of where its files are, how large, and when they were changed.

The version alone does not say it while Tellegen itself is worked on. The time of the last change of a file's record is
counted too, for files that come from an archive may all have the same time of their own.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache

import numpy as np

_PACKAGE = os.path.dirname(os.path.dirname(__file__))


@cache
def code_stamp(*rooms: str) -> str:
    """Of all Python files in these folders and files of the package, and of the versions of Python and NumPy."""
    digest = hashlib.sha256(repr((sys.version, np.__version__, _PACKAGE)).encode())
    for room in rooms:
        digest.update(_stamp_of(os.path.join(_PACKAGE, room)).encode())
    return digest.hexdigest()


def _stamp_of(path: str) -> str:
    if path.endswith(".py"):
        return repr(_file(path, os.stat(path)))
    found: list[tuple[str, int, int, int]] = []
    folders = [path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found.append(_file(entry.path, entry.stat()))
                elif "." not in entry.name and entry.name != "__pycache__":
                    folders.append(entry.path)
    return repr(sorted(found))


def _file(path: str, status: os.stat_result) -> tuple[str, int, int, int]:
    return path, status.st_size, status.st_mtime_ns, status.st_ctime_ns
