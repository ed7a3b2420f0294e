"""Records to bytes and back, for the cache.

Only data can be kept: what a function of a user does is not in its name, so a record that leads to one is not kept
(`NotKeptError`). Reading makes objects of Tellegen and NumPy and nothing else.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.kept.files import kept
from tellegen.start.garbage_collection import collection_paused

_PACKAGES = ("tellegen", "numpy", "fractions", "collections")
_BUILTINS = ("dict", "set", "frozenset", "slice", "complex", "range", "bytearray", "object")


_IN_C: dict[type, Callable[[Any], Any]] = {np.ndarray: np.ndarray.__reduce__}
"""Of the two ways that NumPy writes an array the one without Python in it: most arrays are short."""


class NotKeptError(Exception):
    """A record holds something that cannot be kept, or is too large."""


class _Buffer(io.BytesIO):
    """Bytes in memory, up to a limit."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, data: Any, /) -> int:
        if self.tell() + memoryview(data).nbytes > self.most:  # large arrays come as buffers
            raise NotKeptError
        return super().write(data)


class _Writer(pickle.Pickler):
    """Rejects types that stand for functions of users; some others are written in ways of their own."""

    def __init__(
        self, file: io.BytesIO, rejected: tuple[type, ...], reduced: Mapping[type, Callable[[Any], Any]]
    ) -> None:
        super().__init__(file, protocol=5)
        self.dispatch_table = copyreg.dispatch_table | _IN_C | dict.fromkeys(rejected, _reject) | dict(reduced)


def _reject(_: object) -> Any:
    raise NotKeptError


class _Reader(pickle.Unpickler):
    """Makes objects of Tellegen and NumPy."""

    def find_class(self, module: str, name: str, /) -> Any:
        if module.partition(".")[0] in _PACKAGES or (module == "builtins" and name in _BUILTINS):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no data")


def to_bytes(
    record: object,
    *,
    rejected: tuple[type, ...] = (),
    reduced: Mapping[type, Callable[[Any], Any]] | None = None,
    most: int,
) -> bytes:
    """A record as bytes, `most` of them; NotKeptError where it is larger, or leads to a type that is rejected.

    `reduced` says of types what pickle is to write for them, as __reduce__ does.
    """
    buffer = _Buffer(most)
    try:
        _Writer(buffer, rejected, reduced or {}).dump(record)
    except (NotKeptError, RecursionError):
        raise NotKeptError from None
    except Exception as error:  # pickle raises a family of unrelated classes
        raise NotKeptError from error
    return buffer.getvalue()


def from_bytes(data: bytes) -> Any:
    """The record; NotKeptError where the bytes are none of this version's."""
    try:
        with collection_paused():
            return _Reader(io.BytesIO(data)).load()
    except Exception as error:  # a damaged pickle may raise anything
        raise NotKeptError from error


def kept_record(path: Path) -> Any:
    """The record that a file holds; None where there is none that can be read."""
    data = kept(path)
    if data is None:
        return None
    try:
        return from_bytes(data)
    except NotKeptError:
        return None
