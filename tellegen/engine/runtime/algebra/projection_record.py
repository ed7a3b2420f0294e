"""The record of a model's invariants, by components."""

from __future__ import annotations

from tellegen.procedures.language import Array, Record, f64, i32, i64

MATTERS = 1.0
"""A correction by as much as a step may be wrong, in tolerances: rates and root functions are computed again."""

NEVER = 1e300
"""The time of a singular position that is not in sight."""

EVALUATED_AGAIN = 1
"""What `project` returns where the unknowns in the work vector are those at the corrected states."""


class Projection(Record):
    """Invariants of a model by components; component c has the rows row_start[c]..row_start[c + 1] - 1 and so on.

    `residual` are places in the work vector, `state` numbers of states; entries are places in the work vector, or in
    the parameters where `of_parameter`, at a row and a column of their component. `atol` and `rtol` are those of the
    integrator, `size` is what states were declared to be like, whatever tolerances a run found for them; states with a
    `share` of zero are held; rows are relative to the `longest` they have been. `length` are squares of the lengths of
    rows by the sizes of states instead of their tolerances, `most_length` the largest they have been.
    `moved` is the largest correction, of the largest state of its component. Statistics of a run are last: `drift` is
    the largest residual before a correction, `largest` the largest correction in tolerances that moved a state visibly
    and `largest_time` when it was made, `open` what rows that were left out miss, in tolerances; `drifted` and `opened`
    are the rows.

    `reach` is how much of the row that others nearly repeat is its own, of one: it is zero in a singular position.
    `singular_at` is when it would be at its last speed; the last `lost` steps ended too near to it, `most_lost` is the
    most of them in a row, by `lost_time`, and `lost_row` was left out. `near_row` is the row that `reach` is of,
    `most_reach` the largest reach that was looked at.
    """

    components: i64
    row_start: Array[i32]
    column_start: Array[i32]
    entry_start: Array[i32]
    rank: Array[i32]
    residual: Array[i32]
    state: Array[i32]
    entry_row: Array[i32]
    entry_column: Array[i32]
    entry_place: Array[i32]
    of_parameter: Array[i32]
    sign: Array[f64]
    longest: Array[f64]
    length: Array[f64]
    most_length: Array[f64]
    share: Array[f64]
    smallest: f64  # squared length of what a row has that others lack, below which it counts as repeating them
    rtol: f64
    atol: Array[f64]
    size: Array[f64]
    jacobian: Array[f64]  # from here on room, for the largest component
    factor: Array[f64]
    gap: Array[f64]
    left: Array[f64]
    multiplier: Array[f64]
    change: Array[f64]
    weight: Array[f64]
    order: Array[i32]
    point: Array[f64]  # for all states
    moved: f64
    residual_now: f64
    residual_row: i64
    count: i64
    drift: f64
    drifted: i64
    largest: f64
    largest_time: f64
    open: f64
    opened: i64
    reach: f64
    reach_before: f64
    reach_time: f64
    singular_at: f64
    lost: i64
    most_lost: i64
    lost_time: f64
    lost_row: i64
    near_row: i64
    most_reach: f64
