"""Gradients of performance functions by all parameters at once: a run, and the same run backwards.

Forward sensitivities carry a copy of the model for every parameter; here the cost hardly depends on how many there are.
The run is the model's own, with its kinks as events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.analyses.adjoint.backward import Backward
from tellegen.analyses.adjoint.backward_steps import Variant
from tellegen.analyses.adjoint.event_jumps import not_backwards
from tellegen.analyses.adjoint.functional_recorder import Functional, Recorder
from tellegen.analyses.adjoint.initial_weights import AtStart, back_to_starts
from tellegen.analyses.adjoint.run_curves import ROUNDS, Curves, simulated
from tellegen.analyses.performance.dual_numbers import Dual
from tellegen.analyses.performance.expression import Lookout, Performance
from tellegen.analyses.performance.response import Response
from tellegen.analyses.sensitivities.design_variables import directions
from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.engine.request.run_request import RunRequest
from tellegen.engine.results.solution import Solution
from tellegen.errors import NotReversibleError, RunFailedError, warn_user
from tellegen.ir.model import FloatArray

_NOTHING = 1e-3  # of the tolerance, relative to nominal sizes: as integrators have it
_ROUNDS_WITH_KNOWN_POINTS = 2


@dataclass(frozen=True, eq=False)
class Found:
    """Values of functions, their derivatives by the design variables, the scales of these, and the run."""

    values: FloatArray
    matrix: FloatArray
    scale: FloatArray
    solution: Solution
    steps: int


class AdjointModel:
    """A model and its design variables, ready for gradients backwards."""

    def __init__(self, made: SensitivityModel) -> None:
        self.made = made
        self.plain = made.located
        self._lookout = Lookout()
        self._variants: dict[int, Variant] = {}
        self._points: dict[int, Any] = {}  # those the last run needed, for so many asked for

    def gradients(self, functions: Sequence[Performance], request: RunRequest) -> Found:
        """All functions by all design variables."""
        reduced = self.plain.reduced
        if (why := self.obstacle()) is not None:
            raise not_backwards(why)
        given = request.start_values
        p = parameter_vector(self.plain, request.parameters)
        moving, scale = directions(reduced, p, self.made.start_values(given), self.made.variables)
        rtol = float(request.options.rtol)
        atol = _NOTHING * rtol * starts(self.plain, p.copy(), given).scales.size
        curves, functionals = self._recorded(functions, request, atol)
        wanted = self._wanted(curves, moving.parameters)
        back = Backward(curves, functionals, lambda model: self._variant(model, wanted), 0.1 * rtol ** (2.0 / 3.0))
        weights, side = back.run()
        start = AtStart(side.point, side.parameters, p, request)
        start.refuse_open_loops(moving, [variable.name for variable in self.made.variables])
        on_starts = back_to_starts(start, weights)
        count = moving.parameters.shape[0]
        matrix = (weights.p[:count].T @ moving.parameters + on_starts.T @ moving.starts) / scale
        values = np.array([functional.value for functional in functionals])
        self.made.state_quotients(curves.solution)
        return Found(values, matrix, scale, curves.solution, back.steps)

    def _recorded(
        self, functions: Sequence[Performance], request: RunRequest, atol: FloatArray
    ) -> tuple[Curves, list[Functional]]:
        """A run with points enough for its curves and for the functions, and their weights on it.

        Points that were enough for another run are tried first.
        """
        asked = request.options.points
        known = self._points.get(asked) if isinstance(asked, int) else None
        rounds = ROUNDS if known is None else _ROUNDS_WITH_KNOWN_POINTS
        request = request if known is None else request.with_points(known)
        for last in (*(False,) * (ROUNDS - 1), True):
            curves, points = self._simulated(request, atol, rounds)
            recorder = Recorder(curves.solution)
            functionals = [recorder.functional(function) for function in functions]
            denser = self._lookout.shown(functions, Response(curves.solution)).denser()
            finer = recorder.finer() if denser is None else denser
            if finer is None or last:
                self._warn_of(recorder)
                if isinstance(asked, int):
                    self._points[asked] = points
                return curves, functionals
            request = request.with_points(finer)
        raise AssertionError

    def _warn_of(self, recorder: Recorder) -> None:
        """Name the signals that more points do not make smooth."""
        for path, times in recorder.rough.items():
            warn_user(
                f"'{path}' is not smooth near t = {times.min():.4g}, where the model has no event: "
                "values and gradients that depend on it may be wrong"
            )

    def _simulated(self, request: RunRequest, atol: FloatArray, rounds: int) -> tuple[Curves, Any]:
        try:
            return simulated(self.plain, request, atol, rounds)
        except RunFailedError as error:
            if not self.made.has_kinks:
                raise
            raise not_backwards(f"with kinks as events the run fails: {error.message}") from None

    def tried(self, functions: Sequence[Performance], method: str, request: RunRequest) -> Found | None:
        """The gradients; None where they cannot be followed backwards and method="auto" leaves the choice."""
        try:
            return self.gradients(functions, request)
        except NotReversibleError:
            if method != "auto":
                raise
            return None

    def duals(self, functions: Sequence[Performance], method: str, request: RunRequest) -> list[Dual] | None:
        """Values with their slopes, for searches."""
        found = self.tried(functions, method, request)
        if found is None:
            return None
        return [Dual(value, row) for value, row in zip(found.values.tolist(), found.matrix, strict=True)]

    def obstacle(self) -> str | None:
        """Why a model cannot be followed backwards, as far as it shows before a run."""
        events = self.plain.reduced.events
        if events is None:
            return None
        if len(events.delays.index):
            return "the model has a delay"
        if len(events.initial.value):
            return "initial equations determine discrete variables or parameters"
        if events.whens and not events.events_at_start:
            return "the events of the initial instant come after initialization"
        return "equations differ at the initial time (tg.initial())" if events.reads_initial else None

    def _wanted(self, curves: Curves, moving: FloatArray) -> Any:
        """The places of parameters that move, and of discrete values."""
        model = curves.model.reduced
        wanted = np.zeros(model.parameter_indices, bool)
        wanted[: len(moving)] = moving.any(axis=1)
        wanted[len(moving) : model.homotopy_index] = True
        if model.events is not None:
            wanted[model.events.pre_index] = True
        return wanted

    def _variant(self, model: NativeModel, wanted: Any) -> Variant:
        key = id(model)
        if key not in self._variants or not np.array_equal(self._variants[key].wanted, wanted):
            self._variants[key] = Variant(model, wanted)
        return self._variants[key]
