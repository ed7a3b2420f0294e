"""Native: the steps of one-step methods in the log of a run that is explained (runtime/algebra/step_log.py)."""

from __future__ import annotations

from tellegen.engine.runtime.algebra.step_log import NEGLIGIBLE, Limit, StepLog, add_step
from tellegen.engine.runtime.coefficients.dormand_prince_tableau import E
from tellegen.engine.runtime.coefficients.rodas_tableau import STAGES
from tellegen.engine.runtime.one_step.rk_record import RkRun
from tellegen.procedures.language import f64, i64, procedure


@procedure(seldom=True)
def limit_of(run: RkRun, h: f64, largest: i64, squared: f64) -> i64:
    """What limited a step; `largest` is the state with the largest error."""
    if h >= run.stop - run.t:
        return Limit.SEGMENT_END
    if h < run.h:
        return Limit.CONDITION if run.h_seen < run.h_most else Limit.LONGEST
    return largest if squared > NEGLIGIBLE * NEGLIGIBLE else Limit.GROWTH


@procedure(seldom=True)
def log_explicit_step(run: RkRun, log: StepLog, h: f64, squared: f64) -> None:
    """A step of the explicit method that has just been judged, before the next one is proposed."""
    if squared > 1.0:
        log.failed_tests += 1
        return
    n = run.count
    k1 = run.k
    k3 = k1[2 * n :]
    k4 = k3[n:]
    k5 = k4[n:]
    k6 = k5[n:]
    k7 = k6[n:]
    worst = 0.0
    largest = 0
    for i in range(n):
        error = E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i] + E[6] * k7[i]
        ratio = abs(error) / (run.atol[i] + run.rtol * max(abs(run.trial[i]), abs(run.x[i])))
        if ratio > worst:
            worst = ratio
            largest = i
    add_step(log, run.t, h, limit_of(run, h, largest, squared))


@procedure
def log_rodas_step(run: RkRun, log: StepLog, h: f64, squared: f64) -> None:
    """A step of the Rosenbrock method that has just been judged, before the next one is proposed."""
    if squared > 1.0:
        log.failed_tests += 1
        return
    n = run.count
    errors = run.k[(STAGES - 1) * n :]
    worst = 0.0
    largest = 0
    for i in range(n):
        ratio = abs(errors[i]) / (run.atol[i] + run.rtol * max(abs(run.trial[i]), abs(run.x[i])))
        if ratio > worst:
            worst = ratio
            largest = i
    add_step(log, run.t, h, limit_of(run, h, largest, squared))
