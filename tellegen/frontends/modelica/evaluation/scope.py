"""What names mean where an expression stands.

A Scope belongs to the text of one class (`view`) and, in a model, to one instance. `instances/` has the scope of an
instance, `class_scope.py` that of a class without one (package constants), functions.py that of a function's body.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tellegen.frontends.modelica.values.scalars import both
from tellegen.frontends.modelica.values.types import TypeOfSlot, unknown_slots
from tellegen.frontends.modelica.values.value import Scalar, Value
from tellegen.ir.source_location import SourceLocation

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView


class Scope:
    """Base of all scopes.

    `translation` is that of the model, or None where only constants can occur; `instance` is the component in whose
    class the text stands, or None."""

    view: ClassView
    translation: Any = None
    instance: Any = None
    depth: int = 0  # how many functions are being executed around the text
    literal: bool = False  # whether relations make no events: in functions
    guard: Scalar = True  # the condition under which the text acts
    recorder: Any = None  # where execution is recorded as a kernel (recorder.py)

    def first(self, name: str) -> Any:
        """An Entity, a Value or a ClassView for the first name of a reference.

        Locals first, then elements of the instance, then the class: constants of packages as Entity. None where only
        predefined names are left."""
        raise NotImplementedError

    def location(self, token: int) -> SourceLocation:
        """File, line and column of a token of the class's text, with the path of the instance."""
        return self.view.file.location(token, self.path)

    @property
    def path(self) -> str:
        """The instance (or the class) for messages."""
        return self.view.path

    def scope_for(self, view: ClassView) -> Scope:
        """The scope of names written in another class: that of the enclosing instance of this class, if there is."""
        raise NotImplementedError

    def with_locals(self, values: Mapping[str, Value], *, assigned: bool = False) -> Scope:
        """This scope with names in front of all others. The mapping is not copied: it may change later."""
        return LocalScope(self, values, assigned)

    def under_condition(self, condition: Scalar) -> Scope:
        """This scope for text that acts only where a condition holds."""
        scope = LocalScope(self, {}, False)
        scope.guard = both(self.guard, condition)
        return scope

    def before_assignment(self) -> Scope:
        """This scope without the values that an algorithm has assigned: what pre(x) and edge(x) are about."""
        return self

    def declared_type(self, name: str) -> str:
        """The predefined type of a variable of the function that is executed; "" for all other names."""
        _ = name
        return ""

    @property
    def type_of_slot(self) -> TypeOfSlot:
        """Which type the variables have that symbols stand for; unknown while a function is recorded."""
        return unknown_slots if self.translation is None or self.recorder is not None else self.translation.type_of


class LocalScope(Scope):
    """A scope with further names: iterators, or (`assigned`) variables as an algorithm has left them so far."""

    def __init__(self, around: Scope, values: Mapping[str, Value], assigned: bool) -> None:
        self.around = around
        self.values = values
        self.assigned = assigned
        self.view = around.view
        self.translation = around.translation
        self.instance = around.instance
        self.depth = around.depth
        self.literal = around.literal
        self.guard = around.guard
        self.recorder = around.recorder

    def first(self, name: str) -> Any:
        found = self.values.get(name)
        return self.around.first(name) if found is None else found

    def location(self, token: int) -> SourceLocation:
        return self.around.location(token)

    def declared_type(self, name: str) -> str:
        return "" if name in self.values else self.around.declared_type(name)

    @property
    def path(self) -> str:
        return self.around.path

    def scope_for(self, view: ClassView) -> Scope:
        return self.around.scope_for(view)

    def before_assignment(self) -> Scope:
        outer = self.around.before_assignment()
        return outer if self.assigned else LocalScope(outer, self.values, False)
