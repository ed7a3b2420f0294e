"""What must hold of a SortedModel: every equation determines one unknown, and needs none that comes later."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from tellegen.ir.check.faults import Indices, once, refuse, within
from tellegen.ir.check.reduced_model import reduced_faults
from tellegen.ir.expressions.expr import Der, Expr, Slot, walk
from tellegen.ir.reduced import UNKNOWN, ReducedModel
from tellegen.ir.sorted import EXPLICIT, LINEAR, NONLINEAR, Blocks, SortedModel


def check_sorted(model: SortedModel) -> None:
    """Raise E903 when a SortedModel is not well formed."""
    refuse(f"sorted model {model.flat.name}", sorted_faults(model))


def sorted_faults(model: SortedModel, before: ReducedModel | None = None) -> Iterator[str]:
    """All that is wrong with a model; those after the first may follow from it. `before` as in `reduced_faults`."""
    yield from reduced_faults(model, before)
    yield from _shape_faults(model.blocks, model.equation_count)
    if model.blocks.reason:
        return  # there is no order to speak of
    if not once(model.blocks.assigned, len(model.unknowns)):
        yield "an unknown that is determined twice, or not at all"
    yield from _order_faults(model.blocks, *_occurrences(model))
    yield from _solution_faults(model.blocks)


def _shape_faults(blocks: Blocks, equations: int) -> Iterator[str]:
    count = len(blocks.level)
    if not len(blocks.assigned) == len(blocks.block) == len(blocks.inner) == equations:
        yield f"an order that is not one of {equations} equations"
    if not len(blocks.kind) == len(blocks.constant) == count:
        yield f"{len(blocks.kind)} kinds for {count} blocks"
    if not within(blocks.block, count) or not blocks.size.all():
        yield "a block without equations, or an equation without a block"
    if (np.diff(blocks.level) < 0).any():
        yield "blocks that are not in the order of their levels"
    if not np.isin(blocks.kind, (EXPLICIT, LINEAR, NONLINEAR)).all():
        yield "a block that is neither explicit, linear nor nonlinear"


def _occurrences(model: ReducedModel) -> tuple[Indices, Indices]:
    """Equation and column of every unknown that is to be computed: rates of states, values of all others."""
    rows: list[Indices] = []
    columns: list[Indices] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        slots, is_rate = _read_unknowns(group.residual, group.kinds)
        column = model.position[group.bindings[:, slots]]
        computed = model.is_state[column] == is_rate
        rows.append(offset + computed.nonzero()[0])
        columns.append(column[computed])
    column = model.position[model.linear.indices]
    computed = (column >= 0) & ~model.is_state[column]
    rows.append(model.offsets[-1] + model.linear.row_of_entry[computed])
    columns.append(column[computed])
    return np.concatenate(rows), np.concatenate(columns)


@lru_cache(maxsize=4096)
def _read_unknowns(residual: Expr, kinds: tuple[str, ...]) -> tuple[list[int], list[bool]]:
    """The slots of unknowns that an expression reads, and for each of them whether it reads the rate."""
    nodes = [node for node in walk(residual) if isinstance(node, Slot | Der) and kinds[node.index] == UNKNOWN]
    return [node.index for node in nodes], [isinstance(node, Der) for node in nodes]


def _order_faults(blocks: Blocks, rows: Indices, columns: Indices) -> Iterator[str]:
    """An equation reads unknowns of its own block and of lower levels; inside a block inner rows follow one another."""
    maker = np.empty(len(blocks.assigned), np.int64)
    maker[blocks.assigned] = np.arange(len(maker))
    solved = (blocks.inner >= 0) | (blocks.size[blocks.block] == 1)  # for its own unknown
    solved[rows[columns == blocks.assigned[rows]]] = False
    if solved.any():
        yield f"equation {np.flatnonzero(solved)[0]} does not contain the unknown it is solved for"
    made_by = maker[columns]
    inside = blocks.block[made_by] == blocks.block[rows]
    late = ~inside & (blocks.level[blocks.block[made_by]] >= blocks.level[blocks.block[rows]])
    if late.any():
        yield f"equation {rows[late][0]} needs an unknown that a later block computes"
    inner = inside & (blocks.inner[rows] >= 0) & (made_by != rows)
    late = inner & (blocks.inner[made_by] >= blocks.inner[rows])
    if late.any():
        yield f"equation {rows[late][0]} needs an unknown that a later equation of its block computes"


def _solution_faults(blocks: Blocks) -> Iterator[str]:
    """An explicit block is one equation; any other has unknowns to solve for together."""
    explicit = blocks.kind == EXPLICIT
    if (blocks.size[explicit] != 1).any():
        yield "an explicit block of several equations"
    if (blocks.inner[explicit[blocks.block]] >= 0).any():
        yield "an explicit block with a tear"
    if (blocks.tears[~explicit] < 1).any():
        yield "a block that is solved for nothing"
    if (blocks.constant & (blocks.kind != LINEAR)).any():
        yield "a block with constant coefficients that is not linear"
