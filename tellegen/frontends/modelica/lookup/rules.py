"""What the specification forbids although a name can be found: each a refusal with the rule that it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.changes import Redeclaration
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Component

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView

_BASES = {
    "package": ("package",),
    "operator": ("operator",),
    "function": ("function",),
    "operator function": ("function", "operator function"),
    "type": ("type",),
    "record": ("record",),
    "operator record": ("operator record",),
    "expandable connector": ("expandable connector",),
    "connector": ("type", "record", "operator record", "connector"),
    "block": ("record", "block"),
    "model": ("record", "block", "model"),
    "class": ("record", "block", "model"),
}
"""Restrictions a class may be derived from, apart from its own and `class` (MLS 7.1.3)."""


def _kind(restriction: str) -> str:
    return restriction.removeprefix("pure ").removeprefix("impure ")


def check_base(derived: ClassView, base_restriction: str, base: str, token: int) -> None:
    """E550 where a class of one kind is derived from one of another kind that it cannot be."""
    kind = _kind(derived.restriction)
    base_kind = _kind(base_restriction)
    if base_kind == "class" or kind == base_kind or base_kind in _BASES.get(kind, ()):
        return
    raise ModelicaError(
        "E550",
        f"the {kind} {derived.path} is derived from the {base_kind} {base}",
        location=derived.location(token),
        advice=f"base classes of a {kind} can be: {', '.join((*_BASES.get(kind, ()), 'class'))}",
    )


def check_clause(derived: ClassView, base: ClassView, token: int) -> None:
    """E550 where an extends clause names a class that cannot be extended (MLS 7.1.2 to 7.1.4, 14.3)."""
    reason = ""
    if base.definition.replaceable:
        reason = "is replaceable"
    elif derived.restriction == "operator record":
        reason = "is an operator record, which only short classes are derived from"
    elif any(_is_operator_record(element) for element in base.definition.elements):
        reason = "declares an operator record"
    elif (short := _short_of_several(base)) and _declares_more(derived):
        reason = f"stands for '{short}', so no other element can be declared beside it"
    if reason:
        message = f"{derived.path} cannot extend {base.path}: it {reason}"
        raise ModelicaError("E550", message, location=derived.location(token))


def _is_operator_record(element: object) -> bool:
    return isinstance(element, ClassDefinition) and element.restriction == "operator record"


def _short_of_several(view: ClassView) -> str:
    """What a short class of arrays, or with the prefix input or output, is said to be; "" of all others."""
    short = view.definition.short
    while short is not None:
        if short.dimensions or short.prefixes:
            return f"{' '.join((*short.prefixes, str(short.type)))}{'[...]' if short.dimensions else ''}"
        bases = view.bases()
        view = bases[0].view if bases else view
        short = view.definition.short if bases else None
    return ""


def _declares_more(view: ClassView) -> bool:
    """Whether a class has components, or more base classes than one."""
    elements = view.definition.elements
    return len(view.contents.extends) > 1 or any(isinstance(element, Component) for element in elements)


def check_literals(view: ClassView) -> None:
    """E553 where an enumeration has a value twice, or one by the name of an attribute (MLS 4.9.5)."""
    names = [literal.name for literal in view.definition.enumeration or ()]
    for position, name in enumerate(names):
        if name in names[:position] or name in _ENUMERATION_ATTRIBUTES:
            reason = "is there twice" if name in names[:position] else "is the name of an attribute"
            message = f"the value '{name}' of the enumeration {view.path} {reason}"
            raise ModelicaError("E553", message, location=view.location(view.definition.token))


_ENUMERATION_ATTRIBUTES = ("quantity", "min", "max", "start", "fixed")


def check_redeclaration(redeclarations: Sequence[Redeclaration], own: Component | ClassDefinition) -> None:
    """E551 where something is redeclared that must stay as it is (MLS 7.3.3)."""
    for position, (element, scope) in enumerate(redeclarations):
        before = redeclarations[position + 1].element if position + 1 < len(redeclarations) else own
        reason = ""
        if before.final:
            reason = "is final"
        elif isinstance(before, Component):
            if "constant" in before.prefixes:
                reason = "is a constant"
            elif before is not own and not before.replaceable:
                reason = "was redeclared without `replaceable`"
        elif not before.replaceable and not (before.outer and element.inner):
            reason = "is not replaceable"
        elif element.public != own.public and any(element is declared for declared in scope.definition.elements):
            reason = "is public" if own.public else "is protected"
        if reason:
            raise ModelicaError(
                "E551",
                f"'{own.name}' cannot be redeclared: it {reason}",
                location=scope.location(element.token),
            )


def check_same(first: Component | ClassDefinition, second: Component | ClassDefinition, view: ClassView) -> None:
    """E553 where two elements of one name, own or inherited, differ (MLS 7.1); the first one counts."""
    extends_first = isinstance(second, ClassDefinition) and second.extends_inherited
    if first is second or second.redeclare or extends_first or _is_same(first, second):
        return
    raise ModelicaError(
        "E553",
        f"{view.path} declares or inherits two different elements '{first.name}'",
        location=view.location(view.definition.token),
        advice="rename one of them, or use `redeclare`",
    )


def _is_same(first: Component | ClassDefinition, second: Component | ClassDefinition) -> bool:
    """Whether two declarations mean the same. Libraries repeat components with other attributes: these may differ."""
    if isinstance(first, Component) and isinstance(second, Component):
        return _declared(first) == _declared(second)
    return without_tokens(first) == without_tokens(second)


def _declared(component: Component) -> tuple[object, ...]:
    value = component.modification.value if component.modification is not None else None
    dimensions = component.dimensions + component.type_dimensions
    return component.type.parts[-1].name, component.prefixes, *map(without_tokens, (dimensions, value))


def without_tokens(node: object) -> object:
    """A node of the syntax tree as nested tuples, wherever it stands."""
    if isinstance(node, tuple | list):
        return tuple(map(without_tokens, node))
    if not is_dataclass(node):
        return node
    parts = (without_tokens(getattr(node, part.name)) for part in fields(node) if part.name not in _PLACES)
    return (type(node).__name__, *parts)


_PLACES = ("token", "annotation", "description")
