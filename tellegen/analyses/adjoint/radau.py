"""Steps of the adjoint equations: linear, implicit, backwards in time.

    x' = f(t, x, p),  F(t, x, w, p) = 0      forward, w the rates of states and the algebraic unknowns
    A' q = S mu + l_w,  mu' = B' q - l_x     backward, A = dF/dw, B = dF/dx along the run, l the density of a function

Three stages of Radau IIA (order 5, stiff modes are damped; Hairer and Wanner, Solving ODEs II, IV.8). The coefficients
depend on time, so the stages are one linear system; it is sparse, has the pattern of the model three times, and is
factored in native code along known pivots (pivoted_lu.py). The embedded estimate of order 3 is theirs as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tellegen.analyses.adjoint.transposed_lu import Factored, Transposed
from tellegen.engine.linear_algebra.pivots import SingularMatrixError
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern

_S6 = np.sqrt(6.0)
NODES = np.array([(4.0 - _S6) / 10.0, (4.0 + _S6) / 10.0, 1.0])
STAGES = np.array(
    [
        [(88.0 - 7.0 * _S6) / 360.0, (296.0 - 169.0 * _S6) / 1800.0, (-2.0 + 3.0 * _S6) / 225.0],
        [(296.0 + 169.0 * _S6) / 1800.0, (88.0 + 7.0 * _S6) / 360.0, (-2.0 - 3.0 * _S6) / 225.0],
        [(16.0 - _S6) / 36.0, (16.0 + _S6) / 36.0, 1.0 / 9.0],
    ]
)
ESTIMATE = np.array([-(13.0 + 7.0 * _S6) / 3.0, (-13.0 + 7.0 * _S6) / 3.0, -1.0 / 3.0])
GAMMA = (6.0 - 9.0 ** (1.0 / 3.0) + 3.0 ** (4.0 / 3.0)) / 30.0  # the real eigenvalue of the stages


@dataclass(frozen=True, eq=False)
class Sampled:
    """The run at some instants: times, y, y', and A and B on the model's pattern, one row each."""

    t: FloatArray
    y: FloatArray
    yp: FloatArray
    by_others: FloatArray
    by_states: FloatArray

    def last(self) -> Sampled:
        """The last of the instants."""
        return Sampled(self.t[-1:], self.y[-1:], self.yp[-1:], self.by_others[-1:], self.by_states[-1:])


@dataclass(frozen=True, eq=False)
class Source:
    """The density of the functions by y and y', (instants, unknowns, functions)."""

    y: FloatArray
    yp: FloatArray


@dataclass(frozen=True, eq=False)
class Step:
    """What a step gives: mu at its end, the multipliers at its nodes, the estimated error of mu, and mu' at the end."""

    mu: FloatArray
    q: FloatArray
    error: FloatArray
    rate: FloatArray


@dataclass(frozen=True, eq=False)
class StepStart:
    """Where a step begins: the run there, mu and its rate."""

    run: Sampled
    mu: FloatArray
    rate: FloatArray


