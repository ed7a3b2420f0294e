"""Absolute tolerances of the unknowns, and how those of algebraic unknowns give way.

IDA tests the error of all unknowns. That of a state is what counts; an algebraic unknown follows from the states, but
it may amplify their error (a transistor's current, by 1/26 mV), and then asking it for as many digits as the states
makes steps small or fail. So after 50, 200, 800 ... steps, and where the integration gives up, each algebraic unknown
gets the tolerance that those of the states imply, and if steps still fail, tens of it. They stay in the test, because
their values between steps are interpolated and a fast signal must not slip through.

Nobody sees the unknowns of the hidden parts of a mechanism (articulated inertias, columns of closures), and roundings
of some are large beside them: they have wide tolerances from the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.engine.initialization.initial_system import Free, InitialSystem, Point
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.sundials import sundials
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import RunState
from tellegen.engine.request.scales import Peaks, Scales
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.network.mechanics.hidden_parts import is_of_hidden_part

_MANY = 0.2  # failures per step that call for it
_FEWEST = 50  # steps before judging
_WIDEST = 1e4
_PROBES = 4
_NOTABLE = 1e-2  # part of an unknown's size, as in engine/runs/amplified_errors.py
_HIDDEN = 1.0  # times rtol: the part of a hidden unknown's size, at least one, that is its absolute tolerance
_COARSEST = 1e-3  # part of an unknown's size; near a pole or a fold the states would allow anything


def _hidden_unknowns(model: NativeModel) -> BoolArray:
    """Those of hidden parts, but for the gaps of loops, which show how far states drift, and derivatives.

    Trees have none: their sweeps are well conditioned.
    """
    if model.flat.mechanism is None or not model.flat.mechanism.loops:
        return np.zeros(len(model.reduced.unknowns), bool)
    hidden = is_of_hidden_part(model.flat)
    if model.reduced.invariants is not None:
        hidden[model.reduced.invariants.residual] = False
    unknowns = model.reduced.unknowns
    return (unknowns < len(hidden)) & hidden[np.minimum(unknowns, len(hidden) - 1)]


class Tolerances:
    """The tolerances of one run."""

    def __init__(self, options: Options, scales: Scales, model: NativeModel) -> None:
        self._hidden = model.derived(_hidden_unknowns)
        self._usual = scales.tolerances(options.rtol, None)
        self._given = options.absolute(scales)
        self.rtol = options.rtol
        self.select(model.reduced.is_state)
        self.peak = np.zeros(len(self.atol))  # the largest values of the unknowns so far; native code fills it
        self._taken = 0
        self._next_look = _FEWEST
        self._seen = (0, 0)
        self._is_amplified = False  # whether the tolerances of states leave algebraic unknowns undetermined
        self.size = scales.size
        self._all = np.arange(len(self.atol))

    def speed(self, y: FloatArray, yp: FloatArray) -> float:
        """How many tolerances a second the unknowns change by, in the mean."""
        return float(np.sqrt(np.mean((yp / (self.rtol * np.abs(y) + self.atol)) ** 2)))

    def select(self, is_state: Any) -> None:
        """The tolerances that were asked for, with these states.

        A very small one is meant for states: an algebraic unknown may be a difference of large numbers.
        """
        given = self._given
        usual = self._usual
        wide = np.where(self._hidden, _HIDDEN * self.rtol, 0.0)
        self.atol = np.where(is_state, given.start, np.maximum(np.maximum(given.start, usual.start), wide))
        self.part = np.where(is_state, given.part, np.maximum(usual.part, wide))
        self.algebraic = ~is_state
        self.factor = 1.0

    def resume(self, state: RunState) -> None:
        """Continue with the largest values that another run has seen."""
        if state.peaks is not None:
            self.peak[state.peaks.unknowns] = state.peaks.value

    def peaks(self) -> Peaks:
        """The largest values of all unknowns."""
        is_low = bool(np.count_nonzero(self.peak < self._given.too_loose))
        return Peaks(self._all, self.peak, is_low or self._is_amplified)

    def adapt(self, memory: int, model: NativeModel, at: Point, y: FloatArray, yp: FloatArray) -> None:
        """Widen the algebraic tolerances if too many steps failed since the last look."""
        library = sundials()
        steps, failures = (library.count(name, memory) for name in ("IDAGetNumSteps", "IDAGetNumErrTestFails"))
        if steps < self._seen[0]:  # the counters restart with each restart
            self._seen = (0, 0)
        taken = steps - self._seen[0]
        failed = failures - self._seen[1]
        if taken < _FEWEST:
            return
        self._seen = (steps, failures)
        self._taken += taken
        failing = failed > _MANY * taken and self.factor < _WIDEST
        if self.algebraic.any() and (failing or self._taken >= self._next_look):
            self._next_look = 4 * self._taken
            self.factor *= 10.0 if failing else 1.0
            self._widen(model, at, y, yp)

    def give_way(self, model: NativeModel, at: Point, y: FloatArray, yp: FloatArray) -> bool:
        """Widen the algebraic tolerances where no step succeeds; False where they are as wide as they get."""
        if self.factor >= _WIDEST or not self.algebraic.any():
            return False
        self.factor *= 10.0
        self._widen(model, at, y, yp)
        return True

    def _widen(self, model: NativeModel, at: Point, y: FloatArray, yp: FloatArray) -> None:
        implied = self._implied(model, at, y, yp)
        self._is_amplified |= bool((implied > _NOTABLE * np.maximum(self.size, self.peak)).any())
        wide = np.minimum(self.factor * implied, _COARSEST * np.maximum(self.size, self.peak))
        np.maximum(self.atol, wide, out=self.atol, where=self.algebraic)  # in place: the integrator reads it there

    def _implied(self, model: NativeModel, at: Point, y: FloatArray, yp: FloatArray) -> FloatArray:
        """How far the unknowns move when all states move by their tolerances, with several choices of signs."""
        is_state = ~self.algebraic
        system = InitialSystem(model, at, y, Free(self.algebraic, is_state))
        system.yp[:] = yp
        values = system.jacobian(np.concatenate([y[self.algebraic], yp[is_state]]))
        moved = np.zeros(len(y))
        try:
            factors = SparseLU(system.pattern, choose_pivots(system.pattern, values))
            factors.factor(values)
        except SingularMatrixError:
            return moved
        allowed = np.where(is_state, self.rtol * np.abs(y) + self.atol, 0.0)
        here = model.residual(at.t, y, yp, at.p)
        random = np.random.default_rng(11)
        for _ in range(_PROBES):
            there = model.residual(at.t, y + allowed * random.choice([-1.0, 1.0], len(y)), yp, at.p)
            change = np.abs(factors.solve(there - here))[: int(self.algebraic.sum())]
            moved[self.algebraic] = np.maximum(moved[self.algebraic], change)
        return np.where(np.isfinite(moved), moved, 0.0)
