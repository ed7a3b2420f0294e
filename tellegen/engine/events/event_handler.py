"""Events while a model runs, as seen from Python: a record for native code, and what it says has happened.

The iteration itself is native (event_iteration.py). Python is called back only where it must be: to choose the
values that call the user's code (opaque_actions.py), and for the algebraic unknowns of a model without ODE mode.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from tellegen.engine.events.delay_history import Past
from tellegen.engine.events.event_tables import event_tables, new_record
from tellegen.engine.events.impulse_structure import impulse_structure
from tellegen.engine.events.impulses import Impulses
from tellegen.engine.events.non_finite_assignments import no_numbers
from tellegen.engine.events.opaque_actions import ENTRY, OpaqueActions
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import address_of, callback
from tellegen.engine.readout.action_messages import Moment, action_message
from tellegen.engine.request.consistent import Consistent
from tellegen.engine.runtime.events.event_record import LOOKAHEAD, NOISE, Failure
from tellegen.engine.runtime.runtimes import event_runtime, time_scan_runtime
from tellegen.errors import NumericError
from tellegen.ir.events import TERMINATE
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import Int32Array
from tellegen.start.records import dataclass

Solve = Callable[[float, FloatArray, FloatArray], Consistent | None]
"""Consistent y and y' at a time for the present discrete values, states given; None when there are none."""

