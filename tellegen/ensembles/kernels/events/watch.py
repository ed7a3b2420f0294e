"""Root functions of a run: watched at the stages of a step, as in engine/runtime/events/root_functions.py.

Relation k is of the kind left > right where GREATER[k] is 1.0. Its root function is left - right, and wrong where that
has the sign at which the relation would have the opposite value of its flag.
"""

from __future__ import annotations

from tellegen.engine.runtime.events.root_functions import (
    FAR,
    LAST_STAGE,
    MIDDLE_STAGE,
    NOISE_OF_ROOTS,
    RESOLVED,
    TO_STAGE_1,
    TO_STAGE_4,
    TO_STAGE_6,
)
from tellegen.ensembles.kernels.job import Job, differences, inverse
from tellegen.ensembles.kernels.sizes import DUE, FLAGS, GATES, LARGEST, MATTERS, RELATIONS, ROOTS, Q
from tellegen.procedures.language import Array, f64, i64, procedure

GREATER = (0.0,)
"""Per relation, put in with the sizes."""


@procedure(inline=True)
def is_above(work: Array[f64], k: i64) -> bool:
    """Whether left - right of relation k is positive while its flag stays as it is."""
    flags = work[FLAGS:]
    return (flags[k] > 0.5) == (GREATER[k] > 0.5)


@procedure(inline=True)
def watch_roots(job: Job, work: Array[f64], t: f64, x: Array[f64], departed: f64, slot: i64) -> bool:
    """Keep the root functions of a stage; whether one of them is wrong.

    Just after an event they are right, and so are those that do not matter.
    """
    wrong = False
    if RELATIONS > 0:
        kept = work[ROOTS + slot * RELATIONS :]
        largest = work[LARGEST:]
        matters = work[MATTERS:]
        differences(t, job.common, work[Q:], x, kept)
        waits = work[DUE] > 0.5
        for k in range(RELATIONS):
            value = kept[k]
            largest[k] = largest[k] if waits else max(largest[k], abs(value))
            above = is_above(work, k)
            has_wrong_sign = value < 0.0 if above else value > 0.0
            is_early = t < departed
            is_idle = GATES > 0 and matters[k] < 0.5
            right = 1e-300 if above else -1e-300
            kept[k] = right if is_idle or (is_early and has_wrong_sign) else value
            wrong = wrong or (has_wrong_sign and not is_early and not is_idle)
    return wrong


@procedure(inline=True)
def is_too_long(work: Array[f64]) -> bool:
    """Whether a step is too long for a root function that might pass zero; see event_unresolved."""
    found = False
    stages = work[ROOTS:]
    largest = work[LARGEST:]
    for k in range(RELATIONS):
        at_0 = stages[k]
        at_1 = stages[RELATIONS + k]
        at_2 = stages[2 * RELATIONS + k]
        at_3 = stages[3 * RELATIONS + k]
        at_4 = stages[4 * RELATIONS + k]
        at_6 = stages[6 * RELATIONS + k]
        most = max(at_0, at_2, at_3, at_1, at_4, at_6)
        least = min(at_0, at_2, at_3, at_1, at_4, at_6)
        extent = most - least
        error_1 = abs(at_1 - TO_STAGE_1[0] * at_0 - TO_STAGE_1[1] * at_2 - TO_STAGE_1[2] * at_3)
        error_4 = abs(at_4 - TO_STAGE_4[0] * at_0 - TO_STAGE_4[1] * at_2 - TO_STAGE_4[2] * at_3)
        error_6 = abs(at_6 - TO_STAGE_6[0] * at_0 - TO_STAGE_6[1] * at_2 - TO_STAGE_6[2] * at_3)
        error = max(0.0, error_1, error_4, error_6)
        is_rough = extent > NOISE_OF_ROOTS * largest[k] and error > RESOLVED * extent
        found = found or (abs(at_6) < FAR * extent and is_rough)
    return found


@procedure(inline=True)
def may_return(work: Array[f64]) -> bool:
    """Whether a root function might have passed zero and come back in the middle of a step, where no stage is."""
    found = False
    stages = work[ROOTS:]
    for k in range(RELATIONS):
        first = stages[k]
        middle = stages[2 * RELATIONS + k]
        last = stages[3 * RELATIONS + k]
        to_middle = (middle - first) * (1.0 / MIDDLE_STAGE)
        to_last = (last - first) * (1.0 / LAST_STAGE)
        bend = (to_last - to_middle) * (1.0 / (LAST_STAGE - MIDDLE_STAGE))
        slope = to_middle - MIDDLE_STAGE * bend
        where = -0.5 * slope * inverse(bend)
        value = first + 0.5 * (slope * where)
        value = value if where > MIDDLE_STAGE and where < LAST_STAGE else last
        found = found or (value < 0.0 if is_above(work, k) else value > 0.0)
    return found


@procedure(inline=True)
def keep_last_roots(work: Array[f64], is_accepted: bool) -> None:
    """The root functions at the end of a step are those at the start of the next one."""
    first = work[ROOTS:]
    last = work[ROOTS + 6 * RELATIONS :]
    for k in range(RELATIONS):
        first[k] = last[k] if is_accepted else first[k]
