"""A record and all it refers to, as bytes with relocations.

    word 3 of Instance: the address of an array    ->    relocation: that word is the begin of the image + 4096
    word 2 of an Entry: the address of a function  ->    relocation: that word is the address of symbol 7

Which words are addresses, and of what, is known from the classes of the records (engine/runtime/), so nothing here is
about any of them: a new field, or a new record, needs no change. Arrays are laid out in the order in which they are
found, so that the same model gives the same bytes. Those of zeros alone, work space most of them, come after all
others: nobody has to store them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellegen.engine.native.record import Record
from tellegen.errors import ExportError
from tellegen.exporters.image.allocations import Allocations
from tellegen.ir import procedure as ir
from tellegen.procedures.language import Record as RecordClass
from tellegen.procedures.types import Types

_ALIGNED = 16  # bytes
_WORD = 8  # bytes
_AFTER = 1 << 48
"""Where arrays of zeros begin until it is known how much stands before them."""

Substitutes = Mapping[tuple[str, str], str]
"""The function that stands for one of Python's, by record and field; an empty name where none is called."""


@dataclass(frozen=True, slots=True)
class Relocation:
    """The word at a position is the address of a byte of the image, or of a function by its number."""

    position: int
    target: int
    is_function: bool


@dataclass(frozen=True, eq=False)
class Image:
    """The memory of an instance. `functions` are names of symbols; `begin` is where the root record stands."""

    content: bytes
    size: int
    """Of all of it: zeros follow the content."""
    relocations: tuple[Relocation, ...]
    functions: tuple[str, ...]
    begin: int
    offsets: dict[int, int]  # of arrays in the image, by the address they had

    def offset(self, array: Any) -> int:
        """Where an array of the prepared run stands."""
        return self.offsets[array.ctypes.data] if array.size else 0


