"""An element of a class that is not a class: a component as redeclared, or a literal of an enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.lookup.changes import Written, redeclares
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.syntax.classes import Component, ElementRedeclaration, Modification, Removal
from tellegen.frontends.modelica.syntax.expressions import Expression
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.evaluation.class_scope import PackageValue
    from tellegen.frontends.modelica.lookup.class_view import ClassView


@dataclass(frozen=True, slots=True)
class Literal:
    """One value of an enumeration; ordinals count from 1."""

    enumeration: ClassView
    name: str
    ordinal: int


@dataclass(eq=False)
class ElementView:
    """A component of a class, as redeclared. `scope` is the class in whose text `component` stands, `owner` the one
    that declares the element, `original` the declaration that was replaced.

    What modifies it, outermost first: `applied` (from outside of the class, for packages), the modification of
    `component` in `scope`, `kept` (of a constraining clause or the original declaration)."""

    component: Component
    scope: ClassView
    owner: ClassView
    original: Component | None = None
    applied: tuple[Written, ...] = ()
    kept: tuple[Written, ...] = ()
    constant: PackageValue | None = None  # once somebody asked for it, see evaluation/class_scope.py
    _type: ClassView | Builtin | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.component.name

    @property
    def dimensions(self) -> tuple[tuple[Expression, ...], ClassView]:
        """Its array dimensions, those of the original where a redeclaration gives none, and where they are written."""
        own = self.component.dimensions + self.component.type_dimensions
        if self.original is None or own:
            return own, self.scope
        return self.original.dimensions + self.original.type_dimensions, self.owner

    @property
    def condition(self) -> tuple[Expression | None, ClassView]:
        """The condition it exists under, which a redeclaration keeps, and where it is written."""
        if self.original is not None:
            return self.original.condition, self.owner
        return self.component.condition, self.scope

    @property
    def prefixes(self) -> tuple[str, ...]:
        """flow, parameter, input ...: those of the original stay where the new declaration has none of their group."""
        prefixes = self.component.prefixes
        for group in (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output")):
            if self.original is not None and not any(prefix in group for prefix in prefixes):
                prefixes += tuple(prefix for prefix in self.original.prefixes if prefix in group)
        return prefixes

    @property
    def is_public(self) -> bool:
        """Whether it may be named from outside of its class."""
        return (self.original or self.component).public

    @property
    def is_constant(self) -> bool:
        """Whether it is a constant, which text of classes inside may name."""
        return "constant" in self.prefixes

    def is_redeclared_in(self, modification: Modification) -> bool:
        """Whether a modification of this component redeclares something, or gives constants of components a value."""
        if redeclares(modification):
            return True
        kind = self.type() if modification.arguments else None
        if kind is None or isinstance(kind, Builtin):
            return False
        return any(kind.is_redeclared_by(argument) for argument in modification.arguments)

    def type(self) -> ClassView | Builtin:
        """Its class, with the redeclarations in force for this component."""
        if self._type is None:
            found = self.scope.resolve(self.component.type)
            if isinstance(found, ElementView | Literal) or (isinstance(found, Builtin) and found.kind != "type"):
                raise ModelicaError(
                    "E548",
                    f"'{self.component.type}' is not a class, so '{self.name}' cannot be of this type",
                    location=self.scope.location(self.component.type.token),
                )
            if not isinstance(found, Builtin):
                self._check_modified_classes(found)
                own = self.component.modification
                written = (Written(own, self.scope),) if own is not None else ()
                found = found.under(self.applied + written + self.kept)
            self._type = found
        return self._type

    def _check_modified_classes(self, view: ClassView) -> None:
        """E552 where the declaration modifies or redeclares what its class protects."""
        modification = self.component.modification
        for argument in modification.arguments if modification is not None else ():
            if isinstance(argument, ElementRedeclaration) and view.find(argument.element.name) is None:
                raise ModelicaError(
                    "E555",
                    f"{view.path} has no element '{argument.element.name}' to redeclare",
                    location=self.scope.location(argument.token),
                    advice=nearest(argument.element.name, [*view.component_names(), *view.class_names()]),
                )
            if isinstance(argument, Removal) or not view.is_redeclared_by(argument):
                continue
            name = argument.element.name if isinstance(argument, ElementRedeclaration) else argument.name[0]
            if not view.is_public(name):
                raise ModelicaError(
                    "E552",
                    f"'{name}' cannot be modified here: it is protected in {view.path}",
                    location=self.scope.location(argument.token),
                )
