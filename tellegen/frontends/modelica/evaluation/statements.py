"""Statements of algorithms, executed on symbols: of functions and of models.

    if c then y := a; else y := b; end if;      c varies      ->      y is where(c, a, b)

A `return` or `break` under a condition that varies does not stop anything: what follows acts only where the condition
did not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluate_results
from tellegen.frontends.modelica.evaluation.iterations import iterator_values
from tellegen.frontends.modelica.evaluation.references import Position, positions
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Iterator, Part, Reference
from tellegen.frontends.modelica.syntax.statements import (
    Assignment,
    Break,
    CallStatement,
    ForStatement,
    IfStatement,
    MultipleAssignment,
    Return,
    Statement,
    WhenStatement,
    WhileStatement,
)
from tellegen.frontends.modelica.values.arrays import replaced, select, shape_of, where
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.scalars import both, choose, compare, either, invert
from tellegen.frontends.modelica.values.value import RecordValue, Scalar, Value, describe
from tellegen.ir.expressions.expr import Expr

LOOP_LIMIT = 100_000


class Effects(Protocol):
    """What statements do beyond assigning: a function knows asserts, a model also when, reinit, terminate."""

    def call(self, call: Call, frame: Frame, condition: Scalar) -> None:
        """A call for its effect, where `condition` holds."""

    def when(self, statement: WhenStatement, frame: Frame) -> None:
        """A when statement."""


@dataclass
class Frame:
    """The state of an algorithm: the values of what it assigns to, and how far it has been left.

    `scope` is where its names are looked up; it has to see `values` (Scope.with_locals(values, assigned=True)).
    `condition` is the one under which the present statements act, apart from `returned` and `broken`."""

    scope: Scope
    values: dict[str, Value]
    effects: Effects
    returned: Scalar = False
    broken: Scalar = False
    condition: Scalar = True
    iterators: dict[str, Value] = field(default_factory=dict)

    @property
    def left(self) -> Scalar:
        """Whether statements no longer act."""
        return either(self.returned, self.broken)

    def acting(self) -> Scalar:
        """The condition under which the next statement acts."""
        return both(self.condition, invert(self.left))


def execute(statements: Sequence[Statement], frame: Frame) -> None:
    """All statements in order; the frame has the values afterwards."""
    for statement in statements:
        if frame.left is True:
            return
        try:
            _STATEMENTS[type(statement)](statement, frame)
        except EvaluationError as error:
            raise error.located(frame.scope.location(statement.token)) from None


def _assignment(statement: Assignment, frame: Frame) -> None:
    assign(statement.target, evaluate(statement.value, frame.scope), frame)


def _multiple(statement: MultipleAssignment, frame: Frame) -> None:
    results = evaluate_results(statement.call, frame.scope)
    if len(results) < len(statement.targets):
        wanted = len(statement.targets)
        raise EvaluationError("E570", f"{wanted} results are wanted, {statement.call.function} has {len(results)}")
    for target, value in zip(statement.targets, results, strict=False):
        if target is not None:
            assign(target, value, frame)


def assign(target: Reference, value: Value, frame: Frame) -> None:
    """target := value, where the frame has not been left."""
    name = target.parts[0].name
    found = frame.scope.first(name) if name not in frame.values else frame.values[name]
    if found is None or isinstance(found, Entity | ClassView):
        raise EvaluationError("E576", f"'{name}' cannot be assigned to here")
    new = _put(found, target.parts, value, frame.scope)
    left = frame.left
    frame.values[name] = new if left is False else where(left, found, new)


def _put(current: Value, parts: Sequence[Part], value: Value, scope: Scope) -> Value:
    """`current` (what parts[0] names) with the part that all of `parts` name replaced."""
    head, *rest = parts
    if not head.subscripts:
        return _put_field(current, rest, value, scope)
    if not isinstance(current, np.ndarray):
        raise EvaluationError("E567", f"'{head.name}' has subscripts, but is {describe(current)}")
    at = positions(head.subscripts, current.shape, scope)
    return _put_at(current, at, rest, value, scope)


def _put_at(current: np.ndarray, at: tuple[Position, ...], rest: Sequence[Part], value: Value, scope: Scope) -> Value:
    for dimension, position in enumerate(at):
        if isinstance(position, Expr):  # the element that is meant varies: each one is replaced where it is meant
            result: Value = current
            for k in range(current.shape[dimension]):
                one = (*at[:dimension], k, *at[dimension + 1 :])
                meant = compare("==", position, k + 1)
                result = where(meant, _put_at(result, one, rest, value, scope), result)  # type: ignore[arg-type]
            return result
    if rest:
        value = _put_field(select(current, at), rest, value, scope)  # type: ignore[arg-type]
    return replaced(current, at, value)  # type: ignore[arg-type]


def _put_field(current: Value, rest: Sequence[Part], value: Value, scope: Scope) -> Value:
    if not rest:
        if isinstance(current, np.ndarray) and current.size and shape_of(value) != current.shape:
            raise EvaluationError("E567", f"{describe(value)} is assigned to {describe(current)}")
        return value
    if not isinstance(current, RecordValue) or rest[0].name not in current.fields:
        raise EvaluationError("E576", f"{describe(current)} has no field '{rest[0].name}'")
    name = rest[0].name
    return current.with_field(name, _put(current.fields[name], rest, value, scope))


def _if(statement: IfStatement, frame: Frame) -> None:
    _branches(statement.branches, frame)


def _branches(branches: Sequence[tuple[Expression | None, tuple[Statement, ...]]], frame: Frame) -> None:
    if not branches:
        return
    (condition, body), *others = branches
    test = True if condition is None else evaluate(condition, frame.scope)
    if isinstance(test, bool):
        return execute(body, frame) if test else _branches(others, frame)
    if not isinstance(test, Expr):
        raise EvaluationError("E566", f"the condition of an if is a Boolean, not {describe(test)}")
    _both_ways(test, body, others, frame)


def _both_ways(
    test: Expr,
    body: Sequence[Statement],
    others: Sequence[tuple[Expression | None, tuple[Statement, ...]]],
    frame: Frame,
) -> None:
    """Execute both branches from the same values, then choose between what each has left."""
    before = dict(frame.values)
    returned, broken, condition = frame.returned, frame.broken, frame.condition
    frame.condition = both(condition, test)
    execute(body, frame)
    then_values = dict(frame.values)
    then_returned, then_broken = frame.returned, frame.broken
    frame.values.clear()
    frame.values.update(before)
    frame.returned, frame.broken = returned, broken
    frame.condition = both(condition, invert(test))
    _branches(others, frame)
    frame.condition = condition
    for name, value in then_values.items():
        other = frame.values.get(name, value)
        if other is not value:
            frame.values[name] = _merged(name, test, value, other)
        else:
            frame.values[name] = value
    frame.returned = choose(test, then_returned, frame.returned)
    frame.broken = choose(test, then_broken, frame.broken)


def _merged(name: str, test: Expr, value: Value, other: Value) -> Value:
    """What a variable is after an if; one whose size is open has a value in one branch only."""
    if shape_of(value) != shape_of(other):
        if isinstance(other, np.ndarray) and other.size == 0:
            return value
        if isinstance(value, np.ndarray) and value.size == 0:
            return other
        raise EvaluationError("E569", f"the size of '{name}' depends on a condition that varies")
    return where(test, value, other)


def _for(statement: ForStatement, frame: Frame) -> None:
    _loop(statement.iterators, statement.body, frame)
    frame.broken = False


def _loop(iterators: Sequence[Iterator], body: Sequence[Statement], frame: Frame) -> None:
    if not iterators:
        return execute(body, frame)
    first, *others = iterators
    scope = frame.scope
    for value in iterator_values(first, tuple(body), scope):
        frame.scope = scope.with_locals({first.name: value})
        try:
            _loop(others, body, frame)
        finally:
            frame.scope = scope
        if frame.left is True:
            break


def _while(statement: WhileStatement, frame: Frame) -> None:
    for _ in range(LOOP_LIMIT):
        test = both(evaluate(statement.condition, frame.scope), invert(frame.left))  # type: ignore[arg-type]
        if not isinstance(test, bool):
            raise EvaluationError("E569", "the condition of a while loop varies")
        if not test:
            break
        execute(statement.body, frame)
    else:
        raise EvaluationError("E573", f"a while loop does not end within {LOOP_LIMIT} rounds")
    frame.broken = False


def _call(statement: CallStatement, frame: Frame) -> None:
    frame.effects.call(statement.call, frame, frame.acting())


def _when(statement: WhenStatement, frame: Frame) -> None:
    if frame.left is not False:
        raise not_supported("a when statement after a return")
    frame.effects.when(statement, frame)


def _break(_: Break, frame: Frame) -> None:
    frame.broken = True if frame.left is False else either(frame.broken, invert(frame.returned))


def _return(_: Return, frame: Frame) -> None:
    frame.returned = True if frame.left is False else either(frame.returned, invert(frame.broken))


_STATEMENTS = {
    Assignment: _assignment,
    MultipleAssignment: _multiple,
    CallStatement: _call,
    IfStatement: _if,
    ForStatement: _for,
    WhileStatement: _while,
    WhenStatement: _when,
    Break: _break,
    Return: _return,
}
