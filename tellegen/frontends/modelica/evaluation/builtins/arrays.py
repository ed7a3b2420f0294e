"""Functions of arrays (MLS 10.3)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tellegen.frontends.modelica.evaluation.builtins.table import Arguments, builtin
from tellegen.frontends.modelica.evaluation.expressions import promoted
from tellegen.frontends.modelica.evaluation.iterations import comprehended, evaluate_comprehension
from tellegen.frontends.modelica.evaluation.known import known_integer
from tellegen.frontends.modelica.evaluation.overloads import operators_of, zero_of
from tellegen.frontends.modelica.evaluation.references import value_of
from tellegen.frontends.modelica.syntax.expressions import Comprehension, Reference
from tellegen.frontends.modelica.values.arrays import boxed, elementwise, filled, joined, shape_of, stack
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError
from tellegen.frontends.modelica.values.scalars import negate
from tellegen.frontends.modelica.values.value import EnumerationValue, Scalar, Value, describe, symbol
from tellegen.ir.expressions.expr import Call, Expr

LARGEST = 1.0e60
"""min of nothing, and max of nothing with the other sign: the largest Real of Modelica (ModelicaServices.Machine)."""


def _sizes(arguments: Arguments, first: int) -> list[int]:
    count = len(arguments.call.arguments)
    sizes = [
        known_integer(arguments.value(position), arguments.scope, f"a size in {arguments.name}(...)")
        for position in range(first, count)
    ]
    if any(size < 0 for size in sizes):
        raise EvaluationError("E567", f"a negative size in {arguments.name}(...): {sizes}")
    return sizes


def _array(value: Value, rank: int, function: str) -> np.ndarray:
    if not isinstance(value, np.ndarray) or value.ndim != rank:
        kind = "vector" if rank == 1 else "matrix"
        raise EvaluationError("E567", f"{function}(...) takes a {kind}, not {describe(value)}")
    return value


@builtin("size")
def _size(arguments: Arguments) -> Value:
    arguments.take(1, 2)
    first = arguments.call.arguments[0]
    found = arguments.entity() if isinstance(first, Reference) else arguments.value(0)
    shape = found.shape if isinstance(found, Entity) else shape_of(value_of(found))
    if len(arguments) == 1:
        return stack(list(shape))
    dimension = known_integer(arguments.value(1), arguments.scope, "the dimension in size(...)")
    if not 1 <= dimension <= len(shape):
        raise EvaluationError("E568", f"size(...) of dimension {dimension}, of {len(shape)} dimensions")
    return shape[dimension - 1]


@builtin("ndims")
def _ndims(arguments: Arguments) -> Value:
    return len(shape_of(arguments.value(0)))


@builtin("zeros", "ones")
def _constant(arguments: Arguments) -> Value:
    """Integers, which become Real where they meet Real."""
    return filled(_sizes(arguments, 0), 0 if arguments.name.lstrip(".") == "zeros" else 1)


@builtin("fill")
def _fill(arguments: Arguments) -> Value:
    return filled(_sizes(arguments, 1), arguments.value(0))


@builtin("identity")
def _identity(arguments: Arguments) -> Value:
    (size,) = _sizes(arguments, 0)
    return _with_diagonal([1] * size)


@builtin("diagonal")
def _diagonal(arguments: Arguments) -> Value:
    return _with_diagonal(list(_array(arguments.value(0), 1, "diagonal")))


def _with_diagonal(values: list[Value]) -> np.ndarray:
    out = filled((len(values), len(values)), 0)
    for position, value in enumerate(values):
        out[position, position] = value
    return out


@builtin("linspace")
def _linspace(arguments: Arguments) -> Value:
    arguments.take(3)
    count = known_integer(arguments.value(2, "n"), arguments.scope, "the number of points of linspace")
    if count < 2:
        raise EvaluationError("E567", f"linspace needs at least 2 points, not {count}")
    first = arguments.value(0)
    operators = operators_of(arguments.scope)
    span = operators.binary("-", arguments.value(1), first)
    steps = (operators.binary("*", span, k / (count - 1)) for k in range(count))
    return stack([operators.binary("+", first, step) for step in steps])


@builtin("vector")
def _vector(arguments: Arguments) -> Value:
    value = arguments.value(0)
    if not isinstance(value, np.ndarray):
        return stack([value])
    if sum(size > 1 for size in value.shape) > 1:
        raise EvaluationError("E567", f"vector(...) of {describe(value)}: more than one dimension is larger than 1")
    return value.reshape(-1)


@builtin("matrix")
def _matrix(arguments: Arguments) -> Value:
    value = arguments.value(0)
    if len(shape_of(value)) <= 2:
        return promoted(value, 2)
    assert isinstance(value, np.ndarray)
    if any(size != 1 for size in value.shape[2:]):
        raise EvaluationError("E567", f"matrix(...) of {describe(value)}: dimensions beyond 2 are larger than 1")
    return value.reshape(value.shape[:2])


@builtin("scalar")
def _scalar(arguments: Arguments) -> Value:
    value = arguments.value(0)
    if not isinstance(value, np.ndarray):
        return value
    if value.size != 1:
        raise EvaluationError("E567", f"scalar(...) of {describe(value)}")
    return value.reshape(-1)[0]


@builtin("promote")
def _promote(arguments: Arguments) -> Value:
    rank = known_integer(arguments.value(1), arguments.scope, "the rank in promote(...)")
    return promoted(arguments.value(0), rank)


@builtin("transpose")
def _transpose(arguments: Arguments) -> Value:
    value = arguments.value(0)
    if not isinstance(value, np.ndarray) or value.ndim < 2:
        raise EvaluationError("E567", f"transpose(...) takes a matrix, not {describe(value)}")
    return value.swapaxes(0, 1).copy()


@builtin("outerProduct")
def _outer_product(arguments: Arguments) -> Value:
    left = _array(arguments.value(0), 1, "outerProduct")
    right = _array(arguments.value(1), 1, "outerProduct")
    return operators_of(arguments.scope).matrix_product(left.reshape(-1, 1), right.reshape(1, -1))


@builtin("symmetric")
def _symmetric(arguments: Arguments) -> Value:
    value = _array(arguments.value(0), 2, "symmetric").copy()
    for row, column in np.ndindex(*value.shape):
        if row > column:
            value[row, column] = value[column, row]
    return value


@builtin("cross")
def _cross(arguments: Arguments) -> Value:
    a, b = (_array(value, 1, "cross") for value in arguments.values())
    if a.shape != (3,) or b.shape != (3,):
        raise EvaluationError("E567", f"cross(...) takes vectors of size 3, not {list(a.shape)} and {list(b.shape)}")
    operators = operators_of(arguments.scope)

    def component(i: int, j: int) -> Value:
        return operators.binary("-", operators.scalar("*", a[i], b[j]), operators.scalar("*", a[j], b[i]))

    return stack([component(1, 2), component(2, 0), component(0, 1)])


@builtin("skew")
def _skew(arguments: Arguments) -> Value:
    x, y, z = _array(arguments.value(0), 1, "skew")
    rows = [[0, negate(z), y], [z, 0, negate(x)], [negate(y), x, 0]]
    return stack([stack(row) for row in rows])


@builtin("cat")
def _cat(arguments: Arguments) -> Value:
    dimension = known_integer(arguments.value(0), arguments.scope, "the dimension in cat(...)")
    return joined(arguments.values()[1:], dimension - 1)


@builtin("array")
def _array_of(arguments: Arguments) -> Value:
    first = arguments.expression(0)
    if isinstance(first, Comprehension):
        return evaluate_comprehension(first, arguments.scope)
    return stack(arguments.values())


def _reduced(arguments: Arguments) -> list[Value]:
    """What sum, product, min and max of one argument run over."""
    first = arguments.expression(0)
    if isinstance(first, Comprehension) and not first.braces:
        return comprehended(first, arguments.scope)
    value = arguments.value(0)
    return list(value.flat) if isinstance(value, np.ndarray) else [value]


@builtin("sum")
def _sum(arguments: Arguments) -> Value:
    values = _reduced(arguments)
    return operators_of(arguments.scope).total(values, 0) if values else _nothing(arguments)


def _nothing(arguments: Arguments) -> Value:
    """The sum of an empty array: 0, of records what their class says."""
    first = arguments.expression(0)
    found = arguments.entity() if isinstance(first, Reference) else None
    kind = getattr(found, "element_view", None)
    zero = zero_of(kind, arguments.scope) if kind is not None else None
    return 0 if zero is None else zero


@builtin("product")
def _product(arguments: Arguments) -> Value:
    result: Value | None = None
    operators = operators_of(arguments.scope)
    for value in _reduced(arguments):
        result = value if result is None else operators.binary("*", result, value)
    return 1 if result is None else result


def smaller(a: Scalar, b: Scalar) -> Scalar:
    """min of two."""
    return _extreme("min", a, b, min)


def larger(a: Scalar, b: Scalar) -> Scalar:
    """max of two."""
    return _extreme("max", a, b, max)


def _extreme(name: str, a: Scalar, b: Scalar, pick: Callable[..., Scalar]) -> Scalar:
    if isinstance(a, EnumerationValue) and isinstance(b, EnumerationValue):
        return pick(a, b, key=lambda value: value.ordinal)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return pick(a, b)
    left = symbol(a)
    right = symbol(b)
    return a if left == right else Call(name, (left, right))


@builtin("min", "max")
def _min_or_max(arguments: Arguments) -> Value:
    name = arguments.name.lstrip(".")
    pick = smaller if name == "min" else larger
    if len(arguments) == 2:
        return elementwise(pick, *arguments.values())
    values = _reduced(arguments)
    if not values:
        return LARGEST if name == "min" else -LARGEST
    result: Scalar = values[0]  # type: ignore[assignment]
    for value in values[1:]:
        result = pick(result, value)  # type: ignore[arg-type]
    return result if isinstance(result, Expr) else boxed(result)[()]
