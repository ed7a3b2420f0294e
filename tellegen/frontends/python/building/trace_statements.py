"""Collects what a component's equations(), initial_equations() and connections() yield, with the place of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.errors import LanguageError
from tellegen.frontends.python.building.trace_invariant import trace_invariant
from tellegen.frontends.python.components.frames import AboutFrames
from tellegen.frontends.python.declarations.class_info import class_location
from tellegen.frontends.python.declarations.invariant import Invariant
from tellegen.frontends.python.discrete.mode_lowering import Lowering
from tellegen.frontends.python.discrete.modes import Mode, Modes, Transition
from tellegen.frontends.python.discrete.resemblance import Row
from tellegen.frontends.python.discrete.statements import (
    Assertion,
    Noisy,
    Reinit,
    Terminate,
    When,
    check_condition,
    check_target,
)
from tellegen.frontends.python.expressions.generator_watch import Watch
from tellegen.frontends.python.expressions.misread import refuse_unyielded
from tellegen.frontends.python.expressions.refusal import users_code
from tellegen.frontends.python.expressions.symbol import Symbol, as_symbol, operation, pick_flat, show_symbol
from tellegen.frontends.python.tracing.trace import Naming, Tracer, leaves_first
from tellegen.ir.expressions.expr import Const
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    ModalTemplate,
    Noise,
    WhenTemplate,
)
from tellegen.ir.model import Stamp
from tellegen.ir.source_location import NOWHERE, SourceLocation
from tellegen.symbolic.whole import is_whole


def written(instance: object, method: str) -> Iterator[tuple[Any, SourceLocation, str]]:
    """Everything a method yields, class by class along inheritance, bases first: item, place, class."""
    for cls in reversed(type(instance).__mro__):
        function = cls.__dict__.get(method)
        if function is None:
            continue
        with users_code(cls, method, instance):
            produced = function(instance)
        code = getattr(function, "__code__", None)
        start = SourceLocation(code.co_filename, code.co_firstlineno, cls.__name__) if code else NOWHERE
        generated = cls.__module__.startswith("tellegen.frontends.")  # Software writes equations for the user's class
        if generated:
            start = class_location(type(instance))
        if produced is None or isinstance(produced, Symbol):
            raise LanguageError(
                "E145",
                f"{method}() of {cls.__name__} yields nothing"
                + ("" if produced is None else ": it returns an equation"),
                location=start,
                advice="write each statement as: yield left == right"
                if method != "connections"
                else "write each connection as: yield self.a.p, self.b.n",
            )
        if method == "connections":
            refuse_unyielded(function, cls)
        with users_code(cls, method, instance):
            for item in produced:
                frame = getattr(produced, "gi_frame", None)
                location = start
                if frame is not None and not generated:
                    _refuse_super(produced, method, cls)
                    location = SourceLocation(frame.f_code.co_filename, frame.f_lineno, cls.__name__)
                yield item, location, location.scope or cls.__name__


def _refuse_super(generator: Any, method: str, cls: type) -> None:
    inner = getattr(generator, "gi_yieldfrom", None)
    code = getattr(inner, "gi_code", None)
    bases = [base.__dict__.get(method) for base in cls.__mro__[1:]]
    if code is not None and any(getattr(base, "__code__", None) is code for base in bases):
        raise LanguageError(
            "E146",
            f"{method}() of {cls.__name__} yields from the {method}() of its base class",
            location=SourceLocation(generator.gi_frame.f_code.co_filename, generator.gi_frame.f_lineno, cls.__name__),
            advice=f"remove it: {method} of base classes are included automatically",
        )


def trace_statements(naming: Naming, instance: object, method: str, section: str) -> list[Stamp]:
    """The stamps of all statements of a method."""
    stamps: list[Stamp] = []
    with Watch() as watch:
        for item, location, cls in written(instance, method):
            for statement in item if isinstance(item, list) else [item]:
                stamps += trace_statement(naming, statement, location, cls, section)
        if method == "equations":
            for statement, location in getattr(instance, "_written", ()):
                stamps += trace_statement(naming, statement, location, type(instance).__name__, section)
        for statement, location in watch.open.values():
            law = isinstance(statement, Symbol)
            what = f"the equation '{show_symbol(statement)}'" if law else f"tg.{statement.verb}(...)"
            raise LanguageError(
                "E147",
                f"{what} is written but not yielded, so the model would not contain it",
                location=location.within(type(instance).__name__),
                advice="write yield in front of it",
            )
    return stamps


def trace_statement(naming: Naming, statement: object, location: SourceLocation, cls: str, section: str) -> list[Stamp]:
    """The stamps of one statement."""
    if Watch.active is not None:
        Watch.active.used(statement)
    if isinstance(statement, Noisy) and section == "equation":
        return [_noisy(naming, statement, location, cls)]
    if isinstance(statement, Symbol) and statement.op == "eq":
        return _equation(naming, statement, location, cls, section)
    if isinstance(statement, When) and section == "equation":
        return [_when(naming, statement, location, cls), *_whole_numbers(naming, statement, location, cls)]
    if isinstance(statement, Modes) and section == "equation":
        return _modes(naming, statement, location, cls)
    if isinstance(statement, Invariant) and section == "equation":
        return trace_invariant(naming, statement, location, cls)
    if isinstance(statement, AboutFrames) and section == "equation":
        naming.mechanics.append((statement, location))
        return []
    if isinstance(statement, Assertion):
        tracer = Tracer(naming, statement.condition.shape, location)
        condition = tracer.expr(statement.condition)
        fields = {"condition": condition, "message": statement.message, "warning": statement.warning}
        return [tracer.stamp(AssertTemplate, "assert", cls, **fields)]
    advice = "yield equations (left == right), tg.when(...), tg.modes(...), tg.assert_(...)"
    what = f"{statement!r} is not an equation"
    if isinstance(statement, bool):
        what = f"this compares plain Python values, which gives {statement} and no equation"
        advice = "one side must be a quantity of the model; of a port or component name one, such as self.p.v"
    elif isinstance(statement, tuple):
        what = f"'{', '.join(str(part) for part in statement)}' is not an equation"
        laws = all(isinstance(part, Symbol) for part in statement)
        advice = (
            "write one yield for each equation" if laws else "connections are yielded by connections(); here " + advice
        )
    elif isinstance(statement, Symbol):
        what = f"'{statement}' is an expression, not an equation"
        advice = "write an equation: yield ... == 0"
    elif isinstance(statement, When):
        what = "tg.when(...) is not an initial equation"
        advice = "move it to equations()"
    elif isinstance(statement, Modes | Invariant):
        what = f"tg.{statement.verb}(...) is not an initial equation"
        advice = "move it to equations()"
    elif isinstance(statement, (Mode, Transition)):
        what = f"tg.{statement.verb}(...) is not inside another statement"
        advice = "put it inside: yield tg.modes(tg.mode(...), ...)"
    elif isinstance(statement, Reinit):
        what = "tg.reinit(...) is not inside another statement"
        advice = "put it inside a when: yield tg.when(condition, tg.reinit(...))"
    raise LanguageError("E148", what, location=location, advice=advice)


def _equation(naming: Naming, equation: Symbol, location: SourceLocation, cls: str, section: str) -> list[Stamp]:
    if equation.shape and any(node.op == "stack" for node in leaves_first(equation)):
        # rows of different form: one template each
        count = int(np.prod(equation.shape))
        parts = [pick_flat(equation, np.asarray(k)) for k in range(count)]
        return [stamp for part in parts for stamp in _equation(naming, part, location, cls, section)]
    tracer = Tracer(naming, equation.shape, location)
    lhs, rhs = (tracer.expr(arg) for arg in equation.args)
    if not tracer.slots:
        raise LanguageError(
            "E149",
            f"the equation '{show_symbol(equation)}' contains no variable",
            location=location,
            advice="remove it",
        )
    return [tracer.stamp(EquationTemplate, section, cls, lhs=lhs, rhs=rhs)]


def _noisy(naming: Naming, statement: Noisy, location: SourceLocation, cls: str) -> Stamp:
    """An equation with its random signals; what these read beside the equation follows its own slots."""
    if Watch.active is not None:
        Watch.active.used(statement.equation)
    tracer = Tracer(naming, (), location)
    lhs, rhs = (tracer.expr(arg) for arg in statement.equation.args)
    noises = tuple(
        Noise(each.name, tracer.expr(as_symbol(each.density)), tracer.expr(as_symbol(each.exponent)), each.factor)
        for each in statement.noises
    )
    return tracer.stamp(EquationTemplate, "equation", cls, lhs=lhs, rhs=rhs, noises=noises)


def _modes(naming: Naming, statement: Modes, location: SourceLocation, cls: str) -> list[Stamp]:
    """Modes as rows that read the mode, values of discrete variables and when-statements."""
    lowered = Lowering(naming, statement).run()
    stamps = [stamp for row in lowered.rows for stamp in _modal(naming, row, location, cls)]
    for target, value in [*lowered.values.values(), *lowered.always]:
        stamps += _equation(naming, operation("eq", target, value), location, cls, "equation")
    for when in (when for when in lowered.whens if when.branches):
        stamps += [_when(naming, when, location, cls), *_whole_numbers(naming, when, location, cls)]
    return stamps


def _modal(naming: Naming, row: Row, location: SourceLocation, cls: str) -> list[Stamp]:
    if row.shape and any(node.op == "stack" for side in (row.lhs, row.rhs) for node in leaves_first(side)):
        return [stamp for part in row.scalars() for stamp in _modal(naming, part, location, cls)]
    tracer = Tracer(naming, row.shape, location)
    lhs = tracer.expr(row.lhs)
    rhs = tracer.expr(row.rhs)
    cases = tuple((name, tracer.expr(left), tracer.expr(right)) for name, left, right in row.cases)
    return [tracer.stamp(ModalTemplate, "equation", cls, lhs=lhs, rhs=rhs, cases=cases)]


def _when(naming: Naming, statement: When, location: SourceLocation, cls: str) -> Stamp:
    tracer = Tracer(naming, (), location)
    branches = []
    known: dict[int, list[Action]] = {}  # actions that several branches have in common, by identity
    for k, (condition, actions) in enumerate(statement.branches):
        check_condition(condition, location)
        if condition.shape:
            what = (
                f"the condition '{show_symbol(condition)}' has shape {condition.shape}; tg.when needs a single Boolean"
            )
            advice = "use one element (x[0] > 1), or combine them: (x[0] > 1) | (x[1] > 1)"
            raise LanguageError("E140", what, location=location, advice=advice)
        traced: list[Action] = []
        for action in actions:
            if id(action) not in known:
                known[id(action)] = _actions(tracer, action)
            traced += known[id(action)]
        branches.append(Branch(tracer.expr(condition), tuple(traced), statement.titles.get(k, "")))
    return tracer.stamp(WhenTemplate, "when", cls, branches=tuple(branches))


def _actions(tracer: Tracer, action: Any) -> list[Action]:
    if isinstance(action, Terminate):
        return [Action("terminate", Const(True), message=action.message)]
    if isinstance(action, Assertion):
        return [Action("assert", tracer.expr(action.condition), message=action.message)]
    verb = "reinit" if isinstance(action, Reinit) else "assign"
    target, value = (action.target, action.value) if isinstance(action, Reinit) else action.args
    check_target(target, tracer.location)
    if np.broadcast_shapes(target.shape, value.shape) != target.shape:
        raise LanguageError(
            "E114", f"'{target}' has shape {target.shape}, '{value}' has {value.shape}", location=tracer.location
        )
    return [
        Action(verb, tracer.expr(part), tracer.slot(element))  # type: ignore[arg-type]
        for element, part in _elements(target, value)
    ]


def _elements(target: Symbol, value: Symbol) -> Iterator[tuple[Symbol, Symbol]]:
    """What is given a value at an event, element by element, and the value."""
    for k in range(int(np.prod(target.shape))):
        element = pick_flat(target, np.asarray(k)) if target.shape else target
        chosen = np.broadcast_to(np.arange(max(int(np.prod(value.shape)), 1)).reshape(value.shape or ()), target.shape)
        yield element, pick_flat(value, np.asarray(chosen.ravel()[k])) if value.shape else value


def _whole_numbers(naming: Naming, statement: When, location: SourceLocation, cls: str) -> list[Stamp]:
    """Assertions that values of integer variables are integers, where the form of the assigned values does not decide
    it.
    """
    laws = [action.args for _, actions in statement.branches for action in actions if isinstance(action, Symbol)]
    unsure: dict[str, Any] = {}
    for target, value in laws:
        if getattr(target.decl, "type", "") != "integer":  # type: ignore[attr-defined]
            continue
        tracer = Tracer(naming, (), location)
        for element, part in _elements(target, value):
            given = tracer.expr(part)
            if is_whole(given, [k for k, slot in enumerate(tracer.slots) if slot.type != "real"]) is None:
                unsure[str(element)] = element
    message = "'{}' is an integer, but was assigned a fractional value; tg.floor(x + 0.5) rounds"
    checks = [
        Assertion(operation("eq", one, operation("floor", one)), message.format(one.member), False)
        for one in unsure.values()
    ]
    return [stamp for check in checks for stamp in trace_statement(naming, check, location, cls, "equation")]
