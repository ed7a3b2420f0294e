"""Subscripts that vary: as positions counted from 1, which a run demands to be inside of their dimension (MLS 10.5).

b[k]         ->   b[k], and the assertion 1 <= k <= size(b, 1)
b[u > 1]     ->   b[if u > 1 then 2 else 1]        for Real b[Boolean]
"""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.syntax.expressions import Expression, Reference
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.scalars import both, choose, compare, either, invert, without_event
from tellegen.frontends.modelica.values.types import type_of
from tellegen.frontends.modelica.values.value import symbol
from tellegen.ir.expressions.expr import Expr


def varying_position(value: Expr, subscript: Expression, size: int, scope: Scope) -> Expr:
    """The position of a subscript in a dimension of this size."""
    kind = type_of(value, scope.type_of_slot) or _declared(subscript, scope)
    if kind == "Boolean":
        return symbol(choose(value, 2, 1))
    if kind != "enumeration":
        _demand_inside(value, subscript, size, scope)
    return value


def _declared(subscript: Expression, scope: Scope) -> str:
    """The type of a variable of a function that is recorded, where symbols have none."""
    if isinstance(subscript, Reference) and len(subscript.parts) == 1 and not subscript.parts[0].subscripts:
        return scope.declared_type(subscript.parts[0].name)
    return ""


def _demand_inside(position: Expr, subscript: Expression, size: int, scope: Scope) -> None:
    """A position outside is an error where the text around it acts."""
    inside = both(compare(">=", position, 1), compare("<=", position, size))
    holds = without_event(either(invert(scope.guard), inside))
    token = getattr(subscript, "token", None)
    if holds is True or token is None:
        return
    found = Assertion(symbol(holds), f"a subscript is outside of 1:{size}", False, scope.location(token))
    if scope.recorder is not None:
        scope.recorder.demand(found)
    elif scope.translation is not None:
        scope.translation.called.add(found, scope.instance)