class _Writer:
    """Follows addresses from a record, and lays out what it finds."""

    def __init__(self, memory: Allocations, functions: Mapping[int, str], substitutes: Substitutes) -> None:
        self.memory = memory
        self.known_functions = functions
        self.substitutes = substitutes
        self.types = Types()
        self.functions: dict[str, int] = {}
        self.relocations: dict[int, Relocation] = {}
        self.words: set[int] = set()  # places of addresses, those included that mean nothing outside of this process
        self.places: dict[int, int] = {}  # of arrays, by their number
        self.size = 0  # bytes of arrays with numbers
        self.zeros = 0  # bytes of arrays without
        self._visited: set[tuple[int, ir.Type]] = set()
        self._waiting: list[tuple[int, ir.Type]] = []

    def record(self, address: int, kind: ir.Type) -> int:
        """Lay out a record with everything it refers to; its place."""
        place = self.place_of(address)
        assert place is not None
        self._waiting.append((address, kind))
        while self._waiting:
            self._follow(*self._waiting.pop())
        return place

    def place_of(self, address: int) -> int | None:
        """The place in the image of what stands at an address; None where no array is there."""
        found = self.memory.at(address)
        if found is None:
            return None
        if found.number not in self.places:
            self.places[found.number] = self._new_place(self.memory.arrays[found.number])
        return self.places[found.number] + found.offset

    def _new_place(self, array: Any) -> int:
        room = -(-array.nbytes // _ALIGNED) * _ALIGNED
        if array.any():
            self.size += room
            return self.size - room
        self.zeros += room
        return _AFTER + self.zeros - room

    def final(self, place: int) -> int:
        """A place, now that everything is laid out."""
        return place if place < _AFTER else place - _AFTER + self.size

    def _follow(self, address: int, kind: ir.Type) -> None:
        """The words of a record, or of all elements of an array from an address on."""
        if (address, kind) in self._visited:
            return
        self._visited.add((address, kind))
        if isinstance(kind, ir.RecordOf):
            self._fields(address, kind.name)
        elif isinstance(kind, ir.ArrayOf) and isinstance(kind.element, ir.RecordOf):
            width = _WORD * len(self.types.layout(kind.element.name).fields)
            for k in range(self._rest(address) // width):
                self._fields(address + k * width, kind.element.name)
        elif isinstance(kind, ir.ArrayOf) and isinstance(kind.element, ir.FunctionOf):
            for k in range(self._rest(address) // _WORD):
                self._word(address + k * _WORD, kind.element, "calls", str(k))
        elif kind == ir.ADDRESS:
            self._untyped(address)

    def _fields(self, address: int, name: str) -> None:
        for k, (field, kind) in enumerate(self.types.layout(name).fields.items()):
            if ir.is_pointer(kind):
                self._word(address + k * _WORD, kind, name, field)

    def _rest(self, address: int) -> int:
        """Bytes from an address to the end of its array."""
        found = self.memory.at(address)
        assert found is not None
        return self.memory.arrays[found.number].nbytes - found.offset

    def _value(self, address: int) -> int:
        """The word at an address."""
        found = self.memory.at(address)
        assert found is not None
        array = self.memory.arrays[found.number]
        return int(array.reshape(-1).view(np.int64)[found.offset // _WORD])

    def _word(self, at: int, kind: ir.Type, record: str, field: str) -> None:
        """A word that is an address."""
        value = self._value(at)
        position = self.place_of(at)
        assert position is not None
        self.words.add(position)
        if value == 0 or value in self.memory.empty:
            return
        if isinstance(kind, ir.FunctionOf):
            name = self.substitutes.get((record, field), self.known_functions.get(value))
            if name is None:
                raise ExportError(
                    "E446", f"the model cannot be exported: '{field}' of {record} is a function in Python"
                )
            if name:
                number = self.functions.setdefault(name, len(self.functions))
                self.relocations[position] = Relocation(position, number, True)
            return
        target = self.place_of(value)
        if target is None:
            raise ExportError("E446", f"the model cannot be exported: nobody owns what '{field}' of {record} refers to")
        self.relocations[position] = Relocation(position, target, False)
        self._waiting.append((value, kind))

    def _untyped(self, address: int) -> None:
        """What an entry is given: a table of pairs (codegen/llvm.py), or the record of a kernel that stands for one.

        Words that are addresses of functions, or of anything that is known, are such addresses: numbers are not that
        large, and as integers doubles are larger.
        """
        found = self.memory.at(address)
        assert found is not None
        array = self.memory.arrays[found.number]
        if array.dtype != np.int64:
            return
        for k, value in enumerate(array.ravel().tolist()):
            at = address - found.offset + k * _WORD
            if value in self.known_functions:
                self._word(at, ir.FunctionOf((), None), "tables", str(k))
            elif self.memory.at(value) is not None or value in self.memory.empty:
                self._word(at, ir.ADDRESS, "tables", str(k))

    def content(self) -> bytes:
        """The arrays with numbers in their places, with zero where addresses will stand."""
        out = bytearray(self.size)
        for number, place in self.places.items():
            if place >= _AFTER:
                continue
            data = np.ascontiguousarray(self.memory.arrays[number]).tobytes()
            out[place : place + len(data)] = data
        for position in self.words:
            if position < _AFTER:
                out[position : position + _WORD] = bytes(_WORD)
        return bytes(out)


def image_of(
    root: Record,
    kind: type[RecordClass],
    owners: tuple[Any, ...],
    functions: Mapping[int, str],
    substitutes: Substitutes,
) -> Image:
    """The image of a record of a class; functions by address, and what stands for those that are Python's."""
    writer = _Writer(Allocations((root, *owners)), functions, substitutes)
    known = writer.types.of(kind, {})
    assert known is not None
    begin = writer.record(root.address, known)
    ordered = tuple(
        each if each.is_function else replace(each, target=writer.final(each.target))
        for _, each in sorted(writer.relocations.items())
    )
    offsets = {writer.memory.arrays[number].ctypes.data: writer.final(at) for number, at in writer.places.items()}
    size = writer.size + writer.zeros
    return Image(writer.content(), size, ordered, tuple(writer.functions), begin, offsets)
