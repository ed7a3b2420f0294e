"""Equations of a section to rows of scalars."""

from __future__ import annotations

from collections.abc import Iterable

from tellegen.frontends.modelica.evaluation.iterations import iterated_scopes
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.sections.branches import Rows, chosen_rows
from tellegen.frontends.modelica.sections.calls import assertion_of, is_about_connections, left_out
from tellegen.frontends.modelica.sections.conditions import condition_of
from tellegen.frontends.modelica.sections.equalities import equal_scalars
from tellegen.frontends.modelica.sections.statements import Equation as Row
from tellegen.frontends.modelica.syntax.statements import (
    CallEquation,
    ConnectEquation,
    Equation,
    ForEquation,
    IfEquation,
    SimpleEquation,
    WhenEquation,
)
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.scalars import invert
from tellegen.frontends.modelica.values.value import symbol
from tellegen.start.later import later

with later():
    from tellegen.frontends.modelica.sections.when_equations import when_of


def read_equations(equations: Iterable[Equation], scope: Scope, rows: Rows) -> None:
    """Add what equations say, connections apart."""
    for equation in equations:
        try:
            _read(equation, scope, rows)
        except EvaluationError as error:
            raise error.located(scope.location(equation.token)) from None


def _read(equation: Equation, scope: Scope, rows: Rows) -> None:
    match equation:
        case SimpleEquation():
            _equality(equation, scope, rows)
        case IfEquation():
            _if(equation, 0, scope, rows)
        case ForEquation():
            for inner in iterated_scopes(equation.iterators, equation.body, scope):
                read_equations(equation.body, inner, rows)
        case WhenEquation():
            if (when := when_of(equation, scope)) is not None:
                rows.whens.append(when)
        case CallEquation():
            _call(equation, scope, rows)
        case ConnectEquation():
            pass  # topology.py


def _equality(equation: SimpleEquation, scope: Scope, rows: Rows) -> None:
    location = scope.location(equation.token)
    for left, right in equal_scalars(equation, scope):
        if isinstance(left, str) and isinstance(right, str):
            _check_texts(left, right)
            continue
        if isinstance(left, str) or isinstance(right, str):
            raise not_supported("an equation for a String that varies")
        rows.equations.append(Row(symbol(left), symbol(right), location))


def _check_texts(left: str, right: str) -> None:
    """Strings are known while translating; equations between them hold, or the model is wrong."""
    if left != right:
        raise EvaluationError("E566", f'the Strings "{left}" and "{right}" are not equal')


def _if(equation: IfEquation, first: int, scope: Scope, rows: Rows) -> None:
    """The branches from number `first` on."""
    if first == len(equation.branches):
        return
    condition, body = equation.branches[first]
    test = condition_of(condition, scope, equation.token)
    if test is True:
        read_equations(body, scope, rows)
    elif test is False:
        _if(equation, first + 1, scope, rows)
    else:
        yes = Rows()
        read_equations(body, scope.under_condition(test), yes)
        no = Rows()
        _if(equation, first + 1, scope.under_condition(invert(test)), no)
        chosen = chosen_rows(test, yes, no, scope.location(equation.token))
        rows.equations += chosen.equations
        rows.assertions += chosen.assertions


def _call(equation: CallEquation, scope: Scope, rows: Rows) -> None:
    name = equation.call.function.name
    if is_about_connections(name):
        return
    if name == "assert":
        if (assertion := assertion_of(equation.call, scope)) is not None:
            rows.assertions.append(assertion)
        return
    if name in ("reinit", "terminate"):
        raise not_supported(f"{name} outside of a when-equation")
    left_out(equation.call, scope)
