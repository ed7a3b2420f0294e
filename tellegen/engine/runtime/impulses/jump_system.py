"""Native: the equations of an instant in which states jump together, and linear systems with the part that moves.

Constraints hold after the jump; all other equations are integrated over the instant (impulse_structure.py).
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.algebra.dense_lu import dense_factor, dense_solve
from tellegen.engine.runtime.impulses.jump_record import JumpRun, Large
from tellegen.procedures.language import Array, f64, i64, procedure

_HOLDS = 1e-10  # of the terms of an equation
_SMALL = 1e-8  # of the largest terms of all: terms that may be roundings


@procedure(seldom=True)
def fill_matrix(run: JumpRun, y: Array[f64], out: Array[f64]) -> None:
    """The derivatives of the equations by the highest derivatives of the unknowns."""
    ev = run.events
    entry = run.jacobian
    for k in range(entry.count):
        entry.calls[k](ev.t, 1.0, 0.0, y, ev.yp, ev.p, run.by_value, entry.tables)
        entry.calls[k](ev.t, 0.0, 1.0, y, ev.yp, ev.p, run.by_rate, entry.tables)
    for e in range(run.entry_count):
        place = run.entry_place[e]
        out[e] = run.by_rate[place] if run.entry_is_rate[e] != 0 else run.by_value[place]


@procedure(seldom=True)
def fill_after(run: JumpRun) -> None:
    """The unknowns after the jump; what is neither a state nor tied to one is as before."""
    for k in range(run.events.size):
        run.y_after[k] = run.y_before[k]
    for c in range(run.size):
        if run.jumping[c] >= 0:
            run.y_after[run.jumping[c]] += run.jump[c]


@procedure(seldom=True)
def fill_tangent(run: JumpRun) -> None:
    """The derivatives of the residual: only those of constraints depend on the jump."""
    fill_after(run)
    fill_matrix(run, run.y_after, run.tangent)
    for e in range(run.entry_count):
        if run.before[run.entry_row[e]] < 0:
            run.tangent[e] = run.matrix[e]


@procedure(seldom=True)
def judge(run: JumpRun) -> bool:
    """What the equations are off by, and which constraints hold up to roundings; whether all do."""
    ev = run.events
    n = run.size
    fill_after(run)
    own = run.residual
    for k in range(own.count):
        own.calls[k](ev.t, run.y_after, ev.yp, ev.p, run.residuals, own.tables)
    for i in range(n):
        run.off[i] = run.residuals[run.before[i]] if run.before[i] >= 0 else 0.0
        run.terms[i] = 0.0
    for e in range(run.entry_count):
        i = run.entry_row[e]
        c = run.entry_column[e]
        if run.before[i] < 0:
            run.off[i] += run.matrix[e] * run.jump[c]
        size = abs(run.jump[c])
        if run.jumping[c] >= 0:
            size += abs(run.y_before[run.jumping[c]])
        run.terms[i] += abs(run.matrix[e]) * size
    largest = 0.0
    for i in range(n):
        if run.before[i] >= 0:
            largest = max(largest, run.terms[i])
    everything = True
    for i in range(n):
        is_small = abs(run.off[i]) <= _HOLDS * (run.terms[i] + _SMALL * largest)
        run.holds[i] = 1 if run.before[i] < 0 or is_small else 0
        everything = everything and run.holds[i] != 0
    return everything


@procedure(seldom=True)
def is_left(run: JumpRun, e: i64) -> bool:
    """Whether an entry is in a row and a column that are left, and not zero."""
    return (
        run.matrix[e] != 0.0 and run.row_number[run.entry_row[e]] >= 0 and run.column_number[run.entry_column[e]] >= 0
    )


@procedure(seldom=True)
def find_moving(run: JumpRun) -> None:
    """The equations and unknowns that are left when all that has no impulse is left out, one after the other.

    An equation that holds already and has a single unknown left says that this one does not jump. Roundings would
    let it, and a contact that just touches would count as an impact.
    """
    for i in range(run.size):
        run.row_number[i] = 0
        run.column_number[i] = 0
    found = True
    while found:
        found = False
        for i in range(run.size):
            run.count[i] = 0
        for e in range(run.entry_count):
            if is_left(run, e):
                run.count[run.entry_row[e]] += 1
        for e in range(run.entry_count):
            i = run.entry_row[e]
            c = run.entry_column[e]
            if run.stays[i] != 0 and run.count[i] == 1 and run.is_prescribed[c] == 0 and is_left(run, e):
                run.row_number[i] = -1
                run.column_number[c] = -1
                found = True
    number_part(run)


@procedure(seldom=True)
def number_part(run: JumpRun) -> None:
    """Number what is left; nothing where all of it stays."""
    moves = False
    for i in range(run.size):
        moves = moves or (run.row_number[i] >= 0 and run.stays[i] == 0)
    rows = 0
    columns = 0
    for i in range(run.size):
        if not moves:
            run.row_number[i] = -1
            run.column_number[i] = -1
        if run.row_number[i] >= 0:
            run.row_number[i] = rows
            run.part_row[rows] = i
            rows += 1
        if run.column_number[i] >= 0:
            run.column_number[i] = columns
            run.part_column[columns] = i
            columns += 1
    run.part_size = rows


@procedure(seldom=True)
def factor(run: JumpRun, values: Array[f64]) -> bool:
    """Factor the moving part of a matrix; False where it is singular. Rows are scaled, because their units differ."""
    n = run.part_size
    if n > run.room:
        for e in range(run.entry_count):
            run.tangent[e] = values[e]
        return run.large is not None and run.large(Large.FACTOR) == 0
    for k in range(n * n):
        run.dense[k] = 0.0
    for e in range(run.entry_count):
        i = run.row_number[run.entry_row[e]]
        c = run.column_number[run.entry_column[e]]
        if i >= 0 and c >= 0:
            run.dense[i * n + c] += values[e]
    for i in range(n):
        row = run.dense[i * n :]
        largest = 0.0
        for c in range(n):
            largest = max(abs(row[c]), largest)
        if not (0.0 < largest < math.inf):
            return False
        run.row_scale[i] = 1.0 / largest
        for c in range(n):
            row[c] = row[c] * run.row_scale[i]
    return dense_factor(run.dense, run.pivots, n) == 0


@procedure(seldom=True)
def solve(run: JumpRun) -> None:
    """`right` := the solution with the factored part."""
    n = run.part_size
    if n > run.room:
        if run.large is None or run.large(Large.SOLVE) != 0:
            for i in range(n):
                run.right[i] = math.nan
        return
    for i in range(n):
        run.right[i] = run.right[i] * run.row_scale[i]
    dense_solve(run.dense, run.pivots, n, run.right)


@procedure(seldom=True)
def fill_effect(run: JumpRun, number: i64) -> None:
    """What a unit impulse in the equation of a reinit does to all columns."""
    effect = run.effects[number * run.size :]
    for c in range(run.size):
        effect[c] = 0.0
    for i in range(run.part_size):
        run.right[i] = 0.0
    run.right[run.row_number[run.given[number]]] = 1.0
    solve(run)
    for c in range(run.part_size):
        effect[run.part_column[c]] = run.right[c]
