"""What Modelica forbids in the declarations of a class, whatever its instances are (MLS 4.4 to 4.7, 7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.instances.template import Template
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.compatibility import check_replacements
from tellegen.frontends.modelica.lookup.rules import without_tokens
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Component

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.layout import ElementLayout

RESERVED = frozenset(["Real", "Integer", "Boolean", "String"])
CONFLICTING = (("flow", "stream"), ("input", "output"))
"""Groups of prefixes of which a component has one at most."""
FIELDS_MAY_NOT_BE = frozenset(["flow", "stream", "input", "output"])
NO_SECTIONS = ("record", "connector")


def check_class(view: ClassView) -> None:
    """Refuse what the text of a class may not declare."""
    kind = _kind(view)
    _check_names(view)
    _check_nested_classes(view)
    if kind in NO_SECTIONS:
        _check_record_or_connector(view, kind)


def check_extends(base: ClassView, clause: Template, scope: ClassView) -> None:
    """An extends clause modifies elements that its base class has."""
    for name, part in clause.nested.items():
        if base.find(name) is None:
            raise ModelicaError(
                "E555",
                f"{base.path} has no element '{name}' to modify",
                location=part.file.location(part.token, scope.path),
                advice=nearest(name, [*base.component_names(), *base.class_names()]),
            )


def check_element(layout: ElementLayout) -> None:
    """Refuse prefixes of a component that conflict with each other or with its type."""
    own = layout.element.prefixes
    prefixes = own + layout.type.prefixes
    for group in CONFLICTING:
        given = [prefix for prefix in prefixes if prefix in group]
        if len(given) > 1:
            message = f"'{layout.name}' is declared {' and '.join(given)}"
            raise refused(message, layout.element.scope, layout.component.token, "keep one of these prefixes")
    simple = layout.type.simple
    has_value = layout.component.modification is not None and layout.component.modification.value is not None
    if "discrete" in own and has_value and simple is not None and simple.base == "Real":
        message = f"'{layout.name}' is discrete and has a declaration equation; it changes in a when only"
        advice = "leave out `discrete`, or assign it in a when"
        raise refused(message, layout.element.scope, layout.component.token, advice)
    if "stream" in own and _kind(layout.element.owner) in ("model", "block"):
        message = f"'{layout.name}' is declared {' '.join(own)} in a {layout.element.owner.restriction}"
        raise refused(message, layout.element.scope, layout.component.token, "such prefixes are for connectors")
    if simple is not None:
        if ("stream" in prefixes or "flow" in prefixes) and simple.base != "Real":
            message = f"'{layout.name}' is declared flow or stream and is not Real"
            raise refused(message, layout.element.scope, layout.component.token)
    elif own and layout.type.layout.kind_of == "component":
        message = f"'{layout.name}' is declared {' '.join(own)}, but is a {layout.type.layout.restriction}"
        raise refused(message, layout.element.scope, layout.component.token, "such prefixes are for variables")
    elif {"parameter", "constant"}.intersection(own) and layout.type.layout.kind_of == "connector":
        message = f"the connector '{layout.name}' is declared {' '.join(own)}"
        raise refused(message, layout.element.scope, layout.component.token)
    elif "flow" in own and "operator" in layout.type.layout.restriction:
        _check_flow_of_operator_record(layout)


def _check_flow_of_operator_record(layout: ElementLayout) -> None:
    """Flows are added, with their signs changed outside, and zero where nothing is connected (MLS 9.2)."""
    view = layout.type.layout.record_view
    for operator in ("'+'", "'-'", "'0'"):
        if view.find(operator) is None:
            message = f"'{layout.name}' is a flow, but its operator record {view.path} does not define {operator}"
            raise refused(message, layout.element.scope, layout.component.token)


def check_redeclaration(layout: ElementLayout) -> None:
    """Refuse a redeclaration with another visibility, or of a type that does not fit (MLS 6.4, 7.3)."""
    element = layout.element
    original = element.original
    if original is not None or element.component.constraint is not None:
        check_replacements(original or element.component, element.owner)
    if original is None:
        return
    token = element.component.token
    is_element = any(declared is element.component for declared in element.scope.definition.elements)
    if is_element and element.component.public != original.public:
        visibility = "public" if original.public else "protected"
        message = f"'{layout.name}' is {visibility} and cannot be redeclared otherwise"
        raise refused(message, element.scope, token)


def check_field(layout: ElementLayout, prefixes: tuple[str, ...], inherited: tuple[str, ...]) -> None:
    """Refuse a prefix of a field that the record or connector around it has already."""
    for group in CONFLICTING:
        if any(prefix in group for prefix in prefixes) and any(prefix in group for prefix in inherited):
            message = f"'{layout.name}' is declared {' '.join(prefixes)} in a component that is {' '.join(inherited)}"
            raise refused(message, layout.element.scope, layout.component.token)


def refused(message: str, view: ClassView, token: int, advice: str = "") -> ModelicaError:
    """E562: a declaration that Modelica does not allow."""
    return ModelicaError("E562", message, location=view.location(token), advice=advice)


def _check_names(view: ClassView) -> None:
    names: set[str] = set()
    for element in (view.definition, *view.definition.elements):
        if not isinstance(element, Component | ClassDefinition):
            continue
        if element.name in RESERVED:
            raise refused(f"'{element.name}' is the name of a predefined type", view, element.token, "rename it")
        if element is not view.definition:
            if element.name in names:
                raise refused(f"{view.path} declares '{element.name}' twice", view, element.token, "rename one of them")
            names.add(element.name)


def _check_nested_classes(view: ClassView) -> None:
    """Classes inside: replacements fit their constraints, and none hides an inherited one that differs (MLS 7.1)."""
    for element in view.definition.elements:
        if not isinstance(element, ClassDefinition):
            continue
        if element.replaceable or element.outer:
            check_replacements(element, view)
        elif not element.redeclare and not element.extends_inherited:
            for base in view.bases():
                inherited = base.view.find(element.name)
                if isinstance(inherited, ClassView) and not _is_same(inherited.definition, element):
                    message = f"{view.path} declares and inherits two different classes '{element.name}'"
                    raise refused(message, view, element.token, "rename one of them, or use `redeclare`")


def _is_same(first: ClassDefinition, second: ClassDefinition) -> bool:
    return first is second or without_tokens(first) == without_tokens(second)


def _check_record_or_connector(view: ClassView, kind: str) -> None:
    if view.definition.sections:
        raise refused(f"the {view.restriction} {view.path} has equations or algorithms", view, view.definition.token)
    for element in view.definition.elements:
        if not isinstance(element, Component):
            continue
        if not element.public:
            raise refused(f"'{element.name}' of a {kind} is protected", view, element.token)
        if element.inner or element.outer:
            raise refused(f"'{element.name}' of a {kind} is inner or outer", view, element.token)
        if view.restriction == "expandable connector" and "flow" in element.prefixes:
            raise refused(f"'{element.name}' of an expandable connector is a flow", view, element.token)
        if kind == "record" and FIELDS_MAY_NOT_BE.intersection(element.prefixes):
            raise refused(f"'{element.name}' of a record is declared {' '.join(element.prefixes)}", view, element.token)


def _kind(view: ClassView) -> str:
    """model, record, function ... without operator, pure, expandable."""
    return view.restriction.split()[-1] if view.restriction else "class"
