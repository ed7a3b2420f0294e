"""A Program run with NumPy: slow, obviously right, and the reference for every printer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.ir.program import SCALAR, Entry, Loop, Program
from tellegen.symbolic.evaluate import evaluate

Function = Callable[..., None]
"""Called with the scalars, then the arrays of an entry; the last array is the result."""


def build(program: Program) -> dict[str, Function]:
    """Every entry point as a Python function with the entry's arguments."""
    return {name: function(entry) for name, entry in program.entries.items()}


def function(entry: Entry) -> Function:
    names = (*entry.scalars, *entry.arrays)

    def run(*arguments: Any) -> None:
        given = dict(zip(names, arguments, strict=True))
        for loop in sorted(entry.loops, key=lambda loop: loop.accumulates):
            _run(loop, given)

    return run


def _run(loop: Loop, given: dict[str, Any]) -> None:
    if loop.recurrent:
        for row in range(loop.rows):
            for store in loop.stores:
                _run(Loop(loop.table[row : row + 1], loop.operands, (store,)), given)
        return
    slots = [
        given[operand.array] if operand.column == SCALAR else given[operand.array][loop.table[:, operand.column]]
        for operand in loop.operands
    ]
    for store in loop.stores:
        value = np.broadcast_to(np.asarray(evaluate(store.value, slots, time=given.get("t")), float), (loop.rows,))
        target = given[store.array]
        index = loop.table[:, store.column]
        if store.accumulate:
            np.add.at(target, index, value)
        else:
            target[index] = value
