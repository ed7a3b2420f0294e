"""Eliminate variables that only repeat another one, its opposite, or zero.

    before                               after
    r.n.v == c.p.v                       (connection)      -
    r.n.i + c.p.i == 0                                     -
    r.p.i == r.i                                           -
    r.n.i == -r.i                                          -
    ground.p.v == 0                                        -
    c.v == c.p.v - c.n.v                                   -          (c.n.v is ground.p.v: c.v repeats c.p.v)
    r.v == r.p.v - r.n.v                 r.v - (r.p.v - c.v)
    c.C * der(c.v) == c.i                c.C * der(c.v) - r.i

Equations of two (or one) unknowns with weights of equal size are relations between signed classes; the classes are
found on integer arrays. What was not an alias before may become one when a term turns out to be zero, so the pass
repeats until nothing is found: usually three times. Relations that follow from others are left in place; they show
up as equations without unknowns, which the matching reports by name.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.errors import StructureError
from tellegen.graph.incidence import row_starts, sorted_entries
from tellegen.graph.signed_classes import Relations, redundant, signed_classes
from tellegen.ir.expressions.expr import Der, Slot
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import IntArray
from tellegen.ir.reduced import KNOWN, PARAMETER, UNUSED, BoolArray, LinearRows, ReducedGroup, ReducedModel
from tellegen.start.records import dataclass
from tellegen.structure.reduction.variants import Recovery, Variants
from tellegen.symbolic.linear import weighted_sum

_ROUNDS = 50


@dataclass(frozen=True, eq=False)
class Found:
    """Relations of one place: linear rows (group -1) or a sorted group, with the local row of each."""

    group: int
    rows: IntArray
    relations: Relations


def eliminate_aliases(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    flat = model.flat
    count = flat.variables.count
    is_known = np.zeros(count, bool)
    is_known[model.known] = True
    priority = _priority(flat, is_known)
    makers = [Variants(group, k) for k, group in enumerate(flat.equations)]
    recovery = Recovery(model.representative, model.sign, is_known)
    groups = model.groups
    linear = model.linear
    for _ in range(_ROUNDS):
        found = _relations(groups, linear, is_known)
        if not found:
            break
        parts = [f.relations for f in found]
        relations = Relations(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("a", "b", "sign")))
        classes = signed_classes(count, relations, priority)
        _refuse_tied_inputs(flat, classes.leader, classes.sign, is_known)
        keep = np.zeros(len(relations), bool)
        keep[redundant(count, relations, classes)] = True
        if keep.all():
            break
        groups, linear = _without(groups, linear, found, keep)
        old = recovery.representative
        sign = (recovery.sign * classes.sign[old]).astype(np.int8)
        recovery = Recovery(classes.leader[old].astype(np.int32), sign, is_known)
        renamed = (classes.leader != np.arange(count)) | (classes.sign == 0)
        groups = _renumbered(makers, groups, recovery, renamed)
        linear = _combined(linear, classes.leader, classes.sign)
    initial = tuple(
        part
        for k, group in enumerate(flat.initial_equations)
        for part in Variants(group, k).split(np.arange(group.rows), recovery)
    )
    remaining = (recovery.representative == np.arange(count)) & (recovery.sign != 0) & ~is_known
    return replace(
        model,
        groups=groups,
        linear=linear,
        initial=initial,
        representative=recovery.representative,
        sign=recovery.sign,
        unknowns=np.flatnonzero(remaining).astype(np.int32),
        is_state=np.zeros(int(remaining.sum()), bool),
    )


def _priority(flat: FlatModel, is_known: IntArray) -> IntArray:
    """Who represents a class: what is given from outside, then differentiated variables, then those with starts."""
    start = flat.variables.column("start")
    fixed = flat.variables.column("fixed")
    priority = 8 * is_known + 2 * np.where(np.isnan(fixed), 0.0, fixed != 0) + 1 * ~np.isnan(start)
    for group in flat.equations:
        for node in group.template.nodes:
            if isinstance(node, Der):
                priority[group.bindings[:, node.index]] += 4
    return np.minimum(priority, 15).astype(np.int64)


def _relations(groups: tuple[ReducedGroup, ...], linear: LinearRows, is_known: IntArray) -> list[Found]:
    """All relations between at most two variables among the equations that remain."""
    found = [_linear_relations(linear, is_known)]
    for k, group in enumerate(groups):
        relation = _group_relation(group)
        if relation is None:
            continue
        a, b, sign = relation
        rows = np.arange(group.rows)
        other = group.bindings[:, b] if b >= 0 else np.full(group.rows, -1)
        found.append(Found(k, rows, Relations(group.bindings[:, a], other, np.full(group.rows, sign, np.int8))))
    return [f for f in found if len(f.rows)]


def _group_relation(group: ReducedGroup) -> tuple[int, int, int] | None:
    """Slots (a, b) and the sign with a = sign * b, or (a, -1, 1) for a = 0, if that is all the residual says."""
    used = [kind for kind in group.kinds if kind != UNUSED]
    if not 1 <= len(used) <= 2 or PARAMETER in used or used.count(KNOWN) == len(used):
        return None
    weights, constant = weighted_sum(group.residual)
    slots = [part.index for part in weights if isinstance(part, Slot)]
    if constant or len(slots) != len(weights) or len(slots) != len(used):
        return None
    values = list(weights.values())
    if len(slots) == 1:
        return slots[0], -1, 1
    if abs(values[0]) != abs(values[1]):
        return None
    return slots[0], slots[1], -1 if values[0] * values[1] > 0 else 1


def _linear_relations(linear: LinearRows, is_known: IntArray) -> Found:
    length = np.diff(linear.indptr)
    ones = np.flatnonzero(length == 1)
    twos = np.flatnonzero(length == 2)
    at = linear.indptr[twos]
    twos = twos[np.abs(linear.weights[at]) == np.abs(linear.weights[at + 1])]
    first = linear.indptr[twos]
    second = linear.indptr[twos] + 1
    free = ~(is_known[linear.indices[first]] & is_known[linear.indices[second]])
    twos = twos[free]
    first = first[free]
    second = second[free]
    single = linear.indptr[ones]
    free = ~is_known[linear.indices[single]]
    ones = ones[free]
    single = single[free]
    sign = np.where(linear.weights[first] * linear.weights[second] > 0, -1, 1)
    a = np.concatenate([linear.indices[single], linear.indices[first]])
    b = np.concatenate([np.full(len(ones), -1), linear.indices[second]])
    sign = np.concatenate([np.ones(len(ones)), sign]).astype(np.int8)
    return Found(-1, np.concatenate([ones, twos]), Relations(a, b, sign))


def _refuse_tied_inputs(flat: FlatModel, leader: IntArray, sign: IntArray, is_known: IntArray) -> None:
    """Inputs are given from outside: two of them cannot be equal, and none can be zero, by an equation."""
    inputs = np.flatnonzero(is_known)
    tied = inputs[(leader[inputs] != inputs) | (sign[inputs] == 0)]
    if len(tied):
        name = flat.variables.name(int(tied[0]))
        raise StructureError(
            "E204",
            f"the input '{name}' is determined by an equation although its value comes from outside the model",
            advice="remove the connection or equation that equates it with another input or with zero",
        )


def _without(
    groups: tuple[ReducedGroup, ...], linear: LinearRows, found: list[Found], keep: IntArray
) -> tuple[tuple[ReducedGroup, ...], LinearRows]:
    """The equations less those that were used as relations; `keep` marks relations that must stay."""
    left = list(groups)
    start = 0
    for f in found:
        used = f.rows[~keep[start : start + len(f.rows)]]
        start += len(f.rows)
        stay = np.ones(linear.rows if f.group < 0 else left[f.group].rows, bool)
        stay[used] = False
        if f.group < 0:
            linear = _rows_of(linear, np.flatnonzero(stay))
        else:
            group = left[f.group]
            left[f.group] = replace(group, bindings=group.bindings[stay], source_rows=group.source_rows[stay])
    return tuple(left), linear


def _renumbered(
    makers: list[Variants], groups: tuple[ReducedGroup, ...], recovery: Recovery, renamed: BoolArray
) -> tuple[ReducedGroup, ...]:
    """The rows that remain, sorted into variants again from the equations as written where variables were renamed."""
    parts: dict[int, list[ReducedGroup]] = {}
    for group in groups:
        parts.setdefault(group.source, []).append(group)
    out: list[ReducedGroup] = []
    for source, old in sorted(parts.items()):
        if any(renamed[group.bindings[:, makers[source].columns]].any() for group in old):
            out += makers[source].split(np.sort(np.concatenate([group.source_rows for group in old])), recovery)
        else:
            out += [group for group in old if group.rows]
    return tuple(out)


def _rows_of(linear: LinearRows, rows: IntArray) -> LinearRows:
    """Some of the rows."""
    lengths = np.diff(linear.indptr)[rows]
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    entries = np.arange(indptr[-1]) - np.repeat(indptr[:-1] - linear.indptr[rows], lengths)
    return LinearRows(indptr, linear.indices[entries], linear.weights[entries], linear.sources[rows])


def _combined(linear: LinearRows, leader: IntArray, sign: IntArray) -> LinearRows:
    """The rows in terms of the leaders, entries of one variable added up and zeros dropped."""
    weights = linear.weights * sign[linear.indices]
    indices = leader[linear.indices].astype(np.int32)
    order, begins = sorted_entries(linear.row_of_entry, indices, len(leader))
    total = np.add.reduceat(weights[order], begins) if len(begins) else np.zeros(0)
    kept = order[begins[total != 0]]
    return LinearRows(
        row_starts(linear.row_of_entry[kept], linear.rows),
        indices[kept],
        total[total != 0].astype(np.int32),
        linear.sources,
    )
