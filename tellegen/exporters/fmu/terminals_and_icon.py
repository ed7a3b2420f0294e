"""The connectors of a model as terminals of an FMU, and its icon: a box with a mark for each of them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

import numpy as np

from tellegen.fmi.terminals import Terminal, TerminalMember
from tellegen.ir.model import Kind, Port, Variable

_KINDS = {"through": "inflow"}
"""What FMI calls roles of variables; all others are signals."""
_STREAMS = ("stream", "inflow")
_SIDE = 200  # of the icon
_INK = (0x33, 0x66, 0xAA)
_PAPER = (0xFF, 0xFF, 0xFF)


def terminals_of(kind: Kind, names: set[str]) -> tuple[Terminal, ...]:
    """The connectors of the class of a model; of their members those that are variables of the FMU."""
    found = (_terminal(kind, port, number, names) for port in kind.ports for number in range(port.count))
    return tuple(terminal for terminal in found if terminal is not None)


def _terminal(kind: Kind, port: Port, number: int, names: set[str]) -> Terminal | None:
    """One connector; None for a signal, which is a variable and needs no terminal, and where nothing is left of it."""
    members = []
    for index in port.variables:
        variable = kind.variables[index]
        members += [
            TerminalMember(
                name, name.removeprefix(f"{port.element_name(number)}."), _KINDS.get(variable.role, "signal")
            )
            for name in _element_names(variable, number)
            if name in names and name != port.name and variable.role not in _STREAMS
        ]
    if not members:
        return None
    return Terminal(port.element_name(number), tuple(members), kind=port.family)


def _element_names(variable: Variable, number: int) -> Iterator[str]:
    """The names of a member of connector `number`, as an array and its elements."""
    size = variable.size // max(variable.array, 1)
    first = variable.element_name(number * size)
    if variable.shape:
        yield first[: first.rindex("[")]
    yield from (variable.element_name(number * size + k) for k in range(size))


@dataclass(frozen=True)
class _Rectangle:
    """Of the icon: corners in pixels from the upper left, and whether it is filled with ink or paper."""

    left: int
    top: int
    right: int
    bottom: int
    is_ink: bool = True


@dataclass(frozen=True)
class Icon:
    """A box with the name of a model, inputs at its left, outputs and connectors at its right."""

    name: str
    left: int
    right: int

    @staticmethod
    def of(name: str, kind: Kind) -> Icon:
        """Of a class."""
        inputs = sum(port.count for port in kind.ports if port.connector == "input")
        return Icon(name, inputs, sum(port.count for port in kind.ports) - inputs)

    def _rectangles(self) -> Iterator[_Rectangle]:
        yield _Rectangle(20, 20, 180, 180)
        yield _Rectangle(25, 25, 175, 175, is_ink=False)
        for count, left in ((self.left, 5), (self.right, 180)):
            for k in range(count):
                middle = round(20 + 160 * (k + 0.5) / count)
                yield _Rectangle(left, middle - 6, left + 15, middle + 6)

    def svg(self) -> str:
        """The icon with its name."""
        shapes = "".join(
            f'<rect x="{each.left}" y="{each.top}" width="{each.right - each.left}" height="{each.bottom - each.top}" '
            f'fill="{_colour(_INK if each.is_ink else _PAPER)}"/>'
            for each in self._rectangles()
        )
        size = min(32, 240 // max(len(self.name), 1))
        text = f'<text x="100" y="108" font-family="sans-serif" font-size="{size}" text-anchor="middle">'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIDE} {_SIDE}">'
        return f"{head}{shapes}{text}{escape(self.name)}</text></svg>\n"

    def png(self) -> bytes:
        """The icon without text."""
        pixels = np.full((_SIDE, _SIDE, 3), 0xFF, np.uint8)
        for each in self._rectangles():
            pixels[each.top : each.bottom, each.left : each.right] = _INK if each.is_ink else _PAPER
        rows = np.concatenate([np.zeros((_SIDE, 1), np.uint8), pixels.reshape(_SIDE, -1)], axis=1)  # 0: no filter
        header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in chunks)


def _colour(ink: Iterable[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in ink)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
