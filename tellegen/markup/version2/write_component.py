"""Kinds as <component> elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.frontends.python.declarations.declare import PREFERENCE
from tellegen.ir.expressions.template import SlotInfo
from tellegen.ir.model import (
    ChildGroup,
    Connection,
    Kind,
    Mechanical,
    Member,
    Parameter,
    Port,
    Ref,
    Setting,
    Stamp,
    Surface,
    Variable,
)
from tellegen.ir.source_location import NOWHERE
from tellegen.markup.expressions.references import end_text, outer_text, quoted, reference_text
from tellegen.markup.expressions.text import Names, number_text
from tellegen.markup.version2.quantities import quantity_text, unit_attributes
from tellegen.markup.version2.sources import source_text
from tellegen.markup.version2.write_statements import StatementWriter
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element
from tellegen.xml.writer import made

_WORD_OF_PREFERENCE = {number: word for word, number in PREFERENCE.items()}


@dataclass
class Identifiers:
    """What a document calls its components, tables, functions and families of connectors."""

    names: Names = field(default_factory=Names)
    components: dict[int, str] = field(default_factory=dict)  # by id of the kind
    families: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def component(self, kind: Kind) -> str:
        """The identifier of a kind: its name, numbered where several have it."""
        if id(kind) not in self.components:
            number = 1
            name = kind.name
            while name in self.taken:
                number += 1
                name = f"{kind.name}-{number}"
            self.taken.add(name)
            self.components[id(kind)] = name
        return self.components[id(kind)]

    def family(self, family: str) -> str:
        """A family of connectors; those of media are numbered as they come, not by when they were made."""
        stem, bracket, _ = family.partition("[")
        if not bracket:
            return family
        known = [name for name in self.families.values() if name.startswith(f"{stem}[")]
        return self.families.setdefault(family, f"{stem}[{len(known)}]")


def component_element(kind: Kind, identifiers: Identifiers) -> Element:
    """Everything about a kind."""
    identifier = identifiers.component(kind)
    attributes = {
        "id": identifier,
        "name": None if kind.name == identifier else kind.name,
        "description": kind.description or None,
        "interface": kind.interface or None,
        "implementation": kind.implementation or None,
        "source": source_text(kind.location.file, kind.location.line),
    }
    writer = _ComponentWriter(kind, identifiers)
    return made("component", attributes, *writer.content())


def set_elements(kind: Kind, setting: Setting) -> Iterator[Element]:
    """Numbers given to members below a kind: to all elements at once where their names say it, or one by one."""
    attribute = None if setting.attribute == "value" else setting.attribute
    together = reference_text(kind, setting.ref)
    unit = _member(kind, setting.ref).unit if setting.attribute not in ("fixed", "state") else NO_UNIT
    if "@" not in together:
        yield made("set", {"of": together, "attribute": attribute}, quantity_text(setting.values, unit))
        return
    for element, value in zip(setting.ref.elements.tolist(), setting.values.tolist(), strict=True):
        one = Ref(setting.ref.path, setting.ref.member, np.array([element]), setting.ref.parameter)
        yield made("set", {"of": reference_text(kind, one), "attribute": attribute}, quantity_text(value, unit))


def _member(kind: Kind, ref: Ref) -> Member:
    for group in ref.path:
        kind = kind.groups[group].kind
    return (kind.parameters if ref.parameter else kind.variables)[ref.member]


class _ComponentWriter:
    def __init__(self, kind: Kind, identifiers: Identifiers) -> None:
        self.kind = kind
        self.identifiers = identifiers
        self.outers = _outer_members(kind)

    def content(self) -> Iterator[Element]:
        kind = self.kind
        statements = StatementWriter(kind.name, self.identifiers.names, self._slots)
        written = [statements.element(stamp) for stamp in kind.stamps]
        yield from (made("structural", {"name": name, "value": _plain_text(value)}) for name, value in kind.structure)
        yield from map(_parameter, kind.parameters)
        yield from map(_variable, kind.variables)
        yield from map(self._port, kind.ports)
        yield from self._outers()
        for group in kind.groups:
            yield from self._parts(group)
        for setting in kind.settings:
            yield from set_elements(kind, setting)
        yield from written
        for connection in kind.connections:
            yield from self._connections(connection)
        yield from map(self._frames, kind.mechanics)

    def _slots(self, stamp: Stamp) -> list[str]:
        return [self._reference(ref) for ref in stamp.refs]

    def _reference(self, ref: Ref) -> str:
        if not ref.outer:
            return reference_text(self.kind, ref)
        return outer_text(ref.outer, self.outers[ref.outer, ref.outer_member], ref.elements)

    def _outers(self) -> Iterator[Element]:
        """Members of enclosing components that statements mention, with what the component knows of them."""
        for (outer, _), member in self.outers.items():
            role = member.role if isinstance(member, Variable) else "parameter"
            words = _kind_of_variable(member) if isinstance(member, Variable) else {}
            yield made("outer", {"of": outer, **_shared(member), "role": None if role == "local" else role, **words})

    def _port(self, port: Port) -> Element:
        names = " ".join(quoted(self.kind.variables[number].name) for number in port.variables)
        attributes = {
            "name": port.name,
            "connector": port.connector,
            "family": self.identifiers.family(port.family),
            "variables": names,
            "count": str(port.count) if port.is_array else None,
            "must-connect": "true" if port.must_connect else None,
            "foreign": "true" if port.foreign else None,
        }
        return made("port", attributes)

    def _parts(self, group: ChildGroup) -> Iterator[Element]:
        for name, mark in zip(group.names, group.locations or [("", 0)] * len(group.names), strict=True):
            attributes = {
                "name": name,
                "component": self.identifiers.component(group.kind),
                "count": str(group.size) if group.is_array else None,
                "source": source_text(*mark),
            }
            yield made("part", attributes)

    def _connections(self, connection: Connection) -> Iterator[Element]:
        source = source_text(connection.location.file, connection.location.line)
        scope = connection.location.scope
        attributes = {"scope": None if scope == self.kind.name else scope, "source": source}
        a = end_text(self.kind, connection.a)
        b = end_text(self.kind, connection.b)
        if a is not None and b is not None:
            yield made("connect", {"a": a, "b": b, **attributes})
            return
        for row in range(len(connection.a.elements)):
            ends = {"a": end_text(self.kind, connection.a, row), "b": end_text(self.kind, connection.b, row)}
            yield made("connect", {**ends, **attributes})

    def _frames(self, what: Mechanical) -> Element:
        look = what.look
        attributes = {
            "verb": what.verb,
            "ports": " ".join(quoted(self.kind.ports[number].name) for number in what.ports),
            "shape": look.shape or None,
            "color": look.color or None,
            "opacity": None if look.opacity == 1.0 else number_text(look.opacity),
            "marked": "true" if look.marked else None,
            "motion": what.motion or None,
            "source": source_text(what.location.file, what.location.line),
        }
        members = [made("quantity", {"word": w, "of": reference_text(self.kind, r)}) for w, r in what.members.items()]
        kinds = [made("support", {"role": r, "component": self._id(k)}) for r, k in what.parts.items()]
        surfaces = [] if look.surface is None else [_surface(look.surface)]
        return made("frames", attributes, *members, *kinds, *surfaces)

    def _id(self, kind: Kind) -> str:
        return self.identifiers.component(kind)


def _outer_members(kind: Kind) -> dict[tuple[str, str], Variable | Parameter]:
    """Members of enclosing components by component and name; arrays as long as what is used of them."""
    slots: dict[tuple[str, str], SlotInfo] = {}
    sizes: dict[tuple[str, str], int] = {}
    for stamp in kind.stamps:
        for ref, slot in zip(stamp.refs, stamp.template.slots, strict=True):
            if ref.outer:
                key = (ref.outer, ref.outer_member)
                slots.setdefault(key, slot)
                sizes[key] = max(sizes.get(key, 0), int(ref.elements.max(initial=0)) + 1)
    return {key: _outer_member(key[1], slot, sizes[key]) for key, slot in slots.items()}


def _outer_member(name: str, slot: SlotInfo, size: int) -> Variable | Parameter:
    shape = (size,) if size > 1 else ()
    if slot.parameter:
        return Parameter(name=name, unit=slot.unit, shape=shape)
    words = {"role": slot.role, "type": slot.type, "literals": slot.literals}
    return Variable(name=name, unit=slot.unit, shape=shape, discrete=slot.discrete, **words)


def _surface(surface: Surface) -> Element:
    vertices = made("vertices", {}, quantity_text(surface.vertices, NO_UNIT))
    return made("surface", {}, vertices, made("faces", {}, " ".join(map(str, surface.faces.ravel().tolist()))))


def _parameter(parameter: Parameter) -> Element:
    hidden = {"hidden": "true" if parameter.literal else None}
    return made("parameter", {**_shared(parameter), **hidden, **_numbers(parameter)})


def _variable(variable: Variable) -> Element:
    role = {"role": None if variable.role == "local" else variable.role}
    shown = variable.location if variable.role == "input" else NOWHERE  # by the equation of an open input
    source = {"source": source_text(shown.file, shown.line)}
    return made(
        "variable", {**_shared(variable), **role, **_kind_of_variable(variable), **_numbers(variable), **source}
    )


def _kind_of_variable(what: Variable) -> dict[str, str | None]:
    return {
        "type": None if what.type == "real" else what.type,
        "literals": " ".join(what.literals) or None,
        "discrete": "true" if what.discrete else None,
        "initial-parameter": "true" if what.initial_parameter else None,
    }


def _shared(member: Member) -> dict[str, str | None]:
    return {
        "name": member.name,
        **unit_attributes(member.unit),
        "display-unit": member.display.text or None,
        "shape": " ".join(map(str, member.shape)) if member.shape else None,
        "array": member.array_name if member.array >= 0 else None,
        "count": str(member.array) if member.array >= 0 else None,
        "first-index": str(member.first_index) if member.first_index else None,
        "description": member.description or None,
    }


def _numbers(member: Member) -> dict[str, str | None]:
    shown: dict[str, str | None] = {}
    for name, value in member.attributes.items():
        if name == "state":
            word = _WORD_OF_PREFERENCE.get(float(value), quantity_text(value, NO_UNIT))
            shown[name] = None if word == "default" else word
        elif name == "fixed":
            shown[name] = " ".join("true" if one else "false" for one in np.ravel(value).tolist())
        else:
            shown[name] = quantity_text(value, member.unit)
    return shown


def _plain_text(value: Any) -> str:
    """A structural value for people to read: what has no text of its own is shown by the name of its class."""
    text = str(value)
    return type(value).__name__ if " object at 0x" in text else text
