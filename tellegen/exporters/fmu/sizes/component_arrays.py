"""Members of arrays of components as arrays, for FMUs whose structural parameters say how many components there are.

    cell[0].T, cell[0].q, cell[1].T, cell[1].q    ->    cell.T[0], cell.T[1], cell.q[0], cell.q[1]

Names lose the indices of components; `array_variables.py` then makes one variable of each array.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from tellegen.exporters.fmu.exported_variables import Element, Exported, ExportedVariables

_INDEX = re.compile(r"\[([\d, ]+)\]")
Indices = tuple[int, ...]


def with_component_arrays(exported: ExportedVariables, indicators: Sequence[int]) -> None:
    """Let elements of the same array of components follow each other, and call them elements of an array.

    Event indicators, which come last, are put into arrays of given lengths."""
    elements = _elements(exported.rows)
    order: list[int] = []
    taken: set[int] = set()
    for k in range(len(exported.rows)):
        if k in taken:
            continue
        together = elements.get(k, [k])
        taken.update(together)
        order += together
    _reorder(exported, order)
    _name_indicators(exported, indicators)


def _name_indicators(exported: ExportedVariables, lengths: Sequence[int]) -> None:
    """The rows of indicators, in order, are elements of arrays."""
    places = iter(exported.indicators)
    for array, length in enumerate(lengths):
        for number in range(length):
            k = next(places)
            row = exported.rows[k]
            name = f"event_indicators_{array}"
            variable = replace(row.variable, name=f"{name}[{number}]")
            exported.rows[k] = replace(row, variable=variable, element=Element(name, (length,), number))


def _elements(rows: list[Exported]) -> dict[int, list[int]]:
    """The positions of all elements of an array in row-major order, by each of them; rows know what they are then."""
    groups: dict[str, dict[Indices, int]] = {}
    for k, row in enumerate(rows):
        indices = tuple(int(n) for part in _INDEX.findall(row.variable.name) for n in part.split(","))
        if indices:
            groups.setdefault(_INDEX.sub("", row.variable.name), {})[indices] = k
    names = {row.variable.name for row in rows}
    found: dict[int, list[int]] = {}
    for name, members in groups.items():
        shape = tuple(max(axis) + 1 for axis in zip(*members, strict=True)) if _are_alike(members) else ()
        every = list(product(*map(range, shape)))
        if name in names or not shape or len(every) != len(members):
            continue  # some components of the array lack it
        together = [members[indices] for indices in every]
        for number, k in enumerate(together):
            rows[k] = replace(rows[k], element=Element(name, shape, number))
            found[k] = together
    return found


def _are_alike(members: dict[Indices, int]) -> bool:
    return len({len(indices) for indices in members}) == 1


def _reorder(exported: ExportedVariables, order: Sequence[int]) -> None:
    """Rows in another order, and everything that counts them."""
    new = {old: number for number, old in enumerate(order)}
    rows = []
    for number, old in enumerate(order):
        row = exported.rows[old]
        of = row.variable.derivative_of
        variable = replace(row.variable, reference=number, derivative_of=None if of is None else new[of])
        rows.append(replace(row, variable=variable))
    exported.rows[:] = rows
    exported.states[:] = [new[k] for k in exported.states]
    exported.indicators[:] = [new[k] for k in exported.indicators]
    exported.position.update({row.variable.name: number for number, row in enumerate(rows)})