class Collocation:
    """The systems of a step, for a model with a choice of states."""

    def __init__(self, model: NativeModel) -> None:
        self.model = model
        pattern = model.program.pattern
        self.n = pattern.shape[0]
        self.is_state = model.reduced.is_state
        self._of_state = self.is_state[pattern.column_of_entry]
        three, self._entry, self._stage, self._on_diagonal = self._stages(pattern)
        self._three = Factored(model, three, f"stages {self.is_state.tobytes()!r}")
        self.one = Transposed(model, pattern, f"one {self.is_state.tobytes()!r}")
        self._apply = {1: _turned(pattern, 1), 3: _turned(pattern, 3)}

    def _stages(self, pattern: Pattern) -> tuple[Pattern, Any, Any, Any]:
        """The block (i, j) of the system is A_j' where i = j, plus h a_ij B_j'; in compressed columns."""
        n = self.n
        count = pattern.count
        # transposed
        row = pattern.column_of_entry
        column = pattern.indices
        parts = []
        for i in range(3):
            for j in range(3):
                chosen = np.arange(count) if i == j else np.flatnonzero(self._of_state)
                parts.append((i * n + row[chosen], j * n + column[chosen], j * count + chosen, i, j))
        rows, columns, entry = (np.concatenate([part[k] for part in parts]) for k in range(3))
        sizes = [len(part[0]) for part in parts]
        stage = np.repeat([STAGES[part[3], part[4]] for part in parts], sizes)
        diagonal = np.repeat([float(part[3] == part[4]) for part in parts], sizes)
        three, order = Pattern.of(rows, columns, (3 * n, 3 * n))
        return three, entry[order], stage[order], diagonal[order]

    def sampled(self, times: FloatArray, y: FloatArray, yp: FloatArray, p: FloatArray) -> Sampled:
        """The run at instants, with its derivatives."""
        y = np.ascontiguousarray(y)
        yp = np.ascontiguousarray(yp)
        entry = self.model.entries["jacobian"]
        count = self.model.program.pattern.count
        by_value = np.zeros((len(times), count))
        by_rate = np.zeros((len(times), count))
        entry.at_rows([(t, 1.0, 0.0) for t in times.tolist()], y, yp, p, by_value)
        entry.at_rows([(t, 0.0, 1.0) for t in times.tolist()], y, yp, p, by_rate)
        return Sampled(
            times, y, yp, np.where(self._of_state, by_rate, by_value), np.where(self._of_state, by_value, 0.0)
        )

    def _pulled(self, by_states: FloatArray, q: FloatArray) -> FloatArray:
        """B' q at each node."""
        apply = self._apply[len(q)]
        apply.data = by_states.ravel()
        return (apply @ q.reshape(len(q) * self.n, -1)).reshape(q.shape)

    def rate(self, here: Sampled, source: Source, mu: FloatArray) -> tuple[FloatArray, FloatArray]:
        """d mu backwards in time, and q, at one instant."""
        self.one.factor(here.by_others[0])
        q = self.one.solve(np.where(self.is_state[:, None], mu + source.yp[0], source.y[0]))
        pulled = self._pulled(here.by_states, q[None])[0]
        return np.where(self.is_state[:, None], source.y[0], 0.0) - pulled, q

    def step(self, start: StepStart, nodes: Sampled, source: Source, h: float) -> Step | None:
        """A step of length h; None: it has no solution."""
        state = self.is_state[None, :, None]
        values = self._on_diagonal * nodes.by_others.ravel()[self._entry]
        values += (h * self._stage) * nodes.by_states.ravel()[self._entry]
        forced = np.where(state, source.y, 0.0)
        along = h * np.einsum("ij,jnm->inm", STAGES, forced)
        wanted = np.where(state, start.mu[None] + source.yp + along, source.y)
        try:
            self._three.factor(values)
        except SingularMatrixError:
            return None
        q = self._three.solve(wanted.reshape(3 * self.n, -1)).reshape(3, self.n, -1)
        rates = forced - self._pulled(nodes.by_states, q)
        away = h * np.einsum("ij,jnm->inm", STAGES, rates)
        error = self._error(start.run, start.rate + np.einsum("i,inm->nm", ESTIMATE, away) / h, h)
        return Step(start.mu + away[2], q, error, rates[2])

    def _error(self, here: Sampled, defect: FloatArray, h: float) -> FloatArray:
        """(1/(gamma h) - df/dx)^-1 times the defect: what stiff modes would damp is not an error."""
        small = GAMMA * h
        values = here.by_others[0] + small * here.by_states[0]
        self.one.factor(values)
        q = self.one.solve(np.where(self.is_state[:, None], small * defect, 0.0))
        pulled = self._pulled(here.by_states, q[None])[0]
        return np.where(self.is_state[:, None], small * (defect - pulled), 0.0)


def _turned(pattern: Pattern, times: int) -> Any:
    """Room for transposed matrices one after the other on the diagonal."""
    n = pattern.shape[0]
    columns = np.concatenate([pattern.indices + i * n for i in range(times)])
    starts = np.concatenate([[0], np.cumsum(np.tile(np.diff(pattern.indptr), times))])
    return csr_array((np.ones(len(columns)), columns, starts), shape=(times * n, times * n))
