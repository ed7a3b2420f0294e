"""The components of a model, parents first: the tree that becomes kinds.

Records and connectors are not components; their fields are members of the component around them, by literal names
such as `data.R` and `plug.pin[1].v`. Elements of an array of components are components `r[1]`, `r[2]`, ...; copies
(instances/copies/visit.py) are parts without variables and connectors: what holds for them is said by their originals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import field

import numpy as np

from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.copies.copied_rows import CopiedRows, Level
from tellegen.frontends.modelica.kinds.implemented import Implementation
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.port_fit import kind_of
from tellegen.frontends.modelica.syntax.classes import Component
from tellegen.frontends.modelica.syntax.expressions import Number
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.start.records import dataclass


@dataclass(slots=True, eq=False)
class Part:
    """One component; `last` is the number after those of all components below it."""

    instance: Instance  # of a part inside of a copy: that of its original
    path: str
    number: int
    parent: int  # -1 for the model itself
    name: str  # seen from the parent
    variables: list[VariableInstance] = field(default_factory=list)  # with those of records and connectors
    connectors: list[Instance | VariableInstance] = field(default_factory=list)  # not those inside of connectors
    children: list[int] = field(default_factory=list)
    last: int = 0
    implementation: Implementation | None = None  # of a class that was not written in Modelica
    original: int = -1  # what it is a copy of

    @property
    def is_copy(self) -> bool:
        """Whether it is one, or inside of one."""
        return self.original >= 0

    def local_name(self, path: str) -> str:
        """The name of something below, seen from this component."""
        return path[len(self.path) + 1 :] if self.path else path

    def contains(self, number: int) -> bool:
        """Whether a component is this one or below it."""
        return self.number <= number < self.last


def _is_open_input(variable: VariableInstance) -> bool:
    """Whether a variable of the model itself is given from outside (MLS 4.4.2.2), like a connector."""
    return "input" in variable.prefixes and variable.binding is None and not variable.protected


class PartTree:
    """All components of a model, and which of them each record and connector belongs to.

    `apart` are instances (by id) that share nothing although they could be copies or originals."""

    def __init__(self, root: Instance, apart: Collection[int] = (), share: bool = True) -> None:
        self.parts: list[Part] = []
        self._apart = apart
        self._share = share
        self._owner: dict[int, int] = {}  # by id(instance)
        self._implementations: dict[int, Implementation] = {}  # by id(kind)
        self._copies: dict[int, list[Part]] = {}  # by the number of their original
        self._overconstrained: set[int] = set()  # parts that have such connectors, or contain parts that do
        self._rows: dict[tuple[int, int], CopiedRows | None] = {}
        self._collect(root, -1, "")

    def number_of(self, instance: Instance) -> int:
        """The component that an instance is, or that it is a record or connector of."""
        found = self._owner.get(id(instance))
        if found is not None:
            return found
        around = instance
        while id(around) not in self._owner:
            assert around.parent is not None
            around = around.parent
        copy = self.parts[self._owner[id(around)]]
        assert instance.copy_of is not None
        return self.number_of(instance.copy_of.original) + copy.number - copy.original

    @property
    def has_copies(self) -> bool:
        return bool(self._copies)

    def is_original(self, number: int) -> bool:
        """Whether a component has copies."""
        return number in self._copies

    def is_shared(self, instance: Instance) -> bool:
        """Whether a component is a copy."""
        number = self._owner.get(id(instance))
        return number is not None and self.parts[number].is_copy

    def copies(self, number: int, within: int = -1) -> CopiedRows | None:
        """A component and its copies inside of another one, as far as it, or a component between, has some."""
        key = (number, within)
        if key not in self._rows:
            levels: list[Level] = []
            while number not in (within, -1):
                if number in self._copies:
                    levels.append(self._level(number))
                number = self.parts[number].parent
            self._rows[key] = CopiedRows(levels[::-1]) if levels else None
        return self._rows[key]

    def _level(self, number: int) -> Level:
        original = self.parts[number].instance
        shifts = [0]
        for copy in self._copies[number]:
            assert copy.instance.copy_of is not None
            shifts.append(copy.instance.copy_of.shift)
        return Level(original.translation.numbers_of[id(original)], np.array(shifts, dtype=np.int64))

    def writer(self, instance: Instance | None, owner: Part) -> int:
        """The component in whose text a modifier stands; what types say belongs to the component they are used in."""
        return owner.number if instance is None else self._owner.get(id(instance), owner.number)

    def common(self, number: int, others: Iterable[int]) -> int:
        """The innermost component around a component and others."""
        for other in others:
            while not self.parts[number].contains(other):
                number = self.parts[number].parent
        return number

    def _component(self, instance: Instance, parent: int, name: str) -> None:
        original = self._original(instance)
        if original is None:
            self._collect(instance, parent, name)
        else:
            self._copy(original, instance, parent, name)

    def _original(self, instance: Instance) -> Part | None:
        """The part next to it that an instance is a copy of, and whose kind it can share."""
        copy = instance.copy_of
        if copy is None or copy.original.parent is not instance.parent or not self._share:
            return None
        number = self._owner[id(copy.original)]
        is_apart = id(instance) in self._apart or id(copy.original) in self._apart
        return None if is_apart or number in self._overconstrained else self.parts[number]

    def _copy(self, original: Part, instance: Instance, parent: int, name: str) -> None:
        """Parts like those of the original."""
        shift = len(self.parts) - original.number
        self._owner[id(instance)] = len(self.parts)
        self.parts[parent].children.append(len(self.parts))
        self._copies.setdefault(original.number, [])
        for number in range(original.number, original.last):
            part = self.parts[number]
            path = instance.path + part.path[len(original.path) :]
            copy = Part(part.instance, path, number + shift, part.parent + shift, part.name, original=number)
            copy.children = [child + shift for child in part.children]
            copy.last = part.last + shift
            copy.implementation = part.implementation
            self.parts.append(copy)
        copy = self.parts[original.number + shift]
        copy.instance = instance
        copy.parent = parent
        copy.name = name
        self._copies[original.number].append(copy)

    def _collect(self, instance: Instance, parent: int, name: str) -> None:
        part = Part(instance, instance.path, len(self.parts), parent, name)
        self.parts.append(part)
        part.implementation = self._implementation(instance)
        self._owner[id(instance)] = part.number
        if parent >= 0:
            self.parts[parent].children.append(part.number)
        for _, entity in instance.children():
            for child in elements(entity):
                self._take(child, part)
        part.last = len(self.parts)
        if parent >= 0 and part.number in self._overconstrained:
            self._overconstrained.add(parent)

    def _implementation(self, instance: Instance) -> Implementation | None:
        kind = kind_of(instance.view)
        return None if kind is None else self._implementations.setdefault(id(kind), Implementation(kind))

    def _take(self, entity: Entity, part: Part) -> None:
        if isinstance(entity, VariableInstance):
            part.variables.append(entity)
            if entity.is_connector or (part.parent < 0 and _is_open_input(entity)):
                part.connectors.append(entity)
        elif isinstance(entity, Instance):
            if entity.kind_of == "component":
                self._component(entity, part.number, part.local_name(entity.path))
                return
            if entity.kind_of == "connector":
                part.connectors.append(entity)
            self._take_fields(entity, part)

    def _take_fields(self, instance: Instance, part: Part) -> None:
        """The variables in a record or connector."""
        self._owner[id(instance)] = part.number
        if is_overconstrained(instance):
            self._overconstrained.add(part.number)
        for _, entity in instance.children():
            for child in elements(entity):
                if isinstance(child, VariableInstance):
                    part.variables.append(child)
                    if is_overconstrained(child):
                        self._overconstrained.add(part.number)
                elif isinstance(child, Instance):
                    self._take_fields(child, part)


def elements(entity: Entity) -> list[Entity]:
    """One entity, or those of an array of components."""
    return list(entity.entities.flat) if isinstance(entity, InstanceArray) else [entity]


def is_overconstrained(record: Instance | VariableInstance) -> bool:
    """Whether a record or type has more fields than degrees of freedom, and a function that compares two (MLS 9.4)."""
    view = record.view if isinstance(record, Instance) else record.layout.type.view
    return isinstance(view, ClassView) and view.find("equalityConstraint") is not None


def residue_size(record: Instance | VariableInstance) -> int:
    """How many residues its equalityConstraint has, as far as that is written as a number."""
    view = record.view if isinstance(record, Instance) else record.layout.type.view
    function = view.find("equalityConstraint") if isinstance(view, ClassView) else None
    for element in function.definition.elements if isinstance(function, ClassView) else ():
        if isinstance(element, Component) and "output" in element.prefixes:
            sizes = element.dimensions + element.type_dimensions
            return int(sizes[0].value) if len(sizes) == 1 and isinstance(sizes[0], Number) else 0
    return 0
