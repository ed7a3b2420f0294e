"""connect statements as joints of ports: arrays element by element, connectors port by port.

    connect(a.plug, b.plug)     ->     a: plug.pin[1] -- b: plug.pin[1],  a: plug.pin[2] -- b: plug.pin[2]

Which end is seen from inside follows from whose connector it is; flatten makes the equations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.ports import Address, Leaves, PlannedPort, PortTable, unit_of
from tellegen.frontends.modelica.kinds.signal_sources import Joined, SignalSources
from tellegen.frontends.modelica.sections.statements import Connect
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import is_known
from tellegen.ir.expressions.expr import Slot
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass
from tellegen.units import may_agree


@dataclass(frozen=True, slots=True)
class Joint:
    """Two connectors that are connected."""

    a: Address
    b: Address
    location: SourceLocation


@dataclass(frozen=True, slots=True, eq=False)
class OptionalEdge:
    """Two overconstrained records of connected connectors: a breakable branch of the graph of MLS 9.4."""

    a: Instance | VariableInstance
    b: Instance | VariableInstance
    part: int
    location: SourceLocation


@dataclass(slots=True, eq=False)
class ConnectedPart:
    """What the connect statements of one component say."""

    joints: list[Joint] = field(default_factory=list)
    edges: list[OptionalEdge] = field(default_factory=list)


class Connector:
    """Reads connect statements against the table of ports, and counts them."""

    def __init__(self, ports: PortTable, translation: Translation) -> None:
        self.ports = ports
        self.translation = translation
        self.uses: Counter[int] = Counter()  # of connectors in connect statements, by id

    def read(self, statements: list[Connect], part: int) -> ConnectedPart:
        """The joints of the connect statements of a component."""
        found = ConnectedPart()
        sources = SignalSources(self.ports)
        for statement in statements:
            self._count(statement.left)
            self._count(statement.right)
            try:
                left = self._leaves(statement.left)
                right = self._leaves(statement.right)
            except EvaluationError as error:
                raise error.located(statement.location) from None
            self._check(left, right, statement)
            for name, address in left.addresses.items():
                other = right.addresses.get(name)
                if other is not None:
                    self._check_family(address, other, statement)
                    one, two = (Joined(*end) for end in zip((address, other), statement.outside, strict=True))
                    sources.join(one, two, statement.location)
                    found.joints.append(Joint(address, other, statement.location))
            for name, record in left.overconstrained.items():
                edge = OptionalEdge(record, right.overconstrained[name], part, statement.location)
                found.edges.append(edge)
        return found

    # ------------------------------------------------------------------ ends

    def _leaves(self, end: Any) -> Leaves:
        """What an end consists of; elements of arrays have their position in front of their names."""
        if isinstance(end, Instance | VariableInstance):
            return self.ports.leaves(end)
        if isinstance(end, Slot):
            return self._signal(end)
        found = Leaves()
        entities = end.entities.flat if isinstance(end, InstanceArray) else end.flat
        for position, entity in enumerate(entities):
            below = self._leaves(entity)
            found.on_bus = found.on_bus or below.on_bus
            for mine, theirs in (
                (found.addresses, below.addresses),
                (found.parameters, below.parameters),
                (found.overconstrained, below.overconstrained),
            ):
                mine.update({_joined(position, name): what for name, what in theirs.items()})  # type: ignore[arg-type]
        return _flattened(found)

    def _signal(self, slot: Slot) -> Leaves:
        """One element of a vector of signals."""
        variable, element = self.translation.variable_of(slot.index)
        addresses = list(self.ports.leaves(variable).addresses.values())
        return Leaves({"": addresses[element]})

    def _count(self, end: Any) -> None:
        for entity in _entities(end):
            self.uses[id(entity)] += 1

    # ------------------------------------------------------------------ checks

    def _check(self, left: Leaves, right: Leaves, statement: Connect) -> None:
        differ = (
            left.addresses.keys() != right.addresses.keys()
            or left.overconstrained.keys() != right.overconstrained.keys()
        )
        if differ and not (left.on_bus and right.on_bus):
            one = ", ".join(sorted(left.addresses.keys() ^ right.addresses.keys())[:4])
            raise ModelicaError(
                "E585",
                f"{_path(statement.left)} and {_path(statement.right)} cannot be connected: they do not have the same "
                f"elements ({one or 'overconstrained records differ'})",
                location=statement.location,
                advice="connect connectors of the same size and of classes with the same elements",
            )
        for name, parameter in left.parameters.items():
            other = right.parameters.get(name)
            if other is not None and parameter.variability != other.variability:
                what = f"{parameter.path} is a {parameter.variability}, {other.path} a {other.variability}"
                raise ModelicaError("E586", what, location=statement.location, advice="declare both in the same way")
            if other is not None and not _are_equal(parameter, other):
                raise ModelicaError(
                    "E586",
                    f"{parameter.path} and {other.path} differ, but their connectors are connected",
                    location=statement.location,
                    advice="give both the same value",
                )

    def _check_family(self, a: Address, b: Address, statement: Connect) -> None:
        one = self.ports.ports[a.part][a.port]
        other = self.ports.ports[b.part][b.port]
        if one.family != other.family:
            raise ModelicaError(
                "E585",
                f"{_path(statement.left)} and {_path(statement.right)} cannot be connected: a {one.connector} has "
                f"{one.family}, a {other.connector} has {other.family}",
                location=statement.location,
                advice="connect connectors whose elements have the same names, types and prefixes",
            )
        if any(self.ports.tree.parts[end.part].implementation is not None for end in (a, b)):
            self._check_units(one, other, statement)

    def _check_units(self, one: PlannedPort, other: PlannedPort, statement: Connect) -> None:
        """Units are documentation in Modelica, but not for components of Python."""
        for first, second in zip(one.variables, other.variables, strict=True):
            units = (unit_of(first), unit_of(second))
            if not may_agree(*units):
                raise ModelicaError(
                    "E585",
                    f"{_path(statement.left)} and {_path(statement.right)} cannot be connected: {first.path} is in "
                    f"'{units[0].text}', {second.path} in '{units[1].text}'",
                    location=statement.location,
                    advice="use the same unit in both connectors",
                )


def _entities(end: Any) -> Iterator[Any]:
    """An end and, of an array, its elements."""
    yield end
    if isinstance(end, InstanceArray):
        yield from end.entities.flat


def _joined(position: int, name: str) -> str:
    return f"[{position}]{name}" if not name or name.startswith("[") else f"[{position}].{name}"


def _flattened(leaves: Leaves) -> Leaves:
    """Positions of nested arrays of signals counted in one: an array of vectors is connected to a matrix by rows."""
    if not leaves.addresses or not all(_is_position(name) for name in leaves.addresses):
        return leaves
    addresses = {f"[{k}]": address for k, address in enumerate(leaves.addresses.values())}
    return Leaves(addresses, leaves.parameters, leaves.overconstrained)


def _is_position(name: str) -> bool:
    return name.replace("[", "").replace("]", "").isdigit()


def _are_equal(a: VariableInstance, b: VariableInstance) -> bool:
    """Whether two parameters agree as far as they are known."""
    one = a.value()
    other = b.value()
    if not is_known(one) or not is_known(other):
        return True
    return bool(np.array_equal(np.asarray(one, object), np.asarray(other, object)))


def _path(end: Any) -> str:
    return getattr(end, "path", "") or "a signal"
