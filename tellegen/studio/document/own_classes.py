"""The shape of a class in the user's file, from its text alone: what its body and its bases declare."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from tellegen.class_reference import Row, sides_of_rows
from tellegen.class_reference.symbol import OTHER
from tellegen.studio.document.text.class_source import ClassSource, Member, read_class
from tellegen.studio.document.text.source_file import SourceFile
from tellegen.studio.document.text.splice import dotted
from tellegen.studio.library.shapes import (
    ClassShape,
    ParameterShape,
    PortShape,
    Shapes,
    VariableShape,
    height_of,
    placed_ports,
)

SIGNALS = {"tellegen.input": "input", "tellegen.output": "output"}
PARAMETER = "tellegen.parameter"
ROOTS = ("tellegen.Component", "tellegen.Connector", "tellegen.Interface")


def own_shapes(file: SourceFile, library: Shapes) -> Shapes:
    """The component and connector classes of a file, by name."""
    return {name: shape for name in file.classes if (shape := own_shape(file, name, library)) is not None}


def own_shape(file: SourceFile, name: str, library: Shapes, seen: frozenset[str] = frozenset()) -> ClassShape | None:
    """The shape of a class; None where nothing of it is known to be a component."""
    source = read_class(file, name)
    inherited = list(_bases(file, source.node, library, seen | {name}))
    bases = [file.meaning(dotted(base)) for base in source.node.bases]
    if not inherited and not any(base in ROOTS for base in bases):
        return None
    ports = {port.name: (_row(port), port.colour) for base in inherited for port in base.ports}
    parameters = {value.name: value for base in inherited for value in base.parameters}
    for member in source.members:
        connector = connector_of(file, member, library, seen | {name})
        if member.meaning in SIGNALS:
            ports[member.name] = (Row(member.name, SIGNALS[member.meaning], meaning=_description(member)), OTHER)
        elif connector is not None:
            ports[member.name] = (Row(member.name, "port", connector.name), connector.colour)
        elif member.meaning == PARAMETER:
            parameters[member.name] = _parameter(member)
    sides = sides_of_rows([row for row, _ in ports.values()])
    colours = {port: colour for port, (_, colour) in ports.items()}
    text = inspect.cleandoc(ast.get_docstring(source.node) or "")
    return ClassShape(
        key=name,
        domain="",
        headline=text.split("\n")[0],
        ports=placed_ports(sides, colours),
        parameters=tuple(parameters.values()),
        drawing=inherited[0].drawing if inherited and not inherited[0].boxed else "",
        boxed=not inherited or inherited[0].boxed,
        height=height_of(sides),
        colour=inherited[0].colour if inherited else OTHER,
        connector="tellegen.Connector" in bases or any(base.connector for base in inherited),
        starts=tuple(_starts(file, source, inherited)),
        abstract="tellegen.Interface" in bases,
    )


def _bases(file: SourceFile, node: ast.ClassDef, library: Shapes, seen: frozenset[str]) -> Iterator[ClassShape]:
    for base in node.bases:
        shape = shape_named(file, dotted(base), library, seen)
        if shape is not None:
            yield shape


def shape_named(
    file: SourceFile, written: str, library: Shapes, seen: frozenset[str] = frozenset()
) -> ClassShape | None:
    """The shape of a class as the file calls it: of the file, of the library, or of another file."""
    if written in file.classes and written not in seen:
        return own_shape(file, written, library, seen)
    return library.get(file.key_of(written))


def connector_of(
    file: SourceFile, member: Member, library: Shapes, seen: frozenset[str] = frozenset()
) -> ClassShape | None:
    """The connector class of a member that is a port; None for all others and for what is inside of itself."""
    shape = shape_named(file, member.written, library, seen)
    return shape if shape is not None and shape.connector else None


def _row(port: PortShape) -> Row:
    return Row(port.name, port.role, port.type, meaning=port.meaning)


def _parameter(member: Member) -> ParameterShape:
    values = [*member.positional, "", "", ""]
    named = {argument.name: argument.text for argument in member.arguments}
    value, unit, meaning = (named.get(name, values[k]) for k, name in enumerate(("value", "unit", "description")))
    choices = _literal_words(named.get("choices", ""))
    structural = named.get("structural") == "True" or "choices" in named
    return ParameterShape(member.name, _unquoted(unit), value, _unquoted(meaning), structural, choices)


def _literal_words(text: str) -> tuple[str, ...]:
    """`("open", "closed")`; none where the words stand elsewhere."""
    try:
        words = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return ()
    plain = isinstance(words, (list, tuple)) and all(isinstance(word, str) for word in words)
    return tuple(words) if plain else ()


def _starts(file: SourceFile, source: ClassSource, inherited: list[ClassShape]) -> Iterator[VariableShape]:
    """Variables of the class and of its bases that have a start value, or whose derivative it writes."""
    own = {member.name: member for member in source.members if member.meaning == "tellegen.variable"}
    text = ast.get_source_segment(file.text, source.node) or ""
    yield from (row for base in inherited for row in base.starts if row.name not in own)
    for name, member in own.items():
        start = next((argument.text for argument in member.arguments if argument.name == "start"), "")
        unit, meaning = (*map(_unquoted, member.positional), "", "")[:2]
        if start or f"der(self.{name})" in text:
            yield VariableShape(name, unit, start or "0", meaning)


def _description(member: Member) -> str:
    return _unquoted(member.positional[1]) if len(member.positional) > 1 else ""


def _unquoted(text: str) -> str:
    return text[1:-1] if re.fullmatch(r"""(["']).*\1""", text) else ""
