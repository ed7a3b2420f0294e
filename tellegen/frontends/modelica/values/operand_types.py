"""Operands that cannot be meant: Booleans in arithmetic, numbers as conditions (MLS 10.5, 10.6).

Quantities that vary are expressions without a type of their own: it follows from the variables in them. Where it is
not certain there is no mistake.
"""

from __future__ import annotations

import numpy as np

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.types import TypeOfSlot, type_of
from tellegen.frontends.modelica.values.value import Scalar, Value, describe
from tellegen.ir.expressions.expr import Expr

_OF_NUMBERS = frozenset({"+", "-", "*", "/", "^"})
_OF_BOOLEANS = frozenset({"and", "or", "not"})
_NUMBERS = frozenset({"Integer", "Real", "number"})


def check_operands(operator: str, operands: tuple[Value, ...], of_slot: TypeOfSlot) -> None:
    """Refuse what an operator is not for, among operands that vary."""
    bare = operator.lstrip(".")
    if bare in _OF_NUMBERS:
        check_numbers(f"'{operator}'", operands, of_slot)
    elif bare in _OF_BOOLEANS:
        for operand in operands:
            _refuse_number(f"an operand of '{operator}'", operand, of_slot)
    else:
        _check_comparison(operator, operands, of_slot)


def check_numbers(user: str, operands: tuple[Value, ...], of_slot: TypeOfSlot) -> None:
    """Refuse Booleans that vary where numbers are wanted."""
    for operand in operands:
        if _kind(operand, of_slot) == "Boolean":
            advice = "write `if b then 1 else 0` for a Boolean b"
            raise EvaluationError("E566", f"{user} is for numbers, not for a Boolean", advice)


def as_condition(purpose: str, value: Value, of_slot: TypeOfSlot) -> bool | Expr:
    """A value that a condition can have."""
    if not isinstance(value, bool | Expr):
        raise EvaluationError("E566", f"{purpose} is a Boolean, not {describe(value)}")
    _refuse_number(purpose, value, of_slot)
    return value


def _refuse_number(purpose: str, value: Value, of_slot: TypeOfSlot) -> None:
    kind = _kind(value, of_slot) if isinstance(_first(value), Expr) else ""
    if kind in _NUMBERS:
        what = f"a {kind}" if kind == "Real" else "an Integer" if kind == "Integer" else "a number"
        raise EvaluationError("E566", f"{purpose} is a Boolean, not {what}", "compare it: `x > 0`, `n == 1`")


def _check_comparison(operator: str, operands: tuple[Value, ...], of_slot: TypeOfSlot) -> None:
    kinds = {_kind(operand, of_slot) for operand in operands}
    varies = any(isinstance(_first(operand), Expr) for operand in operands)
    if varies and "Boolean" in kinds and kinds & _NUMBERS:
        raise EvaluationError("E566", f"'{operator}' cannot compare a Boolean with a number")


def _kind(value: Value, of_slot: TypeOfSlot) -> str:
    """The type of a scalar that varies, or of the first element of an array, where it is certain."""
    first = _first(value)
    return type_of(first, of_slot) if isinstance(first, Expr | int | float) else ""


def _first(value: Value) -> Scalar | None:
    if isinstance(value, np.ndarray):
        return value.flat[0] if value.size else None
    return value if not isinstance(value, tuple) else None
