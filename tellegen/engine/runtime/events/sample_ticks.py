"""Native ticks: when the samples of a model are due, and which of them are due now.

The time of a tick is computed from its number, never summed up. Ticks of several clocks agree up to rounding of the
time and of the largest offset: they are sums of the two.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.events.relation_values import compute
from tellegen.procedures.language import ceil, f64, floor, i64, procedure

SAME_TICK = 1e-9
"""Part of a period by which the start of a run may miss a tick."""

_ROUNDING = 16 * 2.220446049250313e-16  # of the time: ticks of several clocks that close are one instant


@procedure(inline=True)
def set_tick(ev: EventRun, k: i64, tick: f64) -> None:
    """The next tick of sample k, and its time."""
    offset = ev.clocks[2 * k]
    period = ev.clocks[2 * k + 1]
    ev.tick[k] = tick
    ev.tick_time[k] = offset + tick * period


@procedure(inline=True)
def find_tick(ev: EventRun, k: i64, strictly_after: bool, same: f64) -> None:
    """Find the next tick of a sample, whose offset and period are known; see find_ticks."""
    t = ev.t
    offset = ev.clocks[2 * k]
    period = ev.clocks[2 * k + 1]
    ticks = (t - offset) / period
    rounding = _ROUNDING * (abs(offset) + abs(t)) / period
    slack = same + rounding
    tick = floor(ticks + slack) + 1.0 if strictly_after else ceil(ticks - slack)
    set_tick(ev, k, max(0.0, tick))


@procedure
def find_ticks(ev: EventRun, strictly_after: bool, same: f64) -> None:
    """Find the next tick of every sample: at this time or after it, or strictly after it.

    One that this time misses by `same`, a part of its period, is at this time.
    """
    if ev.sample_count == 0:
        return
    compute(ev, ev.sample_entry, ev.t, ev.clocks)
    largest = 0.0
    for k in range(ev.sample_count):
        largest = max(largest, abs(ev.clocks[2 * k]))
        find_tick(ev, k, strictly_after, same)
    ev.largest_offset = largest


@procedure
def move_ticks(ev: EventRun) -> None:
    """Offsets and periods may have changed: the next tick of those that have is after this time.

    All others stay, for one of them may be due at this very time.
    """
    if ev.sample_count == 0:
        return
    compute(ev, ev.sample_entry, ev.t, ev.clocks)
    for k in range(ev.sample_count):
        ev.largest_offset = max(ev.largest_offset, abs(ev.clocks[2 * k]))
        before = ev.tick_time[k]
        set_tick(ev, k, ev.tick[k])
        if ev.tick_time[k] != before:
            find_tick(ev, k, True, 0.0)


@procedure
def raise_samples(ev: EventRun) -> None:
    """Raise the flags of the samples that are due now, lower all others, and continue to the next tick of those due."""
    t = ev.t
    near = _ROUNDING * (abs(t) + ev.largest_offset)
    for k in range(ev.sample_count):
        is_due = abs(t - ev.tick_time[k]) <= near
        ev.p[ev.sample_flag[k]] = 1.0 if is_due else 0.0
        if is_due:
            set_tick(ev, k, ev.tick[k] + 1.0)


@procedure
def lower_samples(ev: EventRun) -> None:
    """Samples are due at one instant only."""
    for k in range(ev.sample_count):
        ev.p[ev.sample_flag[k]] = 0.0
