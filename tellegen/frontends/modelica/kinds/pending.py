"""Statements on their way to templates: their expressions over numbered scalars, and everything else about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tellegen.frontends.modelica.sections.statements import Action as WhenAction
from tellegen.frontends.modelica.sections.statements import Equation, Statements, When
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    SlotInfo,
    Template,
    ValueTemplate,
    WhenTemplate,
)
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """One statement; statements with equal `shape` and equal forms of expressions have one template."""

    section: str  # of a Stamp
    shape: tuple[Any, ...]
    expressions: tuple[Expr, ...]
    part: int  # the component in whose text it stands
    location: SourceLocation


@dataclass(frozen=True, slots=True)
class Heading:
    """What a template has besides its expressions."""

    slots: tuple[SlotInfo, ...]
    owner: str
    location: SourceLocation


def pending_statements(statements: Statements, part: int) -> Iterator[Pending]:
    """What the sections of a component say."""
    for equation in statements.equations:
        yield pending_equation("equation", equation, part)
    for equation in statements.initial_equations:
        yield pending_equation("initial", equation, part)
    for when in statements.whens:
        yield _when(when, part)
    for assertion in statements.assertions:
        yield pending_assertion(assertion, part)


def pending_equation(section: str, equation: Equation, part: int) -> Pending:
    """An equation, or an initial one."""
    return Pending(section, (), (equation.left, equation.right), part, equation.location)


def pending_value(section: str, target: int, value: Expr, part: int, location: SourceLocation) -> Pending:
    """The value of a parameter ("parameter") or a start value ("start") by an expression of parameters."""
    return Pending(section, (), (Slot(target), value), part, location)


def pending_assertion(assertion: Assertion, part: int) -> Pending:
    """A condition that has to hold."""
    shape = (assertion.message, assertion.is_warning)
    return Pending("assert", shape, (assertion.condition, *assertion.values), part, assertion.location)


def _when(when: When, part: int) -> Pending:
    """A vector of conditions is a branch for each: every one has an edge of its own."""
    expressions: list[Expr] = []
    shape: list[Any] = []
    for branch in when.branches:
        verbs = tuple(map(_verb, branch.actions))
        for condition in branch.conditions:
            expressions.append(condition)
            shape.append(verbs)
            for action in branch.actions:
                expressions.append(action.value)
                if action.target >= 0:
                    expressions.append(Slot(action.target))
                expressions += action.values
    return Pending("when", tuple(shape), tuple(expressions), part, when.location)


@dataclass(frozen=True, slots=True)
class Verb:
    """An action without its expressions."""

    verb: str
    has_target: bool
    message: str
    values: int  # in the message


def _verb(action: WhenAction) -> Verb:
    return Verb(action.verb, action.target >= 0, action.message, len(action.values))


def actions_of(pending: Pending) -> Iterator[tuple[Verb, int]]:
    """The actions of a when, with the scalars they assign or reinitialize (-1 for none)."""
    expressions = iter(pending.expressions)
    for verbs in pending.shape:
        next(expressions)
        for verb in verbs:
            next(expressions)
            target = next(expressions) if verb.has_target else None
            for _ in range(verb.values):
                next(expressions)
            yield verb, target.index if isinstance(target, Slot) else -1


def values_of(pending: Pending) -> Iterator[Expr]:
    """What the actions of a when assign, or give to a state."""
    expressions = iter(pending.expressions)
    for verbs in pending.shape:
        next(expressions)
        for verb in verbs:
            value = next(expressions)
            for _ in range(verb.has_target + verb.values):
                next(expressions)
            if verb.has_target:
                yield value


def template_of(pending: Pending, expressions: tuple[Expr, ...], heading: Heading) -> Template:
    """The template of a statement, given its expressions over local slots."""
    shared: dict[str, Any] = {"slots": heading.slots, "owner": heading.owner, "location": heading.location}
    if pending.section in ("equation", "initial"):
        left, right = expressions
        return EquationTemplate(lhs=left, rhs=right, **shared)
    if pending.section in ("parameter", "start"):
        return ValueTemplate(value=expressions[1], **shared)
    if pending.section == "assert":
        message, is_warning = pending.shape
        shared["values"] = expressions[1:]
        return AssertTemplate(condition=expressions[0], message=message, warning=is_warning, **shared)
    return WhenTemplate(branches=_branches(pending.shape, iter(expressions)), at_start=False, **shared)


def _branches(shape: tuple[Any, ...], expressions: Iterator[Expr]) -> tuple[Branch, ...]:
    branches = []
    for verbs in shape:
        condition = next(expressions)
        actions = []
        for verb in verbs:
            value = next(expressions)
            target = next(expressions) if verb.has_target else None
            number = target.index if isinstance(target, Slot) else -1
            values = tuple(next(expressions) for _ in range(verb.values))
            actions.append(Action(verb.verb, value, number, verb.message, values))
        branches.append(Branch(condition, tuple(actions)))
    return tuple(branches)
