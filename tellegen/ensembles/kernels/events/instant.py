"""The next instant that is known in advance; see engine/runtime/events/event_departure.py."""

from __future__ import annotations

import math

from tellegen.ensembles.kernels.events.ticks import next_tick
from tellegen.ensembles.kernels.job import Job, instants
from tellegen.ensembles.kernels.sizes import HERE, INSTANTS, NOW, Q, X
from tellegen.procedures.language import Array, f64, procedure

_SAME_TIME = 4e-16
_LEAST_TIME = 1e-300


@procedure
def next_instant(job: Job, work: Array[f64], t: f64) -> f64:
    """The next time at which a relation of time switches or a sample is due, or infinity."""
    soonest = math.inf
    if INSTANTS > 0:
        q = work[Q:]
        x = work[X:]
        here = work[HERE:]
        slope = work[NOW:]
        later = t + (_SAME_TIME * abs(t) + _LEAST_TIME)
        instants(0.0, job.common, q, x, here)
        instants(1.0, job.common, q, x, slope)
        estimate = math.inf
        for k in range(INSTANTS):
            slope[k] = slope[k] - here[k]
            time = -here[k] / slope[k]
            estimate = time if time > later and time < estimate else estimate
        instants(estimate if estimate < math.inf else t, job.common, q, x, here)
        for k in range(INSTANTS):
            time = estimate - here[k] / slope[k]
            soonest = time if time > later and time < soonest else soonest
        soonest = soonest if estimate < math.inf else math.inf
    return next_tick(work, soonest)
