"""outer classes: in a component they mean the inner class of that name around it (MLS 5.4).

    inner model A ... end A;   B b   where B has   outer model A ... end A;  A a;      ->      b.a is of the inner class

The class of such a component is a view in which the outer class is redeclared as the inner one, so that base classes,
types, functions and classes inside find it as they find any other redeclaration.
"""

from __future__ import annotations

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.layout import Layout, layout_of
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.lookup.changes import Written, change_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, ElementRedeclaration, Modification, ShortClass
from tellegen.frontends.modelica.syntax.expressions import Part, Reference


def layout_inside(layout: Layout, around: Instance | None, translation: Translation) -> Layout:
    """The layout of a class whose instance is in the component `around` (None: it is the model itself)."""
    view = layout.view
    if not view.outer_classes:
        return layout
    found = [_redeclaration(definition, view, around, translation) for definition in view.outer_classes]
    return layout_of(view.under(tuple(written for written in found if written is not None)))


def _redeclaration(
    definition: ClassDefinition, view: ClassView, around: Instance | None, translation: Translation
) -> Written | None:
    """The outer class as the nearest inner one, None where it stands for itself."""
    if definition.inner:
        message = f"the class '{definition.name}' that is inner and outer at once"
        raise ModelicaError("E565", f"{message} is not supported", location=view.location(definition.token))
    if change_of(definition.name, view.changes).above:
        message = f"the class '{definition.name}' of {view.path} is outer and cannot be modified"
        advice = "modify the inner class"
        raise ModelicaError("E556", message, location=view.location(definition.token), advice=advice)
    while around is not None:
        if around.view.is_inner(definition.name):
            return Written(_as_inner(definition, around.view), around.view)
        around = around.parent
    _check_without_inner(definition, view, translation)
    return None


def _as_inner(definition: ClassDefinition, scope: ClassView) -> Modification:
    """`redeclare model A = A`, as if it were written beside the inner class."""
    made = scope.views.inner_classes
    key = (scope, definition.name, definition.restriction)
    if key not in made:
        token = scope.definition.token
        short = ShortClass(Reference((Part(definition.name),), token), (), (), None)
        element = ClassDefinition(definition.name, definition.restriction, token, short=short, inner=True)
        made[key] = Modification((ElementRedeclaration(element, False, False, token),))
    return made[key]


def _check_without_inner(definition: ClassDefinition, view: ClassView, translation: Translation) -> None:
    """Without an inner class the outer one counts, with a warning, where it is complete and the only one."""
    name = definition.name
    location = view.location(definition.token)
    advice = f"declare an inner class '{name}' in a model around it"
    found = view.find(name)
    assert isinstance(found, ClassView)
    while found.definition.short is not None and found.bases() and found.definition.short.modification is None:
        found = found.bases()[0].view
    if found.definition.partial:
        message = f"the class '{name}' is outer and partial, without an inner one around it"
        raise ModelicaError("E560", message, location=location, advice=advice)
    first = translation.outer_classes.setdefault(name, found)
    if first is not found:
        message = f"'{name}' is outer without an inner class around it, and means {first.path} and {found.path}"
        raise ModelicaError("E560", message, location=location, advice=advice)
    translation.warn(f"no inner class '{name}' is declared; the outer one is taken", location)
