"""What an FMU for Model Exchange hears of accepted steps of the integrator, natively; it may ask for events."""

from __future__ import annotations

from tellegen.importers.fmu.native.evaluate import CONTINUOUS, Call, is_slot, set_point
from tellegen.importers.fmu.native.events import FmuEvents, Step, fail
from tellegen.procedures.language import Array, f64, procedure


@procedure
def fmu_stepped(table: Array[FmuEvents], t: f64, x: Array[f64], u: Array[f64], p: Call, y: Array[f64]) -> None:
    """A step of the integrator ended here: how often completed steps have asked for an event."""
    if not (is_slot(p) and p.epoch > 0.0):
        return
    events = table[int(p.slot)]
    context = events.context
    if context.epoch == p.epoch and context.mode == CONTINUOUS:
        inputs = context.input_values if context.inputs > 0 else 0
        status = set_point(context, t, x, u, inputs)
        info = events.info
        info[0] = 0
        info[2] = 0
        status = max(status, int(events.completed_step(context.component, 1, info, info[2:])))
        fail(events, Step.COMPLETED_STEP, status)
        if info[0] & 255 != 0 or info[2] & 255 != 0:
            events.requests += 1.0
        if info[2] & 255 != 0:
            events.stops = True
    y[0] = events.requests
