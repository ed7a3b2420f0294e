"""Arguments of annotations as plain values: numbers, texts, flags, lists, words of enumerations.

    graphics={Line(points={{0,0},{1,1}}, pattern=LinePattern.Dot, visible=use)}

What depends on parameters is evaluated for the instance that is drawn; what cannot be evaluated is left out: drawings
of models that are not complete yet are wanted too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.instances.instance_scope import InstanceScope
from tellegen.frontends.modelica.syntax.classes import ElementModification, Modification
from tellegen.frontends.modelica.syntax.expressions import (
    ArrayConstructor,
    Call,
    Expression,
    Number,
    Reference,
    Text,
    Truth,
    Unary,
)
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue

_ENUMERATIONS = ("LinePattern", "FillPattern", "BorderPattern", "Smooth", "Arrow", "TextStyle", "TextAlignment")
_ENUMERATIONS += ("EllipseClosure",)


class Arguments:
    """The named arguments of a record in an annotation, as values."""

    def __init__(self, given: dict[str, Expression | Modification], scope: InstanceScope) -> None:
        self._given = given
        self.scope = scope

    @staticmethod
    def of_call(call: Call, scope: InstanceScope) -> Arguments:
        """Line(points=..., color=...) as an expression."""
        return Arguments(dict(call.named), scope)

    @staticmethod
    def of_modification(modification: Modification | None, scope: InstanceScope) -> Arguments:
        """Line(points=..., color=...) as a modification."""
        given: dict[str, Expression | Modification] = {}
        for argument in modification.arguments if modification is not None else ():
            if isinstance(argument, ElementModification) and argument.modification is not None:
                inner = argument.modification
                given[argument.name[0]] = inner if inner.value is None else inner.value
        return Arguments(given, scope)

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def inner(self, name: str) -> Arguments:
        """An argument that is a record itself."""
        found = self._given.get(name)
        if isinstance(found, Call):
            return Arguments.of_call(found, self.scope)
        return Arguments.of_modification(found if isinstance(found, Modification) else None, self.scope)

    def records(self, name: str) -> Iterator[Call]:
        """The records in an array."""
        found = self._given.get(name)
        for item in found.items if isinstance(found, ArrayConstructor) else ():
            if isinstance(item, Call):
                yield item

    def value(self, name: str, default: Any) -> Any:
        """An argument; the default where it is missing or cannot be evaluated."""
        found = self._given.get(name)
        if found is None or isinstance(found, Modification):
            return default
        value = plain_value(found, self.scope)
        return default if value is None else value

    def number(self, name: str, default: float) -> float:
        """An argument that is a number."""
        value = self.value(name, default)
        return float(value) if isinstance(value, int | float) else default

    def flag(self, name: str, default: bool) -> bool:
        """An argument that is true or false."""
        value = self.value(name, default)
        return value if isinstance(value, bool) else default

    def word(self, name: str, default: str) -> str:
        """An argument that is a word of an enumeration, or a text."""
        value = self.value(name, default)
        return value if isinstance(value, str) else default

    def numbers(self, name: str, shape: tuple[int, ...]) -> np.ndarray | None:
        """An argument that is an array of this shape; -1 stands for any size."""
        value = self.value(name, None)
        try:
            found = np.array(value, float)
        except (TypeError, ValueError):
            return None
        fits = found.ndim == len(shape) and all(n in (-1, m) for n, m in zip(shape, found.shape, strict=True))
        return found if fits and np.isfinite(found).all() else None


def plain_value(expression: Expression, scope: InstanceScope) -> Any:
    """The value of an expression, None where it has none that is known."""
    if isinstance(expression, Number | Text | Truth):
        return expression.value
    if isinstance(expression, ArrayConstructor):
        return [plain_value(item, scope) for item in expression.items]
    if isinstance(expression, Unary) and expression.operator == "-" and isinstance(expression.operand, Number):
        return -expression.operand.value
    if isinstance(expression, Call) and str(expression.function) == "DynamicSelect" and expression.arguments:
        return plain_value(expression.arguments[0], scope)
    if isinstance(expression, Reference) and len(expression.parts) == 2 and expression.parts[0].name in _ENUMERATIONS:
        return expression.parts[1].name
    return _evaluated(expression, scope)


def _evaluated(expression: Expression, scope: InstanceScope) -> Any:
    try:
        value = known(scope.evaluate(expression), scope, "an annotation")
    except (EvaluationError, ModelicaError):
        return None
    if isinstance(value, EnumerationValue):
        return value.name
    return value.tolist() if isinstance(value, np.ndarray) else value
