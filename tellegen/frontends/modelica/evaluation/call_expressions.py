"""Calls as they stand in expressions: built-in functions, functions, constructors, functions as arguments."""

from __future__ import annotations

from typing import Any

from tellegen.frontends.modelica.evaluation.builtins import arrays, events, mathematics, network, transport
from tellegen.frontends.modelica.evaluation.builtins.table import BUILTINS, Arguments
from tellegen.frontends.modelica.evaluation.calls import call_function
from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluates
from tellegen.frontends.modelica.evaluation.functions import bind, signature_of
from tellegen.frontends.modelica.evaluation.overloads import construct, operator_class
from tellegen.frontends.modelica.evaluation.references import resolve
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import literals
from tellegen.frontends.modelica.syntax.expressions import Call, PartialApplication, Reference
from tellegen.frontends.modelica.values.arrays import elementwise
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import EnumerationValue, FunctionValue, Scalar, Value, describe

LOADED = (arrays, events, mathematics, network, transport)
"""The files that fill the table of built-in functions."""


class ForwardingScope(Scope):
    """The caller's scope for a function found in a component, whose own text is looked up from that component."""

    def __init__(self, caller: Scope, owner: Entity) -> None:
        self.caller = caller
        self.owner = owner
        self.view = caller.view
        self.translation = caller.translation
        self.instance = caller.instance
        self.depth = caller.depth
        self.literal = caller.literal
        self.guard = caller.guard
        self.recorder = caller.recorder

    def first(self, name: str) -> Any:
        return self.caller.first(name)

    @property
    def path(self) -> str:
        return self.caller.path

    def scope_for(self, view: ClassView) -> Scope:
        return self.owner.scope_for(view) or self.caller.scope_for(view)


@evaluates(Call)
def evaluate_call(call: Call, scope: Scope) -> Value | tuple[Value, ...]:
    """A call; with several results a tuple of them."""
    found = resolve(call.function, scope)
    if isinstance(found, Builtin):
        handler = BUILTINS.get(found.name)
        if handler is None:
            raise not_supported(f"{found.name}(...)")
        return handler(Arguments(call, scope))
    positional = [evaluate(argument, scope) for argument in call.arguments]
    named = {name: evaluate(argument, scope) for name, argument in call.named}
    if isinstance(found, Entity):
        found = found.value()
    if isinstance(found, FunctionValue):
        return _call_value(found, positional, named, scope)
    if not isinstance(found, ClassView):
        raise EvaluationError("E576", f"'{call.function}' is {describe(found)}, which cannot be called")
    return _call_class(found, positional, named, scope)


def _call_class(
    view: ClassView, positional: list[Value], named: dict[str, Value], scope: Scope
) -> Value | tuple[Value, ...]:
    names = literals(view)
    if names is not None:
        return elementwise(lambda number: _literal(view.path, names, number), positional[0])
    if "record" in view.restriction or "record" in operator_class(view).restriction:
        return construct(view, positional, named, scope)
    return call_function(view, positional, named, scope)


def _literal(path: str, names: tuple[str, ...], number: Scalar) -> Scalar:
    """E(2): the second value of an enumeration."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(names):
        raise EvaluationError("E568", f"{path} has values 1 to {len(names)}, not {describe(number)}")
    return EnumerationValue(path, names, number)


def _call_value(
    function: FunctionValue, positional: list[Value], named: dict[str, Value], scope: Scope
) -> Value | tuple[Value, ...]:
    inner = scope
    if function.owner is not None:
        _check_owner(function.view, function.owner, scope)
        inner = ForwardingScope(scope, function.owner)
    if not function.named:
        return _call_class(function.view, positional, named, inner)
    open_inputs = [name for name in signature_of(function.view).inputs if name not in function.named]
    given = bind(open_inputs, positional, named, function.view.path)
    return _call_class(function.view, [], {**function.named, **given}, inner)


def _check_owner(view: ClassView, owner: Entity, scope: Scope) -> None:
    """A function is called through a component that exists, and is one (MLS 5.3.2)."""
    reason = ""
    if owner.is_conditional(scope.instance):
        reason = "that exists only under a condition"
    elif owner.is_element:
        reason = "of an array"
    if reason:
        raise EvaluationError("E559", f"{view.path} is called through a component {reason}")


@evaluates(PartialApplication)
def _partial_application(node: PartialApplication, scope: Scope) -> Value:
    found: Any = resolve(Reference(node.function.parts, node.token, node.function.is_global), scope)
    named = {name: evaluate(argument, scope) for name, argument in node.named}
    if isinstance(found, Entity):
        found = found.value()
    if isinstance(found, FunctionValue):
        return FunctionValue(found.view, {**found.named, **named}, found.owner)
    if not isinstance(found, ClassView):
        raise EvaluationError("E576", f"'{node.function}' is not a function")
    return FunctionValue(found, named)
