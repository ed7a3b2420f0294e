"""The arrays that Python objects own, by address: what addresses in native records may point into."""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from tellegen.engine.native.record import address_of
from tellegen.ir.flat import FlatModel
from tellegen.ir.reduced import ReducedModel

_NO_OWNERS = (type, ModuleType, FunctionType, BuiltinFunctionType, str, bytes, int, float, FlatModel, ReducedModel)
"""Objects of which nothing that native code reads is asked for, and that lead everywhere."""


class Found(NamedTuple):
    """An array, by its number, and the position of a byte in it."""

    number: int
    offset: int


class Allocations:
    """Arrays that own their memory, found from some objects."""

    def __init__(self, owners: Iterable[Any]) -> None:
        found = {address_of(array): array for array in _arrays(owners)}
        self._begin = sorted(address for address, array in found.items() if array.nbytes)
        self.arrays = [found[address] for address in self._begin]
        self.empty = {address for address, array in found.items() if not array.nbytes}

    def at(self, address: int) -> Found | None:
        """The array that an address is in."""
        number = bisect_right(self._begin, address) - 1
        if number < 0:
            return None
        offset = address - self._begin[number]
        return Found(number, offset) if offset < self.arrays[number].nbytes else None


def _arrays(owners: Iterable[Any]) -> list[np.ndarray[Any, Any]]:
    """All arrays that can be reached from objects, those that own memory rather than views of it."""
    seen: set[int] = set()
    waiting = list(owners)
    found: list[np.ndarray[Any, Any]] = []
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, _NO_OWNERS):
            continue
        seen.add(id(each))
        if isinstance(each, np.ndarray):
            while isinstance(each.base, np.ndarray):
                each = each.base
            found.append(each)
        else:
            waiting.extend(gc.get_referents(each))
    return found
