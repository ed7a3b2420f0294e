"""outer declarations: the nearest inner element of that name around, or one added to the model (MLS 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.layout import ElementLayout
from tellegen.frontends.modelica.lookup.class_view import ClassView
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
            return around.inner_element(name)
        root = around
        around = around.parent
    return root.added_inner(name) or _added(root, instance, layout, maker)


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
