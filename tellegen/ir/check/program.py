"""What must hold of a Program: operands that exist, indices in range, and every element of a result assigned once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tellegen.ir.check.faults import Indices, expression_faults, once, refuse, within
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.program import SCALAR, Entry, Loop, Operand, Pattern, Program, Store

Sizes = dict[str, int]
"""The lengths of the arrays of an entry, as far as they are known."""

_ANY_SIZE = np.iinfo(np.int32).max


def check_program(program: Program, parameters: int) -> None:
    """Raise E903 when a Program over a vector of so many parameters is not well formed."""
    refuse("the program", _program_faults(program, parameters))


def _program_faults(program: Program, parameters: int) -> Iterator[str]:
    n = program.size
    shared = {"y": n, "yp": n, "p": parameters, "given": parameters}
    results = {
        "residual": {"r": program.pattern.shape[0]},
        "jacobian": {"values": program.pattern.count},
        "initial_residual": {"r": program.initial_size},
        "initial_jacobian": {"values": program.initial_pattern.count},
    }
    for pattern, rows in ((program.pattern, n), (program.initial_pattern, program.initial_size)):
        yield from _pattern_faults(pattern, (rows, n))
    for name, entry in program.entries.items():
        yield from (f"{name}: {fault}" for fault in entry_faults(entry, shared | results.get(name, {})))
        for array, size in results.get(name, {}).items():
            if not once(assigned(entry, array), size):
                yield f"{name}: an element of '{array}' that is assigned twice, or not at all"


def _pattern_faults(pattern: Pattern, shape: tuple[int, int]) -> Iterator[str]:
    if pattern.shape != shape:
        yield f"a matrix of {pattern.shape} instead of {shape}"
    if len(pattern.indptr) != shape[1] + 1 or pattern.indptr[0] != 0 or pattern.indptr[-1] != pattern.count:
        yield "a matrix whose columns do not follow one another"
    if not within(pattern.indices, shape[0]):
        yield "a matrix with an entry out of range"
    column = pattern.column_of_entry
    if ((np.diff(column) == 0) & (np.diff(pattern.indices) <= 0)).any():
        yield "a matrix with an entry that occurs twice, or entries that are not in order"


def entry_faults(entry: Entry, sizes: Sizes) -> Iterator[str]:
    """What is wrong with the loops of an entry point."""
    for loop in entry.loops:
        for access in (*loop.operands, *loop.stores):
            yield from _access_faults(entry, loop, access, sizes)
        for store in loop.stores:
            nodes = walk(store.value)
            if any(isinstance(node, Der) or (isinstance(node, Slot) and not _is_operand(node, loop)) for node in nodes):
                yield "an expression of something that is not an operand"
            yield from expression_faults(nodes)


def _is_operand(slot: Slot, loop: Loop) -> bool:
    return 0 <= slot.index < len(loop.operands)


def _access_faults(entry: Entry, loop: Loop, access: Operand | Store, sizes: Sizes) -> Iterator[str]:
    if access.column == SCALAR:
        if isinstance(access, Store) or access.array not in entry.scalars:
            yield f"'{access.array}' is not a scalar argument"
        return
    if access.array not in entry.arrays:
        yield f"'{access.array}' is not an array argument"
    if not 0 <= access.column < loop.table.shape[1]:
        yield f"column {access.column} of a table of {loop.table.shape[1]}"
    size = sizes.get(access.array, _ANY_SIZE)
    if not entry.chosen and not within(loop.table[:, access.column], size):
        yield f"an index of '{access.array}' out of range"


def assigned(entry: Entry, array: str) -> Indices:
    """The elements of an array that an entry assigns (not those it only adds to), as often as it does."""
    parts = [
        loop.table[:, store.column]
        for loop in entry.loops
        for store in loop.stores
        if store.array == array and not store.accumulate
    ]
    return np.concatenate([np.zeros(0, np.int32), *parts])
