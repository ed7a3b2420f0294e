"""Interfaces and implementations of version 1 as classes of Python, and their components as components.

A branch between two terminals gives its across quantity as a difference and its through quantity to both of them;
equations are what is written. Terminals that an implementation declares for itself are nodes inside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import new_class
from typing import Any

import tellegen as tg
from tellegen.errors import DocumentError, nearest
from tellegen.frontends.python.components.system import Connected
from tellegen.frontends.python.discrete.statements import assert_ as condition_holds
from tellegen.ir.source_location import SourceLocation
from tellegen.markup.version1.declarations import (
    Assert,
    Assumption,
    BranchQuantity,
    Constant,
    FreeQuantity,
    InterfaceSignal,
    Parameter,
    Property,
    QualitativeProportionality,
    Quantity,
    Terminal,
)
from tellegen.markup.version1.natures import CONNECTORS, identifier, member_of
from tellegen.markup.version1.records import Component, Connect, Equation, Implementation, Interface
from tellegen.markup.version1.schema import Record
from tellegen.markup.version1.statements import Statement, attribute_text

_SIGNS = {"pos": "+", "neg": "-", "none": "?"}
_WITHOUT_EFFECT = ("type", "sub-type", "package", "signal", "variable", "function")


class NotSimulatedError(DocumentError):
    """Part of the language that is read and written, and that no class can be made of."""


def unsupported(record: Record, what: str) -> NotSimulatedError:
    """The error that says so."""
    return NotSimulatedError(
        "E850",
        f"{what} cannot be simulated",
        location=record.location,
        advice="write it as equations, or remove it",
    )


def unknown(record: Record, what: str, known: list[str]) -> DocumentError:
    """A name that nothing in the documents has."""
    some = f"; {nearest(what.split(chr(39))[1], known)}" if known else ""
    advice = "define it, or name the document it is in: <require url=.../>"
    return DocumentError("E846", f"{what}{some}", location=record.location, advice=advice)


def interface_class(record: Interface, base: Any) -> Any:
    """The class of an interface; `base` is that of its super-type."""
    body: dict[str, Any] = {"__doc__": f"{record.ident}, read from a document."}
    for parameter in record.generics.parameters if record.generics else ():
        body[identifier(parameter.ident)] = _parameter(parameter, body)
    for port in record.boundary.ports if record.boundary else ():
        body[identifier(port.name)] = _port(port)
    semantics = record.semantics.statements if record.semantics else ()
    body["semantics"] = tg.Semantics(
        assumptions=[one.definition for one in semantics if isinstance(one, Assumption)],
        proportional=[
            (one.first, _SIGNS[one.sign], one.second)
            for one in semantics
            if isinstance(one, QualitativeProportionality)
        ],
        remarks=[one.body for one in semantics if isinstance(one, Property)],
    )
    asserts = record.assertions.conditions if record.assertions else ()
    body["_markup_assertions"] = (*getattr(base, "_markup_assertions", ()), *asserts)
    return _class(record.ident, base, body, record.location)


def implementation_class(record: Implementation, interface: Any, children: dict[str, Any]) -> Any:
    """The class of an implementation; `children` are its components, made already."""
    body: dict[str, Any] = {identifier(name): child for name, child in children.items()}
    text = record.description.body if record.description else f"{record.ident}, read from a document."
    body["__doc__"] = text
    branches: list[BranchQuantity] = []
    for one in record.declarations:
        if isinstance(one, Terminal):
            body[identifier(one.name)] = _port(one)
        elif isinstance(one, FreeQuantity):
            body[identifier(one.ident)] = tg.variable(start=_plain_number(one, one.default), **_limits(one))
        elif isinstance(one, Constant):
            body[identifier(one.ident)] = _parameter(one, body)
        elif isinstance(one, BranchQuantity):
            branches.append(one)
        elif not isinstance(one, Component) and one.tag not in _WITHOUT_EFFECT:
            raise unsupported(one, f"<{one.tag}>")
    network = _Network(record, branches, {**interface._info.ports, **_ports_in(body)})
    body |= network.members()
    known = {name: identifier(name) for name in _names(record, interface, network)}
    body["_written"] = property(lambda self: [*network.statements(self, known)])
    if any(isinstance(one, Connect) for one in record.statements.statements):
        body["connections"] = lambda self: network.connections(self)
    keywords = {"implements": interface, "name": record.ident, "default": record.is_default}
    return _class(record.ident, tg.Component, body, record.location, keywords)


def _class(name: str, base: Any, body: dict[str, Any], location: SourceLocation, keywords: Any = None) -> Any:
    made = new_class(identifier(name), (base,), keywords or {}, lambda space: space.update(body))
    made._info.location = location.within(name)
    return made


def _ports_in(body: dict[str, Any]) -> dict[str, Any]:
    return {name: port for name, port in body.items() if isinstance(port, tg.Connector)}


def _names(record: Implementation, interface: Any, network: _Network) -> Iterator[str]:
    """What statements may mention."""
    yield from interface._info.parameters
    yield from interface._info.variables
    yield from (one.ident for one in record.declarations if isinstance(one, FreeQuantity | Constant))
    yield from network.quantities


def _plain_number(record: Record, text: str | None) -> float | None:
    return None if text is None else Statement(attribute_text(text, record), {}).number


def _limits(record: Any) -> dict[str, Any]:
    """Limits that are numbers; big and small are what any number is within."""
    found: dict[str, Any] = {}
    for name, text in (("min", record.min), ("max", record.max)):
        if not text.lstrip("-").startswith(("big", "small")):
            value = _plain_number(record, text)
            if value is not None:
                found[name] = value
    return found


def _parameter(record: Parameter | Constant, body: dict[str, Any]) -> Any:
    if record.row_low is not None or record.row_high is not None:
        raise unsupported(record, f"the array '{record.ident}'")
    value: Any = None
    if record.default is not None:
        known = {name: name for name in body if not name.startswith("_")}
        parsed = Statement(attribute_text(record.default, record), known)
        value = parsed.number if parsed.number is not None else parsed.symbol(body.__getitem__)
    return tg.parameter(value, semantics=record.semantics or "", **_limits(record))


def _port(record: Record) -> Any:
    if isinstance(record, Terminal):
        if record.nature not in CONNECTORS:
            raise unsupported(record, f"a terminal of nature '{record.nature}'")
        return CONNECTORS[record.nature]()
    if isinstance(record, Quantity):
        return tg.input() if record.direction == "in" else tg.output()
    assert isinstance(record, InterfaceSignal)
    if record.kind not in ("in", "out"):
        raise unsupported(record, f"the signal '{record.name}' that is neither in nor out")
    return tg.input() if record.kind == "in" else tg.output()


class _Network:
    """The branches, equations and connections of an implementation."""

    def __init__(self, record: Implementation, branches: list[BranchQuantity], ports: dict[str, Any]) -> None:
        self.record = record
        self.branches = branches
        self.ports = ports
        self.quantities: list[str] = [name for one in branches for name in (*one.across, *one.through)]
        self.connected = [one for one in record.statements.statements if isinstance(one, Connect)]
        for branch in branches:
            for end in (branch.plus, branch.minus):
                if end is not None and identifier(end) not in ports:
                    raise unknown(branch, f"the terminal '{end}' of a branch is not declared", list(ports))

    def members(self) -> dict[str, Any]:
        """A variable for each quantity of a branch."""
        found: dict[str, Any] = {}
        for branch in self.branches:
            connector = type(self.ports[identifier(branch.plus)])
            for role, names in (("across", branch.across), ("through", branch.through)):
                for name in names:
                    found[identifier(name)] = tg.variable(member_of(connector, role).unit.text or None)
        return found

    def statements(self, component: Any, known: dict[str, str]) -> Iterator[tuple[Any, SourceLocation]]:
        """All equations and assertions, with the place of each in the document."""
        for condition in component._markup_assertions:
            yield _assertion(component, condition, known)
        for branch in self.branches:
            for name in branch.across:
                yield getattr(component, identifier(name)) == self._difference(component, branch), branch.location
        yield from self._balances(component)
        for one in self.record.statements.statements:
            if isinstance(one, str):
                raise unsupported(self.record.statements, f"the text '{one[:30]}'")
            if isinstance(one, Assert):
                yield _assertion(component, one, known)
            elif isinstance(one, Equation):
                assert one.source is not None
                statement = Statement(one.source, known)
                yield statement.symbol(lambda name: getattr(component, name)), statement.location
            elif not isinstance(one, Connect):
                raise unsupported(one, f"<{one.tag}>")

    def _difference(self, component: Any, branch: BranchQuantity) -> Any:
        port = getattr(component, identifier(branch.plus))
        across = getattr(port, member_of(port, "across").name)
        if branch.minus is None:
            return across
        return across - getattr(getattr(component, identifier(branch.minus)), member_of(port, "across").name)

    def _balances(self, component: Any) -> Iterator[tuple[Any, SourceLocation]]:
        """The through quantity of each terminal is the sum over its branches; connections see to the others."""
        elsewhere = {identifier(end) for one in self.connected for end in (one.a, one.b)}
        for name, port in self.ports.items():
            total: Any = 0.0
            mine = [one for one in self.branches if name in (identifier(one.plus), identifier(one.minus or ""))]
            for branch in mine:
                for quantity in branch.through:
                    value = getattr(component, identifier(quantity))
                    total = total + value if identifier(branch.plus) == name else total - value
            if name in elsewhere and mine:
                raise unsupported(mine[0], f"the branch at '{name}', which is connected to a component as well,")
            if name not in elsewhere:
                through = getattr(getattr(component, name), member_of(port, "through").name)
                yield through == total, (mine[0] if mine else self.record).location

    def connections(self, component: Any) -> Iterator[Connected]:
        """What is connected, with the place of each in the document."""
        for one in self.connected:
            ends = tuple(self._end(component, one, text) for text in (one.a, one.b))
            yield Connected(ends, (one.location.file, one.location.line))

    def _end(self, component: Any, record: Connect, text: str) -> Any:
        found = component
        for part in text.split("."):
            known = _ends_of(found) if isinstance(found, tg.Component) else []
            if identifier(part) not in known:
                raise unknown(record, f"'{part}' of the terminal '{text}' is not declared", known)
            found = getattr(found, identifier(part))
        return found


def _ends_of(component: Any) -> list[str]:
    """What can stand in a connection: ports, directed quantities, and components on the way to them."""
    info = component._info
    directed = [name for name, declared in info.variables.items() if declared.role in ("input", "output")]
    return [*info.ports, *directed, *info.children]


def _assertion(component: Any, record: Assert, known: dict[str, str]) -> tuple[Any, SourceLocation]:
    condition = Statement(attribute_text(record.condition, record), known)
    message = record.report or record.condition
    is_warning = (record.severity or "error").lower() in ("note", "warning")
    symbol = condition.symbol(lambda name: getattr(component, name))
    return condition_holds(symbol, message, warning=is_warning), record.location
