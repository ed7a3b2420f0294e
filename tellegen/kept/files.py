"""Files of the cache: written as a whole or not at all, and damaged ones count as none.

A cache that cannot be written is not an error: next time takes longer again. Where a room has grown too large, what was
written first is forgotten.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

from tellegen.cache import cache_folder

_CHECKSUM = 32  # bytes of SHA-256


def own_room(name: str) -> Path | None:
    """A folder of the cache that nobody else can write to, since what it holds becomes objects; None without one."""
    folder = cache_folder()
    if folder is None:
        return None
    room = folder / name
    try:
        room.mkdir(mode=0o700, parents=True, exist_ok=True)
        return room if _is_ours(room.stat()) else None
    except OSError:
        return None


def _is_ours(status: os.stat_result) -> bool:
    """Whether only this user can write to a folder. Windows keeps the folder of a user to that user."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def kept(path: Path) -> bytes | None:
    """What a file holds; None when there is no file, or not the whole of it."""
    try:
        with open(path, "rb", buffering=0) as file:
            content = file.read()
    except OSError:
        return None
    checksum = content[:_CHECKSUM]
    found = content[_CHECKSUM:]
    return found if hashlib.sha256(found).digest() == checksum else None


def keep(path: Path, content: bytes) -> bool:
    """Write a file that `kept` reads; whether it is there now."""
    return replace_file(path, hashlib.sha256(content).digest() + content)


def replace_file(path: Path, content: bytes) -> bool:
    """Write a file in one step, so that no other process reads half of it; whether it is there now."""
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        with _created(temporary, path.parent) as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        return False
    return True


def _created(name: str, folder: Path) -> BufferedWriter:
    """A new file; the folder is made where there is none."""
    try:
        return open(name, "xb")
    except FileNotFoundError:
        folder.mkdir(parents=True, exist_ok=True)
        return open(name, "xb")


def make_room(folder: Path, most_bytes: int) -> None:
    """Forget the files that were written first where all together are too large."""
    with suppress(OSError):
        with os.scandir(folder) as entries:
            files = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries)
        total = sum(size for _, size, _ in files)
        if total <= most_bytes:
            return
        for _, size, path in files:
            with suppress(OSError):
                os.unlink(path)
            total -= size
            if total <= most_bytes * 3 // 4:
                return
