"""Equations of different modes that become one row: those that resemble each other most.

    mode "a": der(x) == v, v == 1          rows   der(x) == v    |  der(x) == 0
    mode "b": v == u,  der(x) == 0                v == 1         |  v == u

Any choice gives the same solution; a good one keeps the blocks that must be solved together small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.frontends.python.expressions.symbol import Literal, Symbol, operation, pick_flat
from tellegen.frontends.python.tracing.trace import leaves_first
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Row:
    """An equation that reads the mode, and the equations it stands for, by the names of their modes."""

    lhs: Symbol
    rhs: Symbol
    cases: tuple[tuple[str, Symbol, Symbol], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the equation."""
        return np.broadcast_shapes(self.lhs.shape, self.rhs.shape)

    def scalars(self) -> list[Row]:
        """The row element by element."""
        if not self.shape:
            return [self]
        return [self._element(np.asarray(k)) for k in range(int(np.prod(self.shape)))]

    def _element(self, k: np.ndarray[Any, Any]) -> Row:
        def of(lhs: Symbol, rhs: Symbol) -> tuple[Symbol, Symbol]:
            left, right = pick_flat(operation("eq", lhs, rhs), k).args
            return left, right

        return Row(*of(self.lhs, self.rhs), tuple((name, *of(lhs, rhs)) for name, lhs, rhs in self.cases))


def key_of(symbol: Symbol) -> Any:
    """Something equal for symbols that mean the same."""
    done: dict[int, Any] = {}
    for node in leaves_first(symbol):
        if isinstance(node, Leaf):
            done[id(node)] = _leaf_key(node)
        elif isinstance(node, Literal):
            done[id(node)] = (node.value.shape, node.value.tobytes())
        elif not node.args and node.op == "declared":
            done[id(node)] = id(node)
        else:
            done[id(node)] = (node.op, node.shape, id(node.extra), *(done[id(arg)] for arg in node.args))
    return done[id(symbol)]


def _leaf_key(leaf: Leaf) -> Any:
    return leaf.owner._path(), leaf.member, None if leaf.chosen is None else (leaf.shape, leaf.chosen.tobytes())


def paired(modes: list[list[Row]]) -> list[tuple[Row, ...]]:
    """Rows of equal number in all modes, brought together; arrays stay whole where all modes have the same shapes."""
    if len({tuple(sorted(row.shape for row in rows)) for rows in modes}) > 1:
        modes = [[part for row in rows for part in row.scalars()] for rows in modes]
    from scipy.optimize import linear_sum_assignment  # here, since it takes a fifth of the time of `import tellegen`

    groups = [[row] for row in modes[0]]
    seen = [_unknowns(row) for row in modes[0]]
    for rows in modes[1:] if groups else ():
        mine = [_unknowns(row) for row in rows]
        cost = np.array(
            [[_cost(groups[i][0], seen[i], rows[j], mine[j]) for j in range(len(rows))] for i in range(len(rows))]
        )
        cost += 1e-6 * np.abs(np.subtract.outer(np.arange(len(rows)), np.arange(len(rows))))  # as written, if in doubt
        for i, j in zip(*linear_sum_assignment(cost), strict=True):
            groups[i].append(rows[j])
            seen[i] |= mine[j]
    return [tuple(group) for group in groups]


def _cost(first: Row, seen: set[Any], other: Row, mine: set[Any]) -> float:
    """How many unknowns the common row has; less when both sides have the same left side."""
    if first.shape != other.shape:
        return 1e9
    return len(seen | mine) - (0.5 if key_of(first.lhs) == key_of(other.lhs) else 0.0)


def _unknowns(row: Row) -> set[Any]:
    """The variables of a row, and apart from them the derivatives."""
    found: set[Any] = set()
    for node in leaves_first(operation("sub", row.lhs, row.rhs)):
        if node.op == "der":
            found.add(("der", key_of(node.args[0])))
        elif isinstance(node, Leaf) and isinstance(node.decl, VariableDecl) and not node.decl.discrete:
            found.add(key_of(node))
    return found
