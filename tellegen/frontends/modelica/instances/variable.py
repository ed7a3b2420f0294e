"""A variable, parameter or constant of a predefined type in the tree of instances, scalar or array."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.instances.conformity import Declared, check_attribute, conformed, counted
from tellegen.frontends.modelica.instances.modifier import Modifier, Modifiers, deciding
from tellegen.frontends.modelica.instances.text_by_equation import text_by_equation
from tellegen.frontends.modelica.values.arrays import filled, select
from tellegen.frontends.modelica.values.entity import Entity, Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import Scalar, Value, is_known, scalars
from tellegen.ir.expressions.expr import Expr, Slot, walk

if TYPE_CHECKING:
    from tellegen.frontends.modelica.instances.instance import Instance
    from tellegen.frontends.modelica.instances.layout import ElementLayout
    from tellegen.frontends.modelica.lookup.class_view import ClassView
    from tellegen.frontends.modelica.lookup.predefined import Builtin
    from tellegen.ir.source_location import SourceLocation

STRUCTURAL = ("Integer", "Boolean", "enumeration", "String")
"""Types whose parameters are plain values while building."""
NOT_NUMBERED = ("String", "ExternalObject", "Clock")
"""Types that have no place among the scalars of a model."""


class VariableInstance(Entity):
    """One declared variable. `shape` and `variability` are set while it is built."""

    __slots__ = (
        "_busy",
        "_known",
        "_value",
        "binding",
        "first_number",
        "layout",
        "modifiers",
        "owner",
        "path",
        "prefixes",
        "sizes",
        "variability",
        "without_binding",
    )

    def __init__(self, owner: Instance, layout: ElementLayout, modifiers: Modifiers, prefixes: tuple[str, ...]) -> None:
        self.owner = owner
        self.layout = layout
        self.modifiers = modifiers
        self.prefixes = prefixes
        self.path = owner.path_of(layout.name)
        self.sizes: tuple[int, ...] = ()
        self.first_number = -1
        self._value: Value | None = None
        self._known: Value | None = None
        self._busy = False
        self.binding = deciding(modifiers)
        self.without_binding = False
        self.variability = self._variability()
        if self.binding is None and self.variability == "parameter":
            self.binding = self.attribute_modifier("start")
            self.without_binding = True

    # ------------------------------------------------------------------ what was declared

    @property
    def name(self) -> str:
        return self.layout.name

    @property
    def base(self) -> str:
        """Real, Integer, Boolean, String, enumeration, Clock or ExternalObject."""
        simple = self.layout.type.simple
        assert simple is not None
        return simple.base

    @property
    def enumeration(self) -> ClassView | None:
        simple = self.layout.type.simple
        return None if simple is None else simple.enumeration

    @property
    def literals(self) -> tuple[str, ...]:
        """Of an enumeration."""
        return self.layout.type.literals

    @property
    def is_connector(self) -> bool:
        simple = self.layout.type.simple
        return simple is not None and simple.is_connector

    def index_type(self, dimension: int) -> ClassView | Builtin | None:
        dimensions = self.layout.dimensions  # an array on a bus has none that are written
        return dimensions[dimension].type if dimension < len(dimensions) else None

    def is_conditional(self, seen_from: Instance | None) -> bool:
        if self.layout.condition is not None and self.owner is seen_from:
            return True
        return self.owner is not seen_from and self.owner.is_conditional(seen_from)

    @property
    def may_be_connected(self) -> bool:
        return (
            self.is_connector
            or bool({"input", "output"}.intersection(self.prefixes))
            or self.owner.kind_of == "connector"
        )

    @property
    def final(self) -> bool:
        """Whether nothing further out can change it: declared as final, it or a record around it."""
        if any(modifier.template.final for modifier in self.modifiers):
            return True
        return any(layout.final for layout in self.declarations())

    def declarations(self) -> Iterator[ElementLayout]:
        """Its own declaration and those of the records it is a field of: their prefixes and annotations hold for it."""
        yield self.layout
        owner: Instance | None = self.owner
        while owner is not None and owner.kind_of == "record" and owner.declaration is not None:
            yield owner.declaration
            owner = owner.parent

    @property
    def protected(self) -> bool:
        return self.layout.protected

    @property
    def description(self) -> str:
        return self.layout.component.description

    @property
    def location(self) -> SourceLocation:
        element = self.layout.element
        return element.scope.file.location(element.component.token, self.path)

    @property
    def declaration(self) -> ElementLayout:
        """What all instances of its owner's class have in common about it."""
        return self.layout

    @property
    def shape(self) -> tuple[int, ...]:
        return self.sizes

    @property
    def size(self) -> int:
        return prod(self.sizes)

    @property
    def numbers(self) -> int | np.ndarray:
        """The numbers of its scalars."""
        if not self.sizes:
            return self.first_number
        return np.arange(self.first_number, self.first_number + self.size).reshape(self.sizes)

    @property
    def declared(self) -> Declared:
        """What its values have to be."""
        enumeration = self.enumeration
        type_name = "" if enumeration is None else enumeration.path
        return Declared(self.path, self.base, self.sizes, self.literals, type_name)

    # ------------------------------------------------------------------ attributes

    def attributes(self) -> dict[str, Modifier]:
        """The attributes that were written, each with the modifier that decides it."""
        found: dict[str, Modifier] = {}
        for modifier in self.modifiers:
            for name in modifier.template.nested:
                part = modifier.inside(name)
                if name not in found and part is not None and part.template.decides:
                    found[name] = part
        for placed in self.layout.type.defaults:
            for name, template in placed.template.nested.items():
                if name not in found and template.decides:
                    found[name] = Modifier(template, self.owner.scope_for(placed.view))
        return {name: modifier for name, modifier in found.items() if not modifier.template.is_break}

    def attribute(self, name: str) -> Value | None:
        """The value of an attribute for the whole array; None where it was not written."""
        modifier = self.attribute_modifier(name)
        if modifier is None:
            return None
        value = self.attribute_value(modifier)
        check_attribute(name, value, self.declared, modifier)
        return value

    def attribute_value(self, modifier: Modifier) -> Value:
        """The value of one of its attributes, one scalar serving a whole array."""
        value = modifier.fitting(len(self.sizes))
        if not isinstance(value, np.ndarray):
            return filled(self.sizes, value) if self.sizes else value
        if value.shape != self.sizes:
            raise ModelicaError(
                "E561",
                f"an attribute of {self.path}{list(self.sizes)} has the size {list(value.shape)}",
                location=modifier.location,
                advice="give one value for each element, or write `each` before one value for all of them",
            )
        return value

    def attribute_modifier(self, name: str) -> Modifier | None:
        """Who decides an attribute; None where it was not written."""
        for modifier in self.modifiers:
            part = modifier.inside(name)
            if part is not None and part.template.decides:
                return None if part.template.is_break else part
        for placed in self.layout.type.defaults:
            template = placed.template.nested.get(name)
            if template is not None and template.decides:
                return Modifier(template, self.owner.scope_for(placed.view))
        return None

    def _variability(self) -> str:
        prefixes = self.prefixes
        if "constant" in prefixes:
            return "constant"
        if "parameter" in prefixes or self.base == "ExternalObject":
            return "initial_parameter" if self._is_free() else "parameter"
        if "discrete" in prefixes or self.base != "Real":
            return "discrete"
        return "continuous"

    def _is_free(self) -> bool:
        """Whether a parameter is an unknown of the initialization: fixed=false."""
        modifier = self.attribute_modifier("fixed")
        if modifier is None:
            return False
        value = modifier.value()
        return not all(value.flat) if isinstance(value, np.ndarray) else value is False

    # ------------------------------------------------------------------ values

    def member(self, name: str) -> Entity | Value | ClassView | None:
        _ = name
        return None

    def index(self, subscripts: tuple[Subscript, ...]) -> Value:
        return select(self.value(), subscripts)

    def value(self) -> Value:
        """Plain values of constants and structural parameters, symbols of everything else."""
        if self._value is None:
            self._value = self._read()
        return self._value

    @property
    def is_open_text(self) -> bool:
        """Whether it is a String whose value statements may say; it is known while translating."""
        return self.base == "String" and self.binding is None and self.variability in ("continuous", "discrete")

    def determine(self, value: Value) -> None:
        """Give a String its value by statements; from now on it has it wherever it is named."""
        self._value = value

    def _read(self) -> Value:
        if self.variability == "constant":
            return self._plain("a constant")
        if self.base in NOT_NUMBERED:
            return self.bound()
        if self.variability == "parameter":
            if self.base in STRUCTURAL:
                return self._structural()
            if any(layout.evaluate for layout in self.declarations()):
                return self._evaluated()
            if self.final and is_known(self.bound()):
                return self._plain("a final parameter")
        return self.owner.translation.slots(self)

    def _structural(self) -> Value:
        """The value of a parameter that is not Real; what follows from unknowns of the initialization is one."""
        if self.is_free():
            self.variability = "initial_parameter"
            return self.owner.translation.slots(self)
        return self._plain(f"the {self.base} parameter {self.path}")

    def is_free(self) -> bool:
        """Whether the initialization decides its value: fixed=false, here or in a parameter that it depends on."""
        if self.variability != "parameter" or self._known is not None:
            return self.variability == "initial_parameter"
        translation = self.owner.translation
        value = self.bound()
        if is_known(value):
            return False
        numbers = {node.index for scalar in scalars(value) for node in _slots(scalar)}
        self._busy = True
        try:
            return any(translation.variable_of(number)[0].is_free() for number in numbers)
        finally:
            self._busy = False

    def _evaluated(self) -> Value:
        """The value of a parameter with Evaluate=true; a symbol where it is not known before initialization."""
        try:
            return self._plain("annotation(Evaluate=true)")
        except ModelicaError:
            return self.owner.translation.slots(self)

    def _plain(self, purpose: str) -> Value:
        value = self.known_value(purpose)
        translation = self.owner.translation
        if self.variability == "parameter" and self.first_number >= 0:
            for number in range(self.first_number, self.first_number + self.size):
                translation.mark_structural(number, purpose)
        return value

    def known_value(self, purpose: str) -> Value:
        """The plain value of a parameter or constant from its binding."""
        if self._known is not None:
            return self._known
        value = self.bound()
        if not is_known(value):
            value = self._number(value, purpose)
            if self.owner.translation.is_peeking:
                return value
        self._known = value
        return value

    def _number(self, value: Value, purpose: str) -> Value:
        """The number of an expression over other parameters."""
        binding = self.binding
        assert binding is not None
        if self.variability == "constant":
            message = f"the constant {self.path} is given by something that is not constant"
            raise ModelicaError("E563", message, location=binding.location, advice="make it a parameter")
        self._busy = True
        try:
            number = known(value, binding.scope, purpose, binding.template.token)
        finally:
            self._busy = False
        return conformed(counted(number, self.declared), self.declared, binding)

    def known_element(self, element: int, purpose: str) -> Scalar | None:
        """The plain value of one scalar; None if it is not a parameter, or belongs to the initialization."""
        if self.variability not in ("parameter", "constant"):
            return None
        value = self.known_value(purpose)
        return value.flat[element] if isinstance(value, np.ndarray) else value

    def resting_element(self, element: int) -> Scalar | None:
        """The plain value of one scalar of a discrete variable whose declaration says what it is: `Integer n = 3`.

        None where that is not so. Elements of an array of components may have different ones, but are elaborated once.
        """
        around: Instance | None = self.owner
        while around is not None and not around.position:
            around = around.parent
        if self.variability != "discrete" or self.binding is None or self._busy or around is not None:
            return None
        value = self.bound()
        return None if not is_known(value) else value.flat[element] if isinstance(value, np.ndarray) else value

    def bound(self) -> Value:
        """What the binding says, checked against the declaration: a number for a scalar, an array for an array."""
        if self._busy:
            raise EvaluationError("E558", f"the value of {self.path} depends on itself")
        if self.binding is None:
            return self._missing()
        self._busy = True
        try:
            value = self.binding.fitting(len(self.sizes))
        finally:
            self._busy = False
        return conformed(value, self.declared, self.binding)

    def _missing(self) -> Value:
        if self.base == "Clock":
            raise not_supported("a clock without a value").located(self.location)
        if self.base == "String" and not self.sizes and (defining := text_by_equation(self.name, self.owner)):
            return defining
        if self.variability != "parameter" or self.base == "ExternalObject":
            raise ModelicaError(
                "E564",
                f"{self.path} has no value",
                location=self.location,
                advice="give it one in its declaration or by a modification",
            )
        return self.declared.default()


def _slots(scalar: Scalar) -> list[Slot]:
    return [node for node in walk(scalar) if isinstance(node, Slot)] if isinstance(scalar, Expr) else []
