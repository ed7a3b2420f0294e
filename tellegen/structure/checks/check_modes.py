"""Check that every mode of a component determines all unknowns by itself.

    row   closed: v == 0 | open: i == 0     with i the current of an inductor, a state
    E209  in mode 'open' nothing determines der(l.i): `i == 0` speaks of a state, whose value is given already

The structure of a model is that of all modes together: a row may determine what any of its modes could. A mode that
lacks what the others determine would make the system singular once it is active. For each mode the assignment of
equations to unknowns is repaired where rows lost theirs; when that fails the error names the mode. Modes of several
components are not combined: two open switches in series show only in a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.graph.incidence import Incidence, incidence
from tellegen.graph.matching import augment, match
from tellegen.ir.expressions.expr import Call, Const, Der, Expr, Slot, rebuild, walk
from tellegen.ir.expressions.template import ModalTemplate
from tellegen.ir.reduced import INTEGRATION, KNOWN, UNKNOWN, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import equation_location, unknown_text, variable_text, written_row
from tellegen.ir.show.statements import row_names, show_expr
from tellegen.start.records import dataclass
from tellegen.structure.checks.check_solvability import incidence_of
from tellegen.symbolic.build import call


@dataclass(frozen=True, eq=False)
class Restricted:
    """Rows of a group while the variables that hold their modes have one value: the unknowns left, -1 for none."""

    rows: Any
    variables: Any
    columns: Any


@dataclass(frozen=True)
class ActiveMode:
    """A variable that holds a mode, and the number of the mode."""

    variable: int
    number: int


def check_modes(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    by_value = _restricted(model)
    if not by_value:
        return model
    matrix = incidence_of(model, with_states=False)
    assigned = match(matrix)
    for (_, value), parts in by_value.items():
        if not _all_at_once(matrix, parts):  # most often they can, which settles it for each of them
            _one_by_one(model, matrix, assigned, parts, value)
    return model


def _restricted(model: ReducedModel) -> dict[tuple[int, int], list[Restricted]]:
    """What rows have left in each mode, by the depth of the modes and the number of the mode."""
    found: dict[tuple[int, int], list[Restricted]] = {}
    for offset, group in zip(model.offsets, model.groups, strict=False):
        if group.source == INTEGRATION or not isinstance(model.flat.equations[group.source].template, ModalTemplate):
            continue
        for slot, values in _choices(group).items():
            depth = model.flat.variables.declaration(int(group.bindings[0, slot])).name.count(".")
            for value in values:
                leaves = _unknowns(_in_mode(group.residual, slot, value), group)
                columns = [_columns(model, group, leaf) for leaf in leaves] or [np.full(group.rows, -1)]
                part = Restricted(offset + np.arange(group.rows), group.bindings[:, slot], np.stack(columns, axis=1))
                found.setdefault((depth, value), []).append(part)
    return found


def _all_at_once(matrix: Incidence, parts: list[Restricted]) -> bool:
    """Whether all unknowns are determined when all these rows are restricted."""
    row_of_entry = matrix.row_of_entry
    kept = ~np.isin(row_of_entry, np.concatenate([part.rows for part in parts]))
    rows = [row_of_entry[kept]]
    columns = [matrix.indices[kept]]
    for part in parts:
        row, leaf = np.nonzero(part.columns >= 0)
        rows.append(part.rows[row])
        columns.append(part.columns[row, leaf])
    left = incidence(np.concatenate(rows), np.concatenate(columns), matrix.shape)
    return bool((match(left) >= 0).all())


def _one_by_one(model: ReducedModel, matrix: Incidence, assigned: Any, parts: list[Restricted], value: int) -> None:
    """E209 for the first variable whose mode leaves an unknown open by itself."""
    row_of = np.full(matrix.shape[1], -1)
    row_of[assigned] = np.arange(len(assigned))
    for variable in dict.fromkeys(int(v) for part in parts for v in part.variables):
        rows: dict[int, list[int]] = {}
        for part in parts:
            for k in np.flatnonzero(part.variables == variable).tolist():
                rows[int(part.rows[k])] = [c for c in part.columns[k].tolist() if c >= 0]
        lost = [row for row, columns in rows.items() if assigned[row] not in columns]

        def neighbours(row: int, rows: dict[int, list[int]] = rows) -> list[int]:
            if row in rows:
                return rows[row]
            return matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]].tolist()

        free = augment(neighbours, row_of, lost, [int(assigned[row]) for row in lost])
        if free:
            raise _error(model, ActiveMode(variable, value), rows, free)


def _choices(group: ReducedGroup) -> dict[int, range]:
    """Slots that hold a mode, with the numbers of their modes: those compared with, and the one that is left."""
    compared: dict[int, list[int]] = {}
    for node in walk(group.residual):
        if isinstance(node, Call) and node.op == "eq" and isinstance(node.args[0], Slot):
            slot = node.args[0].index
            number = node.args[1]
            if group.kinds[slot] == KNOWN and isinstance(number, Const):
                compared.setdefault(slot, []).append(int(number.value))
    return {slot: range(max(values) + 2) for slot, values in compared.items()}


def _in_mode(residual: Expr, slot: int, value: int) -> Expr:
    """The residual while the mode in a slot has this number."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "eq" and args[0] == Slot(slot) and isinstance(args[1], Const):
            return Const(args[1].value == value)
        return call(node.op, *args) if isinstance(node, Call) else node

    return rebuild(residual, change)


