"""Index reduction: equations that tie states to each other are differentiated, in symbols and once per template.

    before   x*x + y*y - L*L == 0                       with der(x), der(y) elsewhere
    after    x*x + y*y - L*L == 0                       the constraint itself,
             2*x*x' + 2*y*y' == 0                       its first derivative
             2*(x'*x' + x*x'') + 2*(y'*y' + y*y'') == 0 and its second
             with new unknowns x', x'', y', y''

How often each equation must be differentiated comes from graph/offsets.py: as often as constraints ask for, and as
initial equations do that read the derivative of a variable which no equation differentiates, and as preferred states
need where a reinit changes one state only (MLS 4.9.7.1: "also variables which do not appear differentiated"). All
derivatives of the unknowns in differentiated equations become variables of their own; which of them are rates of states
is decided by the next pass. No constraint is thrown away, so there is no drift. A signal that comes with its
derivatives, with_derivatives(r, r1, r2), is r in an equation, r1 in its derivative; nothing it is made of is
differentiated.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.graph.incidence import sums_at
from tellegen.graph.offsets import offsets
from tellegen.graph.sets import distinct_rows
from tellegen.ir.events import REINIT
from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, rebuild, same_with, walk, walk_needed
from tellegen.ir.expressions.ops import WITH_DERIVATIVES
from tellegen.ir.reduced import UNKNOWN, UNUSED, Candidates, Derivatives, LinearRows, ReducedGroup, ReducedModel
from tellegen.ir.show.reduced_rows import equation_text
from tellegen.structure.reduction.coefficients import derivatives, numbers, varying_slots
from tellegen.structure.reduction.find_events import reads_past
from tellegen.symbolic.differentiate import time_derivative

# where it matters which unknowns are states: how much declarations count, and to have a rate of its own; start values
# and what is fixed count less than 200
_DECLARED = 100.0
_OWN_RATE = 200.0


def reduce_index(model: ReducedModel) -> ReducedModel:
    """See the top of this file; models of index one pass unchanged."""
    count = model.equation_count
    if count != len(model.unknowns):
        return model  # the check of solvability explains it
    least = _read_initially(model)
    preferred = _preferred(model)
    reduced = None
    if (preferred > least).any():
        with suppress(StructureError):  # what cannot be differentiated cannot be a state
            reduced = _reduced(model, np.maximum(least, preferred))
    if reduced is None:
        reduced = _reduced(model, least)
    return _with_values(model if reduced is None else reduced)


def _reduced(model: ReducedModel, least: Any) -> ReducedModel | None:
    """The model with at least so many derivatives of each unknown; None where that is impossible or needs nothing."""
    rows, columns, sigma = occurrences(model)
    found = offsets(rows, columns, sigma, model.equation_count, least)
    if found is None or not found[0].any():
        return None
    return Reduction(model, *found).run(rows, columns, sigma)


def _with_values(model: ReducedModel) -> ReducedModel:
    """The model with the values alone of signals that came with their derivatives; the operation still marks them."""
    groups = tuple(map(_with_value, model.groups))
    initial = tuple(map(_with_value, model.initial))
    is_same = all(a is b for a, b in zip((*groups, *initial), (*model.groups, *model.initial), strict=True))
    return model if is_same else replace(model, groups=groups, initial=initial)


def _with_value(group: ReducedGroup) -> ReducedGroup:
    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return Call(WITH_DERIVATIVES, args[:1]) if _comes_with_derivatives(node) else same_with(node, args)

    if not any(map(_comes_with_derivatives, walk(group.residual))):
        return group
    residual = rebuild(group.residual, change)
    used = {node.index for node in walk(residual) if isinstance(node, Slot | Der)}
    kinds = tuple(kind if s in used else UNUSED for s, kind in enumerate(group.kinds))
    return replace(group, residual=residual, kinds=kinds)


def _comes_with_derivatives(node: Expr) -> bool:
    return isinstance(node, Call) and node.op == WITH_DERIVATIVES


def _read_initially(model: ReducedModel) -> Any:
    """Per unknown one where an initial equation reads its derivative: there has to be one, if only for that."""
    least = np.zeros(len(model.unknowns), np.int64)
    for group in model.initial:
        for node in walk(group.residual):
            if isinstance(node, Der) and group.kinds[node.index] == UNKNOWN:
                least[model.position[group.bindings[:, node.index]]] = 1
    return least


def _reinits_one_state(model: ReducedModel) -> bool:
    """Whether a reinit changes one state and what follows from it, as in Modelica: then it matters which are states."""
    events = model.events
    return events is not None and not events.reinit_at_once and bool((events.actions.verb == REINIT).any())


def _preferred(model: ReducedModel) -> Any:
    """Per unknown one where it is declared as a preferred state, differentiated or not, and that matters."""
    least = np.zeros(len(model.unknowns), np.int64)
    if _reinits_one_state(model):
        declared = model.representative[np.flatnonzero(model.flat.variables.column("state", 0.0) > 0.0)]
        place = model.position[declared]
        least[place[place >= 0]] = 1
    return least


def occurrences(model: ReducedModel) -> tuple[Any, Any, Any]:
    """Equation, unknown and order of derivative of every occurrence."""
    rows: list[Any] = []
    columns: list[Any] = []
    orders: list[Any] = []
    for offset, group in zip(model.offsets, model.groups, strict=False):
        for node in walk_needed(group.residual):
            if isinstance(node, Slot | Der) and group.kinds[node.index] == UNKNOWN:
                rows.append(offset + np.arange(group.rows))
                columns.append(model.position[group.bindings[:, node.index]])
                orders.append(np.full(group.rows, int(isinstance(node, Der))))
    linear = model.linear
    column = model.position[linear.indices]
    free = column >= 0
    rows.append(model.offsets[-1] + linear.row_of_entry[free])
    columns.append(column[free])
    orders.append(np.zeros(int(free.sum()), np.int64))
    return tuple(np.concatenate(part).astype(np.int64) for part in (rows, columns, orders))  # type: ignore[return-value]


class Reduction:
    """One reduction: c per equation, d per unknown, and the chain of derivatives of every unknown involved."""

    def __init__(self, model: ReducedModel, c: Any, d: Any, assigned: Any) -> None:
        self.model = model
        self.c = c
        self.d = d
        self.assigned = assigned  # the unknown of each equation

    def run(self, rows: Any, columns: Any, sigma: Any) -> ReducedModel:
        """The model with all differentiated equations and the candidates for states."""
        model = self.model
        involved = np.zeros(len(model.unknowns), bool)
        involved[columns[self.c[rows] > 0]] = True
        self.chosen = np.flatnonzero(involved & (self.d > 0))
        self._make_chains()
        groups: list[ReducedGroup] = []
        tops: list[Any] = []  # (equation, its last derivative's row) in the new numbering
        for offset, group in zip(model.offsets, model.groups, strict=False):
            for part, level_rows in self._differentiated(group, offset + np.arange(group.rows)):
                start = sum(g.rows for g in groups)
                groups.append(part)
                tops.append((level_rows, start + np.arange(part.rows), part.order))
        linear, linear_tops = self._differentiated_linear()
        start = sum(g.rows for g in groups)
        tops += [(equations, start + positions, order) for equations, positions, order in linear_tops]
        unknowns = np.concatenate([model.unknowns, model.flat.variables.count + np.arange(len(self.derivatives.base))])
        is_state = np.zeros(len(unknowns), bool)
        is_state[: len(model.unknowns)] = model.is_state & ~np.isin(np.arange(len(model.unknowns)), self.chosen)
        reduced = replace(
            model,
            groups=tuple(groups),
            linear=linear,
            unknowns=unknowns.astype(np.int32),
            is_state=is_state,
            derivatives=self.derivatives,
        )
        return replace(reduced, candidates=self._candidates(rows, columns, sigma, tops))

    def _make_chains(self) -> None:
        """Numbers for the derivatives of the unknowns in differentiated equations."""
        model = self.model
        chosen = self.chosen
        longest = int(self.d[chosen].max(initial=0))
        self.chain = np.full((len(model.unknowns), longest + 1), -1, np.int32)
        self.chain[:, 0] = model.unknowns
        base = []
        order = []
        number = model.flat.variables.count
        for m in range(1, longest + 1):
            mine = chosen[self.d[chosen] >= m]
            self.chain[mine, m] = number + np.arange(len(mine))
            number += len(mine)
            base.append(model.unknowns[mine])
            order.append(np.full(len(mine), m, np.int32))
        self.derivatives = Derivatives(np.concatenate(base), np.concatenate(order))

    def _differentiated(self, group: ReducedGroup, rows: Any) -> list[tuple[ReducedGroup, Any]]:
        """The rows of a group with all their derivatives, alike rows together; with the old numbers of the rows."""
        columns = self.model.position.take(group.bindings, mode="clip")  # meaningful for unknowns only
        rates = [node.index for node in walk(group.residual) if isinstance(node, Der)]
        named = np.zeros((len(rows), len(rates)), bool)
        for k, s in enumerate(rates):
            named[:, k] = self.chain[columns[:, s], 1] >= 0
        patterns = np.concatenate([self.c[rows][:, None], named], axis=1)
        out: list[tuple[ReducedGroup, Any]] = []
        for pattern, mine in distinct_rows(patterns):
            explicit = {s for s, flag in zip(rates, pattern[1:], strict=True) if flag}
            out += [(part, rows[mine]) for part in self._levels(group, mine, columns, explicit, int(pattern[0]))]
        return out

    def _levels(
        self, group: ReducedGroup, mine: Any, columns: Any, explicit: set[int], times: int
    ) -> list[ReducedGroup]:
        slots = _Slots(self, group, mine, columns)
        residual = slots.name_rates(group.residual, explicit)
        out = []
        for level in range(times + 1):
            if level:
                following = time_derivative(residual, slots.after, lambda _: ZERO)
                if following is None or reads_past(self.model, group):
                    raise self._not_differentiable(group, mine)
                residual = following
            out.append(slots.group(residual, level))
        return out

    def _not_differentiable(self, group: ReducedGroup, mine: Any) -> StructureError:
        model = self.model
        row = next(int(o) for o, g in zip(model.offsets, model.groups, strict=False) if g is group) + int(mine[0])
        return StructureError(
            "E205",
            "a constraint between states must be differentiated, but it contains a function without derivative",
            details=[f"  {equation_text(model, row)}"],
            advice="write the function with tg functions so that it can be traced, or give it a derivative",
        )

    def _differentiated_linear(self) -> tuple[LinearRows, list[Any]]:
        """Linear rows and their derivatives, which have the same weights."""
        linear = self.model.linear
        model = self.model
        own = np.arange(linear.rows)
        times = self.c[model.offsets[-1] + own] if linear.rows else np.zeros(0, int)
        parts = []
        tops = []
        start = 0
        for level in range(int(times.max(initial=0)) + 1):
            rows = own[times >= level]
            wanted = np.isin(linear.row_of_entry, rows)
            if level:  # inputs and discrete variables are constant between events
                wanted &= model.position[linear.indices] >= 0
            entries = np.flatnonzero(wanted)
            lengths = np.bincount(linear.row_of_entry[entries], minlength=linear.rows)[rows]
            indices = linear.indices[entries]
            if level:
                indices = self.chain[model.position[indices], level]
            parts.append((lengths, indices, linear.weights[entries], linear.sources[rows]))
            tops.append((model.offsets[-1] + rows, start + np.arange(len(rows)), level))
            start += len(rows)
        lengths, indices, weights, sources = (np.concatenate([part[k] for part in parts]) for k in range(4))
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        return LinearRows(indptr, indices.astype(np.int32), weights, sources), tops

    def _candidates(self, rows: Any, columns: Any, sigma: Any, tops: list[Any]) -> Candidates:
        """Constraints, the unknowns they tie, and where the Jacobian between them is not zero."""
        model = self.model
        c = self.c
        d = self.d
        top_row = np.full(model.equation_count, -1)
        for equations, positions, order in tops:
            last = c[equations] == order
            top_row[equations[last]] = positions[last]
        constraints = np.flatnonzero(c > 0)
        number = np.full(len(c), -1)
        number[constraints] = np.arange(len(constraints))
        column_of = np.full(len(d), -1)
        column_of[self.chosen] = np.arange(len(self.chosen))
        tight = (sigma + c[rows] == d[columns]) & (c[rows] > 0)
        both = np.stack([number[rows[tight]], column_of[columns[tight]]], axis=1)
        pairs, _ = np.unique(both, axis=0, return_index=True)  # with the index, numpy.ma is not imported
        varying = self._varying(constraints[pairs[:, 0]], self.chosen[pairs[:, 1]])
        chain = self.chain[self.chosen]
        coefficient = self._coefficients(constraints[pairs[:, 0]], self.chosen[pairs[:, 1]])
        tops_of = top_row[constraints]
        wanted = self._preference(), self._firm()
        return Candidates(tops_of, c[constraints], d[self.chosen], chain, pairs, coefficient, varying, *wanted)

    def _coefficients(self, rows: Any, columns: Any) -> Any:
        """Derivatives of equations by the highest derivatives of unknowns, as numbers."""
        model = self.model
        c = self.c
        d = self.d
        known = numbers(model)
        parts: list[tuple[Any, Any, Any]] = []
        for offset, group in zip(model.offsets, model.groups, strict=False):
            own = offset + np.arange(group.rows)
            if not c[own].any():
                continue
            for slot, order, value in derivatives(group, known):
                column = model.position[group.bindings[:, slot]]
                tight = (c[own] > 0) & (order + c[own] == d[column])
                parts.append((own[tight], column[tight], value[tight]))
        linear = model.linear
        column = model.position[linear.indices]
        own = model.offsets[-1] + linear.row_of_entry
        free = (column >= 0) & (c[own] > 0)
        free[free] = c[own[free]] == d[column[free]]
        parts.append((own[free], column[free], linear.weights[free].astype(float)))
        found = [np.concatenate([part[k] for part in parts]) for k in range(3)]
        return sums_at(rows, columns, found[0], found[1], found[2])

    def _varying(self, rows: Any, columns: Any) -> Any:
        """Per entry whether the derivative of an equation by an unknown depends on unknowns or time."""
        model = self.model
        parts = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for offset, group in zip(model.offsets, model.groups, strict=False):
            own = offset + np.arange(group.rows)
            if self.c[own].any():
                parts += [(own, model.position[group.bindings[:, slot]]) for slot in varying_slots(group)]
        found = [np.concatenate([part[k] for part in parts]) for k in range(2)]
        width = len(self.d)
        return np.isin(rows * width + columns, found[0] * width + found[1])

    def _firm(self) -> Any:
        """Which candidates invariants are kept by."""
        model = self.model
        named = np.zeros(model.flat.variables.count, bool)
        for group in model.flat.invariants:
            named[model.representative[group.bindings[:, 1]]] = True
        return named[model.unknowns[self.chosen]]

    def _preference(self) -> Any:
        """How gladly each candidate is a state: what was declared of any of its aliases, fixed starts first.

        Where a reinit leaves all other states as they are, declarations come first (MLS 4.9.7.1), and then what has a
        rate by an equation that is not a constraint: a relative position follows from the positions of two bodies.
        """
        model = self.model
        matters = _reinits_one_state(model)
        score = model.flat.variables.column("state", 0.0) * (_DECLARED if matters else 1.0)
        score += np.where(model.flat.variables.column("fixed") == 1.0, 10.0, 0.0)
        score += np.where(np.isnan(model.flat.variables.column("start")), 0.0, 1.0)
        best = np.full(len(score), -np.inf)
        np.maximum.at(best, model.representative, score)
        if model.events is not None:  # what is reinitialized must be a state
            best[model.events.actions.target[model.events.actions.verb == REINIT]] += 5.0
        written = np.where(model.is_state[self.chosen], 3.0, 0.0)  # the user differentiated it: it is meant as a state
        if matters:
            written[np.isin(self.chosen, self.assigned[self.c == 0])] += _OWN_RATE
        return best[model.unknowns[self.chosen]] + written


class _Slots:
    """The slots of alike rows: those of the group, and those of derivatives added on the way."""

    def __init__(self, reduction: Reduction, group: ReducedGroup, mine: Any, columns: Any) -> None:
        self.reduction = reduction
        self.old = group
        self.mine = mine
        self.columns = columns[mine]
        self.kinds = list(group.kinds)
        self.bindings = [group.bindings[mine, s] for s in range(group.bindings.shape[1])]
        self.position: dict[int, tuple[int, int]] = {s: (s, 0) for s in range(len(self.kinds))}
        self.known: dict[tuple[int, int], int] = {}

    def derivative_slot(self, base: int, order: int) -> int:
        """The slot of a derivative of what slot `base` holds."""
        if (base, order) not in self.known:
            self.known[base, order] = len(self.kinds)
            self.position[len(self.kinds)] = (base, order)
            self.kinds.append(UNKNOWN)
            self.bindings.append(self.reduction.chain[self.columns[:, base], order])
        return self.known[base, order]

    def after(self, slot: int) -> Expr:
        """The time derivative of a slot; parameters, inputs and discrete variables are constant."""
        if self.kinds[slot] != UNKNOWN:
            return ZERO
        base, order = self.position[slot]
        return Slot(self.derivative_slot(base, order + 1))

    def name_rates(self, residual: Expr, explicit: set[int]) -> Expr:
        """der(x) as the variable it has become."""

        def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if isinstance(node, Der) and node.index in explicit:
                return Slot(self.derivative_slot(node.index, 1))
            return same_with(node, args)

        return rebuild(residual, change)

    def group(self, residual: Expr, order: int) -> ReducedGroup:
        """The rows with this residual."""
        bindings = np.stack(self.bindings, axis=1).astype(np.int32)
        used = {node.index for node in walk(residual) if isinstance(node, Slot | Der)}
        kinds = tuple(kind if s in used else UNUSED for s, kind in enumerate(self.kinds))
        return ReducedGroup(residual, kinds, bindings, self.old.source, self.old.source_rows[self.mine], order)
