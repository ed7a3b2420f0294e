"""Loops at instants: sampled code that needs, through equations and other actions, what it gives itself.

    when sample(0, T): a.y := f(b.y)        b.y == 2*a.y + x          a.y -> b.y -> a.y, at every tick

What equations, actions and relations make is a node, with an edge to whatever it is made of; pre() reads a place that
nothing makes at the instant, so it breaks a loop, as states do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellegen.dataflow.code_loops import shortest_round
from tellegen.dataflow.rows import RowSet, indices_of, rows_of
from tellegen.graph.blocks import strong_blocks
from tellegen.graph.incidence import incidence
from tellegen.ir.events import ASSIGN, Values
from tellegen.ir.expressions.expr import Apply, Der, Expr, Function, Slot, walk
from tellegen.ir.flat import Group
from tellegen.ir.reduced import UNKNOWN, UNUSED
from tellegen.ir.show.reduced_rows import written_row
from tellegen.ir.sorted import SortedModel
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class _Makers:
    """Statements that look alike, the node each makes (-1 for none), and the number of their group of events."""

    part: RowSet
    makes: Any
    group: int = -1  # -1: equations


@dataclass(frozen=True)
class InstantLoop:
    """Components around the loop, and its statements as the user wrote them."""

    function: Function
    components: tuple[str, ...]
    statements: tuple[tuple[Group, int], ...]


def instant_loops(model: SortedModel) -> Iterator[InstantLoop]:
    """The loops through calls of functions that say in_loops = False; the blocks of the model are known."""
    graph = _Graph(model)
    for k, makers in enumerate(graph.makers):
        for call in [n for n in walk(makers.part.residual) if isinstance(n, Apply) and not n.function.in_loops]:
            for leaf in _leaves(makers.part, call):
                read = graph.node(makers.part, leaf)
                makes = makers.makes
                inside = (read >= 0) & (makes >= 0) & (graph.label[read] == graph.label[makes])
                for row in np.flatnonzero(inside)[:1]:
                    yield graph.loop(call.function, k, int(row))


class _Graph:
    """Node k < n is the unknown in column k, node n + k place k of the parameters, where everything discrete stands."""

    def __init__(self, model: SortedModel) -> None:
        self.model = model
        self.unknowns = len(model.unknowns)
        self.makers = [*self._equations(), *self._events()]
        made, read = self._edges()
        count = self.unknowns + model.parameter_indices
        self.made = made
        self.read = read
        self.label, _ = strong_blocks(incidence(made, read, (count, count)), np.arange(count))

    def node(self, part: RowSet, leaf: Slot | Der) -> Any:
        """What each row reads in a leaf; -1 for states, which are given."""
        if part.kinds[leaf.index] == UNKNOWN:
            return part.columns(leaf, self.model.wanted)
        return self.unknowns + part.indices[:, leaf.index]

    def _equations(self) -> list[_Makers]:
        blocks = self.model.blocks
        return [_Makers(part, blocks.assigned[part.rows]) for part in rows_of(self.model).sets]

    def _events(self) -> list[_Makers]:
        model = self.model
        events = self.model.events
        assert events is not None
        known = self.unknowns + model.known_position
        actions = events.actions
        made = np.full(events.values.count, -1)
        assigned = actions.verb == ASSIGN
        made[actions.value[assigned]] = known[actions.target[assigned]]
        made[events.always.value] = known[events.always.variable]
        made[events.levels.value] = self.unknowns + events.levels.index
        tables: list[tuple[Values, Any]] = [(events.values, made)]
        tables += [(found.differences, self.unknowns + found.flag) for found in (events.relations, events.instants)]
        self.groups = [group for values, _ in tables for group in values.groups]
        out: list[_Makers] = []
        for values, makes in tables:
            for group, indices in zip(values.groups, values.indices, strict=True):
                part = RowSet(group.residual, group.kinds, indices_of(model, group), np.asarray(indices))
                out.append(_Makers(part, makes[part.rows], len(out)))
        return out

    def _edges(self) -> tuple[Any, Any]:
        """Node by node what is made of what."""
        made: list[Any] = [np.zeros(0, np.int64)]
        read: list[Any] = [np.zeros(0, np.int64)]
        for makers in self.makers:
            for leaf in _leaves(makers.part, makers.part.residual):
                node = self.node(makers.part, leaf)
                real = (node >= 0) & (makers.makes >= 0)
                made.append(makers.makes[real])
                read.append(node[real])
        rows = rows_of(self.model)
        column = np.where(rows.sums.known, self.unknowns + rows.sums.index, rows.columns_of_sums(self.model.wanted))
        owner = self.model.blocks.assigned[rows.sums.row]
        real = (column >= 0) & (owner >= 0)
        return np.concatenate([*made, owner[real]]), np.concatenate([*read, column[real]])

    def loop(self, function: Function, makers: int, row: int) -> InstantLoop:
        """A shortest loop through a row."""
        first = int(self.makers[makers].makes[row])
        inside = (self.label[self.made] == self.label[first]) & (self.label[self.read] == self.label[first])
        users: dict[int, list[int]] = {}
        for made, read in zip(self.made[inside].tolist(), self.read[inside].tolist(), strict=True):
            users.setdefault(read, []).append(made)
        found = [self._written(node) for node in shortest_round(users, first)]
        statements = tuple(dict.fromkeys(one for one in found if one is not None))
        tree = self.model.flat.tree
        paths = [tree.path(*group.owner(local)) or self.model.flat.name for group, local in statements]
        return InstantLoop(function, tuple(dict.fromkeys(paths)), statements)

    def _written(self, node: int) -> tuple[Group, int] | None:
        """The statement that makes a node; None for a connection."""
        for makers in self.makers:
            for row in np.flatnonzero(makers.makes == node)[:1]:
                if makers.group < 0:
                    return written_row(self.model, int(makers.part.rows[row]))
                group = self.groups[makers.group]
                flat = self.model.flat
                statements = (*flat.whens, *flat.assertions)
                source = flat.equations[group.source] if group.source >= 0 else statements[-1 - group.source]
                return source, int(group.source_rows[row])
        return None


def _leaves(part: RowSet, below: Expr) -> list[Slot | Der]:
    """Everything an expression reads."""
    leaves = [node for node in walk(below) if isinstance(node, Slot | Der)]
    return [leaf for leaf in leaves if part.kinds[leaf.index] != UNUSED]
