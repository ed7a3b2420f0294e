"""Values of declared components where there is no instance: package constants, fields of records, locals of functions.

    record R  parameter Real a = 2;  parameter Real b = a/2;  end R;      R(a=4)  ->  {a: 4.0, b: 2.0}

An Activation evaluates declarations when they are first read, so they may use each other in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.known import known_integer
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.changes import Written, change_of
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import SimpleType, literals, simple_type
from tellegen.frontends.modelica.syntax.expressions import Colon, Expression, Reference
from tellegen.frontends.modelica.values.arrays import filled, mapped, shape_of, stack
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, RecordValue, Scalar, Value, describe
from tellegen.start.records import dataclass

DEFAULTS: dict[str, Scalar] = {"Real": 0.0, "Integer": 0, "Boolean": False, "String": ""}


@dataclass(frozen=True, slots=True)
class Declared:
    """An element with the modifiers that base clauses put on it, outermost first."""

    element: ElementView
    modifiers: tuple[Written, ...] = ()

    def all_modifiers(self, outer: tuple[Written, ...]) -> tuple[Written, ...]:
        """Everything that modifies it, outermost first, its own modification included."""
        element = self.element
        own = element.component.modification
        written = (Written(own, element.scope),) if own is not None else ()
        return outer + self.modifiers + element.applied + written + element.kept


def elements_of(view: ClassView) -> dict[str, Declared]:
    """The components of a class in order, inherited ones with the modifiers of their base clauses."""
    if view.declared is not None:
        return view.declared
    modifiers: dict[str, tuple[Written, ...]] = {}
    for base in view.bases():
        own = (Written(base.modification, base.scope),) if base.modification is not None else ()
        for name, declared in elements_of(base.view).items():
            modifiers.setdefault(name, change_of(name, own + base.kept).above + declared.modifiers)
    found: dict[str, Declared] = {}
    for name in view.component_names():
        element = view.find(name)
        if isinstance(element, ElementView):
            found[name] = Declared(element, modifiers.get(name, ()))
    view.declared = found
    return found


def text_views(view: ClassView) -> Iterator[ClassView]:
    """The class and all its bases, bases first."""
    for base in view.bases():
        yield from text_views(base.view)
    yield view


class Activation:
    """One use of a record or function: its components by name, evaluated when first read.

    `outer` is where it is used from: it finds the scopes of text that belongs to enclosing components."""

    def __init__(self, view: ClassView, outer: Scope, written: tuple[Written, ...] = ()) -> None:
        self.view = view
        self.outer = outer
        self.written = written
        self.elements = elements_of(view)
        self.values: dict[str, Value] = {}
        self.depth = outer.depth
        self.literal = outer.literal
        self._texts = set(text_views(view))
        self._running: set[str] = set()

    def scope(self, view: ClassView) -> ActivationScope:
        """The scope of text that stands in one of its classes."""
        return ActivationScope(self, view)

    def scope_for(self, view: ClassView) -> Scope:
        """The scope of text that stands in any class."""
        return self.scope(view) if view in self._texts else self.outer.scope_for(view)

    def value(self, name: str) -> Value:
        """The value of a component, computed now if it was not read before."""
        if name in self.values:
            return self.values[name]
        if name in self._running:
            raise EvaluationError("E577", f"'{name}' of {self.view.path} is defined by itself")
        self._running.add(name)
        try:
            self.values[name] = self._declared(name)
        finally:
            self._running.discard(name)
        return self.values[name]

    def record(self) -> RecordValue:
        """All components as a record."""
        return RecordValue(self.view, {name: self.value(name) for name in self.elements})

    def modifiers_of(self, name: str) -> tuple[Written, ...]:
        """What the use says about a component."""
        return change_of(name, self.written).above

    def _declared(self, name: str) -> Value:
        declared = self.elements[name]
        scope = self.scope_for(declared.element.scope)
        outer = self.modifiers_of(name)
        value = declared_value(declared, scope, outer)
        return default_value(declared, scope, outer) if value is None else value


class ActivationScope(Scope):
    """Names in the text of a record or function that is in use."""

    def __init__(self, activation: Activation, view: ClassView) -> None:
        self.activation = activation
        self.view = view
        self.translation = activation.outer.translation
        self.instance = activation.outer.instance
        self.depth = activation.depth
        self.literal = activation.literal
        self.guard = activation.outer.guard
        self.recorder = activation.outer.recorder

    def first(self, name: str) -> Any:
        activation = self.activation
        found = activation.values.get(name)
        if found is not None:
            return found
        if name in activation.elements:
            return activation.value(name)
        return activation.outer.scope_for(self.view).first(name)

    def scope_for(self, view: ClassView) -> Scope:
        return self.activation.scope_for(view)

    def declared_type(self, name: str) -> str:
        declared = self.activation.elements.get(name)
        simple = simple_type(declared.element.type()) if declared is not None else None
        if simple is None:
            return ""
        return "enumeration" if simple.enumeration is not None else simple.base


def declared_value(declared: Declared, scope: Scope, outer: tuple[Written, ...] = ()) -> Value | None:
    """The value that the outermost binding gives a component; of a record also what modifiers give its fields.

    None where there is neither."""
    modifiers = declared.all_modifiers(outer)
    kind = declared.element.type()
    simple = simple_type(kind)
    for position, (modification, view) in enumerate(modifiers):
        if modification.value is not None:
            value = evaluate(modification.value, scope.scope_for(view))
            fitted = fit(value, declared, simple, scope)
            return _with_fields(fitted, modifiers[:position], scope) if simple is None else fitted
    if simple is None and isinstance(kind, ClassView) and "record" in kind.restriction:
        return _spread(lambda: record_value(kind, scope, written=modifiers), declared, scope)
    return None


def _spread(make: Any, declared: Declared, scope: Scope) -> Value:
    """One value, or as many as the declaration has elements."""
    shape = sizes(declared, None, scope)
    count = int(np.prod(shape)) if shape else 1
    values = [make() for _ in range(count)]
    return stack(values).reshape(shape) if shape else values[0]


def _with_fields(value: Value, modifiers: tuple[Written, ...], scope: Scope) -> Value:
    """A record with the fields that modifiers further out give other values."""
    if not isinstance(value, RecordValue):
        return value
    for modification, view in reversed(modifiers):
        for name in value.fields:
            for inner, _ in change_of(name, (Written(modification, view),)).above:
                if inner.value is not None:
                    value = value.with_field(name, evaluate(inner.value, scope.scope_for(view)))
    return value


def default_value(declared: Declared, scope: Scope, outer: tuple[Written, ...] = ()) -> Value:
    """What a component holds before anything is assigned to it: its start value, or zero, false, ""."""
    simple = simple_type(declared.element.type())
    if simple is None:
        raise EvaluationError("E570", f"'{declared.element.name}' has no value")
    modifiers = declared.all_modifiers(outer) + simple.modifications
    for modification, view in (item for item in change_of("start", modifiers).above):
        if modification.value is not None:
            value = evaluate(modification.value, scope.scope_for(view))
            return filled(sizes(declared, simple, scope), value) if not shape_of(value) and rank_of(declared) else value
    value = DEFAULTS.get(simple.base)
    if simple.enumeration is not None:
        value = EnumerationValue(simple.enumeration.path, literals(simple.enumeration) or (), 1)
    if value is None:
        raise EvaluationError("E570", f"'{declared.element.name}' has no value")
    shape = sizes(declared, simple, scope)
    return filled(shape, value) if shape else value


def rank_of(declared: Declared) -> int:
    """How many dimensions a component has, those of its type included."""
    simple = simple_type(declared.element.type())
    return len(declared.element.dimensions[0]) + (len(simple.dimensions) if simple is not None else 0)


def sizes(declared: Declared, simple: SimpleType | None, scope: Scope) -> tuple[int, ...]:
    """The sizes of its dimensions; open ones (`:`) are empty until something is assigned."""
    own, view = declared.element.dimensions
    dimensions = [(dimension, view) for dimension in own]
    if simple is not None:
        dimensions += simple.dimensions
    return tuple(
        size_of(dimension, scope.scope_for(where), declared.element.name) or 0 for dimension, where in dimensions
    )


def size_of(dimension: Expression, scope: Scope, name: str) -> int | None:
    """The size that one dimension says: a number, the values of an enumeration or of Boolean; None of `:`."""
    if isinstance(dimension, Colon):
        return None
    if isinstance(dimension, Reference):
        found = scope.view.lookup(dimension.parts[0].name) if len(dimension.parts) == 1 else None
        if isinstance(found, Builtin) and found.name == "Boolean":
            return 2
        found = found if len(dimension.parts) == 1 else _class_named(dimension, scope)
        if isinstance(found, ClassView) and (names := literals(found)) is not None:
            return len(names)
    return known_integer(evaluate(dimension, scope), scope, f"a size of '{name}'")


def _class_named(reference: Reference, scope: Scope) -> ClassView | None:
    found: Any = scope.view.lookup(reference.parts[0].name)
    for part in reference.parts[1:]:
        found = found.find(part.name) if isinstance(found, ClassView) else None
    return found if isinstance(found, ClassView) else None


def fit(value: Value, declared: Declared, simple: SimpleType | None, scope: Scope) -> Value:
    """A value for a component: Integers become Real where it is Real, a scalar fills an array (`each`)."""
    if simple is not None and simple.base == "Real":
        value = as_real(value)
    rank = rank_of(declared)
    found = len(shape_of(value))
    if found == rank:
        return value
    if found == 0:
        return filled(sizes(declared, simple, scope), value)
    if isinstance(value, np.ndarray) and value.size == 0:
        return np.empty((0,) * rank, dtype=object)
    name = declared.element.name
    raise EvaluationError("E567", f"'{name}' has {rank} dimensions, its value is {describe(value)}")


def as_real(value: Value) -> Value:
    """Integers as Real numbers."""
    if isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, np.ndarray) and any(type(element) is int for element in value.flat):
        return mapped(lambda element: float(element) if type(element) is int else element, value)
    return value


def record_value(
    view: ClassView, outer: Scope, given: Mapping[str, Value] | None = None, written: tuple[Written, ...] = ()
) -> RecordValue:
    """A record with these field values and modifiers; the others by their declarations."""
    activation = Activation(view, outer, written + view.applied)
    for name, value in (given or {}).items():
        declared = activation.elements[name]
        activation.values[name] = fit(value, declared, simple_type(declared.element.type()), activation.scope(view))
    return activation.record()


def record_fields(declared: Declared, scope: Scope) -> Activation | None:
    """The fields of one record that is given by modifiers of its fields; None of everything else."""
    kind = declared.element.type()
    modifiers = declared.all_modifiers(())
    if not isinstance(kind, ClassView) or "record" not in kind.restriction or simple_type(kind) is not None:
        return None
    if rank_of(declared) or any(modification.value is not None for modification, _ in modifiers):
        return None
    return Activation(kind, scope, modifiers + kind.applied)
