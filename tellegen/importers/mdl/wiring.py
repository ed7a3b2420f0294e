"""Connections checked, and turned into what drives what.

a.out[0] @ b.in[0]     type I, two submodules:              in := out; in-in and out-out are illegal
in[0] @ b.in[0]        type II, configuration and inside:   inner in := outer in, outer out := inner out
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellegen.errors import DocumentError, nearest
from tellegen.importers.counted import counted
from tellegen.importers.mdl.syntax import Body, Connection, Port
from tellegen.ir.source_location import SourceLocation
from tellegen.units import NO_UNIT, Unit

Drivers = dict[Port, Port]
"""The port that each port gets its value from."""
_SHOWN = 6


@dataclass(frozen=True)
class Structure:
    """What one port carries: a number or an array, of some unit or of none."""

    dimensions: tuple[Any, ...] = ()
    unit: Unit = NO_UNIT

    def fits(self, other: Structure) -> bool:
        """Whether ports of both structures may be connected; a port without a unit fits every unit."""
        units = (self.unit.dimension, other.unit.dimension)
        return self.dimensions == other.dimensions and (None in units or units[0] == units[1])

    def __str__(self) -> str:
        size = " by ".join(map(str, self.dimensions))
        text = f"an array of {size} numbers" if size else "a number"
        return f"{text} in {self.unit.text}" if self.unit.text else text


@dataclass(frozen=True)
class Shape:
    """The structures of all ports of a module."""

    inputs: tuple[Structure, ...]
    outputs: tuple[Structure, ...]

    def structure(self, port: Port) -> Structure:
        """That of one port."""
        return (self.inputs if port.is_input else self.outputs)[port.number]


@dataclass(frozen=True)
class Around:
    """A configuration: its name, its own shape, those of its submodules."""

    name: str
    own: Shape
    inside: Mapping[str, Shape]
    location: SourceLocation


def drivers_of(body: Body, around: Around) -> Drivers:
    """What drives every input of a submodule and every output of the configuration."""
    out: Drivers = {}
    said: dict[Port, Connection] = {}
    for connection in body.connections:
        for port in (connection.one, connection.other):
            _check_port(port, around)
        target, source = _directed(connection)
        if target in out:
            first = said[target]
            what = f"'{target}' is driven twice: by '{out[target]}' and by '{source}'"
            if out[target] == source:
                what = f"'{target}' is connected to '{source}' twice"
            raise DocumentError(
                "E865",
                what,
                location=connection.one.location,
                details=[f"first at {first.one.location}: {first}"],
                advice="every input is driven by exactly one output; remove one of the connections",
            )
        _check_structures(connection, around)
        out[target] = source
        said[target] = connection
    if missing := [port for port in _targets(around) if port not in out]:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        listed = ", ".join(f"'{port}'" for port in missing[:_SHOWN])
        raise DocumentError(
            "E865",
            f"nothing drives {listed}{more}",
            location=around.location,
            advice=f"connect every input of a submodule and every output of '{around.name}' once: "
            f"some.out[0] @ {missing[0]};",
        )
    return out


def _targets(around: Around) -> Iterator[Port]:
    """All ports that something must drive."""
    for instance, shape in around.inside.items():
        yield from (Port(instance, True, k, around.location) for k in range(len(shape.inputs)))
    yield from (Port("", False, k, around.location) for k in range(len(around.own.outputs)))


def _check_port(port: Port, around: Around) -> None:
    if port.instance and port.instance not in around.inside:
        raise DocumentError(
            "E863",
            f"'{around.name}' has no submodule '{port.instance}'; {nearest(port.instance, around.inside)}",
            location=port.location,
            advice="declare it under submodules: name isa module kind;",
        )
    shape = around.inside[port.instance] if port.instance else around.own
    ports = shape.inputs if port.is_input else shape.outputs
    if port.number >= len(ports):
        kind = "input" if port.is_input else "output"
        owner = port.instance or around.name
        word = "in" if port.is_input else "out"
        there = f"the last one is {word}[{len(ports) - 1}]" if ports else "it has none"
        raise DocumentError(
            "E864",
            f"there is no '{port}': '{owner}' has {counted(len(ports), kind)}",
            location=port.location,
            advice=f"{there}; ports are counted from 0",
        )


def _directed(connection: Connection) -> tuple[Port, Port]:
    """The driven port and the one that drives it."""
    one = connection.one
    other = connection.other
    inside = bool(one.instance), bool(other.instance)
    if all(inside) and one.is_input != other.is_input:
        return (one, other) if one.is_input else (other, one)
    if any(inside) and not all(inside) and one.is_input == other.is_input:
        inner, outer = (one, other) if inside[0] else (other, one)
        return (inner, outer) if one.is_input else (outer, inner)
    kind = "inputs" if one.is_input else "outputs"
    if not any(inside):
        what = "joins two ports of the configuration itself"
        advice = "lead the signal through a submodule: a gain of 1"
    elif all(inside):
        what = f"joins two {kind} of submodules"
        advice = "connect an output to an input: a.out[0] @ b.in[0]"
    else:
        what = "joins an input and an output across the boundary of the configuration"
        advice = "connect in[...] to inputs of submodules, out[...] to outputs of submodules"
    raise DocumentError("E864", f"'{connection}' {what}", location=one.location, advice=advice)


def _check_structures(connection: Connection, around: Around) -> None:
    found = []
    for port in (connection.one, connection.other):
        shape = around.inside[port.instance] if port.instance else around.own
        found.append(shape.structure(port))
    if not found[0].fits(found[1]):
        raise DocumentError(
            "E864",
            f"'{connection}' joins ports of different structure: {found[0]} and {found[1]}",
            location=connection.one.location,
            advice="ports that are connected have the same dimensions and units",
        )
