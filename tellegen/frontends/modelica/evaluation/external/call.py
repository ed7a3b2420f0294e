"""External functions: those of the Modelica Standard Library that are served here, by name."""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.declarations import Activation, Declared
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.external.strings import STRING_FUNCTIONS
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import literals, simple_type
from tellegen.frontends.modelica.syntax.classes import External
from tellegen.frontends.modelica.syntax.expressions import Call, Part, Reference
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import EnumerationValue, Value


def call_external(
    view: ClassView, external: External, activation: Activation, outputs: tuple[str, ...]
) -> tuple[Value, ...]:
    """The results of an external function: a built-in one under another name, or one of the tables."""
    scope = activation.scope(view)
    name = external.function or view.definition.name
    arguments = external.arguments or _inputs(activation)
    if external.language == "builtin":
        return (evaluate(Call(Reference((Part(name),), external.token, True), arguments, (), external.token), scope),)
    function = STRING_FUNCTIONS.get(name)
    if function is None:
        raise EvaluationError("E575", f"the external function {name} of {view.path} is not supported")
    inputs = [argument for argument in arguments if str(argument) not in outputs]
    values = [known(evaluate(argument, scope), scope, f"an argument of {name}") for argument in inputs]
    results = function(*values)
    listed = results if isinstance(results, tuple) else (results,)
    return tuple(_typed(value, activation.elements[output]) for value, output in zip(listed, outputs, strict=False))


def _typed(value: Value, declared: Declared) -> Value:
    """A result of C as a value of the output's type: an enumeration is its ordinal there."""
    simple = simple_type(declared.element.type())
    if simple is None or simple.enumeration is None or not isinstance(value, int):
        return value
    return EnumerationValue(simple.enumeration.path, literals(simple.enumeration) or (), value)


def _inputs(activation: Activation) -> tuple[Reference, ...]:
    elements = activation.elements.items()
    inputs = (name for name, declared in elements if "input" in declared.element.prefixes)
    return tuple(Reference((Part(name),), 0) for name in inputs)
