"""Native: the watch over a choice of states, for every integrator.

    pendulum, constraint x*x + y*y = L*L, Jacobian (2x, 2y): while y is the state and x follows, 2x must not be small

The Jacobian of the constraints is taken where the integration stands, after every step unless all is well. A choice
is good while the square matrix of what follows has no small singular value, with its rows scaled to size one. If it is
not, the best columns are picked as engine/integrators/dynamic_state_selection.py does; where these are much better,
Python has to look: it may choose other states. A choice that Python keeps is compared again when it has become worse,
or after some time.

Matrices are small: of a mechanism as many rows as its loops close, two for each in the plane.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import JacobianEntry
from tellegen.graph.core import ROUNDING
from tellegen.procedures.language import Array, Record, f64, i32, i64, is_finite, procedure, sqrt

GOOD = 0.6
"""A choice whose smallest singular value (rows scaled to one) is above this is not compared with others."""

KEEP = 0.6
"""A choice is kept while its smallest singular value is at least this part of the best one's."""

WORSE = 0.8
"""A choice that was kept is compared again when its smallest singular value is this part of what it was."""

LOOKS_UNTIL_COMPARED = 20
"""And after so many looks, for others may have become better; after twice as many each time that it is kept."""

_MOVED = 0.03  # of the largest number of the Jacobian: so much may change until the next look
_LONGEST_WAIT = 2.0  # of the time between the last two looks

_FEW = 16  # rows of a stage: of more, a look costs more than a step, and waits until the numbers have moved

_HALVINGS = 12  # of the interval in which a singular value is: so many binary digits of it are enough to compare


