"""Icons and diagrams of instances: layers of shapes, components at their placements, lines of connections.

A class whose text places nothing is drawn all the same: its components stand in rows, and connections are straight.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.graphics.annotation_values import Arguments
from tellegen.frontends.modelica.graphics.geometry import Affine, placed
from tellegen.frontends.modelica.graphics.layers import DIAGRAM, ICON, Drawn
from tellegen.frontends.modelica.graphics.read_shapes import line_of, placement_of
from tellegen.frontends.modelica.graphics.shapes import (
    Layer,
    Line,
    Look,
    Picture,
    Placed,
    Placement,
    Position,
    Rectangle,
    Text,
)
from tellegen.frontends.modelica.graphics.value_text import value_text
from tellegen.frontends.modelica.instances.builder import Builder
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
from tellegen.frontends.modelica.instances.layout import ElementLayout, layout_of
from tellegen.frontends.modelica.instances.removed import Removed
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.annotations import whole_annotation_of
from tellegen.frontends.modelica.syntax.expressions import Reference
from tellegen.frontends.modelica.syntax.statements import ConnectEquation, ForEquation, IfEquation
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError

_MARK = re.compile(r"%(?:\{([^{}]+)\}|%|([A-Za-z_][\w.]*))")
_GREY = (140, 140, 140)
_BLUE = (0, 0, 127)
_SPACE = 60.0  # between components that stand in rows
_SIDE = 20.0  # half of their height and width


def root_of(view: ClassView) -> Instance:
    """A class as the root of a drawing: nothing of it is checked, and its elements are made when they are drawn."""
    return Instance(layout_of(view), "", None, (), Translation(Builder()))


def icon_of(root: Instance) -> Picture:
    """The icon of a class with its connectors."""
    return _picture(root, root.view.definition.name)


def diagram_of(root: Instance) -> Picture:
    """The diagram of a class: its components, its connectors and the lines between them."""
    layer = _drawn(root, root.view.definition.name).layer(DIAGRAM)
    components = tuple(_components(root))
    return Picture(layer, components, tuple(_connections(root, components)))


# ------------------------------------------------------------------------------------------------------ components


def _components(root: Instance) -> Iterator[Placed]:
    found = [(layout, entity) for layout, entity in _elements(root) if _has_icon(entity)]
    placements = [_placement(layout, root, DIAGRAM) for layout, _ in found]
    in_rows = not any(placement is not None for placement in placements)
    columns = math.ceil(math.sqrt(len(found)))
    for number, ((layout, entity), placement) in enumerate(zip(found, placements, strict=True)):
        if in_rows:
            at = (_SPACE * (number % columns), -_SPACE * (number // columns))
            placement = Placement(((-_SIDE, -_SIDE), (_SIDE, _SIDE)), Position(at))
        if placement is not None:
            yield Placed(layout.name, placement, _picture_of(layout, entity))


def _elements(instance: Instance) -> Iterator[tuple[ElementLayout, Entity]]:
    """The elements that exist; those that cannot be made are left out of a drawing."""
    for name, layout in instance.layout.elements.items():
        try:
            entity = instance.element(name)
        except (EvaluationError, ModelicaError):
            continue
        if not isinstance(entity, Removed):
            yield layout, entity


def _has_icon(entity: Entity) -> bool:
    entity = _first(entity)
    if isinstance(entity, Instance):
        return entity.kind_of != "record" or entity.view.definition.annotation is not None
    return isinstance(entity, VariableInstance) and entity.is_connector


def _first(entity: Entity) -> Entity:
    """Of an array of components the first element."""
    return next(iter(entity.entities.flat), entity) if isinstance(entity, InstanceArray) else entity


def _picture_of(layout: ElementLayout, entity: Entity) -> Picture:
    """What stands for a component in a diagram: a connector shows its diagram, where it has one."""
    entity = _first(entity)
    drawn = _drawn_entity(entity, layout.name)
    if drawn is None:
        return _box(layout.name)
    if not isinstance(entity, Instance) or entity.kind_of == "connector":
        layer = drawn.layer(DIAGRAM)
        return Picture(layer if layer.shapes else drawn.layer(ICON))
    return _picture(entity, layout.name)


def _picture(instance: Instance, name: str) -> Picture:
    """An icon with the connectors on it."""
    layer = _drawn(instance, name).layer(ICON)
    connectors: list[Placed] = []
    for layout, entity in _elements(instance):
        entity = _first(entity)
        is_port = isinstance(entity, VariableInstance) and entity.is_connector
        is_port = is_port or (isinstance(entity, Instance) and entity.kind_of == "connector")
        placement = _placement(layout, instance, ICON) if is_port and not layout.protected else None
        drawn = _drawn_entity(entity, layout.name)
        if placement is not None and drawn is not None:
            connectors.append(Placed(layout.name, placement, Picture(drawn.layer(ICON))))
    if not layer.shapes:
        return Picture(_box(name).layer, tuple(connectors))
    return Picture(layer, tuple(connectors))


def _box(name: str) -> Picture:
    """For a class that draws nothing."""
    whole = ((-100.0, -100.0), (100.0, 100.0))
    label = Text(((-95.0, -35.0), (95.0, 35.0)), name, _BLUE)
    return Picture(Layer(whole, (Rectangle(whole, Look(_BLUE, (255, 255, 255), fill="Solid")), label)))


def _placement(layout: ElementLayout, owner: Instance, which: str) -> Placement | None:
    """Where a component stands in the icon or diagram of its class; None where it is not shown."""
    element = layout.element
    for component, view in ((element.component, element.scope), (element.original, element.owner)):
        if component is None or component.annotation is None:
            continue
        whole = Arguments.of_modification(whole_annotation_of(component, view.file), owner.scope_for(view))
        if "Placement" not in whole:
            continue
        given = whole.inner("Placement")
        if not given.flag("visible", True):
            return None
        usual = placement_of(given.inner("transformation"), Placement())
        if which == ICON and "iconTransformation" in given:
            return placement_of(given.inner("iconTransformation"), usual)
        return usual
    return None


# ---------------------------------------------------------------------------------------------------- names and texts


def _drawn_entity(entity: Entity, name: str) -> Drawn | None:
    if isinstance(entity, Instance):
        return _drawn(entity, name)
    if isinstance(entity, VariableInstance) and isinstance(entity.layout.type.view, ClassView):
        translation = entity.owner.translation
        view = entity.layout.type.view
        return Drawn(view, lambda other: InstanceScope(other, None, translation), lambda text: _named(text, name, view))
    return None


def _drawn(instance: Instance, name: str) -> Drawn:
    def text_of(text: str) -> str:
        def meaning(match: re.Match[str]) -> str:
            path = match[1] or match[2]
            return match[0] if path is None or path in ("name", "class") else _value(instance, path)

        return _named(_MARK.sub(meaning, text), name, instance.view)

    return Drawn(instance.view, instance.scope_for, text_of)


def _named(text: str, name: str, view: ClassView) -> str:
    text = re.sub(r"%(\{name\}|name\b)", lambda _: name, text)
    return re.sub(r"%(\{class\}|class\b)", lambda _: view.definition.name, text).replace("%%", "%")


def _value(instance: Instance, path: str) -> str:
    """A parameter's value for people, or its name where it has none."""
    entity: Any = instance
    try:
        for part in path.split("."):
            entity = entity.element(part)
        if not isinstance(entity, VariableInstance):
            return path
        value = known(entity.value(), instance.scope_for(instance.view), "a text")
    except (EvaluationError, ModelicaError, KeyError, AttributeError):
        return path
    return value_text(value, entity)


