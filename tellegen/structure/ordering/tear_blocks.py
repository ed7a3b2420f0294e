"""Decide how each block is solved, and tear the loops.

    before   block  v1 - R1*i == 0,  v2 - R2*i == 0,  u - v1 - v2 == 0          unknowns v1, v2, i
    after    linear, constant;  tear i;  inner  v1 := R1*i,  v2 := R2*i;  judged by  u - v1 - v2 == 0

A block of one row is explicit when its unknown occurs linearly. A larger block is linear when every row is affine in
the block's unknowns together, constant when moreover only parameters enter the coefficients. Inside a loop a row is
solved only for an unknown with a plain number as coefficient: a division by what may vanish (a resistance that
somebody sets to zero) would spoil a system that has a solution. So would one by a number that is the rounding of
zero, such as 6e-17 for cos(pi/2) beside others of size one. An unknown inside an exponential is not solved for but
guessed: with v as the tear of i = exp(v), v = u - R*i Newton's method corrects v by what is missing in volts, with
i as the tear a small error of i would be raised to a power. In mechanisms what no row can be solved for is guessed
first, for it has to be in any case: the forces that close loops. Large blocks are not torn: a sparse factorization
does better.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tellegen.dataflow.rows import Rows, RowSet, rows_of
from tellegen.graph.sets import distinct_rows
from tellegen.graph.tearing import Tearing, tear
from tellegen.ir.expressions.expr import Call, Der, Expr, Slot, Time, walk
from tellegen.ir.reduced import PARAMETER, Wanted
from tellegen.ir.sorted import LINEAR, NONLINEAR, Blocks, SortedModel
from tellegen.start.records import dataclass
from tellegen.symbolic.build import number
from tellegen.symbolic.partial import partial
from tellegen.symbolic.solve import affine, is_affine, solved_for

LARGEST_TORN = 200
MOST_TEARS = 30
"""Blocks with more rows, or more tears, are solved as they are by a sparse factorization."""

LARGEST_MECHANISM = 5000
"""But those of mechanisms are long and have few tears: the forces that close loops."""

_NEGLIGIBLE = 1e-9
"""Of the largest number that multiplies an unknown of a row: smaller ones may be what roundings left of zero."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Occurrences of a block's unknowns in its rows, whether the row can be solved for the unknown, and whether the
    unknown is to be guessed."""

    row: Any
    column: Any
    solvable: Any
    guessed: Any


def tear_blocks(model: SortedModel) -> SortedModel:
    """See the top of this file."""
    is_mechanism = model.flat.mechanism is not None
    return replace(model, blocks=torn(model.blocks, rows_of(model), model.wanted, is_mechanism))


def torn(blocks: Blocks, rows: Rows, wanted: Wanted, is_mechanism: bool = False) -> Blocks:
    """The blocks, each with the way it is solved and its tears."""
    kind, constant = _kinds(blocks, rows, wanted)
    blocks = replace(blocks, kind=kind, constant=constant)
    large = np.flatnonzero((blocks.size > 1) & (blocks.size <= (LARGEST_MECHANISM if is_mechanism else LARGEST_TORN)))
    if not len(large):
        return blocks
    entries = _entries(blocks, rows, wanted)
    return _torn(blocks, _closing_first(entries) if is_mechanism else entries, large)


def _closing_first(entries: Entries) -> Entries:
    """Entries that guess what no row can be solved for: the forces that close loops are the tears, and no others."""
    solved = np.zeros(int(entries.column.max(initial=-1)) + 1, bool)
    solved[entries.column[entries.solvable]] = True
    return replace(entries, guessed=entries.guessed | ~solved[entries.column])


def _kinds(blocks: Blocks, rows: Rows, wanted: Wanted) -> tuple[Any, Any]:
    """Kind of each block and whether it is linear with constant coefficients."""
    explicit, linear, constant = (np.ones(len(blocks.block), bool) for _ in range(3))
    owner = _owner(blocks)
    for part in rows.sets:
        mask = _in_block(part, _columns(part, wanted), blocks, owner)
        for pattern, chosen in distinct_rows(mask):
            mine = part.rows[chosen]
            inside = [leaf for leaf, flag in zip(part.leaves, pattern, strict=True) if flag]
            if len(inside) == 1:
                explicit[mine] = solved_for(part.residual, inside[0]) is not None
            linear[mine] = is_affine(part.residual, frozenset(inside).__contains__)
            constant[mine] = linear[mine] & all(_only_parameters(part, leaf, rows.constants) for leaf in inside)
    alone = blocks.size == 1
    of_block = {name: np.ones(len(blocks.level), bool) for name in ("explicit", "linear", "constant")}
    for name, flags in (("explicit", explicit), ("linear", linear), ("constant", constant)):
        np.logical_and.at(of_block[name], blocks.block, flags)
    kind = np.where(of_block["linear"], LINEAR, NONLINEAR)
    kind[alone] = np.where(of_block["explicit"][alone], 0, NONLINEAR)
    return kind.astype(np.int8), of_block["constant"] & (kind == LINEAR)


def _owner(blocks: Blocks) -> Any:
    """The block of each unknown."""
    owner = np.empty(len(blocks.assigned), np.int64)
    owner[blocks.assigned] = blocks.block
    return owner


def _columns(part: RowSet, wanted: Wanted) -> Any:
    """Per row and leaf the column of the leaf, -1 where it is given."""
    columns = [part.columns(leaf, wanted) for leaf in part.leaves]
    return np.stack(columns, axis=1) if columns else np.zeros((len(part.rows), 0), np.int64)


def _in_block(part: RowSet, columns: Any, blocks: Blocks, owner: Any) -> Any:
    """Per row and leaf whether the leaf is an unknown of the row's own block."""
    return (columns >= 0) & (owner[columns] == blocks.block[part.rows][:, None])


