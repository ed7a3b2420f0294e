"""In which order the when-statements of an instant are looked at: last those whose conditions read what others assign.

    when x > 1: n := 5                                 level 0
    when x > 1 and n > 3: a := pre(a) + 1              level 1: by then n is what it is at this instant

The equations of an instant hold together, so a condition must not count with a value that another statement is about to
replace. What a condition reads is followed through relations, discrete equations and the values of assignments. Of
algebraic unknowns and rates it is not known which discrete values they depend on: all that equations read. Statements
that need each other have one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.graph.blocks import levels, strong_components
from tellegen.graph.incidence import Incidence, incidence
from tellegen.ir.events import ASSIGN, Events, Values
from tellegen.ir.expressions.expr import Der, Slot, walk
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNKNOWN, ReducedGroup, ReducedModel


def levels_of_whens(model: ReducedModel, events: Events) -> IntArray:
    """The level of each when-statement; zero for those that need no other one."""
    whens = events.whens
    if whens < 2 or not (events.actions.verb == ASSIGN).any():
        return np.zeros(whens, np.int64)
    graph = _Needs(model, events).graph()
    label = strong_components(graph)
    first = label[graph.row_of_entry]
    second = label[graph.indices]
    apart = first != second
    blocks = int(label.max()) + 1
    ordered = incidence(first[apart], second[apart], (blocks, blocks))
    has_when = np.zeros(blocks, bool)
    has_when[label[:whens]] = True
    return np.array(_whens_before(ordered, has_when))[label[:whens]]


def _whens_before(graph: Incidence, has_when: Any) -> list[int]:
    """How many blocks with when-statements each block of an acyclic graph needs one after the other."""
    before = [0] * graph.shape[0]
    needed = graph.columns_of_rows
    for block in np.argsort(levels(graph), kind="stable").tolist():
        before[block] = max((before[other] + int(has_when[other]) for other in needed[block]), default=0)
    return before


class _Needs:
    """What is computed from what at an instant. Nodes: when-statements, all algebraic unknowns as one, discrete
    variables, relations of unknowns and of time, values of actions and discrete equations."""

    def __init__(self, model: ReducedModel, events: Events) -> None:
        self.model = model
        self.events = events
        self.unknowns = events.whens
        self.first_variable = self.unknowns + 1
        self.first_relation = self.first_variable + model.variable_count
        self.first_instant = self.first_relation + events.relations.differences.count
        self.first_value = self.first_instant + events.instants.differences.count
        self.count = self.first_value + events.values.count
        self.is_algebraic = np.zeros(model.variable_count, bool)
        self.is_algebraic[model.unknowns[~model.is_state]] = True
        self.entry = self._entries()
        self.users: list[Any] = []
        self.needed: list[Any] = []

    def _entries(self) -> IntArray:
        """The nodes of those parameters that are flags of relations, or levels; -1 for others."""
        events = self.events
        places = [events.relations.flag, events.instants.flag, events.levels.index]
        nodes = np.full(max((int(place.max(initial=-1)) for place in places), default=-1) + 2, -1)
        nodes[events.relations.flag] = self.first_relation + np.arange(len(events.relations.flag))
        nodes[events.instants.flag] = self.first_instant + np.arange(len(events.instants.flag))
        nodes[events.levels.index] = self.first_value + events.levels.value
        return nodes

    def graph(self) -> Incidence:
        """Entry (a, b) where a needs b."""
        events = self.events
        first = events.first_condition
        self._add_values(events.conditions, lambda numbers: np.searchsorted(first, numbers, side="right") - 1)
        self._add_values(events.relations.differences, lambda numbers: self.first_relation + numbers)
        self._add_values(events.instants.differences, lambda numbers: self.first_instant + numbers)
        self._add_values(events.values, lambda numbers: self.first_value + numbers)
        for group in self.model.groups:
            self._add(group, np.full(group.rows, self.unknowns))
        self._add_edges(self.first_variable + events.always.variable, self.first_value + events.always.value)
        assigns = events.actions.verb == ASSIGN
        targets = self.first_variable + events.actions.target[assigns]
        self._add_edges(targets, events.actions.when[assigns])
        self._add_edges(targets, self.first_value + events.actions.value[assigns])
        return incidence(np.concatenate(self.users), np.concatenate(self.needed), (self.count, self.count))

    def _add_values(self, values: Values, node: Any) -> None:
        for group, numbers in zip(values.groups, values.indices, strict=True):
            self._add(group, node(np.asarray(numbers)))

    def _add(self, group: ReducedGroup, users: Any) -> None:
        """What the rows of a group read: a slot that only pre() was taken of is left over."""
        if any(isinstance(node, Der) for node in walk(group.residual)):
            self._add_edges(users, self.unknowns)
        slots = {node.index for node in walk(group.residual) if isinstance(node, Slot)}
        for kind in (KNOWN, UNKNOWN, PARAMETER):
            columns = group.bindings[:, [slot for slot in slots if group.kinds[slot] == kind]]
            readers = np.broadcast_to(np.reshape(users, (-1, 1)), columns.shape)
            if kind == KNOWN:
                self._add_edges(readers.ravel(), (self.first_variable + columns).ravel())
            elif kind == UNKNOWN:
                self._add_edges(readers[self.is_algebraic[columns]], self.unknowns)
            else:
                nodes = self.entry[np.minimum(columns, len(self.entry) - 1)]
                self._add_edges(readers[nodes >= 0], nodes[nodes >= 0])

    def _add_edges(self, users: Any, needed: Any) -> None:
        self.users.append(np.asarray(users, np.int64))
        self.needed.append(np.broadcast_to(np.asarray(needed, np.int64), self.users[-1].shape))
