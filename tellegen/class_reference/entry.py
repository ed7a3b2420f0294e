"""One component or connector class as data: its text, its members, its equations in the user's notation, its use.

Nothing is written twice: all of it is read from the declarations and from the traced templates.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import tellegen as tg
from tellegen.frontends.python.building.freeze import freeze
from tellegen.frontends.python.building.trace_statements import written
from tellegen.frontends.python.components.surroundings import Disabled
from tellegen.frontends.python.declarations.describe import read_by, value_text
from tellegen.ir.model import NOT_ZERO
from tellegen.ir.show.shorten import shortened

PORT = "port"
PARAMETER = "parameter"
STRUCTURAL = "structural parameter"
VARIABLE = "variable"
PART = "part"


@dataclass(frozen=True)
class Row:
    """A member: `kind` is port, parameter, structural parameter, variable, input, output, across, ... or part."""

    name: str
    kind: str
    type: str = ""  # the class of a port or part
    unit: str = ""
    value: str = ""
    meaning: str = ""
    shape: str = ""  # of an array: "[2]", "[n]"
    choices: tuple[str, ...] = ()  # the words that a parameter can be

    @property
    def title(self) -> str:
        """The name with the shape of an array: `force[2]`."""
        return self.name + self.shape


@dataclass(frozen=True)
class Entry:
    """A class; `domain` is the module that offers it (`electrical`), or the file of a user."""

    name: str
    domain: str
    connector: bool
    headline: str
    text: str
    bases: tuple[str, ...]
    members: tuple[Row, ...]
    file: str
    line: int
    cls: Any
    icon: str = ""  # as SVG, where the class brings one (Modelica)

    @property
    def full_name(self) -> str:
        """`electrical.Resistor`."""
        return f"{self.domain}.{self.name}"

    def rows(self, *kinds: str) -> list[Row]:
        """The members of some kinds, in the order declared."""
        return [row for row in self.members if row.kind in kinds]

    def as_json(self) -> dict[str, Any]:
        """What a program needs to know, equations included."""
        plain = ("name", "domain", "connector", "headline", "text", "bases", "file", "line")
        members = [{key: value for key, value in vars(row).items() if value} for row in self.members]
        equations = [{"when": when, "equations": texts} for when, texts in laws(self.cls)]
        icon = {"icon": self.icon} if self.icon else {}
        return {**{key: getattr(self, key) for key in plain}, "members": members, "laws": equations, **icon}


def describe_class(cls: Any, domain: str) -> Entry:
    """The entry of a class. Its equations are not traced for it; see `laws`."""
    text = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
    location = cls._info.location
    bases = tuple(base.__name__ for base in cls.__bases__ if base.__module__.split(".")[1:2] != ["frontends"])
    return Entry(
        name=cls.__name__,
        domain=domain,
        connector=issubclass(cls, tg.Connector),
        headline=_headline(text),
        text=text,
        bases=bases,
        members=tuple(_members(cls)),
        file=location.file,
        line=location.line,
        cls=cls,
    )


def is_interface(cls: Any) -> bool:
    """Whether a class is an interface: implementations are chosen for it."""
    return bool(getattr(cls, "_is_interface", False))


def implementation_of(interface: Any, name: str | None) -> Any | None:
    """The implementation of a name, or the default one."""
    members = interface._family.members
    chosen = [one.model for one in members.values() if (one.name == name if name else one.default)]
    return chosen[0] if chosen else None


def _headline(text: str) -> str:
    """The first line; one that continues below is taken to the end of its sentence or paragraph."""
    first = re.split(r"\n\s*\n", text, maxsplit=1)[0].replace("\n", " ")
    return first if len(first) <= 160 else re.split(r"(?<=[.:;]) ", first)[0]


def _members(cls: Any) -> Iterator[Row]:
    info = cls._info
    for name, port in info.ports.items():
        meaning = [port.description] if port.description else []
        meaning += [f"only if {_words(port._condition)}"] if port._condition is not None else []
        many = f"[{_words(port._count)}]" if port._count is not None else ""
        yield Row(name, PORT, type(port).__name__ + many, meaning="; ".join(meaning))
    parameters = {**info.parameters, **info.structural}
    for name in sorted(parameters, key=lambda name: name not in vars(cls)):  # its own before inherited ones
        decl = parameters[name]
        value = _without_unit(value_text(decl.value, decl), decl)
        meaning = [decl.description] if decl.description else []
        meaning += [_least(decl.min)] if decl.min is not None else []
        meaning += [f"at most {_words(decl.max)}"] if decl.max is not None else []
        kind = STRUCTURAL if decl.structural else PARAMETER
        yield Row(name, kind, "", decl.unit.text, value, ", ".join(meaning), _shape(decl), decl.choices)
    for name, decl in info.variables.items():
        kind = VARIABLE if decl.role == "local" else decl.role
        start = decl.attributes.get("start")
        default = decl.attributes.get("default")
        value = "" if start is None else f"start {_without_unit(value_text(start, decl), decl)}"
        value = value if default is None else _without_unit(value_text(default, decl), decl)
        type_ = "" if decl.type == "real" else decl.type
        yield Row(name, kind, type_, decl.unit.text, value, decl.description, _shape(decl))
    for name, child in info.children.items():
        many = f"[{_words(child._count)}]" if child._count is not None else ""
        yield Row(name, PART, type(child).__name__ + many)


def _least(bound: object) -> str:
    """A lower bound in words."""
    tiny = isinstance(bound, (int, float)) and 0 < bound <= NOT_ZERO
    return "above 0" if tiny else f"at least {_words(bound)}"


def _shape(decl: Any) -> str:
    """The sizes of an array as they are declared."""
    return f"[{', '.join(_words(size) for size in decl.shape_text)}]" if decl.shape_text else ""


def _words(value: object) -> str:
    """A number, a declared name or an expression of them."""
    if isinstance(value, (int, float)):
        return f"{value:g}"
    if isinstance(value, FunctionType):
        return read_by(value)
    return getattr(value, "name", "") or str(value)


def _without_unit(value: str, decl: Any) -> str:
    return " ".join(value.split()).removesuffix(f" {decl.unit.text}")


def laws(cls: Any) -> list[tuple[str, list[str]]]:
    """The statements of a class as texts: as it is by default (""), and what each Boolean option adds or changes.

    Empty where it cannot stand alone, because a value is missing or surroundings that it asks for.
    """
    if issubclass(cls, tg.Connector):
        return []
    usual = _statements(cls)
    found = [("", usual)] if usual else []
    for name, decl in cls._info.structural.items():
        if isinstance(decl.value, bool):
            other = [text for text in _statements(cls, **{name: not decl.value}) if text not in usual]
            found += [(f"{name}={not decl.value}", other)] if other else []
    return found


def _statements(cls: Any, **values: Any) -> list[str]:
    try:
        instance = cls(**values)
        kind = _kind(instance)
        wires = [ends for ends, _, _ in written(instance, "connections")]
        wires = [[end for end in ends if not isinstance(end, Disabled)] for ends in wires]
        joined = [f"connect({', '.join(str(end) for end in wire)})" for wire in wires if len(wire) > 1]
    except tg.TellegenError:
        return []
    texts = [
        shortened(stamp.template) + (f"    # {stamp.rows} times" if stamp.rows > 1 else "")
        for stamp in kind.stamps
        if stamp.section in ("equation", "when", "assert", "initial")
    ]
    return list(dict.fromkeys([*texts, *joined]))


def _kind(instance: Any) -> Any:
    """The traced kind of a component. One that asks for surroundings gets those that stand beside its class."""
    cls = type(instance)
    wanted = [outer.name for outer in cls._info.outers.values()]
    if not wanted:
        return freeze(instance).root
    beside = vars(sys.modules[".".join(cls.__module__.split(".")[:3])])
    found = {name: other for name in wanted for other in beside.values() if _is_called(other, name)}
    whole = tg.System("surroundings")
    whole.add(part=instance, **{name: other() for name, other in found.items()})
    root = freeze(whole).root
    return root.groups[root.child_index["part"][0]].kind


def _is_called(value: object, name: str) -> bool:
    """Whether a value is a component class for surroundings of a name: PlanarWorld for `world`."""
    return isinstance(value, type) and issubclass(value, tg.Component) and value.__name__.lower().endswith(name)


def usage(entry: Entry) -> str:
    """How the class is used: an import, a member of a class body, a connection."""
    home = "tellegen.library" if entry.cls.__module__.startswith("tellegen.library.") else ""
    imported = f"from {home} import {entry.domain}" if home else f"from {entry.domain} import {entry.name}"
    if entry.icon:
        imported = f'{entry.name} = tg.load_modelica()["{entry.full_name}"]'
    made = f"{entry.domain}.{entry.name}" if home else entry.name
    if entry.connector:
        return f"{imported}\n\nport = {made}()  # in the class body of a component"
    own = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", entry.name).lower()
    own = f"{own}_" if own == entry.domain else own
    given = [f"{row.name}={row.value}" for row in entry.rows(PARAMETER) if _is_number(row.value)][:3]
    lines = [imported, "", f"{own} = {made}({', '.join(given)})  # in a class body"]
    ports = [
        row.name for row in entry.members if row.kind in (PORT, "input", "output") and "only if" not in row.meaning
    ]
    if ports:
        lines.append(f"yield self.{own}.{ports[0]}, ...  # in connections()")
    return "\n".join(lines)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
