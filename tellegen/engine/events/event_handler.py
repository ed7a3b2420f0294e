"""Events while a model runs, as seen from Python: a record for native code, and what it says has happened.

The iteration itself is native (event_iteration.py). Python is called back only where it must be: to choose the
values that call the user's code (opaque_actions.py), and for the algebraic unknowns of a model without ODE mode.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.engine.events.delay_history import Past
from tellegen.engine.events.event_tables import event_tables, new_record
from tellegen.engine.events.non_finite_assignments import no_numbers
from tellegen.engine.events.opaque_actions import ENTRY, OpaqueActions
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.runtime.event_iteration import event_runtime
from tellegen.engine.runtime.event_record_layout import NO_REST, NOT_FINITE, NOTHING_CONSISTENT, SLIDING, E
from tellegen.ir.events import TERMINATE
from tellegen.ir.model import FloatArray

Solve = Callable[[float, FloatArray, FloatArray], "tuple[FloatArray, FloatArray] | None"]
"""Consistent y and y' at a time for the present discrete values, states given; None when there are none."""

_WITH_RECORD = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_SETTLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
_SOLVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p)
_OPAQUE = ctypes.CFUNCTYPE(None, ctypes.c_int)
_MOMENT = 1e-9  # of the interval: how far ahead a relation at zero is looked at
_NOISE = 1e-11  # of the largest value of a relation: roundings
_REASONS = {
    NOTHING_CONSISTENT: "no consistent values were found after the event",
    NO_REST: "event iteration does not converge",
    NOT_FINITE: "an assigned value is not finite: perhaps assignments depend on each other",
    SLIDING: "a condition switches back and forth at one instant",
}


@dataclass
class Happening:
    """What an event did."""

    switched: Any  # numbers of Events.relations
    fired: list[tuple[int, int]] = field(default_factory=list)  # when-statements and branches
    message: str | None = None  # of terminate
    failed: str | None = None  # of an assertion, or because the iteration does not end
    sliding: bool = False
    asserted: bool = False  # whether it failed because of an assertion
    not_finite: bool = False  # `failed` says what was assigned


@dataclass(frozen=True, slots=True)
class NativeSolve:
    """Native code that computes the algebraic unknowns: addresses of the function and of its record."""

    function: int
    context: int


