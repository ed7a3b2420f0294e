"""Calls of functions and constructors with evaluated arguments.

Interpreted where all arguments are known, otherwise inlined; what cannot be inlined (a while loop over symbols,
recursion without a known end, a body that is too large) becomes native code; what calls Python with thousands of
numbers is interpreted while a simulation runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tellegen.frontends.modelica.evaluation.declarations import elements_of, rank_of, record_value
from tellegen.frontends.modelica.evaluation.functions import (
    Signature,
    activated,
    bind,
    construct_object,
    run,
    signature_of,
    vectorized,
)
from tellegen.frontends.modelica.evaluation.known import known
from tellegen.frontends.modelica.evaluation.native.call import is_compiled, native_results
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.types import simple_type
from tellegen.frontends.modelica.values.arrays import shape_of
from tellegen.frontends.modelica.values.evaluation_error import (
    EvaluationError,
    NotCompilableError,
    NotCompiledError,
    NotInlinableError,
    NotInlinedError,
)
from tellegen.frontends.modelica.values.value import Value, is_known, scalars
from tellegen.ir.expressions.expr import Expr, walk
from tellegen.start.later import later

with later():
    from tellegen.frontends.modelica.evaluation.native.derivative import has_derivative
    from tellegen.frontends.modelica.evaluation.native.interpreted import interpreted_results
    from tellegen.frontends.modelica.evaluation.native.partial_derivative import partial_derivative

NODE_BUDGET = 2000
"""The number of operations up to which a body is inlined."""


def call_function(
    view: ClassView, positional: Sequence[Value], named: Mapping[str, Value], scope: Scope
) -> Value | tuple[Value, ...]:
    """The results of a function, of a record's or of an external object's constructor."""
    if "record" in view.restriction:
        return construct_record(view, positional, named, scope)
    if is_external_object(view):
        return construct_object(view, positional, named, scope)
    if "function" not in view.restriction:
        raise EvaluationError("E576", f"{view.path} is a {view.restriction}, which cannot be called")
    if view.definition.derivative_of is not None:
        return partial_derivative(view, view.definition.derivative_of, positional, named, scope)
    signature = signature_of(view)
    given = bind(signature.inputs, positional, named, view.path)
    elements = elements_of(view)
    ranks = {name: rank_of(elements[name]) for name in given}
    try:
        results = vectorized(given, ranks, lambda arguments: _apply(signature, arguments, scope))
    except RecursionError:
        raise _endless(view) from None
    is_vectorized = any(len(shape_of(value)) > ranks[name] for name, value in given.items())
    return results[0] if len(results) == 1 or is_vectorized else results  # the first one alone (MLS 12.4.6)


def _endless(view: ClassView) -> EvaluationError:
    what = f"the calls that {view.path} makes lead back to itself without end"
    advice = "a function may call itself where known values end it, not where that depends on quantities that vary"
    return EvaluationError("E597", what, advice)


def construct_record(view: ClassView, positional: Sequence[Value], named: Mapping[str, Value], scope: Scope) -> Value:
    """A record of its field values in order, or by name."""
    elements = elements_of(view)
    given = bind(tuple(elements), positional, named, view.path)
    ranks = {name: rank_of(elements[name]) for name in given}
    return vectorized(given, ranks, lambda arguments: (record_value(view, scope, arguments),))[0]


def is_external_object(view: ClassView) -> bool:
    """Whether a class is one of external objects."""
    found = simple_type(view)
    return found is not None and found.base == "ExternalObject"


def _apply(signature: Signature, given: Mapping[str, Value], scope: Scope) -> tuple[Value, ...]:
    """The results of one call with arguments that fit.

    Native code is made of the outermost function, or of an inner one whose derivative is given by an annotation: what
    it calls is part of that, so that a branch which is not taken is not run."""
    activation = activated(signature, given, scope)
    arguments = [activation.value(name) for name in signature.inputs]
    if scope.recorder is not None or all(map(is_known, arguments)):
        return run(signature, activation)
    may_compile = scope.depth == 0 or has_derivative(signature)
    if may_compile and is_compiled(signature, arguments):
        return native_results(signature, arguments, scope) or ()
    try:
        results = run(signature, activation)
    except (NotInlinedError, NotInlinableError) as error:
        if not may_compile:
            raise
        if scope.depth == 0 and isinstance(error, NotCompiledError | NotCompilableError):
            return interpreted_results(signature, arguments, scope)
        native = native_results(signature, arguments, scope)
        if native is not None:
            return native
        if scope.depth > 0:
            raise
        return _of_parameters(signature, arguments, scope, error)
    if scope.depth == 0 and _operations(results, arguments) > NODE_BUDGET:
        return native_results(signature, arguments, scope) or results
    return results


def _of_parameters(
    signature: Signature, arguments: Sequence[Value], scope: Scope, error: NotInlinedError | NotInlinableError
) -> tuple[Value, ...]:
    """The results for the present values of parameters, which become structural; else the error stands."""
    try:
        plain = [known(argument, scope, f"an argument of {signature.view.path}") for argument in arguments]
    except EvaluationError:
        raise error from None
    return run(signature, activated(signature, dict(zip(signature.inputs, plain, strict=True)), scope))


def _operations(results: Sequence[Value], arguments: Sequence[Value]) -> int:
    """How many operations a body adds to those of its arguments."""
    before = walk(*(part for value in arguments for part in scalars(value) if isinstance(part, Expr)))
    after = walk(*(part for value in results for part in scalars(value) if isinstance(part, Expr)))
    return len(after) - len(before)
