"""left = right of arrays and records to equations of scalars.

{a, b} = {1, 2*x}      ->      a = 1, b = 2*x
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluate_results
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Expression, TupleExpression
from tellegen.frontends.modelica.syntax.statements import SimpleEquation
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.types import can_equal, named
from tellegen.frontends.modelica.values.value import RecordValue, Scalar, Value, describe

_CONVERT = "write `if b then 1 else 0` for a Boolean, `integer(x)` for a Real, `Integer(e)` for an enumeration"


def equal_scalars(equation: SimpleEquation, scope: Scope) -> Iterator[tuple[Scalar, Scalar]]:
    """The pairs of scalars that an equation says are equal."""
    of_slot = scope.type_of_slot
    for left, right in _equal_values(equation, scope):
        for one, other in pairs(left, right):
            if not can_equal(one, other, of_slot):
                what = f"one side of the equation is {named(one, of_slot)}, the other {named(other, of_slot)}"
                raise EvaluationError("E566", what, _CONVERT)
            yield one, other


def _equal_values(equation: SimpleEquation, scope: Scope) -> list[tuple[Value, Value]]:
    if isinstance(equation.left, TupleExpression):
        return _results(equation.left, equation.right, scope)
    return [(evaluate(equation.left, scope), evaluate(equation.right, scope))]


def _results(wanted: TupleExpression, call: Expression, scope: Scope) -> list[tuple[Value, Value]]:
    """(a, , c) = f(x): results that are not wanted are left out."""
    results = evaluate_results(call, scope)
    if len(results) < len(wanted.items):
        raise EvaluationError("E570", f"{len(wanted.items)} results are wanted, there are {len(results)}")
    return [
        (evaluate(item, scope), result) for item, result in zip(wanted.items, results, strict=False) if item is not None
    ]


def pairs(left: Value, right: Value) -> Iterator[tuple[Scalar, Scalar]]:
    """The scalars of two values of the same shape, side by side."""
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        if not isinstance(left, np.ndarray) or not isinstance(right, np.ndarray) or left.shape != right.shape:
            raise EvaluationError("E567", f"{describe(left)} cannot equal {describe(right)}")
        for one, other in zip(left.flat, right.flat, strict=True):
            yield from pairs(one, other)
    elif isinstance(left, RecordValue) and isinstance(right, RecordValue):
        if left.fields.keys() != right.fields.keys():
            only = ", ".join(sorted(left.fields.keys() ^ right.fields.keys()))
            raise EvaluationError("E566", f"{describe(left)} cannot equal {describe(right)}: not both have {only}")
        for name, part in left.fields.items():
            yield from pairs(part, right.fields[name])
    elif isinstance(left, RecordValue) or isinstance(right, RecordValue):
        raise EvaluationError("E566", f"{describe(left)} cannot equal {describe(right)}")
    else:
        yield left, right
