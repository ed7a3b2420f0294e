"""A model class as the sheet shows it: parts, their places, wires and parameters, as plain data."""

from __future__ import annotations

from collections.abc import Mapping

from tellegen.start.records import dataclass
from tellegen.studio.document.layout_file import Place
from tellegen.studio.library.shapes import ClassShape, ParameterShape


@dataclass(frozen=True)
class Part:
    """A part, or a port of the class itself (`port`); `fixed` says why the text of it cannot be edited here."""

    name: str
    cls: str
    """The key of its shape."""
    written: str
    arguments: Mapping[str, str]
    line: int
    place: Place
    port: bool = False
    fixed: str = ""
    count: str = ""
    """How many there are, of an array: `4`, or a parameter of the class."""
    condition: str = ""
    """What a conditional part exists for."""


@dataclass(frozen=True)
class Wire:
    """A connection: the paths of its ends, as `motor.p`; `fixed` as for parts."""

    number: int
    ends: tuple[str, ...]
    line: int
    fixed: str = ""
    equation: str = ""
    """Of an input that an equation gives: what it is equal to. The other end, if any, is a variable of a part."""


@dataclass(frozen=True)
class Note:
    """A text on the sheet; its name is `#1`, `#2`, ..."""

    name: str
    place: Place


@dataclass(frozen=True)
class Diagram:
    """One class of a file. `shapes` are those of classes that are not in the library."""

    cls: str
    headline: str
    parts: tuple[Part, ...]
    wires: tuple[Wire, ...]
    parameters: tuple[ParameterShape, ...]
    shapes: Mapping[str, ClassShape]
    notes: tuple[Note, ...] = ()

    def part(self, name: str) -> Part | None:
        """The part of a name."""
        return next((part for part in self.parts if part.name == name), None)
