"""Find the events: relations that switch, when-statements, discrete variables, samples.

    before   when h < 0: reinit(v, -e*pre(v)); n := pre(n) + 1
    after    condition 0: flag0 > 0.5            with relation 0: h - 0, operator <
             action 0: reinit v, value 0         value 0: -e*pre0
             action 1: assign n, value 1         value 1: pre1 + 1

Discrete variables were taken out of the unknowns at the start (residual_form.py); what remains of the equations is
smooth between events.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field, fields, replace
from typing import Any

import numpy as np

from tellegen.dataflow.single_expressions import (
    MANY_SLOTS,
    Single,
    outline,
    renumbered,
    with_slots_in_use,
)
from tellegen.ir.events import (
    DELAY_NUMBERS,
    VERBS,
    Actions,
    Delays,
    DiscreteEquations,
    Events,
    Gates,
    InitialAssignments,
    Levels,
    Relations,
    Samples,
    Values,
    joined,
)
from tellegen.ir.expressions.expr import Call, Expr, walk
from tellegen.ir.expressions.template import Action, AssertTemplate, Branch, WhenTemplate
from tellegen.ir.flat import Group
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import PARAMETER, BoolArray, Int8Array, Int32Array, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.structure.reduction.discrete_equations import discrete_groups, initial_groups
from tellegen.structure.reduction.relations import Delayed, EventEntries, Rewriter
from tellegen.structure.reduction.variants import Recovery, Variants


@dataclass
class _Numbers:
    """Values being collected."""

    groups: list[ReducedGroup] = field(default_factory=list)
    indices: list[Any] = field(default_factory=list)
    count: int = 0

    def more(self, count: int) -> IntArray:
        """New numbers."""
        self.count += count
        return np.arange(self.count - count, self.count)

    def values(self) -> Values:
        return Values(tuple(self.groups), tuple(self.indices), self.count)


@dataclass(frozen=True, eq=False)
class _Statement:
    """An expression of a group; source k is flat.equations[k], -1 - k flat.whens[k], after them flat.assertions."""

    source: int
    group: Group
    expr: Expr
    rows: IntArray | None = None  # all of them


@dataclass(frozen=True, eq=False)
class _Writes:
    """Columns of InitialAssignments being collected."""

    index: Int32Array
    sign: Int8Array
    value: IntArray
    tentative: BoolArray

    def some(self, rows: IntArray) -> _Writes:
        return _Writes(self.index[rows], self.sign[rows], self.value[rows], self.tentative[rows])


def is_initial(branch: Branch) -> bool:
    """Whether a branch acts in the initial instant and nowhere else."""
    return isinstance(branch.condition, Call) and branch.condition.op == "initial"


def _without_rows(groups: tuple[ReducedGroup, ...], rows: dict[int, IntArray]) -> tuple[ReducedGroup, ...]:
    """The groups without some rows of the statements they come from."""
    out = []
    for group in groups:
        left = ~np.isin(group.source_rows, rows.get(group.source, ()))
        if left.any():
            out.append(replace(group, bindings=group.bindings[left], source_rows=group.source_rows[left]))
    return tuple(out)


def find_events(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    finder = _Finder(model)
    groups = tuple(Rewriter(finder.entries, group, literal=False).between_events() for group in model.groups)
    left = _without_rows(model.initial, finder.initial_rows)
    initial = tuple(Rewriter(finder.entries, group, literal=True).run() for group in left)
    asserted = finder.asserted()
    everything = (*model.groups, *model.initial)
    events = replace(finder.run(), reads_initial=any(map(_reads_initial, everything)))
    discrete = len(events.always.value) or len(events.initial.value)
    nothing = not (events.whens or discrete or events.entry_count > 2 or finder.entries.are_read)
    return replace(model, groups=groups, initial=initial, asserted=asserted, events=None if nothing else events)


def _reads_initial(group: ReducedGroup) -> bool:
    return any(isinstance(node, Call) and node.op == "initial" for node in walk(group.residual))


def reads_past(model: ReducedModel, group: ReducedGroup) -> bool:
    """Whether a group reads delayed values: they change with time, but nobody knows their derivative."""
    if model.events is None or not len(model.events.delays.index):
        return False
    slots = [slot for slot, kind in enumerate(group.kinds) if kind == PARAMETER]
    return bool(np.isin(group.bindings[:, slots], model.events.delays.entries).any())


class _Finder:
    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self.entries = EventEntries(model)
        is_known = np.zeros(model.flat.variables.count, bool)
        is_known[model.known] = True
        self.recovery = Recovery(model.representative, model.sign, is_known)
        self.conditions = _Numbers()
        self.values = _Numbers()
        self.initial_groups = initial_groups(model)

    @property
    def initial_rows(self) -> dict[int, IntArray]:
        """The rows of each initial equation that are assignments."""
        rows: dict[int, list[IntArray]] = {}
        for one in self.initial_groups:
            rows.setdefault(one.found.source, []).append(one.found.rows)
        return {source: np.concatenate(parts) for source, parts in rows.items()}

    def run(self) -> Events:
        """All events of the model."""
        flat = self.model.flat
        first = [0]
        sources: list[tuple[int, int]] = []
        actions: list[Actions] = []
        messages: list[str] = []
        active: list[bool] = []
        first_act: list[bool] = []
        for source, group in enumerate(flat.whens):
            template = group.template
            assert isinstance(template, WhenTemplate)
            whens = len(sources) + np.arange(group.rows)
            branches = len(template.branches)
            begin = first[-1]
            values = self._values(source, group)
            for b, branch in enumerate(template.branches):
                indices = begin + branches * np.arange(group.rows) + b
                self._compute(self.conditions, _Statement(-1 - source, group, branch.condition), indices)
                for action in branch.actions:
                    actions.append(self._action(action, whens, b, group, values[id(action.value)]))
                    messages += [action.message] * group.rows
            first += [begin + branches * (r + 1) for r in range(group.rows)]
            self.conditions.count += branches * group.rows
            sources += [(source, r) for r in range(group.rows)]
            begin_here = [flat.events_at_start or is_initial(branch) for branch in template.branches]
            active += begin_here * group.rows
            first_act += [template.at_start and not begins for begins in begin_here] * group.rows
        always = self._always()
        initial = self._initial(_stacked(actions))
        levels = self._levels()
        entries = self.entries
        relations = entries.relations(of_time=False)
        return Events(
            relations=relations,
            gates=_gates(entries, relations),
            instants=entries.relations(of_time=True),
            samples=_samples(entries),
            delays=_delays(entries.delayed),
            conditions=self.conditions.values(),
            first_condition=np.array(first),
            actions=_stacked(actions),
            values=self.values.values(),
            always=always,
            initial=initial,
            levels=levels,
            pre_index=np.array(list(entries.pre.values()), np.int32),
            pre_variable=np.array(list(entries.pre), np.int32),
            initial_index=entries.initial,
            terminal_index=entries.terminal,
            entry_count=entries.next - entries.first,
            sources=tuple(sources),
            messages=tuple(messages),
            active_at_start=np.array(active, bool),
            act_first=np.array(first_act, bool),
            events_at_start=flat.events_at_start,
            reinit_at_once=flat.reinit_at_once,
        )

    def asserted(self) -> tuple[tuple[int, ReducedGroup], ...]:
        """The conditions of assertions, whose relations are located as well: number in the FlatModel, and rows."""
        flat = self.model.flat
        found = []
        for k, group in enumerate(flat.assertions):
            assert isinstance(group.template, AssertTemplate)
            statement = _Statement(-1 - len(flat.whens) - k, group, group.template.condition)
            found += [(k, part) for part in self._parts(statement, literal=False)]
        return tuple(found)

    def _compute(self, numbers: _Numbers, statement: _Statement, out: IntArray, literal: bool = False) -> None:
        """Add an expression of a group to the numbers, row r as number out[r]."""
        for part in self._parts(statement, literal):
            numbers.groups.append(part)
            numbers.indices.append(out[part.source_rows])

    def _parts(self, statement: _Statement, literal: bool) -> list[ReducedGroup]:
        """An expression of a group, with flags and entries, by what its rows look like."""
        group = statement.group
        whole = with_slots_in_use(group, statement.expr)
        rows = np.arange(group.rows) if statement.rows is None else statement.rows
        parts = Variants(whole, statement.source).split(rows, self.recovery)
        return [Rewriter(self.entries, part, literal).run() for part in parts]

    def _values(self, source: int, group: Group) -> dict[int, IntArray]:
        """The numbers of what actions assign, by the identity of expressions: several branches may have one in common.

        Those of a long statement that differ in their slots alone are rows of one template.
        """
        template = group.template
        assert isinstance(template, WhenTemplate)
        values = {id(a.value): a.value for branch in template.branches for a in branch.actions}
        if len(template.slots) <= MANY_SLOTS:
            return {key: self._value(source, group, value) for key, value in values.items()}
        alike: dict[Hashable, list[tuple[int, list[int]]]] = {}
        for key, value in values.items():
            common, used = outline(value, template.slots)
            alike.setdefault(common, []).append((key, used))
        found: dict[int, IntArray] = {}
        for members in alike.values():
            single = renumbered(values[members[0][0]], members[0][1], template)
            numbers = self._alike(source, group, single, [used for _, used in members])
            found.update(zip((key for key, _ in members), numbers, strict=True))
        return found

    def _value(self, source: int, group: Group, expr: Expr) -> IntArray:
        out = self.values.more(group.rows)
        self._compute(self.values, _Statement(-1 - source, group, expr), out, literal=True)
        return out

    def _alike(self, source: int, group: Group, single: Single, slots: list[list[int]]) -> list[IntArray]:
        """The numbers of an expression in all rows of a statement, for each list of its slots."""
        bindings = np.concatenate([group.bindings[:, used] for used in slots])
        out = self.values.more(len(bindings))
        stacked = Group(single, bindings, group.spans)
        for part in Variants(stacked, -1 - source).split(np.arange(len(bindings)), self.recovery):
            own = replace(part, source_rows=part.source_rows % group.rows)
            self.values.groups.append(Rewriter(self.entries, own, literal=True).run())
            self.values.indices.append(out[part.source_rows])
        return list(out.reshape(len(slots), group.rows))

    def _always(self) -> DiscreteEquations:
        """Discrete variables given by equations."""
        variables = []
        numbers = []
        for equation in discrete_groups(self.model.flat):
            out = np.full(equation.group.rows, -1)
            out[equation.rows] = self.values.more(len(equation.rows))
            statement = _Statement(equation.source, equation.group, equation.value, equation.rows)
            self._compute(self.values, statement, out)
            variables.append(equation.variables)
            numbers.append(out[equation.rows])
        written = joined(variables, np.int32)
        leader = self.model.representative[written]
        return DiscreteEquations(leader, self.model.sign[written], joined(numbers, np.int32))

    def _initial(self, actions: Actions) -> InitialAssignments:
        """Discrete variables and pre() given by initial equations.

        pre() of a variable is the variable itself as long as no when-statement that is active changes it.
        """
        numbers = _Numbers()
        parts: list[_Writes] = []
        assigned = actions.target[actions.verb == VERBS["assign"]]
        for one in self.initial_groups:
            found = one.found
            value = Call("not", (found.value,)) if one.is_negated else found.value
            out = np.full(found.group.rows, -1)
            out[found.rows] = numbers.more(len(found.rows))
            self._compute(numbers, _Statement(found.source, found.group, value, found.rows), out, literal=True)
            sign = self.model.sign[found.variables]
            is_parameter = self.model.flat.variables.is_initial_parameter[one.variables]
            of_when = np.isin(one.variables, assigned)
            own = np.flatnonzero(is_parameter | of_when)
            past = np.flatnonzero(~is_parameter)
            parts.append(_Writes(self.model.known_position[one.variables], sign, out[found.rows], of_when).some(own))
            if len(past):
                index = self.entries.pre_indices(one.variables[past])
                parts.append(_Writes(index, sign[past], out[found.rows][past], np.zeros(len(past), bool)))
        return InitialAssignments(
            values=numbers.values(),
            index=joined([part.index for part in parts], np.int32),
            sign=joined([part.sign for part in parts], np.int8),
            value=joined([part.value for part in parts], np.int32),
            tentative=joined([part.tentative for part in parts], bool),
        )

    def _levels(self) -> Levels:
        """What integer-valued functions become; their expressions are rewritten already."""
        numbers = []
        for group, _ in self.entries.levels:
            numbers.append(self.values.more(group.rows))
            self.values.groups.append(group)
            self.values.indices.append(numbers[-1])
        return Levels(joined([indices for _, indices in self.entries.levels], np.int32), joined(numbers, np.int32))

    def _action(self, action: Action, whens: IntArray, branch: int, group: Group, value: IntArray) -> Actions:
        """An action in all rows of a when-statement."""
        rows = len(whens)
        target = np.full(rows, -1, np.int32)
        sign = np.ones(rows, np.int8)
        if action.target >= 0:
            written = group.bindings[:, action.target]
            target = self.model.representative[written]
            sign = self.model.sign[written]
        return Actions(
            when=whens.astype(np.int32),
            branch=np.full(rows, branch, np.int32),
            verb=np.full(rows, VERBS[action.verb], np.int8),
            target=target,
            sign=sign,
            value=value.astype(np.int32),
        )


def _gates(entries: EventEntries, relations: Relations) -> Gates:
    """When the relations of unknowns matter that do not always."""
    begin = np.cumsum([0, *(group.rows for group, _ in entries.gated)])
    indices = tuple(first + np.arange(group.rows) for first, (group, _) in zip(begin, entries.gated, strict=False))
    number = np.full(entries.next, -1, np.int32)
    number[relations.flag] = np.arange(len(relations.flag))
    flags = joined([flags for _, flags in entries.gated], np.int32)
    return Gates(Values(tuple(group for group, _ in entries.gated), indices, int(begin[-1])), number[flags])


def _samples(entries: EventEntries) -> Samples:
    """All sample operators."""
    total = sum(len(flags) for flags in entries.sample_flags)
    groups = tuple(group for group, _ in entries.sampled)
    indices = tuple(index for _, index in entries.sampled)
    return Samples(Values(groups, indices, 2 * total), joined(entries.sample_flags, np.int32))


def _delays(delayed: list[Delayed]) -> Delays:
    """All delays of a model, numbered in the order in which they were found."""
    kinds = joined([np.full(len(one.indices), one.kind) for one in delayed], np.int8)
    sizes = np.array([DELAY_NUMBERS[kind] for kind in kinds.tolist()], np.int64)
    first = np.cumsum(np.concatenate([[0], sizes]))
    rows = np.cumsum([0, *(len(one.indices) for one in delayed)])
    own = [first[begin : begin + len(one.indices)] for begin, one in zip(rows, delayed, strict=False)]
    numbers = [begin + k for one, begin in zip(delayed, own, strict=True) for k in range(len(one.numbers))]
    groups = tuple(group for one in delayed for group in one.numbers)
    return Delays(
        Values(groups, tuple(numbers), int(first[-1])),
        index=joined([one.indices for one in delayed], np.int32),
        kind=kinds,
        number=first[:-1].astype(np.int32),
        rises=joined([one.rises for one in delayed], np.int32),
        falls=joined([one.falls for one in delayed], np.int32),
    )


def _stacked(parts: list[Actions]) -> Actions:
    """The rows of all parts."""
    kinds = {"verb": np.int8, "sign": np.int8}
    names = [column.name for column in fields(Actions)]
    return Actions(*(joined([getattr(part, n) for part in parts], kinds.get(n, np.int32)) for n in names))
