"""Runs with events in native code, from segment to event to segment (engine/runtime/one_step/segment_loop.py).

Python makes room for a log, lets native code run until something needs attention, and reads the log into the track.
Runs with tangents do without: these jump at events, in Python. CVODE and IDA restart in Python.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tellegen.engine.events.event_handler import EventHandler
from tellegen.engine.integrators.one_step import OneStep
from tellegen.engine.integrators.segment_driver import OdeSegmentDriver, SegmentDriver
from tellegen.engine.native.record import Record
from tellegen.engine.readout.discrete_history import Happened
from tellegen.engine.runs.trajectory_recorder import Track
from tellegen.engine.runtime.one_step.segment_record import OFTEN, EventLog, SegmentLoop
from tellegen.engine.runtime.runtimes import event_runtime, ode_runtime
from tellegen.procedures.language import field_names
from tellegen.start.records import dataclass

_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_MOST_EVENTS = 256
_MOST_NUMBERS = 1 << 17  # in the rows of the log


@dataclass
class Position:
    """Where a run is between two segments."""

    t: float
    look_again: float  # a root was passed by: when to look at the relations again
    passed: float  # that root


class NativeSegments:
    """The native loop of a system in ODE mode; kept with it from run to run."""

    def __init__(self, driver: OdeSegmentDriver, machine: EventHandler, run: OneStep) -> None:
        self._machine = machine
        self._run_segments = _RUN(event_runtime().addresses["run_segments"])
        system = run.system
        size = len(system.y)
        parameters = len(system.p)
        events = max(8, min(_MOST_EVENTS, _MOST_NUMBERS // max(2 * size, 1)))
        most = max(parameters, machine.roots_to_watch, machine.record.get("fired_room"))
        room = 2 * events + 2 * most
        self.solved = np.zeros(2 * size)
        self.p_last = np.zeros(parameters)
        self.root_times = np.zeros(OFTEN + 1 + events)
        self.rows = np.zeros((events, 2, size))
        self.log = Record(field_names(EventLog))
        self.log.set(
            list_room=room,
            time=np.zeros(events),
            rows=self.rows,
            change_value=np.zeros(room),
            **{name: np.zeros(room, np.int64) for name in ("change_index", "passing")},
            **{name: np.zeros(room, np.int32) for name in ("fired", "switched")},
            **{f"{name}_end": np.zeros(events, np.int64) for name in ("change", "fired", "switched", "passing")},
            **{name: np.zeros(events, np.int64) for name in ("done", "is_output")},
        )
        self.record = Record(field_names(SegmentLoop))
        self.record.set(
            ev=machine.record.address,
            log=self.log.address,
            begin=ode_runtime().addresses["rk_begin"],
            solved=self.solved,
            before=np.zeros(2 * size),
            p_count=parameters,
            p_last=self.p_last,
            root_times=self.root_times,
        )
        self.serve(driver, run)

    def serve(self, driver: OdeSegmentDriver, run: OneStep) -> None:
        """Work for a run, which may have another method than the one before."""
        self.driver = driver
        self.run = run
        self.record.set(run=run.record.address, advance=run.own.run_address)

    def go(self, at: Position, dense: float, most_events: int | None = None) -> int:
        """Segments and events from a position, which moves on; a negative flag of a segment, or see Returned."""
        run = self.run
        stop = run.options.stop
        burst = run.progress.burst(len(run.x))
        room = len(self.rows) if most_events is None else min(most_events, len(self.rows))
        if self._machine.delays is not None:
            self._machine.delays.make_room(2 * burst)
        self.log.set(room=room)
        self.record.put(t=at.t, look_again=at.look_again, passed=at.passed, reached=run.reached, stop=stop, dense=dense)
        self.record.set(
            done=run.done,
            total=run.total,
            uses_terminal=self._machine.uses_terminal,
            burst=burst,
            steps=0,
            rejected=0,
        )
        flag = self._run_segments(self.record.address)
        at.t = self.record.get_double("t")
        at.look_again = self.record.get_double("look_again")
        at.passed = self.record.get_double("passed")
        run.reached = self.record.get_double("reached")
        run.done = self.record.get("done")
        run.add_counts(self.record.get("steps"), self.record.get("rejected"))
        return flag

    @property
    def end(self) -> float:
        """Where the last segment was to end."""
        return self.record.get_double("end")

    def remember(self, track: Track, times: list[float]) -> None:
        """What happened before: the discrete values, and when events at roots were."""
        recent = times[-OFTEN - 1 :]
        self.p_last[:] = track.last
        self.root_times[: len(recent)] = recent
        self.record.set(root_count=len(recent))
        self.log.set(count=0, change_count=0, fired_count=0, switched_count=0, passing_count=0)

    def read_log(self, track: Track, times: list[float]) -> None:
        """Add what has happened since `remember` to the track, and the events at roots to the times."""
        count = self.log.get("count")
        if count == 0:
            return
        kept = self.log.kept
        time = kept["time"][:count]
        indices = self._lists("change", "change_index", count)
        values = self._lists("change", "change_value", count)
        fired = self._lists("fired", "fired", count)
        switched = self._lists("switched", "switched", count)
        passing = self._lists("passing", "passing", count)
        is_kept = np.ones((count, 2), bool)  # before and after each event; output stands there already
        is_kept[:, 0] = kept["is_output"][:count] == 0
        track.add_events(kept["done"][:count], time, self.rows[:count], is_kept)
        track.changes += zip(indices, values, strict=True)
        track.log += map(Happened, time.tolist(), fired, switched, passing)
        track.last[:] = self.p_last
        known = len(times[-OFTEN - 1 :])
        times += self.root_times[known : self.record.get("root_count")].tolist()

    def _lists(self, ends: str, name: str, count: int) -> list[Any]:
        """A list for each event."""
        end = self.log.kept[f"{ends}_end"][:count].tolist()
        values = self.log.kept[name][: end[-1]].copy()
        return [values[a:b] for a, b in zip([0, *end], end, strict=False)]


def native_segments(driver: SegmentDriver, machine: EventHandler) -> NativeSegments | None:
    """The native loop of a run; None before the method has begun, and where it is not a one-step method."""
    run = driver.run
    if not isinstance(driver, OdeSegmentDriver) or not isinstance(run, OneStep) or run.own is None:
        return None
    kept = run.system.attachment(NativeSegments)
    if kept is None:
        return run.system.attach(NativeSegments(driver, machine, run))
    if kept.run is not run:
        kept.serve(driver, run)
    return kept
