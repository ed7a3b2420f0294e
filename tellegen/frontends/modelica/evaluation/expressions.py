"""Literals, operators, conditional expressions, array and matrix constructors."""

from __future__ import annotations

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluates
from tellegen.frontends.modelica.evaluation.overloads import operators_of
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import (
    ArrayConstructor,
    Binary,
    Call,
    Colon,
    Expression,
    IfExpression,
    MatrixConstructor,
    Number,
    Text,
    Truth,
    TupleExpression,
    Unary,
)
from tellegen.frontends.modelica.values.arrays import boxed, joined, shape_of, stack, where
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.operand_types import as_condition, check_operands
from tellegen.frontends.modelica.values.scalars import invert
from tellegen.frontends.modelica.values.types import can_alternate, named, type_of
from tellegen.frontends.modelica.values.value import EnumerationValue, Value
from tellegen.ir.expressions.expr import Expr

_RELATIONS = frozenset({"<", "<=", ">", ">=", "==", "<>"})
_NUMBERS = frozenset({"Integer", "Real", "number"})


@evaluates(Number)
def _number(node: Number, _: Scope) -> Value:
    return node.value


@evaluates(Text)
def _text(node: Text, _: Scope) -> Value:
    return node.value


@evaluates(Truth)
def _truth(node: Truth, _: Scope) -> Value:
    return node.value


@evaluates(Colon)
def _colon(_node: Colon, _: Scope) -> Value:
    raise EvaluationError("E576", "':' has a meaning in subscripts and array dimensions only")


@evaluates(Unary)
def _unary(node: Unary, scope: Scope) -> Value:
    operand = evaluate(node.operand, scope)
    check_operands(node.operator, (operand,), scope.type_of_slot)
    return operators_of(scope).unary(node.operator, operand)


@evaluates(Binary)
def _binary(node: Binary, scope: Scope) -> Value:
    left = evaluate(node.left, scope)
    if left is False and node.operator == "and":
        return False
    if left is True and node.operator == "or":
        return True
    right = evaluate(node.right, _where_needed(node.operator, left, scope))
    if node.operator in _RELATIONS:
        kinds = {_kind(node.left, left, scope), _kind(node.right, right, scope)}
        if "enumeration" in kinds and kinds & _NUMBERS:
            advice = "compare it with a value of the enumeration, or Integer(...) of it with a number"
            message = f"'{node.operator}' cannot compare an enumeration with a number"
            raise EvaluationError("E566", message, advice)
    check_operands(node.operator, (left, right), scope.type_of_slot)
    return operators_of(scope).binary(node.operator, left, right)


def _where_needed(operator: str, left: Value, scope: Scope) -> Scope:
    """The scope of the second operand: what it demands counts where the first one does not decide (k <= n and b[k])."""
    if operator not in ("and", "or") or not isinstance(left, Expr):
        return scope
    return scope.under_condition(left if operator == "and" else invert(left))


def _kind(node: Expression, value: Value, scope: Scope) -> str:
    """The type of an operand where it is certain; `Integer(e)` is written like the variable e once it is evaluated."""
    if isinstance(node, Call):
        return "Integer" if node.function.parts[0].name == "Integer" else ""
    return type_of(value, scope.type_of_slot) if isinstance(value, Expr | EnumerationValue | int | float) else ""


@evaluates(IfExpression)
def _if_expression(node: IfExpression, scope: Scope) -> Value:
    """Only what can be chosen is evaluated."""
    return _chosen(node, 0, scope)


def _chosen(node: IfExpression, position: int, scope: Scope) -> Value:
    """The value from the branch at a position on."""
    if position == len(node.branches):
        return evaluate(node.otherwise, scope)
    condition, branch = node.branches[position]
    test = as_condition("the condition of an if", evaluate(condition, scope), scope.type_of_slot)
    if isinstance(test, bool):
        return evaluate(branch, scope) if test else _chosen(node, position + 1, scope)
    inner = scope.under_condition(test)
    other = scope.under_condition(invert(test))
    if scope.recorder is not None:
        return scope.recorder.chosen(test, lambda: evaluate(branch, inner), lambda: _chosen(node, position + 1, other))
    one = evaluate(branch, inner)
    another = _chosen(node, position + 1, other)
    of_slot = scope.type_of_slot
    if not (isinstance(one, np.ndarray) or isinstance(another, np.ndarray) or can_alternate(one, another, of_slot)):
        kinds = f"{named(one, of_slot)} and {named(another, of_slot)}"
        raise EvaluationError("E566", f"the branches of an if are of different types: {kinds}")
    return where(test, one, another)


@evaluates(ArrayConstructor)
def _array(node: ArrayConstructor, scope: Scope) -> Value:
    return stack([evaluate(item, scope) for item in node.items])


@evaluates(MatrixConstructor)
def _matrix(node: MatrixConstructor, scope: Scope) -> Value:
    """[a, b; c, d]: everything promoted to the same rank, at least 2 (MLS 10.4.2)."""
    rows = [[evaluate(item, scope) for item in row] for row in node.rows]
    rank = max(2, *(len(shape_of(value)) for row in rows for value in row))
    joined_rows = [joined([promoted(value, rank) for value in row], 1) for row in rows]
    return joined(joined_rows, 0)


def promoted(value: Value, rank: int) -> np.ndarray:
    """The value with dimensions of size 1 added on the right."""
    array = value if isinstance(value, np.ndarray) else boxed(value)
    return array.reshape(array.shape + (1,) * (rank - array.ndim))


@evaluates(TupleExpression)
def _tuple(node: TupleExpression, scope: Scope) -> Value:
    if len(node.items) == 1 and node.items[0] is not None:
        return evaluate(node.items[0], scope)
    raise EvaluationError("E576", "a list of results in parentheses can only be assigned to")
