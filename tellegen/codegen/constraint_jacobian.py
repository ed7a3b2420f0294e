"""The Jacobian of the constraints among unknowns that may be states -> an entry point of its own.

    pendulum, x*x'' + y*y'' + ... == 0    constraints(t, cy, cd; y, yp, p, values)    values[0] = cy*x; values[1] = cy*y

Which unknowns are good states depends on these few numbers, which are looked at in every few steps of a run. The loops
are those of the Jacobian, with the rows that compute one of `Candidates.pairs`; places that it has not stay zero.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.graph.incidence import sums_at
from tellegen.graph.sets import distinct_rows
from tellegen.ir.model import IntArray
from tellegen.ir.program import CONSTRAINTS, Entry, Loop, Program, Store
from tellegen.ir.reduced import Candidates, ReducedModel


def add_constraint_jacobian(program: Program, model: ReducedModel) -> Program:
    """The program with that entry point; the same one where there is nothing to choose."""
    candidates = model.candidates
    if candidates is None:
        return program
    jacobian = program.entries["jacobian"]
    pair_of_place = np.full(program.pattern.count, -1)
    place = _places(program, model, candidates)
    pair_of_place[place[place >= 0]] = np.flatnonzero(place >= 0)
    loops = tuple(found for loop in jacobian.loops for found in _restricted(loop, pair_of_place))
    is_constant = not bool(candidates.varying.any())  # then it is called once
    entry = Entry(CONSTRAINTS, jacobian.scalars, jacobian.arrays, loops, sequential=is_constant)
    return replace(program, entries={**program.entries, CONSTRAINTS: entry})


def _places(program: Program, model: ReducedModel, candidates: Candidates) -> IntArray:
    """Where the Jacobian's pattern has each pair; -1: nowhere."""
    highest = candidates.chain[np.arange(len(candidates.d)), candidates.d]
    rows = candidates.rows[candidates.pairs[:, 0]]
    columns = model.position[highest[candidates.pairs[:, 1]]]
    pattern = program.pattern
    number = np.arange(1, pattern.count + 1)
    return sums_at(rows, columns, pattern.indices, pattern.column_of_entry, number).astype(np.int64) - 1


def _restricted(loop: Loop, pair_of_place: IntArray) -> list[Loop]:
    """The loops over those rows that compute a pair, one for each set of stores that do so together."""
    targets = pair_of_place[np.stack([loop.table[:, store.column] for store in loop.stores], axis=1)]
    computes = targets >= 0
    found = []
    for pattern, rows in distinct_rows(computes):
        columns = np.flatnonzero(pattern)
        if not len(columns):
            continue
        width = loop.table.shape[1]
        table = np.column_stack([loop.table[rows], targets[rows][:, columns]])
        stores = tuple(
            Store(loop.stores[column].array, width + k, loop.stores[column].value)
            for k, column in enumerate(columns.tolist())
        )
        found.append(Loop(np.ascontiguousarray(table, np.int32), loop.operands, stores))
    return found
