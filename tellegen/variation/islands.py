"""Islands: parts of a model that share no variable, sorted by what they look like.

    1000 bouncing balls, 3 pendulums       ->      shape 0: 1000 islands of 2 variables,  shape 1: 3 islands of 4

Variables are joined by the statements they occur in, by connections and sums; parameters and time join nothing. Islands
of one shape are one and the same model with other numbers, so whatever is made of one of them (by `cut`, several at
once) serves for all. The work is array code over bindings: nothing is done for each island by itself.
"""

from __future__ import annotations

import numpy as np

from tellegen.graph.sets import connected_sets
from tellegen.ir.flat import FlatModel, Group, Sums
from tellegen.ir.model import IntArray
from tellegen.ir.part import PartGroup, PartTable
from tellegen.start.records import dataclass

STATEMENTS = ("equations", "initial_equations", "whens", "assertions", "invariants")
Key = tuple[str, int]  # a list of statements of the FlatModel, and the number of a group in it


@dataclass(frozen=True, eq=False)
class Shape:
    """Equal subsystems. Row k of each array gives the numbers of subsystem k in the whole; `local` are the bindings
    of any of them, over its own variables and parameters."""

    labels: IntArray  # of the islands
    variables: IntArray
    parameters: IntArray
    rows: dict[Key, IntArray]
    local: dict[Key, IntArray]
    equalities: IntArray  # local
    sums: Sums  # local
    inputs: IntArray  # local

    @property
    def count(self) -> int:
        """Number of islands."""
        return len(self.labels)


def islands(flat: FlatModel) -> tuple[IntArray, tuple[Shape, ...]] | None:
    """The island of each variable and the shapes; None for models with statements that read no variable at all."""
    groups = {(name, k): group for name in STATEMENTS for k, group in enumerate(getattr(flat, name)) if group.rows}
    if not all(_variable_slots(group) for group in groups.values()) or not np.diff(flat.sums.indptr).all():
        return None
    label = _labels(flat, groups)
    return label, _Sorter(flat, groups, label).shapes()


def cut(flat: FlatModel, shape: Shape, members: IntArray) -> FlatModel:
    """Some islands of a shape as a model, one after the other."""
    count = len(members)
    offset = np.arange(len(members))
    sizes = {False: shape.variables.shape[1], True: shape.parameters.shape[1]}
    listed: dict[str, list[Group]] = {name: [] for name in STATEMENTS}
    for (name, k), local in shape.local.items():
        whole = getattr(flat, name)[k]
        steps = np.array([sizes[info.parameter] for info in whole.template.slots], np.int32)
        bindings = (local[None] + offset[:, None, None] * steps).reshape(-1, local.shape[1]).astype(np.int32)
        rows = shape.rows[name, k][members].ravel()
        listed[name].append(PartGroup(whole.template, bindings, (), whole=whole, rows_of_whole=rows))
    size = sizes[False]
    sums = shape.sums
    numbers = shape.parameters[members].ravel()
    begin = (sums.indptr[:-1] + offset[:, None] * sums.indptr[-1]).ravel()
    return FlatModel(
        name=flat.name,
        tree=flat.tree,
        variables=PartTable.of(flat.variables, shape.variables[members].ravel()),
        parameters=PartTable.of(flat.parameters, numbers),
        equations=tuple(listed["equations"]),
        initial_equations=tuple(listed["initial_equations"]),
        whens=tuple(listed["whens"]),
        assertions=tuple(listed["assertions"]),
        invariants=tuple(listed["invariants"]),
        parameter_bindings=(),
        start_bindings=(),
        equalities=(shape.equalities + size * offset[:, None, None]).reshape(-1, 2).astype(np.int32),
        sums=Sums(
            np.append(begin, count * sums.indptr[-1]),
            (sums.indices + size * offset[:, None]).ravel().astype(np.int32),
            np.tile(sums.signs, count),
        ),
        inputs=(shape.inputs + size * offset[:, None]).ravel().astype(np.int32),
        parameter_values=flat.parameter_values[numbers],
        parts=flat.parts,
        events_at_start=flat.events_at_start,
        reinit_at_once=flat.reinit_at_once,
    )


def _variable_slots(group: Group) -> list[int]:
    return [k for k, info in enumerate(group.template.slots) if not info.parameter]


def _labels(flat: FlatModel, groups: dict[Key, Group]) -> IntArray:
    """The island of each variable."""
    pairs = [flat.equalities.reshape(-1, 2)]
    for group in groups.values():
        first, *others = _variable_slots(group)
        pairs += [group.bindings[:, [first, slot]] for slot in others]
    sums = flat.sums
    heads = np.repeat(sums.indices[sums.indptr[:-1]], np.diff(sums.indptr))
    pairs.append(np.stack([heads, sums.indices], axis=1))
    a, b = np.concatenate(pairs).T
    return connected_sets(flat.variables.count, a, b)


