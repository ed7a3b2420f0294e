"""The Icon or Diagram layer of a class: its own shapes over those of its base classes (MLS 18.6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tellegen.frontends.modelica.graphics.annotation_values import Arguments
from tellegen.frontends.modelica.graphics.read_shapes import TextOf, extent_of, shape_of
from tellegen.frontends.modelica.graphics.shapes import WHOLE, Extent, Layer, Shape
from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
from tellegen.frontends.modelica.lookup.base_class import Base
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.annotations import whole_annotation_of
from tellegen.frontends.modelica.syntax.classes import Extends
from tellegen.start.records import dataclass

ICON = "Icon"
DIAGRAM = "Diagram"


@dataclass(frozen=True)
class Drawn:
    """A class as something in a drawing: how its texts find names, and what the names in shown texts stand for."""

    view: ClassView
    scope_for: Callable[[ClassView], InstanceScope]
    text_of: TextOf

    def layer(self, which: str) -> Layer:
        """Its icon or its diagram."""
        shapes = tuple(_shapes(self.view, which, self))
        return Layer(_extent(self.view, which, self) or WHOLE, shapes)


def _shapes(view: ClassView, which: str, drawn: Drawn) -> Iterator[Shape]:
    for parent in view.parents():
        if isinstance(parent.base, Base) and _is_shown(parent.clause, view, which, drawn):
            yield from _shapes(parent.base.view, which, drawn)
    given = _arguments(view, which, drawn)
    for record in given.records("graphics"):
        inner = Arguments.of_call(record, given.scope)
        shape = shape_of(str(record.function), inner, drawn.text_of)
        if shape is not None:
            yield shape


def _is_shown(clause: object, view: ClassView, which: str, drawn: Drawn) -> bool:
    """Whether the shapes of a base class belong to the class: not with IconMap(primitivesVisible=false)."""
    if not isinstance(clause, Extends):
        return True
    whole = Arguments.of_modification(whole_annotation_of(clause, view.file), drawn.scope_for(view))
    return whole.inner(f"{which}Map").flag("primitivesVisible", True)


def _extent(view: ClassView, which: str, drawn: Drawn) -> Extent | None:
    """Of the class itself, else of the first base class that has one."""
    found = extent_of(_arguments(view, which, drawn).inner("coordinateSystem"))
    for base in view.bases() if found is None else ():
        found = found or _extent(base.view, which, drawn)
    return found


def _arguments(view: ClassView, which: str, drawn: Drawn) -> Arguments:
    whole = whole_annotation_of(view.definition, view.file)
    return Arguments.of_modification(whole, drawn.scope_for(view)).inner(which)
