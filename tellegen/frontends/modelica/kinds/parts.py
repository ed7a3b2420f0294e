"""The components of a model, parents first: the tree that becomes kinds.

Records and connectors are not components; their fields are members of the component around them, by literal names
such as `data.R` and `plug.pin[1].v`. Elements of an array of components are components `r[1]`, `r[2]`, ...
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.implemented import Implementation
from tellegen.frontends.modelica.lookup.port_fit import kind_of
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.start.records import dataclass


@dataclass(slots=True, eq=False)
class Part:
    """One component; `last` is the number after those of all components below it."""

    instance: Instance
    number: int
    parent: int  # -1 for the model itself
    name: str  # seen from the parent
    variables: list[VariableInstance] = field(default_factory=list)  # with those of records and connectors
    connectors: list[Instance | VariableInstance] = field(default_factory=list)  # not those inside of connectors
    children: list[int] = field(default_factory=list)
    last: int = 0
    implementation: Implementation | None = None  # of a class that was not written in Modelica

    def local_name(self, path: str) -> str:
        """The name of something below, seen from this component."""
        own = self.instance.path
        return path[len(own) + 1 :] if own else path

    def contains(self, number: int) -> bool:
        """Whether a component is this one or below it."""
        return self.number <= number < self.last


class PartTree:
    """All components of a model, and which of them each record and connector belongs to."""

    def __init__(self, root: Instance) -> None:
        self.parts: list[Part] = []
        self._owner: dict[int, int] = {}  # by id(instance)
        self._implementations: dict[int, Implementation] = {}  # by id(kind)
        self._collect(root, -1, "")

    def number_of(self, instance: Instance) -> int:
        """The component that an instance is, or that it is a record or connector of."""
        return self._owner[id(instance)]

    def writer(self, instance: Instance | None, owner: Part) -> int:
        """The component in whose text a modifier stands; what types say belongs to the component they are used in."""
        return owner.number if instance is None else self._owner.get(id(instance), owner.number)

    def common(self, number: int, others: Iterable[int]) -> int:
        """The innermost component around a component and others."""
        for other in others:
            while not self.parts[number].contains(other):
                number = self.parts[number].parent
        return number

    def _collect(self, instance: Instance, parent: int, name: str) -> None:
        part = Part(instance, len(self.parts), parent, name)
        self.parts.append(part)
        part.implementation = self._implementation(instance)
        self._owner[id(instance)] = part.number
        if parent >= 0:
            self.parts[parent].children.append(part.number)
        for _, entity in instance.children():
            for child in elements(entity):
                self._take(child, part)
        part.last = len(self.parts)

    def _implementation(self, instance: Instance) -> Implementation | None:
        kind = kind_of(instance.view)
        return None if kind is None else self._implementations.setdefault(id(kind), Implementation(kind))

    def _take(self, entity: Entity, part: Part) -> None:
        if isinstance(entity, VariableInstance):
            part.variables.append(entity)
            if entity.is_connector:
                part.connectors.append(entity)
        elif isinstance(entity, Instance):
            if entity.kind_of == "component":
                self._collect(entity, part.number, part.local_name(entity.path))
                return
            if entity.kind_of == "connector":
                part.connectors.append(entity)
            self._take_fields(entity, part)

    def _take_fields(self, instance: Instance, part: Part) -> None:
        """The variables in a record or connector."""
        self._owner[id(instance)] = part.number
        for _, entity in instance.children():
            for child in elements(entity):
                if isinstance(child, VariableInstance):
                    part.variables.append(child)
                elif isinstance(child, Instance):
                    self._take_fields(child, part)


def elements(entity: Entity) -> list[Entity]:
    """One entity, or those of an array of components."""
    return list(entity.entities.flat) if isinstance(entity, InstanceArray) else [entity]
