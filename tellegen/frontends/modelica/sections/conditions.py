"""Conditions of if-equations: decided while the model is translated where they depend on parameters only."""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Expression
from tellegen.frontends.modelica.values.operand_types import as_condition
from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS


def condition_of(expression: Expression | None, scope: Scope, token: int) -> bool | Expr:
    """True for `else`; a Boolean where it is known, which makes parameters in it structural."""
    if expression is None:
        return True
    value = evaluate(expression, scope)
    if isinstance(value, Expr) and not varies(value, scope):
        value = known(value, scope, "the condition of an if-equation", token)
    return as_condition("the condition of an if", value, scope.type_of_slot)


def varies(expression: Expr, scope: Scope) -> bool:
    """Whether an expression depends on more than parameters whose values are known before initialization."""
    for node in walk(expression):
        if isinstance(node, Der | Time):
            return True
        if isinstance(node, Slot):
            variable, _ = scope.translation.variable_of(node.index)
            if variable.variability not in ("parameter", "constant"):
                return True
        elif isinstance(node, Call) and OPS[node.op].numeric is None:
            return True
    return False
