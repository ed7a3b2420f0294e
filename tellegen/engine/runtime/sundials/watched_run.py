"""Native: IDA and CVODE step by step, with a watch over the choice of states (runtime/algebra/state_watch.py)."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.ode_rhs import keep_row, ode_rhs
from tellegen.engine.runtime.algebra.state_watch import ChoiceWatch, choice_is_doubtful
from tellegen.engine.runtime.sundials.cvode_callbacks import CvodeRun
from tellegen.engine.runtime.sundials.ida_callbacks import IdaRun
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure

_ONE_STEP = 2  # IDA_ONE_STEP and CV_ONE_STEP: return after every step


class WatchedIda(Record):
    """An integration whose states are watched; `row` is a vector of IDA's on the array `row_values`."""

    run: IdaRun
    watch: ChoiceWatch
    rates: Array[f64]
    get_derivative: Callable[[Address, f64, i32, Address], i32]
    row: Address
    row_values: Array[f64]
    end: f64  # beyond which nothing is looked at
    has_stepped: bool
    steps: i64
    most_steps: i64  # until Python looks


class WatchedCvode(Record):
    """The same with CVODE."""

    run: CvodeRun
    watch: ChoiceWatch
    get_derivative: Callable[[Address, f64, i32, Address], i32]
    row: Address
    row_values: Array[f64]
    end: f64
    has_stepped: bool
    steps: i64
    most_steps: i64


@procedure
def keep_output(watched: WatchedIda) -> None:
    """The unknowns at the output times up to where IDA stands."""
    run = watched.run
    while run.first < run.last and run.times[run.first] <= run.reached[0]:
        watched.get_derivative(run.solver, run.times[run.first], 0, watched.row)
        row = run.output[run.first * run.size :]
        for i in range(run.size):
            row[i] = watched.row_values[i]
        run.first += 1


@procedure
def ida_watched_run(watched: WatchedIda) -> i32:
    """Steps until the output times first..last-1 are done: 0; ROOT; DOUBTFUL, where Python has to look at the choice of
    states; or another negative flag."""
    run = watched.run
    while run.first < run.last:
        if watched.steps >= watched.most_steps:
            return Flag.TOO_MUCH_WORK
        flag = 0
        if not watched.has_stepped or run.times[run.first] > run.reached[0]:  # else it is at the end of the segment
            flag = run.solve(run.solver, watched.end, run.reached, run.y, run.yp, _ONE_STEP)
            if flag < 0:
                return flag
        watched.has_stepped = True
        keep_output(watched)
        if flag == Flag.ROOT:
            return flag
        watched.steps += 1
        if run.first < run.last and choice_is_doubtful(watched.watch, run.reached[0], run.values, watched.rates) != 0:
            return Flag.DOUBTFUL
    return 0


@procedure
def keep_rows(watched: WatchedCvode) -> i32:
    """All unknowns at the output times up to where CVODE stands; a negative flag where they cannot be computed."""
    run = watched.run
    ode = run.ode
    while run.first < run.last and run.times[run.first] <= run.reached[0]:
        t = run.times[run.first]
        watched.get_derivative(run.solver, t, 0, watched.row)
        status = keep_row(t, ode, watched.row_values, run.rates, run.output[run.first * ode.row_size :])
        if status != 0:
            return Flag.REPEATED_RHS if status == 1 else Flag.POLE
        run.first += 1
    return 0


@procedure
def cv_watched_run(watched: WatchedCvode) -> i32:
    """The same as ida_watched_run. The unknowns are looked at where CVODE has evaluated them last."""
    run = watched.run
    ode = run.ode
    while run.first < run.last:
        if watched.steps >= watched.most_steps:
            return Flag.TOO_MUCH_WORK
        flag = 0
        doubtful = False
        if not watched.has_stepped or run.times[run.first] > run.reached[0]:
            flag = run.solve(run.solver, watched.end, run.x, run.reached, _ONE_STEP)
            if flag < 0:
                return flag
            watched.steps += 1
            if flag != Flag.ROOT:
                doubtful = choice_is_doubtful(watched.watch, run.reached[0], ode.w, ode.w[ode.size :]) != 0
        watched.has_stepped = True
        status = keep_rows(watched)
        if status != 0:
            return status
        if flag == Flag.ROOT:
            failed = ode_rhs(run.reached[0], ode, run.values, run.rates) != 0
            return Flag.REPEATED_RHS if failed else flag
        if doubtful and run.first < run.last:
            return Flag.DOUBTFUL
    return 0
