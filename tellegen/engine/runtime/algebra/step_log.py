"""Native: a log of the steps of a run, with what limited the length of each.

Only runs that are explained have one (engine/diagnostics/step_log.py); in all others a step tests an address for zero.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure, sqrt

NEGLIGIBLE = 1e-5  # the error of a step, relative to the tolerances, below which the next is as long as may be


class Limit(IntEnum):
    """What limited a step, other than the error of an unknown: that is its number, from 0 on."""

    CONDITION = -1  # a longer step might miss a root function that is positive for a short time
    LONGEST = -2  # the longest step of the run
    SEGMENT_END = -3  # an event at a time known in advance, or the end of the run
    GROWTH = -4  # after a start with a short step, only so much longer than the one before


class StepLog(Record):
    """One entry for each accepted step. `failed_tests` counts failed error tests since the last accepted step."""

    count: i64  # may exceed the room: later steps are counted only
    room: i64
    start: Array[f64]
    size: Array[f64]
    limit: Array[i64]
    failures: Array[i64]  # failed error tests before the step
    failed_tests: i64


class SundialsLog(Record):
    """The log of a run with CVODE or IDA, and how to ask these about their last step.

    `errors` and `weights` are vectors of SUNDIALS' on the arrays `error_values` and `weight_values`; `counts` and
    `lengths` are room for two numbers each.
    """

    log: StepLog
    solver: Address
    size: i64
    errors: Address
    error_values: Array[f64]
    weights: Address
    weight_values: Array[f64]
    counts: Array[i64]
    lengths: Array[f64]
    get_steps: Callable[[Address, Array[i64]], i32]
    get_failures: Callable[[Address, Array[i64]], i32]
    get_last_step: Callable[[Address, Array[f64]], i32]
    get_time: Callable[[Address, Array[f64]], i32]
    get_errors: Callable[[Address, Address], i32]
    get_weights: Callable[[Address, Address], i32]
    steps: i64  # since the last restart, that are in the log
    failed_tests: i64
    longest: f64
    end: f64  # beyond which no step goes


@procedure(seldom=True)
def add_step(log: StepLog, start: f64, size: f64, limit: i64) -> None:
    """An accepted step."""
    k = log.count
    if k < log.room:
        log.start[k] = start
        log.size[k] = size
        log.limit[k] = limit
        log.failures[k] = log.failed_tests
    log.count = k + 1
    log.failed_tests = 0


@procedure
def largest_component(entry: SundialsLog) -> i64:
    """The unknown with the largest error relative to its tolerance in the last step; GROWTH if all are negligible."""
    largest = 0.0
    total = 0.0
    found = 0
    for k in range(entry.size):
        ratio = abs(entry.error_values[k] * entry.weight_values[k])
        total += ratio * ratio
        if ratio > largest:
            largest = ratio
            found = k
    return found if sqrt(total / max(entry.size, 1)) > NEGLIGIBLE else Limit.GROWTH


@procedure
def log_last_step(entry: SundialsLog) -> i32:
    """Add the last step of CVODE or IDA to the log, unless it is in it already. Their weights are those after it."""
    counts = entry.counts
    lengths = entry.lengths
    entry.get_steps(entry.solver, counts)
    if counts[0] == entry.steps:
        return 0
    entry.steps = counts[0]
    entry.get_failures(entry.solver, counts[1:])
    entry.log.failed_tests += counts[1] - entry.failed_tests
    entry.failed_tests = counts[1]
    entry.get_last_step(entry.solver, lengths)
    entry.get_time(entry.solver, lengths[1:])
    size = lengths[0]
    end = lengths[1]
    entry.get_errors(entry.solver, entry.errors)
    entry.get_weights(entry.solver, entry.weights)
    limit = largest_component(entry)
    if end >= entry.end:
        limit = Limit.SEGMENT_END
    elif size >= 0.999 * entry.longest:
        limit = Limit.LONGEST
    add_step(entry.log, end - size, size, limit)
    return 1
