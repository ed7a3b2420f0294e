"""The sections of an instance, its own and inherited ones, to statements of scalars."""

from __future__ import annotations

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.sections.branches import Rows
from tellegen.frontends.modelica.sections.equations import read_equations
from tellegen.frontends.modelica.sections.statements import Statements, When
from tellegen.frontends.modelica.syntax.classes import Section
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import either, invert
from tellegen.frontends.modelica.values.value import plain, symbol
from tellegen.ir.expressions.expr import Call
from tellegen.start.later import later

with later():
    from tellegen.frontends.modelica.sections.algorithms import read_algorithm


def statements_of(instance: Instance) -> Statements:
    """Everything the sections of an instance say, connections apart."""
    out = Statements()
    for scope in instance.chain:
        for section in scope.view.definition.sections:
            with instance.translation.called.apart() as demanded:
                rows = _read(section, scope)
            rows.assertions += demanded
            if section.initial:
                out.initial_equations += rows.equations
                out.assertions += map(_only_at_start, rows.assertions)
            else:
                out.equations += rows.equations
                out.assertions += rows.assertions
            out.whens += rows.whens
    _check_whens(out.whens, instance)
    return out


def _check_whens(whens: list[When], instance: Instance) -> None:
    """A variable is determined by one when-equation, or by the when-statements of one algorithm (MLS 8.3.5.3)."""
    first: dict[int, When] = {}
    for when in whens:
        for action in (action for branch in when.branches for action in branch.actions if action.verb == "assign"):
            other = first.setdefault(action.target, when)
            if other is not when:
                raise ModelicaError(
                    "E584",
                    f"{instance.translation.name_of(action.target)} is assigned by two when-equations",
                    location=when.location,
                    details=[f"the other one is at {other.location}"],
                    advice="write one when-equation with `elsewhen`, the more important condition first",
                )


def _read(section: Section, scope: Scope) -> Rows:
    rows = Rows()
    if not section.is_algorithm:
        read_equations(section.equations, scope, rows)
        return rows
    try:
        read_algorithm(section.statements, scope, rows)
    except EvaluationError as error:
        raise error.located(scope.location(section.statements[0].token)) from None
    return rows


def _only_at_start(assertion: Assertion) -> Assertion:
    holds = either(invert(Call("initial", ())), plain(assertion.condition))
    return Assertion(symbol(holds), assertion.message, assertion.is_warning, assertion.location, assertion.values)
