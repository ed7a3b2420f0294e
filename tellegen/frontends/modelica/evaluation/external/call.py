"""External functions: those of the Modelica Standard Library that are served here, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.declarations import Activation, Declared
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.external.functions_by_name import FUNCTIONS
from tellegen.frontends.modelica.evaluation.external.opaque import RESULT, opaque_outcome
from tellegen.frontends.modelica.evaluation.external.served import Outcome, Served
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import literals, simple_type
from tellegen.frontends.modelica.syntax.classes import External
from tellegen.frontends.modelica.syntax.expressions import Call, Expression, Part, Reference
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value, is_known


def call_external(
    view: ClassView, external: External, activation: Activation, outputs: tuple[str, ...]
) -> tuple[Value, ...]:
    """The results of an external function: a built-in one under another name, or one that is served here."""
    scope = activation.scope(view)
    name = external.function or view.definition.name
    arguments = external.arguments if external.function else _inputs(activation)
    if external.language == "builtin":
        return (evaluate(Call(Reference((Part(name),), external.token, True), arguments, (), external.token), scope),)
    served = FUNCTIONS.get(name)
    if served is None:
        raise EvaluationError("E575", f"the external function {name} of {view.path} is not supported")
    values = [evaluate(argument, scope) for argument in arguments]
    targets = _targets(external, arguments, outputs)
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
    if simple is not None and simple.enumeration is not None and isinstance(found, int):
        return EnumerationValue(simple.enumeration.path, literals(simple.enumeration) or (), found)
    if isinstance(found, int | float | np.number):
        return {"Integer": int, "Boolean": bool}.get(base, float)(found)
    return found
