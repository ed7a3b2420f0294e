"""How relations at zero leave an event; see engine/runtime/events/event_departure.py."""

from __future__ import annotations

from tellegen.ensembles.kernels.events.switching import RISES, holds
from tellegen.ensembles.kernels.events.watch import GREATER
from tellegen.ensembles.kernels.job import Job, differences, rates
from tellegen.ensembles.kernels.sizes import FLAGS, HERE, MATTERS, NOW, PASSED, RELATIONS, STAGE, STATES, K, Q, X
from tellegen.procedures.language import Array, f64, procedure

_AT_ZERO = 1e-3
_SOON = 1e5


@procedure
def look_ahead(job: Job, work: Array[f64], t: f64, is_due: bool, has_jumped: bool) -> bool:
    """Whether relations switch a moment ahead without a root to be seen; these are marked as passing."""
    found = False
    x = work[X:]
    stage = work[STAGE:]
    rate = work[K:]
    q = work[Q:]
    here = work[HERE:]
    ahead = work[NOW:]
    flags = work[FLAGS:]
    passed = work[PASSED:]
    matters = work[MATTERS:]
    rates(t, job.common, q, x, rate)
    for i in range(STATES):
        stage[i] = x[i] + job.lookahead * rate[i]
    differences(t, job.common, q, x, here)
    differences(t + job.lookahead, job.common, q, stage, ahead)
    for k in range(RELATIONS):
        is_watched = is_due and matters[k] > 0.5
        raised = flags[k] > 0.5
        way = ahead[k] - here[k]
        is_unseen = here[k] == 0.0 or holds(here[k], k) != raised
        is_sent_back = has_jumped and (passed[k] != 0.0 or abs(here[k]) <= _AT_ZERO * abs(way))
        switches = ahead[k] != 0.0 and holds(ahead[k], k) != raised
        above = raised == (GREATER[k] > 0.5)
        has_switched = passed[k] != 0.0 and (passed[k] > 0.0) == above
        heads_on = abs(here[k]) < _SOON * abs(way) and has_switched and (way > 0.0) == above
        goes = is_watched and switches and (is_sent_back or (is_unseen and not heads_on))
        stays_reached = is_watched and RISES[k] > 0.5 and here[k] == 0.0 and ahead[k] == 0.0 and not raised
        rests = is_watched and is_unseen and not switches and ahead[k] != 0.0
        sign = 1.0 if ahead[k] > 0.0 or stays_reached else -1.0
        passed[k] = (sign if goes or rests or stays_reached else 0.0) if is_due else passed[k]
        found = found or goes or stays_reached
    return found
