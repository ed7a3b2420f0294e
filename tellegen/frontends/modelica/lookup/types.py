"""Types of components: which class, and which predefined type with which attributes is at the bottom of it.

type Pressure = Real(unit="Pa");  connector In = input Pressure[3](min=0);
simple_type(In)  ->  SimpleType("Real", modifications ((min=0), (unit="Pa")), dimensions (3,), prefixes ("input",))
"""

from __future__ import annotations

from dataclasses import replace

from tellegen.frontends.modelica.lookup.base_class import PredefinedBase
from tellegen.frontends.modelica.lookup.changes import Written
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.rules import check_literals
from tellegen.frontends.modelica.syntax.expressions import Expression
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class SimpleType:
    """A predefined type as derived classes give it: modifications of its attributes and array dimensions, outermost
    first, prefixes (input, flow ...), and the enumeration where `base` is "enumeration"."""

    base: str  # Real, Integer, Boolean, String, enumeration, Clock, ExternalObject
    modifications: tuple[Written, ...] = ()
    dimensions: tuple[tuple[Expression, ClassView], ...] = ()
    prefixes: tuple[str, ...] = ()
    is_connector: bool = False
    enumeration: ClassView | None = None


def type_of(element: ElementView) -> ClassView | Builtin:
    """The class of a component, with the redeclarations in force for it."""
    return element.type()


def prefixes_of(element: ElementView) -> tuple[str, ...]:
    """input, flow, parameter ...: its own and those of the short class of its type."""
    found = simple_type(element.type())
    return element.prefixes + (found.prefixes if found is not None else ())


def simple_type(type_or_class: ClassView | Builtin) -> SimpleType | None:
    """The predefined type or enumeration that a class is; None for classes made of components."""
    if isinstance(type_or_class, Builtin):
        return SimpleType(type_or_class.name) if type_or_class.kind == "type" else None
    view = type_or_class
    if view.simple_type is not None:
        return view.simple_type
    if view.definition.enumeration is not None:
        check_literals(view)
        found = SimpleType("enumeration", enumeration=view)
    else:
        found = _inherited(view)
    if found is not None:
        view.simple_type = _derived(view, found)
    return view.simple_type


def _inherited(view: ClassView) -> SimpleType | None:
    """The simple type of the first base class that has one, with the modification of the clause that names it."""
    for parent in view.parents():
        base = parent.base
        if isinstance(base, PredefinedBase):
            found = simple_type(base.type)
            kept = view.kept
        else:
            found = simple_type(base.view)
            kept = base.kept
        if found is not None:
            own = (Written(base.modification, base.scope),) if base.modification is not None else ()
            return replace(found, modifications=own + kept + found.modifications)
    return None


def _derived(view: ClassView, found: SimpleType) -> SimpleType:
    """What the class itself adds: modifications from outside of it, dimensions and prefixes of a short class."""
    short = view.definition.short
    around = view.enclosing or view
    dimensions = tuple((dimension, around) for dimension in short.dimensions) if short is not None else ()
    prefixes = short.prefixes if short is not None else ()
    return replace(
        found,
        modifications=view.applied + found.modifications,
        dimensions=dimensions + found.dimensions,
        prefixes=prefixes + found.prefixes,
        is_connector=found.is_connector or "connector" in view.restriction,
    )


def literals(view: ClassView) -> tuple[str, ...] | None:
    """The values of an enumeration in order, also of a class derived from one; None for other classes."""
    found = simple_type(view)
    if found is None or found.enumeration is None:
        return None
    return tuple(found.enumeration.contents.literals)
