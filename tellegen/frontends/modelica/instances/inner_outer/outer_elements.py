"""outer declarations: the nearest inner element of that name around, or one added to the model (MLS 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.layout import ElementLayout
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.expressions import Number
from tellegen.frontends.modelica.values.entity import Entity

if TYPE_CHECKING:
    from tellegen.ir.source_location import SourceLocation


class Maker(Protocol):
    """Makes an element without looking at outer (builder.py)."""

    def made(self, instance: Instance, layout: ElementLayout) -> Entity: ...


def find_inner(instance: Instance, layout: ElementLayout, maker: Maker) -> Entity:
    """What an outer declaration refers to."""
    name = layout.name
    around = instance.parent
    root = instance
    while around is not None:
        declared = around.layout.elements.get(name)
        if declared is not None and declared.inner:
            _check_types(declared, instance, layout)
            found = around.inner_element(name)
            _check_sizes(found, instance, layout)
            return found
        root = around
        around = around.parent
    added = root.added_inner(name)
    if added is None:
        return _added(root, instance, layout, maker)
    if isinstance(added, Instance | VariableInstance) and added.declaration is not None:
        _check_types(added.declaration, instance, layout)
    return added


def _check_types(inner: ElementLayout, instance: Instance, outer: ElementLayout) -> None:
    """Refuse an outer declaration that asks for more than the inner element is."""
    one = inner.type.simple
    other = outer.type.simple
    fits = (one is None) == (other is None) and len(inner.dimensions) == len(outer.dimensions)
    if fits and one is not None and other is not None:
        fits = one.base == other.base and inner.type.literals == outer.type.literals
    elif fits:
        fits = outer.type.layout.elements.keys() <= inner.type.layout.elements.keys()
    if not fits:
        raise ModelicaError(
            "E560",
            f"{instance.path_of(outer.name)} is outer, and the inner element '{outer.name}' has another type",
            location=_location(instance, outer),
            details=[f"the inner one is declared at {_location(instance, inner)}"],
        )


def _check_sizes(inner: Entity, instance: Instance, outer: ElementLayout) -> None:
    """Refuse an outer array whose sizes are written as other numbers than the inner one has."""
    if not isinstance(inner, VariableInstance | Instance):
        return
    for have, dimension in zip(inner.shape, outer.dimensions, strict=False):
        size = dimension.size
        if isinstance(size, Number) and size.value != have:
            raise ModelicaError(
                "E560",
                f"{instance.path_of(outer.name)} is outer with {size.value:g} elements, the inner one has {have}",
                location=_location(instance, outer),
            )


def _added(root: Instance, instance: Instance, layout: ElementLayout, maker: Maker) -> Entity:
    """A default inner element at the top of the model, with a warning."""
    path = instance.path_of(layout.name)
    location = _location(instance, layout)
    view = layout.type.view
    if root is not instance and root.has(layout.name):
        raise ModelicaError(
            "E560",
            f"{path} is outer, and '{layout.name}' of the model is not inner",
            location=location,
            advice=f"declare `inner {layout.component.type} {layout.name};` in a model around it",
        )
    if isinstance(view, ClassView) and view.definition.partial:
        raise ModelicaError(
            "E560",
            f"{path} is outer, no inner element '{layout.name}' is around it, and its class {view.path} is partial",
            location=location,
            advice=f"declare an inner element '{layout.name}' of a complete class in a model around it",
        )
    entity = maker.made(root, layout)
    root.add_inner(layout.name, entity)
    root.translation.warn(
        f"no inner element '{layout.name}' is declared; one of class {layout.component.type} "
        "with its defaults was added to the model",
        location,
    )
    return entity


def _location(instance: Instance, layout: ElementLayout) -> SourceLocation:
    element = layout.element
    return element.scope.file.location(element.component.token, instance.path_of(layout.name))
