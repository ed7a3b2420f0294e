"""Elements of arrays at subscripts that vary: each possible one, chosen by comparing.

b[k], size 3      ->      where(k == 1, b[1], where(k == 2, b[2], b[3]))
"""

from __future__ import annotations

from collections.abc import Sequence

from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.values.arrays import select, shape_of, where
from tellegen.frontends.modelica.values.entity import Subscript
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import compare
from tellegen.frontends.modelica.values.value import Value
from tellegen.ir.expressions.expr import Expr

Position = Subscript | Expr
"""A subscript as evaluated: counted from 0, or an expression that varies, counted from 1."""


def at_varying(array: Value, at: tuple[Position, ...], scope: Scope) -> Value:
    """Elements at subscripts that vary: each possible one, chosen by comparing."""
    for dimension, position in enumerate(at):
        if isinstance(position, Expr):
            size = shape_of(array)[dimension]
            if size == 0:
                raise EvaluationError("E568", "a subscript into an empty dimension")
            parts = [at_varying(array, (*at[:dimension], k, *at[dimension + 1 :]), scope) for k in range(size)]
            if scope.recorder is not None and all(isinstance(part, int | float | Expr) for part in parts):
                return scope.recorder.picked(parts, position)
            return _chosen(parts, position)
    return select(array, at)  # type: ignore[arg-type]


def _chosen(parts: Sequence[Value], index: Expr) -> Value:
    """parts[index], the last one where no other is meant."""
    result = parts[-1]
    for k in range(len(parts) - 2, -1, -1):
        result = where(compare("==", index, k + 1), parts[k], result)
    return result
