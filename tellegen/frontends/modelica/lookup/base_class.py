"""Base classes of a view, and what is in force in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tellegen.frontends.modelica.lookup.changes import Written
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Extends, Modification

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView


class InForce(NamedTuple):
    """What makes a view differ from the bare class: see ClassView and, for `kept`, Base."""

    changes: tuple[Written, ...] = ()
    applied: tuple[Written, ...] = ()
    kept: tuple[Written, ...] = ()


class Base(NamedTuple):
    """A base class: its view, the modification of the extends clause with the class it is written in, and modifiers
    that a redeclaration keeps, which count below that modification and above everything in `view`."""

    view: ClassView
    modification: Modification | None
    scope: ClassView
    kept: tuple[Written, ...] = ()


class PredefinedBase(NamedTuple):
    """A predefined type as a base class, and the modification of its attributes."""

    type: Builtin
    modification: Modification | None
    scope: ClassView


class Parent(NamedTuple):
    """A base class and the clause that names it: an Extends, or the definition itself."""

    clause: Extends | ClassDefinition
    base: Base | PredefinedBase

    @property
    def is_public(self) -> bool:
        """Whether inherited elements stay public."""
        return not isinstance(self.clause, Extends) or self.clause.public
