"""Runs with events: smooth segments, and between them what happens at an instant.

    segment to the next known instant (or the end)  ->  ended early by a root?  ->  event  ->  next segment

Known instants (relations of time, samples) are hit exactly as ends of segments; roots are located by the integrator.
Integrators live through the whole run: after an event they only restart. Output keeps both sides of a
jump. Where Python has nothing to do at events, the loop is native (native_segments.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from tellegen.engine.events import non_finite_assignments as event_faults
from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.ode_integrator import OdeRun
from tellegen.engine.integrators.segment_driver import SegmentDriver
from tellegen.engine.integrators.segmented_integrator import near
from tellegen.engine.integrators.solver_fallback import densest
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.flags import Flag
from tellegen.engine.native.outcome import Outcome, OutcomeCode, from_flag, success
from tellegen.engine.native.waiting_for_code import working_time
from tellegen.engine.readout.discrete_history import Happened
from tellegen.engine.request.run_options import Options
from tellegen.engine.request.run_state import Hysteresis
from tellegen.engine.runs.native_segments import NativeSegments, Position, native_segments
from tellegen.engine.runs.trajectory_recorder import Track
from tellegen.engine.runtime.one_step.segment_record import OFTEN, Returned
from tellegen.errors import FmuError, LanguageError, TellegenError
from tellegen.start.later import later

with later():
    from tellegen.engine.events.event_descriptions import convergence_advice, happening_texts, relation_texts
    from tellegen.engine.runs.sensitivity_jumps import TangentJumps


class Staggered(Protocol):
    """Looks at the events of a run, and decides whether to stop for that reason."""

    next: int
    """How many events there have to be before it looks."""

    def __call__(self, log: list[Happened]) -> bool: ...


_FASTER = "events accumulate (Zeno behaviour)"
_STATE_OF_REST = "add a resting mode to the model; a smaller rtol continues further"
_NONE = np.zeros(0, np.int64)
_REST = 1e-4  # part of the interval for which a regularized condition rests between two switchings


class HybridRun:
    """One run from initial values at rest; used once."""

    def __init__(
        self,
        model: NativeModel,
        options: Options,
        machine: EventHandler,
        segments: SegmentDriver,
        staggered: Staggered | None = None,
        is_continued: bool = False,
    ) -> None:
        self.model = model
        self.options = options
        self.machine = machine
        self.segments = segments
        self.staggered = staggered
        self.is_continued = is_continued  # what happens at its first instant has happened
        self.track = Track(machine.p.copy())
        self.times: list[float] = []  # of all events at roots
        self.regularized: set[int] = set()  # relations
        self.jumps: TangentJumps | None = None
        if model.flat.tangents is not None:
            self.jumps = TangentJumps(model, machine, model.flat.tangents, options.stop - options.start)

    def run(self) -> Outcome:
        """Integrate to the end, or as far as it goes."""
        began = working_time()
        start = self.options.start
        stop = self.options.stop
        at = Position(start, stop, start)
        ended = self._continued(start) if self.is_continued else self._begun(start)
        if ended is None:
            try:
                ended = self._integrated(at)
            except (FmuError, LanguageError) as error:  # of the user's code: what was computed before it is kept
                self.segments.finish(began)
                what = Outcome(OutcomeCode.EXCEPTION, error.message, at.t, error.advice, error.details, error.location)
                return replace(what, cause=error)
        self.segments.is_output(at.t, self.segments.y)
        self.segments.finish(began)
        return success(stop) if ended is None else ended

    def _integrated(self, at: Position) -> Outcome | None:
        """Segment after segment to the end; the outcome if the run ends before."""
        stop = self.options.stop
        ended: Outcome | None = None
        while ended is None and at.t < stop:
            native = self._native()
            if native is None:
                end = min(self.machine.next_instant, at.look_again, stop)
                flag = self.segments.go(end)
            else:
                flag = self._go_natively(native, at)
                if flag >= 0:
                    ended = self._looked_at(at.t, Returned(flag)) or self._given_up(at.t)
                    continue
                end = native.end
                flag = native.driver.resume(end, flag, native.solved)
            ended = self.segments.failure(flag) if flag < 0 else self._segment_ended(at, end, flag == Flag.ROOT)
        return ended

    def _begun(self, t: float) -> Outcome | None:
        """The first instant of a run; the outcome if it ends there."""
        return self._event(t, partial(self.machine.start, t)) or self._over_at_once(t)

    def _continued(self, t: float) -> Outcome | None:
        """The first instant of a run that continues another; the outcome if other parameters end it there."""
        machine = self.machine
        happened = Happened(t, machine.fired(), machine.switched(), _NONE)
        if len(happened.fired) or len(happened.switched):
            self.track.log.append(happened)
        return self._verdict(t) if machine.ended else None

    def _segment_ended(self, at: Position, end: float, at_root: bool) -> Outcome | None:
        """The event at the end of a segment, or at a root before it; the outcome if the run ends here."""
        machine = self.machine
        stop = self.options.stop
        at.t = self.segments.reached if at_root else end
        if at_root and at.passed < at.t < machine.departed:
            at.look_again = machine.departed
            at.passed = at.t
            self.segments.pass_by(at.t)
            return None  # a rounding just after the last event, or something that departs without speed
        at.look_again = stop
        is_last = at.t >= stop
        if is_last and not (at_root or machine.next_instant <= stop + near(stop) or machine.uses_terminal):
            return None
        ended = self._event(at.t, partial(machine.happen, at.t, at_root, is_last), at_root=at_root)
        return ended or self._given_up(at.t)

    def _given_up(self, t: float) -> Outcome | None:
        """The outcome if the run ends here in favour of runs of its parts."""
        if self.staggered is None or not self.staggered(self.track.log):
            return None
        return Outcome(OutcomeCode.STAGGERED, "independent subsystems have their events one at a time", t)

    def _native(self) -> NativeSegments | None:
        """The native loop, once a one-step method has begun; None where events have something to do in Python."""
        return None if self.jumps is not None else native_segments(self.segments, self.machine)

    def _go_natively(self, native: NativeSegments, at: Position) -> int:
        """Segments and events in native code; the negative flag of a segment, or see Returned."""
        native.remember(self.track, self.times)
        until_look = None if self.staggered is None else max(self.staggered.next - len(self.track.log), 1)
        flag = native.go(at, self._densest, until_look)
        native.read_log(self.track, self.times)
        try:
            self.machine.raise_pending()
        except TellegenError:
            self.track.forget_event(at.t)
            raise
        return flag

    def _looked_at(self, t: float, returned: Returned) -> Outcome | None:
        """Native code is back: the outcome if the last event or the user ends the run, or it took too many steps."""
        if returned == Returned.DONE:
            return None
        if returned == Returned.JUDGE:
            return self._verdict(t)
        run = self.segments.run
        assert isinstance(run, OdeRun)
        run.progress.start()
        run.system.machine.look_after(run.system)
        flag = run.progress.seen(0, t, run.where()[1], False)
        return self.segments.failure(flag) if flag < 0 else None

    def _event(self, t: float, happen: Callable[[], None], at_root: bool = False) -> Outcome | None:
        """What happens at an instant, with the rows before and after; the outcome if the run ends here.

        An event that changes no unknown and no rate at once needs no new start of the integrator, unless that is
        beyond it already, `at_root`: a root is found inside a step, which was made with the old equations.
        """
        machine = self.machine
        track = self.track
        going = self.segments
        before = going.y.copy()
        rates = going.yp.copy()
        is_output = going.is_output(t, before)
        passing = machine.passing() if at_root else _NONE
        shift = self.jumps.moved(t, at_root) if self.jumps is not None and t > self.options.start else None
        if self.jumps is not None and shift is not None:
            track.moved.append((t, shift))
            self.jumps.carry(going.y, going.yp, shift, t)
        happen()
        if self.jumps is not None and shift is not None:
            self.jumps.carry(going.y, going.yp, -shift, t)
        moved = not ((going.y == before).all() and (going.yp == rates).all())
        if moved or (machine.p != track.last).any() or len(machine.fired()):
            if not is_output:
                track.add(going.done, t, before)
            track.change(machine.p)
            track.add(going.done, t, going.y.copy())
            track.log.append(Happened(t, machine.fired(), machine.switched(), passing))
            if at_root:  # instants known in advance come to an end, however dense they are
                self.times.append(t)
            if (moved or at_root) and not machine.reports:
                going.restart(t)
        return self._verdict(t) if machine.ended or len(self.times) > OFTEN else None

    def _over_at_once(self, t: float) -> Outcome | None:
        """The outcome if a when-statement that holds from the start ends the run."""
        message = self.machine.terminated_at_start()
        return None if message is None else _terminated(message, t)

    def _verdict(self, t: float) -> Outcome | None:
        """The outcome if the run ends here."""
        machine = self.machine
        if machine.ended:
            happening = machine.happening()
            if happening.sliding:
                return self._chattering(t, happening.switched)
            if happening.failed is not None:
                if happening.not_finite:
                    code = OutcomeCode.NOT_FINITE
                    advice = event_faults.ADVICE
                elif happening.asserted:
                    code = OutcomeCode.ASSERTION
                    advice = ""
                else:
                    code = OutcomeCode.EVENT
                    advice = convergence_advice(self.model, happening)
                return Outcome(code, happening.failed, t, advice, happening_texts(self.model, happening))
            if happening.message is not None:
                return _terminated(happening.message, t)
            texts = happening_texts(self.model, happening)[:5]
            return Outcome(
                OutcomeCode.CHATTERING, _FASTER, t, _STATE_OF_REST, ("what happens:", *(f"  {text}" for text in texts))
            )
        if t - self.times[-OFTEN] < self._densest:
            if self.segments.relieve():
                self.times.clear()
                return None
            return self._chattering(t, np.concatenate([event.switched for event in self.track.log[-OFTEN:]]))
        return None

    @property
    def _densest(self) -> float:
        """The time in which OFTEN events are too many for the present method."""
        return densest(self.segments.run) * self.options.length

    def _chattering(self, t: float, switched: Any) -> Outcome | None:
        """Conditions switch without end: they get a hysteresis, if that was asked for, or the run is over."""
        model = self.model.reduced
        machine = self.machine
        relations = np.unique(switched)
        texts = relation_texts(self.model, relations)
        fresh = set(relations.tolist()) - self.regularized
        if self.options.chattering == "regularize" and fresh:
            rest = _REST * self.options.length
            bands = machine.widen(t, sorted(fresh), rest)
            self.track.hystereses.append(Hysteresis(t, machine.record.kept["band"].copy()))
            self.regularized |= fresh
            widths = "; ".join(f"{text} (band {band:.2g})" for text, band in zip(texts, bands, strict=False))
            warnings.warn(
                f"{model.flat.name}: conditions chatter at t = {t:.6g} and got a hysteresis: {widths}", stacklevel=2
            )
            self.times.clear()
            return self._event(t, partial(machine.happen, t))
        return from_flag(Flag.CHATTERING, t, ("conditions that switch:", *(f"  {text}" for text in texts)))


def _terminated(message: str, t: float) -> Outcome:
    return Outcome(OutcomeCode.SUCCESS, f"terminated: {message}" if message else "terminated", t, terminated=True)
