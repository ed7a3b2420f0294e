"""Checks of array accesses in native code, for a debug build of the runtime.

    x[i] = 0.0      ->      check_access(extents, address of x, 8*i, 8, place); x[i] = 0.0

An array is an address, and nobody knows how many elements there are. The extents do: where each allocation known to
Python begins and ends. An access through an address inside one of them has to stay inside it; addresses of other
libraries are not checked. Local arrays and constant arrays have a length of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tellegen.ir.source_location import SourceLocation
from tellegen.procedures.language import Array, Record, i64, procedure
from tellegen.start.records import dataclass


class ExtentsRecord(Record):
    """Allocations in the order of their addresses, and what is called when an access is outside."""

    count: i64
    begin: Array[i64]
    end: Array[i64]
    failed: Callable[[i64, i64, i64], None]


@procedure
def check_access(extents: ExtentsRecord, base: i64, offset: i64, size: i64, place: i64) -> None:
    """`size` bytes at `offset` from an address have to be in the allocation in which the address is."""
    low = 0
    high = extents.count
    while low < high:
        middle = (low + high) // 2
        if extents.begin[middle] <= base:
            low = middle + 1
        else:
            high = middle
    if low == 0 or base > extents.end[low - 1]:
        return
    position = base + offset - extents.begin[low - 1]
    length = extents.end[low - 1] - extents.begin[low - 1]
    if position < 0 or position + size > length:
        extents.failed(place, position // size, length // size)


@procedure
def check_index(extents: ExtentsRecord, index: i64, length: i64, place: i64) -> None:
    """An index of an array whose length is known."""
    if index < 0 or index >= length:
        extents.failed(place, index, length)


@dataclass
class Guard:
    """The compiled checks, the address of the extents, and the places in procedures that call them."""

    access: int
    index: int
    extents: int
    places: list[tuple[str, SourceLocation]] = field(default_factory=list)

    def place(self, procedure: str, location: SourceLocation) -> int:
        """The number of a place."""
        self.places.append((procedure, location))
        return len(self.places) - 1

    def access_call(self, base: str, offset: str, size: int, place: int) -> str:
        """The instruction that checks an access through an address."""
        return f"call void {_pointer(self.access)}({self._extents}, i64 {base}, i64 {offset}, i64 {size}, i64 {place})"

    def index_call(self, index: str, length: int, place: int) -> str:
        """The instruction that checks an index."""
        return f"call void {_pointer(self.index)}({self._extents}, i64 {index}, i64 {length}, i64 {place})"

    @property
    def _extents(self) -> str:
        return f"ptr {_pointer(self.extents)}"


def _pointer(address: int) -> str:
    return f"inttoptr (i64 {address} to ptr)"
