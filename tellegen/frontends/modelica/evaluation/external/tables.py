"""ModelicaStandardTables: the tables of Modelica.Blocks as piecewise polynomials.

The constructor's arguments are known while a model is translated; values are lookups, and so are their derivatives,
which is why the functions for derivatives are rarely called.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tellegen.frontends.modelica.evaluation.external.interpolation import (
    Extrapolation,
    Floats,
    Smoothness,
    pieces,
)
from tellegen.frontends.modelica.evaluation.external.served import Outcome
from tellegen.frontends.modelica.evaluation.external.table_files import read_matrix
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.scalars import add, choose, compare, multiply, subtract, without_event
from tellegen.frontends.modelica.values.value import ExternalObject, Scalar, Value, plain, symbol
from tellegen.ir.expressions.expr import Const, Lookup
from tellegen.ir.expressions.table import Table
from tellegen.symbolic import build

NO_FILE = ("", "NoName")


def matrix_of(table: ExternalObject, store: Store) -> Floats:
    """The points of a table: its matrix, or one in a file."""
    given = table.arguments
    name = str(given["tableName"])
    file = str(given["fileName"])
    if file not in NO_FILE:
        path = store.resource(file)
        return read_matrix(path, name, str(given["delimiter"]), _integer(given["nHeaderLines"]))
    if name not in NO_FILE:
        raise not_supported("a table from the C function usertab", "give the table as a matrix or in a file")
    return as_matrix(given["table"])


def as_matrix(value: Value) -> Floats:
    """A known array of numbers."""
    return np.asarray(value, float)


def smoothness_of(table: ExternalObject) -> Smoothness:
    """How a table is interpolated."""
    return Smoothness(_integer(table.arguments["smoothness"]))


def extrapolation_of(table: ExternalObject) -> Extrapolation:
    """What holds outside of its points."""
    return Extrapolation(_integer(table.arguments["extrapolation"]))


def _integer(value: Any) -> int:
    return value.ordinal if hasattr(value, "ordinal") else int(value)


def column_of(table: ExternalObject, number: Scalar, matrix: Floats) -> Floats:
    """The values of the output with this number, counted from 1."""
    columns = as_matrix(table.arguments["columns"]).astype(int).ravel()
    column = int(columns[_integer(number) - 1])
    if not 1 <= column <= matrix.shape[1]:
        raise EvaluationError("E579", f"column {column} of a table with {matrix.shape[1]} columns")
    return matrix[:, column - 1]


def check_rising(x: Floats, *, strictly: bool) -> None:
    """The first column must increase."""
    steps = np.diff(x)
    wrong = steps <= 0 if strictly else steps < 0
    if wrong.any():
        row = int(np.argmax(wrong))
        how = "increase" if strictly else "not decrease"
        message = f"the first column of a table must {how}, but {x[row + 1]:g} follows {x[row]:g} in row {row + 2}"
        raise EvaluationError("E579", message)


@lru_cache(maxsize=256)
def _table_1d(table: ExternalObject, store: Store, number: int) -> Table:
    matrix = matrix_of(table, store)
    x = matrix[:, 0]
    check_rising(x, strictly=True)
    y = column_of(table, number, matrix)
    return Table((x,), pieces(x, y, smoothness_of(table), extrapolation_of(table)), "table")


def value_1d(store: Store, table: ExternalObject, number: Scalar, u: Scalar) -> Scalar:
    """The value of one column at u."""
    found = _table_1d(table, store, _integer(number))
    return look_up(found, inside(u, found.breaks[0], extrapolation_of(table)))


def look_up(table: Table, *arguments: Scalar) -> Scalar:
    """A table at numbers or symbols."""
    operands = tuple(symbol(argument) for argument in arguments)
    if all(isinstance(operand, Const) for operand in operands):
        return float(table(*(operand.value for operand in operands if isinstance(operand, Const))))
    return Lookup(table, operands)


def inside(u: Scalar, breaks: Floats, extrapolation: Extrapolation) -> Scalar:
    """The argument of a periodic table, moved by multiples of the period to where its points are."""
    if extrapolation is not Extrapolation.PERIODIC or len(breaks) == 1:
        return u
    first = float(breaks[0])
    last = float(breaks[-1])
    period = last - first
    below = rounded("floor", subtract(u, first), period)
    above = rounded("ceil", subtract(u, last), period)
    periods = choose(literally("<", u, first), below, choose(literally(">", u, last), above, 0.0))
    return subtract(u, multiply(periods, period))


def literally(sign: str, a: Scalar, b: Scalar) -> Scalar:
    """A relation without an event."""
    return without_event(compare(sign, a, b))


def rounded(operation: str, distance: Scalar, period: float) -> Scalar:
    """How many periods fit into a distance."""
    ratio = build.div(symbol(distance), Const(period))
    if isinstance(ratio, Const):
        return float(np.floor(ratio.value) if operation == "floor" else np.ceil(ratio.value))
    return without_event(plain(build.call(operation, ratio)))


def rate_1d(store: Store, table: ExternalObject, number: Scalar, u: Scalar, der_u: Scalar) -> Scalar:
    """The time derivative of a value, from that of its argument."""
    found = _table_1d(table, store, _integer(number))
    return _rate(found, (inside(u, found.breaks[0], extrapolation_of(table)),), (der_u,))


def _rate(table: Table, arguments: tuple[Scalar, ...], rates: tuple[Scalar, ...]) -> Scalar:
    total: Scalar = 0.0
    for axis, rate in enumerate(rates):
        total = add(total, multiply(look_up(table.slope(axis), *arguments), rate))
    return total


def limits_1d(store: Store, table: ExternalObject) -> Floats:
    """The first and the last abscissa."""
    x = matrix_of(table, store)[:, 0]
    return x[[0, -1]]


@lru_cache(maxsize=256)
def _table_2d(table: ExternalObject, store: Store) -> Table:
    matrix = matrix_of(table, store)
    if min(matrix.shape) < 2:
        raise EvaluationError("E579", "a table of two arguments needs at least 2 rows and 2 columns")
    smoothness = smoothness_of(table)
    if smoothness not in (Smoothness.LINEAR, Smoothness.CONSTANT):
        raise not_supported("smooth interpolation in a table of two arguments", "use linear segments")
    rows = matrix[1:, 0]
    columns = matrix[0, 1:]
    values = matrix[1:, 1:]
    for axis in (rows, columns):
        check_rising(axis, strictly=True)
    outside = extrapolation_of(table)
    along_rows = np.stack([pieces(rows, column, smoothness, outside) for column in values.T], axis=-1)
    segments, powers, _ = along_rows.shape
    cells = [[pieces(columns, along_rows[s, p], smoothness, outside) for p in range(powers)] for s in range(segments)]
    coefficients = np.asarray(cells)  # [segment 1, power 1, segment 2, power 2]
    return Table((rows, columns), np.ascontiguousarray(coefficients.transpose(0, 2, 1, 3)), "table")


def value_2d(store: Store, table: ExternalObject, u1: Scalar, u2: Scalar) -> Scalar:
    """The value at two arguments."""
    found = _table_2d(table, store)
    return look_up(found, *_inside_2d(found, table, u1, u2))


def rate_2d(store: Store, table: ExternalObject, u1: Scalar, u2: Scalar, der_u1: Scalar, der_u2: Scalar) -> Scalar:
    """The time derivative of a value, from those of its arguments."""
    found = _table_2d(table, store)
    return _rate(found, _inside_2d(found, table, u1, u2), (der_u1, der_u2))


def _inside_2d(table: Table, of: ExternalObject, *arguments: Scalar) -> tuple[Scalar, ...]:
    outside = extrapolation_of(of)
    return tuple(inside(u, breaks, outside) for u, breaks in zip(arguments, table.breaks, strict=True))


def first_2d(store: Store, table: ExternalObject, _: Value) -> Outcome:
    """The first abscissas of both arguments, written to the second argument of the C function."""
    matrix = matrix_of(table, store)
    return Outcome(arguments={1: np.array([matrix[1, 0], matrix[0, 1]])})


def last_2d(store: Store, table: ExternalObject, _: Value) -> Outcome:
    """The last ones."""
    matrix = matrix_of(table, store)
    return Outcome(arguments={1: np.array([matrix[-1, 0], matrix[0, -1]])})