# ------------------------------------------------------------------------------------------------------- connections


def _connections(root: Instance, components: tuple[Placed, ...]) -> Iterator[Line]:
    places = {component.name: component for component in components}
    for scope in root.chain:
        for section in scope.view.definition.sections:
            for equation in _connects(section.equations):
                yield from _line(equation, scope, places)


def _connects(equations: Any) -> Iterator[ConnectEquation]:
    """All connect equations, at whatever depth; those of a loop once."""
    for equation in equations:
        if isinstance(equation, ConnectEquation):
            yield equation
        elif isinstance(equation, ForEquation):
            yield from _connects(equation.body)
        elif isinstance(equation, IfEquation):
            for _, inside in equation.branches:
                yield from _connects(inside)


def _line(equation: ConnectEquation, scope: InstanceScope, places: dict[str, Placed]) -> Iterator[Line]:
    ends = [_end(reference, places) for reference in (equation.left, equation.right)]
    if any(reference.parts[0].name not in places for reference in (equation.left, equation.right)):
        return  # to a component that does not exist or is not shown
    whole = Arguments.of_modification(whole_annotation_of(equation, scope.view.file), scope)
    drawn = line_of(whole.inner("Line")) if "Line" in whole else None
    if drawn is not None:
        yield drawn
    elif ends[0] is not None and ends[1] is not None:
        yield Line((ends[0], ends[1]), Look(_GREY))


def _end(reference: Reference, places: dict[str, Placed]) -> tuple[float, float] | None:
    """The middle of a connector in the diagram."""
    component = places.get(reference.parts[0].name)
    if component is None:
        return None
    frame = placed(Affine(), component.placement, component.picture.layer.extent)
    if len(reference.parts) > 1:
        name = reference.parts[1].name
        port = next((one for one in component.picture.components if one.name == name), None)
        if port is not None:
            frame = placed(frame, port.placement, port.picture.layer.extent)
    return frame.origin