def _unknowns(residual: Expr, group: ReducedGroup) -> list[Slot | Der]:
    return [n for n in walk(residual) if isinstance(n, Slot | Der) and group.kinds[n.index] == UNKNOWN]


def _columns(model: ReducedModel, group: ReducedGroup, leaf: Slot | Der) -> Any:
    """The unknown in each row that a leaf is; -1 for values of states."""
    column = model.position[group.bindings[:, leaf.index]]
    return column if isinstance(leaf, Der) else np.where(model.is_state[column], -1, column)


def _error(model: ReducedModel, mode: ActiveMode, rows: dict[int, list[int]], free: list[int]) -> StructureError:
    variables = model.flat.variables
    literals = variables.declaration(mode.variable).literals
    name = literals[mode.number] if mode.number < len(literals) else str(mode.number)
    unknowns = [unknown_text(model, column) for column in free]
    details = ["the equations of this mode:", *dict.fromkeys(f"  {_text(model, row, name)}" for row in rows)]
    rates = [column for column in free if model.is_state[column]]
    held = [state for row, columns in rows.items() if not columns for state in _states_in(model, row, mode)]
    advice = "every mode must determine the same unknowns; look for redundant or missing equations"
    if rates or held:
        state = variable_text(model, int(model.unknowns[(held or rates)[0]]))
        details += [f"'{state}' is a state, so its value is known already"] if held else []
        advice = (
            f"states keep their values from mode to mode: write tg.der(...) == 0 for '{state}' in this mode,\n"
            "and set its value by tg.reinit(...) in the transitions to this mode"
        )
    return StructureError(
        "E209",
        f"in mode '{name}' ({variables.name(mode.variable)}) no equation determines {', '.join(unknowns)}",
        location=equation_location(model, min(rows)),
        details=details,
        advice=advice,
    )


def _states_in(model: ReducedModel, row: int, mode: ActiveMode) -> list[int]:
    """The states whose values stand in a row while a mode is active."""
    number = int(np.searchsorted(model.offsets, row, side="right")) - 1
    group = model.groups[number]
    local = row - int(model.offsets[number])
    slots = [slot for slot in _choices(group) if int(group.bindings[local, slot]) == mode.variable]
    leaves = _unknowns(_in_mode(group.residual, slots[0], mode.number), group)
    columns = [int(model.position[group.bindings[local, leaf.index]]) for leaf in leaves if isinstance(leaf, Slot)]
    return [column for column in columns if model.is_state[column]]


def _text(model: ReducedModel, row: int, mode: str) -> str:
    """The equation that a row stands for in a mode."""
    written = written_row(model, row)
    assert written is not None
    group, local = written
    assert isinstance(group.template, ModalTemplate)
    names = row_names(model.flat, group, local)
    cases = group.template.cases
    lhs, rhs = next(((lhs, rhs) for label, lhs, rhs in cases if mode in label.split(".")), cases[0][1:])
    return f"{show_expr(lhs, names)} == {show_expr(rhs, names)}"
