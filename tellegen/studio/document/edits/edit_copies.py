"""Arrays and conditional parts as splices of the text: `el.Resistor.array(n, R=1.0)`, `th.Heater().only_if(hot)`."""

from __future__ import annotations

import ast

from tellegen.errors import DocumentError
from tellegen.studio.document.edits.edit_parts import editable
from tellegen.studio.document.text.class_source import ClassSource, Member
from tellegen.studio.document.text.splice import Span, Splice
from tellegen.studio.document.text.typed_value import value_text


def set_count(source: ClassSource, part: str, typed: str) -> list[Splice]:
    """So many copies under one name, `4` or a structural parameter; nothing typed makes it a single part."""
    member = _plain(source, part)
    positions = source.file.positions
    func = positions.span(member.call.func)
    typed = typed.strip()
    if not typed:
        return [] if not member.count else _without_count(source, member)
    text = value_text(typed)
    if member.count:
        return [Splice(positions.span(member.call.args[0]), text)]
    given = bool(member.call.args or member.call.keywords)
    opened = source.file.text.index("(", func.end) + 1
    return [Splice(Span(func.end, opened), f".array({text}{', ' if given else ''}")]


def _without_count(source: ClassSource, member: Member) -> list[Splice]:
    positions = source.file.positions
    func = positions.span(member.call.func)
    assert isinstance(member.call.func, ast.Attribute)
    name = Splice(Span(positions.span(member.call.func.value).end, func.end), "")
    rest = [*member.call.args[1:], *member.call.keywords]
    first = positions.span(member.call.args[0])
    end = min(positions.span(node).start for node in rest) if rest else first.end
    return [name, Splice(Span(first.start, end), "")]


def set_condition(source: ClassSource, part: str, typed: str) -> list[Splice]:
    """A part that exists only if a structural parameter holds; nothing typed takes the condition back."""
    member = _plain(source, part)
    positions = source.file.positions
    end = positions.span(member.call).end
    whole = positions.span(member.node.value)
    text = f".only_if({value_text(typed)})" if typed.strip() else ""
    return [Splice(Span(end, whole.end), text)]


def _plain(source: ClassSource, part: str) -> Member:
    member = editable(source, part)
    if not member.plain:
        advice = f"edit line {member.node.lineno} of the text"
        raise DocumentError("E898", f"{part} is made by an expression and is not changed here", advice=advice)
    return member
