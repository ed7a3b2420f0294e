"""The unknowns of a large run, computed from its states where they are read.

A chain of a thousand links has 150 000 unknowns and 2000 states: 500 output times of all of them are 600 MB, to compute
them again takes 60 ms. The numbers are those of the run to the last bit: the same code computes them from the same
states, time and parameters. So it is done only where nothing else counts, no guess and no past.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.run_options import Options
from tellegen.ir.expressions.expr import Apply, walk
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.ode import Solve

LARGE = 64e6
"""Bytes: smaller matrices of unknowns are stored."""

OFTEN = 20
"""So many reads cost as much as the whole matrix, which is kept from then on."""


def is_large(model: NativeModel, options: Options) -> bool:
    """Whether all unknowns at all output times take much memory."""
    points = options.points if isinstance(options.points, int) else len(options.points)
    return 8.0 * points * len(model.reduced.unknowns) > LARGE


def is_recomputable(model: NativeModel) -> bool:
    """Whether states, time and parameters alone determine all unknowns, to the last bit."""
    reduced = model.reduced
    candidates = reduced.candidates
    if reduced.events is not None or reduced.invariants is not None or reduced.flat.tangents is not None:
        return False
    if candidates is not None and bool(candidates.varying.any()):
        return False
    if any(isinstance(step, Solve) and step.pattern is not None for step in model.ode.program.steps):
        return False  # its pivots are those of the first time it was factored
    calls = any(isinstance(node, Apply) for group in reduced.groups for node in walk(group.residual))
    return model.ode.smooth and not calls


class ComputedRows:
    """The matrix of unknowns over times. `first` is the row of the start, which initialization found."""

    def __init__(
        self, model: NativeModel, p: FloatArray, time: FloatArray, states: FloatArray, first: FloatArray
    ) -> None:
        self.model = model
        self.p = p
        self.time = time
        self.states = states
        self.first = first
        self.number: IntArray = np.arange(len(time))  # of each row in the run
        self._reads = 0
        self._whole: FloatArray | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """As of a matrix."""
        return len(self.time), len(self.first)

    @property
    def dtype(self) -> Any:
        """As NumPy asks."""
        return np.dtype(float)

    @property
    def nbytes(self) -> int:
        """Of what is stored."""
        return self.states.nbytes

    def __len__(self) -> int:
        return len(self.time)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_whole": None, "_reads": 0}

    def __array__(self, dtype: Any = None, copy: Any = None) -> FloatArray:
        return self[:, :].astype(dtype or float, copy=False)

    def max(self, axis: int | None = None) -> Any:
        """As of a matrix."""
        return np.asarray(self).max(axis=axis)

    def min(self, axis: int | None = None) -> Any:
        """As of a matrix."""
        return np.asarray(self).min(axis=axis)

    def __getitem__(self, key: Any) -> Any:
        """As of a matrix; a range of rows with all columns is again not computed yet."""
        if isinstance(key, slice):
            return self._some(np.arange(len(self))[key])
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if rows is None:
            return np.asarray(self)[key]
        chosen = np.arange(len(self))[rows]
        indices = np.arange(self.shape[1])[columns]
        return self._values(chosen.ravel(), indices.ravel()).reshape(*chosen.shape, *indices.shape)

    def _some(self, rows: IntArray) -> ComputedRows:
        found = ComputedRows(self.model, self.p, self.time[rows], self.states[rows], self.first)
        found.number = self.number[rows]
        return found

    def _values(self, rows: IntArray, columns: IntArray) -> FloatArray:
        if self._whole is not None:
            return self._whole[rows[:, None], columns]
        state_of = np.full(self.shape[1], -1)
        state_of[self.model.ode.program.states] = np.arange(self.states.shape[1])
        if (state_of[columns] >= 0).all():
            return self.states[rows[:, None], state_of[columns]]
        if len(rows) == len(self):
            self._reads += 1
        if self._reads >= OFTEN:
            self._whole = self._computed(np.arange(len(self)), np.arange(self.shape[1]))
            return self._whole[rows[:, None], columns]
        return self._computed(rows, columns)

    def _computed(self, rows: IntArray, columns: IntArray) -> FloatArray:
        out = np.empty((len(rows), len(columns)))
        system = self.model.ode.lease(self.model, self.p, np.ones(self.shape[1]))
        for k, row in enumerate(rows.tolist()):
            if self.number[row] == 0:
                out[k] = self.first[columns]
                continue
            solved = system.rhs(float(self.time[row]), self.states[row])
            assert solved, "the run has computed it"
            out[k] = system.y[columns]
        self.model.ode.give_back(system)
        return out
