"""External functions: those of the Modelica Standard Library are served here, by name; those of users are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.declarations import Activation, Declared
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.external.c_wrapper import CArgument, CCall
from tellegen.frontends.modelica.evaluation.external.functions_by_name import FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.opaque import RESULT, opaque_outcome
from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served
from tellegen.frontends.modelica.evaluation.external.user_code import STANDARD, UserCode
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import literals, simple_type
from tellegen.frontends.modelica.syntax.classes import External
from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Part, Reference
from tellegen.frontends.modelica.values.arrays import mapped, shape_of
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import choose, compare, without_event
from tellegen.frontends.modelica.values.value import EnumerationValue, ExternalObject, Value, is_known
from tellegen.ir.expressions.expr import Expr


def call_external(
    view: ClassView, external: External, activation: Activation, outputs: tuple[str, ...]
) -> tuple[Value, ...]:
    """The results of an external function: a built-in one under another name, one that is served here, or C code."""
    scope = activation.scope(view)
    name = external.function or view.definition.name
    arguments = external.arguments if external.function else _inputs(activation)
    if external.language == "builtin":
        return (evaluate(Call(Reference((Part(name),), external.token, True), arguments, (), external.token), scope),)
    served = FUNCTIONS.get(name)
    targets = _targets(external, arguments, outputs)
    if served is None:
        outcome = _compiled_outcome(UserCode(view, external, name), arguments, targets, activation)
    else:
        values = [evaluate(argument, scope) for argument in arguments]
        outcome = _outcome(name, served, values, scope, {k: activation.value(output) for k, output in targets.items()})
    for position, output in targets.items():
        found = outcome.result if position == RESULT else outcome.arguments.get(position)
        if found is not None:
            activation.values[output] = _value(found, activation.elements[output])
    return tuple(activation.value(output) for output in outputs)


def _inputs(activation: Activation) -> tuple[Expression, ...]:
    elements = activation.elements.items()
    inputs = (name for name, declared in elements if "input" in declared.element.prefixes)
    return tuple(Reference((Part(name),), 0) for name in inputs)


def _targets(external: External, arguments: tuple[Expression, ...], outputs: tuple[str, ...]) -> dict[int, str]:
    """Which output is written by which argument of the C function, and which by its result."""
    targets = {k: str(argument) for k, argument in enumerate(arguments) if isinstance(argument, Reference)}
    if external.result is not None:
        targets[RESULT] = str(external.result)
    elif not external.function and outputs:
        targets[RESULT] = outputs[0]
    return {position: name for position, name in targets.items() if name in outputs}


def _outcome(name: str, served: Served, values: list[Value], scope: Scope, results: dict[int, Value]) -> Outcome:
    """Called with symbols where it takes them, with numbers where all are known, else during a simulation."""
    if not served.pure:
        scope.view.views.store.read.depends_on_more()
    if served.symbolic:
        found = served.function(scope.view.views.store, *values)
        return found if isinstance(found, Outcome) else Outcome(found)
    if not all(map(is_known, values)):
        varying = [value for value in values if not is_known(value)]
        try:
            for value in varying:
                known(value, scope, f"an argument of {name}")
        except EvaluationError:
            if not served.pure:
                raise
            return opaque_outcome(name, served, values, {k: shape_of(value) for k, value in results.items()})
    found = served.function(*(_plain(known(value, scope, f"an argument of {name}")) for value in values))
    return found if isinstance(found, Outcome) else Outcome(found)


def _compiled_outcome(
    code: UserCode, arguments: tuple[Expression, ...], targets: dict[int, str], activation: Activation
) -> Outcome:
    """What C code of a user gives."""
    translation = activation.outer.translation
    at_events = translation is not None and translation.called.is_apart
    _check_compilable(code, at_events)
    code.view.views.store.read.depends_on_more()
    scope = activation.scope(code.view)
    shapes: dict[int, tuple[int, ...]] = {RESULT: ()} if RESULT in targets else {}
    declared: list[CArgument] = []
    values: list[Value] = []
    for position, argument in enumerate(arguments):
        if position in targets:
            shapes[position] = shape_of(activation.value(targets[position]))
            declared.append(CArgument(_base(activation, targets[position], code), shapes[position], True))
            continue
        value = evaluate(argument, scope)
        kind = _base(activation, str(argument), code, value)
        if kind == "String":
            value = known(value, scope, f"a String for {code.function}")
        elif kind == "Boolean":
            value = mapped(lambda one: choose(one, 1.0, 0.0), value)
        objects = sum(isinstance(given, ExternalObject) for given in values)
        declared.append(CArgument(kind, shape_of(value), text=value if isinstance(value, str) else "", number=objects))
        values.append(value)
    returns = _base(activation, targets[RESULT], code) if RESULT in targets else ""
    return code.outcome(CCall(code.function, tuple(declared), returns), values, shapes, at_events)


def _check_compilable(code: UserCode, at_events: bool) -> None:
    reason = ""
    if code.view.path.split(".")[0] in STANDARD:
        reason = ""
    elif code.external.language not in ("", "C"):
        reason = f": its language is {code.external.language}"
    elif code.view.restriction.startswith("impure") and not at_events:
        reason = " outside of when: it is impure"
    elif not code.has_source:
        reason = ": its annotation has neither Include nor Library"
    else:
        return
    raise EvaluationError("E575", f"the external function {code.function} of {code.view.path} is not supported{reason}")


def _base(activation: Activation, name: str, code: UserCode, value: Value | None = None) -> str:
    """The type of an argument: of a variable as declared, of an expression by its value."""
    declared = activation.elements.get(name)
    if declared is None:
        if isinstance(value, str):
            return "String"
        return "Integer" if isinstance(value, int) and not isinstance(value, bool) else "Real"
    simple = simple_type(declared.element.type())
    is_result = value is None
    if simple is None or (simple.base == "String" and (is_result or shape_of(value))):
        what = "a record" if simple is None else "a String as a result, or an array of them,"
        raise EvaluationError("E575", f"{what} of the external function {code.function} is not supported")
    return simple.base


def _plain(value: Any) -> Any:
    """A known value for Python: arrays of numbers as such, enumerations by their ordinals."""
    if isinstance(value, EnumerationValue):
        return value.ordinal
    if isinstance(value, np.ndarray) and not any(isinstance(part, str) for part in value.flat):
        return np.array([_plain(part) for part in value.flat], float).reshape(value.shape)
    return value


def _value(found: Any, declared: Declared) -> Value:
    """A result as a value of the output's type: C has numbers for enumerations and Booleans."""
    simple = simple_type(declared.element.type())
    base = simple.base if simple is not None else ""
    if isinstance(found, np.ndarray):
        out = np.empty(found.shape, dtype=object)
        for position in np.ndindex(found.shape):
            out[position] = _value(found[position], declared)
        return out
    if simple is not None and simple.enumeration is not None and isinstance(found, int | float):
        return EnumerationValue(simple.enumeration.path, literals(simple.enumeration) or (), int(found))
    if base == "Boolean" and isinstance(found, Expr):
        return without_event(compare(">", found, 0.5))
    if isinstance(found, int | float | np.number):
        return {"Integer": int, "Boolean": bool}.get(base, float)(found)
    return found
