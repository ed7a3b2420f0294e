"""Which parts satisfy conditions, in which order.

Numbers are compared in the unit of the column. A bound that was converted differs from the stated one in its last
digit, 200 g is not quite 0.2 kg; so values within 1e-12 of a bound count as equal to it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tellegen.catalogue.conditions import Comparison, Condition, TextComparison
from tellegen.catalogue.part_table import PartTable, split_tags
from tellegen.catalogue.quantity import dimension_name
from tellegen.errors import BindingError, nearest
from tellegen.ir.source_location import here
from tellegen.units import DIMENSIONLESS

EQUAL = 1e-12
"""Relative difference of numbers that are the same number in two units."""
_COMPARE: dict[str, Callable[[Any, float, float], Any]] = {
    "<": lambda values, bound, slack: operator.lt(values, bound - slack),
    "<=": lambda values, bound, slack: operator.le(values, bound + slack),
    ">": lambda values, bound, slack: operator.gt(values, bound + slack),
    ">=": lambda values, bound, slack: operator.ge(values, bound - slack),
    "==": lambda values, bound, slack: abs(values - bound) <= slack,
    "!=": lambda values, bound, slack: abs(values - bound) > slack,  # never for NaN: it is not stated
}


def matching_rows(table: PartTable, conditions: Sequence[Condition]) -> np.ndarray:
    """The rows of a table that satisfy all conditions, in its order."""
    numeric = [one for one in conditions if isinstance(one, Comparison)]
    mask = np.ones(len(table), dtype=bool)
    for one in numeric:
        mask &= _mask(table, one)
    rows = np.flatnonzero(mask)
    for text in conditions:
        if isinstance(text, TextComparison):
            rows = np.array([row for row in rows if _text_holds(table, int(row), text)], dtype=int)
    return rows


def _mask(table: PartTable, condition: Comparison) -> np.ndarray:
    column = table.column(condition.name)
    if column is None:
        return np.zeros(len(table), dtype=bool)
    if condition.unit.dimension != column.unit.dimension:
        raise _wrong_unit(table, condition)
    si = condition.unit.to_si(condition.value)
    bound = column.unit.from_si(si)
    slack = EQUAL * abs(si / column.unit.scale)
    return _COMPARE[condition.operator](column.values, bound, slack)


def _wrong_unit(table: PartTable, condition: Comparison) -> BindingError:
    column = table.column(condition.name)
    assert column is not None
    stated = dimension_name(column.unit)
    if condition.unit.dimension == DIMENSIONLESS:
        what = f"'{condition.text}' states no unit; {condition.name} of {table.family} is in {stated}"
    else:
        what = f"'{condition.text}': {condition.name} of {table.family} is in {stated}, not in '{condition.unit.text}'"
    unit = "" if column.unit.dimension == DIMENSIONLESS else f" {column.unit.text}"
    advice = f"{condition.name} {condition.operator} {condition.value:g}{unit}"
    return BindingError("E829", what, location=here(), advice=advice)


def _text_holds(table: PartTable, row: int, condition: TextComparison) -> bool:
    if condition.name == "tag":
        held = [TextComparison("tag", "==" if condition.operator == "!=" else condition.operator, condition.value)]
        found = any(held[0].holds(tag) for tag in split_tags(table.fact("tags", row)))
        return found != (condition.operator == "!=")
    stated = table.names[row] if condition.name == "name" else table.fact(condition.name, row)
    return condition.holds(stated)


def check_names(tables: Sequence[PartTable], names: Sequence[str]) -> None:
    """E828 for a quantity that no part of these families has."""
    known = dict.fromkeys(column.name for table in tables for column in table.columns if column.unit.text)
    for name in names:
        if name not in known:
            families = ", ".join(dict.fromkeys(table.family for table in tables))
            what = f"no part of {families} has a quantity '{name}'; {nearest(name, known)}"
            raise BindingError("E828", what, location=here(), advice=f"quantities: {', '.join(known)}")


def ordered(tables: Sequence[PartTable], found: Sequence[np.ndarray], order_by: str) -> np.ndarray:
    """Table and row of the parts found, two columns, by a quantity ("-mass": the largest first).

    Parts that do not state the quantity come last, equal ones in the order of the catalogue.
    """
    pairs = np.concatenate([np.stack([np.full(len(rows), k), rows], axis=1) for k, rows in enumerate(found)])
    if not order_by:
        return pairs
    falling = order_by.startswith("-")
    name = order_by.removeprefix("-")
    if name == "name":
        names = [tables[k].names[row] for k, row in pairs]
        return pairs[sorted(range(len(names)), key=names.__getitem__, reverse=falling)]
    keys = np.concatenate([_keys(table, name, rows) for table, rows in zip(tables, found, strict=True)])
    return pairs[np.argsort(-keys if falling else keys, kind="stable")]  # NaN sorts last


def _keys(table: PartTable, name: str, rows: np.ndarray) -> np.ndarray:
    column = table.column(name)
    return np.full(len(rows), np.nan) if column is None else column.unit.to_si(column.values[rows])
