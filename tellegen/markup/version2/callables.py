"""The tables and functions of a document, by the names that expressions call them by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.ir.expressions.expr import Function
from tellegen.ir.expressions.table import Table
from tellegen.markup.expressions.parser import Callables
from tellegen.markup.expressions.text import Names, number_text
from tellegen.markup.version2.code_references import function_element, read_function
from tellegen.markup.version2.quantities import read_quantity
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element
from tellegen.xml.writer import made


def callable_elements(names: Names) -> Iterator[Element]:
    """All tables and functions that were named while components were written."""
    for table, name in names.tables.items():
        yield _table(table, name)
    for function, name in names.functions.items():
        yield function_element(function, name)


def _table(table: Table, name: str) -> Element:
    axes = [made("axis", {}, _numbers(breaks)) for breaks in table.breaks]
    powers = table.coefficients.shape[len(table.breaks) :]
    shape = " ".join(map(str, powers))
    coefficients = made("coefficients", {"powers": shape}, _numbers(table.coefficients))
    return made("table", {"id": name, "name": table.name}, *axes, coefficients)


def _numbers(values: Any) -> str:
    return " ".join(number_text(value) for value in np.ravel(values).tolist())


def read_callables(root: Element, allow_code: bool) -> Callables:
    """The tables and functions of a document."""
    tables: dict[str, Table] = {}
    functions: dict[str, Function] = {}
    for element in root.all("table", "function"):
        name = element.word("id")
        if name in tables or name in functions:
            raise element.wrong(f"the id '{name}' is given twice", "rename one of them")
        if element.tag == "table":
            tables[name] = _read_table(element)
        else:
            functions[name] = read_function(element, allow_code)
    return Callables(tables, functions)


def _read_table(element: Element) -> Table:
    element.check_attributes(("id", "name"))
    element.check_children(("axis", "coefficients"))
    breaks = tuple(read_quantity(axis, "breaks", axis.text().value, NO_UNIT) for axis in element.all("axis"))
    blocks = list(element.all("coefficients"))
    if len(blocks) != 1 or len(breaks) not in (1, 2):
        raise element.misplaced(f"{element} has one or two <axis> and one <coefficients>", "write them inside it")
    for axis in breaks:
        if not len(axis) or not np.isfinite(axis).all() or (np.diff(axis) < 0).any():
            raise element.misplaced(f"an <axis> of {element} is not made of rising numbers", "sort them")
    powers = blocks[0].integers("powers")
    shape = (*(len(axis) + 1 for axis in breaks), *powers)
    values = read_quantity(blocks[0], "coefficients", blocks[0].text().value, NO_UNIT)
    if len(powers) != len(breaks) or min(powers) < 2 or len(values) != np.prod(shape):
        what = f"{element} has {len(values)} coefficients, and its axes and powers ask for {shape}"
        raise blocks[0].misplaced(what, "a polynomial for each interval, those outside included")
    return Table(breaks, values.reshape(shape), element.word("name", "interpolate"))