class _Numbered:
    """Things sorted by island, in their old order in each: the k-th thing of island i is order[first[i] + k]."""

    def __init__(self, label: IntArray, count: int) -> None:
        self.order = np.argsort(label, kind="stable")
        self.count = np.bincount(label, minlength=count)
        self.first = np.concatenate([[0], np.cumsum(self.count)])
        self.label = label

    def of(self, members: IntArray) -> IntArray:
        """A row of numbers for each island; they have equally many."""
        each = int(self.count[members[0]])
        return self.order[self.first[members][:, None] + np.arange(each)]

    @property
    def local(self) -> IntArray:
        """The number of each thing in its island."""
        out = np.empty(len(self.order), np.int64)
        out[self.order] = np.arange(len(self.order)) - self.first[self.label[self.order]]
        return out


class _Sorter:
    """Sorts islands by what they look like."""

    def __init__(self, flat: FlatModel, groups: dict[Key, Group], label: IntArray) -> None:
        self.flat = flat
        self.groups = groups
        total = int(label.max(initial=-1)) + 1
        self.variables = _Numbered(label, total)
        self.position = self.variables.local
        sums = flat.sums
        heads = np.zeros(0, np.int64) if not sums.rows else label[sums.indices[sums.indptr[:-1]]]
        self.rows = {
            key: _Numbered(label[group.bindings[:, _variable_slots(group)[0]]], total) for key, group in groups.items()
        }
        self.equalities = _Numbered(label[flat.equalities.reshape(-1, 2)[:, 0]], total)
        self.sums = _Numbered(heads, total)
        self.entries = _Numbered(label[sums.indices], total)
        self.is_input = np.zeros(flat.variables.count, bool)
        self.is_input[flat.inputs] = True
        self._take_parameters(total)

    def _take_parameters(self, total: int) -> None:
        """The parameters each island reads; one that several read is one of each."""
        step = max(self.flat.parameters.count, 1)
        read = [np.zeros(0, np.int64)]
        for key, group in self.groups.items():
            for slot, info in enumerate(group.template.slots):
                if info.parameter:
                    read.append(self.rows[key].label * step + group.bindings[:, slot])
        self.pairs = np.unique(np.concatenate(read))
        self.parameters = _Numbered(self.pairs // step, total)
        self.step = step

    def shapes(self) -> tuple[Shape, ...]:
        """All shapes, those of the first islands first."""
        numbered = [self.variables, self.parameters, *self.rows.values(), self.equalities, self.sums, self.entries]
        sizes = np.stack([each.count for each in numbered], axis=1)
        used = np.flatnonzero(sum(rows.count for rows in self.rows.values()) > 0)
        _, kind = np.unique(sizes[used], axis=0, return_inverse=True)
        found = []
        for k in range(int(kind.max(initial=-1)) + 1):
            members = used[kind.ravel() == k]
            _, alike = np.unique(self._signatures(members), axis=0, return_inverse=True)
            found += [self._shape(members[alike.ravel() == j]) for j in range(int(alike.max()) + 1)]
        return tuple(sorted(found, key=lambda shape: int(shape.labels[0])))

    def _local(self, key: Key, members: IntArray) -> IntArray:
        """The bindings of islands over their own variables and parameters: island, row, slot."""
        group = self.groups[key]
        rows = self.rows[key].of(members)
        out = np.empty((*rows.shape, group.bindings.shape[1]), np.int64)
        for slot, info in enumerate(group.template.slots):
            bound = group.bindings[rows, slot]
            if info.parameter:
                at = np.searchsorted(self.pairs, members[:, None] * self.step + bound)
                out[..., slot] = at - self.parameters.first[members][:, None]
            else:
                out[..., slot] = self.position[bound]
        return out

    def _signatures(self, members: IntArray) -> IntArray:
        """The signature of each subsystem, one row of integers each."""
        flat = self.flat
        variables = self.variables.of(members)
        count = len(members)
        sums = self.sums.of(members)
        entries = self.entries.of(members)
        given = [~np.isnan(flat.variables.column(name)[variables]) for name in ("start", "fixed")]
        parts = [self._local(key, members) for key in self.groups]
        parts += [
            self.position[flat.equalities.reshape(-1, 2)[self.equalities.of(members)]],
            self.is_input[variables],
            *given,
        ]
        parts += [np.nan_to_num(flat.variables.column("fixed")[variables])]
        parts += [np.diff(flat.sums.indptr)[sums], self.position[flat.sums.indices[entries]], flat.sums.signs[entries]]
        return np.concatenate([part.reshape(count, -1).astype(np.int64) for part in parts], axis=1)

    def _shape(self, members: IntArray) -> Shape:
        flat = self.flat
        one = members[:1]
        present = [key for key in self.groups if self.rows[key].count[one[0]]]
        sums = self.sums.of(one)[0]
        entries = self.entries.of(one)[0]
        lengths = np.diff(flat.sums.indptr)[sums]
        return Shape(
            members,
            self.variables.of(members),
            self.pairs[self.parameters.of(members)] % self.step,
            {key: self.rows[key].of(members) for key in present},
            {key: self._local(key, one)[0] for key in present},
            self.position[flat.equalities.reshape(-1, 2)[self.equalities.of(one)[0]]],
            Sums(
                np.concatenate([[0], np.cumsum(lengths)]),
                self.position[flat.sums.indices[entries]].astype(np.int32),
                flat.sums.signs[entries],
            ),
            np.flatnonzero(self.is_input[self.variables.of(one)[0]]),
        )
