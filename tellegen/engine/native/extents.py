"""Where the arrays begin and end that Python hands to native code; only kept with TELLEGEN_CHECK_BOUNDS=1.

Allocations count, not arrays: native code may go from one view of an allocation to another.
"""

from __future__ import annotations

import ctypes
import os
import sys
import weakref
from typing import Any

import numpy as np

from tellegen.ir.source_location import SourceLocation


class Extents:
    """The allocations of all arrays that are alive, as a record for procedures/bounds.py."""

    def __init__(self) -> None:
        self._end: dict[int, int] = {}  # of each allocation, by its begin
        self._sorted = np.zeros((2, 0), np.int64)
        self._failed = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(self._fail)
        self.words = np.zeros(4, np.int64)
        self.words[3] = ctypes.cast(self._failed, ctypes.c_void_p).value or 0
        self.places: list[tuple[str, SourceLocation]] = []

    @property
    def address(self) -> int:
        """Where native code finds the record."""
        return self.words.ctypes.data

    def know(self, array: Any) -> None:
        """Remember the allocation of an array as long as it lives."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        begin = owner.ctypes.data
        if not owner.nbytes or self._end.get(begin) == begin + owner.nbytes:
            return
        self._end[begin] = begin + owner.nbytes
        weakref.finalize(owner, self._forget, begin).atexit = False
        self._sort()

    def _forget(self, begin: int) -> None:
        self._end.pop(begin, None)
        self._sort()

    def _sort(self) -> None:
        """Write the record again; an array may be forgotten meanwhile, whenever Python collects garbage."""
        known: list[tuple[int, int]] | None = None
        while known != (now := sorted(self._end.copy().items())):
            known = now
            self._sorted = np.array(known, np.int64).reshape(-1, 2).T.copy()
            self.words[:3] = len(known), self._sorted[0].ctypes.data, self._sorted[1].ctypes.data

    def _fail(self, place: int, position: int, length: int) -> None:
        """End the process before memory is damaged: native code cannot be left in any other way."""
        procedure, location = self.places[place]
        print(
            f"tellegen: {procedure} at {location} uses element {position} of an array of {length}:\n"
            f"    {location.source()}",
            file=sys.stderr,
            flush=True,
        )
        os.abort()


EXTENTS = Extents() if os.environ.get("TELLEGEN_CHECK_BOUNDS", "0") != "0" else None
"""None where bounds are not checked, which is the rule."""