_AT_TIME = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)
_HAPPEN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_int, ctypes.c_int)
_OVER_TIME = ctypes.CFUNCTYPE(
    None, *[ctypes.c_void_p] * 2, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p
)
_SOLVE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p)
_OPAQUE = ctypes.CFUNCTYPE(None, ctypes.c_int)
_MOST_HELP = 15
_CROWDED = 1e-6  # part of the interval
_OF_LENGTH = 0.1  # and of the tolerance to 1/3: steps that delays may ask for, however short they become
_REASONS = {
    Failure.NOT_CONSISTENT: "no consistent values were found after the event",
    Failure.NOT_CONVERGED: "event iteration does not converge",
    Failure.NOT_FINITE: "an assigned value is not finite: perhaps assignments depend on each other",
    Failure.SLIDING: "a condition switches back and forth at one instant",
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


def _is_not_finite(values: Any) -> Any:
    return ~np.isfinite(values)


class EventHandler:
    """The discrete part of a run; it owns the discrete values, which stand in the vector of parameters."""

    def __init__(self, model: NativeModel, p: FloatArray, *, all_native: bool = False) -> None:
        self.model = model
        self.tables = event_tables(model)
        self.p = p
        self.events = self.tables.events
        self.record = new_record(self.tables, p)
        code = event_runtime().addresses
        self._begin = _AT_TIME(code["event_begin"])
        self._settle = _AT_TIME(code["event_settle"])
        self._start = _AT_TIME(code["event_start"])
        self._resume = _AT_TIME(code["event_resume"])
        self._find_ticks = _AT_TIME(code["event_find_ticks"])
        self._happen = _HAPPEN(code["event_happen"])
        self._python_solve: Solve | None = None
        self.is_native = False
        self._callbacks = (callback(_SOLVE, self._solved_by_python), callback(_OPAQUE, self._opaque_values))
        self._opaque = OpaqueActions(model, all_native=all_native) if ENTRY in model.program.entries else None
        if self._opaque is not None and self._opaque.parts:
            self.record.set(opaque=ctypes.cast(self._callbacks[1], ctypes.c_void_p).value)
        if self._opaque is not None and self._opaque.native is not None:
            self._opaque.native.assign(self.tables.shared["action_value"], self.tables.shared["action_index"])
            self.record.set(due=self._opaque.native.record.words)
        self.raised: BaseException | None = None
        self._helped_at: deque[float] = deque(maxlen=_MOST_HELP)  # when native code asked Python for a solution
        self.unsolved: NumericError | None = None  # why the last system of an event has no solution
        structure = impulse_structure(model)
        self.impulses = None if structure is None else Impulses(structure, self.record, self.tables)
        if self.impulses is not None and all_native:
            self.impulses.without_python()
        self.delays = Past(model, self.record) if len(self.events.delays.index) else None
        self.reset(0.0, 1.0, NOISE)

    # -- before a run -------------------------------------------------------------------------------------------
    def renew(self, p: FloatArray) -> None:
        """Serve the initial instant of another run, with these numbers."""
        self.p = p
        self.record.set(p=p)
        self.reset(0.0, 1.0, NOISE)

    def reset(self, start: float, length: float, rtol: float) -> None:
        """Nothing has happened yet; the numbers in `p` are those of a new run."""
        if self.delays is not None:
            self.delays.forget(_OF_LENGTH * rtol ** (1 / 3) * length)
        kept = self.record.kept
        self._helped_at.clear()
        for name in ("was_true", "shrinking", "passed"):
            kept[name][:] = 0
        for name in ("last_fired", "fired_gap", "gap_ratio", "return_gap"):
            kept[name][:] = np.nan
        kept["last_return"][:] = start
        for name in ("band", "largest_difference", "rest_size"):
            kept[name][:] = 0.0
        self.record.put(run_length=length, lookahead=LOOKAHEAD * length, tolerance=max(rtol, NOISE))
        self.record.put(departed=start, passed_until=start)
        self.record.set(passing=0, terminal=0)
        if self._opaque is not None:
            self._opaque.forget()
        if self.impulses is not None:
            self.impulses.forget()

    def bind(self, y: FloatArray, yp: FloatArray, solve: Solve, *, is_iterated: bool = False) -> None:
        """Work on these arrays, with a Python function that solves for the unknowns at events; between them an
        integrator may iterate for all of them."""
        self._python_solve = solve
        self.is_native = False
        self.record.set(y=y, yp=yp, solve=ctypes.cast(self._callbacks[0], ctypes.c_void_p).value, rescue=0)
        self.record.set(is_iterated=int(is_iterated))

    def bind_native(self, y: FloatArray, yp: FloatArray, code: NativeSolve, rescue: Solve) -> None:
        """Work on these arrays with native code; `rescue` is tried where that finds no solution."""
        self._python_solve = rescue
        self.is_native = True
        self.record.set(y=y, yp=yp, solve=code.function, context=code.context, is_iterated=0)
        self.record.set(rescue=ctypes.cast(self._callbacks[0], ctypes.c_void_p).value)

    def select_states(self, states: Int32Array) -> None:
        """The model goes on from other states, by their places in y."""
        self.record.set(state_index=states)

    # -- iteration ----------------------------------------------------------------------------------------------
    def guess(self, t: float, y: FloatArray) -> None:
        """Flags from start values, for a first look at the equations."""
        self.bind(y, np.zeros(len(y)), lambda *_: None)
        self.begin(t)

    def begin(self, t: float) -> None:
        """The same with what is bound."""
        self._begin(self.record.address, t)
        self.raise_pending()

    def settle(self, t: float) -> Happening:
        """The initial instant: iterate until nothing changes; y and y' are brought up to date in place."""
        self._settle(self.record.address, t)
        self.raise_pending()
        return self.happening()

    def start(self, t: float) -> None:
        """Go on from initial values at rest: conditions that hold now have not just become true."""
        self._start(self.record.address, t)
        self.raise_pending()

    def resume(self, t: float) -> None:
        """Continue from where another run stood: nothing that happened at this instant happens again."""
        self._resume(self.record.address, t)
        self.raise_pending()

    def find_ticks(self, t: float) -> None:
        """Find the next ticks after a time, where parameters have moved them."""
        self._find_ticks(self.record.address, t)

    def happen(self, t: float, passing: bool = False, terminal: bool = False) -> None:
        """What happens at an instant; with `passing` the directions of relations that pass zero are in `roots`."""
        self._happen(self.record.address, t, passing, terminal)
        self.raise_pending()

    def widen(self, t: float, relations: list[int], rest: float) -> FloatArray:
        """Give relations a band around zero in which they rest for about so long; the bands."""
        kept = self.record.kept
        y = kept["y"]
        yp = kept["yp"]
        states = kept["state_index"]
        here = (y.copy(), yp.copy())
        step = self.record.get_double("lookahead")
        g = self.differences(t)
        y[states] += step * yp[states]
        self.solve_again(t + step)
        rate = np.abs(self.differences(t + step) - g) / step
        y[:], yp[:] = here
        bands = kept["band"]
        bands[relations] = np.maximum(rate, 1e-12)[relations] * rest
        return bands[relations]

    def differences_over(self, times: FloatArray, y: FloatArray) -> FloatArray:
        """Root functions at other times with the states of y; unknowns are solved for where that is native."""
        out = np.zeros((len(times), self.roots_to_watch))
        given = (address_of(times), len(times), address_of(y), int(self.is_native), address_of(out))
        scan = _OVER_TIME(time_scan_runtime().addresses["differences_over_time"])
        scan(self.record.address, *given)
        return out

    def solve_again(self, t: float) -> None:
        """The other unknowns from the states as they stand in y."""
        _SOLVE(self.record.get("solve"))(t, self.record.get("context"))

    def differences(self, t: float) -> FloatArray:
        """Root functions as the unknowns stand."""
        out = np.zeros(len(self.record.kept["differences"]))
        self.model.entries["differences"](t, self.record.kept["y"], self.record.kept["yp"], self.p, out)
        return out

    @property
    def follows_steps(self) -> bool:
        """Whether functions want to know of accepted steps."""
        native = None if self._opaque is None else self._opaque.native
        return native is not None and native.follows_steps

    def raise_pending(self) -> None:
        """Raise what a Python function has raised while native code called it, and did not get over; give warnings."""
        if self.impulses is not None:
            self.impulses.warn()
        raised = self.raised
        failed = self.record.get("failed")
        if raised is None and failed and self._opaque is not None:
            raised = self._opaque.complaint()
        if raised is None and failed == Failure.NOT_CONSISTENT:
            raised = self.unsolved
        self.raised = None
        self.unsolved = None
        if raised is not None:
            raise raised

    # -- what happened ------------------------------------------------------------------------------------------
    @property
    def next_instant(self) -> float:
        """The next time that is known in advance."""
        return self.record.get_double("next_instant")

    @property
    def departed(self) -> float:
        """Until when relations are known to stay as the last event left them."""
        return self.record.get_double("departed")

    @property
    def ended(self) -> bool:
        """Whether the run ends here."""
        get = self.record.get
        return bool(get("message") or get("failed") or get("zeno"))

    @property
    def reports(self) -> bool:
        """Whether terminate or an assertion ends the run here; their messages have values of this instant."""
        return bool(self.record.get("message")) or self.record.get("failed") > 0

    def terminated_at_start(self) -> str | None:
        """The message of a terminate whose condition holds at the start of a run, where that counts as an event."""
        events = self.events
        if not events.events_at_start:
            return None
        held = self.record.kept["was_true"]
        for action in np.flatnonzero(events.actions.verb == TERMINATE).tolist():
            first = int(events.first_condition[events.actions.when[action]])
            branch = int(events.actions.branch[action])
            if held[first + branch] and not held[first : first + branch].any():
                moment = Moment(self.record.get_double("t"), self.record.kept["y"], self.p)
                return action_message(self.model.reduced, action, moment)
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
        return self.record.kept["switched"][: self.record.get("switched_count")].copy()

    def fired(self) -> Any:
        """The conditions that fired, in order."""
        return self.record.kept["fired"][: self.record.get("fired_count")].copy()

    def happening(self) -> Happening:
        """Everything about the last event."""
        message, failed = (self.record.get(name) for name in ("message", "failed"))
        done = Happening(self.switched(), self.branches(self.fired()), sliding=failed == Failure.SLIDING)
        done.message = self._message(message - 1) if message else None
        done.asserted = failed > 0
        if failed:
            done.failed = self._message(failed - 1) if failed > 0 else _REASONS[Failure(failed)]
        if failed in (Failure.NOT_CONVERGED, Failure.NOT_CONSISTENT, Failure.NOT_FINITE):
            guilty = np.isnan if failed != Failure.NOT_FINITE else _is_not_finite
            found = no_numbers(self.tables, self.record.kept["values"], self.fired(), guilty)
            if found is not None:
                done.failed = f"an assigned value is not finite: {found[0]}"
                done.not_finite = True
                done.fired = self.branches(found[1])
        return done

    def _message(self, action: int) -> str:
        """What an action reports, by its number in the tables."""
        kept = self.record.kept
        moment = Moment(self.record.get_double("t"), kept["y"], self.p)
        return action_message(self.model.reduced, int(self.tables.action_number[action]), moment)

    def branches(self, conditions: Any) -> list[tuple[int, int]]:
        """When-statements and branches of conditions."""
        whens = self.tables.shared["condition_when"][conditions]
        return list(zip(whens.tolist(), (conditions - self.events.first_condition[whens]).tolist(), strict=True))

    # -- called back --------------------------------------------------------------------------------------------
    def _solved_by_python(self, t: float, _: Any) -> int:
        if self.raised is not None or self._solves_without_end(t):
            return 1
        y = self.record.kept["y"]
        yp = self.record.kept["yp"]
        try:
            assert self._python_solve is not None
            found = self._python_solve(t, y, yp)
        except NumericError as error:  # another combination of modes may have a solution
            self.unsolved = error
            return 1
        except BaseException as error:  # nothing may pass through native code
            self.raised = error
            return 1
        if found is None:
            return 1
        y[:], yp[:] = found
        return 0

    def _solves_without_end(self, t: float) -> bool:
        """Whether native code needs help again and again while time stands still: nothing goes on from there."""
        recent = self._helped_at
        is_crowded = len(recent) == _MOST_HELP and t - recent[0] < _CROWDED * self.record.get_double("run_length")
        recent.append(t)
        return self.is_native and is_crowded

    def _opaque_values(self, of_actions: int) -> None:
        """Call the user's functions, only for the numbers asked for."""
        if self.raised is not None or self._opaque is None:
            return
        kept = self.record.kept
        t = self.record.get_double("t")
        shared = self.tables.shared
        arrays = (kept["y"], kept["yp"], self.p, kept["values"])
        try:
            if of_actions:
                chosen = kept["chosen"][: self.record.get("chosen_count")]
                self._opaque.compute(chosen.tobytes(), lambda: self._asked(chosen), t, arrays)
            else:
                self._opaque.compute(b"always", lambda: shared["discrete_value"], t, arrays)
        except BaseException as error:
            self.raised = error
            self.record.set(failed=int(Failure.NOT_CONSISTENT))  # native code stops here

    def _asked(self, chosen: Any) -> Any:
        """The numbers of the values that the chosen conditions assign."""
        shared = self.tables.shared
        starts = shared["action_start"][chosen]
        ends = shared["action_start"][chosen + 1]
        spans = [shared["action_value"][a:b] for a, b in zip(starts, ends, strict=True)]
        return np.concatenate(spans) if spans else np.zeros(0, np.int32)
