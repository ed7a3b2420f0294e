"""Everything about instances of one class that is the same for all of them: elements, their modifications, types.

A layout is made once per class view, so that ten thousand equal components cost their variables and little more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from tellegen.frontends.modelica.instances.check_classes import (
    check_class,
    check_element,
    check_extends,
    check_redeclaration,
)
from tellegen.frontends.modelica.instances.template import Template, template_of
from tellegen.frontends.modelica.lookup.base_class import Base
from tellegen.frontends.modelica.lookup.changes import Written
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.rules import check_same
from tellegen.frontends.modelica.lookup.types import SimpleType, literals, simple_type, type_of
from tellegen.frontends.modelica.syntax.annotations import annotation_of, annotation_value
from tellegen.frontends.modelica.syntax.classes import Component, Extends, Modification, Removal
from tellegen.frontends.modelica.syntax.expressions import Expression, Reference, Truth
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A template and the class in whose text it stands."""

    template: Template
    view: ClassView

    def inside(self, name: str) -> Placed | None:
        """What it says about the element `name`."""
        part = self.template.nested.get(name)
        return None if part is None else Placed(part, self.view)


class Dimension(NamedTuple):
    """The size of a dimension, written in class `view`; `type` where a type stands there, `Real x[Boolean]`."""

    size: Expression
    view: ClassView
    type: ClassView | Builtin | None

    @property
    def literals(self) -> int | None:
        """How many values that type has."""
        if self.type is None:
            return None
        return 2 if isinstance(self.type, Builtin) else len(literals(self.type) or ())


def _dimension(size: Expression, view: ClassView) -> Dimension:
    return Dimension(size, view, _index_type(size, view))


def _index_type(size: Expression, view: ClassView) -> ClassView | Builtin | None:
    """The type that a dimension names, with a value for each element; None for other dimensions."""
    if not isinstance(size, Reference) or any(part.subscripts for part in size.parts):
        return None
    found = view.resolve(size)
    simple = simple_type(found) if isinstance(found, ClassView | Builtin) else None
    if simple is None or simple.base not in ("Boolean", "enumeration"):
        return None
    return simple.enumeration or Builtin("Boolean", "type")


class ElementLayout:
    """One declared component of a class, as all instances of the class have it."""

    def __init__(self, element: ElementView, declared: tuple[Placed, ...], protected: bool) -> None:
        self.element = element
        self.declared = declared  # of extends clauses, then of the declaration: outermost first
        self.protected = protected
        self.component = element.component
        self.name = element.component.name
        original = element.original or element.component
        self.condition, self.condition_view = element.condition
        self.inner = self.component.inner or original.inner
        self.outer = self.component.outer or original.outer
        self.final = self.component.final

    @cached_property
    def type(self) -> TypeLayout:
        """Its type, with all short classes between resolved."""
        return TypeLayout(type_of(self.element))

    @cached_property
    def checked(self) -> bool:
        """Whether the declaration was found to be allowed; it raises what is wrong."""
        check_redeclaration(self)
        check_element(self)
        return True

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All dimensions, those of the component's name first."""
        sizes, view = self.element.dimensions
        return tuple(_dimension(size, view) for size in sizes) + self.type.dimensions

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """parameter, flow, input ... of the declaration and of the short classes of its type."""
        return tuple(dict.fromkeys(self.element.prefixes + self.type.prefixes))

    @cached_property
    def evaluate(self) -> bool:
        """Whether annotation(Evaluate=true) asks for the number while building."""
        return annotation_value(annotation_of(self.component), "Evaluate") == Truth(True)


class TypeLayout:
    """The type of a component: predefined, or the class of a record, connector or model."""

    def __init__(self, view: ClassView | Builtin) -> None:
        self.view = view
        self.simple: SimpleType | None = simple_type(view)
        self.prefixes: tuple[str, ...] = ()
        self.dimensions: tuple[Dimension, ...] = ()
        self.defaults: tuple[Placed, ...] = ()
        self.literals: tuple[str, ...] = ()
        if self.simple is not None:
            self._take_simple(self.simple)
        elif isinstance(view, ClassView):
            self._take_short_classes(view)

    def _take_simple(self, simple: SimpleType) -> None:
        self.prefixes = tuple(simple.prefixes)
        self.dimensions = tuple(_dimension(size, view) for size, view in simple.dimensions)
        self.defaults = tuple(_placed(simple.modifications))
        if simple.enumeration is not None:
            self.literals = literals(simple.enumeration) or ()

    def _take_short_classes(self, view: ClassView) -> None:
        short = view.definition.short
        while short is not None:
            self.prefixes += tuple(short.prefixes)
            base = view.bases()[0]
            self.dimensions += tuple(_dimension(size, base.scope) for size in short.dimensions)
            view = base.view
            short = view.definition.short

    @cached_property
    def layout(self) -> Layout:
        """The layout of a class that is not predefined."""
        assert isinstance(self.view, ClassView)
        return layout_of(self.view)


