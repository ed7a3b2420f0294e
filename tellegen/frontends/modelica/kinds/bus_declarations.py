"""What connections put on expandable connectors, declared there before the model is taken apart (MLS 9.1.3).

    connect(sensor.w, bus.speed);  connect(bus, motor.bus)     bus.speed and motor.bus.speed are Reals like sensor.w

Buses that are connected have the same elements, those inside of them too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.layout import ElementLayout
from tellegen.frontends.modelica.instances.removed import BusElement
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.parts import PartTree, elements
from tellegen.frontends.modelica.kinds.ports import EXPANDABLE
from tellegen.frontends.modelica.sections.statements import Connect
from tellegen.frontends.modelica.sections.topology import topology_of
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.graph.rooted_forest import Union
from tellegen.ir.expressions.expr import Slot
from tellegen.start.records import dataclass


def has_buses(tree: PartTree) -> bool:
    """Whether a component has expandable connectors."""
    return any(map(_is_bus, (connector for part in tree.parts for connector in part.connectors)))


def declare_on_buses(tree: PartTree) -> bool:
    """Declare what connections put on buses; whether there was something to declare."""
    has_changed = False
    while True:
        connects = [statement for part in tree.parts for statement in topology_of(part.instance).connects]
        found = _Buses(connects)
        if not found.declare():
            if found.open:
                raise _nothing_says(found.open[0], connects)
            return has_changed
        has_changed = True


@dataclass(frozen=True, slots=True, eq=False)
class _Array:
    """An array of so many scalars like one."""

    prototype: Any
    size: int


class _Buses:
    """The buses of a model by the sets in which they are connected, and what stands in connect statements for them."""

    def __init__(self, connects: list[Connect]) -> None:
        self.sets = Union()
        self.buses: dict[int, Instance] = {}
        self.wanted: dict[tuple[int, str], Any] = {}  # by id of the bus and name: what it is connected to
        self.parts: dict[tuple[int, str], dict[int, Any]] = {}  # of arrays: what their elements are connected to
        self.sinks: dict[tuple[int, str], Connect] = {}  # those of them that inputs alone are connected to
        self.sources: set[tuple[int, str]] = set()
        self.open: list[BusElement] = []  # connected to nothing that says what they are
        for statement in connects:
            for left, right in _pairs(statement.left, statement.right):
                self._connect(left, right, statement)

    def declare(self) -> bool:
        """Give every bus the elements of those it is connected with; whether one was missing."""
        by_set: dict[int, list[Instance]] = {}
        for number, bus in self.buses.items():
            by_set.setdefault(self.sets.find(number), []).append(bus)
        has_changed = False
        for buses in by_set.values():
            known: dict[str, Any] = {}
            for bus in buses:
                known.update({name: what for (number, name), what in self.wanted.items() if number == id(bus)})
            self._check_sources(buses, set(known))
            for bus in buses:
                known.update({name: entity for name, entity in bus.children() if _is_carried(entity)})
            known = self._arrays(buses, set(known)) | known
            for bus in buses:
                present = {name for name, _ in bus.children()}
                for name, prototype in known.items():
                    if name not in present:
                        bus.adopt(name, _like(prototype, name, bus))
                        has_changed = True
        return has_changed

    def _arrays(self, buses: list[Instance], known: set[str]) -> dict[str, Any]:
        """Arrays whose elements are connected one by one, on any of these buses, and that nothing declares."""
        found: dict[str, dict[int, Any]] = {}
        for bus in buses:
            for (number, name), parts in self.parts.items():
                if number == id(bus) and name not in known:
                    found.setdefault(name, {}).update(parts)
        for name, parts in found.items():
            if set(parts) != set(range(len(parts))):
                missing = min(set(range(len(parts))) - set(parts)) + 1
                raise ModelicaError(
                    "E585",
                    f"elements of {buses[0].path_of(name)} are connected, but not element {missing}",
                    location=buses[0].location,
                    advice="connect all elements up to the last one, or declare the array in the expandable connector",
                )
        return {name: _Array(parts[0], len(parts)) for name, parts in found.items()}

    def _check_sources(self, buses: list[Instance], names: set[str]) -> None:
        """What is an input of a component has to come from somewhere (MLS 9.1.3); outside of a model, from its bus."""
        if any(bus.parent is None or bus.parent.parent is None for bus in buses):
            return
        for name in sorted(names):
            places = [(id(bus), name) for bus in buses]
            is_declared = any(name in dict(bus.children()) for bus in buses)
            sinks = [self.sinks[place] for place in places if place in self.sinks]
            if sinks and not is_declared and not any(place in self.sources for place in places):
                raise ModelicaError(
                    "E585",
                    f"{buses[0].path_of(name)} is an input of all components that are connected to it",
                    location=sinks[0].location,
                    advice="connect it to an output as well",
                )

    def _connect(self, left: Any, right: Any, statement: Connect) -> None:
        if isinstance(left, BusElement) and isinstance(right, BusElement):
            self.open += [left, right]
            self._join(left.bus, left.bus)
            self._join(right.bus, right.bus)
        elif isinstance(left, BusElement) or isinstance(right, BusElement):
            element, other = (left, right) if isinstance(left, BusElement) else (right, left)
            place = id(element.bus), element.name
            if element.position is None:
                self.wanted[place] = other
            else:
                self.parts.setdefault(place, {})[element.position] = other
            if _is_input(other):
                self.sinks[place] = statement
            else:
                self.sources.add(place)
            self._join(element.bus, element.bus)
        elif _is_bus(left) and _is_bus(right):
            self._join(left, right)

    def _join(self, a: Instance, b: Instance) -> None:
        """Two buses, and those of the same name inside of them."""
        self.buses[id(a)] = a
        self.buses[id(b)] = b
        self.sets.join(id(a), id(b))
        inside = dict(b.children())
        for name, entity in a.children():
            for one, other in _pairs(entity, inside.get(name)):
                if _is_bus(one) and _is_bus(other):
                    self._join(one, other)


def _pairs(left: Any, right: Any) -> Iterator[tuple[Any, Any]]:
    """Two ends, of arrays their elements."""
    if isinstance(left, InstanceArray) and isinstance(right, InstanceArray):
        yield from zip(left.entities.flat, right.entities.flat, strict=False)
    else:
        yield left, right


def _is_bus(entity: object) -> bool:
    if isinstance(entity, InstanceArray):
        return any(map(_is_bus, elements(entity)))
    return isinstance(entity, Instance) and entity.restriction == EXPANDABLE


def _is_input(entity: Any) -> bool:
    """Whether a component around a bus reads it there."""
    return isinstance(entity, VariableInstance) and "input" in entity.prefixes


def _is_carried(entity: Entity) -> bool:
    """Whether an element of a bus is one that connected buses share: no parameter or constant."""
    return not isinstance(entity, VariableInstance) or entity.variability in ("continuous", "discrete")


def _like(prototype: Any, name: str, bus: Instance) -> Entity:
    """An element of a bus that is like something else."""
    translation = bus.translation
    sizes: tuple[int, ...] = ()
    if isinstance(prototype, _Array):
        sizes = (prototype.size,)
        prototype = prototype.prototype
    if isinstance(prototype, Slot):
        variable, _ = translation.variable_of(prototype.index)
        return _variable(variable, sizes, name, bus)
    if sizes and isinstance(prototype, VariableInstance) and not prototype.sizes:
        return _variable(prototype, sizes, name, bus)
    if isinstance(prototype, VariableInstance) and not sizes:
        return _variable(prototype, prototype.sizes, name, bus)
    if isinstance(prototype, Instance) and not sizes:
        made = Instance(prototype.layout, name, bus, (), translation)
        made.declaration = prototype.declaration
        return made
    raise ModelicaError(
        "E585",
        f"{bus.path_of(name)} cannot be declared by this connection",
        location=bus.location,
        advice="declare it in the expandable connector",
    )


def _variable(prototype: VariableInstance, sizes: tuple[int, ...], name: str, bus: Instance) -> VariableInstance:
    element = prototype.layout.element
    component = replace(element.component, name=name, modification=None, condition=None, dimensions=(), prefixes=())
    layout = ElementLayout(replace(element, component=component, original=None), (), False)
    made = VariableInstance(bus, layout, (), ())
    made.sizes = sizes
    made.first_number = bus.translation.add(made, made.size)
    return made


def _nothing_says(element: BusElement, connects: list[Connect]) -> ModelicaError:
    statement = next(s for s in connects if element in (s.left, s.right))
    return ModelicaError(
        "E585",
        f"nothing says what {element.path} is: it is connected to undeclared elements of buses only",
        location=statement.location,
        advice="declare it in one of the expandable connectors",
    )
