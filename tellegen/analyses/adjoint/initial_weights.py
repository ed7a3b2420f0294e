"""Initial values backwards: weights on the states at the start become weights on start values and parameters.

    G(u, s, p) = 0       u what was solved for at the start, s start values that were held
    G_u' r = c_u         start values get  c_s - G_s' r,  parameters  -G_p' r

G are the equations and the initial equations, u as initialize.py chose it. What when-statements assign at the
initial instant is followed together with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_array

from tellegen.analyses.adjoint.event_jumps import Jumps, not_backwards
from tellegen.analyses.adjoint.local_weights import LocalPoint, Weights
from tellegen.analyses.adjoint.transposed_lu import Transposed
from tellegen.analyses.adjoint.weighted_partials import ByParameters
from tellegen.engine.initialization.initial_system import Free, InitialSystem, Point
from tellegen.engine.initialization.initialize import free_at_start, reinits_at_start
from tellegen.engine.request.parameter_and_start_vectors import Starts, starts
from tellegen.engine.request.run_request import RunRequest
from tellegen.ir.events import REINIT
from tellegen.ir.model import FloatArray


class AtStart:
    """The equations at the initial time, as a side that weights are pulled to."""

    def __init__(self, point: LocalPoint, by: ByParameters, p: FloatArray, request: RunRequest) -> None:
        self.point = point
        self.at = point.at
        self.parameters = by
        model = point.model
        self.p = p  # with discrete variables at their start values
        self.first: Starts = starts(model, self.p, request.start_values)
        self.free = free_at_start(model, self.first, request.steady)
        self.reinits = self._reinits(request.steady)
        self.system = InitialSystem(model, Point(float(self.at.t[0]), self.at.p), self.at.y[0], self.free)
        self.system.yp[:] = point.rates
        free = np.packbits(np.concatenate(self.free)).tobytes()
        self._factors = Transposed(model, self.system.pattern, f"start {free!r}")
        self.extra = ByParameters(model.reduced, by.wanted, initial=True) if self.system.extra else None
        self._past = () if model.reduced.events is None else Jumps(model).pairs("unknown_pre")

    def _reinits(self, steady: bool) -> set[tuple[int, int]]:
        """When-statements and branches with a reinit that fired; states that were solved for must not jump."""
        model = self.point.model
        if model.reduced.events is None or not (model.reduced.events.actions.verb == REINIT).any():
            return set()
        found = reinits_at_start(model, Point(float(self.at.t[0]), self.p.copy()), self.first, steady)
        if found and (self.free.values & model.reduced.is_state).any():
            raise not_backwards("a reinit acts at the initial time, where states were solved for")
        return found

    def pulled(self, weights: Weights) -> tuple[FloatArray, FloatArray]:
        """Weights on values that were held; what parameters get is added to theirs."""
        for position, source in self._past:
            weights.y[source] += weights.p[position]
            weights.p[position] = 0.0
        system = self.system
        size = self.point.model.program.size
        u = np.concatenate([system.y[system.values], system.yp[system.rates]])
        wanted = np.concatenate([weights.y[system.values], weights.yp[system.rates]])
        r = self._factors.factor(system.jacobian(u)).solve(wanted)
        self.parameters.weighed(self.at, r[None, :size], weights.p)
        if self.extra is not None:
            self.extra.weighed(self.at, r[None, size:], weights.p)
        return np.where(self.free.values[:, None], 0.0, weights.y - self._by_values().T @ r), weights.t

    def _by_values(self) -> Any:
        """The derivatives of all equations by all values."""
        system = self.system
        whole = InitialSystem(
            system.model, system.point, system.y, Free(np.ones_like(self.free.values), self.free.rates)
        )
        whole.yp[:] = system.yp
        whole.extra = system.extra
        v = np.concatenate([whole.y, whole.yp[whole.rates]])
        pattern = whole.pattern
        matrix = csc_array((whole.jacobian(v), pattern.indices, pattern.indptr), shape=pattern.shape)
        return matrix[:, : len(system.y)]


def back_to_starts(side: AtStart, weights: Weights) -> FloatArray:
    """Weights on the start values of all variables; what parameters get is added to theirs."""
    model = side.point.model.reduced
    if model.events is not None:
        found = Jumps(side.point.model).at_start(side, weights)
        weights.y[:] = found.y
        weights.p[:] = found.p
    else:
        weights.y[:], _ = side.pulled(weights)
    count = model.flat.variables.count
    out = np.zeros((count, len(weights.t)))
    known = np.flatnonzero(side.first.source >= 0)
    sources = side.first.source[known]
    np.add.at(out, sources, model.sign[sources][:, None] * weights.y[known])
    position = model.known_position[model.representative[:count]]
    discrete = np.flatnonzero((position >= 0) & (model.sign[:count] != 0))
    out[discrete] += model.sign[discrete][:, None] * weights.p[position[discrete]]
    return out
