"""Matrices of numbers in files of NumPy and MATLAB, read with every length checked.

A damaged file is a ValueError, whatever the damage: no length that a file states is believed before it is compared with
what the file holds. (scipy.io.loadmat ends the process on some damaged files.) The formats of MATLAB are its versions 4
and 5; what is not a real matrix of numbers is left out.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Matrix = np.ndarray[Any, Any]

_LARGEST = 2**31  # bytes of a matrix after decompression
_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
"""Types of numbers in elements of MATLAB 5."""
_MATRIX = 14
_COMPRESSED = 15
_NUMERIC_CLASSES = range(6, 16)  # double ... uint64; before them cells, structures, objects, text and sparse matrices
_COMPLEX = 0x0800
_OLD_NUMBERS = ("f8", "f4", "i4", "i2", "u2", "u1")
"""Types of numbers in MATLAB 4, by the third digit of its type."""


def read_npy(content: bytes) -> Matrix:
    """The array of a .npy file."""
    stream = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, kind = header(stream)
    except Exception as error:  # the header is an expression of Python: damaged, it raises almost anything
        raise ValueError(f"it is damaged ({error})") from None
    if kind.kind not in "biuf":
        raise ValueError(f"its elements are not numbers but {kind}")
    return _numbers(stream.read(), kind, shape, "F" if by_columns else "C")


def read_npz(path: Path) -> dict[str, Matrix]:
    """The arrays of a .npz file by name."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(each.file_size for each in archive.infolist()) > _LARGEST:
                raise ValueError("it is too large")
            parts = {name: archive.read(name) for name in archive.namelist() if name.endswith(".npy")}
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(f"it is damaged ({error})") from None
    return {name.removesuffix(".npy"): read_npy(content) for name, content in parts.items()}


def read_mat(content: bytes) -> dict[str, Matrix]:
    """The real matrices of a MATLAB file by name."""
    if content[:4] == b"\x89HDF" or content[512:516] == b"\x89HDF":
        raise ValueError("it is a MATLAB file of version 7.3; save it with -v7")
    if len(content) >= 128 and content[126:128] in (b"IM", b"MI"):
        return dict(_MatlabFile(content, "<" if content[126:128] == b"IM" else ">").matrices())
    return dict(_old_matrices(content))


def _numbers(content: bytes, kind: Any, shape: tuple[int, ...], order: Any) -> Matrix:
    """An array of as many bytes as its shape wants; more may follow."""
    count = 1
    for length in shape:
        if length < 0:
            raise ValueError("it is damaged: a length is negative")
        count *= length
    if count * np.dtype(kind).itemsize > len(content):
        raise ValueError("it is damaged: it ends too early")
    return np.frombuffer(content, kind, count).reshape(shape, order=order)


@dataclass(frozen=True)
class _Element:
    """A piece of a MATLAB 5 file: its type and its bytes."""

    kind: int
    content: bytes


@dataclass(frozen=True)
class _MatlabFile:
    """A file of MATLAB 5: a header, then elements, matrices being elements of elements."""

    content: bytes
    order: str  # of bytes, as struct writes it

    def matrices(self) -> Iterator[tuple[str, Matrix]]:
        """Names and numbers."""
        for element in self._elements(self.content[128:]):
            inner = [element]
            if element.kind == _COMPRESSED:
                inner = list(self._elements(_decompressed(element.content)))
            for each in inner:
                if each.kind == _MATRIX and (found := self._matrix(each.content)) is not None:
                    yield found

    def _elements(self, content: bytes) -> Iterator[_Element]:
        """The elements one after the other, each at a multiple of 8 bytes but after compressed ones."""
        at = 0
        while at + 8 <= len(content):
            first, size = struct.unpack_from(f"{self.order}II", content, at)
            start = at + 8
            kind = first
            if first >> 16:  # a small element: type and size share a word, the content is in the other
                kind = first & 0xFFFF
                size = first >> 16
                start = at + 4
                if size > 4:
                    raise ValueError("it is damaged: an element is longer than its place")
            if start + size > len(content):
                raise ValueError("it is damaged: it ends too early")
            yield _Element(kind, content[start : start + size])
            end = max(start + size, at + 8)
            at = end if kind == _COMPRESSED else end + -end % 8

    def _matrix(self, content: bytes) -> tuple[str, Matrix] | None:
        """Flags, dimensions, name, numbers; none where it is something else than a real matrix."""
        parts = list(self._elements(content))
        if len(parts) < 4 or len(parts[0].content) < 8 or len(parts[1].content) % 4:
            return None
        (flags,) = struct.unpack_from(f"{self.order}I", parts[0].content)
        if flags & 0xFF not in _NUMERIC_CLASSES or flags & _COMPLEX or parts[3].kind not in _NUMBERS:
            return None
        shape = struct.unpack(f"{self.order}{len(parts[1].content) // 4}i", parts[1].content)
        kind = np.dtype(self.order + _NUMBERS[parts[3].kind])
        return parts[2].content.decode("latin-1"), _numbers(parts[3].content, kind, shape, "F")


def _decompressed(content: bytes) -> bytes:
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(content, _LARGEST)
    except zlib.error as error:
        raise ValueError(f"it is damaged ({error})") from None
    if not stream.eof:
        raise ValueError("it is damaged: it ends too early")
    return found


def _old_matrices(content: bytes) -> Iterator[tuple[str, Matrix]]:
    """Matrices of a file of MATLAB 4: a type of decimal digits, sizes, a name, numbers."""
    at = 0
    while at < len(content):
        if at + 20 > len(content):
            raise ValueError("it is not a MATLAB file, or damaged")
        order = "<" if struct.unpack_from("<i", content, at)[0] in range(5000) else ">"
        kind, rows, columns, imaginary, letters = struct.unpack_from(f"{order}5i", content, at)
        digit = kind // 10 % 10
        if kind not in range(5000) or digit >= len(_OLD_NUMBERS) or kind % 10 > 2 or min(rows, columns, letters) < 0:
            raise ValueError("it is not a MATLAB file, or damaged")
        number = np.dtype(order + _OLD_NUMBERS[digit])
        name = content[at + 20 : at + 20 + letters].rstrip(b"\0").decode("latin-1")
        start = at + 20 + letters
        matrix = _numbers(content[start:], number, (rows, columns), "F")
        if kind % 10 == 0 and not imaginary:
            yield name, matrix
        at = start + matrix.nbytes * (2 if imaginary else 1)
