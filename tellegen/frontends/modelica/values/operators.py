"""Operators on values of any kind (MLS 10.6): scalars, arrays element by element, products of matrices, records.

Records have operators if their class defines them (MLS 14). Finding and calling these needs evaluation, which hands
itself over as `overload`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np

from tellegen.frontends.modelica.values import scalars
from tellegen.frontends.modelica.values.arrays import elementwise, filled, shape_of, stack
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.value import NUMBERS, RecordValue, Scalar, Value, describe
from tellegen.ir.expressions.expr import Expr
from tellegen.start.records import dataclass


class Overload(Protocol):
    """The operator of a record class, applied: `operator` as written, one or two operands."""

    def __call__(self, operator: str, operands: tuple[Value, ...]) -> Value: ...


def no_overload(operator: str, operands: tuple[Value, ...]) -> Value:
    """For places where operators of records cannot be called."""
    raise EvaluationError("E572", f"'{operator}' is not defined for {' and '.join(map(describe, operands))}")


_SCALAR: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "+": scalars.add,
    "-": scalars.subtract,
    "*": scalars.multiply,
    "/": scalars.divide,
    "^": scalars.power,
    "and": scalars.both,
    "or": scalars.either,
}


@dataclass(frozen=True, slots=True)
class Operators:
    """All operators, those of records by `overload`."""

    overload: Overload = no_overload
    literal: bool = False  # relations make no events

    def binary(self, operator: str, a: Value, b: Value) -> Value:
        """a operator b, as MLS 10.6 defines it for their sizes."""
        if operator == "*" and isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            return self.matrix_product(a, b)
        if operator == "^" and isinstance(a, np.ndarray):
            return self.matrix_power(a, b)
        bare = operator.lstrip(".")
        if operator == bare:
            _check_ranks(operator, a, b)
        return self.each(bare, a, b)

    def each(self, operator: str, a: Value, b: Value) -> Value:
        """Element by element."""
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            return elementwise(lambda x, y: self.scalar(operator, x, y), a, b)  # type: ignore[arg-type, return-value]
        return self.scalar(operator, a, b)

    def scalar(self, operator: str, a: Scalar, b: Scalar) -> Value:
        """Of two scalars."""
        if isinstance(a, RecordValue) or isinstance(b, RecordValue):
            return self.overload(operator, (a, b))
        apply = _SCALAR.get(operator)
        if apply is not None:
            return apply(a, b)
        relation = scalars.compare(operator, a, b)
        return scalars.without_event_of_its_own(relation) if self.literal else relation

    def unary(self, operator: str, a: Value) -> Value:
        """-a, +a, not a."""
        bare = operator.lstrip(".")
        return elementwise(lambda x: self._unary_scalar(bare, x), a)  # type: ignore[arg-type, return-value]

    def _unary_scalar(self, operator: str, a: Scalar) -> Value:
        if isinstance(a, RecordValue):
            return self.overload(operator, (a,))
        if operator == "not":
            return scalars.invert(a)
        return scalars.negate(a) if operator == "-" else a

    def total(self, values: Iterable[Value], nothing: Value = 0) -> Value:
        """The sum of values; `nothing` if there are none."""
        values = list(values)
        if values and all(isinstance(value, (*NUMBERS, Expr)) for value in values):
            return scalars.add_all(values)  # type: ignore[arg-type]
        result: Value | None = None
        for value in values:
            result = value if result is None else self.binary("+", result, value)
        return nothing if result is None else result

    def matrix_product(self, a: np.ndarray, b: np.ndarray) -> Value:
        """Vectors and matrices: v*v is the scalar product."""
        if not (1 <= a.ndim <= 2 and 1 <= b.ndim <= 2) or a.shape[-1] != b.shape[0]:
            raise EvaluationError("E567", f"sizes {list(a.shape)} and {list(b.shape)} cannot be multiplied")
        if a.ndim == 1 and b.ndim == 1:
            return self._scalar_product(a, b)
        if b.ndim == 1:
            return stack([self._scalar_product(row, b) for row in a]) if len(a) else np.empty(0, dtype=object)
        if a.ndim == 1:
            return stack([self._scalar_product(a, b[:, column]) for column in range(b.shape[1])])
        out = np.empty((a.shape[0], b.shape[1]), dtype=object)
        for row, column in np.ndindex(*out.shape):
            out[row, column] = self._scalar_product(a[row], b[:, column])
        return out

    def _scalar_product(self, a: np.ndarray, b: np.ndarray) -> Value:
        return self.total((self.scalar("*", x, y) for x, y in zip(a, b, strict=True)), 0.0)

    def matrix_power(self, a: np.ndarray, exponent: Value) -> Value:
        """A square matrix to an integer power >= 0."""
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise EvaluationError("E567", f"only square matrices have powers, not one of size {list(a.shape)}")
        if isinstance(exponent, bool) or not isinstance(exponent, int) or exponent < 0:
            raise EvaluationError("E566", f"the power of a matrix is an Integer >= 0, not {describe(exponent)}")
        result: Value = filled(a.shape, 0.0)
        np.fill_diagonal(result, 1.0)
        for _ in range(exponent):
            result = self.matrix_product(result, a)  # type: ignore[arg-type]
        return result


def _check_ranks(operator: str, a: Value, b: Value) -> None:
    """a + b wants equal sizes, a / b and a ^ b a scalar b; with a point before the operator scalars meet arrays."""
    left = shape_of(a)
    right = shape_of(b)
    if operator == "*" or (operator == "/" and not right):
        return
    if left != right or (operator in ("/", "^") and right):
        dotted = f"; '.{operator}' works element by element" if operator in "+-*/^" else ""
        raise EvaluationError("E567", f"'{operator}' does not fit sizes {list(left)} and {list(right)}{dotted}")
