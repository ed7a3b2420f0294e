"""Equations and unknowns of a SortedModel in the words the user wrote them."""

from __future__ import annotations

from tellegen.ir.show import show_equality, show_row, show_sum
from tellegen.ir.sorted import SortedModel


def variable_text(model: SortedModel, variable: int, further: int = 0) -> str:
    """The name of a variable, der(...) around it for each derivative; `further` adds some."""
    count = model.flat.variables.count
    if variable >= count:
        further += int(model.derivatives.order[variable - count])
        variable = int(model.derivatives.base[variable - count])
    return "der(" * further + model.flat.variables.name(variable) + ")" * further


def equation_text(model: SortedModel, row: int) -> str:
    """The equation of the FlatModel behind residual `row`."""
    flat = model.flat
    kind, source, local = model.origin(row)
    if kind == "integration":
        return f"der({variable_text(model, source)}) == {variable_text(model, source, 1)}"
    if kind == "group":
        return show_row(flat, flat.equations[source], local)
    return show_sum(flat, source) if kind == "sum" else show_equality(flat, source)


def initial_equation_text(model: SortedModel, row: int) -> str:
    """The initial equation behind row `row` of the initial residual."""
    for group in model.initial:
        if row < group.rows:
            return show_row(model.flat, model.flat.initial_equations[group.source], int(group.source_rows[row]))
        row -= group.rows
    raise IndexError(row)


def unknown_text(model: SortedModel, column: int, rate: bool | None = None) -> str:
    """The unknown in a column: the derivative of a state (unless `rate` says otherwise) or an algebraic variable."""
    name = variable_text(model, int(model.unknowns[column]))
    return f"der({name})" if (model.is_state[column] if rate is None else rate) else name
