"""Native: IDA step by step, with a watch over the choice of states.

    pendulum, constraint x*x + y*y = L*L, Jacobian (2x, 2y): while y is the state and x follows, 2x must not be small

Every few steps the Jacobian of the constraints is taken where IDA stands. A choice is good while the square matrix of
what follows has no small singular value, with its rows scaled to size one; if it is not, Python compares it with others
(engine/integrators/dynamic_state_selection.py), and may choose other states. A choice that is kept is compared again
when it has become worse, or after some time.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.sundials.ida_callbacks import IdaModel, IdaRun, all_finite
from tellegen.graph.core import ROUNDING
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure

GOOD = 0.6
"""A choice whose smallest singular value (rows scaled to one) is above this is not compared with others."""

WORSE = 0.8
"""A choice that was kept is compared again when its smallest singular value is this part of what it was."""

LOOKS_UNTIL_COMPARED = 20
"""And after so many looks, for others may have become better."""

LOOK_EVERY = 5
"""Steps between looks at the choice of states, which changes slowly against a step."""

_ONE_STEP = 2  # IDA_ONE_STEP: return after every step


class ChosenStage(Record):
    """The matrix of a stage of state selection, with the columns that are chosen to follow (graph/core.py: Core).

    Its rows are the solved ones, in the order of solution, and then those left. Entry e, in column `entry_column[e]`,
    is number `entry_value[e]` of the model's Jacobian.
    """

    column_count: i64
    solved_count: i64
    left_count: i64
    row_start: Array[i32]
    entry_column: Array[i32]
    entry_value: Array[i32]
    solved_column: Array[i32]  # for which a row is solved
    pivot_value: Array[i32]  # the number of its entry there
    is_foreign: bool  # the choice is none for this matrix: it was made with other preferences
    chosen_column: Array[i32]  # as many as rows are left


class WatchedRun(Record):
    """An integration whose states are watched; `row` is a vector of IDA's on the array `row_values`."""

    run: IdaRun
    model: IdaModel
    rates: Array[f64]
    get_derivative: Callable[[Address, f64, i32, Address], i32]
    row: Address
    row_values: Array[f64]
    end: f64  # beyond which nothing is looked at
    has_stepped: bool
    looks: i64  # since the last comparison
    steps: i64
    most_steps: i64  # until Python looks
    stage_count: i64
    stages: Array[ChosenStage]
    doubtful_below: Array[f64]  # a stage with a smaller singular value, soon after a comparison
    jacobian: Array[f64]
    reduced: Array[f64]  # a row
    bulk: Array[f64]  # the sizes of the numbers that were added up in it
    square: Array[f64]
    products: Array[f64]  # of the rows of that


@procedure
def reduce_row(watch: WatchedRun, stage: ChosenStage, row: i64) -> f64:
    """A row that is left, with the solved columns eliminated, into `reduced`; its largest entry."""
    values = watch.jacobian
    reduced = watch.reduced
    bulk = watch.bulk
    for c in range(stage.column_count):
        reduced[c] = 0.0
        bulk[c] = 0.0
    for e in range(stage.row_start[row], stage.row_start[row + 1]):
        reduced[stage.entry_column[e]] = values[stage.entry_value[e]]
        bulk[stage.entry_column[e]] = abs(values[stage.entry_value[e]])
    for s in range(stage.solved_count - 1, -1, -1):
        column = stage.solved_column[s]
        if reduced[column] != 0.0:
            factor = reduced[column] / values[stage.pivot_value[s]]
            for e in range(stage.row_start[s], stage.row_start[s + 1]):
                change = factor * values[stage.entry_value[e]]
                reduced[stage.entry_column[e]] -= change
                bulk[stage.entry_column[e]] += abs(change)
            reduced[column] = 0.0
    largest = 0.0
    for c in range(stage.column_count):
        if abs(reduced[c]) <= ROUNDING * bulk[c]:
            reduced[c] = 0.0
        largest = max(largest, abs(reduced[c]))
    return largest


@procedure
def all_exceed(watch: WatchedRun, count: i64, bound: f64) -> bool:
    """Whether all singular values of `square` are above a bound: then S S' - bound^2 I is positive definite, and all
    pivots of its elimination are positive (Sylvester)."""
    square = watch.square
    products = watch.products
    for i in range(count):
        for j in range(count):
            total = -bound * bound if i == j else 0.0
            for k in range(count):
                total += square[i * count + k] * square[j * count + k]
            products[i * count + j] = total
    for j in range(count):
        pivot = products[j * count + j]
        if not (pivot > 0.0):
            return False
        for i in range(j + 1, count):
            factor = products[i * count + j] / pivot
            for k in range(j + 1, count):
                products[i * count + k] -= factor * products[j * count + k]
    return True


@procedure
def is_good(watch: WatchedRun, stage: ChosenStage, bound: f64) -> bool:
    """Whether a stage of the choice is not worth a comparison; so it is where there is nothing to compare."""
    if stage.is_foreign:
        return watch.looks < LOOKS_UNTIL_COMPARED
    count = stage.left_count
    for k in range(count):
        largest = reduce_row(watch, stage, stage.solved_count + k)
        if not all_finite(watch.reduced, stage.column_count):
            return True
        scale = 1.0 / largest if largest > 0.0 else 1.0
        for j in range(count):
            watch.square[k * count + j] = scale * watch.reduced[stage.chosen_column[j]]
    return all_exceed(watch, count, bound)


@procedure
def is_doubtful(watch: WatchedRun) -> bool:
    """Whether the choice of states has to be compared with others where IDA stands."""
    watch.looks += 1
    model = watch.model
    entry = model.jacobian
    t = watch.run.reached[0]
    for k in range(entry.count):
        entry.calls[k](t, 1.0, 0.0, watch.run.values, watch.rates, model.parameters, watch.jacobian, entry.tables)
    all_good = True
    for k in range(watch.stage_count):
        bound = watch.doubtful_below[k] if watch.looks < LOOKS_UNTIL_COMPARED else GOOD
        all_good = all_good and is_good(watch, watch.stages[k], bound)
    return not all_good


@procedure
def keep_output(watch: WatchedRun) -> None:
    """The unknowns at the output times up to where IDA stands."""
    run = watch.run
    while run.first < run.last and run.times[run.first] <= run.reached[0]:
        watch.get_derivative(run.solver, run.times[run.first], 0, watch.row)
        row = run.output[run.first * run.size :]
        for i in range(run.size):
            row[i] = watch.row_values[i]
        run.first += 1


@procedure
def ida_watched_run(watch: WatchedRun) -> i32:
    """Steps until the output times first..last-1 are done: 0; ROOT; DOUBTFUL, where Python has to look at the choice of
    states; or a negative flag."""
    run = watch.run
    while run.first < run.last:
        if watch.steps >= watch.most_steps:
            return Flag.TOO_MUCH_WORK
        flag = 0
        if not watch.has_stepped or run.times[run.first] > run.reached[0]:  # else it is at the end of the segment
            flag = run.solve(run.solver, watch.end, run.reached, run.y, run.yp, _ONE_STEP)
            if flag < 0:
                return flag
        watch.has_stepped = True
        keep_output(watch)
        if flag == Flag.ROOT:
            return flag
        watch.steps += 1
        if watch.steps % LOOK_EVERY == 0 and run.first < run.last and is_doubtful(watch):
            return Flag.DOUBTFUL
    return 0
