"""Derivatives of compiled functions from the annotation `derivative` (MLS 12.7.1).

function f  input Real x, y;  ... annotation(derivative(noDerivative=y) = f_der);  ->  df/dx = f_der(x, y, 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.declarations import elements_of, text_views
from tellegen.frontends.modelica.evaluation.functions import Signature, activated, bind, run, signature_of
from tellegen.frontends.modelica.evaluation.native.recorder import Recorder, RecordingScope
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import simple_type
from tellegen.frontends.modelica.syntax.annotations import annotation_of, modifier_of
from tellegen.frontends.modelica.syntax.classes import ElementModification
from tellegen.frontends.modelica.syntax.expressions import Number, Reference
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import RecordValue, Value, scalars, symbol
from tellegen.ir.expressions.expr import Expr, Slot
from tellegen.symbolic.kernels.kernel import Kernel, all_steps, expressions_of
from tellegen.symbolic.kernels.operations import can_compile


def derivative_kernel(signature: Signature, inputs: Sequence[Value], kernel: Kernel, scope: Scope) -> Kernel | None:
    """All partial derivatives by the function that the annotation names; None where there is none that fits."""
    found = _annotated(signature)
    if found is None:
        return None
    function, left_out = found
    names = [name for name in signature.inputs if name not in left_out and _has_derivative(signature, name)]
    recorder = Recorder(kernel.inputs)
    columns: list[list[Expr]] = []
    try:
        for position in range(kernel.inputs):
            by_name = dict(zip(signature.inputs, inputs, strict=True))
            seeds = [_seed(by_name[name], position) for name in names]
            columns.append(_column(function, [*inputs, *seeds], RecordingScope(scope, recorder)))
    except (ModelicaError, EvaluationError):
        return None
    if any(len(column) != len(kernel.results) for column in columns):
        return None
    results = tuple(column[row] for row in range(len(kernel.results)) for column in columns)
    made = Kernel(f"der({kernel.name})", kernel.inputs, tuple(recorder.steps), results)
    expressions = (part for step in all_steps(made.steps) for part in expressions_of(step))
    return made if all(map(can_compile, (*expressions, *results))) else None


def has_derivative(signature: Signature) -> bool:
    """Whether an annotation names the derivative of a function."""
    return _annotated(signature) is not None


def _column(function: ClassView, arguments: list[Value], scope: Scope) -> list[Expr]:
    signature = signature_of(function)
    given = bind(signature.inputs, arguments, {}, function.path)
    results = run(signature, activated(signature, given, scope))
    return [symbol(part) for result in results for part in scalars(result) if isinstance(part, int | float | Expr)]


def _annotated(signature: Signature) -> tuple[ClassView, frozenset[str]] | None:
    """The derivative function of first order, and the inputs it takes no derivative of."""
    for text in reversed(tuple(text_views(signature.view))):
        modifier = modifier_of(annotation_of(text.definition), "derivative")
        if modifier is None or modifier.modification is None:
            continue
        named = modifier.modification.value
        arguments = [a for a in modifier.modification.arguments if isinstance(a, ElementModification)]
        if not isinstance(named, Reference) or not all(map(_is_first_order, arguments)):
            return None
        function = text.resolve(named)
        left_out = frozenset(_named(arguments))
        return (function, left_out) if isinstance(function, ClassView) else None
    return None


def _is_first_order(argument: ElementModification) -> bool:
    value = argument.modification.value if argument.modification is not None else None
    return argument.name != ("order",) or (isinstance(value, Number) and value.value == 1)


def _named(arguments: Sequence[ElementModification]) -> Iterator[str]:
    for argument in arguments:
        value = argument.modification.value if argument.modification is not None else None
        if argument.name[0] in ("noDerivative", "zeroDerivative") and isinstance(value, Reference):
            yield str(value)


def _has_derivative(signature: Signature, name: str) -> bool:
    """Whether an input is made of Reals."""
    kind = elements_of(signature.view)[name].element.type()
    simple = simple_type(kind)
    if simple is not None:
        return simple.base == "Real"
    return isinstance(kind, ClassView) and "record" in kind.restriction


def _seed(value: Value, position: int) -> Value:
    """One where the input with this number stands, else zero."""
    if isinstance(value, np.ndarray):
        out = np.empty(value.shape, dtype=object)
        for place in np.ndindex(*value.shape):
            out[place] = _seed(value[place], position)
        return out
    if isinstance(value, RecordValue):
        return RecordValue(value.view, {name: _seed(part, position) for name, part in value.fields.items()})
    return 1.0 if isinstance(value, Slot) and value.index == position else 0.0
