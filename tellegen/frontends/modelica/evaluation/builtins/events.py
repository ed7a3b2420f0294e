"""Operators about time, events and the solution process (MLS 3.7.3 to 3.7.5, 8.3)."""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.builtins.table import Arguments, builtin
from tellegen.frontends.modelica.evaluation.evaluate import evaluate
from tellegen.frontends.modelica.evaluation.known import known_integer
from tellegen.frontends.modelica.values.arrays import elementwise, mapped
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.scalars import both, compare, invert, multiply
from tellegen.frontends.modelica.values.types import type_of
from tellegen.frontends.modelica.values.value import Scalar, Value, describe, is_known, plain, symbol
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk
from tellegen.symbolic.differentiate import time_derivative
from tellegen.symbolic.semi_linear import semi_linear

_MAKE_EVENTS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "floor", "ceil", "mod", "sign", "sample"})

_WITHOUT_RATE = {"Integer": "an Integer", "Boolean": "a Boolean", "enumeration": "an enumeration"}
"""Types whose values change at events only."""


@builtin("der")
def _der(arguments: Arguments) -> Value:
    """The derivative of any expression, by its rules."""
    arguments.take(1)
    translation = arguments.scope.translation

    def derivative(x: Scalar) -> Scalar:
        if not isinstance(x, float | Expr):
            raise EvaluationError("E566", f"der(...) is for Real expressions, not for {describe(x)}")
        if not isinstance(x, Expr):
            return 0.0
        if (kind := type_of(x, arguments.scope.type_of_slot)) in _WITHOUT_RATE:
            raise EvaluationError("E566", f"der(...) is for Real expressions, not for {_WITHOUT_RATE[kind]}")
        if translation is None:
            raise EvaluationError("E565", "der(...) outside of a model is not supported")
        result = time_derivative(x, translation.derivative_of, translation.second_derivative)
        if result is None:
            raise EvaluationError("E565", "der(...) of a delay or of a function without derivative is not supported")
        return plain(result)

    return mapped(derivative, arguments.value(0))


def _past(arguments: Arguments) -> Value:
    """The variable itself, whatever an algorithm has assigned to it so far."""
    expression = arguments.expression(0)
    if expression is None:
        raise EvaluationError("E570", f"{arguments.name}(...) needs a variable")
    return evaluate(expression, arguments.scope.before_assignment())


def _pre_of(x: Scalar) -> Scalar:
    if not isinstance(x, Expr):
        return x
    if not isinstance(x, Slot):
        raise EvaluationError("E566", f"pre(...) takes a variable, not {describe(x)}")
    return Call("pre", (x,))


@builtin("pre")
def _pre(arguments: Arguments) -> Value:
    arguments.take(1)
    return mapped(_pre_of, _past(arguments))


@builtin("edge")
def _edge(arguments: Arguments) -> Value:
    arguments.take(1)

    def edge(variable: Scalar, now: Scalar) -> Scalar:
        if not isinstance(variable, Expr):
            return False
        return Call("edge", (variable,)) if now is variable else both(now, invert(_pre_of(variable)))

    return elementwise(edge, _past(arguments), arguments.value(0))


@builtin("change")
def _change(arguments: Arguments) -> Value:
    arguments.take(1)

    def change(variable: Scalar, now: Scalar) -> Scalar:
        if not isinstance(variable, Expr):
            return False
        return Call("change", (variable,)) if now is variable else compare("<>", now, _pre_of(variable))

    return elementwise(change, _past(arguments), arguments.value(0))


@builtin("initial", "terminal")
def _phase(arguments: Arguments) -> Value:
    arguments.take(0)
    return Call(arguments.name.lstrip("."), ())


@builtin("sample")
def _sample(arguments: Arguments) -> Value:
    if len(arguments) != 2:
        raise not_supported("sample(...) with a clock")
    start, interval = arguments.values()
    return Call("sample", (symbol(start), symbol(interval)))


