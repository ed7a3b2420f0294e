"""Names in the text of a class without an instance: constants of packages and other classes."""

from __future__ import annotations

from typing import Any

from tellegen.frontends.modelica.evaluation.declarations import Activation, Declared, declared_value, record_fields
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView, Literal
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import literals
from tellegen.frontends.modelica.values.arrays import field_of, select, shape_of
from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value
from tellegen.start.records import dataclass


class ClassScope(Scope):
    """Names in the text of a class without an instance: constants and classes."""

    def __init__(self, view: ClassView, translation: Any = None) -> None:
        self.view = view
        self.translation = translation

    def first(self, name: str) -> Any:
        return named(self.view.lookup(name))

    def scope_for(self, view: ClassView) -> Scope:
        return ClassScope(view, self.translation)


def class_member(view: ClassView, name: str) -> Any:
    """What `view.name` means: a PackageConstant, an EnumerationValue, a class; None if there is no such element."""
    return named(view.find(name))


def named(found: ClassView | ElementView | Literal | Builtin | None) -> Any:
    """Something found in a class as what references work with; predefined names are left to them."""
    if isinstance(found, ElementView):
        return PackageConstant(found)
    if isinstance(found, Literal):
        view = found.enumeration
        return EnumerationValue(view.path, literals(view) or (), found.ordinal)
    return None if isinstance(found, Builtin) else found


@dataclass(slots=True, eq=False)
class PackageValue:
    """What is known of a package constant: the fields of a record that has no value as a whole, and its value."""

    fields: Activation | None
    value: Value | None = None
    is_computed: bool = False  # now; asked for again it is defined by itself


class PackageConstant(Entity):
    """A constant named through its class."""

    __slots__ = ("element",)

    def __init__(self, element: ElementView) -> None:
        self.element = element

    @property
    def shape(self) -> tuple[int, ...]:
        return shape_of(self.value())

    def member(self, name: str) -> Any:
        """A field is computed alone: another field of the same record may be defined by it."""
        kind = self.element.type()
        if isinstance(kind, ClassView) and isinstance(inside := kind.find(name), ClassView):
            if inside.restriction.endswith("function"):
                reason = f"through the constant '{self.element.name}'"
                raise EvaluationError("E552", f"'{name}' cannot be named here: {reason}, which is not a class")
            return inside
        fields = self._fields()
        return field_of(self.value(), name) if fields is None or name not in fields.elements else fields.value(name)

    def _fields(self) -> Activation | None:
        """The fields of a record that has no value as a whole."""
        return self._known.fields

    @property
    def _known(self) -> PackageValue:
        element = self.element
        if element.constant is None:
            element.constant = PackageValue(record_fields(Declared(element), ClassScope(element.scope)))
        return element.constant

    def index(self, subscripts: tuple[Subscript, ...]) -> Value:
        return select(self.value(), subscripts)

    def value(self) -> Value:
        element = self.element
        path = f"{element.owner.path}.{element.name}"
        if element.constant is not None and element.constant.value is not None:
            return element.constant.value
        if element.constant is not None and element.constant.is_computed:
            raise EvaluationError("E577", f"the constant {path} is defined by itself")
        if "constant" not in element.prefixes:
            raise EvaluationError(
                "E576",
                f"{path} is not a constant",
                "only constants can be named through a class, or from a class inside",
            )
        known = self._known
        known.is_computed = True
        try:
            fields = known.fields
            value = declared_value(Declared(element), ClassScope(element.scope)) if fields is None else fields.record()
        finally:
            known.is_computed = False
        if value is None:
            raise EvaluationError("E576", f"{path} has no value: it is not a constant of a package")
        known.value = value
        return value