class ChosenStage(Record):
    """The matrix of a stage of state selection, with the columns that are chosen to follow (graph/core.py: Core).

    Its rows are the solved ones, in the order of solution, and then those left. Entry e, in column `entry_column[e]`,
    is number `entry_value[e]` of the constraints' Jacobian. Columns are picked from the open ones, class by class:
    those that are least wanted as states first.
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
    chosen: Array[i32]  # open columns, by their places among these, as many as rows are left
    open_count: i64
    open_column: Array[i32]
    open_class: Array[i32]
    class_count: i64


class ChoiceWatch(Record):
    """The watch over one choice of states in one run."""

    constraints: JacobianEntry
    parameters: Array[f64]
    values: Array[f64]  # of the constraints' Jacobian
    before: Array[f64]  # the same at the look before
    count: i64  # of these
    looked_at: f64  # when that was
    next_look: f64
    looks: i64  # since Python has kept the choice
    patience: i64  # looks until it is compared again
    stage_count: i64
    doubtful: i64  # the stage for which other columns are picked; -1: a comparison is due for another reason
    stages: Array[ChosenStage]
    doubtful_below: Array[f64]  # a stage with a smaller singular value is compared before that
    was_good: Array[i32]  # whether a stage has been at some time
    row: Array[f64]
    bulk: Array[f64]  # the sizes of the numbers that were added up in it
    reduced: Array[f64]  # the open columns, one after the other, with the solved ones eliminated
    rest: Array[f64]  # what they add to those that are picked
    picked: Array[i32]  # as `ChosenStage.chosen`
    is_picked: Array[i32]
    square: Array[f64]
    products: Array[f64]  # of the rows of that


@procedure
def reduce_row(watch: ChoiceWatch, stage: ChosenStage, number: i64) -> bool:
    """A row that is left, without the solved columns and scaled to size one, into `reduced`; whether it is finite."""
    values = watch.values
    row = watch.row
    bulk = watch.bulk
    for c in range(stage.column_count):
        row[c] = 0.0
        bulk[c] = 0.0
    position = stage.solved_count + number
    for e in range(stage.row_start[position], stage.row_start[position + 1]):
        row[stage.entry_column[e]] = values[stage.entry_value[e]]
        bulk[stage.entry_column[e]] = abs(values[stage.entry_value[e]])
    for s in range(stage.solved_count - 1, -1, -1):
        column = stage.solved_column[s]
        if row[column] != 0.0:
            factor = row[column] / values[stage.pivot_value[s]]
            for e in range(stage.row_start[s], stage.row_start[s + 1]):
                change = factor * values[stage.entry_value[e]]
                row[stage.entry_column[e]] -= change
                bulk[stage.entry_column[e]] += abs(change)
    largest = 0.0
    for k in range(stage.open_count):
        c = stage.open_column[k]
        if abs(row[c]) <= ROUNDING * bulk[c]:
            row[c] = 0.0
        if not is_finite(row[c]):
            return False
        largest = max(largest, abs(row[c]))
    scale = 1.0 / largest if largest > 0.0 else 1.0
    for k in range(stage.open_count):
        watch.reduced[k * stage.left_count + number] = scale * row[stage.open_column[k]]
    return True


@procedure
def take_square(watch: ChoiceWatch, stage: ChosenStage, columns: Array[i32]) -> None:
    """Some of the open columns, one after the other, into `square`."""
    count = stage.left_count
    for j in range(count):
        for i in range(count):
            watch.square[j * count + i] = watch.reduced[columns[j] * count + i]


@procedure
def all_exceed(watch: ChoiceWatch, count: i64, bound: f64) -> bool:
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
def smallest_singular_value(watch: ChoiceWatch, count: i64) -> f64:
    """Of `square`, whose rows have entries of up to one; from below, to three digits of the largest it can have."""
    above = sqrt(float(count))
    below = 0.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (below + above)
        if all_exceed(watch, count, middle):
            below = middle
        else:
            above = middle
    return below


@procedure
def most_adding(watch: ChoiceWatch, stage: ChosenStage, of_class: i64, enough: f64) -> i64:
    """The open column of a class that adds most to those that are picked; -1 if that is not enough."""
    count = stage.left_count
    largest = 0.0
    most = 0.0
    best = -1
    for k in range(stage.open_count):
        total = 0.0
        for i in range(count):
            total += watch.rest[k * count + i] * watch.rest[k * count + i]
        largest = max(largest, total)
        if stage.open_class[k] == of_class and watch.is_picked[k] == 0 and total > most:
            most = total
            best = k
    return best if most > enough * enough * largest else -1


@procedure
def pick(watch: ChoiceWatch, stage: ChosenStage, column: i64) -> None:
    """Take a column, and its direction out of all others (modified Gram-Schmidt)."""
    count = stage.left_count
    rest = watch.rest
    own = watch.row  # room enough: a row has at least as many entries as a column
    total = 0.0
    for i in range(count):
        own[i] = rest[column * count + i]
        total += own[i] * own[i]
    for k in range(stage.open_count):
        along = 0.0
        for i in range(count):
            along += own[i] * rest[k * count + i]
        along = along / total
        for i in range(count):
            rest[k * count + i] -= along * own[i]
    watch.is_picked[column] = 1


@procedure
def pick_columns(watch: ChoiceWatch, stage: ChosenStage) -> bool:
    """The columns that suit these numbers, into `picked`, as graph/independent.py does; False if there are too few."""
    count = stage.left_count
    for k in range(stage.open_count * count):
        watch.rest[k] = watch.reduced[k]
    for k in range(stage.open_count):
        watch.is_picked[k] = 0
    found = 0
    for attempt in range(3):
        enough = 0.3 if attempt == 0 else 1e-2 if attempt == 1 else 1e-9
        for of_class in range(stage.class_count):
            best = most_adding(watch, stage, of_class, enough) if found < count else -1
            while best >= 0:
                pick(watch, stage, best)
                found += 1
                best = most_adding(watch, stage, of_class, enough) if found < count else -1
    place = 0
    for k in range(stage.open_count):
        if watch.is_picked[k] != 0 and place < count:
            watch.picked[place] = k
            place += 1
    return found == count


@procedure
def is_much_better(watch: ChoiceWatch, stage: ChosenStage) -> bool:
    """Whether the picked columns are other ones than those that are chosen, and much better."""
    count = stage.left_count
    differ = False
    for j in range(count):
        differ = differ or watch.picked[j] != stage.chosen[j]
    if not differ:
        return False
    take_square(watch, stage, watch.picked)
    best = smallest_singular_value(watch, count)
    take_square(watch, stage, stage.chosen)
    return not all_exceed(watch, count, KEEP * best)


@procedure
def is_good(watch: ChoiceWatch, stage: ChosenStage) -> bool:
    """Whether a stage is so good that no other choice matters; also where the numbers say nothing."""
    if stage.is_foreign:
        return False
    for number in range(stage.left_count):
        if not reduce_row(watch, stage, number):
            return True
    take_square(watch, stage, stage.chosen)
    return all_exceed(watch, stage.left_count, GOOD)


@procedure
def is_worth_a_comparison(watch: ChoiceWatch, number: i64) -> bool:
    """Whether there may be a better choice for a stage that is not good."""
    stage = watch.stages[number]
    is_due = watch.looks >= watch.patience
    if stage.is_foreign:
        return is_due
    if not is_due and all_exceed(watch, stage.left_count, watch.doubtful_below[number]):
        return False
    return pick_columns(watch, stage) and is_much_better(watch, stage)


@procedure
def set_next_look(watch: ChoiceWatch, t: f64) -> None:
    """When to look again, by what has changed since the look before."""
    values = watch.values
    before = watch.before
    largest = 0.0
    moved = 0.0
    for k in range(watch.count):
        largest = max(largest, abs(values[k]))
        moved = max(moved, abs(values[k] - before[k]))
        before[k] = values[k]
    allowed = _MOVED * largest
    wait = allowed / moved if allowed < _LONGEST_WAIT * moved else _LONGEST_WAIT
    watch.next_look = t + wait * max(t - watch.looked_at, 0.0)
    watch.looked_at = t


@procedure
def choice_is_doubtful(watch: ChoiceWatch, t: f64, y: Array[f64], yp: Array[f64]) -> i32:
    """Called after every step: 1 if the choice of states has to be compared with others where the unknowns are y."""
    if t < watch.next_look:
        return 0
    watch.looks += 1
    entry = watch.constraints
    for k in range(entry.count):
        entry.calls[k](t, 1.0, 0.0, y, yp, watch.parameters, watch.values, entry.tables)
    set_next_look(watch, t)
    for k in range(watch.stage_count):
        if is_good(watch, watch.stages[k]):
            watch.was_good[k] = 1
        else:
            if watch.stages[k].left_count <= _FEW:
                watch.next_look = t
            if is_worth_a_comparison(watch, k):
                watch.doubtful = -1 if watch.stages[k].is_foreign else k
                return 1
    return 0
