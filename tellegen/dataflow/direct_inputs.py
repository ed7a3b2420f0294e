"""Direct feed-through of a model: the external inputs that given variables depend on at the same instant.

y == x,  der(x) == u        y depends on no input: x is a state
y == k*e,  e == u - x       y depends on u
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tellegen.dataflow.rows import rows_of
from tellegen.ir.expressions.expr import Slot, walk
from tellegen.ir.reduced import KNOWN
from tellegen.ir.sorted import SortedModel


def direct_inputs(model: SortedModel, variables: Iterable[int]) -> set[int] | None:
    """The inputs, as variables, that some of the variables depend on; None where events may carry a value along."""
    if model.events is not None or model.blocks.reason:
        return None
    block = model.blocks.block
    owner = np.empty(len(block), np.int64)
    owner[model.blocks.assigned] = block  # the block that determines each unknown
    rows, columns = rows_of(model).occurrences(model.wanted)
    needs: list[set[int]] = [set() for _ in model.blocks.level]
    for own, needed in zip(block[rows].tolist(), owner[columns].tolist(), strict=True):
        needs[own].add(needed)
    read = _inputs_read(model)
    found: set[int] = set()
    waiting: list[int] = []
    for variable in variables:
        representative = int(model.representative[variable])
        position = int(model.position[representative])
        if position < 0:
            found |= {representative} & set(model.flat.inputs.tolist())
        elif not model.is_state[position]:
            waiting.append(int(owner[position]))
    seen: set[int] = set()
    while waiting:
        own = waiting.pop()
        if own not in seen:
            seen.add(own)
            found |= read.get(own, set())
            waiting += needs[own]
    return found


def _inputs_read(model: SortedModel) -> dict[int, set[int]]:
    """The inputs in the equations of each block."""
    out: dict[int, set[int]] = {}
    inputs = set(model.flat.inputs.tolist())
    rows = rows_of(model)

    def add(numbers: Any, indices: Any) -> None:
        for row, index in zip(numbers.tolist(), indices.tolist(), strict=True):
            variable = int(model.known[index - rows.constants])
            if variable in inputs:
                out.setdefault(int(model.blocks.block[row]), set()).add(variable)

    for part in rows.sets:
        slots = {node.index for node in walk(part.residual) if isinstance(node, Slot)}
        for slot in slots:
            if part.kinds[slot] == KNOWN:
                add(part.rows, part.indices[:, slot])
    add(rows.sums.row[rows.sums.known], rows.sums.index[rows.sums.known])
    return out
