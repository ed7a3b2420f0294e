"""The past of delayed signals, as Python sees it: room for notes, and values between them once a run is over."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.native.record import Record
from tellegen.engine.request.run_state import DelayedSignals
from tellegen.engine.runtime.events.delay_lines import notes_of_steps
from tellegen.errors import NumericError
from tellegen.ir.events import PAST_ENTRIES
from tellegen.ir.model import FloatArray
from tellegen.ir.reduced import BoolArray
from tellegen.start.records import dataclass

_NEAR = 1e-12  # as in delay_lines.py
_ROOM = 8192  # for notes, at first


class Past:
    """The notes of one run, in the record of its events (engine/runtime/events/delay_lines.py)."""

    def __init__(self, model: NativeModel, record: Record) -> None:
        self.model = model
        self.record = record
        self.count = record.get("delay_count")
        self.width = record.get("note_width")
        self.varies = model.reduced.events.delays.varies  # type: ignore[union-attr]
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
        out = np.zeros(2 * self.count)
        self.model.entries["delays"](t, kept["y"], kept["yp"], kept["p"], out)
        shortest = float(out[1::2][~self.varies].min())
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
        by = kept["delayed"][1::2][: self.count].copy()
        past = DelayedSignals(
            kept["note_time"][:known].copy(),
            values.copy(),
            kept["jump_time"][:jumps].copy(),
            kept["jump_age"][:jumps].copy(),
        )
        return Notes(past, by, kept["delay_index"], self.varies)


def _are_apart(times: FloatArray, note: int) -> bool:
    """Whether there is no event between a note and the next one: two notes of one time, apart from a rounding."""
    return bool(times[note + 1] - times[note] > _NEAR * abs(times[note + 1]))


@dataclass(frozen=True, eq=False)
class Notes:
    """The past of delayed signals, by how much they are delayed and where the equations read them."""

    past: DelayedSignals
    by: FloatArray
    index: Any
    varies: BoolArray

    def until(self, t: float) -> DelayedSignals:
        """The past as it was at a time."""
        past = self.past
        known = int(past.time.searchsorted(t, side="right"))
        jumps = int(past.jump_time.searchsorted(t, side="right"))
        return DelayedSignals(past.time[:known], past.value[:known], past.jump_time[:jumps], past.jump_age[:jumps])

    def fill(self, p: FloatArray, t: float) -> None:
        """Put what the signals were into the parameters, for a look at the equations at some time."""
        start = float(self.past.time[0])
        noted = len(self.by)  # where the times of delays that vary begin
        for k, by in enumerate(self.by):
            if not self.varies[k]:
                p[self.index[k]] = self._past(k, max(t - float(by), start))
                continue
            self._fit(p, k, max(t - self._past(noted, t), start))
            noted += 1

    def _fit(self, p: FloatArray, k: int, s: float) -> None:
        """The polynomial that a signal followed near a time, for equations that ask for the time by themselves."""
        here, window = self._window(s)
        origin = float(self.past.time[here])
        nodes = self.past.time[window] - origin
        entries = p[int(self.index[k]) :][:PAST_ENTRIES]
        entries[:] = 0.0
        entries[0] = origin
        before_start = s <= float(self.past.time[0])
        if before_start:
            entries[1] = self.past.value[here, k]
        else:
            powers = np.vander(nodes / (np.ptp(nodes) or 1.0), increasing=True)
            found = np.linalg.solve(powers, self.past.value[window, k])
            entries[1 : 1 + len(nodes)] = found / (np.ptp(nodes) or 1.0) ** np.arange(len(nodes))

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

    def _past(self, k: int, s: float) -> float:
        times = self.past.time
        values = self.past.value[:, k]
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
