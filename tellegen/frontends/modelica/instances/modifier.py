"""Modifiers of an element in one instance, outermost first: who says what, and in whose names.

    Resistor r[2](R={1, 2})      r[2].R:  (Modifier({1, 2}, scope of the enclosing model, steps=(1,)), R's declaration)

Nothing is merged: going down to a name asks each modifier for its part, and for a value or an attribute the first
that says something counts. So an outer modifier wins attribute by attribute, in the scope where it was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.template import Template
from tellegen.frontends.modelica.values.arrays import field_of, shape_of
from tellegen.frontends.modelica.values.value import Value, describe
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance
    from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
    from tellegen.ir.source_location import SourceLocation

Step = int | str
"""An element of an array of components, counted from 0, or a field of a record."""

TYPE_LEVEL = 1_000_000
"""The level of what a type says: less confident than anything a component says (MLS 8.6.2)."""


@dataclass(slots=True, eq=False)
class Modifier:
    """A template in the scope where it was written; `steps` lead from its value to the part meant."""

    template: Template
    scope: InstanceScope
    steps: tuple[Step, ...] = ()

    @property
    def instance(self) -> Instance | None:
        """The instance in whose text it was written; None for the text of a package."""
        return self.scope.instance

    @property
    def level(self) -> int:
        """How deep in the tree the text stands: 0 is the model itself."""
        instance = self.scope.instance
        return TYPE_LEVEL if instance is None else instance.depth

    @property
    def final(self) -> bool:
        """Whether it was written as final."""
        return self.template.final

    @property
    def is_of_whole_record(self) -> bool:
        """Whether the value of a record says it, not a modifier of this element."""
        return bool(self.steps) and isinstance(self.steps[-1], str)

    @property
    def location(self) -> SourceLocation:
        """Where it was written."""
        return self.template.file.location(self.template.token, self.scope.path)

    def inside(self, name: str) -> Modifier | None:
        """What it says about the element `name`."""
        part = self.template.nested.get(name)
        if part is None:
            return None
        return Modifier(part, self.scope, () if part.each else self.steps)

    def at(self, position: tuple[int, ...]) -> Modifier:
        """What it says about one element of an array of components."""
        return Modifier(self.template, self.scope, self.steps + position)

    def field(self, name: str) -> Modifier:
        """What its value says about a field of a record."""
        return Modifier(self.template.value_alone(), self.scope, (*self.steps, name))

    def value(self) -> Value:
        """Its value, evaluated in its scope."""
        return self.fitting(None)

    def fitting(self, rank: int | None) -> Value:
        """Its value for an element with `rank` dimensions: a forgotten `each` is found by comparing ranks."""
        assert self.template.value is not None
        if not self.steps:
            return self.scope.evaluate(self.template.value)
        whole = self.scope.evaluate_once(self.template.value)
        positions = sum(isinstance(step, int) for step in self.steps)
        if rank is not None and rank > 0 and positions == len(self.steps) and len(shape_of(whole)) == rank:
            self._warn_of_each()
            return whole
        for step in self.steps:
            whole = self._part(whole, step)
        return whole

    def _part(self, whole: Value, step: Step) -> Value:
        if isinstance(step, str):
            return field_of(whole, step)
        if not isinstance(whole, np.ndarray):
            self._warn_of_each()
            return whole
        if step < len(whole):
            return whole[step]
        raise ModelicaError(
            "E561",
            f"element {step + 1} of an array of components is to take its part of {describe(whole)}",
            location=self.location,
            advice="give one value for each element, or write `each` before one value for all of them",
        )

    def _warn_of_each(self) -> None:
        self.scope.translation.warn(
            "one value for all elements of an array of components, without `each`", self.location
        )


Modifiers = tuple[Modifier, ...]
"""Outermost first."""


def inside(modifiers: Modifiers, name: str) -> Modifiers:
    """What they say about the element `name`."""
    found = [part for modifier in modifiers if (part := modifier.inside(name)) is not None]
    return tuple(found)


def without_replaced(modifiers: Modifiers) -> Modifiers:
    """Without what redeclarations say that another one further out replaces (MLS 7.3.2)."""
    redeclaring = [modifier for modifier in modifiers if modifier.template.redeclares]
    if len(redeclaring) < 2:
        return modifiers
    replaced = redeclaring[1:]
    return tuple(modifier for modifier in modifiers if modifier not in replaced)


def field(modifiers: Modifiers, name: str) -> Modifiers:
    """What they say about a field of a record: by name, else by the value of the whole record."""
    found: list[Modifier] = []
    for modifier in modifiers:
        part = modifier.inside(name)
        if part is not None:
            found.append(part)
        if modifier.template.decides:
            found.append(modifier.field(name))
    return tuple(found)


def deciding(modifiers: Modifiers) -> Modifier | None:
    """The one whose value counts."""
    for modifier in modifiers:
        if modifier.template.decides:
            return None if modifier.template.is_break else modifier
    return None


def stacked(values: list[Value], shape: tuple[int, ...]) -> np.ndarray:
    """Values of equal shape as one array whose first dimensions are `shape`."""
    inner = shape_of(values[0]) if values else ()
    result = np.empty((len(values), *inner), dtype=object)
    for position, value in enumerate(values):
        result[position] = value
    return result.reshape(shape + inner)
