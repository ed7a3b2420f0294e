"""Measured data: a table with a column for time, from a DataFrame, a file or a dict of arrays.

Units of columns are those the model declares for what they are matched with. Rows in which a value is missing count for
the other columns only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.engine.results.solution import Solution
from tellegen.errors import DesignError, nearest
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here


@dataclass(frozen=True, eq=False)
class Measured:
    """Times, and for each curve of the model the values measured (not a number: none)."""

    time: FloatArray
    columns: dict[str, FloatArray]


def read_data(data: Any, match: Mapping[str, str] | None, time: str) -> Measured:
    """The data as users have them."""
    table = _table(data)
    names = list(table)
    if time not in table:
        advice = "say which it is: time='t [s]'"
        if len(names) == 1 and ";" in str(names[0]):
            advice = "the columns are separated by semicolons: pd.read_csv(file, sep=';'), with decimal=',' if need be"
        raise _wrong(f"there is no column '{time}' for the time; {nearest(str(time), map(str, names))}", advice)
    if match is not None and not isinstance(match, Mapping):
        raise _wrong(f"match gives columns by path, not {match!r}", _EXAMPLE)
    pairs = dict(match) if match is not None else {name: name for name in names if name != time}
    found = {}
    for path, column in pairs.items():
        if column not in table:
            known = nearest(str(column), map(str, names))
            raise _wrong(f"there is no column '{column}' for '{path}'; {known}", _EXAMPLE)
        found[path] = _numbers(column, table[column])
    if not found:
        raise _wrong("no column is matched with the model", _EXAMPLE)
    times = _numbers(time, table[time])
    for path, values in found.items():
        if values.shape != times.shape:
            what = f"there are {times.size} times, but {values.size} values of '{pairs[path]}'"
            raise _wrong(what, "give each time a value, NaN where none was measured")
    order = np.argsort(times, kind="stable")
    times = times[order]
    if np.isnan(times).any() or (np.diff(times) == 0).any():
        raise _wrong(
            f"the times in column '{time}' are not different numbers", "remove rows without a time and duplicate times"
        )
    return Measured(times, {path: values[order] for path, values in found.items()})


_EXAMPLE = "match={'motor.i': 'current', 'load.w': 'speed'}"


def _table(data: Any) -> Any:
    if isinstance(data, Solution):
        raise _wrong("a Solution is not a table", "solution.to_pandas('load.w').reset_index()")
    if isinstance(data, str | PathLike):
        import pandas as pd

        path = Path(data)
        if not path.is_file():
            raise _wrong(f"there is no file '{path}'", "give the path of a CSV file, a DataFrame or a dict of arrays")
        try:
            return pd.read_csv(path)
        except ValueError as error:  # not a text, no columns, rows of different length
            raise _wrong(
                f"'{path}' cannot be read as a table: {error}", "a CSV file with names in its first line"
            ) from error
    if hasattr(data, "columns") and data.index.name is not None:
        data = data.reset_index()
    if not isinstance(data, Mapping) and not hasattr(data, "columns"):
        raise _wrong(
            f"data is a table, not {type(data).__name__}", "a DataFrame, the path of a CSV file, a dict of arrays"
        )
    return data


def _numbers(name: str, values: Any) -> FloatArray:
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError):
        raise _wrong(f"column '{name}' does not contain numbers", "use other columns, or convert it") from None


def _wrong(what: str, advice: str) -> DesignError:
    return DesignError("E624", what, location=here(), advice=advice)
