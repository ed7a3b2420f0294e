"""Makes the elements of instances: condition, inner or outer, type, sizes, then variables and components."""

from __future__ import annotations

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.instances.check_classes import check_field
from tellegen.frontends.modelica.instances.check_modifiers import check_modifiers, check_names
from tellegen.frontends.modelica.instances.inner_outer.outer_classes import layout_inside
from tellegen.frontends.modelica.instances.instance import CopyOf, Instance, NotAlikeError
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.layout import Dimension, ElementLayout
from tellegen.frontends.modelica.instances.modifier import (
    Modifier,
    Modifiers,
    deciding,
    field,
    inside,
    without_replaced,
)
from tellegen.frontends.modelica.instances.removed import Removed
from tellegen.frontends.modelica.instances.variable import NOT_NUMBERED, VariableInstance
from tellegen.frontends.modelica.syntax.expressions import Colon, Number
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.value import Value, describe
from tellegen.start.later import later

with later():
    from tellegen.frontends.modelica.instances.inner_outer.outer_elements import find_inner

FIELD_PREFIXES = ("parameter", "constant", "discrete", "flow", "stream", "input", "output")
"""Prefixes of a record that hold for its fields."""


class Builder:
    """Makes elements; has no state of its own."""

    def element(self, instance: Instance, layout: ElementLayout) -> Entity:
        """The element of a class as its own text sees it: of an outer declaration, what it refers to."""
        if layout.condition is not None and not self._exists(instance, layout):
            return Removed(instance.path_of(layout.name), self._location(instance, layout))
        if layout.outer:
            if not layout.inner:
                self._check_outer(instance, layout)
            return find_inner(instance, layout, self)
        return self.made(instance, layout)

    def inner_element(self, instance: Instance, layout: ElementLayout) -> Entity:
        """The element as components inside see it: of `inner outer`, the inner one."""
        if layout.condition is not None and not self._exists(instance, layout):
            return Removed(instance.path_of(layout.name), self._location(instance, layout))
        return self.made(instance, layout)

    def made(self, instance: Instance, layout: ElementLayout) -> Entity:
        """A new variable, component or array of components."""
        _ = layout.checked  # raises what is wrong
        modifiers = self._modifiers(instance, layout)
        if layout.type.simple is not None:
            return self._variable(instance, layout, modifiers)
        if layout.dimensions:
            return self._array(instance, layout, modifiers)
        return self._instance(instance, layout, modifiers, layout.name)

    # ------------------------------------------------------------------ parts of a declaration

    def _modifiers(self, instance: Instance, layout: ElementLayout) -> Modifiers:
        """All modifiers of an element, outermost first."""
        outer: Modifiers = ()
        if instance.modifiers:
            of = inside if instance.kind_of == "component" else field
            outer = of(instance.modifiers, layout.name)
            if outer:
                outer = check_modifiers(outer, instance, layout)
        if not layout.declared:
            return without_replaced(outer)
        scope_for = instance.scope_for
        declared = tuple([Modifier(placed.template, scope_for(placed.view)) for placed in layout.declared])
        return without_replaced(outer + declared)

    def _check_outer(self, instance: Instance, layout: ElementLayout) -> None:
        """Refuse modifiers of outer elements."""
        check_modifiers(inside(instance.modifiers, layout.name), instance, layout)
        for placed in layout.declared:
            if placed.template.decides or placed.template.nested:
                raise ModelicaError(
                    "E556",
                    f"{instance.path_of(layout.name)} is an outer element and cannot be modified",
                    location=self._location(instance, layout),
                    advice="modify the inner element",
                )

    def _exists(self, instance: Instance, layout: ElementLayout) -> bool:
        assert layout.condition is not None
        scope = instance.scope_for(layout.condition_view)
        value = evaluate(layout.condition, scope)
        path = instance.path_of(layout.name)
        result = known(value, scope, f"the condition of {path}", layout.component.token)
        if not isinstance(result, bool):
            raise ModelicaError(
                "E563",
                f"the condition of {path} is {describe(result)}, not a Boolean",
                location=self._location(instance, layout),
            )
        return result

    def _location(self, instance: Instance, layout: ElementLayout):
        element = layout.element
        return element.scope.file.location(element.component.token, instance.path_of(layout.name))

    # ------------------------------------------------------------------ variables

    def _variable(self, instance: Instance, layout: ElementLayout, modifiers: Modifiers) -> VariableInstance:
        prefixes = layout.prefixes
        if instance.prefixes:
            check_field(layout, prefixes, instance.prefixes)
            prefixes = _with_inherited(prefixes, instance.prefixes)
        variable = VariableInstance(instance, layout, modifiers, prefixes)
        check_names(variable)
        if layout.dimensions:
            variable.sizes = self._sizes(instance, layout, variable)
        if variable.base not in NOT_NUMBERED and variable.variability != "constant":
            variable.first_number = self._first_number(instance, variable)
        return variable

    def _first_number(self, instance: Instance, variable: VariableInstance) -> int:
        """The number of its first scalar: a new one, or in a copy that of the original, shifted."""
        copy = instance.copy_of
        if copy is None:
            return instance.translation.add(variable, variable.size)
        original = copy.original.own(variable.name)
        if not isinstance(original, VariableInstance) or original.sizes != variable.sizes:
            raise NotAlikeError(f"{variable.path} is not as in {copy.original.path}")
        return original.first_number + copy.shift

    def _sizes(self, instance: Instance, layout: ElementLayout, variable: VariableInstance) -> tuple[int, ...]:
        sizes = [self._size(dimension, instance, layout) for dimension in layout.dimensions]
        if None not in sizes:
            return tuple(size for size in sizes if size is not None)
        source = variable.binding or variable.attributes().get("start")
        if source is None:
            raise self._open(instance, layout)
        return self._closed(instance, layout, sizes, source.fitting(len(sizes)))

    def _size(self, dimension: Dimension, instance: Instance, layout: ElementLayout) -> int | None:
        """The size of one dimension; None for `:`."""
        size = dimension.size
        if isinstance(size, Number) and isinstance(size.value, int):
            return size.value
        if isinstance(size, Colon):
            return None
        if dimension.literals is not None:
            return dimension.literals
        scope = instance.scope_for(dimension.view)
        path = instance.path_of(layout.name)
        value = known(evaluate(size, scope), scope, f"the size of {path}", layout.component.token)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise ModelicaError(
            "E561",
            f"the size of {path} is {describe(value)}, not an Integer of 0 or more",
            location=self._location(instance, layout),
        )

    def _closed(
        self, instance: Instance, layout: ElementLayout, sizes: list[int | None], value: Value
    ) -> tuple[int, ...]:
        """Sizes with those left open taken from a value."""
        found = shape_of(value)
        if found == (0,):
            found = (0,) * len(sizes)
        if len(found) < len(sizes):
            raise self._open(instance, layout, value)
        return tuple(have if size is None else size for size, have in zip(sizes, found, strict=False))

    def _open(self, instance: Instance, layout: ElementLayout, value: Value | None = None) -> ModelicaError:
        path = instance.path_of(layout.name)
        reason = "it has no value" if value is None else f"its value is {describe(value)}"
        return ModelicaError(
            "E561",
            f"the size of {path} is left open by `:`, and {reason}",
            location=self._location(instance, layout),
            advice="give it an array as value, or a size",
        )

    # ------------------------------------------------------------------ components

    def _array(self, instance: Instance, layout: ElementLayout, modifiers: Modifiers) -> InstanceArray:
        sizes = [self._size(dimension, instance, layout) for dimension in layout.dimensions]
        if None in sizes:
            source = deciding(modifiers)
            if source is None:
                raise self._open(instance, layout)
            shape = self._closed(instance, layout, sizes, source.value())
        else:
            shape = tuple(size for size in sizes if size is not None)
        entities = np.empty(shape, dtype=object)
        for position in np.ndindex(*shape):
            name = f"{layout.name}[{','.join(str(index + 1) for index in position)}]"
            own = tuple(modifier.at(position) for modifier in modifiers)
            entities[position] = self._instance(instance, layout, own, name, position)
        return InstanceArray(layout.name, instance.path_of(layout.name), entities)

    def _instance(
        self,
        parent: Instance,
        layout: ElementLayout,
        modifiers: Modifiers,
        name: str,
        position: tuple[int, ...] = (),
    ) -> Instance:
        inside_parent = layout_inside(layout.type.layout, parent, parent.translation)
        instance = Instance(inside_parent, name, parent, modifiers, parent.translation)
        instance.declaration = layout
        instance.position = position
        if parent.copy_of is not None:
            original = parent.copy_of.original.own(layout.name, position)
            if not isinstance(original, Instance):
                raise NotAlikeError(f"{instance.path} is not in {parent.copy_of.original.path}")
            instance.copy_of = CopyOf(original, parent.copy_of.shift)
        if instance.kind_of != "component":
            own = tuple(prefix for prefix in layout.prefixes if prefix in FIELD_PREFIXES)
            check_field(layout, own, parent.prefixes)
            instance.prefixes = _with_inherited(own, parent.prefixes) if parent.prefixes else own
        check_names(instance)
        instance.check_is_complete()
        return instance


def _with_inherited(prefixes: tuple[str, ...], inherited: tuple[str, ...]) -> tuple[str, ...]:
    """Prefixes of a field: its own, and those of the record around it."""
    return tuple(dict.fromkeys(prefixes + inherited))
