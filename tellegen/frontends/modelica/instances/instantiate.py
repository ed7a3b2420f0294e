"""A class to its tree of instances."""

from __future__ import annotations

from tellegen.frontends.modelica.instances.builder import Builder
from tellegen.frontends.modelica.instances.check_modifiers import check_names
from tellegen.frontends.modelica.instances.copies.visit import Visit
from tellegen.frontends.modelica.instances.inner_outer.outer_classes import layout_inside
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
from tellegen.frontends.modelica.instances.layout import layout_of
from tellegen.frontends.modelica.instances.modifier import Modifier
from tellegen.frontends.modelica.instances.template import template_of
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import STRUCTURAL, VariableInstance
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.classes import Modification


def instantiate(view: ClassView, arguments: Modification | None = None, share: bool = True) -> Instance:
    """The tree of instances of a model, complete: all elements made, conditions decided.

    With `share`, elements of arrays of components that are alike are copies of one of them."""
    translation = Translation(Builder())
    modifiers = ()
    if arguments is not None:
        scope = InstanceScope(view.views.root, None, translation)
        modifiers = (Modifier(template_of(arguments, view.file, view.definition.token), scope),)
        view = view.modified(arguments, view.views.root)
    root = Instance(layout_inside(layout_of(view), None, translation), "", None, modifiers, translation)
    check_names(root)
    root.check_is_complete()
    visit = Visit(share)
    visit.element(root)
    for variable in visit.variables:
        if variable.without_binding:
            _warn_of_missing_binding(root, variable)
        is_constant = variable.variability == "constant" and variable.binding is not None
        if variable.is_open_text:
            translation.texts.append(variable)
        elif variable.base in STRUCTURAL or is_constant:
            variable.value()  # may turn out to be an unknown of the initialization
    return root


def _warn_of_missing_binding(root: Instance, variable: VariableInstance) -> None:
    if variable.base == "Real" and variable.binding is None:
        return  # it has no default: a run rejects the model, unless a value is given until then
    what = "its start value" if variable.binding is not None else "the default of its type"
    root.translation.warn(f"the parameter {variable.path} has no value; {what} is taken", variable.location)
