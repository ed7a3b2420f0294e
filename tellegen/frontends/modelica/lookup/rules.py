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
    "class": (),
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
        elif not before.replaceable:
            reason = "is not replaceable"
        if reason:
            raise ModelicaError(
                "E551",
                f"'{own.name}' cannot be redeclared: it {reason}",
                location=scope.location(element.token),
            )


def check_same(first: Component | ClassDefinition, second: Component | ClassDefinition, view: ClassView) -> None:
    """E553 where two elements of one name, own or inherited, differ (MLS 7.1); the first one counts."""
    if first is second or second.redeclare or _is_same(first, second):
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
