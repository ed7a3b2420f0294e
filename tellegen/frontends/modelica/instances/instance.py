"""A component, record or connector in the tree of instances; its elements are made when first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance_array import InstanceArray
from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
from tellegen.frontends.modelica.instances.removed import BusElement, Removed
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.expressions import Colon
from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import FunctionValue, RecordValue, Value
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.layout import ElementLayout, Layout
    from tellegen.frontends.modelica.instances.modifier import Modifiers
    from tellegen.frontends.modelica.instances.translation import Translation
    from tellegen.ir.source_location import SourceLocation


class ElementBuilder(Protocol):
    """Makes the elements of instances (builder.py)."""

    def element(self, instance: Instance, layout: ElementLayout) -> Entity:
        """The element as its class uses it: of an outer declaration, what it refers to."""
        ...

    def inner_element(self, instance: Instance, layout: ElementLayout) -> Entity:
        """The element as components inside see it."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CopyOf:
    """What an element of an array of components is a copy of (copies/visit.py)."""

    original: Instance
    shift: int  # of the numbers of its scalars


class NotAlikeError(Exception):
    """A copy has other elements than its original, or others in size."""


class Instance(Entity):
    """One instance of a class. `path` is "" for the model itself; `prefixes` hold for all fields of a record."""

    __slots__ = (
        "__weakref__",
        "_elements",
        "_inner",
        "_scopes",
        "copy_of",
        "declaration",
        "depth",
        "layout",
        "modifiers",
        "name",
        "parent",
        "path",
        "position",
        "prefixes",
        "translation",
    )

    def __init__(
        self,
        layout: Layout,
        name: str,
        parent: Instance | None,
        modifiers: Modifiers,
        translation: Translation,
    ) -> None:
        self.layout = layout
        self.name = name
        self.parent = parent
        self.modifiers = modifiers
        self.translation = translation
        self.path = name if parent is None else parent.path_of(name)
        self.depth = 0 if parent is None else parent.depth + 1
        self.prefixes: tuple[str, ...] = ()
        self.declaration: ElementLayout | None = None
        self.position: tuple[int, ...] = ()  # in an array of components
        self.copy_of: CopyOf | None = None
        self._elements: dict[str, Entity] = {}
        self._inner: dict[str, Entity] = {}  # inner elements that are outer at the same time, and added ones
        self._scopes: dict[ClassView, InstanceScope] = {}

    # ------------------------------------------------------------------ what it is

    @property
    def view(self) -> ClassView:
        return self.layout.view

    @property
    def kind_of(self) -> str:
        """component, record or connector."""
        return self.layout.kind_of

    def is_conditional(self, seen_from: Instance | None) -> bool:
        instance: Instance | None = self
        while instance is not None and instance is not seen_from:
            if instance.parent is seen_from:
                return instance.declaration is not None and instance.declaration.condition is not None
            instance = instance.parent
        return False

    @property
    def is_element(self) -> bool:
        return bool(self.position)

    @property
    def may_be_connected(self) -> bool:
        return self.kind_of == "connector"

    @property
    def restriction(self) -> str:
        """model, block, record, expandable connector ..."""
        return self.layout.restriction

    @property
    def shape(self) -> tuple[int, ...]:
        return ()

    @property
    def location(self) -> SourceLocation:
        """Where it is declared."""
        if self.declaration is None:
            return self.view.location(self.view.definition.token)
        element = self.declaration.element
        return element.scope.file.location(element.component.token, self.path)

    @property
    def chain(self) -> tuple[InstanceScope, ...]:
        """The classes whose sections apply, bases first, each with its names."""
        return tuple(self.scope_for(view) for view in self.layout.classes)

    def path_of(self, name: str) -> str:
        """The path of an element."""
        return f"{self.path}.{name}" if self.path else name

    # ------------------------------------------------------------------ scopes

    def scope_for(self, view: ClassView) -> InstanceScope:
        """The names in the text of class `view`: of this instance, else of the nearest around it that is a `view`."""
        scope = self._scopes.get(view)
        if scope is None:
            scope = self._scopes[view] = self._find_scope(view)
        return scope

    def _find_scope(self, view: ClassView) -> InstanceScope:
        if view in self.layout.classes:
            return InstanceScope(view, self, self.translation)
        if self.parent is not None:
            return self.parent.scope_for(view)
        return InstanceScope(view, None, self.translation)

    # ------------------------------------------------------------------ elements

    @property
    def is_untouched(self) -> bool:
        """Whether none of its elements was asked for yet."""
        return not self._elements and not self._inner

    def start_again(self) -> None:
        """Forget that it was to be a copy, and the elements made for that."""
        self.copy_of = None
        self._elements = {}
        self._inner = {}
        self._scopes = {}

    def element(self, name: str) -> Entity:
        """An element by name, as the class's own text sees it."""
        found = self._elements.get(name)
        if found is None:
            found = self._elements[name] = self._make(name)
        return found

    def _make(self, name: str) -> Entity:
        making = self.translation.making
        path = self.path_of(name)
        if path in making:
            circle = [*making[making.index(path) :], path]
            raise EvaluationError("E558", f"the size or existence of {path} depends on itself: {' -> '.join(circle)}")
        making.append(path)
        try:
            return self.translation.builder.element(self, self.layout.elements[name])
        finally:
            making.pop()

    def inner_element(self, name: str) -> Entity:
        """An element declared `inner`, as components inside see it."""
        layout = self.layout.elements.get(name)
        if layout is not None and not layout.outer:
            return self.element(name)
        found = self._inner.get(name)
        if found is None:
            assert layout is not None
            found = self._inner[name] = self.translation.builder.inner_element(self, layout)
        return found

    def nearest_inner(self, name: str) -> Entity | None:
        """The element declared `inner` here or in the nearest instance around, for a package inside that names it."""
        layout = self.layout.elements.get(name)
        if layout is not None and layout.inner:
            return self.inner_element(name)
        return None if self.parent is None else self.parent.nearest_inner(name)

    def own(self, name: str, position: tuple[int, ...] = ()) -> Entity:
        """An element that belongs to this instance, by its name and its position in an array of components."""
        found = self.inner_element(name)
        return found.entities[position] if isinstance(found, InstanceArray) and position else found

    def counterpart(self, entity: Any) -> Any:
        """What is in this copy as `entity` is in its original."""
        assert self.copy_of is not None
        if entity is self.copy_of.original:
            return self
        if isinstance(entity, VariableInstance):
            return self.counterpart(entity.owner).own(entity.name)
        return self.counterpart(entity.parent).own(entity.declaration.name, entity.position)

    def added_inner(self, name: str) -> Entity | None:
        """An inner element that no class declares, added because components refer to one."""
        return self._inner.get(name)

    def add_inner(self, name: str, entity: Entity) -> None:
        """Add an inner element that no class declares (MLS 5.4)."""
        self._inner[name] = entity

    def adopt(self, name: str, entity: Entity) -> None:
        """Add an element that connections make: of an expandable connector."""
        self._elements[name] = entity

    def children(self) -> Iterator[tuple[str, Entity]]:
        """All elements that belong to this instance: not those removed, nor references to outer ones."""
        for name, layout in self.layout.elements.items():
            if self._is_open(name):
                continue
            entity = self.element(name)
            if layout.outer:
                if not layout.inner:
                    continue
                entity = self.inner_element(name)
            if not isinstance(entity, Removed):
                yield name, entity
        for name, entity in list(self._elements.items()):
            if name not in self.layout.elements:
                yield name, entity
        for name, entity in list(self._inner.items()):
            layout = self.layout.elements.get(name)
            if layout is None or not layout.inner:
                yield name, entity

    def _is_open(self, name: str) -> bool:
        """Whether it is an array on a bus whose size connections decide, `Real x[:]`, and have not yet decided."""
        if self.restriction != "expandable connector" or name in self._elements:
            return False
        layout = self.layout.elements.get(name)
        return layout is not None and any(isinstance(one.size, Colon) for one in layout.dimensions)

    def has(self, name: str) -> bool:
        """Whether it has an element of this name."""
        return name in self.layout.elements or name in self._elements

    def member(self, name: str) -> Entity | Value | ClassView | None:
        if self._is_open(name):
            return BusElement(self, name)
        if name in self.layout.elements or name in self._elements:
            layout = self.layout.elements.get(name)
            if layout is not None and layout.protected:
                raise EvaluationError("E556", f"{self.path_of(name)} is protected and cannot be named from outside")
            return self.element(name)
        found = self.view.find(name)
        if isinstance(found, ClassView):
            if not self.view.is_public(name) or "operator" in found.restriction:
                reason = "is part of an operator" if "operator" in found.restriction else "is protected"
                raise EvaluationError("E556", f"{self.path_of(name)} {reason} and cannot be named from outside")
            return FunctionValue(found, owner=self) if found.restriction.endswith("function") else found
        return BusElement(self, name) if self.restriction == "expandable connector" else None

    def index(self, subscripts: tuple[Subscript, ...]) -> Entity:
        _ = subscripts
        raise EvaluationError("E567", f"{self.path} is not an array")

    def value(self) -> Value:
        """A record (or a connector, read as one) as a value."""
        if self.kind_of == "component":
            raise EvaluationError("E566", f"{self.path} is a {self.restriction}, which has no value")
        fields = {name: entity.value() for name, entity in self.children()}
        return RecordValue(self.layout.record_view, fields)

    def check_is_complete(self) -> None:
        """Refuse instances of partial classes."""
        if self.layout.is_partial:
            raise ModelicaError(
                "E562",
                f"{self.path or 'the model'} is of the partial class {self.view.path}",
                location=self.location,
                advice="redeclare it with a class that is complete",
            )

    def all_variables(self) -> Iterator[VariableInstance]:
        """All variables in and below this instance, in order of declaration."""
        for _, entity in self.children():
            yield from variables_of(entity)


def variables_of(entity: Entity) -> Iterator[VariableInstance]:
    """All variables of an element and below it."""
    if isinstance(entity, VariableInstance):
        yield entity
    elif isinstance(entity, Instance):
        yield from entity.all_variables()
    elif isinstance(entity, InstanceArray):
        for one in entity.entities.flat:
            yield from variables_of(one)