class EventHandler:
    """The discrete part of a run; it owns the discrete values, which stand in the vector of parameters."""

    def __init__(self, model: NativeModel, p: FloatArray) -> None:
        self.model, self.tables, self.p = model, event_tables(model), p
        self.events = self.tables.events
        self.record = new_record(self.tables, p)
        code = event_runtime().addresses
        self._functions = {name: _WITH_RECORD(code[f"event_{name}"]) for name in ("begin", "happen", "start")}
        self._settle = _SETTLE(code["event_settle"])
        self._python_solve: Solve | None = None
        self.is_native = False
        self._callbacks = (_SOLVE(self._solved_by_python), _OPAQUE(self._opaque_values))
        self._opaque = OpaqueActions(model) if ENTRY in model.program.entries else None
        if self._opaque is not None:
            self.record.set(opaque=ctypes.cast(self._callbacks[1], ctypes.c_void_p).value)
        self.raised: BaseException | None = None
        self.delays = Past(model, self.record) if len(self.events.delays.place) else None
        self.reset(0.0, 1.0, _NOISE)

    # -- before a run -------------------------------------------------------------------------------------------
    def reset(self, start: float, stop: float, rtol: float) -> None:
        """Nothing has happened yet; the numbers in `p` are those of a new run."""
        if self.delays is not None:
            self.delays.forget()
        kept = self.record.kept
        for name in ("was_true", "shrinking", "passed"):
            kept[name][:] = 0
        for name in ("last_fired", "gap", "ratio", "gap_back"):
            kept[name][:] = np.nan
        kept["last_back"][:] = start
        for name in ("band", "sizes"):
            kept[name][:] = 0.0
        self.record.put(span=stop - start, moment=_MOMENT * (stop - start), departed=start, slack=max(rtol, _NOISE))
        self.record.words[[E["passing"], E["terminal"]]] = 0
        if self._opaque is not None:
            self._opaque.forget()

    def bind(self, y: FloatArray, yp: FloatArray, solve: Solve) -> None:
        """Work on these arrays, with a Python function that solves for the unknowns."""
        self._python_solve, self.is_native = solve, False
        self.record.set(y=y, yp=yp, solve=ctypes.cast(self._callbacks[0], ctypes.c_void_p).value, rescue=0)

    def bind_native(self, y: FloatArray, yp: FloatArray, code: NativeSolve, rescue: Solve) -> None:
        """Work on these arrays with native code; `rescue` is tried where that finds no solution."""
        self._python_solve = rescue
        self.is_native = True
        self.record.set(y=y, yp=yp, solve=code.function, context=code.context)
        self.record.set(rescue=ctypes.cast(self._callbacks[0], ctypes.c_void_p).value)

    # -- iteration ----------------------------------------------------------------------------------------------
    def guess(self, t: float, y: FloatArray) -> None:
        """Flags from start values, for a first look at the equations."""
        self.bind(y, np.zeros(len(y)), lambda *_: None)
        self.begin(t)

    def begin(self, t: float) -> None:
        """The same with what is bound."""
        self._native("begin", t)

    def settle(self, t: float, y: FloatArray, yp: FloatArray, solve: Solve) -> Happening:
        """The initial instant: iterate until nothing changes; y and y' are brought up to date in place."""
        self.bind(y, yp, solve)
        return self.settle_bound(t)

    def settle_bound(self, t: float) -> Happening:
        """The same with what is bound."""
        self._forget()
        self.record.doubles[E["t"]] = t
        self._settle(self.record.address, 1)
        self._raise()
        return self.happening()

    def start(self, t: float) -> None:
        """Go on from initial values at rest: conditions that hold now have not just become true."""
        self._native("start", t)

    def happen(self, t: float, passing: bool = False, terminal: bool = False) -> None:
        """What happens at an instant; with `passing` the directions of relations that pass zero are in `roots`."""
        words = self.record.words
        words[E["passing"]], words[E["terminal"]] = passing, terminal
        self._native("happen", t)

    def widen(self, t: float, relations: list[int], rest: float) -> FloatArray:
        """Give relations a band around zero in which they rest for about so long; the bands."""
        kept, words = self.record.kept, self.record.words
        y, yp, states = kept["y"], kept["yp"], kept["state_index"]
        here, step = (y.copy(), yp.copy()), self.record.get_double("moment")
        g = self.differences(t)
        y[states] += step * yp[states]
        _SOLVE(int(words[E["solve"]]))(t + step, int(words[E["context"]]))
        rate = np.abs(self.differences(t + step) - g) / step
        y[:], yp[:] = here
        bands = kept["band"]
        bands[relations] = np.maximum(rate, 1e-12)[relations] * rest
        return bands[relations]

    def roots_at(self, t: float, y: FloatArray, is_state: Any) -> FloatArray:
        """Root functions at another time with the states of y; unknowns are solved for where that is native."""
        kept, words = self.record.kept, self.record.words
        if self.is_native:
            kept["y"][is_state] = y[is_state]
            _SOLVE(int(words[E["solve"]]))(t, int(words[E["context"]]))
        return self.differences(t)

    def solve_again(self, t: float) -> None:
        """The other unknowns from the states as they stand in y."""
        words = self.record.words
        _SOLVE(int(words[E["solve"]]))(t, int(words[E["context"]]))

    def differences(self, t: float) -> FloatArray:
        """Root functions as the unknowns stand."""
        out = np.zeros(len(self.record.kept["g"]))
        self.model.entries["differences"](t, self.record.kept["y"], self.record.kept["yp"], self.p, out)
        return out

    def _native(self, name: str, t: float) -> None:
        self.record.doubles[E["t"]] = t
        self._functions[name](self.record.address)
        if self.raised is not None:
            self._raise()

    def _forget(self) -> None:
        for name in ("switched_count", "fired_count", "message", "failed", "passing", "act_fresh"):
            self.record.words[E[name]] = 0

    def _raise(self) -> None:
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised

    # -- what happened ------------------------------------------------------------------------------------------
    @property
    def next_instant(self) -> float:
        """The next time that is known in advance."""
        return float(self.record.doubles[E["next"]])

    @property
    def departed(self) -> float:
        """Until when relations are known to stay as the last event left them."""
        return float(self.record.doubles[E["departed"]])

    @property
    def ended(self) -> bool:
        """Whether the run ends here."""
        words = self.record.words
        return bool(words[E["message"]] or words[E["failed"]] or words[E["zeno"]])

    def terminated_at_start(self) -> str | None:
        """The message of a terminate whose condition holds at the start of a run."""
        events, held = self.events, self.record.kept["was_true"]
        for action in np.flatnonzero(events.actions.verb == TERMINATE).tolist():
            first = int(events.first_condition[events.actions.when[action]])
            branch = int(events.actions.branch[action])
            if held[first + branch] and not held[first : first + branch].any():
                return events.messages[action]
        return None

    @property
    def roots_to_watch(self) -> int:
        """How many relations switch where unknowns make them."""
        return self.events.relations.differences.count

    @property
    def uses_terminal(self) -> bool:
        """Whether something happens at the end of a run."""
        return self.tables.uses_terminal

    @property
    def roots(self) -> Any:
        """Directions (1 up, -1 down) in which relations pass zero; integrators write it."""
        return self.record.kept["roots"]

    def passing(self) -> Any:
        """The relations that pass zero."""
        return np.flatnonzero(self.roots[: self.roots_to_watch])

    def switched(self) -> Any:
        """The relations that switched, in order."""
        return self.record.kept["switched"][: int(self.record.words[E["switched_count"]])].copy()

    def fired(self) -> Any:
        """The conditions that fired, in order."""
        return self.record.kept["fired"][: int(self.record.words[E["fired_count"]])].copy()

    def happening(self) -> Happening:
        """Everything about the last event."""
        words, messages = self.record.words, self.events.messages
        message, failed = int(words[E["message"]]), int(words[E["failed"]])
        done = Happening(self.switched(), self.branches(self.fired()), sliding=failed == SLIDING)
        if message:
            done.message = messages[self.tables.action_number[message - 1]]
        done.asserted = failed > 0
        if failed > 0:
            done.failed = messages[self.tables.action_number[failed - 1]]
        elif failed:
            done.failed = _REASONS[failed]
        if failed in (NO_REST, NOTHING_CONSISTENT):
            found = no_numbers(self.tables, self.record.kept["values"], self.fired())
            if found is not None:
                done.failed, done.not_finite = f"an assigned value is not finite: {found[0]}", True
                done.fired = self.branches(found[1])
        return done

    def branches(self, conditions: Any) -> list[tuple[int, int]]:
        """When-statements and branches of conditions."""
        whens = self.tables.shared["condition_when"][conditions]
        return list(zip(whens.tolist(), (conditions - self.events.first_condition[whens]).tolist(), strict=True))

    # -- called back --------------------------------------------------------------------------------------------
    def _solved_by_python(self, t: float, _: Any) -> int:
        if self.raised is not None:
            return 1
        y, yp = self.record.kept["y"], self.record.kept["yp"]
        try:
            assert self._python_solve is not None
            found = self._python_solve(t, y, yp)
        except BaseException as error:  # nothing may pass through native code
            self.raised = error
            return 1
        if found is None:
            return 1
        y[:], yp[:] = found
        return 0

    def _opaque_values(self, of_actions: int) -> None:
        """Call the user's functions, only for the numbers asked for."""
        if self.raised is not None or self._opaque is None:
            return
        kept, t, shared = self.record.kept, self.record.get_double("t"), self.tables.shared
        arrays = (kept["y"], kept["yp"], self.p, kept["values"])
        try:
            if of_actions:
                chosen = kept["chosen"][: int(self.record.words[E["chosen_count"]])]
                self._opaque.compute(chosen.tobytes(), lambda: self._asked(chosen), t, arrays)
            else:
                self._opaque.compute(b"always", lambda: shared["always_value"], t, arrays)
        except BaseException as error:
            self.raised = error

    def _asked(self, chosen: Any) -> Any:
        """The numbers of the values that the chosen conditions assign."""
        shared = self.tables.shared
        starts, ends = shared["action_start"][chosen], shared["action_start"][chosen + 1]
        spans = [shared["action_value"][a:b] for a, b in zip(starts, ends, strict=True)]
        return np.concatenate(spans) if spans else np.zeros(0, np.int32)
