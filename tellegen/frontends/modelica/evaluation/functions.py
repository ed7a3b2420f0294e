"""Functions: what they take and give, arguments, and execution of the body.

    function f  input Real x;  output Real y;  algorithm  y := if x > 0 then sqrt(x) else 0;  end f;
    f(4) -> 2.0          f(a) -> where(no_event(a > 0), sqrt(a), 0)

Interpretation and inlining are the same execution: arithmetic of plain values gives plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tellegen.frontends.modelica.evaluation.check_functions import check_function
from tellegen.frontends.modelica.evaluation.declarations import (
    Activation,
    Declared,
    as_real,
    elements_of,
    fit,
    rank_of,
    text_views,
)
from tellegen.frontends.modelica.evaluation.evaluate import evaluate, evaluate_results
from tellegen.frontends.modelica.evaluation.external.call import call_external
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.evaluation.messages import message_of
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.evaluation.statements import Frame, execute
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import SimpleType, prefixes_of, simple_type
from tellegen.frontends.modelica.syntax.annotations import annotation_of, annotation_value
from tellegen.frontends.modelica.syntax.classes import External
from tellegen.frontends.modelica.syntax.expressions import Call, Colon, Expression, Truth
from tellegen.frontends.modelica.syntax.statements import Statement, WhenStatement
from tellegen.frontends.modelica.values.arrays import shape_of, stack
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.frontends.modelica.values.scalars import either, invert, without_event
from tellegen.frontends.modelica.values.types import can_take, named
from tellegen.frontends.modelica.values.value import (
    EnumerationValue,
    ExternalObject,
    Scalar,
    Value,
    describe,
    scalars,
    symbol,
)
from tellegen.ir.expressions.expr import Expr
from tellegen.start.records import dataclass

DEPTH_LIMIT = 60
"""Functions that call each other deeper than this on symbols are compiled; recursion has no end known in advance."""


@dataclass(frozen=True, eq=False)
class Signature:
    """A function: its inputs and outputs in order, what it executes, and what its annotations say."""

    view: ClassView
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    body: tuple[tuple[ClassView, tuple[Statement, ...]], ...]
    external: tuple[ClassView, External] | None
    makes_events: bool


def signature_of(view: ClassView) -> Signature:
    """What a function takes, gives and does."""
    if view.signature is not None:
        return view.signature
    elements = elements_of(view)
    check_function(text_views(view), elements)
    body: list[tuple[ClassView, tuple[Statement, ...]]] = []
    external = None
    makes_events = False
    for text in text_views(view):
        definition = text.definition
        body += [(text, section.statements) for section in definition.sections if section.is_algorithm]
        external = (text, definition.external) if definition.external is not None else external
        flag = annotation_value(annotation_of(definition), "GenerateEvents")
        makes_events = makes_events or (isinstance(flag, Truth) and flag.value)
    found = Signature(
        view,
        tuple(name for name, declared in elements.items() if "input" in prefixes_of(declared.element)),
        tuple(name for name, declared in elements.items() if "output" in prefixes_of(declared.element)),
        tuple(body),
        external,
        makes_events,
    )
    view.signature = found
    return found


def construct_object(
    view: ClassView, positional: Sequence[Value], named: Mapping[str, Value], scope: Scope
) -> ExternalObject:
    """An external object: the arguments of its constructor, all known."""
    constructor = view.find("constructor")
    if not isinstance(constructor, ClassView):
        raise EvaluationError("E570", f"{view.path} has no constructor")
    signature = signature_of(constructor)
    given = bind(signature.inputs, positional, named, view.path)
    activation = activated(signature, given, scope)
    arguments = {name: activation.value(name) for name in signature.inputs}
    return ExternalObject(
        view, {name: known(value, scope, f"'{name}' of {view.path}") for name, value in arguments.items()}
    )


def bind(names: Sequence[str], positional: Sequence[Value], named: Mapping[str, Value], path: str) -> dict[str, Value]:
    """Arguments by name."""
    if len(positional) > len(names):
        raise EvaluationError("E570", f"{path} takes {len(names)} arguments, {len(positional)} are given")
    given = dict(zip(names, positional, strict=False))
    for name, value in named.items():
        if name not in names:
            raise EvaluationError("E570", f"{path} has no input '{name}'", f"it has: {', '.join(names)}")
        if name in given:
            raise EvaluationError("E570", f"'{name}' of {path} is given twice")
        given[name] = value
    return given


def vectorized(
    given: dict[str, Value], ranks: Mapping[str, int], call: Callable[[dict[str, Value]], tuple[Value, ...]]
) -> tuple[Value, ...]:
    """A call with arrays where scalars are wanted: once for each element (MLS 12.4.6)."""
    shape: tuple[int, ...] = ()
    for name, value in given.items():
        extra = len(shape_of(value)) - ranks[name]
        if extra > 0:
            found = shape_of(value)[:extra]
            if shape and found != shape:
                raise EvaluationError("E567", f"arguments differ in size: {list(shape)} and {list(found)}")
            shape = found
    if not shape:
        return call(given)
    rows: list[tuple[Value, ...]] = []
    for position in np.ndindex(*shape):
        one = {n: v[position] if len(shape_of(v)) > ranks[n] else v for n, v in given.items()}  # type: ignore[index]
        rows.append(call(one))
    if not rows:
        return (np.empty(shape, dtype=object),)
    columns = (stack([row[k] for row in rows]) for k in range(len(rows[0])))
    return tuple(column.reshape(shape + column.shape[1:]) for column in columns)


def activated(signature: Signature, given: Mapping[str, Value], scope: Scope) -> Activation:
    """The function with its inputs, defaults where none is given."""
    activation = Activation(signature.view, scope, signature.view.applied)
    for name, value in given.items():
        declared: Declared = activation.elements[name]
        simple = simple_type(declared.element.type())
        inside = activation.scope(signature.view)
        _check_argument(value, declared, simple, scope)
        activation.values[name] = fit(value, declared, simple, inside)
    for name in signature.inputs:
        if name not in activation.values and not _has_default(activation, name):
            raise EvaluationError("E570", f"{signature.view.path} is called without its input '{name}'")
    return activation


def _check_argument(value: Value, declared: Declared, simple: SimpleType | None, scope: Scope) -> None:
    """An input takes an array of as many dimensions, of its type (MLS 12.4.1)."""
    name = declared.element.name
    if not shape_of(value) and rank_of(declared):
        raise EvaluationError("E567", f"the input '{name}' is an array of {rank_of(declared)} dimensions, not a scalar")
    if simple is None:
        return
    of_slot = scope.type_of_slot
    for part in scalars(value):
        if not can_take(simple.base, part, of_slot):
            raise EvaluationError("E566", f"the input '{name}' is {simple.base}, the argument {named(part, of_slot)}")


def _has_default(activation: Activation, name: str) -> bool:
    declared = activation.elements[name]
    if simple_type(declared.element.type()) is None:
        return True  # a record has the values of its fields
    return _is_bound(activation, name)


def run(signature: Signature, activation: Activation) -> tuple[Value, ...]:
    """The body, executed; what the outputs are then."""
    activation.depth = activation.outer.depth + 1
    activation.literal = not signature.makes_events
    if activation.depth > DEPTH_LIMIT:
        raise NotInlinableError("E573", f"calls of {signature.view.path} are nested deeper than {DEPTH_LIMIT}")
    if signature.external is not None:
        return call_external(*signature.external, activation, signature.outputs)
    flexible = frozenset(name for name, declared in activation.elements.items() if _is_flexible(declared))
    frame = Frame(activation.scope(signature.view), activation.values, FunctionEffects(), flexible=flexible)
    for name in activation.elements:
        if _is_bound(activation, name):  # by what is known at the start, whatever the body assigns (MLS 12.4.4)
            activation.value(name)
    for text, statements in signature.body:
        frame.scope = activation.scope(text)
        execute(statements, frame)
    return tuple(_output(activation, name) for name in signature.outputs)


def _is_bound(activation: Activation, name: str) -> bool:
    """Whether the declaration of a component gives it a value."""
    modifiers = activation.elements[name].all_modifiers(activation.modifiers_of(name))
    return any(modification.value is not None for modification, _ in modifiers)


def _is_flexible(declared: Declared) -> bool:
    return any(isinstance(size, Colon) for size in declared.element.dimensions[0])


def _output(activation: Activation, name: str) -> Value:
    simple = simple_type(activation.elements[name].element.type())
    value = activation.value(name)
    return as_real(value) if simple is not None and simple.base == "Real" else value


class FunctionEffects:
    """What statements of functions do beyond assigning."""

    def call(self, call: Call, frame: Frame, condition: Scalar) -> None:
        """assert(...), or a function called for its effect."""
        if call.function.name != "assert":
            evaluate_results(call, frame.scope)
            return
        arguments = {**dict(zip(_ASSERT_INPUTS, call.arguments, strict=False)), **dict(call.named)}
        scope = frame.scope
        demanded = evaluate(arguments["condition"], scope)
        if not isinstance(demanded, bool | Expr):
            raise EvaluationError("E566", f"assert needs a Boolean, not {describe(demanded)}")
        if demanded is True:
            return
        is_warning = _is_warning(arguments.get("level"), scope)
        message = message_of(arguments["message"], scope)
        if demanded is False and condition is True and not is_warning:
            raise EvaluationError("E574", f"an assertion of {scope.view.path} fails: {message.text}")
        location = scope.location(call.token)
        if scope.recorder is not None:
            holds = symbol(either(frame.left, demanded))  # it is recorded where it acts
            scope.recorder.demand(Assertion(holds, message.without_values(), is_warning, location))
        elif scope.translation is not None:
            holds = symbol(without_event(either(invert(condition), demanded)))
            scope.translation.called.add(
                Assertion(holds, message.text, is_warning, location, message.values), scope.instance
            )

    def when(self, statement: WhenStatement, frame: Frame) -> None:
        """Not in functions."""
        _ = statement
        raise EvaluationError("E565", f"a when statement in the function {frame.scope.view.path} is not supported")


_ASSERT_INPUTS = ("condition", "message", "level")


def _is_warning(level: Expression | None, scope: Scope) -> bool:
    value = evaluate(level, scope) if level is not None else None
    return isinstance(value, EnumerationValue) and value.name == "warning"