def _only_parameters(part: RowSet, leaf: Slot | Der, constants: int) -> bool:
    """Whether the coefficient of the leaf stays the same over a run: no time, no unknown, no flag of an event."""
    for node in walk(partial(part.residual, leaf)):
        if isinstance(node, Time | Der) or (isinstance(node, Slot) and part.kinds[node.index] != PARAMETER):
            return False
        if isinstance(node, Slot) and (part.indices[:, node.index] >= constants).any():
            return False
    return True


def _solvable(part: RowSet) -> list[bool]:
    """For each leaf whether the row may be solved for it inside a loop."""
    sizes = [_coefficient(part, leaf) for leaf in part.leaves]
    smallest = _NEGLIGIBLE * max(sizes, default=0.0)
    return [size > smallest for size in sizes]


def _coefficient(part: RowSet, leaf: Slot | Der) -> float:
    """The size of the number that multiplies the leaf; zero for any other coefficient."""
    parts = affine(part.residual, leaf)
    return 0.0 if parts is None else abs(number(parts[0]) or 0.0)


def _steep(part: RowSet) -> set[Expr]:
    """What stands inside exponentials of a row."""
    return {
        inside for node in walk(part.residual) if isinstance(node, Call) and node.op == "exp" for inside in walk(node)
    }


def _entries(blocks: Blocks, rows: Rows, wanted: Wanted) -> Entries:
    """All occurrences inside blocks of several rows."""
    owner = _owner(blocks)
    guessed = np.zeros(len(owner), bool)
    several = blocks.size[blocks.block] > 1
    found: list[tuple[Any, Any, Any]] = []
    for part in rows.sets:
        columns = _columns(part, wanted)
        mask = _in_block(part, columns, blocks, owner) & several[part.rows][:, None]
        if not mask.any():
            continue
        steep = _steep(part)
        for k, (leaf, solvable) in enumerate(zip(part.leaves, _solvable(part), strict=True)):
            mine = mask[:, k]
            if mine.any():
                guessed[columns[mine, k]] |= leaf in steep
                found.append((part.rows[mine], columns[mine, k], np.full(mine.sum(), solvable)))
    row = rows.sums.row
    column = rows.columns_of_sums(wanted)
    inside = (column >= 0) & (owner[column] == blocks.block[row]) & several[row]
    found.append((row[inside], column[inside], np.ones(int(inside.sum()), bool)))
    row, column, solvable = (np.concatenate([part[k] for part in found]) for k in range(3))
    return Entries(row, column, solvable & ~guessed[column], guessed[column])


def _torn(blocks: Blocks, entries: Entries, chosen: Any) -> Blocks:
    """The blocks with tears; blocks of one pattern are torn once."""
    assigned = blocks.assigned.copy()
    inner = blocks.inner.copy()
    rows_by_block = np.argsort(blocks.block, kind="stable")
    row_start = np.concatenate([[0], np.cumsum(blocks.size)])
    order = np.lexsort((entries.column, entries.row, blocks.block[entries.row]))
    start = np.searchsorted(blocks.block[entries.row[order]], np.arange(len(blocks.level) + 1))
    for block in chosen:
        rows = np.sort(rows_by_block[row_start[block] : row_start[block + 1]])
        mine = order[start[block] : start[block + 1]]
        columns = np.sort(blocks.assigned[rows])
        pattern = np.stack(
            [
                np.searchsorted(rows, entries.row[mine]),
                np.searchsorted(columns, entries.column[mine]),
                entries.solvable[mine],
                entries.guessed[mine],
            ]
        ).astype(np.int32)
        found = _tear_pattern(len(rows), pattern.tobytes())
        if len(found.tears) > MOST_TEARS:
            continue
        for (row, column), level in zip(found.inner, _inner_levels(found, pattern), strict=True):
            assigned[rows[row]] = columns[column]
            inner[rows[row]] = level
        assigned[rows[list(found.residuals)]] = columns[list(found.tears)]
    return replace(blocks, assigned=assigned, inner=inner)


@cache
def _tear_pattern(count: int, pattern: bytes) -> Tearing:
    """The tearing of a block given by its local rows, columns, what can be solved and what is to be guessed."""
    rows, columns, solvable, guessed = np.frombuffer(pattern, np.int32).reshape(4, -1).tolist()
    unknowns: list[list[int]] = [[] for _ in range(count)]
    can: list[set[int]] = [set() for _ in range(count)]
    for row, column, flag in zip(rows, columns, solvable, strict=True):
        unknowns[row].append(column)
        if flag:
            can[row].add(column)
    return tear(unknowns, can, sorted({column for column, flag in zip(columns, guessed, strict=True) if flag}))


def _inner_levels(found: Tearing, pattern: Any) -> list[int]:
    """The level of each inner row: one more than that of the inner unknowns it needs."""
    level_of: dict[int, int] = dict.fromkeys(found.tears, -1)
    needs: dict[int, list[int]] = {}
    for row, column in zip(pattern[0].tolist(), pattern[1].tolist(), strict=True):
        needs.setdefault(row, []).append(column)
    out = []
    for row, column in found.inner:
        level = 1 + max((level_of[c] for c in needs[row] if c != column), default=-1)
        level_of[column] = level
        out.append(level)
    return out
