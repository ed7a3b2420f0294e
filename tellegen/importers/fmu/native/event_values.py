"""The results of an event of an FMU, natively, one by one: the event itself is a call with all states and inputs."""

from __future__ import annotations

from tellegen.importers.fmu.native.evaluate import SLOTS
from tellegen.importers.fmu.native.events import FmuEvents
from tellegen.procedures.language import Array, Record, f64, procedure


class EventValue(Record):
    """The last arguments of a call: the instance, the epoch that the event began, and the number of the result."""

    slot: f64
    epoch: f64
    place: f64


@procedure
def fmu_event_value(
    table: Array[FmuEvents], _t: f64, _x: Array[f64], _u: Array[f64], p: EventValue, y: Array[f64]
) -> None:
    """One of the results of the event that began this epoch; none where that is over."""
    if p.slot >= 0.0 and p.slot < SLOTS and p.epoch > 0.0:  # else there never was an instance
        events = table[int(p.slot)]
        if events.results[0] == p.epoch:
            y[0] = events.results[int(p.place)]
