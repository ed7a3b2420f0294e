"""What modifications written elsewhere do to one element of a class.

Tank t(redeclare package Medium = Water, level(start=1))      ->      Medium: redeclared;   level: modified
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tellegen.frontends.modelica.syntax.classes import (
    ClassDefinition,
    Component,
    ElementModification,
    ElementRedeclaration,
    Modification,
    Removal,
)
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView


class Written(NamedTuple):
    """A modification and the class in whose text it is written, where its names are looked up."""

    modification: Modification
    scope: ClassView


class Redeclaration(NamedTuple):
    """A new declaration of an element, and the class in whose text it is written."""

    element: Component | ClassDefinition
    scope: ClassView


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to an element: redeclarations, outermost first; modifications of what the outermost of them
    declares (or of the element itself), and modifications of what it replaces. `is_removed` by `break`."""

    redeclarations: tuple[Redeclaration, ...] = ()
    above: tuple[Written, ...] = ()
    below: tuple[Written, ...] = ()
    is_removed: bool = False


NO_CHANGE = Change()


def change_of(name: str, modifications: tuple[Written, ...]) -> Change:
    """What modifications, outermost first, do to the element `name`."""
    redeclarations: list[Redeclaration] = []
    above: list[Written] = []
    below: list[Written] = []
    is_removed = False
    for modification, scope in modifications:
        redeclared = None
        for argument in modification.arguments:
            if isinstance(argument, ElementRedeclaration):
                if argument.element.name == name:
                    redeclared = Redeclaration(argument.element, scope)
            elif isinstance(argument, Removal):
                is_removed = is_removed or argument.name == name
            elif argument.name[0] == name and (inner := inner_modification(argument)) is not None:
                (below if redeclarations else above).append(Written(inner, scope))
        if redeclared is not None:
            redeclarations.append(redeclared)
    if not (redeclarations or above or is_removed):
        return NO_CHANGE
    return Change(tuple(redeclarations), tuple(above), tuple(below), is_removed)


_INNER: dict[int, tuple[ElementModification, Modification]] = {}
"""By the identity of an argument (held here, so that it stays its own): views are interned by identities."""


def inner_modification(argument: ElementModification) -> Modification | None:
    """What an argument says about the element its first name denotes: x.start = 2 is x(start = 2)."""
    if len(argument.name) == 1:
        return argument.modification
    known = _INNER.get(id(argument))
    if known is None:
        rest = ElementModification(
            argument.name[1:], argument.modification, argument.each, argument.final, argument.token
        )
        known = _INNER[id(argument)] = (argument, Modification((rest,)))
    return known[1]


def redeclares(modification: Modification | None) -> bool:
    """Whether a modification redeclares (or removes) something, at whatever depth."""
    if modification is None:
        return False
    return any(
        not isinstance(argument, ElementModification) or redeclares(argument.modification)
        for argument in modification.arguments
    )


def kept_modifications(change: Change, original: Redeclaration) -> tuple[Written, ...]:
    """The modifiers that stay in force whatever an element is redeclared as (MLS 7.3.2): those of the constraining
    clause given last, or, where none is given, those of the original declaration."""
    for element, scope in (*change.redeclarations, original):
        if element.constraint is not None:
            modification = element.constraint.modification
            return change.below + ((Written(modification, scope),) if modification is not None else ())
    if not change.redeclarations:
        return change.below
    modification = _own_modification(original.element)
    return change.below + ((Written(modification, original.scope),) if modification is not None else ())


def _own_modification(element: Component | ClassDefinition) -> Modification | None:
    if isinstance(element, Component):
        return element.modification
    if element.outer:
        return None  # the inner class counts as it is
    return element.short.modification if element.short is not None else None
