"""Equations and unknowns of a ReducedModel in the words the user wrote them."""

from __future__ import annotations

from tellegen.ir.flat import FlatModel, Group
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.statements import show_equality, show_row, show_sum
from tellegen.ir.source_location import SourceLocation, in_library


def variable_text(model: ReducedModel, variable: int, further: int = 0) -> str:
    """The name of a variable, der(...) around it for each derivative; `further` adds some."""
    count = model.flat.variables.count
    if variable >= count:
        further += int(model.derivatives.order[variable - count])
        variable = int(model.derivatives.base[variable - count])
    return "der(" * further + model.flat.variables.name(variable) + ")" * further


def variable_path(model: ReducedModel, variable: int) -> str:
    """The name of a variable, or of the one that it is a derivative of."""
    count = model.flat.variables.count
    base = variable if variable < count else int(model.derivatives.base[variable - count])
    return model.flat.variables.name(base)


def written_row(model: ReducedModel, row: int) -> tuple[Group, int] | None:
    """Group and row of the FlatModel of residual `row`, initial equations following the others; None if none."""
    if row >= model.equation_count:
        row -= model.equation_count
        for group in model.initial:
            if row < group.rows:
                return model.flat.initial_equations[group.source], int(group.source_rows[row])
            row -= group.rows
        raise IndexError(row)
    origin = model.origin(row)
    return (model.flat.equations[origin.number], origin.row) if origin.kind == "group" else None


def equation_text(model: ReducedModel, row: int) -> str:
    """The equation of the FlatModel of residual `row`, initial equations following the others."""
    flat = model.flat
    if (written := written_row(model, row)) is not None:
        return show_row(flat, *written)
    origin = model.origin(row)
    if origin.kind == "integration":
        return f"der({variable_text(model, origin.number)}) == {variable_text(model, origin.number, 1)}"
    return show_sum(flat, origin.number) if origin.kind == "sum" else show_equality(flat, origin.number)


def equation_location(model: ReducedModel, row: int) -> SourceLocation | None:
    """Where the equation of residual `row` was written; where its component was made if the library wrote it."""
    flat = model.flat
    if (written := written_row(model, row)) is not None:
        location = statement_location(flat, *written)
    else:
        origin = model.origin(row)
        if origin.kind == "integration":
            return None
        is_sum = origin.kind == "sum"
        end = flat.sums.indices[flat.sums.indptr[origin.number]] if is_sum else flat.equalities[origin.number, 0]
        location = flat.variables.location(int(end))
    return location if location.line else None


def statement_location(flat: FlatModel, group: Group, row: int) -> SourceLocation:
    """Where a statement was written; where its component was made if the library wrote it."""
    made = flat.tree.location(*group.owner(row))
    location = group.template.location
    return made if in_library(location.file) else location.within(made.scope or location.scope)


def variable_location(flat: FlatModel, variable: int) -> SourceLocation | None:
    """Where a variable was declared; where its component was made if the library declares it."""
    made = flat.variables.location(variable)
    declared = flat.variables.declaration(variable).location
    location = declared.within(made.scope) if declared.line and not in_library(declared.file) else made
    return location if location.line else None


def unknown_text(model: ReducedModel, column: int, rate: bool | None = None) -> str:
    """The unknown in a column: the derivative of a state (unless `rate` says otherwise) or an algebraic variable."""
    name = variable_text(model, int(model.unknowns[column]))
    return f"der({name})" if (model.is_state[column] if rate is None else rate) else name
