"""Runs with events: smooth stretches, and between them what happens at an instant.

    stretch from t to the next known instant (or the end)  ->  ended early by a root?  ->  event  ->  next stretch

Known instants (relations of time, samples) are hit exactly as ends of stretches. Roots are located by IDA; a model
without relations of unknowns may use any solver. Output keeps both sides of a jump.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellegen.engine.compiled import CompiledModel
from tellegen.engine.event_texts import happening_texts
from tellegen.engine.events import EventMachine, Happening
from tellegen.engine.history import Event
from tellegen.engine.initialize import Point, continued, initialize
from tellegen.engine.integrate import integrate
from tellegen.engine.methods import Method
from tellegen.engine.ode import OdeSystem
from tellegen.engine.options import Options
from tellegen.engine.outcome import CHATTERING, Outcome, from_flag, success
from tellegen.engine.values import Starts
from tellegen.ir.model import FloatArray

_OFTEN, _DENSE = 60, 1e-9  # so many events in that part of the interval never end
_LEAVES = 6  # looks ahead at one instant
_MOMENT = 1e-9  # of the interval: how far ahead a relation at zero is looked at
_IN_A_ROW, _CLOSE = 8, 2e-5  # so many shrinking gaps, the last that small a part of the interval, will have no end
_COUNTERS = ("steps", "error_test_failures", "newton_iterations", "newton_failures", "factorizations", "seconds")


@dataclass
class Track:
    """What is kept of a run: rows at output times and on both sides of events, and the numbers of every stretch."""

    times: list[Any] = field(default_factory=list)  # blocks of rows
    rows: list[FloatArray] = field(default_factory=list)
    stretch: list[Any] = field(default_factory=list)
    numbers: list[FloatArray] = field(default_factory=list)  # p of every stretch
    events: list[Event] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=lambda: {"solver": "ida", "events": 0})

    def add(self, t: Any, y: FloatArray) -> None:
        """A row, or several, of the present stretch."""
        times = np.atleast_1d(t)
        self.times.append(times)
        self.rows.append(np.array(y, ndmin=2))
        self.stretch.append(np.full(len(times), len(self.numbers) - 1))


class HybridRun:
    """One run; used once."""

    def __init__(self, model: CompiledModel, options: Options, point: Point, first: Starts, steady: bool) -> None:
        self.model, self.options, self.p, self.first, self.steady = model, options, point.p, first, steady
        self.machine = EventMachine(model, point.p)
        self.track = Track()
        self.times = options.times()
        self.method: Method | None = None  # for stretches; IDA when there is none
        self.system: OdeSystem | None = None
        self.roots: Any = None
        self.fired: dict[int, list[float]] = {}  # instants of each when-statement

    def run(self) -> Outcome:
        """Integrate to the end, or as far as it goes."""
        t, track = self.options.start, self.track
        y, yp = (part.copy() for part in self._initial(t))
        self.machine.resume(t, y, yp)
        track.numbers.append(self.p.copy())
        track.add(t, y)
        ended: Outcome | None = None
        while ended is None and t < self.options.stop:
            ended = self._leave(t, y, yp)
            if ended is None:
                t, ended = self._stretch(t, y, yp)
            if ended is not None or t >= self.options.stop:
                break
            happening = self._event(t, y, yp)
            ended = self._verdict(t, happening)
        return success(self.options.stop) if ended is None else ended

    def _initial(self, t: float) -> tuple[FloatArray, FloatArray]:
        """Consistent initial values; in ODE mode from the states alone where nothing else was asked for."""
        first, model = self.first, self.model
        if self.system is None or self.steady or model.program.initial_size or not first.states_alone:
            return initialize(model, Point(t, self.p), first, self.steady)
        self.machine.guess(t, first.value)
        found = self._consistent(t, first.value, first.value)
        if found is None:
            return initialize(model, Point(t, self.p), first, self.steady)
        y, yp = (part.copy() for part in found)
        self.machine.settle(t, y, yp, self._consistent, first=True)
        return y, yp

    def _stretch(self, t: float, y: FloatArray, yp: FloatArray) -> tuple[float, Outcome | None]:
        """Integrate to the next instant or event; y and y' are those at its end."""
        end = min(self.machine.next_instant(t, y, yp), self.options.stop)
        wanted = self.times[(self.times > t) & (self.times <= end)]
        points = wanted if len(wanted) and wanted[-1] == end else np.append(wanted, end)
        options = replace(self.options, start=t, stop=end, points=points)
        times, output, outcome, root = self._integrated(t, options, y, yp)
        reached = end if root is None else root
        done = times[: len(output)]
        inside = done < reached
        inside[0] = False  # the row at the start is there already
        if root is None and outcome.ok and end == self.options.stop:
            inside[-1] = True
        self.track.add(done[inside], output[inside])
        return reached, None if outcome.ok else outcome

    def _integrated(self, t: float, options: Options, y: FloatArray, yp: FloatArray) -> tuple[Any, Any, Outcome, Any]:
        """Times, rows and outcome of one stretch, and where a root ended it; y and y' are moved to its end."""
        if self.method is None:
            run, output, outcome = integrate(self.model, Point(t, self.p), options, (y, yp), self.first.nominal)
            y[:], yp[:] = run.y, run.yp
            root, self.roots = run.event_at, run.roots
        else:
            assert self.system is not None
            self.system.p[:] = self.p
            self.system.y[:], self.system.yp[:] = y, yp
            run, output, outcome = self.method(self.system, options, options.absolute(self.first.nominal))
            y[:], yp[:], root = self.system.y, self.system.yp, None
        so_far = self.track.stats
        counted = {name: so_far.get(name, 0) + run.stats.get(name, 0) for name in _COUNTERS}
        self.track.stats = {**so_far, **run.stats, **counted, "restarts": so_far["events"]}
        return run.times, output, outcome, root

    def _leave(self, t: float, y: FloatArray, yp: FloatArray) -> Outcome | None:
        """Let relations switch that stand at zero and are about to: a sine that starts at zero opens a diode.

        When the next look ahead wants them back, there is no way out: the model slides along the condition.
        """
        if not self.model.sorted.relation_count:
            return None
        step = _MOMENT * (self.options.stop - self.options.start)
        texts: tuple[str, ...] = ()
        for _ in range(_LEAVES):
            moved = y + step * np.where(self.model.sorted.is_state, yp, 0.0)
            ahead = self._consistent(t + step, moved, yp)
            self.roots = None if ahead is None else self.machine.leaving((t, y, yp), (t + step, *ahead))
            if self.roots is None or not self.roots.any():
                self.roots = None
                return None
            happening = self._event(t, y, yp)
            texts = happening_texts(self.model, happening) or texts
        return from_flag(CHATTERING, t, ("conditions that switch:", *(f"  {text}" for text in texts)))

    def _event(self, t: float, y: FloatArray, yp: FloatArray) -> Happening:
        """What happens at an instant, with the rows before and after."""
        track = self.track
        before = y.copy()
        happening = self.machine.settle(t, y, yp, self._consistent, roots=self.roots)
        if (self.p == track.numbers[-1]).all() and (y == before).all():
            return happening  # a root on the way out of an event: nothing has changed
        track.add(t, before)
        track.numbers.append(self.p.copy())
        track.add(t, y)
        track.stats["events"] += 1
        texts = happening_texts(self.model, happening)
        if texts:
            track.events.append(Event(t, texts))
        return happening

    def _consistent(self, t: float, y: FloatArray, yp: FloatArray) -> tuple[FloatArray, FloatArray] | None:
        """y and y' for the present discrete values, with the states of y."""
        if self.system is None:
            return continued(self.model, Point(t, self.p), y, yp)
        system = self.system
        system.p[:] = self.p
        system.y[:] = y
        return (system.y, system.yp) if system.rhs(t, y[system.states]) else None

    def _verdict(self, t: float, happening: Happening) -> Outcome | None:
        """The outcome if the run ends here."""
        if happening.failed is not None:
            advice = "give the conditions a hysteresis, or start values on one side of them"
            return Outcome("event", happening.failed, t, advice, happening_texts(self.model, happening))
        if happening.message is not None:
            return Outcome("success", f"terminated: {happening.message}" if happening.message else "terminated", t)
        for when, _ in happening.fired:
            self.fired.setdefault(when, []).append(t)
        events = self.track.events
        span = self.options.stop - self.options.start
        if len(events) > _OFTEN and t - events[-_OFTEN].time < _DENSE * span:
            return from_flag(CHATTERING, t, ("conditions that switch:", *(f"  {text}" for text in events[-1].what)))
        if any(_accumulates(self.fired[when], span) for when, _ in happening.fired):
            return from_flag(CHATTERING, t, ("events that follow ever faster:", f"  {events[-1].what[0]}"))
        return None


def _accumulates(times: list[float], span: float) -> bool:
    """Whether instants draw together like a bouncing ball's (Zeno), and are about to be too close to tell apart."""
    gaps = np.diff(times[-_IN_A_ROW:])
    return len(gaps) == _IN_A_ROW - 1 and bool(gaps[-1] < _CLOSE * span and (gaps[1:] < 0.99 * gaps[:-1]).all())
