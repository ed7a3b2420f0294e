"""Characteristics in tables: rows of an abscissa and the values there, as [[w, tau], ...] of a bearing."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg


def checked(table: Any, owner: Any, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The table as numbers; `what` names its columns, "[w, tau]"."""
    try:
        numbers = np.array(table, float)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape[1:] != (what.count(",") + 1,):
        advice = "give numbers in SI units, the first column rising"
        raise tg.DataError("E702", f"the table needs rows {what}", location=owner._location, advice=advice)
    return numbers


def column(table: np.ndarray[Any, np.dtype[np.float64]], k: int, at: tg.Expression) -> Any:
    """Column k at a place: straight lines between the rows, the first and last value outside; one row is a constant."""
    return float(table[0, k]) if len(table) == 1 else tg.interpolate(at, table[:, 0], table[:, k])
