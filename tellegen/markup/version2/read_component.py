"""<component> elements to kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from tellegen.frontends.python.declarations.declare import PREFERENCE
from tellegen.ir.model import (
    ChildGroup,
    Connection,
    End,
    FloatArray,
    Kind,
    Member,
    Parameter,
    Port,
    Ref,
    Setting,
    Variable,
    whole,
)
from tellegen.markup.expressions.parser import Callables
from tellegen.markup.expressions.references import OuterMember, ReferenceTextError, Scope, find_end, find_member
from tellegen.markup.version2.quantities import UNIT_ATTRIBUTES, read_display_unit, read_quantity, read_unit
from tellegen.markup.version2.read_frames import read_frames
from tellegen.markup.version2.read_statements import SECTIONS, read_statement, unknown_name
from tellegen.markup.version2.sources import read_source
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element

ROLES = ("local", "across", "through", "stream", "inflow", "input", "output")
TYPES = ("real", "integer", "boolean", "enumeration")
_NUMBERS = ("value", "start", "fixed", "nominal", "min", "max", "state")
_SHARED = ("name", *UNIT_ATTRIBUTES, "display-unit", "shape", "array", "count", "first-index", "description", "source")
_OF_VARIABLES = ("role", "type", "literals", "discrete", "initial-parameter", *_NUMBERS[1:])
_CHILDREN = (
    *("structural", "parameter", "variable", "port", "outer", "part", "set", "connect", "frames"),
    *SECTIONS,
)
_MOST_ELEMENTS = 10_000_000


def read_component(element: Element, kinds: dict[str, Kind], callables: Callables) -> Kind:
    """The kind of a component; `kinds` are those of its parts."""
    element.check_attributes(("id", "name", "description", "interface", "implementation", "source"))
    element.check_children(_CHILDREN)
    name = element.word("name", element.word("id"))
    variables = tuple(_variable(child) for child in element.all("variable"))
    parameters = tuple(_parameter(child) for child in element.all("parameter"))
    ports = tuple(_port(child, variables) for child in element.all("port"))
    _check_roles(element, variables, ports)
    partial = Kind(
        name=name,
        description=element.word("description", ""),
        location=read_source(element, name),
        structure=tuple((child.word("name"), child.word("value")) for child in element.all("structural")),
        variables=variables,
        parameters=(*parameters, *_missing_defaults(element, variables, parameters)),
        ports=ports,
        groups=_groups(element, kinds),
        interface=element.word("interface", ""),
        implementation=element.word("implementation", ""),
    )
    _check_names(element)
    scope = Scope(partial, dict(_outer(child) for child in element.all("outer")))
    return replace(
        partial,
        stamps=tuple(read_statement(child, scope, callables) for child in element.all(*SECTIONS)),
        settings=read_settings(element, partial),
        connections=tuple(_connections(element, scope)),
        mechanics=tuple(read_frames(child, scope, kinds) for child in element.all("frames")),
    )


def _check_names(element: Element) -> None:
    """A name stands for one thing."""
    seen: set[str] = set()
    for child in element.all("variable", "parameter", "part"):
        name = child.word("name")
        if name in seen:
            raise child.wrong(f"'{name}' is declared twice in {element}", "rename one of them")
        seen.add(name)
    ports: set[str] = set()
    for child in element.all("port"):
        if child.word("name") in ports:
            raise child.wrong(f"the port '{child.word('name')}' is declared twice in {element}", "rename one of them")
        ports.add(child.word("name"))


# -- members ---------------------------------------------------------------------------------------------------------
def _shared(element: Element) -> dict[str, Any]:
    has_array = "array" in element.attributes
    found: dict[str, Any] = {
        "name": element.word("name"),
        "unit": read_unit(element),
        "display": read_display_unit(element),
        "description": element.word("description", ""),
        "shape": element.integers("shape"),
        "array": element.integer("count") if has_array else -1,
        "array_name": element.word("array", ""),
        "first_index": element.integer("first-index") if "first-index" in element.attributes else 0,
        "location": read_source(element),
    }
    if has_array and not f"{found['name']}.".startswith(f"{found['array_name']}."):
        raise element.wrong(f"{element} is not below its array '{found['array_name']}'", "correct the name")
    if prod(found["shape"]) * max(found["array"], 1) > _MOST_ELEMENTS:
        raise element.wrong(f"{element} has more than {_MOST_ELEMENTS} elements", "use a smaller shape")
    return found


def _parameter(element: Element) -> Parameter:
    element.check_attributes((*_SHARED, "hidden", "value", "min", "max"))
    found = Parameter(**_shared(element), literal=element.flag("hidden"))
    return replace(found, attributes=_attributes(element, found))


def _variable(element: Element) -> Variable:
    element.check_attributes((*_SHARED, *_OF_VARIABLES))
    is_parameter = element.flag("initial-parameter")
    found = Variable(**_shared(element), **_words(element, ROLES), initial_parameter=is_parameter)
    return replace(found, attributes=_attributes(element, found))


def _words(element: Element, roles: tuple[str, ...]) -> dict[str, Any]:
    return {
        "role": element.choice("role", roles, "local"),
        "type": element.choice("type", TYPES, "real"),
        "literals": tuple(element.word("literals", "").split()),
        "discrete": element.flag("discrete"),
    }


def _attributes(element: Element, member: Member) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in (key for key in element.attributes if key in _NUMBERS):
        text = element.word(name)
        values = _state(element, text) if name == "state" else _number(element, name, text, member)
        if len(values) not in (1, member.size):
            what = f"{name} of {element} has {len(values)} numbers, and the array has {member.size} elements"
            raise element.wrong(what, "one number, or one for each element")
        found[name] = values if len(values) != 1 else values[0] if name == "state" else values.reshape(())
    if isinstance(member, Variable):
        found.setdefault("state", PREFERENCE["default"])
    return found


def _state(element: Element, text: str) -> FloatArray:
    return np.array([PREFERENCE[text]]) if text in PREFERENCE else read_quantity(element, "state", text, NO_UNIT)


def _number(element: Element, name: str, text: str, member: Member) -> FloatArray:
    if name != "fixed":
        return read_quantity(element, name, text, member.unit)
    words = text.split()
    if not all(word in ("true", "false") for word in words):
        raise element.wrong(f"fixed='{text}' of {element} is not true or false", "one, or one for each element")
    return np.array([float(word == "true") for word in words])


def _port(element: Element, variables: tuple[Variable, ...]) -> Port:
    element.check_attributes(("name", "connector", "family", "variables", "count", "must-connect"))
    numbers = {variable.name: k for k, variable in enumerate(variables)}
    names = [name.strip("`") for name in element.word("variables").split()]
    unknown = [name for name in names if name not in numbers]
    if unknown:
        raise element.wrong(f"{element} names '{unknown[0]}', which is not a variable of the component", "declare it")
    port = Port(
        element.word("name"),
        element.word("connector"),
        element.word("family"),
        tuple(numbers[name] for name in names),
        element.integer("count", 1),
        "count" in element.attributes,
        element.location,
        element.flag("must-connect"),
        element.flag("foreign"),
    )
    _check_port(element, port, [variables[number] for number in port.variables])
    return port


def _check_port(element: Element, port: Port, chosen: list[Variable]) -> None:
    roles = [variable.role for variable in chosen]
    if port.family == "signal":
        fitting = len(roles) == 1 and roles[0] in ("input", "output")
    else:
        fitting = bool(roles) and set(roles) <= {"across", "through", "stream"}
        fitting = fitting and (roles.count("through") == 1 or "stream" not in roles)
    if not fitting:
        what = f"the variables of {element} have the roles {', '.join(roles) or 'of nothing'}"
        raise element.wrong(what, "a signal is an input or an output; a connector has across, through and stream")
    if any(variable.size % port.count if port.count else variable.size for variable in chosen):
        raise element.wrong(f"{element} has {port.count} connectors, and its variables other sizes", "correct one")


def _check_roles(element: Element, variables: tuple[Variable, ...], ports: tuple[Port, ...]) -> None:
    """Variables of connectors and signals belong to one port each; what a stream brings in follows the stream."""
    declared = list(element.all("variable"))
    used = Counter(number for port in ports for number in port.variables)
    for number, variable in enumerate(variables):
        needed = int(variable.role not in ("local", "inflow"))
        if used[number] != needed:
            what = f"'{variable.name}' of role {variable.role} belongs to {used[number]} ports"
            raise declared[number].wrong(what, f"it belongs to {'one' if needed else 'none'}: list it in a <port>")
        before = variables[number - 1] if number else None
        follows = before is not None and before.role == "stream"
        if follows != (variable.role == "inflow") or (before and follows and before.size != variable.size):
            what = f"'{variable.name}' of role {variable.role} is not at its place"
            raise declared[number].wrong(what, "after each variable of role stream comes one of role inflow")
    if variables and variables[-1].role == "stream":
        raise declared[-1].wrong(f"'{variables[-1].name}' has no variable of role inflow after it", "add it")


def _missing_defaults(
    element: Element, variables: tuple[Variable, ...], parameters: tuple[Parameter, ...]
) -> Iterator[Parameter]:
    """Each input has a hidden parameter for the value it has where nothing drives it; not a number where not given."""
    known = {parameter.name: parameter for parameter in parameters}
    for child, variable in zip(element.all("variable"), variables, strict=True):
        if variable.role != "input":
            continue
        default = known.get(f"{variable.name}.default")
        if default is not None and default.size != variable.size:
            raise child.wrong(f"'{default.name}' has not the size of '{variable.name}'", "give it the same shape")
        if default is None:
            shape = (variable.size,) if variable.size > 1 else ()
            name = f"{variable.name}.default"
            yield Parameter(name=name, unit=variable.unit, shape=shape, location=variable.location, literal=True)


def _outer(element: Element) -> tuple[str, OuterMember]:
    element.check_attributes(("of", *_SHARED, "role", "type", "literals", "discrete"))
    outer = element.word("of")
    shared = _shared(element)
    words = _words(element, (*ROLES, "parameter"))
    member = Parameter(**shared) if words["role"] == "parameter" else Variable(**shared, **words)
    return f"{outer}.{member.name}", OuterMember(outer, member)


# -- parts -----------------------------------------------------------------------------------------------------------
def _groups(element: Element, kinds: dict[str, Kind]) -> tuple[ChildGroup, ...]:
    """The parts, grouped by kind in order of first appearance; arrays are groups of their own."""
    found: list[list[Element]] = []
    by_kind: dict[str, int] = {}
    for part in element.all("part"):
        part.check_attributes(("name", "component", "count", "source"))
        identifier = part.word("component")
        if "count" in part.attributes:
            found.append([part])
        elif identifier in by_kind:
            found[by_kind[identifier]].append(part)
        else:
            by_kind[identifier] = len(found)
            found.append([part])
    return tuple(_group(parts, kinds) for parts in found)


def _group(parts: list[Element], kinds: dict[str, Kind]) -> ChildGroup:
    is_array = "count" in parts[0].attributes
    size = parts[0].integer("count") if is_array else len(parts)
    marks = [(place.file, place.line) for place in map(read_source, parts)]
    names = tuple(part.word("name") for part in parts)
    return ChildGroup(kinds[parts[0].word("component")], names, size, is_array, tuple(marks))


def read_settings(element: Element, kind: Kind) -> tuple[Setting, ...]:
    """The numbers of <set> elements, those of one member together."""
    scope = Scope(kind)
    columns: dict[Any, tuple[list[Any], list[Any]]] = {}
    for child in element.all("set"):
        child.check_attributes(("of", "attribute"))
        try:
            found = find_member(scope, child.word("of"))
        except ReferenceTextError as problem:
            raise unknown_name(child, problem) from None
        known = ("value", "min", "max") if found.ref.parameter else (*_NUMBERS[1:], "start_level")
        attribute = child.choice("attribute", known, "value" if found.ref.parameter else "start")
        unit = NO_UNIT if attribute in ("fixed", "state", "start_level") else found.member.unit
        values = read_quantity(child, "values", child.text().value, unit)
        if len(values) not in (1, len(found.ref.elements)) or not len(values):
            what = f"{child} gives {len(values)} numbers to {len(found.ref.elements)} elements"
            raise child.wrong(what, "one number, or one for each element")
        key = (found.ref.path, found.ref.member, found.ref.parameter, attribute)
        column = columns.setdefault(key, ([], []))
        if np.isin(found.ref.elements, np.concatenate([np.zeros(0, int), *column[0]])).any():
            what = f"{child} sets {attribute} of '{child.word('of')}', which another <set> sets already"
            raise child.wrong(what, "leave one of them")
        column[0].append(found.ref.elements)
        column[1].append(np.broadcast_to(values, len(found.ref.elements)))
    return tuple(
        Setting(Ref(path, member, whole(np.concatenate(elements)), parameter), attribute, np.concatenate(values))
        for (path, member, parameter, attribute), (elements, values) in columns.items()
    )


def _connections(element: Element, scope: Scope) -> Iterator[Connection]:
    """Connections of the same two ports together, row by row."""
    columns: dict[Any, list[tuple[End, End, Element]]] = {}
    for child in element.all("connect"):
        child.check_attributes(("a", "b", "scope", "source"))
        try:
            a = find_end(scope, child.word("a"))
            b = find_end(scope, child.word("b"))
        except ReferenceTextError as problem:
            raise unknown_name(child, problem) from None
        _check_pair(child, scope, a, b)
        side_a, side_b = ((end.group, end.port, end.outer, end.outer_port) for end in (a, b))
        columns.setdefault((side_a, side_b), []).append((a, b, child))
    for rows in columns.values():
        pairs = [np.broadcast_arrays(a.elements, b.elements) for a, b, _ in rows]
        first_a, first_b, child = rows[0]
        location = read_source(child, child.word("scope", scope.kind.name))
        a = replace(first_a, elements=whole(np.concatenate([pair[0] for pair in pairs])))
        b = replace(first_b, elements=whole(np.concatenate([pair[1] for pair in pairs])))
        yield Connection(a, b, location)


def _check_pair(element: Element, scope: Scope, a: End, b: End) -> None:
    sizes = {len(a.elements), len(b.elements)}
    if len(sizes - {1}) > 1:
        what = f"{element} connects {len(a.elements)} ports to {len(b.elements)}"
        raise element.wrong(what, "equal numbers are connected one to one, a single port to all")
    if a.outer or b.outer:
        return
    port_a, port_b = (_port_of(scope.kind, end) for end in (a, b))
    if port_a.family != port_b.family or _layout(scope.kind, a) != _layout(scope.kind, b):
        what = f"{element} connects a {port_a.connector} to a {port_b.connector}"
        raise element.wrong(what, "connect ports of the same family, with the same variables")


def _kind_of(kind: Kind, end: End) -> Kind:
    return kind if end.group < 0 else kind.groups[end.group].kind


def _port_of(kind: Kind, end: End) -> Port:
    return _kind_of(kind, end).ports[end.port]


def _layout(kind: Kind, end: End) -> list[tuple[str, int]]:
    """Roles and sizes of the variables of one connector; inputs and outputs are alike."""
    port = _port_of(kind, end)
    variables = [_kind_of(kind, end).variables[number] for number in port.variables]
    is_signal = port.family == "signal"
    return [("" if is_signal else v.role, v.size // max(port.count, 1)) for v in variables]
