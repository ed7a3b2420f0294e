"""The invariants of a model by components: residuals and states that hang together, as native code wants them.

Four-bar i: position gaps gap[i, 0], gap[i, 1] by the angles, velocity gaps rate[i, 0], rate[i, 1] by the speeds
->  two components of two rows and three columns for each of them
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tellegen.engine.native.record import Record
from tellegen.engine.runtime.algebra.projection_record import Projection
from tellegen.graph.sets import connected_sets
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.reduced import BoolArray, Invariants, ReducedModel
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_SINGULAR = 1e-6  # a direction in which residuals change by less, of the most, may be free


@dataclass(frozen=True, eq=False)
class Components:
    """Rows, columns and entries sorted by component; see engine/runtime/algebra/projection_record.py."""

    row_start: IntArray
    column_start: IntArray
    entry_start: IntArray
    rows: IntArray  # of ReducedModel.invariants
    residual: IntArray  # places in the solver's vector
    state: IntArray  # numbers of states
    entry_row: IntArray
    entry_column: IntArray
    entry_place: IntArray
    of_parameter: BoolArray
    sign: FloatArray

    @property
    def count(self) -> int:
        """Number of components."""
        return len(self.row_start) - 1

    @cached_property
    def row_of_entry(self) -> IntArray:
        """The row of each entry."""
        return self.entry_row + np.repeat(self.row_start[:-1], np.diff(self.entry_start))

    @cached_property
    def state_of_entry(self) -> IntArray:
        """The state of each entry."""
        return self.state[self.entry_column + np.repeat(self.column_start[:-1], np.diff(self.entry_start))]

    def derivatives(self, y: FloatArray, p: FloatArray) -> FloatArray:
        """The derivative that each entry stands for."""
        place = self.entry_place
        return self.sign * np.where(self.of_parameter, p.take(place, mode="clip"), y.take(place, mode="clip"))

    def row_lengths(self, y: FloatArray, p: FloatArray, size: FloatArray) -> FloatArray:
        """How much each residual changes with states that move by their sizes; one where nothing moves it."""
        squares = np.zeros(len(self.residual))
        np.add.at(squares, self.row_of_entry, (self.derivatives(y, p) * size[self.state_of_entry]) ** 2)
        return np.where(squares > 0.0, np.sqrt(squares), 1.0)

    def locked(self, y: FloatArray, p: FloatArray) -> IntArray:
        """The states without any freedom: their component has as many independent residuals as states."""
        derivatives = self.derivatives(y, p)
        found = [np.zeros(0, np.int64)]
        for k in range(self.count):
            states = self.states_of(k)
            jacobian = self.dense(k, derivatives)
            if len(jacobian) >= len(states) and np.linalg.matrix_rank(jacobian, rtol=_SINGULAR) == len(states):
                found.append(states)
        return np.concatenate(found)

    def entries_of(self, component: int) -> slice:
        """The entries of a component."""
        return slice(self.entry_start[component], self.entry_start[component + 1])

    def dense(self, component: int, derivatives: FloatArray) -> FloatArray:
        """The Jacobian of a component, with a row for each residual, from the derivatives of all entries."""
        mine = self.entries_of(component)
        out = np.zeros((len(self.residuals_of(component)), len(self.states_of(component))))
        np.add.at(out, (self.entry_row[mine], self.entry_column[mine]), derivatives[mine])
        return out

    def states_of(self, component: int) -> IntArray:
        """The states by which the residuals of a component are kept."""
        return self.state[self.column_start[component] : self.column_start[component + 1]]

    def residuals_of(self, component: int) -> IntArray:
        """Places of the residuals of a component in the solver's vector."""
        return self.residual[self.row_start[component] : self.row_start[component + 1]]


def components(model: ReducedModel, states: IntArray) -> Components | None:
    """The components of a model whose states have these places in the solver's vector; None without invariants."""
    found = model.invariants
    if found is None:
        return None
    number = np.full(len(model.unknowns), -1)
    number[states] = np.arange(len(states))
    state = number[model.position[found.state]]
    label = connected_sets(found.rows + len(states), found.row, found.rows + state)
    _, first = np.unique(label[: found.rows], return_index=True)
    component = np.full(int(label.max()) + 1, -1)
    component[label[np.sort(first)]] = np.arange(len(first))
    of_row = component[label[: found.rows]]
    of_state = component[label[found.rows :]]
    rows = np.argsort(of_row, kind="stable")
    columns = np.flatnonzero(of_state >= 0)
    columns = columns[np.argsort(of_state[columns], kind="stable")]
    entries = np.argsort(of_row[found.row], kind="stable")
    row_start = _starts(of_row, len(first))
    column_start = _starts(of_state[columns], len(first))
    of_entry = of_row[found.row[entries]]
    return Components(
        row_start=row_start,
        column_start=column_start,
        entry_start=_starts(of_entry, len(first)),
        rows=rows,
        residual=model.position[found.residual[rows]].astype(np.int64),
        state=columns,
        entry_row=_inverse(rows, found.rows)[found.row[entries]] - row_start[of_entry],
        entry_column=_inverse(columns, len(states))[state[entries]] - column_start[of_entry],
        entry_place=_places(model, found)[entries],
        of_parameter=_is_parameter(model, found)[entries],
        sign=found.sign[entries].astype(float),
    )


def _starts(labels: IntArray, count: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=count))])


def _inverse(order: IntArray, count: int) -> IntArray:
    out = np.full(count, -1)
    out[order] = np.arange(len(order))
    return out


def _is_parameter(model: ReducedModel, found: Invariants) -> BoolArray:
    """Entries that stand in the vector of parameters: inputs and discrete variables do as well."""
    return found.of_parameter | (model.position[np.where(found.of_parameter, 0, found.partial)] < 0)


def _places(model: ReducedModel, found: Invariants) -> IntArray:
    """The place of each entry, in the solver's vector or among the parameters."""
    variable = np.where(found.of_parameter, 0, found.partial)
    given = np.where(model.position[variable] >= 0, model.position[variable], model.known_position[variable])
    return np.where(found.of_parameter, found.partial, given)


def projection_record(of: Components, states: int) -> Record:
    """A record of native code with its work space; states are free, and ranks are found yet."""
    rows = int(np.diff(of.row_start).max(initial=1))
    columns = int(np.diff(of.column_start).max(initial=1))
    record = Record(field_names(Projection))
    numbers = ("row_start", "column_start", "entry_start", "residual", "state", "entry_row", "entry_column")
    record.set(
        components=of.count,
        **{name: getattr(of, name).astype(np.int32) for name in (*numbers, "entry_place", "of_parameter")},
        sign=of.sign,
        longest=np.zeros(len(of.residual)),
        length=np.zeros(len(of.residual)),
        most_length=np.zeros(len(of.residual)),
        rank=np.zeros(of.count, np.int32),
        share=np.ones(states),
        jacobian=np.zeros(rows * columns),
        factor=np.zeros(rows * rows),
        order=np.zeros(rows, np.int32),
        point=np.zeros(states),
        **{name: np.zeros(rows) for name in ("gap", "left", "multiplier")},
        **{name: np.zeros(columns) for name in ("change", "weight")},
    )
    return record
