"""Some parts of a class become a class of their own: its ports are what their wires to the others need.

before    source.p - resistor.p,  resistor.n - coil.p,  coil.n - motor.p        group resistor and coil as Filter
after     class Filter with p (resistor.p) and n (coil.n);  source.p - filter.p,  filter.n - motor.p
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document.diagram import Diagram
from tellegen.studio.document.edits.edit_parts import check_name, editable, new_name, written_class
from tellegen.studio.document.text.class_source import ClassSource, Connection, Member
from tellegen.studio.document.text.splice import Span, Splice
from tellegen.studio.library.shapes import ClassShape, PortShape, Shapes

ADVICE = "leave that part out of the group, or edit the text"


@dataclass(frozen=True)
class Grouped:
    """The splices, the name of the part that stands for the group, and the names of its ports."""

    splices: tuple[Splice, ...]
    part: str
    ports: tuple[str, ...]


class _Group:
    """What is gathered while the wires are looked at."""

    def __init__(self, source: ClassSource, diagram: Diagram, library: Shapes, names: set[str]) -> None:
        self.source = source
        self.diagram = diagram
        self.shapes: Mapping[str, ClassShape] = {**library, **diagram.shapes}
        self.names = names
        self.ports: dict[str, str] = {}
        """Declarations of ports by name."""
        self.imports: dict[str, Splice] = {}
        self.inner: list[str] = []
        self.outer: list[Splice] = []

    def wire(self, connection: Connection, part: str) -> None:
        """Inside, outside, or across the border: then through a port."""
        inside = [end for end in connection.ends if end.part in self.names]
        if not inside:
            return
        if connection.by_code or not all(end.path for end in connection.ends) or any("[" in e.path for e in inside):
            advice = f"it stands in line {connection.node.lineno}; {ADVICE}"
            raise DocumentError("E898", "a connection of these parts is made by code", advice=advice)
        whole = self.source.file.positions.whole_lines(connection.node)
        if len(inside) == len(connection.ends):
            self.inner.append(", ".join(f"self.{end.path}" for end in inside))
            self.outer.append(Splice(whole, ""))
            return
        port = self._port(inside[0].part, inside[0].port)
        self.inner.append(", ".join([f"self.{port}", *(f"self.{end.path}" for end in inside)]))
        first, last = connection.ends[0].span.start, connection.ends[-1].span.end
        ends = [f"self.{end.path}" for end in connection.ends if end not in inside]
        at = connection.ends.index(inside[0])
        ends.insert(min(at, len(ends)), f"self.{part}.{port}")
        self.outer.append(Splice(Span(first, last), ", ".join(ends)))

    def _port(self, part: str, port: str) -> str:
        """A port of the new class for one of a part."""
        found = self.diagram.part(part)
        shape = self.shapes[found.cls].port(port) if found is not None else None
        if found is None or shape is None:
            raise DocumentError("E898", f"the type of {part}.{port} is not known from the text", advice=ADVICE)
        taken = self.names | set(self.ports)
        name = port if port not in taken else f"{part}_{port}"
        while name in taken:
            name += "_"
        self.ports[name] = self._declaration(shape, self.shapes[found.cls].domain)
        return name

    def _declaration(self, port: PortShape, domain: str) -> str:
        if port.role != "port":
            unit = f'"{port.unit}"' if port.unit else ""
            return f"{self.source.file.tellegen}.{port.role}({unit})"
        fitting = [shape for shape in self.shapes.values() if shape.connector and shape.name == port.type]
        same = [shape for shape in fitting if shape.colour == port.colour] or fitting
        chosen = next((shape for shape in same if shape.domain == domain), same[0] if same else None)
        if chosen is None:
            raise DocumentError("E898", f"a port of type {port.type} is not made by a group", advice=ADVICE)
        written, imports = written_class(self.source, chosen.key)
        self.imports |= {splice.text: splice for splice in imports}
        return f"{written}()"


def group_parts(source: ClassSource, diagram: Diagram, library: Shapes, names: set[str], cls: str) -> Grouped:
    """A class of these parts before the present one, and one part of it in their place."""
    _check_class(source, cls)
    members = [editable(source, name) for name in names]
    members.sort(key=lambda member: member.node.lineno)
    for member in members:
        _check_free(source, member)
    part = new_name(source, cls)
    check_name(source, part)
    group = _Group(source, diagram, library, names)
    for connection in source.connections:
        group.wire(connection, part)
    parameters = _parameters(source, members)
    given = ", ".join(f"{name}={name}" for name in parameters)
    body = [
        *(f"{name} = {text}" for name, text in group.ports.items()),
        *(_text(source, source.member(name)) for name in parameters),
        *(_text(source, member) for member in members),
    ]
    before = source.file.positions.line_start(_first_line(source.node))
    splices = [
        *group.imports.values(),
        Splice(Span(before, before), _class_text(source, cls, body, group.inner)),
        *(Splice(source.file.positions.whole_lines(member.node), "") for member in members[:-1]),
        Splice(source.file.positions.span(members[-1].node), f"{part} = {cls}({given})"),
        *group.outer,
    ]
    return Grouped(tuple(splices), part, tuple(group.ports))


def _check_class(source: ClassSource, cls: str) -> None:
    if not cls.isidentifier() or not cls[:1].isupper():
        advice = "use letters and digits, and begin with a capital letter: Filter"
        raise DocumentError("E898", f"{cls!r} cannot be the name of a class", advice=advice)
    if cls in source.file.taken:
        raise DocumentError("E898", f"{source.file.name} has something named {cls} already", advice="use another name")


def _check_free(source: ClassSource, member: Member) -> None:
    """E898 where methods or other parts mention it: then it is more than a part on the sheet."""
    for item in source.node.body:
        if item is member.node or item is source.method:
            continue
        for node in ast.walk(item):
            attribute = isinstance(node, ast.Attribute) and ast.unparse(node) == f"self.{member.name}"
            name = isinstance(node, ast.Name) and node.id == member.name and not isinstance(item, ast.FunctionDef)
            if attribute or name:
                message = f"{member.name} is mentioned in line {getattr(node, 'lineno', 0)}, outside of connections"
                raise DocumentError("E898", message, advice=ADVICE)


def _parameters(source: ClassSource, members: list[Member]) -> list[str]:
    """Parameters of the class that the parts get values from; E898 for anything else of the class."""
    own = {member.name: member for member in source.members}
    found: dict[str, None] = {}
    for member in members:
        for node in ast.walk(member.call):
            if isinstance(node, ast.Name) and node.id in own:
                if own[node.id].meaning != "tellegen.parameter":
                    message = f"{member.name} uses {node.id}, which is not a parameter"
                    raise DocumentError("E898", message, advice=ADVICE)
                found[node.id] = None
    return list(found)


def _text(source: ClassSource, member: Member | None) -> str:
    assert member is not None
    return source.file.positions.span(member.node).of(source.file.text)


def _class_text(source: ClassSource, cls: str, body: list[str], wires: list[str]) -> str:
    indent = source.file.positions.indent(source.node.body[0])
    rows = [f"class {cls}({source.file.tellegen}.Component):", *(f"{indent}{row}" for row in body)]
    if wires:
        rows += ["", f"{indent}def connections(self):", *(f"{indent}{indent}yield {row}" for row in wires)]
    return "\n".join(rows) + "\n\n\n"


def _first_line(node: ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
