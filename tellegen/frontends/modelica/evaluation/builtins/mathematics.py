"""Functions of numbers: elementary ones, rounding, division, conversions, String (MLS 3.7.1, 3.7.2)."""

from __future__ import annotations

import math
from functools import partial

from tellegen.frontends.modelica.evaluation.builtins.table import Arguments, builtin
from tellegen.frontends.modelica.evaluation.known import known, known_integer, resting
from tellegen.frontends.modelica.evaluation.overloads import apply_operator
from tellegen.frontends.modelica.values.arrays import elementwise
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.formats import formatted, varying_text
from tellegen.frontends.modelica.values.operand_types import check_numbers
from tellegen.frontends.modelica.values.scalars import (
    choose,
    compare,
    divide,
    elementary,
    multiply,
    subtract,
    without_event,
)
from tellegen.frontends.modelica.values.value import (
    EnumerationValue,
    RecordValue,
    Scalar,
    Value,
    describe,
    symbol,
)
from tellegen.ir.expressions.expr import Call, Expr

_ELEMENTARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt")


@builtin(*_ELEMENTARY)
def _elementary(arguments: Arguments) -> Value:
    arguments.take(1)
    _check_are_numbers(arguments)
    return elementwise(partial(elementary, arguments.name.lstrip(".")), arguments.value(0))


@builtin("atan2")
def _atan2(arguments: Arguments) -> Value:
    arguments.take(2)
    _check_are_numbers(arguments)
    return elementwise(partial(elementary, "atan2"), *arguments.values())


def _number(value: Scalar, function: str) -> Scalar:
    if isinstance(value, bool | str | EnumerationValue | RecordValue):
        raise EvaluationError("E566", f"{function}(...) takes numbers, not {describe(value)}")
    return value


def _check_are_numbers(arguments: Arguments) -> None:
    """Refuse Booleans."""
    check_numbers(f"{arguments.name}(...)", tuple(arguments.values()), arguments.scope.type_of_slot)


@builtin("abs")
def _abs(arguments: Arguments) -> Value:
    arguments.take(1)
    _check_are_numbers(arguments)

    def absolute(x: Scalar) -> Scalar:
        x = _number(x, "abs")
        return abs(x) if isinstance(x, int | float) else Call("abs", (symbol(x),))

    return elementwise(absolute, arguments.value(0))


@builtin("sign")
def _sign(arguments: Arguments) -> Value:
    """No event: MLS 3.7.1.1."""
    arguments.take(1)
    _check_are_numbers(arguments)

    def sign(x: Scalar) -> Scalar:
        x = _number(x, "sign")
        if isinstance(x, int | float):
            return (x > 0) - (x < 0)
        return without_event(Call("sign", (symbol(x),)))

    return elementwise(sign, arguments.value(0))


def _stepped(arguments: Arguments, value: Scalar) -> Scalar:
    """A function that jumps: an event outside of functions."""
    return without_event(value) if arguments.scope.literal else value


@builtin("floor", "ceil", "integer")
def _rounded(arguments: Arguments) -> Value:
    """floor and ceil give Real, integer is the floor as an Integer."""
    arguments.take(1)
    _check_are_numbers(arguments)
    name = arguments.name.lstrip(".")

    def rounded(x: Scalar) -> Scalar:
        x = _number(x, name)
        if isinstance(x, int | float):
            whole = math.ceil(x) if name == "ceil" else math.floor(x)
            return whole if name == "integer" else float(whole)
        return _stepped(arguments, Call("ceil" if name == "ceil" else "floor", (symbol(x),)))

    return elementwise(rounded, arguments.value(0))


def _check_divisor(y: Scalar, function: str) -> None:
    if isinstance(y, int | float) and y == 0:
        raise EvaluationError("E571", f"division by zero in {function}(...)")


def truncated_quotient(arguments: Arguments, x: Scalar, y: Scalar) -> Scalar:
    """div(x, y): the quotient without its fraction, an Integer of Integers."""
    x = _number(x, "div")
    y = _number(y, "div")
    _check_divisor(y, "div")
    if isinstance(x, int) and isinstance(y, int):
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    if isinstance(x, int | float) and isinstance(y, int | float):
        return float(math.trunc(x / y))
    quotient = divide(x, y)
    below = _stepped(arguments, Call("floor", (symbol(quotient),)))
    above = _stepped(arguments, Call("ceil", (symbol(quotient),)))
    return choose(without_event(compare(">=", quotient, 0.0)), below, above)


@builtin("div")
def _div(arguments: Arguments) -> Value:
    arguments.take(2)
    _check_are_numbers(arguments)
    return elementwise(partial(truncated_quotient, arguments), *arguments.values())


@builtin("rem")
def _rem(arguments: Arguments) -> Value:
    arguments.take(2)
    _check_are_numbers(arguments)

    def remainder(x: Scalar, y: Scalar) -> Scalar:
        return subtract(x, multiply(truncated_quotient(arguments, x, y), y))

    return elementwise(remainder, *arguments.values())


@builtin("mod")
def _mod(arguments: Arguments) -> Value:
    arguments.take(2)
    _check_are_numbers(arguments)

    def modulo(x: Scalar, y: Scalar) -> Scalar:
        x = _number(x, "mod")
        y = _number(y, "mod")
        _check_divisor(y, "mod")
        if isinstance(x, int | float) and isinstance(y, int | float):
            return x - math.floor(x / y) * y
        return _stepped(arguments, Call("mod", (symbol(x), symbol(y))))

    return elementwise(modulo, *arguments.values())


@builtin("Integer")
def _integer(arguments: Arguments) -> Value:
    """The ordinal of an enumeration."""
    arguments.take(1)

    def ordinal(x: Scalar) -> Scalar:
        if isinstance(x, EnumerationValue):
            return x.ordinal
        if isinstance(x, int | Expr) and not isinstance(x, bool):
            return x
        raise EvaluationError("E566", f"Integer(...) takes an enumeration, not {describe(x)}")

    return elementwise(ordinal, arguments.value(0))


@builtin("Real", "Boolean")
def _conversion(arguments: Arguments) -> Value:
    raise EvaluationError("E565", f"the conversion {arguments.name}(...) is not supported")


@builtin("String")
def _string(arguments: Arguments) -> Value:
    value = arguments.value(0)
    scope = arguments.scope
    if isinstance(value, RecordValue):
        return apply_operator(scope, "String", (value,))
    named = dict(arguments.call.named)
    second = arguments.optional(1, "", "") if "format" not in named else ""
    form = second if isinstance(second, str) and second else arguments.optional(99, "format", "")
    digits = known_integer(arguments.optional(99, "significantDigits", 6), scope, "significantDigits")
    length = known_integer(arguments.optional(99, "minimumLength", 0), scope, "minimumLength")
    left = known(arguments.optional(99, "leftJustified", True), scope, "leftJustified")
    value = resting(value, scope)
    if isinstance(value, Expr):
        return varying_text(value, digits=digits, length=length, left=left, form=str(form))
    return formatted(value, digits=digits, length=length, left=left, form=str(form))
