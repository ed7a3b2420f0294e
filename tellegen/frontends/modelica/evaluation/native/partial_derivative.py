"""Functions that are partial derivatives of others (MLS 12.7.2).

function Gibbs_T = der(Gibbs, T);      Gibbs_T(p, T)      ->      the body of Gibbs in symbols, differentiated by T
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tellegen.frontends.modelica.evaluation.functions import Signature, activated, bind, run, signature_of
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.syntax.classes import DerivativeOf
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.value import Scalar, Value, plain, symbol
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Slot, rebuild, same_with
from tellegen.ir.expressions.ops import OPS
from tellegen.symbolic.differentiate import time_derivative

_FIRST = 1 << 40
"""Slots that stand for inputs while the body is executed; scalars of a model have smaller numbers."""


def partial_derivative(
    view: ClassView, what: DerivativeOf, positional: Sequence[Value], named: Mapping[str, Value], scope: Scope
) -> Value | tuple[Value, ...]:
    """The results of a function, differentiated by some of its inputs, one after the other."""
    function = (view.enclosing or view).resolve(what.function)
    if not isinstance(function, ClassView):
        raise EvaluationError("E570", f"{view.path} is the derivative of something that is not a function")
    signature = signature_of(function)
    given = bind(signature.inputs, positional, named, view.path)
    _check_inputs(signature, what, view)
    meant: dict[Slot, Scalar] = {}

    def stand_in(part: Scalar) -> Slot:
        slot = Slot(_FIRST + len(meant))
        meant[slot] = part
        return slot

    slots: dict[str, Slot] = {}
    for name in what.variables:
        value = given.get(name)
        if not isinstance(value, int | float | Expr) or isinstance(value, bool):
            raise not_supported(f"{view.path}, a derivative by '{name}', which is not a Real scalar,")
        if name not in slots:
            slots[name] = stand_in(value)
    others = {
        name: mapped(lambda part: stand_in(part) if isinstance(part, Expr) else part, value)
        for name, value in given.items()
        if name not in slots
    }
    results = run(signature, activated(signature, {**others, **slots}, scope))
    order = [slots[name] for name in what.variables]
    found = tuple(mapped(lambda part: _differentiated(part, order, meant), result) for result in results)
    return found[0] if len(found) == 1 else found


def _check_inputs(signature: Signature, what: DerivativeOf, view: ClassView) -> None:
    unknown = [name for name in what.variables if name not in signature.inputs]
    if unknown:
        raise EvaluationError("E570", f"{view.path} is a derivative by '{unknown[0]}', which is not an input")


def _differentiated(part: Scalar, order: Sequence[Slot], meant: Mapping[Slot, Scalar]) -> Scalar:
    expression = symbol(part)
    for slot in order:
        found = time_derivative(
            expression, lambda index, slot=slot: ONE if index == slot.index else ZERO, lambda _: ZERO
        )
        if found is None:
            raise not_supported("the partial derivative of a function that calls code or tables")
        expression = found

    def put(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Slot) and node in meant:
            return symbol(meant[node])
        return _folded(same_with(node, args))

    return plain(rebuild(expression, put))


def _folded(node: Expr) -> Expr:
    """An operation with numbers as a number."""
    if not isinstance(node, Call) or not all(isinstance(arg, Const) for arg in node.args):
        return node
    numeric = OPS[node.op].numeric
    return node if numeric is None else Const(numeric(*(arg.value for arg in node.args)))  # type: ignore[union-attr]
