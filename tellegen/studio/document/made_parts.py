"""Parts and connections that code makes: known once the model was built, drawn beside those that stand in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tellegen.class_reference import Row, sides_of_rows
from tellegen.class_reference.symbol import OTHER
from tellegen.start.records import dataclass
from tellegen.studio.document.diagram import Diagram, Wire
from tellegen.studio.library.shapes import ClassShape, Shapes, height_of, placed_ports

BY_CODE = "made by code"


@dataclass(frozen=True)
class MadePort:
    """A port of a part that was built: `role` is port, input or output, `type` the connector."""

    name: str
    role: str
    type: str


@dataclass(frozen=True)
class MadePart:
    """A child of the model that was built; an array is one part."""

    name: str
    cls: str
    """Its key in the library, or the name of its class."""
    ports: tuple[MadePort, ...]
    line: int


@dataclass(frozen=True)
class Structure:
    """What a model has once it is built: all of its children, and pairs of ports that are connected."""

    parts: tuple[MadePart, ...] = ()
    pairs: tuple[tuple[str, ...], ...] = ()


NOTHING = Structure()


def shape_of_made(part: MadePart, library: Shapes) -> ClassShape:
    """A box with the ports that the part has, in the colours of their connectors."""
    colours = {shape.name: shape.colour for shape in library.values() if shape.connector}
    sides = sides_of_rows([Row(port.name, port.role, port.type) for port in part.ports])
    ports = placed_ports(sides, {port.name: colours.get(port.type, OTHER) for port in part.ports})
    return ClassShape(part.cls, "", "", ports, (), "", True, height_of(sides), OTHER)


def beyond_text(structure: Structure, diagram: Diagram) -> Structure:
    """What code alone has made: a part or line of the text that is removed later must not come back as made by code."""
    known = {part.name for part in diagram.parts if part.fixed != BY_CODE}
    written = tuple(wire for wire in diagram.wires if wire.fixed != BY_CODE and not wire.equation)
    pairs = tuple(wire.ends for wire in made_wires(written, structure.pairs))
    return Structure(tuple(part for part in structure.parts if part.name not in known), pairs)


def made_wires(wires: tuple[Wire, ...], pairs: Iterable[tuple[str, ...]]) -> Iterator[Wire]:
    """Wires for pairs of ports that those of the text do not connect."""
    nets = _Nets()
    for wire in wires:
        known = [_plain(end) for end in wire.ends if end]
        for end in known[1:]:
            nets.join(known[0], end)
    number = len(wires)
    for pair in pairs:
        first, second = (_plain(end) for end in pair)
        if nets.join(first, second):
            yield Wire(number, (first, second), 0, BY_CODE)
            number += 1


def _plain(end: str) -> str:
    """Without indices: an array is drawn as one part."""
    return re.sub(r"\[[^\]]*\]", "", end)


class _Nets:
    """Which ports are connected with each other."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def _root(self, end: str) -> str:
        while (above := self._parent.get(end, end)) != end:
            end = above
        return end

    def join(self, first: str, second: str) -> bool:
        """Whether they were not connected before."""
        one = self._root(first)
        other = self._root(second)
        self._parent[other] = one
        return one != other
