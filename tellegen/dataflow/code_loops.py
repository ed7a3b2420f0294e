"""Algebraic loops that go through the user's code: which components form them, and how they are solved.

y == f(u),  u == w - 2*y          f's output is needed for its own input:   control -> loop -> control
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.dataflow.rows import RowSet, rows_of
from tellegen.ir.expressions.expr import Apply, Function, walk
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import written_row
from tellegen.ir.sorted import EXPLICIT, SortedModel
from tellegen.start.records import dataclass

_SHOWN = 8


@dataclass(frozen=True)
class CodeLoop:
    """Components in the order a value goes round, from the first back to itself; the user's functions in the block."""

    components: tuple[str, ...]
    functions: tuple[Function, ...]
    rows: tuple[int, ...]
    tears: int  # unknowns that Newton's method iterates

    def __str__(self) -> str:
        return written_round(self.components)


def written_round(components: Sequence[str]) -> str:
    """a -> b -> a."""
    return " -> ".join((*components[:_SHOWN], *(["..."] if len(components) > _SHOWN else []), components[0]))


def functions_of(model: ReducedModel, at_instants: bool = False) -> list[Function]:
    """The user's functions in the equations of a model, each once; with those that run at instants if asked for."""
    values = model.events.values.groups if at_instants and model.events is not None else ()
    nodes = (node for group in (*model.groups, *values) for node in walk(group.residual))
    return list(dict.fromkeys(node.function for node in nodes if isinstance(node, Apply)))


def component_of(model: ReducedModel, row: int) -> str:
    """The path of the component an equation belongs to; the model itself has its name, a connection none."""
    written = written_row(model, row)
    if written is None:
        return ""
    group, local = written
    return model.flat.tree.path(*group.owner(local)) or model.flat.name


def code_loops(model: SortedModel) -> list[CodeLoop]:
    """The loops of a model whose blocks are known, one for each block that is not explicit and calls functions."""
    blocks = model.blocks
    owner = np.empty(len(blocks.assigned), np.int64)
    owner[blocks.assigned] = np.arange(len(owner))  # the row that determines each unknown
    found: dict[int, dict[Function, int]] = {}
    for part in rows_of(model).sets:
        for call in [node for node in walk(part.residual) if isinstance(node, Apply)]:
            for row in _inside(model, part, call, owner):
                found.setdefault(int(blocks.block[row]), {}).setdefault(call.function, row)
    out = []
    for block, calls in sorted(found.items()):
        rows = np.flatnonzero(blocks.block == block)
        round_ = _round(model, rows, owner, next(iter(calls.values())))
        out.append(CodeLoop(round_, tuple(calls), tuple(rows.tolist()), int(blocks.tears[block])))
    return out


def _inside(model: SortedModel, part: RowSet, call: Apply, owner: Any) -> list[int]:
    """The rows of a set where the call reads an unknown of its own block that is not explicit."""
    blocks = model.blocks
    own = blocks.block[part.rows]
    reads = np.zeros(len(part.rows), bool)
    below = set(walk(*call.args))
    for leaf in part.leaves:
        if leaf in below:
            column = part.columns(leaf, model.wanted)
            reads |= (column >= 0) & (blocks.block[owner[column]] == own)
    return [int(row) for row in part.rows[reads & (blocks.kind[own] != EXPLICIT)]]


def _round(model: SortedModel, rows: Any, owner: Any, first: int) -> tuple[str, ...]:
    """The components on a shortest way from the unknown of row `first` back to it."""
    inside = set(rows.tolist())
    users: dict[int, list[int]] = {row: [] for row in inside}
    for row, column in zip(*_occurrences(model), strict=True):
        if row in inside and (producer := int(owner[column])) in inside:
            users[producer].append(int(row))
    names = [component_of(model, row) for row in shortest_round(users, first)]
    kept = [name for k, name in enumerate(names) if name and (k == 0 or name != names[k - 1])]
    return tuple(kept[:-1] if len(kept) > 1 and kept[0] == kept[-1] else kept)


def shortest_round(users: dict[int, list[int]], first: int) -> list[int]:
    """The nodes on a shortest way from the first back to it, in this order; `users` are those that need a node."""
    alone = len(users) == 1
    before = dict[int, int]()
    waiting = deque([first])
    while waiting and first not in before:
        node = waiting.popleft()
        for user in users.get(node, ()):
            if user not in before and (user != node or alone):
                before[user] = node
                waiting.append(user)
    way = [first]
    while before.get(way[-1], first) != first:
        way.append(before[way[-1]])
    return [way[0], *reversed(way[1:])]


def _occurrences(model: SortedModel) -> tuple[Any, Any]:
    rows, columns = rows_of(model).occurrences(model.wanted)
    return rows.tolist(), columns.tolist()
