"""What an expression evaluates to.

    2        3.5        true        "m/s"        plain Python values
    R*i      x > 0                               expressions of the IR over the slots of a Translation
    {1, x}   zeros(0, 3)                         object arrays of any rank
    Init.SteadyState                             EnumerationValue("Init", literals, 2)
    Complex(1, x)                                RecordValue(view of Complex, {"re": 1.0, "im": x})

A scalar that is known is always a plain value: an `Expr` that is a value is never a `Const`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.ir.expressions.expr import Const, Expr
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.class_view import ClassView
    from tellegen.frontends.modelica.values.entity import Entity


@dataclass(frozen=True, slots=True)
class EnumerationValue:
    """One value of an enumeration type; ordinals count from 1."""

    type: str
    literals: tuple[str, ...]
    ordinal: int

    @property
    def name(self) -> str:
        """Its literal."""
        return self.literals[self.ordinal - 1]


@dataclass(frozen=True, slots=True, eq=False)
class RecordValue:
    """A record: values by field name, in the order of declaration."""

    view: ClassView | None
    fields: dict[str, Value]

    def with_field(self, name: str, value: Value) -> RecordValue:
        """The record with another value in one field."""
        return RecordValue(self.view, {**self.fields, name: value})

    @property
    def type_name(self) -> str:
        """The name of its class."""
        return self.view.path if self.view is not None else "record"


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue:
    """A function as an argument, some inputs already given; `owner` is the component it was found in."""

    view: ClassView
    named: Mapping[str, Value] = field(default_factory=dict)
    owner: Entity | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ExternalObject:
    """An object made once by its constructor with known arguments; compared by identity."""

    view: ClassView
    arguments: Mapping[str, Value]


Scalar = bool | int | float | str | EnumerationValue | Expr | RecordValue | FunctionValue | ExternalObject
Value = Scalar | np.ndarray

NUMBERS = (int, float)  # Booleans too
KNOWN_SCALARS = (int, float, str, EnumerationValue, FunctionValue, ExternalObject)


def plain(expr: Expr) -> Scalar:
    """An expression as a value: a constant is a plain number."""
    return expr.value if isinstance(expr, Const) else expr


def symbol(value: Value) -> Expr:
    """A scalar as an expression: enumerations by their ordinal, numbers as floats so that equal ones are equal."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return Const(value)
    if isinstance(value, NUMBERS):
        return Const(float(value))
    if isinstance(value, EnumerationValue):
        return Const(float(value.ordinal))
    raise EvaluationError("E566", f"a number is needed here, not {describe(value)}")


def is_known(value: Value) -> bool:
    """Whether nothing in a value is symbolic."""
    if isinstance(value, Expr):
        return False
    if isinstance(value, np.ndarray):
        return all(map(is_known, value.flat))
    if isinstance(value, RecordValue):
        return all(map(is_known, value.fields.values()))
    if isinstance(value, FunctionValue):
        return all(map(is_known, value.named.values()))
    return True


def scalars(value: Value) -> Iterator[Scalar]:
    """All scalars that are not records, in order: elements of arrays by rows, fields as declared."""
    if isinstance(value, np.ndarray):
        for element in value.flat:
            yield from scalars(element)
    elif isinstance(value, RecordValue):
        for part in value.fields.values():
            yield from scalars(part)
    else:
        yield value


def describe(value: object) -> str:
    """What kind of thing a value is, for messages."""
    if isinstance(value, np.ndarray):
        return f"an array of size {list(value.shape)}"
    if isinstance(value, bool):
        return f"the Boolean {str(value).lower()}"
    if isinstance(value, str):
        return f'the String "{value}"'
    if isinstance(value, int | float):
        return f"the number {value:g}"
    if isinstance(value, EnumerationValue):
        return f"{value.type}.{value.name}"
    if isinstance(value, RecordValue):
        return f"a record {value.type_name}"
    if isinstance(value, FunctionValue):
        return f"the function {value.view.path}"
    if isinstance(value, ExternalObject):
        return f"an external object {value.view.path}"
    if isinstance(value, tuple):
        return f"{len(value)} results"
    return "a quantity that varies"
