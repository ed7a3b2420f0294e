"""Calls of functions that are compiled: the execution of the body is recorded once for each form of the arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.evaluation.functions import Signature, activated, run
from tellegen.frontends.modelica.evaluation.native.derivative import derivative_kernel
from tellegen.frontends.modelica.evaluation.native.recorder import Recorder, RecordingScope
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import both, invert, without_event
from tellegen.frontends.modelica.values.value import (
    FunctionValue,
    RecordValue,
    Scalar,
    Value,
    is_known,
    scalars,
    symbol,
)
from tellegen.ir.expressions.expr import ZERO, Apply, Call, Expr, Function, Slot
from tellegen.start.records import dataclass
from tellegen.symbolic.kernels.derivative import KernelDerivative
from tellegen.symbolic.kernels.kernel import Kernel, all_steps, expressions_of
from tellegen.symbolic.kernels.operations import can_compile


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function with a form of arguments: what it is in the IR, and its results over the outputs of that."""

    function: Function
    results: tuple[Value, ...]  # scalars that are computed are Slots: the number of the output
    checks: Function | None = None  # an output for each of its assertions, not zero where it failed
    assertions: tuple[Assertion, ...] = ()


def is_compiled(signature: Signature, arguments: Sequence[Value]) -> bool:
    """Whether arguments of this form were compiled before, so that inlining need not be tried again."""
    known = signature.view.compiled
    return bool(known) and known.get(tuple(map(form_of, arguments))) is not None


def native_results(signature: Signature, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...] | None:
    """The results as calls of native code; None where the body cannot be compiled."""
    form = tuple(form_of(argument) for argument in arguments)
    known = signature.view.compiled
    if form not in known:
        known[form] = _compiled(signature, arguments, scope)
    compiled = known[form]
    if compiled is None:
        return None
    numbers = tuple(symbol(part) for argument in arguments for part in passed(argument))
    function = compiled.function

    if compiled.checks is not None and scope.recorder is None and scope.translation is not None:
        for number, assertion in enumerate(compiled.assertions):
            failed = Call("gt", (Apply(compiled.checks, numbers, number), ZERO))
            holds = symbol(without_event(invert(both(scope.guard, failed))))
            scope.translation.called.add(replace(assertion, condition=holds), scope.instance)

    def output(part: Scalar) -> Scalar:
        return Apply(function, numbers, part.index) if isinstance(part, Slot) else part

    return tuple(mapped(output, result) for result in compiled.results)


def form_of(value: Value) -> object:
    """What is fixed in compiled code: structure, sizes, and known values other than single Reals."""
    if isinstance(value, np.ndarray):
        if is_known(value):
            return ("known", value.shape, tuple(map(form_of, value.flat)), tuple(scalars(value)))
        return ("array", value.shape, tuple(map(form_of, value.flat)))
    if isinstance(value, RecordValue):
        return ("record", value.view, tuple((name, form_of(part)) for name, part in value.fields.items()))
    if isinstance(value, FunctionValue):
        return ("function", value.view, tuple((name, form_of(part)) for name, part in value.named.items()))
    if isinstance(value, Expr | float):
        return "number"
    return ("constant", type(value).__name__, value)


def passed(value: Value) -> Iterator[Scalar]:
    """The numbers of an argument that are passed: all that vary, and single Reals."""
    if isinstance(value, np.ndarray):
        if not is_known(value):
            for element in value.flat:
                yield from passed(element)
    elif isinstance(value, RecordValue):
        for part in value.fields.values():
            yield from passed(part)
    elif isinstance(value, FunctionValue):
        for part in value.named.values():
            yield from passed(part)
    elif isinstance(value, Expr | float):
        yield value


def as_inputs(value: Value, numbers: Iterator[Scalar]) -> Value:
    """The argument with `numbers` in place of those that are passed."""
    if isinstance(value, np.ndarray):
        if is_known(value):
            return value
        out = np.empty(value.shape, dtype=object)
        for position in np.ndindex(*value.shape):
            out[position] = as_inputs(value[position], numbers)
        return out
    if isinstance(value, RecordValue):
        return RecordValue(value.view, {name: as_inputs(part, numbers) for name, part in value.fields.items()})
    if isinstance(value, FunctionValue):
        named = {name: as_inputs(part, numbers) for name, part in value.named.items()}
        return FunctionValue(value.view, named, value.owner)
    return next(numbers) if isinstance(value, Expr | float) else value


def _compiled(signature: Signature, arguments: Sequence[Value], scope: Scope) -> Compiled | None:
    count = sum(1 for argument in arguments for _ in passed(argument))
    numbers = map(Slot, range(count))
    inputs = [as_inputs(argument, numbers) for argument in arguments]
    recorder = Recorder(count)
    try:
        given = dict(zip(signature.inputs, inputs, strict=True))
        results = run(signature, activated(signature, given, RecordingScope(scope, recorder)))
    except (ModelicaError, EvaluationError):
        return None
    computed = [part for result in results for part in scalars(result) if isinstance(part, Expr)]
    kernel = Kernel(signature.view.path, count, tuple(recorder.steps), tuple(computed))
    expressions = (part for step in all_steps(kernel.steps) for part in expressions_of(step))
    if not computed or not all(map(can_compile, (*expressions, *computed))):
        return None
    outputs = iter(range(len(computed)))
    shaped = tuple(
        mapped(lambda part: Slot(next(outputs)) if isinstance(part, Expr) else part, result) for result in results
    )
    slopes = KernelDerivative(kernel, derivative_kernel(signature, inputs, kernel, scope))
    name = signature.view.definition.name
    function = Function(name, kernel, len(computed), slopes)
    return Compiled(function, shaped, *_checks(name, kernel, recorder))


def _checks(name: str, kernel: Kernel, recorder: Recorder) -> tuple[Function | None, tuple[Assertion, ...]]:
    """The function with its assertions as results; conditions are not differentiated."""
    if not recorder.assertions:
        return None, ()
    failed = tuple(Slot(recorded.slot) for recorded in recorder.assertions)
    checks = replace(kernel, results=failed)
    function = Function(f"{name}_assertions", checks, len(failed), KernelDerivative(checks, None))
    return function, tuple(recorded.assertion for recorded in recorder.assertions)
