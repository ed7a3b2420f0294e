"""The record of one integration with a one-step method."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.engine.runtime.algebra.state_watch import ChoiceWatch
from tellegen.engine.runtime.algebra.step_log import StepLog
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.procedures.language import Array, Record, f64, field_names, i32, i64


class RkRun(Record):
    """One integration. `k` holds the stages (seven, or eight and the rates at x), `dense` five vectors.

    `peak` holds the largest values of the states so far, of which an absolute tolerance is at least `part`.
    `log_error` is the binary logarithm of the error of the last step; `h_seen` is how long steps may be for root
    functions to be seen. With `patience` the explicit method gives a stiff model up when more than so many steps remain
    to the `horizon`, the Rosenbrock method any model after so many steps without an event.
    `by_time` is F_t for the Rosenbrock method (None: no equation reads the time), `work` room for as many numbers.
    `events` is there if it has root functions to watch, `past` if it has delays; they may be the same record. Functions
    of other runtimes are called by address: a step without events needs none of theirs. `log` is there if the run is
    explained, `watch` if the best states depend on where it is. What Python writes or reads together stands side by
    side (engine/integrators/one_step.py).
    """

    ode: Ode
    count: i64
    size: i64
    x: Array[f64]
    trial: Array[f64]
    stage: Array[f64]
    k: Array[f64]
    rates: Array[f64]
    atol: Array[f64]
    peak: Array[f64]
    part: Array[f64]
    dense: Array[f64]
    t: f64
    h_least: f64
    times: Array[f64]
    first: i64
    last: i64
    output: Array[f64]
    most_steps: i64
    rtol: f64
    stop: f64
    horizon: f64
    h_most: f64
    patience: f64
    h_seen: f64
    h: f64
    log_error: f64
    stiff_steps: i64
    calm_steps: i64
    is_stiff: bool
    steps: i64
    rejected: i64
    suspect: bool
    log: StepLog | None
    watch: ChoiceWatch | None
    events: EventRun | None
    past: EventRun | None
    stepped: EventRun | None  # where functions want to know of accepted steps
    event_watch: Callable[[EventRun, f64, i64], i32]
    event_unresolved: Callable[[EventRun], i32]
    event_keep: Callable[[EventRun], None]
    rk_stop_at_root: Callable[[RkRun, EventRun, f64], i32]
    rk_note: Callable[[RkRun, EventRun, f64, f64], None]
    event_stepped: Callable[[EventRun, f64], i32]
    choice_is_doubtful: Callable[[ChoiceWatch, f64, Array[f64], Array[f64]], i32]
    ode_rhs: Callable[[f64, Ode, Array[f64], Array[f64]], i32]
    ode_rates: Callable[[f64, Ode, Array[f64], Array[f64]], i32]
    ode_outputs: Callable[[f64, Ode], i32]
    rk_dense: Callable[[RkRun, f64], None]
    rk_emit: Callable[[RkRun, f64, f64], i32]
    by_time: Array[f64] | None
    work: Array[f64]


RK = field_names(RkRun)
R = {name: k for k, name in enumerate(RK)}
