"""Why an integration stopped: what to report about the equations and states at that point.

The last point is still a good one, so the equations are also looked at a little further ahead: a root of what becomes
negative, a divisor that passes through zero and a number too large are found there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tellegen.engine.diagnostics.faulty_equation import Fault, equations, fault, raised_in
from tellegen.engine.diagnostics.switched_relations import State, divisors_passing_zero
from tellegen.engine.linear_algebra.rank_deficiency import LARGEST, dependent
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.flags import NOT_EVALUATED, Flag
from tellegen.engine.native.outcome import Outcome, OutcomeCode, from_flag
from tellegen.engine.native.user_functions import raised
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.reduced_rows import equation_location, unknown_text, variable_text
from tellegen.start.on_use import scipy

_UNSOLVED = (Flag.NO_CONVERGENCE, Flag.LINEAR_INIT, Flag.SINGULAR, Flag.LINEAR_SOLVE)
_STUCK = (Flag.ERROR_TEST, Flag.NO_CONVERGENCE, *NOT_EVALUATED)
# looks ahead, as parts of the interval
_NEAREST = 1e-15
_FARTHEST = 1e-6
_FARTHER = 8.0
_SUDDEN = 1e-6  # a state that multiplies in so small a part of the interval grows beyond bounds
_HUGE = 1e100
_SHOWN = 3
_CODES = {"division": OutcomeCode.POLE, "overflow": OutcomeCode.OVERFLOW}
_TITLES: dict[int, str] = {
    Flag.CHATTERING: "conditions that switch:",
    Flag.POLE: "equations with this divisor:",
}


class Stop:
    """An integration at its end. `ahead(d)` is the point d seconds further, as well as it can be computed."""

    def __init__(self, model: NativeModel, here: State, ahead: Callable[[float], State], span: float) -> None:
        self.model = model
        self.here = here
        self.ahead = ahead
        self.span = span

    def outcome(self, flag: int, rows: Sequence[int] = ()) -> Outcome:
        """The outcome for a flag; `rows` are equations already known to be at fault."""
        model = self.model.reduced
        time = self.here.t
        exceptions = raised()
        if rows:
            title = _TITLES.get(flag, "equations that cannot be solved simultaneously:")
            return from_flag(flag, time, *self._equations_and_location(rows, title))
        found = self._fault(ahead=flag in _STUCK) if flag in (*_STUCK, *_UNSOLVED) else None
        if found is None and flag in _STUCK:
            found = raised_in(model, self.here, exceptions)
        if found is not None:
            details, location = self._equations_and_location([found[1]], "in the equation:")
            if (what := found[0]) is None:
                return from_flag(Flag.FIRST_RHS, time, details, location)
            if what.error is not None:
                return Outcome(
                    OutcomeCode.EXCEPTION, str(what), time, what.advice, details, what.error.location or location
                )
            return Outcome(
                _CODES.get(what.sort, OutcomeCode.NOT_FINITE), str(what), time, what.advice, details, location
            )
        if flag in _UNSOLVED and (unsolved := self._unsolved()) is not None:
            return from_flag(flag, time, *unsolved)
        if flag in _STUCK and (growing := self._growing()) is not None:
            return from_flag(
                Flag.GROWTH, time, *self._equations_and_location(self._equations_of(growing), "in the equations:")
            )
        fastest = self._fastest() if flag in (*_STUCK, Flag.TOO_MUCH_WORK) else []
        texts = [_state_text(model, k, self.here) for k in fastest]
        details = ("states that change fastest:", *texts) if texts else ()
        return from_flag(flag, time, details)

    def _equations_and_location(self, rows: Sequence[int], title: str) -> tuple[tuple[str, ...], Any]:
        model = self.model.reduced
        return tuple(equations(model, rows, self.here, title)), equation_location(model, rows[0])

    def _fault(self, ahead: bool) -> tuple[Fault | None, int] | None:
        """The first equation to fail, here or ahead, and the operation at fault if it is clear."""
        model = self.model.reduced
        part = _NEAREST
        point: State | None = self.here
        while point is not None:
            with np.errstate(all="ignore"):
                residual = self.model.residual(point.t, point.y, point.yp, point.p)
                rows = [int(row) for row in np.flatnonzero(~np.isfinite(residual))]
                rows += divisors_passing_zero(model, self.here, point)
            for row in rows[:_SHOWN]:
                if (found := fault(model, row, point, self.here)) is not None:
                    return found, row
            if rows:
                return None, rows[0]
            point = self.ahead(part * self.span) if ahead and part <= _FARTHEST else None
            part *= _FARTHER
        return None

    def _unsolved(self) -> tuple[tuple[str, ...], Any] | None:
        """The equations that depend on each other here and the unknowns they leave open, if they do."""
        model = self.model.reduced
        here = self.here
        if len(here.y) > LARGEST:
            return None
        by_value, by_rate = (self._matrix(*weights) for weights in ((1.0, 0.0), (0.0, 1.0)))
        sizes = np.maximum(np.abs(here.y), 1.0)
        found = dependent(
            np.where(model.is_state, by_rate, by_value),
            np.abs(by_value * sizes).max(axis=1),
            np.where(model.is_state, 1.0, sizes),
        )
        if found is None:
            return None
        rows, columns = found
        shown, location = self._equations_and_location(
            rows, "equations that depend on each other:" if len(rows) > 1 else "in the equation:"
        )
        loose = ", ".join(unknown_text(model, k) for k in columns[:_SHOWN])
        return (f"no equation determines {loose}", *shown), location

    def _matrix(self, by_value: float, by_rate: float) -> Any:
        pattern = self.model.program.pattern
        here = self.here
        values = self.model.jacobian(here.t, here.y, here.yp, here.p, by_value=by_value, by_rate=by_rate)
        return scipy.sparse.csc_array((values, pattern.indices, pattern.indptr), shape=pattern.shape).toarray()

    def _fastest(self) -> list[int]:
        model = self.model.reduced
        here = self.here
        step = _SUDDEN * self.span * np.abs(here.yp)
        part = np.where(model.is_state & (step > 0.0), step / np.maximum(np.abs(here.y) + step, 1e-300), 0.0)
        return [int(k) for k in np.argsort(-part)[:_SHOWN] if part[k] > 0.0]

    def _growing(self) -> int | None:
        """The unknown that grows fastest, if one grows beyond bounds."""
        size = np.abs(self.here.y)
        step = _SUDDEN * self.span * np.abs(self.here.yp)
        away = np.sign(self.here.y) == np.sign(self.here.yp)
        growing = np.flatnonzero((size > _HUGE) | (away & (size < step)))
        return int(growing[np.argmax(size[growing])]) if len(growing) else None

    def _equations_of(self, k: int) -> list[int]:
        """The equations with the derivative of a state, or with an algebraic unknown."""
        pattern = self.model.program.pattern
        mine = slice(pattern.indptr[k], pattern.indptr[k + 1])
        present = pattern.by_rate if self.model.reduced.is_state[k] else pattern.by_value
        return [int(row) for row in pattern.indices[mine][present[mine]]]


def _state_text(model: ReducedModel, k: int, at: State) -> str:
    name = variable_text(model, int(model.unknowns[k]))
    return f"  {name} = {at.y[k]:.6g}, der({name}) = {at.yp[k]:.6g}"
