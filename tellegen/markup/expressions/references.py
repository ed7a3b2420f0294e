"""Members and ports of a component, written as in equations: `motor.i`, `cells[1:9].T`, `ports[0].m_flow`.

What belongs to an enclosing component has a hat, `^world.g`. Other names than identifiers stand between backticks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import prod

from tellegen.errors import nearest
from tellegen.ir.model import ChildGroup, End, IntArray, Kind, Member, Parameter, Ref, Variable, whole
from tellegen.markup.expressions.selection import elements_of, selections

_NAME = r"(?:[^\W\d]\w*|`[^`]*`)"
_INDEX = r"(?:\[[\d: ,]*\])?"
REFERENCE = rf"\^?{_NAME}{_INDEX}(?:\.{_NAME}{_INDEX})*(?:@\([\d ]*\))?"
"""The form of a reference, as a regular expression."""
_SEGMENT = re.compile(rf"({_NAME})({_INDEX})\.?")
_PLAIN = re.compile(r"[^\W\d]\w*")
WORDS = frozenset({"time", "true", "false", "inf", "nan"})
"""What stands for itself in expressions; a member of such a name is written between backticks."""


class ReferenceTextError(ValueError):
    """A reference that cannot be resolved; the message says why."""


@dataclass(frozen=True)
class OuterMember:
    """A member of an enclosing component, as far as the component that uses it knows it."""

    outer: str
    member: Variable | Parameter


@dataclass(frozen=True)
class Scope:
    """What references of a component are resolved in: its kind, without statements, and what it uses from outside."""

    kind: Kind
    outers: dict[str, OuterMember] = field(default_factory=dict)  # by name seen from inside: world.g


# -- writing ---------------------------------------------------------------------------------------------------------
def quoted(name: str) -> str:
    """A name with dots, between backticks unless its parts are identifiers."""
    parts = name.split(".")
    if all(_PLAIN.fullmatch(part) for part in parts):
        return f"`{name}`" if name in WORDS else name
    return f"`{name}`"


def reference_text(kind: Kind, ref: Ref) -> str:
    """A ref of a kind in words."""
    if ref.outer:
        raise AssertionError("references to enclosing components are written by outer_text")
    groups, below = _descended(kind, ref.path)
    member = (below.parameters if ref.parameter else below.variables)[ref.member]
    axes = (*(group.size for group in groups), *_member_axes(member))
    return _written(groups, member, ref.elements, axes)


def outer_text(outer: str, member: Member, elements: IntArray) -> str:
    """A member of an enclosing component."""
    return f"^{quoted(outer)}." + _written([], member, elements, _member_axes(member))


def end_text(kind: Kind, end: End, row: int | None = None) -> str | None:
    """One side of connections in words, of all rows or of one; None where the rows cannot be written together."""
    elements = end.elements if row is None else end.elements[row : row + 1]
    if end.outer:
        return f"^{quoted(end.outer)}.{quoted(end.outer_port)}"
    groups = [kind.groups[end.group]] if end.group >= 0 else []
    port = (groups[0].kind if groups else kind).ports[end.port]
    axes = (*(group.size for group in groups), *((port.count,) if port.is_array else ()))
    chosen = selections(elements, axes)
    if chosen is None or any(not group.is_array and not chosen[k].isdigit() for k, group in enumerate(groups)):
        return None
    parts = [_child(group, chosen[k]) for k, group in enumerate(groups)]
    index = f"[{chosen[-1]}]" if port.is_array else ""
    return ".".join([*parts, quoted(port.name) + index])


def _descended(kind: Kind, path: tuple[int, ...]) -> tuple[list[ChildGroup], Kind]:
    groups = []
    for number in path:
        groups.append(kind.groups[number])
        kind = groups[-1].kind
    return groups, kind


def _member_axes(member: Member) -> tuple[int, ...]:
    return (*((member.array,) if member.array >= 0 else ()), *member.shape)


def _child(group: ChildGroup, chosen: str) -> str:
    return f"{quoted(group.names[0])}[{chosen}]" if group.is_array else quoted(group.names[int(chosen)])


def _written(groups: list[ChildGroup], member: Member, elements: IntArray, axes: tuple[int, ...]) -> str:
    chosen = selections(elements, axes)
    if chosen is None or any(not group.is_array and not chosen[k].isdigit() for k, group in enumerate(groups)):
        names = [quoted(group.names[0]) for group in groups]
        one_by_one = " ".join(str(element) for element in elements.tolist())
        return ".".join([*names, quoted(member.name)]) + f"@({one_by_one})"
    parts = [_child(group, chosen[k]) for k, group in enumerate(groups)]
    return ".".join([*parts, _indexed(member, chosen[len(groups) :])])


def _indexed(member: Member, chosen: list[str]) -> str:
    name = quoted(member.name)
    if member.array >= 0:
        inside = member.name[len(member.array_name) :]
        name = f"{quoted(member.array_name)}[{chosen.pop(0)}]" + (f".{quoted(inside[1:])}" if inside else "")
    return f"{name}[{', '.join(chosen)}]" if chosen else name


# -- reading ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Segment:
    """A name and what stands in brackets after it."""

    name: str
    index: str


@dataclass(frozen=True)
class Found:
    """A reference that was resolved: the ref, the member, and the components on the way."""

    ref: Ref
    member: Variable | Parameter
    prefix: str

    @property
    def label(self) -> str:
        """Its name seen from the component, for messages; of several elements the first."""
        elements = self.ref.elements
        if not len(elements) or not self.member.size:
            return self.prefix + self.member.name
        return self.prefix + self.member.element_name(int(elements[0]) % self.member.size)


def find_member(scope: Scope, text: str) -> Found:
    """The member that a reference means."""
    segments, one_by_one, is_outer = _split(text)
    if is_outer:
        return _find_outer(scope, segments, one_by_one)
    path: list[int] = []
    axes: list[int] = []
    texts: list[str] = []
    names: list[str] = []
    kind = scope.kind
    while (found := _member_named(kind, segments)) is None:
        position = kind.child_index.get(segments[0].name)
        if position is None or len(segments) < 2:
            raise ReferenceTextError(_unknown(kind, segments))
        number, place = position
        group = kind.groups[number]
        path.append(number)
        axes.append(group.size)
        texts.append(_index_of_child(group, segments[0], place, one_by_one is not None))
        names.append(segments[0].name)
        kind = group.kind
        segments = segments[1:]
    number, member = found
    axes += _member_axes(member)
    elements = _elements(member, segments, texts, tuple(axes), one_by_one)
    ref = Ref(tuple(path), number, elements, isinstance(member, Parameter))
    return Found(ref, member, ".".join([*names, ""]))


def find_end(scope: Scope, text: str) -> End:
    """The port that a reference means."""
    segments, _, is_outer = _split(text)
    if is_outer:
        if len(segments) < 2 or any(segment.index for segment in segments):
            raise ReferenceTextError(f"'{text}' is not a port of an enclosing component")
        return End(-1, 0, whole([0]), segments[0].name, _joined(segments[1:]))
    kind = scope.kind
    number = -1
    axes: tuple[int, ...] = ()
    texts: list[str] = []
    if _joined(segments) not in kind.port_index and (position := kind.child_index.get(segments[0].name)):
        number, place = position
        group = kind.groups[number]
        kind = group.kind
        axes = (group.size,)
        texts = [_index_of_child(group, segments[0], place, False)]
        segments = segments[1:]
    name = _joined(segments)
    if name not in kind.port_index:
        known = [*kind.port_index, *scope.kind.child_index]
        raise ReferenceTextError(f"'{text}' is not a port" + (f"; {nearest(name, known)}" if known else ""))
    port = kind.ports[kind.port_index[name]]
    _no_index(segments[:-1])
    if port.is_array:
        axes = (*axes, port.count)
        texts.append(segments[-1].index or ":")
    else:
        _no_index(segments[-1:])
    return End(number, kind.port_index[name], _selected(texts, axes))


def _split(text: str) -> tuple[list[_Segment], str | None, bool]:
    is_outer = text.startswith("^")
    body, at, listed = text.removeprefix("^").partition("@(")
    segments = [_Segment(match[1].strip("`"), match[2][1:-1] if match[2] else "") for match in _SEGMENT.finditer(body)]
    if not segments:
        raise ReferenceTextError(f"'{text}' is not a name")
    return segments, listed.rstrip(")") if at else None, is_outer


def _joined(segments: list[_Segment]) -> str:
    return ".".join(segment.name for segment in segments)


def _member_named(kind: Kind, segments: list[_Segment]) -> tuple[int, Variable | Parameter] | None:
    name = _joined(segments)
    if name in kind.variable_index:
        number = kind.variable_index[name]
        return number, kind.variables[number]
    if name in kind.parameter_index:
        number = kind.parameter_index[name]
        return number, kind.parameters[number]
    return None


def _index_of_child(group: ChildGroup, segment: _Segment, place: int, listed: bool) -> str:
    if group.is_array:
        return segment.index or ":"
    if segment.index:
        raise ReferenceTextError(f"'{segment.name}' is not an array")
    return ":" if listed else str(place)


def _elements(
    member: Member, segments: list[_Segment], texts: list[str], axes: tuple[int, ...], one_by_one: str | None
) -> IntArray:
    if one_by_one is not None:
        elements = whole([int(word) for word in one_by_one.split()])
        if len(elements) and elements.max() >= prod(axes):
            raise ReferenceTextError(f"element {elements.max()} does not exist: there are {prod(axes)}")
        return elements
    last = segments
    if member.array >= 0:
        named = member.array_name.count(".") + 1
        _no_index([*segments[: named - 1], *segments[named:-1]])
        texts.append(segments[named - 1].index or ":")
        last = segments[named:]
    else:
        _no_index(segments[:-1])
    index = last[-1].index if last else ""
    own = [part.strip() for part in index.split(",")] if index else []
    if not member.shape and own:
        raise ReferenceTextError(f"'{member.name}' is not an array")
    if own and len(own) != len(member.shape):
        raise ReferenceTextError(f"'{member.name}' has {len(member.shape)} axes, not {len(own)}")
    texts += own or [":"] * len(member.shape)
    return _selected(texts, axes)


def _no_index(segments: list[_Segment]) -> None:
    for segment in segments:
        if segment.index:
            raise ReferenceTextError(f"'{segment.name}' is not an array")


def _selected(texts: list[str], axes: tuple[int, ...]) -> IntArray:
    try:
        return elements_of(texts, axes)
    except ValueError as error:
        raise ReferenceTextError(str(error)) from None


def _find_outer(scope: Scope, segments: list[_Segment], one_by_one: str | None) -> Found:
    name = _joined(segments)
    known = scope.outers.get(name)
    if known is None:
        some = f"; {nearest(name, list(scope.outers))}" if scope.outers else ""
        raise ReferenceTextError(f"'^{name}' is not declared by an <outer> of the component{some}")
    member = known.member
    elements = _elements(member, segments[1:], [], _member_axes(member), one_by_one)
    is_parameter = isinstance(member, Parameter)
    ref = Ref((), -1, elements, is_parameter, outer=known.outer, outer_member=member.name)
    return Found(ref, member, f"{known.outer}.")


def _unknown(kind: Kind, segments: list[_Segment]) -> str:
    known = [*kind.variable_index, *kind.parameter_index, *kind.child_index]
    name = _joined(segments)
    return f"'{name}' is not declared" + (f"; {nearest(name, known)}" if known else "")
