"""Initial values backwards: weights on the states at the start become weights on start values and parameters.

    G(u, s, p) = 0       u what was solved for at the start, s start values that were held
    G_u' r = c_u         start values get  c_s - G_s' r,  parameters  -G_p' r

G are the equations and the initial equations, u as initialize.py chose it. What when-statements assign at the
initial instant is followed together with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from tellegen.analyses.adjoint.assembled_start import AssembledStart, Moved
from tellegen.analyses.adjoint.event_jumps import Jumps, Side, not_backwards
from tellegen.analyses.adjoint.local_weights import LocalPoint, Weights
from tellegen.analyses.adjoint.steady_loops import SteadyLoops
from tellegen.analyses.adjoint.transposed_lu import Transposed
from tellegen.analyses.adjoint.weighted_partials import ByParameters
from tellegen.analyses.sensitivities.value_slopes import Instants
from tellegen.engine.initialization.assembly.assemble import assembled, not_moved
from tellegen.engine.initialization.initial_system import Free, InitialSystem, Point
from tellegen.engine.initialization.initialize import StartJump, free_at_start, initialize, jump_at_start
from tellegen.engine.initialization.steady.steady_values import steady_free
from tellegen.engine.linear_algebra.rank_deficiency import is_singular
from tellegen.engine.readout.discrete_history import Happened
from tellegen.engine.request.parameter_and_start_vectors import Starts, starts
from tellegen.engine.request.run_request import RunRequest
from tellegen.ir.events import REINIT
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.variation.augment import Directions

_NONE = np.zeros(0, np.int64)
_AT_ONCE = 200  # residuals that are weighed together


class AtStart:
    """The equations at the initial time, as a side that weights are pulled to."""

    def __init__(self, point: LocalPoint, by: ByParameters, p: FloatArray, request: RunRequest) -> None:
        self.point = point
        self.at = point.at
        self.parameters = by
        model = point.model
        self.p = p  # with discrete variables at their start values
        self.first: Starts = starts(model, self.p, request.start_values)
        held = self.first.fixed
        guessed = self.first
        if not request.steady:
            here = Point(float(self.at.t[0]), self.p.copy())
            self.first = assembled(model, here, guessed)
            held = not_moved(guessed, self.first)
        self.free, self.kept = self._solved_for(request.steady)
        self.after = Side(point, by)
        self.jump = self._jump(request.steady)
        if self.jump is not None:
            self.at = Instants(self.at.t, self.jump.before.y[None], self.jump.before.yp[None], self.jump.p)
        elif request.steady:
            self.at = self._steady()
        self.system = InitialSystem(model, Point(float(self.at.t[0]), self.at.p), self.at.y[0], self.free, self.kept)
        self.system.yp[:] = self.at.yp[0]
        free = np.packbits(np.concatenate(self.free)).tobytes()
        self._factors = Transposed(model, self.system.pattern, f"start {free!r}")
        self.extra = ByParameters(model.reduced, by.wanted, initial=True) if self.system.extra else None
        moved = Moved(self.first.value - guessed.value, self.first.scales.size, held | self.free.values)
        self._loops = self._moved_onto_invariants(request.steady, moved)
        self._past = () if model.reduced.events is None else Jumps(model).pairs("unknown_pre")

    def _moved_onto_invariants(self, steady: bool, moved: Moved) -> AssembledStart | SteadyLoops | None:
        """What adds weights for states that invariants determine, if there are any."""
        model = self.point.model
        if model.reduced.invariants is None:
            return None
        if steady:
            return SteadyLoops(model, self.first.scales.size)
        return AssembledStart(model, self.at.y[0], self.at.p, moved)

    def refuse_open_loops(self, moving: Directions, names: Sequence[str]) -> None:
        """E312 where a loop cannot stay closed in one of the directions, which have names."""
        if self._loops is not None:
            self._loops.refuse_open(self._changes_of_residuals(moving), names, self._pulled)

    def _changes_of_residuals(self, moving: Directions) -> FloatArray:
        """The derivatives of the residuals of invariants in each direction, states held; zeros for other unknowns."""
        model = self.point.model.reduced
        assert model.invariants is not None
        residuals = model.position[model.invariants.residual]
        out = np.zeros((len(self.system.y), moving.count))
        known = np.flatnonzero(self.first.source >= 0)
        sources = self.first.source[known]
        starts_moved = model.sign[sources][:, None] * moving.starts[sources]
        for some in np.array_split(residuals, -(-len(residuals) // _AT_ONCE)):
            trial = Weights(len(self.system.y), len(self.at.p), len(some))
            trial.y[some, np.arange(len(some))] = 1.0
            on_held, _ = self._on_held(trial)
            out[some] = trial.p[: len(moving.parameters)].T @ moving.parameters + on_held[known].T @ starts_moved
        return out

    def _pulled(self, given: Weights) -> FloatArray:
        """Weights on states, of weights on anything."""
        return self._on_held(given.copy())[0]

    def _solved_for(self, steady: bool) -> tuple[Free, BoolArray]:
        """The unknowns and equations at the start; with invariants, of a steady state whose states are given."""
        model = self.point.model
        if steady and model.reduced.invariants is not None:
            is_state = model.reduced.is_state
            return Free(~is_state, is_state.copy()), np.ones(model.program.size, bool)
        if steady:
            return steady_free(model), model.reduced.is_as_written
        chosen = free_at_start(model, self.first)
        if chosen.repeated:
            raise not_backwards("initial conditions repeat each other")
        return chosen.free, chosen.kept

    def _steady(self) -> Instants:
        """The steady state itself: a run starts with what moving sources make of it."""
        model = self.point.model
        t = float(self.at.t[0])
        y, yp = initialize(model, Point(t, self.p.copy()), self.first, steady=True, jumps=False)
        if model.reduced.invariants is None:
            system = InitialSystem(model, Point(t, self.at.p), y, self.free, self.kept)
            if is_singular(system.pattern, system.jacobian(y[system.values])):
                raise not_backwards("start values determine the steady state, by what is conserved")
        return Instants(self.at.t, y[None], yp[None], self.at.p)

    def _jump(self, steady: bool) -> StartJump | None:
        """What the initial instant does to states, if they jump in it; discrete values must not jump with them."""
        model = self.point.model
        events = model.reduced.events
        if events is None or not (events.actions.verb == REINIT).any():
            return None
        found = jump_at_start(model, Point(float(self.at.t[0]), self.p.copy()), self.first, steady)
        if found is None:
            return None
        assigned = Jumps(model).assigned(found.fired)
        if steady or (found.p[assigned] != self.p[assigned]).any():
            raise not_backwards("at the initial time states jump together with discrete values, or from a steady state")
        return found

    def pulled(self, weights: Weights) -> tuple[FloatArray, FloatArray]:
        """Weights on values that were held; what parameters get is added to theirs."""
        for position, source in self._past:
            weights.y[source] += weights.p[position]
            weights.p[position] = 0.0
        if self._loops is not None:
            self._loops.put(weights, self._pulled)
        return self._on_held(weights)

    def _on_held(self, weights: Weights) -> tuple[FloatArray, FloatArray]:
        """The same for values of states that the invariants allow."""
        system = self.system
        size = self.point.model.program.size
        u = np.concatenate([system.y[system.values], system.yp[system.rates]])
        wanted = np.concatenate([weights.y[system.values], weights.yp[system.rates]])
        multipliers = self._factors.factor(system.jacobian(u)).solve(wanted)
        r = np.zeros((len(system.kept), wanted.shape[1]))
        r[system.rows] = multipliers
        self.parameters.weighed(self.at, r[None, :size], weights.p)
        if self.extra is not None:
            self.extra.weighed(self.at, r[None, size:], weights.p)
        return np.where(self.free.values[:, None], 0.0, weights.y - self._by_values().T @ multipliers), weights.t

    def _by_values(self) -> Any:
        """The derivatives of all equations by all values."""
        system = self.system
        whole = InitialSystem(
            system.model, system.point, system.y, Free(np.ones_like(self.free.values), self.free.rates), self.kept
        )
        whole.yp[:] = system.yp
        v = np.concatenate([whole.y, whole.yp[whole.rates]])
        pattern = whole.pattern
        matrix = csc_array((whole.jacobian(v), pattern.indices, pattern.indptr), shape=pattern.shape)
        return matrix[:, : len(system.y)]


def back_to_starts(side: AtStart, weights: Weights) -> FloatArray:
    """Weights on the start values of all variables; what parameters get is added to theirs."""
    model = side.point.model.reduced
    if model.events is not None:
        jumps = Jumps(side.point.model)
        if side.jump is not None:
            before = Side(side.point.at_numbers(side.at), side.parameters)
            happened = Happened(float(side.at.t[0]), side.jump.fired, _NONE, _NONE)
            before_jump = jumps.back(before, side.after, happened, weights, moves=False)
        else:
            before_jump = weights
        found = jumps.at_start(side, before_jump)
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
