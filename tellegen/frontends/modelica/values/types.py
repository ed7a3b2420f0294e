"""Types of scalars by their form and by the variables in them (MLS 6.7, 10.6.13): what cannot be meant.

    time > 1, a Boolean variable       Boolean
    2*x + 1                            a number; Real where x or one of the constants is
    E.a                                a value of that enumeration

A variable of an enumeration may stand for its ordinal, `Integer(e)`, and that for the variable. Where nothing is
certain there is no type, and no mistake.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.frontends.modelica.values.value import EnumerationValue, Scalar
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, Time
from tellegen.ir.expressions.ops import TRUTH_VALUED

TypeOfSlot = Callable[[int], str]
"""The predefined type of a variable by its number; "" where it is not known."""

_HANDED_ON = {"pre": 0, "no_event": 0, "smooth": 1, "homotopy": 0, "delay": 0, "varying_delay": 0}
"""Operations of the type of one of their arguments, and which that is."""
_SAME = frozenset({"add", "sub", "mul", "neg", "min", "max", "abs"})
"""Operations whose result is Real if an argument is; those of Booleans are Boolean."""
_OF_BOOLEANS = frozenset({"min", "max"})
_REAL = frozenset({"div", "pow", "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "atan2"})


def unknown_slots(_number: int) -> str:
    """Nothing is known about variables."""
    return ""


def type_of(value: Scalar, of_slot: TypeOfSlot) -> str:
    """Real, Integer, Boolean, String or enumeration; "number" for Real or Integer, "" where it is not certain."""
    if isinstance(value, bool):
        return "Boolean"
    if isinstance(value, int | float):
        return "Integer" if isinstance(value, int) else "Real"
    if isinstance(value, str):
        return "String"
    if isinstance(value, EnumerationValue):
        return "enumeration"
    return _type_of_symbol(value, of_slot) if isinstance(value, Expr) else ""


def _type_of_symbol(value: Expr, of_slot: TypeOfSlot) -> str:
    while isinstance(value, Call) and value.op in _HANDED_ON:
        value = value.args[_HANDED_ON[value.op]]
    if isinstance(value, Slot):
        return of_slot(value.index)
    if isinstance(value, Const):
        return "Boolean" if isinstance(value.value, bool) else ""  # a number, or an ordinal
    if isinstance(value, Der | Time):
        return "Real"
    if not isinstance(value, Call):
        return ""
    if value.op == "where":
        return _type_of_symbol(value.args[1], of_slot) or _type_of_symbol(value.args[2], of_slot)
    is_truth = value.op in _OF_BOOLEANS and _type_of_symbol(value.args[0], of_slot) == "Boolean"
    if value.op in TRUTH_VALUED or is_truth:
        return "Boolean"
    return "number" if value.op in _SAME or value.op in _REAL else ""


def is_real(value: Scalar, of_slot: TypeOfSlot) -> bool:
    """Whether a value is certainly Real, so that no Integer can take it."""
    if isinstance(value, float):
        return True
    while isinstance(value, Call) and value.op in _HANDED_ON:
        value = value.args[_HANDED_ON[value.op]]
    if isinstance(value, Const):
        return not isinstance(value.value, bool) and not float(value.value).is_integer()
    if isinstance(value, Call):
        branches = value.args[1:] if value.op == "where" else value.args if value.op in _SAME else ()
        return value.op in _REAL or any(is_real(part, of_slot) for part in branches)
    return isinstance(value, Expr) and _type_of_symbol(value, of_slot) == "Real"


def can_take(base: str, value: Scalar, of_slot: TypeOfSlot) -> bool:
    """Whether a variable of a predefined type can have a value, as far as that is certain: Real takes Integers, too."""
    found = type_of(value, of_slot)
    if base in ("Integer", "enumeration") and is_real(value, of_slot):
        return False
    if not found or found == base:
        return True
    if base in ("Real", "Integer", "enumeration"):
        is_ordinal = isinstance(value, Expr) and found in ("Integer", "enumeration", "number")
        return is_ordinal or (base == "Real" and found == "Integer")
    return base not in ("Boolean", "String")


def can_alternate(one: Scalar, other: Scalar, of_slot: TypeOfSlot) -> bool:
    """Whether two scalars can be the branches of one expression."""
    first = type_of(one, of_slot)
    second = type_of(other, of_slot)
    return not first or not second or all((first == kind) == (second == kind) for kind in ("Boolean", "String"))


def can_equal(left: Scalar, right: Scalar, of_slot: TypeOfSlot) -> bool:
    """Whether an equation between two scalars can be meant: numbers with numbers, Booleans with Booleans."""
    for variable, value in ((left, right), (right, left)):
        if isinstance(variable, Slot) and can_take(of_slot(variable.index), value, of_slot):
            return True
        if isinstance(variable, Slot) and (variable is left or not isinstance(value, Expr)):
            return False
    return can_alternate(left, right, of_slot)


def named(value: Scalar, of_slot: TypeOfSlot) -> str:
    """What a scalar is, for messages: "Boolean", "Real", "a number"."""
    found = type_of(value, of_slot)
    if found in ("", "number"):
        return "Real" if is_real(value, of_slot) else "a number"
    return f"{value.type}.{value.name}" if isinstance(value, EnumerationValue) else found
