"""When-equations to actions at events.

when {c, initial()} then x = pre(x) + 1; elsewhen d then reinit(v, 0); end when
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.iterations import iterated_scopes
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.sections.calls import (
    assert_actions,
    asserted,
    left_out,
    reinit_actions,
    terminate_action,
)
from tellegen.frontends.modelica.sections.conditions import condition_of
from tellegen.frontends.modelica.sections.equalities import equal_scalars
from tellegen.frontends.modelica.sections.statements import Action, When, WhenBranch
from tellegen.frontends.modelica.syntax.expressions import ArrayConstructor, Expression
from tellegen.frontends.modelica.syntax.expressions import Call as WrittenCall
from tellegen.frontends.modelica.syntax.statements import (
    CallEquation,
    Equation,
    ForEquation,
    IfEquation,
    SimpleEquation,
    WhenEquation,
)
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.operand_types import as_condition
from tellegen.frontends.modelica.values.scalars import both, choose, either, invert
from tellegen.frontends.modelica.values.value import Value, plain, symbol
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot

_INITIAL = Call("initial", ())


def when_of(equation: WhenEquation, scope: Scope) -> When | None:
    """A when-equation; None where it does nothing."""
    branches = []
    for condition, body in equation.branches:
        conditions = edges_of(condition, scope)
        with scope.translation.called.apart() as demanded:
            actions = _actions(body, scope)
        if actions := actions + asserted(demanded, scope.translation):
            branches.append(WhenBranch(conditions, tuple(actions)))
    return When(tuple(branches), scope.location(equation.token)) if branches else None


def edges_of(condition: Expression, scope: Scope) -> tuple[Expr, ...]:
    """The conditions of a branch, each with an edge of its own. One that is known never becomes true; a branch with
    such conditions only stays, since what it assigns keeps its value by it."""
    value: Value = evaluate(condition, scope)
    conditions = list(value.flat) if isinstance(value, np.ndarray) else [value]
    written = condition.items if isinstance(condition, ArrayConstructor) else (condition,) * len(conditions)
    checked = [as_condition("the condition of a when", one, scope.type_of_slot) for one in conditions]
    pairs = zip(checked, written, strict=False)
    found = tuple(_edge(one, text) for one, text in pairs if isinstance(one, Expr))
    return found or (Const(False),)


def _edge(condition: Expr, written: Expression) -> Expr:
    """Of all conditions that hold initially only initial() itself is active then (MLS 8.6): not what is computed from
    it, nor a variable that has its value."""
    is_named = isinstance(written, WrittenCall) and written.function.name == "initial"
    return Call("no_event", (condition,)) if condition == _INITIAL and not is_named else condition


def _actions(equations: Iterable[Equation], scope: Scope) -> list[Action]:
    actions: list[Action] = []
    for equation in equations:
        try:
            actions += _act(equation, scope)
        except EvaluationError as error:
            raise error.located(scope.location(equation.token)) from None
    return actions


def _act(equation: Equation, scope: Scope) -> list[Action]:
    match equation:
        case SimpleEquation():
            return _assignments(equation, scope)
        case IfEquation():
            return _if(equation, 0, scope)
        case ForEquation():
            scopes = iterated_scopes(equation.iterators, equation.body, scope)
            return [action for inner in scopes for action in _actions(equation.body, inner)]
        case CallEquation():
            return _call(equation, scope)
    raise not_supported("this equation inside of a when-equation")


def _assignments(equation: SimpleEquation, scope: Scope) -> list[Action]:
    actions = []
    for left, right in equal_scalars(equation, scope):
        if isinstance(left, str):
            raise not_supported("a String that varies")
        target, value = (left, right) if isinstance(left, Slot) else (right, left)
        if not isinstance(target, Slot):
            raise EvaluationError(
                "E584", "an equation in a when-equation determines one variable", "write it as `v = expression`"
            )
        _check_owner(target, scope)
        actions.append(Action("assign", symbol(value), target.index))
    return actions


def _check_owner(target: Slot, scope: Scope) -> None:
    """A variable is assigned by the component that declares it, or through its connectors and records."""
    variable, _ = scope.translation.variable_of(target.index)
    around = variable.owner
    while around is not None and around is not scope.instance:
        if around.restriction in ("model", "block"):
            raise EvaluationError(
                "E584",
                f"a when-equation assigns to {variable.path}, which belongs to the component {around.path}",
                "assign it in the class that declares it, or connect to an input",
            )
        around = around.parent


def _if(equation: IfEquation, first: int, scope: Scope) -> list[Action]:
    """The branches from number `first` on: what only one of them assigns keeps its value in the others."""
    if first == len(equation.branches):
        return []
    condition, body = equation.branches[first]
    test = condition_of(condition, scope, equation.token)
    if test is False:
        return _if(equation, first + 1, scope)
    if test is True:
        return _actions(body, scope)
    yes = _actions(body, scope.under_condition(test))
    return chosen_actions(test, yes, _if(equation, first + 1, scope.under_condition(invert(test))))


def chosen_actions(condition: Expr, yes: list[Action], no: list[Action]) -> list[Action]:
    """The actions of two branches as actions that are always taken."""
    actions: list[Action] = []
    others = {(action.verb, action.target): action for action in no if action.target >= 0}
    for action in yes:
        if action.target < 0:
            actions.append(_only_if(condition, action))
            continue
        other = others.pop((action.verb, action.target), None)
        actions.append(_chosen(condition, action, other))
    for action in no:
        if action.target < 0:
            actions.append(_only_if(symbol(invert(condition)), action))
        elif (action.verb, action.target) in others:
            actions.append(_chosen(symbol(invert(condition)), action, None))
    return actions


def _chosen(condition: Expr, action: Action, other: Action | None) -> Action:
    before = Call("pre", (Slot(action.target),))
    kept = before if other is None else other.value
    return replace(action, value=symbol(choose(condition, plain(action.value), plain(kept))))


def _only_if(condition: Expr, action: Action) -> Action:
    if action.verb == "assert":
        return replace(action, value=symbol(either(invert(condition), plain(action.value))))
    return replace(action, value=symbol(both(condition, plain(action.value))))


def _call(equation: CallEquation, scope: Scope) -> list[Action]:
    name = equation.call.function.name
    if name == "assert":
        return assert_actions(equation.call, scope)
    if name == "terminate":
        return [terminate_action(equation.call, scope)]
    if name == "reinit":
        return reinit_actions(equation.call, scope)
    left_out(equation.call, scope)
    return []
