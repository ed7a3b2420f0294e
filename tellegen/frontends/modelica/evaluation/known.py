"""What has to be known while a model is translated: sizes, conditions, ranges, strings.

known(n + 1, ...)      the number, from the values of the parameters in it, which become structural by that
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.frontends.modelica.values.value import (
    EnumerationValue,
    Scalar,
    Value,
    describe,
    is_known,
    scalars,
)
from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.symbolic.evaluate import evaluate as number_of_expression


def known(value: Value, scope: Scope, purpose: str, token: int | None = None) -> Any:
    """The value with plain numbers in place of expressions; E569 names what varies. `purpose` says what it is for."""
    if is_known(value):
        return value
    try:
        return mapped(lambda part: _known_scalar(part, scope, purpose), value)
    except EvaluationError as error:
        if token is None:
            raise
        raise error.located(scope.location(token)) from None


def resting(value: Value, scope: Scope) -> Value:
    """The value with plain numbers for variables that their declarations give a constant value; others as they are.

    Where the language asks for parameters they do not count, but in algorithms and Strings there is no such rule.
    """

    def plain(part: Scalar) -> Scalar:
        if not isinstance(part, Slot) or scope.translation is None:
            return part
        variable, element = scope.translation.variable_of(part.index)
        number = variable.resting_element(element)
        return part if number is None else number

    return value if is_known(value) else mapped(plain, value)


def varies(value: Value, scope: Scope) -> bool:
    """Whether a value depends on what changes during a run, so that it cannot become known."""

    def moves(node: Expr) -> bool:
        if isinstance(node, Slot):
            if scope.translation is None:
                return True
            variable, element = scope.translation.variable_of(node.index)
            is_variable = variable.variability in ("continuous", "discrete")
            return is_variable and variable.resting_element(element) is None
        return isinstance(node, Time | Der) or (isinstance(node, Call) and OPS[node.op].numeric is None)

    return any(moves(node) for part in scalars(value) if isinstance(part, Expr) for node in walk(part))


def known_integer(value: Value, scope: Scope, purpose: str, token: int | None = None) -> int:
    """A known Integer, also the ordinal of an enumeration or of a Boolean (false is 1)."""
    plain = known(value, scope, purpose, token)
    if isinstance(plain, bool):
        return int(plain) + 1
    if isinstance(plain, int):
        return plain
    if isinstance(plain, EnumerationValue):
        return plain.ordinal
    if isinstance(plain, float) and plain.is_integer():
        return int(plain)
    error = EvaluationError("E566", f"{purpose} is an Integer, not {describe(plain)}")
    raise error if token is None else error.located(scope.location(token))


def known_boolean(value: Value, scope: Scope, purpose: str, token: int | None = None) -> bool:
    """A known Boolean."""
    plain = known(value, scope, purpose, token)
    if isinstance(plain, bool):
        return plain
    error = EvaluationError("E566", f"{purpose} is a Boolean, not {describe(plain)}")
    raise error if token is None else error.located(scope.location(token))


def _known_scalar(value: Scalar, scope: Scope, purpose: str) -> Scalar:
    if not isinstance(value, Expr):
        return value
    slots: dict[int, Any] = {}
    for node in walk(value):
        if isinstance(node, Slot):
            number = None
            if scope.translation is not None:
                number = scope.translation.number_of(node.index, purpose, scope.instance)
            if number is None:
                raise _varies(purpose, _name(node.index, scope))
            slots[node.index] = number.ordinal if isinstance(number, EnumerationValue) else number
        elif isinstance(node, Time | Der):
            raise _varies(purpose, "time" if isinstance(node, Time) else f"der({_name(node.index, scope)})")
        elif isinstance(node, Call) and OPS[node.op].numeric is None:
            raise _varies(purpose, f"{node.op}(...)")
    result = number_of_expression(value, slots)
    if isinstance(result, bool | np.bool_):
        return bool(result)
    number = float(result)
    if math.isnan(number):
        raise EvaluationError("E571", f"{purpose} is not a number with these parameter values")
    return number


def _name(index: int, scope: Scope) -> str:
    """What a slot stands for, for messages."""
    return scope.translation.name_of(index) if scope.translation is not None else f"argument {index}"


def _varies(purpose: str, name: str) -> EvaluationError:
    return NotInlinableError(
        "E569",
        f"{purpose} must be known while the model is translated, but depends on '{name}', which varies",
        "use parameters and constants there",
    )
