"""The diagram of a class, read from the text of its file. Nothing of the file is run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tellegen.class_reference import Row, sides_of_rows
from tellegen.class_reference.symbol import OTHER
from tellegen.errors import DocumentError, nearest
from tellegen.start.records import dataclass
from tellegen.studio.document.arranging.arrange import arrange
from tellegen.studio.document.arranging.nodes import Node
from tellegen.studio.document.diagram import Diagram, Note, Part, Wire
from tellegen.studio.document.layout_file import Place
from tellegen.studio.document.made_parts import BY_CODE, NOTHING, Structure, made_wires, shape_of_made
from tellegen.studio.document.own_classes import own_shapes
from tellegen.studio.document.text.class_source import ClassSource, Connection, Member, read_class
from tellegen.studio.document.text.equated_inputs import equated_inputs
from tellegen.studio.document.text.origins import origin_of
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.document.text.splice import dotted
from tellegen.studio.library.shapes import ClassShape, Shapes, height_of, placed_ports

NOWHERE = Place(0, 0)
MOST_SOURCES = 4
"""Lines to one input; of more nobody sees what they mean."""
LETTER = 7
"""About the width of a letter of a name."""
VALUE = 100
"""And of a value below it."""


@dataclass(frozen=True)
class _Found:
    """A member and where it was found: in the class itself, or in the one named."""

    member: Member
    inherited: str


def read_diagram(
    file: SourceFile, name: str, library: Shapes, places: Mapping[str, Place], made: Structure = NOTHING
) -> Diagram:
    """The diagram of a class; parts without a place are arranged. `made` is what is known of the model once built."""
    if name in file.builders or (name not in file.classes and origin_of(file.key_of(name))):
        return _of_builder(file, name, library, places, made)
    if name not in file.classes:
        known = file.component_classes()
        raise DocumentError("E898", f"there is no class {name!r} in {file.name}; {nearest(name, known)}")
    own = own_shapes(file, library)
    lines = list(_lineage(file, name))
    wires = tuple(_wires(lines))
    members = {member.name: _Found(member, source.node.name) for source in lines for member in source.members}
    shapes: dict[str, ClassShape] = {}
    parts = [
        part
        for found in members.values()
        if (part := _part(found, name, _Known(file, library, own, wires, shapes))) is not None
    ]
    parts += _made_parts(made, {part.name for part in parts}, _Known(file, library, own, wires, shapes))
    wires += tuple(made_wires(wires, made.pairs))
    wires += tuple(_equated(lines, parts, {**library, **shapes}, len(wires)))
    text = ast.get_docstring(file.classes[name]) or ""
    parameters = own[name].parameters if name in own else ()
    placed = _placed(parts, wires, {**library, **shapes}, places)
    return Diagram(name, text.split("\n")[0], placed, wires, parameters, shapes, _notes(places))


def _of_builder(file: SourceFile, name: str, library: Shapes, places: Mapping[str, Place], made: Structure) -> Diagram:
    """The diagram of a function that makes a model, or of a class of another file: here all of it is made by code."""
    shapes: dict[str, ClassShape] = {}
    wires = tuple(made_wires((), made.pairs))
    parts = _made_parts(made, set(), _Known(file, library, own_shapes(file, library), wires, shapes))
    text = (ast.get_docstring(file.builders[name]) or "") if name in file.builders else ""
    placed = _placed(parts, wires, {**library, **shapes}, places)
    return Diagram(name, text.split("\n")[0], placed, wires, (), shapes, _notes(places))


def _notes(places: Mapping[str, Place]) -> tuple[Note, ...]:
    return tuple(Note(name, place) for name, place in sorted(places.items()) if place.note)


def _made_parts(made: Structure, known: set[str], shapes: _Known) -> list[Part]:
    """Parts that do not stand in the text; a port of the model itself is none."""
    found = []
    for part in made.parts:
        if part.name in known:
            continue
        shape = shapes.library.get(part.cls) or shapes.own.get(part.cls) or shape_of_made(part, shapes.library)
        if shape.key not in shapes.library:
            shapes.used[shape.key] = shape
        found.append(Part(part.name, shape.key, part.cls, {}, part.line, NOWHERE, False, BY_CODE))
    return found


@dataclass(frozen=True)
class _Known:
    """What is needed to know of a part; shapes that are used are added to `used`."""

    file: SourceFile
    library: Shapes
    own: Shapes
    wires: tuple[Wire, ...]
    used: dict[str, ClassShape]


def _lineage(file: SourceFile, name: str, seen: frozenset[str] = frozenset()) -> Iterator[ClassSource]:
    """The class after its bases in the same file."""
    source = read_class(file, name)
    for base in source.node.bases:
        if (text := dotted(base)) in file.classes and text not in seen:
            yield from _lineage(file, text, seen | {name})
    yield source


def _wires(lines: list[ClassSource]) -> Iterator[Wire]:
    """The connections of the class itself, whose numbers edits refer to, and those of its bases: all of them hold."""
    own = lines[-1]
    all_of_them = [(source, connection) for source in (own, *lines[:-1]) for connection in source.connections]
    for number, (source, connection) in enumerate(all_of_them):
        inherited = "" if source is own else f"inherited from {source.node.name}"
        ends = tuple(end.path for end in connection.ends)
        yield Wire(number, ends, connection.node.lineno, inherited or _reason(connection))


def _equated(lines: list[ClassSource], parts: list[Part], shapes: Shapes, number: int) -> Iterator[Wire]:
    """Inputs that equations give: a wire from each variable that they lead back to, one without a start from none."""
    shape_of = {part.name: shapes[part.cls] for part in parts}

    def role_of(path: str) -> str:
        part, _, name = path.partition(".")
        shape = shape_of.get(re.sub(r"\[.*", "", part))
        port = shape.port(name) if shape is not None else None
        return port.role if port is not None else ""

    def is_parameter(path: str) -> bool:
        part, _, name = path.partition(".")
        shape = shape_of[re.sub(r"\[.*", "", part)]
        return any(parameter.name == name for parameter in shape.parameters)

    for source in lines:
        for found in equated_inputs(source.node, lambda path: role_of(path) == "input", set(shape_of)):
            ends = [end for end in found.sources if not is_parameter(end)]
            for start in ends if 0 < len(ends) <= MOST_SOURCES else [""]:
                both = (start, found.end) if start else (found.end,)
                yield Wire(number, both, found.line, f"the equation in line {found.line}", found.text)
                number += 1


def _reason(connection: Connection) -> str:
    if connection.by_code:
        return "made in a loop or condition"
    return "" if all(end.path for end in connection.ends) else "one of its ends is computed"


def _part(found: _Found, name: str, known: _Known) -> Part | None:
    """The part that a member is, or the port; None for parameters, variables and other values."""
    member = found.member
    shape = known.library.get(known.file.key_of(member.written)) or known.own.get(member.written)
    if shape is None:
        if not re.fullmatch(r"[A-Z]\w*", member.written.rpartition(".")[2]):
            return None
        shape = _guessed(member, known.wires)
    if shape.key not in known.library:
        known.used[shape.key] = shape
    inherited = "" if found.inherited == name else f"inherited from {found.inherited}"
    return Part(
        name=member.name,
        cls=shape.key,
        written=member.written,
        arguments={argument.name: argument.text for argument in member.arguments},
        line=member.node.lineno,
        place=NOWHERE,
        port=shape.connector,
        fixed=inherited or ("" if member.plain else "made by an expression"),
        count=member.count,
        condition=member.condition,
    )


def _guessed(member: Member, wires: tuple[Wire, ...]) -> ClassShape:
    """A class of which only the ports that are connected are known: it stands in another file."""
    ends = [end.partition(".") for wire in wires for end in wire.ends]
    names = dict.fromkeys(re.sub(r"\[.*", "", port) for part, _, port in ends if part == member.name and port)
    sides = sides_of_rows([Row(name, "port") for name in names])
    ports = placed_ports(sides, dict.fromkeys(names, OTHER))
    return ClassShape(member.written, "", "", ports, (), "", True, height_of(sides), OTHER)


def _placed(
    parts: Iterable[Part], wires: tuple[Wire, ...], shapes: Shapes, places: Mapping[str, Place]
) -> tuple[Part, ...]:
    written = {_owner(end) for wire in wires if wire.equation for end in wire.ends}
    nodes = [replace(_node(part, shapes[part.cls]), above=part.name in written) for part in parts]
    arranged = arrange(nodes, list(_leading(wires)), places)
    return tuple(replace(part, place=arranged[part.name]) for part in parts)


def _leading(wires: tuple[Wire, ...]) -> Iterator[tuple[str, ...]]:
    """What parts are placed by: connections, and equations of parts that have none."""
    connected = {_owner(end) for wire in wires if not wire.equation for end in wire.ends}
    for wire in wires:
        if not wire.equation or not connected.issuperset(map(_owner, wire.ends)):
            yield wire.ends


def _owner(end: str) -> str:
    return re.sub(r"\[.*", "", end.partition(".")[0])


def _node(part: Part, shape: ClassShape) -> Node:
    poles = {port.name for port in shape.ports if not port.only_if and port.role == "port"}
    upright = poles == {"p", "n"} and re.search("(Voltage|Current|Battery|Cell)$", shape.name) is not None
    return Node(part.name, () if part.port else shape.ports, shape.height, upright, text=_width(part, shape))


def _width(part: Part, shape: ClassShape) -> int:
    """About that of the texts at a part: its name, and a value, whichever it is: no part jumps when one is typed."""
    return max(LETTER * len(part.name), VALUE if shape.parameters else 0)
