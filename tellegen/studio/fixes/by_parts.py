"""Fixes on the sheet: a part that is missing, a line that must not be, a value that cannot be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tellegen.studio.document.diagram import Diagram, Part, Wire
from tellegen.studio.document.operations import (
    AddConnected,
    AddPart,
    Disconnect,
    PutBetween,
    RemoveParts,
    RenamePart,
    SetArgument,
)
from tellegen.studio.library.shapes import ClassShape, PortShape, Shapes
from tellegen.studio.messages.diagnostic import Diagnostic, Fix

REFERENCES = (
    "electrical.Ground",
    "rotational.Fixed",
    "translational.Fixed",
    "thermal.FixedTemperature",
    "magnetic.Ground",
)
"""What fixes the potential of a network, by domain."""
WORLD = "multibody.World"
CONSTANT = "blocks.Constant"
GAIN = "blocks.Gain"
BELOW = (72, 104)
"""Where a new part stands, from the one that it is for."""
MOST_DRIVERS = 3


class Sheet:
    """A message, and the diagram with the shapes of its parts."""

    def __init__(self, found: Diagnostic, diagram: Diagram, library: Shapes) -> None:
        self.found = found
        self.diagram = diagram
        self.library = library

    def shape(self, part: Part) -> ClassShape | None:
        """The shape of a part."""
        return self.diagram.shapes.get(part.cls) or self.library.get(part.cls)

    def port(self, path: str) -> tuple[Part, PortShape] | None:
        """A port of a part on the sheet, by its path."""
        name, _, port = path.partition(".")
        part = self.diagram.part(name)
        shape = self.shape(part) if part is not None else None
        found = shape.port(port) if shape is not None else None
        return (part, found) if part is not None and found is not None else None

    def wires(self, *ends: str) -> list[Wire]:
        """The lines that can be edited and have all of these ends."""
        return [wire for wire in self.diagram.wires if not wire.fixed and set(ends) <= set(wire.ends)]

    def argument(self, part: str, name: str, line: int = 0) -> tuple[Part, str] | None:
        """A part that is given a parameter, and the default of that; the part may be known by its line alone."""
        rows = [row for row in self.diagram.parts if row.name == part or (not part and line and row.line == line)]
        for row in rows:
            shape = self.shape(row)
            default = next((known.value for known in shape.parameters if known.name == name), "") if shape else ""
            if name in row.arguments and not row.fixed and default:
                return row, default
        return None


def part_fixes(found: Diagnostic, diagram: Diagram, library: Shapes) -> Iterator[Fix]:
    """What can be done about a message by an operation on parts or lines."""
    rule = RULES.get(found.code)
    if rule is not None:
        yield from rule(Sheet(found, diagram, library))


def _reference(sheet: Sheet) -> Iterator[Fix]:
    """E210: a reference of the domain, at the port that the message names or at one called n."""
    ports = [place for path in sheet.found.about if (place := sheet.port(path)) is not None]
    parts = [part for path in sheet.found.about if (part := sheet.diagram.part(path)) is not None]
    ports += [place for part in parts for place in _all_ports(part, sheet)]
    ports.sort(key=lambda place: place[1].name != "n")
    for part, port in ports:
        for key in REFERENCES:
            reference = sheet.library[key]
            other = reference.ports[0]
            if (other.type, other.colour) == (port.type, port.colour) and port.role == "port":
                yield _connected(key, other.name, part, port)
                return


def _all_ports(part: Part, sheet: Sheet) -> Iterator[tuple[Part, PortShape]]:
    shape = sheet.shape(part)
    if shape is not None:
        yield from ((part, port) for port in shape.ports if not port.only_if)


def _connected(cls: str, port: str, part: Part, at: PortShape) -> Fix:
    path = f"{part.name}.{at.name}"
    name = cls.partition(".")[2]
    place = (part.place.x + BELOW[0], part.place.y + BELOW[1])
    return Fix(f"Add {_article(name)} {name} at {path}", AddConnected(cls, port, path, *place))


def _article(name: str) -> str:
    return "an" if name[:1] in "AEIO" else "a"


def _world(sheet: Sheet) -> Iterator[Fix]:
    """E217: the one World."""
    worlds = [part.name for part in sheet.diagram.parts if part.cls == WORLD]
    if worlds:
        yield from (Fix(f"Remove {name}", RemoveParts((name,))) for name in worlds[1:])
        return
    left = min((part.place.x for part in sheet.diagram.parts), default=0)
    top = min((part.place.y for part in sheet.diagram.parts), default=0)
    yield Fix("Add a World", AddPart(WORLD, "world", left - 136, top))


def _input(sheet: Sheet) -> Iterator[Fix]:
    """E172: a constant signal at an input."""
    named = re.search(r"input '([\w.]+)' is not connected", sheet.found.message)
    place = sheet.port(named[1]) if named else None
    if place is not None and place[1].role == "input":
        part, port = place
        at = (part.place.x - 120, part.place.y)
        path = f"{part.name}.{port.name}"
        yield Fix(f"Add a Constant at {path}", AddConnected(CONSTANT, "y", path, *at))


def _outputs(sheet: Sheet) -> Iterator[Fix]:
    """E170: all lines to an input but one."""
    outputs = [path for path in sheet.found.about if (place := sheet.port(path)) and place[1].role == "output"]
    inputs = [path for path in sheet.found.about if (place := sheet.port(path)) and place[1].role == "input"]
    for output in outputs:
        for wire in [wire for end in inputs for wire in sheet.wires(output, end)]:
            yield Fix(f"Remove the line from {output}", Disconnect(wire.number, output))


def _domains(sheet: Sheet) -> Iterator[Fix]:
    """E130: the line between ports of different domains; between signals of different units a factor may be missing."""
    ends = [path for path in sheet.found.about if "." in path][:2]
    roles = {place[1].role: path for path in ends if (place := sheet.port(path)) is not None}
    for wire in sheet.wires(*ends) if len(ends) == 2 else []:
        if set(roles) == {"input", "output"}:
            between = PutBetween(GAIN, "u", "y", wire.number, roles["output"], roles["input"])
            yield Fix(f"Put a Gain between {roles['output']} and {roles['input']}", between)
        yield Fix(f"Remove the line between {ends[0]} and {ends[1]}", Disconnect(wire.number, ends[1]))


def _drivers(sheet: Sheet) -> Iterator[Fix]:
    """E207, E208: one of the sources that contradict each other."""
    for name in dict.fromkeys(sheet.found.about):
        part = sheet.diagram.part(name)
        if part is not None and not part.fixed and len(set(sheet.found.about)) <= MOST_DRIVERS + 1:
            yield Fix(f"Remove {name}", RemoveParts((name,)))


def _open_port(sheet: Sheet) -> Iterator[Fix]:
    """E214: without its heat port, or with a temperature at it."""
    named = re.search(r"'(\w+)\.(\w+)' is not connected", sheet.found.message)
    part = sheet.diagram.part(named[1]) if named else None
    switch = re.search(r"(\w+)=False", sheet.found.advice)
    if part is not None and switch and not part.fixed:
        yield Fix(f"Set {switch[1]} of {part.name} to False", SetArgument(part.name, switch[1], "False"))
    place = sheet.port(f"{named[1]}.{named[2]}") if named else None
    if place is not None and place[1].type == "HeatPort":
        yield _connected("thermal.FixedTemperature", "port", *place)


def _value(sheet: Sheet) -> Iterator[Fix]:
    """E121, E156: the default instead of a value that cannot be."""
    beyond = re.search(r"parameter '(\w+)\.(\w+)' is", sheet.found.message)
    other = re.match(r"'(\w+)' of \w+: .*measures something else", sheet.found.message)
    given = sheet.argument(beyond[1], beyond[2]) if beyond else None
    given = given or (sheet.argument("", other[1], sheet.found.line) if other else None)
    name = beyond[2] if beyond else other[1] if other else ""
    if given is not None:
        part, default = given
        yield Fix(f"Set {name} of {part.name} to its default, {default}", SetArgument(part.name, name, ""))


def _disabled(sheet: Sheet) -> Iterator[Fix]:
    """A warning: a line to a port that is switched off."""
    named = re.search(r"'(\w+)\.\w+' is disabled.*\((\w+)=True\)", sheet.found.message)
    part = sheet.diagram.part(named[1]) if named else None
    if named and part is not None and not part.fixed:
        yield Fix(f"Set {named[2]} of {part.name} to True", SetArgument(part.name, named[2], "True"))


def _reserved(sheet: Sheet) -> Iterator[Fix]:
    """E102: another name."""
    named = re.match(r"'(\w+)' cannot name a member", sheet.found.message)
    part = sheet.diagram.part(named[1]) if named else None
    if part is not None and not part.fixed:
        taken = {row.name for row in sheet.diagram.parts}
        plain = part.name.strip("_") or "part"
        new = plain if plain != part.name and plain not in taken else f"{plain}_1"
        yield Fix(f"Rename it to {new}", RenamePart(part.name, new))


RULES: dict[str, Callable[[Sheet], Iterator[Fix]]] = {
    "E102": _reserved,
    "E121": _value,
    "E130": _domains,
    "E156": _value,
    "E170": _outputs,
    "E172": _input,
    "E207": _drivers,
    "E208": _drivers,
    "E210": _reference,
    "E214": _open_port,
    "E217": _world,
    "": _disabled,
}
