"""Where the numbers of islands stand in the whole model: unknowns, parameters, discrete values, relations, conditions.

Both were made by the same passes from the same statements, so what has no index of its own (the flag of a relation) is
found by the statement it stands in and how many such came before it there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.events import Events, Values
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import ReducedModel
from tellegen.start.records import dataclass
from tellegen.variation.islands import Key

NUMBERED = ("equations", "whens", "assertions")  # statements that values at events come from
_ORDERS = 16  # more than any variable is differentiated


class MismatchError(Exception):
    """The islands came out differently sorted than the whole: they cannot be joined."""


@dataclass(frozen=True, eq=False)
class Batches:
    """Batches of islands: row b of each array belongs to batch b, its columns are the numbers of the whole."""

    variables: IntArray
    parameters: IntArray
    rows: dict[Key, IntArray]

    def __len__(self) -> int:
        return len(self.variables)


@dataclass(frozen=True, eq=False)
class Maps:
    """The same for what the sorted models number."""

    unknowns: IntArray
    indices: IntArray  # in the parameter vector
    relations: IntArray
    conditions: IntArray


def maps(whole: ReducedModel, part: ReducedModel, batches: Batches) -> Maps:
    """The maps of a model made of one batch that serves for all."""
    unknowns = _unknowns(whole, part, batches)
    known = whole.known_position[whole.representative[batches.variables[:, part.known]]]
    if (known < 0).any():
        raise MismatchError
    blend = np.full((len(batches), 1), whole.homotopy_index)
    head = np.concatenate([batches.parameters, known, blend], axis=1)
    if part.events is None:
        nothing = np.zeros((len(batches), 0), np.int64)
        return Maps(unknowns, head, nothing, nothing)
    assert whole.events is not None
    statements = _Statements(whole, part, batches)
    relations = statements.numbers(whole.events.relations.differences, part.events.relations.differences)
    tail = np.full((len(batches), part.events.entry_count), -1)
    _fill(tail, whole, part, statements, relations)
    tail_pre = whole.representative[batches.variables[:, part.events.pre_variable]]
    of_variable = np.full(whole.variable_count, -1)
    of_variable[whole.events.pre_variable] = whole.events.pre_index
    tail[:, part.events.pre_index - part.homotopy_index - 1] = of_variable[tail_pre]
    if (tail < 0).any():
        raise MismatchError
    return Maps(unknowns, np.concatenate([head, tail], axis=1), relations, _conditions(whole.events, part, batches))


def _unknowns(whole: ReducedModel, part: ReducedModel, batches: Batches) -> IntArray:
    """The indices of unknowns in the vector of the whole; derivatives by what they are derivatives of."""
    count = part.flat.variables.count
    total = whole.flat.variables.count
    order = np.zeros(len(part.unknowns), np.int64)
    made = part.unknowns >= count
    order[made] = part.derivatives.order[part.unknowns[made] - count]
    base = batches.variables[:, part.written]
    number = np.where(order == 0, whole.representative[base], -1)
    keys = whole.derivatives.base.astype(np.int64) * _ORDERS + whole.derivatives.order
    wanted = base * _ORDERS + order
    sorted_keys = np.argsort(keys)
    at = np.searchsorted(keys, wanted, sorter=sorted_keys).clip(0, max(len(keys) - 1, 0))
    if made.any():
        if not len(keys):
            raise MismatchError
        found = sorted_keys[at]
        number = np.where(order == 0, number, np.where(keys[found] == wanted, total + found, -1))
    index = np.where(number < 0, -1, whole.position[number])
    upright = (order > 0) | (whole.sign[np.minimum(base, len(whole.sign) - 1)] == 1)
    if (index < 0).any() or not upright.all() or (whole.is_state[index] != part.is_state).any():
        raise MismatchError
    return index


def _fill(
    tail: IntArray, whole: ReducedModel, part: ReducedModel, statements: _Statements, relations: IntArray
) -> None:
    """Entries after the homotopy parameter, but for those of the past."""
    ours = part.events
    theirs = whole.events
    assert ours is not None
    assert theirs is not None
    first = part.homotopy_index + 1
    tail[:, ours.initial_index - first] = theirs.initial_index
    tail[:, ours.terminal_index - first] = theirs.terminal_index
    tail[:, ours.relations.flag - first] = theirs.relations.flag[relations]
    instants = statements.numbers(theirs.instants.differences, ours.instants.differences)
    tail[:, ours.instants.flag - first] = theirs.instants.flag[instants]
    samples = statements.numbers(theirs.samples.values, ours.samples.values)[:, 0::2] // 2
    tail[:, ours.samples.flag - first] = theirs.samples.flag[samples]
    levels = statements.numbers(theirs.values, ours.values, (theirs.levels.value, ours.levels.value))
    index_of = np.zeros(theirs.values.count, np.int64)
    index_of[theirs.levels.value] = theirs.levels.index
    tail[:, ours.levels.index - first] = index_of[levels]


def _conditions(whole: Events, part: ReducedModel, batches: Batches) -> IntArray:
    """The numbers of conditions: those of the same branches of the same when-statements."""
    events = part.events
    assert events is not None
    if not events.whens:
        return np.zeros((len(batches), 0), np.int64)
    first_when: dict[int, int] = {}
    for when, (source, _) in enumerate(whole.sources):
        first_when.setdefault(source, when)
    keys = _keys(part, batches, "whens")
    whens = np.stack(
        [first_when[keys[source][1]] + batches.rows[keys[source]][:, row] for source, row in events.sources], axis=1
    )
    when = np.repeat(np.arange(events.whens), np.diff(events.first_condition))
    branch = np.arange(int(events.first_condition[-1])) - events.first_condition[when]
    return whole.first_condition[whens[:, when]] + branch


def _keys(part: ReducedModel, batches: Batches, name: str) -> list[Key]:
    """What the groups of a list of the part are in the whole."""
    keys = [key for key in batches.rows if key[0] == name]
    assert len(keys) == len(getattr(part.flat, name))
    return keys


class _Statements:
    """Numbers every statement of the whole, and gives for each of a subsystem which one it is."""

    def __init__(self, whole: ReducedModel, part: ReducedModel, batches: Batches) -> None:
        self.flat = whole.flat
        self.batches = batches
        self.first, self.total = statement_numbers(whole.flat)
        self.keys = {name: _keys(part, batches, name) for name in NUMBERED}

    def numbers(self, whole: Values, part: Values, only: tuple[Any, Any] | None = None) -> IntArray:
        """For each value of the part its number among those of the whole, a row for each batch."""
        chosen = only or (np.arange(whole.count), np.arange(part.count))
        statement = statements_of(self.flat, whole)[chosen[0]]
        mine = self._of_part(part, chosen[1])
        order = np.argsort(statement, kind="stable")
        begin = np.searchsorted(statement[order], np.arange(self.total + 1))
        if not mine.shape[1]:
            return mine
        turn = _turns(mine[0])
        if (np.bincount(mine[0], minlength=self.total)[mine[0]] != np.diff(begin)[mine]).any():
            raise MismatchError
        return chosen[0][order[begin[mine] + turn]]

    def _of_part(self, values: Values, chosen: IntArray) -> IntArray:
        """The statement in the whole of each value, a row for each batch."""
        out = np.zeros((len(self.batches), values.count), np.int64)
        for group, indices in zip(values.groups, values.indices, strict=True):
            name, k = _key(group.source, len(self.keys["whens"]))
            key = self.keys[name][k]
            out[:, indices] = self.first[key] + self.batches.rows[key][:, group.source_rows]
        return out[:, chosen]


def statement_numbers(flat: FlatModel) -> tuple[dict[Key, int], int]:
    """The number of the first statement of each group, and how many there are."""
    keys = [(name, k) for name in NUMBERED for k in range(len(getattr(flat, name)))]
    begin = np.cumsum([0, *(getattr(flat, name)[k].rows for name, k in keys)]).tolist()
    return dict(zip(keys, begin, strict=False)), begin[-1]


def statements_of(flat: FlatModel, values: Values) -> IntArray:
    """The statement each value comes from."""
    first = statement_numbers(flat)[0]
    out = np.zeros(values.count, np.int64)
    for group, indices in zip(values.groups, values.indices, strict=True):
        out[indices] = first[_key(group.source, len(flat.whens))] + group.source_rows
    return out


def _key(source: int, whens: int) -> Key:
    """The list and group a source means (structure/reduction/find_events.py)."""
    if source >= 0:
        return "equations", source
    return ("whens", -1 - source) if -1 - source < whens else ("assertions", -1 - source - whens)


def _turns(labels: IntArray) -> IntArray:
    """How often each label has occurred before."""
    order = np.argsort(labels, kind="stable")
    inner = labels[order]
    begins = np.concatenate([[True], inner[1:] != inner[:-1]])
    out = np.empty(len(labels), np.int64)
    out[order] = np.arange(len(labels)) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
    return out
