"""Tiny linear blocks as closed formulas: all unknowns of a block computed in one piece of straight-line code.

    block  L1*di1 + M*di2 - u1,  M*di1 + L2*di2 - u2        two tears

    yp[i1], yp[i2] = the elimination of symbolic/eliminate.py, with L1, L2, M, u1, u2 read from y and p

Inner unknowns are affine in the tears; their coefficients are found in symbols, then those of the rows that judge.
Blocks of the same look are rows of one loop. A result that is not finite (a singular block) is thrown away by the
solver, which then factors the matrix and can say what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.codegen.solve import StepRows
from tellegen.dataflow.rows import Rows, RowSet
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Der, Expr, Slot, rebuild, same_with, walk
from tellegen.ir.model import Array
from tellegen.ir.program import Loop, Operand, Store
from tellegen.ir.reduced import UNKNOWN, ReducedModel
from tellegen.symbolic.build import add, call, div, mul, neg
from tellegen.symbolic.eliminate import solve_linear
from tellegen.symbolic.partial import partial

MOST_TEARS = 3
MOST_ROWS = 24
_MOST_NODES = 600
_MOST_LOOKS = 8

Element = tuple[str, int]
"""An array and a place in it."""


def closed_loops(model: ReducedModel, rows: Rows, step: StepRows) -> list[Loop]:
    """The loops that compute all unknowns of a linear step; none where formulas would be long."""
    sizes = np.diff(step.start)
    if (sizes > MOST_ROWS).any() or (sizes - step.inner_count > MOST_TEARS).any():
        return []
    found = _found(rows, step)
    looks: dict[Any, tuple[_Block, list[list[int]]]] = {}
    for begin, end, inner in zip(step.start[:-1], step.start[1:], step.inner_count, strict=True):
        block = _Block()
        for row in step.rows[begin:end]:
            if row not in found:
                return []  # a long sum
            block.add(*found[row], _unknown(model, int(step.blocks.assigned[row])))
        look, positions = looks.setdefault((int(inner), *block.look), (block, []))
        look.inner = int(inner)
        positions.append([position for _, position in block.elements])
        if len(looks) > _MOST_LOOKS:
            return []
    loops = [_loop(look, np.array(positions, np.int32)) for look, positions in looks.values()]
    nodes = sum(1 for loop in loops for _ in walk(*(store.value for store in loop.stores)))
    return loops if nodes <= _MOST_NODES else []


def _found(rows: Rows, step: StepRows) -> dict[int, tuple[int, RowSet, int]]:
    """For the rows of a step the number of their set, the set, and their number in it."""
    out: dict[int, tuple[int, RowSet, int]] = {}
    for number, part in enumerate(rows.sets):
        for local in np.flatnonzero(step.index[part.rows] >= 0):
            out[int(part.rows[local])] = (number, part, int(local))
    return out


def _unknown(model: ReducedModel, column: int) -> Element:
    return ("yp" if model.is_state[column] else "y", column)


class _Block:
    """The rows of a block over one list of elements; `look` is the same for blocks that differ in places only."""

    def __init__(self) -> None:
        self.elements: dict[Element, int] = {}
        self.rows: list[Expr] = []
        self.unknowns: list[Slot] = []
        self.look: list[Any] = []
        self.inner = 0

    def slot(self, element: Element) -> Slot:
        return Slot(self.elements.setdefault(element, len(self.elements)))

    def add(self, number: int, part: RowSet, local: int, unknown: Element) -> None:
        """One more row, with the unknown that is its own."""
        positions = part.indices[local]
        leaves = [node for node in walk(part.residual) if isinstance(node, Slot | Der)]
        slots = {leaf: self.slot(_element(part, leaf, int(positions[leaf.index]))) for leaf in leaves}
        own = self.slot(unknown)
        self.unknowns.append(own)
        self.look.append((number, own.index, *(slot.index for slot in slots.values())))

        def placed(node: Expr, args: tuple[Expr, ...]) -> Expr:
            return slots[node] if isinstance(node, Slot | Der) else same_with(node, args)

        self.rows.append(rebuild(part.residual, placed))

    def solved(self) -> list[Expr]:
        """The unknowns, in the order of the rows."""
        forms: dict[Slot, list[Expr]] = {}  # coefficients of the tears, then the rest
        tears = self.unknowns[self.inner :]
        for k, tear in enumerate(tears):
            forms[tear] = [*(ONE if j == k else ZERO for j in range(len(tears))), ZERO]
        for row, own in zip(self.rows[: self.inner], self.unknowns, strict=False):
            parts = self._form(row, forms, len(tears))
            forms[own] = [neg(div(part, partial(row, own))) for part in parts]
        judges = [self._form(row, forms, len(tears)) for row in self.rows[self.inner :]]
        found = solve_linear([form[:-1] for form in judges], [neg(form[-1]) for form in judges])
        values = [add(forms[u][-1], *map(mul, forms[u][:-1], found)) for u in self.unknowns[: self.inner]]
        return [*values, *found]

    def _form(self, row: Expr, forms: dict[Slot, list[Expr]], tears: int) -> list[Expr]:
        """A row as coefficients of the tears and a rest; unknowns without a form yet are left out."""
        unknowns = frozenset(self.unknowns)

        def without(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if node in unknowns:
                return ZERO
            return call(node.op, *args) if isinstance(node, Call) else same_with(node, args)

        terms: list[list[Expr]] = [[] for _ in range(tears + 1)]
        terms[-1].append(rebuild(row, without))
        for node in walk(row):
            if isinstance(node, Slot) and node in forms:
                factor = partial(row, node)
                for k, part in enumerate(forms[node]):
                    terms[k].append(mul(factor, part))
        return [add(*parts) for parts in terms]


def _element(part: RowSet, leaf: Slot | Der, position: int) -> Element:
    if isinstance(leaf, Der):
        return "yp", position
    return ("y" if part.kinds[leaf.index] == UNKNOWN else "p"), position


def _loop(block: _Block, table: Array) -> Loop:
    """The formulas of a block as a loop over the places of all blocks of its look."""
    values = block.solved()
    arrays = [array for array, _ in block.elements]
    used = sorted({node.index for node in walk(*values) if isinstance(node, Slot)})
    number = {index: Slot(k) for k, index in enumerate(used)}

    def renumbered(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return number[node.index] if isinstance(node, Slot) else same_with(node, args)

    operands = tuple(Operand(arrays[index], index) for index in used)
    stores = tuple(
        Store(arrays[own.index], own.index, rebuild(value, renumbered))
        for own, value in zip(block.unknowns, values, strict=True)
    )
    return Loop(np.ascontiguousarray(table), operands, stores)
