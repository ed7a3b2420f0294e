"""The flat model as a readable page: what golden tests compare and `tellegen show --stage flat` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from tellegen.ir.model import Variable
from tellegen.ir.show.statements import show_equality, show_row, show_sum, show_value

if TYPE_CHECKING:
    from tellegen.ir.flat import FlatModel, Group, Table

SHOWN = 12  # rows of a group or block written out; longer ones show the first and last


def show_flat(flat: FlatModel) -> str:
    """All variables, parameters and statements with their full names; long groups cut in the middle."""
    lines = [
        f"flat model {flat.name}: {flat.variables.count} variables, {flat.equation_count} equations, "
        f"{sum(1 for _ in _shown_parameters(flat))} parameters"
    ]
    lines += section("parameters", _parameters(flat))
    lines += section("variables", _variables(flat.variables))
    if len(flat.inputs):
        lines += section("inputs", [flat.variables.name(int(k)) for k in flat.inputs])
    lines += _groups("parameter bindings", flat, flat.parameter_bindings)
    lines += _groups("start bindings", flat, flat.start_bindings)
    lines += _groups("equations", flat, flat.equations)
    lines += section("connected potentials and signals", cut(len(flat.equalities), lambda k: show_equality(flat, k)))
    lines += section("sums of flows", cut(flat.sums.rows, lambda k: show_sum(flat, k)))
    lines += _groups("at events", flat, flat.whens)
    lines += _groups("initial equations", flat, flat.initial_equations)
    lines += _groups("assertions", flat, flat.assertions)
    lines += _groups("invariants", flat, flat.invariants)
    return "\n".join(lines) + "\n"


def section(title: str, rows: Iterable[str]) -> list[str]:
    """A heading and its rows, nothing without rows."""
    rows = list(rows)
    return [title, *(f"  {row}" for row in rows)] if rows else []


def cut(count: int, show: Callable[[int], str]) -> Iterator[str]:
    """The rows; of many, the first and last."""
    if count <= SHOWN:
        yield from (show(k) for k in range(count))
        return
    yield from (show(k) for k in range(2))
    yield f"... {count - 3} more like these"
    yield show(count - 1)


def _groups(title: str, flat: FlatModel, groups: tuple[Group, ...]) -> list[str]:
    rows: list[str] = []
    for group in groups:
        owner = group.template.owner
        location = group.template.location
        where = f"{owner or location.scope} ({location.within('')})".lstrip() if location.line else owner
        rows.append(f"# {where}" + (f"  x {group.rows}" if group.rows > 1 else ""))
        rows += cut(group.rows, lambda k, group=group: show_row(flat, group, k))
    return section(title, rows)


def _shown_parameters(flat: FlatModel) -> Iterator[tuple[int, int]]:
    for start, length, _, declared in flat.parameters.blocks():
        if not declared.literal:
            for k in range(length):
                yield start, k


def _parameters(flat: FlatModel) -> Iterator[str]:
    column = flat.parameter_values
    for start, length, _, declared in flat.parameters.blocks():
        if not declared.literal:
            yield from cut(
                length,
                lambda k, start=start, unit=declared.unit: (
                    f"{flat.parameters.name(start + k)} = {show_value(column[start + k], unit)}"
                ),
            )


def _variables(table: Table) -> Iterator[str]:
    start_values = table.column("start")
    fixed = table.column("fixed")
    for start, length, _, declared in table.blocks():

        def line(k: int, declared: Variable = declared, start: int = start) -> str:
            words = [declared.role] if declared.role != "local" else []
            words += [declared.type] if declared.type != "real" else []
            words += ["discrete"] if declared.discrete and declared.type == "real" else []
            words += [declared.unit.text] if declared.unit.text else []
            value = start_values[start + k]
            if not np.isnan(value):
                sign = "=" if fixed[start + k] == 1.0 else "~"
                words.append(f"start {sign} {show_value(value, declared.unit)}")
            return f"{table.name(start + k)}: {', '.join(words)}".rstrip(": ")

        yield from cut(length, line)
