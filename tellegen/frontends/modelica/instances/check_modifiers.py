"""What may not be modified: final and protected elements, outer ones, names that do not exist."""

from __future__ import annotations

from collections.abc import Iterable

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.layout import ElementLayout
from tellegen.frontends.modelica.instances.modifier import Modifier, Modifiers
from tellegen.frontends.modelica.instances.variable import VariableInstance

ATTRIBUTES = {
    "Real": "quantity unit displayUnit min max start fixed nominal unbounded stateSelect",
    "Integer": "quantity min max start fixed",
    "Boolean": "quantity start fixed",
    "String": "quantity start fixed",
    "enumeration": "quantity min max start fixed",
    "Clock": "",
    "ExternalObject": "",
}
_EXPANDABLE = "expandable connector"
_FIXED = frozenset({"parameter", "constant"})
_ATTRIBUTES = {base: frozenset(names.split()) for base, names in ATTRIBUTES.items()}


def check_modifiers(outer: Modifiers, instance: Instance, layout: ElementLayout) -> Modifiers:
    """Refuse modifiers from outside of the class that it does not allow; those that count are returned.

    The value of a whole record says nothing about fields that are final: these follow from the others."""
    if layout.final or any(placed.template.final for placed in layout.declared):
        outer = tuple(modifier for modifier in outer if not modifier.is_of_whole_record)
        if outer:
            raise _refusal("is final", outer[0], instance, layout)
        return outer
    for position, modifier in enumerate(outer):
        if modifier.template.final and any(not further_out.is_of_whole_record for further_out in outer[:position]):
            raise _refusal("is final", outer[0], instance, layout)
    if layout.protected or (layout.outer and not layout.inner):
        written = [modifier for modifier in outer if not modifier.is_of_whole_record]
        if written:
            reason = "is protected" if layout.protected else "is an outer element"
            raise _refusal(reason, written[0], instance, layout)
    if outer and instance.restriction == _EXPANDABLE and not _FIXED.intersection(layout.component.prefixes):
        raise _refusal("of an expandable connector is there only where it is connected", outer[0], instance, layout)
    return outer


def check_names(entity: Instance | VariableInstance) -> None:
    """Refuse modifiers of elements or attributes that do not exist."""
    for modifier in entity.modifiers:
        template = modifier.template
        if not template.nested:
            continue
        if isinstance(entity, VariableInstance):
            allowed = _ATTRIBUTES[entity.base]
            if not template.nested.keys() <= allowed:
                _refuse_first(modifier, entity.path, allowed)
            _check_attributes(entity, modifier)
        elif template not in entity.layout.checked:
            _check_elements(entity, modifier)
            entity.layout.checked.add(template)


def _check_attributes(variable: VariableInstance, modifier: Modifier) -> None:
    """Attributes that are final further in cannot be given again."""
    further_in = variable.modifiers[variable.modifiers.index(modifier) + 1 :]
    templates = [inner.template for inner in further_in]
    templates += [placed.template for placed in variable.layout.type.defaults]
    for name, part in modifier.template.nested.items():
        for template in templates:
            inner = template.nested.get(name)
            if inner is not None and inner.final:
                raise ModelicaError(
                    "E556",
                    f"the attribute {name} of {variable.path} is final and cannot be modified",
                    location=part.file.location(part.token, modifier.scope.path),
                    details=[f"given at {inner.file.location(inner.token)}"],
                )


def _check_elements(instance: Instance, modifier: Modifier) -> None:
    elements = instance.layout.elements
    for name in modifier.template.nested:
        if name not in elements and instance.view.find(name) is None:
            _refuse_first(modifier, instance.path, elements)


def _refuse_first(modifier: Modifier, path: str, allowed: Iterable[str]) -> None:
    names = list(allowed)
    missing = next(name for name in modifier.template.nested if name not in names)
    part = modifier.template.nested[missing]
    raise ModelicaError(
        "E555",
        f"{path or 'the model'} has no element '{missing}' to modify",
        location=part.file.location(part.token, modifier.scope.path),
        advice=nearest(missing, names),
    )


def _refusal(reason: str, modifier: Modifier, instance: Instance, layout: ElementLayout) -> ModelicaError:
    return ModelicaError(
        "E556",
        f"{instance.path_of(layout.name)} {reason} and cannot be modified",
        location=modifier.location,
        details=[f"declared at {layout.element.scope.location(layout.component.token)}"],
    )
