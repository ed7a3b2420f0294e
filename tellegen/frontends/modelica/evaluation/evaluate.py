"""Expressions to values.

evaluate(2*a + b[end], scope)

One handler for each kind of node; the files of this folder that know a kind register it here, so that expressions,
functions and statements can use each other without importing each other in a circle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Call, Expression
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import Value

Handler = Callable[[Any, Scope], Any]

_HANDLERS: dict[type, Handler] = {}


def evaluates(node: type) -> Callable[[Handler], Handler]:
    """Decorator: the function that evaluates nodes of this type."""

    def register(handler: Handler) -> Handler:
        _HANDLERS[node] = handler
        return handler

    return register


def evaluate(expression: Expression, scope: Scope) -> Value:
    """The value of an expression; of a call with several results the first."""
    result = _located(expression, scope)
    if not isinstance(result, tuple):
        return result
    if not result:
        raise EvaluationError("E570", "a function without outputs is called where a value is needed")
    return result[0]


def evaluate_results(expression: Expression, scope: Scope) -> tuple[Value, ...]:
    """All results of a call, or the one value of anything else."""
    result = _located(expression, scope)
    return result if isinstance(result, tuple) else (result,)


def _located(expression: Expression, scope: Scope) -> Any:
    try:
        return _HANDLERS[type(expression)](expression, scope)
    except EvaluationError as error:
        token = getattr(expression, "token", None)
        if token is None:
            raise  # the node around it has a position
        raise located(error, scope, token) from None


def located(error: EvaluationError, scope: Scope, token: int) -> ModelicaError:
    """The error with its place in the text."""
    return error.located(scope.location(token))


def callee(call: Call) -> str:
    """The name of what is called, as written."""
    return str(call.function)