@dataclass(eq=False)
class Layout:
    """The classes whose text makes up a class, bases first, and its elements in order."""

    view: ClassView
    classes: dict[ClassView, None] = field(default_factory=dict)
    elements: dict[str, ElementLayout] = field(default_factory=dict)
    removed: list[Removal] = field(default_factory=list)
    checked: set[Template] = field(default_factory=set)  # those whose names were found to exist

    @cached_property
    def restriction(self) -> str:
        """model, record, connector ...: of the first class that says more than `type` or `class`."""
        view = self.view
        while view.restriction in ("type", "class") and view.definition.short is not None:
            view = view.bases()[0].view
        return view.restriction

    @cached_property
    def kind_of(self) -> str:
        """component, record or connector."""
        if "connector" in self.restriction:
            return "connector"
        return "record" if "record" in self.restriction else "component"

    @cached_property
    def is_partial(self) -> bool:
        """Whether it has no instances: the class or one that it is a short name of is partial."""
        view = self.view
        while not view.definition.partial and view.definition.short is not None and view.bases():
            view = view.bases()[0].view
        return view.definition.partial

    @cached_property
    def record_view(self) -> ClassView:
        """The class that names the record: `connector C = input Complex` is a Complex."""
        view = self.view
        while view.definition.short is not None and "record" not in view.restriction:
            view = view.bases()[0].view
        return view


def layout_of(view: ClassView) -> Layout:
    """The layout of a class, made when first asked for."""
    layout = view.layout
    if layout is None:
        layout = Layout(view)
        _collect(layout, view, tuple(_placed(view.applied)), False)
        view.layout = layout
    return layout


def _collect(layout: Layout, view: ClassView, outer: tuple[Placed, ...], protected: bool) -> None:
    """Add what class `view` declares and inherits; `outer` are the modifications of the clauses that lead to it."""
    if view in layout.classes:
        return
    redeclarations = view.contents.redeclarations
    own = () if redeclarations is None else tuple(_placed([Written(redeclarations, view)]))
    for parent in view.parents():
        base = parent.base
        if not isinstance(base, Base):
            continue
        layout.removed += _removals(base.modification)
        modification = () if base.modification is None else (Written(base.modification, base.scope),)
        hidden = isinstance(parent.clause, Extends) and not parent.clause.public
        clause = tuple(_placed(modification + base.kept))
        if modification:
            check_extends(base.view, clause[0].template, base.scope)
        _collect(layout, base.view, outer + own + clause, protected or hidden)
    layout.classes[view] = None
    check_class(view)
    gone = {removal.name for removal in layout.removed if removal.connection is None}
    for component in view.definition.elements:
        if not isinstance(component, Component) or component.name in gone:
            continue
        first = layout.elements.get(component.name)
        if first is None:
            _add_element(layout, view, component, outer, protected)
        else:
            check_same(first.element.original or first.component, component, view)


def _add_element(
    layout: Layout, view: ClassView, component: Component, outer: tuple[Placed, ...], protected: bool
) -> None:
    element = view.find(component.name)
    assert isinstance(element, ElementView)
    inherited = (placed.inside(component.name) for placed in outer)
    declared = tuple(one for one in inherited if one is not None) + tuple(_declaration(element))
    hidden = protected or not element.is_public
    layout.elements[component.name] = ElementLayout(element, declared, hidden)


def _declaration(element: ElementView) -> Iterator[Placed]:
    """The modification of the declaration itself; of one that was redeclared what it keeps of the original."""
    if element.original is not None:
        return _placed(element.kept)
    component = element.component
    own = () if component.modification is None else (Written(component.modification, element.scope),)
    return _placed(own + element.kept, component.token)


def _placed(written: Iterable[Written], token: int = 0) -> Iterator[Placed]:
    for modification, view in written:
        yield Placed(template_of(modification, view.file, token), view)


def _removals(modification: Modification | None) -> list[Removal]:
    """`break x` and `break connect(a, b)` of an extends clause."""
    if modification is None:
        return []
    return [argument for argument in modification.arguments if isinstance(argument, Removal)]
