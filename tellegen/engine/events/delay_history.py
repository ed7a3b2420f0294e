"""The past of delayed signals, as Python sees it: room for notes, and values between them once a run is over."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record
from tellegen.engine.request.run_state import DelayedSignals
from tellegen.engine.runtime.events.past.notes import notes_of_steps
from tellegen.errors import NumericError
from tellegen.ir.events import CONSTANT_DELAY, PAST_ENTRIES, TRANSPORT_ENTRIES, VARYING_DELAY, Delays
from tellegen.ir.model import FloatArray
from tellegen.start.records import dataclass

_NEAR = 1e-12  # as in past/notes.py
_STILL = 4e-10  # as in past/transports.py
_HALVINGS = 52
_ROOM = 8192  # for notes, at first


class Past:
    """The notes of one run, in the record of its events (engine/runtime/events/past/)."""

    def __init__(self, model: NativeModel, record: Record) -> None:
        self.model = model
        self.record = record
        self.count = record.get("delay_count")
        self.width = record.get("note_width")
        events = model.reduced.events
        assert events is not None
        self.delays = events.delays
        self.varies = events.delays.varies
        self._take(_ROOM)

    def _take(self, room: int) -> None:
        kept = self.record.kept
        known = self.record.get("note_count")
        new = {"note_time": np.zeros(room), "note_value": np.zeros(room * self.width), "jump_time": np.zeros(room)}
        new["jump_age"] = np.zeros(room)
        if known:
            for name, array in new.items():
                array[: len(kept[name])] = kept[name]
        self.record.set(**new, note_room=room, jump_room=room)

    def forget(self, shortest_step: float) -> None:
        """A new run; delays that vary ask for no shorter steps than given."""
        self.record.set(note_count=0, jump_first=0, jump_count=0)
        self.record.put(shortest_step=shortest_step)
        self.record.kept["note_peak"][:] = 0.0

    def make_room(self, steps: int) -> None:
        """Room for the notes of the next steps."""
        needed = self.record.get("note_count") + notes_of_steps(steps)
        if needed > self.record.get("note_room"):
            self._take(2 * needed)

    def shortest(self, t: float) -> float:
        """The shortest constant delay, which no step may exceed; an error where it is not positive."""
        if self.varies.all():
            return math.inf
        kept = self.record.kept
        out = np.zeros(self.delays.values.count)
        self.model.entries["delays"](t, kept["y"], kept["yp"], kept["p"], out)
        shortest = float(out[self.delays.number + 1][~self.varies].min())
        if not shortest > 0.0:
            advice = "give a positive delay time; without delay write the signal itself"
            raise NumericError("E307", f"tg.delay needs a positive delay time, not {shortest:g} s", advice=advice)
        return shortest

    def restore(self, t: float, past: DelayedSignals) -> None:
        """The past of another run, which this one continues at a time; of y and p as they are bound."""
        known = len(past.time)
        jumps = len(past.jump_time)
        if max(known, jumps) > self.record.get("note_room"):
            self._take(2 * max(known, jumps))
        kept = self.record.kept
        kept["note_time"][:known] = past.time
        kept["note_value"][: known * self.width] = past.value.ravel()
        kept["jump_time"][:jumps] = past.jump_time
        kept["jump_age"][:jumps] = past.jump_age
        self.record.set(note_count=known, jump_count=jumps)
        self.model.entries["delays"](t, kept["y"], kept["yp"], kept["p"], kept["delayed"])

    def notes(self) -> Notes:
        """What remains of the run."""
        kept = self.record.kept
        jumps = self.record.get("jump_count")
        known = self.record.get("note_count")
        values = kept["note_value"][: known * self.width].reshape(known, self.width)
        past = DelayedSignals(
            kept["note_time"][:known].copy(),
            values.copy(),
            kept["jump_time"][:jumps].copy(),
            kept["jump_age"][:jumps].copy(),
        )
        return Notes(past, kept["delayed"].copy(), self.delays, kept["note_column"])


def _are_apart(times: FloatArray, note: int) -> bool:
    """Whether there is no event between a note and the next one: two notes of one time, apart from a rounding."""
    return bool(times[note + 1] - times[note] > _NEAR * abs(times[note + 1]))


@dataclass(frozen=True, eq=False)
class Notes:
    """The past of delayed signals, what was computed for them last, and where they stand in a row of notes."""

    past: DelayedSignals
    computed: FloatArray
    delays: Delays
    column: Any

    def until(self, t: float) -> DelayedSignals:
        """The past as it was at a time."""
        past = self.past
        known = int(past.time.searchsorted(t, side="right"))
        jumps = int(past.jump_time.searchsorted(t, side="right"))
        return DelayedSignals(past.time[:known], past.value[:known], past.jump_time[:jumps], past.jump_age[:jumps])

    def fill(self, p: FloatArray, t: float) -> None:
        """Put what the signals were into the parameters, for a look at the equations at some time."""
        start = float(self.past.time[0])
        for k, kind in enumerate(self.delays.kind.tolist()):
            column = int(self.column[k])
            entries = p[int(self.delays.index[k]) :]
            if kind == CONSTANT_DELAY:
                by = float(self.computed[self.delays.number[k] + 1])
                entries[0] = self._past(column, max(t - by, start))
            elif kind == VARYING_DELAY:
                self._fit(entries[:PAST_ENTRIES], column, max(t - self._past(column + 1, t), start))
            else:
                self._carry(entries[:TRANSPORT_ENTRIES], column, t)

    def _fit(self, entries: FloatArray, column: int, s: float) -> None:
        """The polynomial that a signal followed near a time, for equations that ask for the time by themselves."""
        here, window = self._window(s)
        origin = float(self.past.time[here])
        nodes = self.past.time[window] - origin
        entries[:] = 0.0
        entries[0] = origin
        before_start = s <= float(self.past.time[0])
        if before_start:
            entries[1] = self.past.value[here, column]
        else:
            powers = np.vander(nodes / (np.ptp(nodes) or 1.0), increasing=True)
            found = np.linalg.solve(powers, self.past.value[window, column])
            entries[1 : 1 + len(nodes)] = found / (np.ptp(nodes) or 1.0) ** np.arange(len(nodes))

    def _carry(self, entries: FloatArray, column: int, t: float) -> None:
        """What left a transport at a time: the last entry of content before it was at the end of the pipe."""
        times = self.past.time
        known = int(times.searchsorted(t, side="right"))
        x = self._past(column + 1, t)
        moved = self.past.value[:known, column + 1]
        still = _STILL * max(1.0, abs(x))
        is_inside = np.abs(moved - x)[::-1].cumsum()[::-1] > still  # as in past/transports.py
        entered = np.flatnonzero((moved <= x - 1.0) | (is_inside & (moved >= x + still)))
        entries[:] = (x, 0.0, 0.0, 1.0, moved[0])
        if len(entered):
            note = int(entered[-1])
            near = moved[note] <= x - 1.0
            s = self._entry_time(column + 1, x - 1.0 if near else x, note)
            entries[1] = self._past(column if near else column + 2, s)
            entries[3] = 0.0

    def _entry_time(self, column: int, x: float, note: int) -> float:
        """When the content had moved so far, between a note and the next one, by halving."""
        low, high = (float(time) for time in self.past.time[note : note + 2])
        rises = self.past.value[note + 1, column] > self.past.value[note, column]
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if (self._past(column, middle) < x) == rises:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def _window(self, s: float) -> tuple[int, slice]:
        """The last note before a time, and up to five notes around it between two events."""
        times = self.past.time
        here = int(times.searchsorted(s, side="right")) - 1
        first = last = here
        for step in (1, -1) * 4:
            at = last + 1 if step > 0 else first - 1
            if last - first < 4 and 0 <= at < len(times) and _are_apart(times, min(at, at - step)):
                first = min(first, at)
                last = max(last, at)
        return here, slice(first, last + 1)

    def _past(self, column: int, s: float) -> float:
        times = self.past.time
        values = self.past.value[:, column]
        here, window = self._window(s)
        first = window.start
        last = window.stop - 1
        at = times[first : last + 1]
        nearest = float(values[here])
        total = nearest  # what does not change comes out as it is, whatever the weights round to
        for i in range(len(at)):
            others = np.delete(at, i)
            total += float((values[first + i] - nearest) * np.prod((s - others) / (at[i] - others)))
        return total
