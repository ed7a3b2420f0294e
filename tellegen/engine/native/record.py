"""Records that Python shares with native code: 64-bit words with names.

A word is an address, a count or a double, so no compiler's layout rules are involved. A class of procedures
(tellegen/procedures/language.py: Record) declares the names and types.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

import numpy as np

from tellegen.engine.native.extents import EXTENTS
from tellegen.ir.model import FloatArray


def address_of(array: Any) -> int:
    """Where an array's numbers are; the usual ways to ask cost a microsecond."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError, BufferError):  # empty, or not to be written to
        return array.__array_interface__["data"][0]


def callback(prototype: Any, method: Callable[..., Any]) -> Any:
    """A method as a function that native code calls. It does not keep its object alive, since that is what keeps it."""
    weak = WeakMethod(method)

    def called(*arguments: Any) -> Any:
        bound = weak()
        assert bound is not None
        return bound(*arguments)

    return prototype(called)


class Record:
    """64-bit words by name, in memory that does not move; arrays given as values stay alive with it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.number = {name: k for k, name in enumerate(names)}
        self.words = np.zeros(len(names), np.int64)
        self.doubles = self.words.view(np.float64)
        self.address: int = self.words.ctypes.data
        self.integers = self.words.data  # read and written in half the time of NumPy's
        self.floats: Any = self.doubles.data  # NumPy's types say integers
        self.kept: dict[str, Any] = {}

    def set(self, **values: Any) -> None:
        """Integers as they are, arrays by address."""
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                self._refer(name, value)
            else:
                self.kept[name] = value
                self.integers[self.number[name]] = value

    def refer(self, **arrays: FloatArray) -> None:
        """Arrays by address, which takes a microsecond where they are not the same as before."""
        for name, array in arrays.items():
            if self.kept.get(name) is not array:
                self._refer(name, array)

    def _refer(self, name: str, array: FloatArray) -> None:
        self.kept[name] = array
        if EXTENTS is not None:
            EXTENTS.know(array)
        self.integers[self.number[name]] = address_of(array)

    def put(self, **values: float) -> None:
        """Words that are doubles."""
        for name, value in values.items():
            self.doubles[self.number[name]] = value

    def get(self, name: str) -> int:
        """A word that is an integer."""
        return self.integers[self.number[name]]

    def get_double(self, name: str) -> float:
        """A word that is a double."""
        return self.floats[self.number[name]]
