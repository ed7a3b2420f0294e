"""Characteristics given by points: straight lines between them, the first and last value outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg


def along(x: Any, y: Any, at: Any) -> Any:
    """The value at `at` of the straight lines through the points (x, y), x rising; their ends are held."""
    if len(x) == 1:
        return y[0]
    width = x[1:] - x[:-1]
    walked = tg.minimum(tg.maximum(at - x[:-1], 0.0), width)  # how far `at` has come in each interval
    return y[0] + tg.sum((y[1:] - y[:-1]) / width * walked)


def rising(x: Any, table: str) -> Iterator[Any]:
    """The assertion that the first column of a table rises."""
    if len(x) > 1:
        falls = tg.sum(tg.where(x[1:] > x[:-1], 0.0, 1.0))
        yield tg.assert_(falls < 0.5, f"the first column of {table} has to rise from row to row")  # noqa: PT009


def count_rows(given: dict[str, Any], table: str, n: str = "n") -> dict[str, Any]:
    """What was given to a component, with the number of rows of its table if that was given."""
    rows = given.get(table)
    return {n: len(rows), **given} if isinstance(rows, list | tuple | np.ndarray) else given
