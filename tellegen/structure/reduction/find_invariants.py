"""Invariants in terms of the unknowns that remain.

    gap stays 0; its derivative by flange.phi is slope      (flange.phi = -arm.phi is eliminated, slope = 0.5 * scale)
    ->  residual gap, state arm.phi, derivative -slope

What eliminate_aliases found to be zero is left out, derivatives and residuals alike, and of residuals that repeat one
another one is kept. Whatever an invariant is kept by must be a state for good; states that constraints tie together may
give way to one another while the model runs, unless the choice between them lasts. Variables that are prescribed as
functions of time are left out: the others have to move.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.dataflow.tied_parts import tied_parts
from tellegen.errors import StructureError
from tellegen.ir.model import Array
from tellegen.ir.reduced import BoolArray, Invariants, ReducedModel
from tellegen.ir.show.statements import show_row
from tellegen.start.records import dataclass

_NOT_A_STATE = "name states: variables whose derivative the equations contain"
_TIED = "leave out the constraint and keep its second derivative as the equation: the invariant takes its place"


@dataclass(frozen=True, eq=False)
class _Entries:
    """The partial derivatives as written: variables of the FlatModel, and where each was written."""

    residual: Array
    state: Array
    partial: Array
    of_parameter: Array
    source: Array  # (entries, 2): group and row

    def chosen(self, which: Array | BoolArray) -> _Entries:
        """Some of them."""
        columns = (self.residual, self.state, self.partial, self.of_parameter, self.source)
        return _Entries(*(column[which] for column in columns))


def find_invariants(model: ReducedModel) -> ReducedModel:
    """See the top of this file."""
    if not model.flat.invariants:
        return model
    entries = _written(model)
    entries = entries.chosen(~_is_prescribed(model)[model.representative[entries.state]])
    _check(model, entries)
    entries = entries.chosen(model.sign[entries.residual] != 0)
    leader = model.representative[entries.residual]
    _, first = np.unique(leader, return_index=True)
    first = np.sort(first)
    written_as = np.full(model.flat.variables.count, -1)  # of residuals that repeat one another: the one that is kept
    written_as[leader[first]] = entries.residual[first]
    row_of = np.full(model.flat.variables.count, -1)
    row_of[leader[first]] = np.arange(len(first))
    sources = entries.source[first]
    entries = entries.chosen(written_as[leader] == entries.residual)
    sign = _signs(model, entries)
    entries = entries.chosen(sign != 0)
    plain = np.where(entries.of_parameter, 0, entries.partial)
    found = Invariants(
        residual=leader[first],
        row=row_of[model.representative[entries.residual]].astype(np.int32),
        state=model.representative[entries.state],
        partial=np.where(entries.of_parameter, entries.partial, model.representative[plain]).astype(np.int32),
        sign=sign[sign != 0],
        of_parameter=entries.of_parameter,
        sources=sources,
    )
    return replace(model, invariants=found if found.rows else None)


def _written(model: ReducedModel) -> _Entries:
    groups = model.flat.invariants
    rows = np.concatenate([group.bindings for group in groups])
    of_parameter = np.concatenate([np.full(group.rows, group.template.slots[2].parameter) for group in groups])
    source = np.concatenate([np.stack([np.full(g.rows, k), np.arange(g.rows)], axis=1) for k, g in enumerate(groups)])
    return _Entries(rows[:, 0], rows[:, 1], rows[:, 2], of_parameter, source)


def _signs(model: ReducedModel, entries: _Entries) -> Array:
    """Of the derivative of what represents a residual by what represents a state, relative to what represents it."""
    plain = np.where(entries.of_parameter, 0, entries.partial)
    of_partial = np.where(entries.of_parameter, 1, model.sign[plain])
    of_partial[_written_zeros(model, entries)] = 0
    return (model.sign[entries.residual] * model.sign[entries.state] * of_partial).astype(np.int8)


def _written_zeros(model: ReducedModel, entries: _Entries) -> list[int]:
    """Entries whose derivative is the number zero."""
    table = model.flat.parameters
    numbers = np.flatnonzero(entries.of_parameter)
    zeros = numbers[model.flat.parameter_values[entries.partial[numbers]] == 0.0]
    return [int(k) for k in zeros if table.declaration(int(entries.partial[k])).literal]


def _may_give_way(model: ReducedModel) -> BoolArray:
    """Unknowns tied to others by constraints that have no lasting choice: others may be better states later."""
    found = np.zeros(len(model.unknowns), bool)
    candidates = model.candidates
    if candidates is None:
        return found
    for part in tied_parts(candidates):
        if part.varying:
            chain = candidates.chain[part.columns]
            found[model.position[chain[chain >= 0]]] = True
    return found


def _is_prescribed(model: ReducedModel) -> BoolArray:
    """Variables that constraints determine without any state, such as the angle of a joint that a drive turns.

    A constraint with one unknown determines it, and what is determined is no longer an unknown of other constraints.
    Row k was differentiated c[k] times, so it determines derivative d - c of its unknown and those above.
    """
    found = np.zeros(model.variable_count, bool)
    candidates = model.candidates
    if candidates is None:
        return found
    determined = np.zeros(len(candidates.d), bool)
    rows, columns = candidates.pairs.T
    while True:
        left = ~determined[columns]
        single = np.flatnonzero(np.bincount(rows[left], minlength=len(candidates.c)) == 1)
        if not len(single):
            return found
        for k in single.tolist():
            j = int(columns[left & (rows == k)][0])
            chain = candidates.chain[j, max(0, candidates.d[j] - candidates.c[k]) :]
            found[chain[chain >= 0]] = True
            determined[j] = True


def _check(model: ReducedModel, entries: _Entries) -> None:
    """E216 where something is not what an invariant needs."""
    position = model.position[model.representative[entries.state]]
    zero = model.sign[entries.state] == 0
    is_state = (position >= 0) & ~zero & model.is_state[position]
    tied = (position >= 0) & ~zero & np.where(is_state, _may_give_way(model)[position], model.is_tied[position])
    given = (model.sign[entries.residual] != 0) & (model.position[model.representative[entries.residual]] < 0)
    wrong = ~is_state | tied | given
    if not wrong.any():
        return
    entry = int(np.flatnonzero(wrong)[0])
    flat = model.flat
    gap = flat.variables.name(int(entries.residual[entry]))
    state = flat.variables.name(int(entries.state[entry]))
    what = f"'{state}' is not a state, so the invariant '{gap}' cannot be kept by moving it"
    advice = _NOT_A_STATE
    if tied[entry]:
        what = f"constraints tie '{state}' to other states, so the invariant '{gap}' cannot be kept by moving it"
        advice = _TIED
    elif given[entry]:
        what = f"the invariant '{gap}' is an input or discrete: no state can keep it zero"
        advice = "name a continuous variable that the model computes from its states"
    number, row = entries.source[entry]
    group = flat.invariants[number]
    details = [f"in: {show_row(flat, group, int(row))}"]
    raise StructureError("E216", what, location=group.template.location, details=details, advice=advice)
