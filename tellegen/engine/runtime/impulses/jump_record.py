"""The record of states that jump together (engine/events/impulses.py): the equations of an instant, and room for it."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.engine.runtime.algebra.ode_rhs import Entry, JacobianEntry
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.procedures.language import Array, Record, f64, i32, i64


class Doubt(IntEnum):
    """Why values after an event may be wrong; bits of `JumpRun.doubts`."""

    NOT_SOLVED = 1
    COEFFICIENT_JUMPS = 2
    POSITIONS_JUMP = 4


class Large(IntEnum):
    """What Python is asked for: linear algebra where the moving part has no room for dense factors, and all room at the
    first jump. Most runs have none, and the tables of large models are a tenth of their memory."""

    FACTOR = 0
    SOLVE = 1
    ROOM = 2


class JumpRun(Record):
    """The equations of an instant (engine/events/impulse_structure.py), with work space.

    There are `size` equations and as many columns, each a jump or an impulse. `row` is the residual of an equation,
    `before` the one that is its derivative before that, or -1: such equations are integrated over the instant. Entry e
    of the matrix stands at `entry_row`, `entry_column` and is number `entry_place` of the Jacobian by values or rates.
    The part of the equations that moves has `part_size` rows and columns, by number `part_row` and `part_column`.
    """

    events: EventRun
    size: i64
    has_room: i64  # whether all is there but what says that a jump is due, which always is
    row: Array[i32]
    before: Array[i32]
    jumping: Array[i32]  # the place in y of what jumps in a column; -1 where it is an impulse
    column_of_state: Array[i32]  # of each place in y, or -1
    is_state: Array[i32]  # of each place in y, as are the next two
    is_tied: Array[i32]
    jumps_with_others: Array[i32]
    moves_positions: Array[i32]  # of each discrete value of EventRun.impulse_index
    row_owner: Array[i32]  # the component of an equation, by a number; -1 where it has none
    condition_owner: Array[i32]  # the component of a when-statement, of each condition
    entry_count: i64
    entry_row: Array[i32]
    entry_column: Array[i32]
    entry_place: Array[i32]
    entry_is_rate: Array[i32]
    residual: Entry
    jacobian: JacobianEntry

    # -- the instant -------------------------------------------------------------------------------------------------
    by_value: Array[f64]  # derivatives of the model
    by_rate: Array[f64]
    residuals: Array[f64]
    y_before: Array[f64]
    y_after: Array[f64]
    matrix: Array[f64]  # entries at the beginning
    tangent: Array[f64]  # and at the present jump
    jump: Array[f64]
    step: Array[f64]
    off: Array[f64]  # what equations are off by
    terms: Array[f64]  # the size of the terms of each
    holds: Array[i32]  # whether each constraint holds, up to roundings

    # -- the part that moves -----------------------------------------------------------------------------------------
    stays: Array[i32]  # whether an equation says that its only unknown left does not jump
    row_number: Array[i32]  # of each equation in the part, or -1 if it is left out
    column_number: Array[i32]
    count: Array[i32]  # entries of each row that are left
    is_prescribed: Array[i32]  # whether a reinit says how far a column jumps
    part_size: i64
    part_row: Array[i32]
    part_column: Array[i32]
    room: i64  # rows of the largest dense matrix
    dense: Array[f64]
    pivots: Array[i32]
    row_scale: Array[f64]
    right: Array[f64]  # right-hand side and solution
    large: Callable[[i32], i32] | None  # Python's room, and sparse factors of larger parts

    # -- reinits -----------------------------------------------------------------------------------------------------
    reinit_count: i64
    reinit_place: Array[i32]
    reinit_column: Array[i32]
    reinit_condition: Array[i32]  # whose when-statement it is in
    wanted: Array[f64]  # jumps
    given: Array[i32]  # the equation through which the impulse of each reinit comes
    effects: Array[f64]  # of unit impulses in these equations, `size` numbers each
    is_single: Array[i32]  # whether an integrated equation has a single unknown
    has_rate: Array[i32]  # whether it has the derivative of the state of a reinit
    small: Array[f64]  # a matrix of what impulses do to the states of reinits
    small_pivots: Array[i32]
    small_right: Array[f64]
    small_sum: Array[f64]

    # -- what is reported --------------------------------------------------------------------------------------------
    doubts: i64  # of the last round of `doubt_time`
    doubt_time: f64
    all_doubts: i64  # of instants before it
    changing_row: i64  # an equation whose coefficients jump
