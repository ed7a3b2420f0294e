"""Calls that stand for themselves: assert, terminate, reinit, and operators about connections."""

from __future__ import annotations

from typing import Any

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.functions import FunctionEffects
from tellegen.frontends.modelica.evaluation.messages import message_of
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.evaluation.statements import Frame
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.sections.equalities import pairs
from tellegen.frontends.modelica.sections.statements import Action
from tellegen.frontends.modelica.syntax.expressions import Call, Expression
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.scalars import either, invert
from tellegen.frontends.modelica.values.value import EnumerationValue, Scalar, describe, symbol
from tellegen.ir.expressions.expr import Const, Expr, Slot

_GRAPH = ("branch", "root", "potentialRoot", "uniqueRoot")


def is_about_connections(name: str) -> bool:
    """Whether a call is one of topology.py's."""
    return name.startswith("Connections.") and name.removeprefix("Connections.") in _GRAPH


def left_out(call: Call, scope: Scope) -> None:
    """Warn of a call for its effect; operators about connections are not allowed here."""
    name = call.function.name
    if is_about_connections(name):
        advice = "write it among the equations, outside of when and algorithms"
        raise EvaluationError("E583", f"{name}(...) cannot stand here", advice)
    found = resolve(call.function, scope)
    if isinstance(found, ClassView):
        found.parents()  # raises what is wrong with them
    scope.translation.warn(f"the call of {name} for its effect is left out", scope.location(call.token))


def call_in_loop(call: Call, frame: Frame, condition: Scalar, scope: Scope) -> None:
    """A call for its effect inside of a loop that becomes a function; `scope` is that of the section."""
    name = call.function.name
    if name == "assert":
        FunctionEffects().call(call, frame, condition)
    elif name in ("reinit", "terminate"):
        raise not_supported(f"{name} inside of a loop whose end varies")
    else:
        left_out(call, scope)


def assertion_of(call: Call, scope: Scope, acting: Scalar = True) -> Assertion | None:
    """assert(condition, message, level), to hold where `acting` does; None where it is known to hold.

    One that is known to fail ends the translation, a warning is kept with the others."""
    arguments = _arguments(call, ("condition", "message", "level"), 2)
    condition = evaluate(arguments["condition"], scope)
    if not isinstance(condition, bool | Expr):
        raise EvaluationError("E566", f"assert needs a Boolean, not {describe(condition)}")
    holds = either(invert(acting), condition)
    if holds is True:
        return None
    is_warning = _is_warning(arguments.get("level"), scope)
    message = message_of(arguments["message"], scope)
    location = scope.location(call.token)
    if holds is False:
        if not is_warning:
            raise ModelicaError("E582", f"an assertion fails: {message.text}", location=location)
        scope.translation.warn(message.text, location)
        return None
    return Assertion(symbol(holds), message.text, is_warning, location, message.values)


def _is_warning(level: Expression | None, scope: Scope) -> bool:
    if level is None:
        return False
    value = evaluate(level, scope)
    return isinstance(value, EnumerationValue) and value.name == "warning"


def assert_actions(call: Call, scope: Scope, acting: Scalar = True) -> list[Action]:
    """assert at an event. One of level warning is left out, with a warning that says so."""
    arguments = _arguments(call, ("condition", "message", "level"), 2)
    condition = either(invert(acting), evaluate(arguments["condition"], scope))  # type: ignore[arg-type]
    if condition is True:
        return []
    if _is_warning(arguments.get("level"), scope):
        scope.translation.warn("an assertion of level warning in a when is left out", scope.location(call.token))
        return []
    message = message_of(arguments["message"], scope)
    return [Action("assert", symbol(condition), message=message.text, values=message.values)]


def asserted(assertions: list[Assertion], translation: Any) -> list[Action]:
    """Assertions of functions that are called at an event, as actions of it."""
    for assertion in assertions:
        if assertion.is_warning:
            translation.warn("an assertion of level warning in a when is left out", assertion.location)
    kept = (assertion for assertion in assertions if not assertion.is_warning)
    return [Action("assert", one.condition, message=one.message, values=one.values) for one in kept]


def terminate_action(call: Call, scope: Scope) -> Action:
    """terminate(message)."""
    message = message_of(_arguments(call, ("message",), 1)["message"], scope)
    return Action("terminate", Const(True), message=message.text, values=message.values)


def reinit_actions(call: Call, scope: Scope) -> list[Action]:
    """reinit(x, value), element by element."""
    arguments = _arguments(call, ("x", "expr"), 2)
    target = evaluate(arguments["x"], scope.before_assignment())
    actions = []
    for variable, value in pairs(target, evaluate(arguments["expr"], scope)):
        if not isinstance(variable, Slot) or not _is_continuous(variable, scope):
            raise EvaluationError("E583", "reinit needs a variable that is a state")
        actions.append(Action("reinit", symbol(value), variable.index))
    return actions


def _is_continuous(variable: Slot, scope: Scope) -> bool:
    return scope.translation.variable_of(variable.index)[0].variability == "continuous"


def _arguments(call: Call, names: tuple[str, ...], needed: int) -> dict[str, Expression]:
    """Positional and named arguments of a predefined operator by name."""
    given = dict(zip(names, call.arguments, strict=False))
    given.update(call.named)
    if len(call.arguments) > len(names) or not set(names[:needed]) <= given.keys() or not given.keys() <= set(names):
        raise EvaluationError("E583", f"{call.function} takes {', '.join(names)}")
    return given
