"""Arithmetic and logic of scalars: plain where both operands are, symbolic otherwise.

    add(2, 3) -> 5      add(2, x) -> x + 2      multiply(0, x) -> 0      both(true, c) -> c

Integers stay integers, except by division and powers, which are Real (MLS 10.6).
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, NotInlinableError
from tellegen.frontends.modelica.values.formats import VaryingText, joined_text
from tellegen.frontends.modelica.values.value import (
    NUMBERS,
    EnumerationValue,
    ExternalObject,
    FunctionValue,
    RecordValue,
    Scalar,
    describe,
    plain,
    symbol,
)
from tellegen.ir.expressions.expr import Call, Const, Expr
from tellegen.ir.expressions.ops import RELATIONS, TRUTH_VALUED
from tellegen.symbolic import build

RELATION_NAMES = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "<>": "ne"}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "<>": operator.ne,
}


def _arithmetic(sign: str, numeric: Callable[..., Scalar], symbolic: Callable[..., Expr]) -> Callable[..., Scalar]:
    def apply(a: Scalar, b: Scalar) -> Scalar:
        if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
            if isinstance(a, bool) or isinstance(b, bool):
                raise EvaluationError("E566", f"'{sign}' is for numbers, not for {describe(a)} and {describe(b)}")
            return numeric(a, b)
        return _as_whole(plain(symbolic(_number(sign, a), _number(sign, b))), a, b)

    return apply


def _as_whole(result: Scalar, *operands: Scalar) -> Scalar:
    """What is left of operands that vary, 0*n or n - n: an Integer, which Real variables take too.

    Symbols have no type, so that it would be Real, and no Integer variable could take it.
    """
    if isinstance(result, float) and result.is_integer() and not any(isinstance(one, float) for one in operands):
        return int(result)
    return result


def _number(sign: str, value: Scalar) -> Expr:
    if isinstance(value, bool | str | EnumerationValue | RecordValue | FunctionValue | ExternalObject):
        raise EvaluationError("E566", f"'{sign}' is for numbers, not for {describe(value)}")
    if isinstance(value, Expr) and is_boolean(value):
        raise EvaluationError("E566", f"'{sign}' is for numbers, not for a condition")
    return symbol(value)


def _divide(a: float, b: float) -> float:
    if b == 0:
        raise EvaluationError("E571", f"division by zero: {a:g} / {b:g}")
    return a / b


def _power(a: float, b: float) -> float:
    try:
        result = float(a) ** float(b)
    except (ZeroDivisionError, OverflowError):
        raise EvaluationError("E571", f"{a:g} ^ {b:g} has no finite value") from None
    if isinstance(result, complex):
        raise EvaluationError("E571", f"{a:g} ^ {b:g} is not a real number")
    return result


def _add_symbols(a: Expr, *others: Expr) -> Expr:
    """One sum instead of nested ones, so that long sums stay flat."""
    if isinstance(a, Call) and a.op == "add":
        return build.add(*a.args, *others)
    return build.add(a, *others)


_add_numbers = _arithmetic("+", operator.add, _add_symbols)
subtract = _arithmetic("-", operator.sub, build.sub)
multiply = _arithmetic("*", operator.mul, build.mul)
divide = _arithmetic("/", _divide, build.div)
power = _arithmetic("^", _power, build.pow_)


def add(a: Scalar, b: Scalar) -> Scalar:
    """a + b; strings are joined."""
    if isinstance(a, str) and isinstance(b, str):
        return joined_text(a, b)
    return _add_numbers(a, b)


def add_all(values: Sequence[Scalar]) -> Scalar:
    """The sum of values, as if added one after the other; many at once, for a growing sum is copied for each term."""
    first, *others = values
    if len(others) < _MANY or not any(isinstance(value, Expr) for value in values):
        for value in others:
            first = add(first, value)
        return first
    terms = [_number("+", value) for value in values]
    return _as_whole(plain(_add_symbols(*terms)), *values)


_MANY = 32


def negate(a: Scalar) -> Scalar:
    """-a."""
    if isinstance(a, NUMBERS) and not isinstance(a, bool):
        return -a
    return plain(build.neg(_number("-", a)))


def compare(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """A relation; plain strings, Booleans and enumerations compare too."""
    if isinstance(a, str) and isinstance(b, str):
        if isinstance(a, VaryingText) or isinstance(b, VaryingText):
            raise NotInlinableError("E569", "a String that varies can be shown in messages, but not compared")
        return _COMPARE[sign](a, b)
    if isinstance(a, EnumerationValue) and isinstance(b, EnumerationValue):
        return _COMPARE[sign](a.ordinal, b.ordinal)
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        return _COMPARE[sign](a, b)
    if isinstance(a, str) or isinstance(b, str) or _is_enumeration_with_number(a, b):
        raise EvaluationError("E566", f"'{sign}' cannot compare {describe(a)} with {describe(b)}")
    if isinstance(a, bool) or isinstance(b, bool):
        return _compare_with_boolean(sign, a, b)
    left = symbol(a)
    right = symbol(b)
    if left == right:
        return sign in ("<=", ">=", "==")
    return Call(RELATION_NAMES[sign], (left, right))


def _is_enumeration_with_number(a: Scalar, b: Scalar) -> bool:
    """Whether one is a value of an enumeration, the other a number: these have nothing to compare."""
    return (
        isinstance(a, EnumerationValue) != isinstance(b, EnumerationValue)
        and not isinstance(a, Expr)
        and not isinstance(b, Expr)
    )


def _compare_with_boolean(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """c == true is c, c <> true is not c; false < c is c."""
    known, varying = (a, b) if isinstance(a, bool) else (b, a)
    if sign in ("==", "<>"):
        return varying if known == (sign == "==") else invert(varying)
    return Call(RELATION_NAMES[sign], (symbol(a), symbol(b)))


def without_event(value: Scalar) -> Scalar:
    """noEvent(value): relations inside are taken literally."""
    if not isinstance(value, Call) or value.op == "no_event":
        return value
    return Call("no_event", (value,))


def without_event_of_its_own(relation: Scalar) -> Scalar:
    """A relation in a function, taken literally. What was passed in keeps its events: a relation between values that
    change at events only, such as the number of true conditions, has none of its own and stays as it is."""
    if isinstance(relation, Call) and all(map(_changes_at_events_only, relation.args)):
        return relation
    return without_event(relation)


def _changes_at_events_only(expr: Expr) -> bool:
    """Whether an expression consists of relations and constants. Slots count as varying: who knows what they are.

    Ends with the first node that varies: a maximum of hundreds of results of one call asks this for each."""
    seen: set[Expr] = set()
    remaining = [expr]
    while remaining:
        node = remaining.pop()
        if node in seen or isinstance(node, Const) or (isinstance(node, Call) and node.op in RELATIONS):
            continue
        if not isinstance(node, Call) or node.op == "no_event":
            return False
        seen.add(node)
        remaining += node.args
    return True


def _truth(sign: str, value: Scalar) -> Expr:
    if isinstance(value, Expr | bool):
        return symbol(value)
    raise EvaluationError("E566", f"'{sign}' is for Booleans, not for {describe(value)}")


def both(a: Scalar, b: Scalar) -> Scalar:
    """a and b."""
    if a is True and b is True:
        return True
    left = _truth("and", a)
    right = _truth("and", b)
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return a if left == right else Call("and", (left, right))


def either(a: Scalar, b: Scalar) -> Scalar:
    """a or b."""
    if a is False and b is False:  # of every statement: nothing has been left
        return False
    left = _truth("or", a)
    right = _truth("or", b)
    if isinstance(a, bool):
        return True if a else b
    if isinstance(b, bool):
        return True if b else a
    return a if left == right else Call("or", (left, right))


def invert(a: Scalar) -> Scalar:
    """not a."""
    if isinstance(a, bool):
        return not a
    expr = _truth("not", a)
    if isinstance(expr, Call) and expr.op == "not":
        return expr.args[0]
    return Call("not", (expr,))


def choose(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """yes where the condition holds, else no, for scalars other than records."""
    if isinstance(condition, bool):
        return yes if condition else no
    test = _truth("if", condition)
    if yes is no:
        return yes
    if isinstance(yes, bool):
        return either(condition, no) if yes else both(invert(condition), no)
    if isinstance(no, bool):
        return either(invert(condition), yes) if no else both(condition, yes)
    if isinstance(yes, str | ExternalObject | FunctionValue) or isinstance(no, str | ExternalObject | FunctionValue):
        if isinstance(yes, str) and yes == no:
            return yes
        raise NotInlinableError("E569", f"{describe(yes)} or {describe(no)} depends on a condition that varies in time")
    if isinstance(yes, EnumerationValue) and yes == no:
        return yes
    if type(yes) is type(no) and isinstance(yes, NUMBERS) and yes == no:
        return yes
    return plain(build.where(test, _branch(test, symbol(yes), 1), _branch(test, symbol(no), 2)))


def _branch(test: Expr, value: Expr, position: int) -> Expr:
    """where(c, where(c, a, b), d) is where(c, a, d)."""
    if isinstance(value, Call) and value.op == "where" and value.args[0] == test:
        return value.args[position]
    return value


_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt")},
    **{name: getattr(math, name) for name in ("sinh", "cosh", "tanh", "exp", "log", "log10")},
}


def elementary(name: str, *arguments: Scalar) -> Scalar:
    """sin(x), sqrt(x), atan2(y, x) and their like."""
    if all(isinstance(argument, NUMBERS) for argument in arguments):
        try:
            return _FUNCTIONS[name](*arguments)
        except (ValueError, OverflowError):
            given = ", ".join(f"{argument:g}" for argument in arguments)
            raise EvaluationError("E571", f"{name}({given}) has no finite value") from None
    return Call(name, tuple(_number(name, argument) for argument in arguments))


def is_boolean(expr: Expr) -> bool:
    """Whether an expression is a Boolean by its form (a variable is not)."""
    if not isinstance(expr, Call):
        return False
    if expr.op in TRUTH_VALUED:
        return True
    position = {"where": 1, "no_event": 0, "smooth": 1, "homotopy": 0}.get(expr.op)
    return position is not None and is_boolean(expr.args[position])
