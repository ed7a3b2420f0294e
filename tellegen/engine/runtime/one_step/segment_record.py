"""The records of the native loop over segments and events (`segment_loop`)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import Array, Record, f64, i32, i64

OFTEN = 60
"""So many events at roots within `SegmentLoop.dense` never end."""


class Returned(IntEnum):
    """What run_segments returns where it is not the negative flag of the integrator."""

    DONE = 0
    PAUSED = 1  # after so many steps, or because the log is full
    JUDGE = 2  # the run may end at this event


class EventLog(Record):
    """Events since Python last looked. The list of event k ends before element `..._end[k]`."""

    room: i64
    count: i64
    time: Array[f64]
    done: Array[i64]  # output times before it
    is_output: Array[i64]  # whether it is at an output time
    rows: Array[f64]  # two for each event: before and after
    list_room: i64  # of the following lists
    change_count: i64
    change_end: Array[i64]
    change_index: Array[i64]
    change_value: Array[f64]
    fired_count: i64
    fired_end: Array[i64]
    fired: Array[i32]
    switched_count: i64
    switched_end: Array[i64]
    switched: Array[i32]
    passing_count: i64
    passing_end: Array[i64]
    passing: Array[i64]


class SegmentLoop(Record):
    """A run with events. `solved` and `before` are the work vector (y and y') before a segment and before an event."""

    run: RkRun
    ev: EventRun
    log: EventLog
    advance: Callable[[RkRun], i32]
    begin: Callable[[RkRun], None]
    t: f64
    stop: f64
    end: f64  # of the segment
    reached: f64  # where the integrator is
    look_again: f64  # a root was passed by: when to look at the relations again
    passed: f64  # the root that was passed by
    done: i64
    total: i64
    uses_terminal: bool
    burst: i64  # steps until Python looks
    steps: i64
    rejected: i64
    solved: Array[f64]
    before: Array[f64]
    p_count: i64
    p_last: Array[f64]  # after the last event in the log
    root_times: Array[f64]  # of the last events at roots
    root_count: i64
    dense: f64