@builtin("noEvent")
def _no_event(arguments: Arguments) -> Value:
    arguments.take(1)

    def literal(x: Scalar) -> Scalar:
        makes_events = isinstance(x, Expr) and any(isinstance(n, Call) and n.op in _MAKE_EVENTS for n in walk(x))
        return Call("no_event", (symbol(x),)) if makes_events else x

    return mapped(literal, arguments.value(0))


@builtin("smooth")
def _smooth(arguments: Arguments) -> Value:
    arguments.take(2)
    order = Const(float(known_integer(arguments.value(0), arguments.scope, "the order of smooth")))

    def promised(x: Scalar) -> Scalar:
        makes_events = isinstance(x, Expr) and any(isinstance(n, Call) and n.op in _MAKE_EVENTS for n in walk(x))
        return Call("smooth", (order, symbol(x))) if makes_events else x

    return mapped(promised, arguments.value(1))


@builtin("homotopy")
def _homotopy(arguments: Arguments) -> Value:
    arguments.take(2)

    def blended(actual: Scalar, simplified: Scalar) -> Scalar:
        if not isinstance(actual, Expr):
            return actual
        other = symbol(simplified)
        return actual if actual == other else Call("homotopy", (actual, other))

    return elementwise(blended, arguments.value(0, "actual"), arguments.value(1, "simplified"))


@builtin("semiLinear")
def _semi_linear(arguments: Arguments) -> Value:
    """if x >= 0 then positive*x else negative*x, determined also where nothing flows (MLS 3.7.4.5)."""
    arguments.take(3)

    def carried(x: Scalar, above: Scalar, below: Scalar) -> Scalar:
        if isinstance(x, int | float):
            return multiply(above if x >= 0 else below, x)
        return plain(semi_linear(symbol(x), symbol(above), symbol(below)))

    parts = [arguments.value(k, name) for k, name in enumerate(("x", "positiveSlope", "negativeSlope"))]
    return elementwise(carried, *parts)


@builtin("delay")
def _delay(arguments: Arguments) -> Value:
    """delay(x, T), and delay(x, T, Tmax), whose T may vary."""
    arguments.take(2, 3)
    time = symbol(arguments.value(1, "delayTime"))
    operator = "delay"
    parts: tuple[Expr, ...] = (time,)
    if len(arguments) == 3:
        longest = symbol(arguments.value(2, "delayMax"))
        if not _is_fixed(longest, arguments):
            raise EvaluationError("E566", "delayMax of delay(...) is made of numbers and parameters only")
        if isinstance(time, Const) and isinstance(longest, Const) and time.value > longest.value:
            raise EvaluationError(
                "E566", f"delay(...) by {time.value:g}, which is more than delayMax {longest.value:g}"
            )
        if not _is_fixed(time, arguments):
            operator = "varying_delay"
            parts = (time, longest)
    return mapped(lambda x: x if is_known(x) else Call(operator, (symbol(x), *parts)), arguments.value(0))


def _is_fixed(time: Expr, arguments: Arguments) -> bool:
    """Whether a delay is made of numbers and parameters only."""
    translation = arguments.scope.translation
    return all(
        isinstance(node, Const)
        or (isinstance(node, Slot) and translation.variable_of(node.index)[0].variability == "parameter")
        for node in walk(time)
        if not node.args
    )


_CLOCKED = (
    *("previous", "hold", "subSample", "superSample", "shiftSample", "backSample", "noClock", "interval"),
    *("firstTick", "Clock"),
)
_STATE_MACHINES = ("transition", "initialState", "activeState", "ticksInState", "timeInState")


UNSUPPORTED = frozenset((*_CLOCKED, *_STATE_MACHINES))
"""Operators that are not supported."""


def group_of(name: str) -> str:
    """What part of the language an operator that is not supported belongs to."""
    return "clocks: " if name in _CLOCKED else "state machines: " if name in _STATE_MACHINES else ""


@builtin(*UNSUPPORTED)
def _unsupported(arguments: Arguments) -> Value:
    name = arguments.name.lstrip(".")
    raise not_supported(f"{group_of(name)}{name}(...)")
