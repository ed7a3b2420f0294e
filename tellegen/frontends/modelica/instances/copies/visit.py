"""Elements of an array of components that are alike are made once: the others are copies, with numbers shifted.

    Resistor r[1000](each R=2)      r[1] has the scalars 7 to 12, r[2] those from 13 to 18, r[3] those from 19 to 24 ...

A copy is an instance like any other: its elements are made when they are named, with the numbers of its original's
elements, shifted. So everything that asks for a component of an array gets it, and what is the same for all of them is
read of the original only. Elements that differ in structure have originals of their own. Structure is everything
but the values of Real parameters and variables, and their attributes start, min, max and nominal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from tellegen.frontends.modelica.instances.copies.alike import are_alike, decides, is_by_position
from tellegen.frontends.modelica.instances.instance import CopyOf, Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.start.records import dataclass

MOST_ORIGINALS = 8
"""An array with more different elements than this is made element by element from there on."""

Intervals = tuple[tuple[int, int], ...]
"""First number and the one after the last."""


@dataclass(slots=True, eq=False)
class Original:
    """An element of an array that others may be copies of."""

    instance: Instance
    numbers: Intervals  # of its scalars, those of components inside included
    by_position: list[VariableInstance]  # about which modifiers say something for each element of an array
    deciding: list[VariableInstance]  # those that the same variable of a copy has to agree with

    @property
    def extent(self) -> tuple[int, int]:
        """First number and the one after the last."""
        return (self.numbers[0][0], self.numbers[-1][1]) if self.numbers else (0, 0)


@dataclass(slots=True, eq=False)
class Visit:
    """Makes all elements of an instance, those of copies apart."""

    share: bool
    variables: list[VariableInstance] = field(default_factory=list)
    by_position: list[VariableInstance] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)  # of numbers, in the order in which they were met

    def element(self, entity: Entity) -> None:
        """An element and everything below it."""
        if isinstance(entity, VariableInstance):
            self.variables.append(entity)
            if any(modifier.steps for modifier in entity.modifiers):
                self.by_position.append(entity)
            if entity.first_number >= 0 and entity.size:
                self.ranges.append((entity.first_number, entity.first_number + entity.size))
        elif isinstance(entity, Instance):
            for _, child in entity.children():
                self.element(child)
        elif isinstance(entity, InstanceArray):
            self._array(entity)

    def _array(self, array: InstanceArray) -> None:
        originals: list[Original] = []
        for entity in array.entities.flat:
            may_be_shared = self.share and isinstance(entity, Instance) and entity.is_untouched
            if not may_be_shared or entity.kind_of != "component":
                self.element(entity)
            elif not any(self._copied(entity, original) for original in originals):
                found = self._original(entity)
                if len(originals) < MOST_ORIGINALS and not _refers_to_array(entity, array):
                    originals.append(found)

    def _original(self, instance: Instance) -> Original:
        begin = len(self.by_position)
        first = len(self.ranges)
        self.element(instance)
        by_position = self.by_position[begin:]
        deciding = [variable for variable in by_position if decides(variable, instance)]
        return Original(instance, _merged(self.ranges[first:]), by_position, deciding)

    def _copied(self, instance: Instance, original: Original) -> bool:
        """Make an instance a copy of an original, if they are alike."""
        first, last = original.extent
        shift = instance.translation.reserve(instance, last - first) - first
        instance.copy_of = CopyOf(original.instance, shift)
        if not are_alike(instance, original.deciding):
            instance.start_again()
            instance.translation.forget(range(first + shift, last + shift))
            return False
        instance.translation.numbers_of.setdefault(id(original.instance), original.numbers)
        self.ranges += [(first + shift, last + shift) for first, last in original.numbers]
        assert instance.parent is not None
        for variable in original.by_position:
            if any(is_by_position(modifier, instance.parent) for modifier in variable.modifiers):
                self.by_position.append(instance.counterpart(variable))
        return True


def _refers_to_array(instance: Instance, array: InstanceArray) -> bool:
    """Whether something inside refers to the array, or to a component around it, as an outer element."""
    return any(array.path == path or array.path.startswith(f"{path}.") for path in _outer_paths(instance))


def _outer_paths(instance: Instance) -> Iterator[str]:
    for name, layout in instance.layout.elements.items():
        if layout.outer:
            found = instance.element(name)
            if isinstance(found, Instance | InstanceArray | VariableInstance):
                yield found.path
    for _, entity in instance.children():
        for inner in entity.entities.flat if isinstance(entity, InstanceArray) else (entity,):
            if isinstance(inner, Instance) and inner.copy_of is None and inner.kind_of == "component":
                yield from _outer_paths(inner)


def _merged(ranges: list[tuple[int, int]]) -> Intervals:
    """Ranges in order, those that touch joined."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and found[-1][1] == first:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return tuple(found)
