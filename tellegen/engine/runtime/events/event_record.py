"""The record of the events of one run: what the event kernels read and write, and what they report in it."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.engine.runtime.algebra.ode_rhs import Entry, EntryFunction
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64

STAGES = 10
"""Points at which root functions are kept: the seven stages of an explicit step and three of the search for a root."""

LOOKAHEAD = 1e-9
"""Of the run: how far ahead a relation at zero is looked at."""

NOISE = 1e-11
"""Of the largest value of a relation: roundings."""


class Failure(IntEnum):
    """Values of `EventRun.failed`; a positive one is the number of an action, an assertion, plus one."""

    NOT_CONSISTENT = -1
    NOT_CONVERGED = -2
    SLIDING = -3
    NOT_FINITE = -4


class Switching(IntEnum):
    """How the flags of relations are set in a round of the iteration."""

    TOGETHER = 0
    ONE_BY_ONE = 1
    LATE = 2
    """One by one, and a relation at zero may have either value."""


class DueLoop(Record):
    """A loop of the entry: its table, which columns are places of values, and what each row read the last time."""

    call: Array[EntryFunction]  # one
    number: i64  # of its table among those of the entry
    rows: i64
    width: i64
    table: Array[i32]
    due_rows: Array[i32]  # the table of the moment
    gives: i64
    give_column: Array[i32]
    reads: i64
    read_array: Array[i32]  # 0, 1, 2: y, y', p
    read_column: Array[i32]
    last: Array[f64]  # for each row the time, and what it read


class DueActions(Record):
    """All loops of the entry; `asked` marks the values of actions that are taken."""

    loops: Array[DueLoop]
    count: i64
    tables: Address  # of the entry: two words each, where the table is and how many rows it has
    row_counts: Array[i64]  # the second ones of these words
    asked: Array[i64]
    stamp: i64
    steps: Array[DueLoop]  # loops to be computed after every accepted step
    step_count: i64
    step_actions: i64  # assignments of what they give: place in p, number of the value
    step_place: Array[i32]
    step_value: Array[i32]


class EventRun(Record):
    """The events of one run. Everything discrete is in the vector of parameters (ir/events.py).

    A relation `left < right` has a flag, its value as the equations read it, and the difference left - right. Tables
    such as `relation_flag` are places in `p`, `discrete_value` and `action_value` numbers of `values`.
    """

    # -- where the run stands ---------------------------------------------------------------------------------------
    t: f64
    y: Array[f64]
    yp: Array[f64]
    p: Array[f64]
    size: i64  # of y and y'
    state_count: i64
    state_index: Array[i32]
    solve: Callable[[f64, Address], i32]  # everything else from the states
    context: Address
    is_iterated: bool  # whether unknowns between events come from iterations to the tolerance of the run (IDA)
    rescue: Callable[[f64, Address], i32] | None  # Python's solver, tried where `solve` fails
    due: DueActions | None  # values that call functions of C or kernels
    opaque: Callable[[i32], None] | None  # values that call Python functions; of actions or of discrete equations

    # -- the run as a whole -----------------------------------------------------------------------------------------
    run_length: f64
    tolerance: f64  # relative
    lookahead: f64  # how far ahead of an event relations at zero are looked at
    departed: f64  # until when relations are known to stay as the last event left them
    passed_until: f64  # the same of relations with `passed`
    next_instant: f64  # the next event that is known in advance

    # -- what the model computes at events --------------------------------------------------------------------------
    relation_entry: Entry
    gate_entry: Entry
    instant_entry: Entry
    sample_entry: Entry
    condition_entry: Entry
    value_entry: Entry
    initial_entry: Entry
    delay_entry: Entry
    differences: Array[f64]  # of relations of unknowns
    differences_before: Array[f64]  # at the beginning of the iteration
    differences_here: Array[f64]  # at the event, while those a moment ahead are looked at
    gates: Array[f64]
    instant_differences: Array[f64]
    instant_slopes: Array[f64]  # they are linear in time
    clocks: Array[f64]  # offset and period of each sample
    conditions: Array[f64]
    values: Array[f64]  # of discrete equations and of actions
    values_before: Array[f64]
    initial_values: Array[f64]  # that initial equations give discrete variables
    delayed: Array[f64]  # what is computed for delays

    # -- relations of unknowns --------------------------------------------------------------------------------------
    relation_count: i64
    relation_flag: Array[i32]
    relation_operator: Array[i32]
    gate_count: i64
    gate_relation: Array[i32]  # the relation that gate k is for
    matters: Array[i32]  # whether anything depends on a relation, as discrete values are now
    band: Array[f64]  # half the width of the hysteresis; zero as a rule
    band_event: Array[f64]  # before an event was tried again
    roots: Array[i32]  # the direction in which relations pass zero here: 1 up, -1 down
    passed: Array[i32]  # the same at the root that led to this event
    mark: Array[i32]  # work space of event_departure.py
    tied: Array[i32]  # whether a relation is at zero when an event begins (tied_relations.py)
    largest_difference: Array[f64]  # so far, in absolute value
    may_rest: Array[i32]  # whether left and right may become and stay equal, as u and max(u, 0) do
    rest_count: i64
    rest_relation: Array[i32]  # those that compare both sides of a limit, which become equal but for roundings
    rest_size: Array[f64]  # the largest unknown that each of them has read so far
    flags_before: Array[i32]  # at the beginning of the iteration
    roots_before: Array[i32]
    crossed: Array[i32]  # whether a relation switched at the last corner of the path
    wrong: Array[i32]  # whether it is not what its flag says at the end of the line
    changes_at: Array[f64]  # the part of the line at which it changes
    differences_at_point: Array[f64]  # at the last corner
    root_values: Array[f64]  # STAGES rows of root functions
    last_return: Array[f64]  # when a relation was last sent back through zero
    return_gap: Array[f64]  # the time between the last two
    read_start: Array[i32]
    read_index: Array[i32]  # the unknowns that relation k reads: from read_start[k] to read_start[k + 1]

    # -- relations of time, and samples -----------------------------------------------------------------------------
    instant_count: i64
    instant_flag: Array[i32]
    instant_operator: Array[i32]
    sample_count: i64
    sample_flag: Array[i32]
    tick: Array[f64]  # the number of the next tick
    tick_time: Array[f64]
    largest_offset: f64

    # -- when-statements --------------------------------------------------------------------------------------------
    condition_count: i64
    condition_when: Array[i32]  # the when-statement that a condition belongs to
    condition_level: Array[i32]  # conditions read what those of lower levels assign (order_of_whens.py)
    last_level: i64
    active_at_start: Array[i32]  # whether a condition is active in the initial instant
    act_first: Array[i32]  # whether it acts right after it where it held in it
    was_true: Array[i32]
    was_true_event: Array[i32]  # before the event
    chosen: Array[i32]  # the conditions whose actions are taken in this round
    chosen_count: i64
    chosen_is_new: bool
    stamp: i64  # counts rounds
    when_stamp: Array[i32]  # the round in which a when-statement last fired
    last_fired: Array[f64]  # of each when-statement
    fired_gap: Array[f64]  # between the last two firings
    gap_ratio: Array[f64]  # of the last two gaps
    shrinking: Array[i32]  # how many gaps in a row were shorter than the one before
    action_start: Array[i32]  # the actions of condition k: from action_start[k] to action_start[k + 1]
    action_verb: Array[i32]
    action_index: Array[i32]
    action_sign: Array[f64]
    action_value: Array[i32]
    action_follows: Array[i32]  # whether the value reads what other actions assign

    # -- discrete equations and pre() -------------------------------------------------------------------------------
    discrete_count: i64
    level_count: i64  # of them the last, integer-valued functions
    discrete_index: Array[i32]
    discrete_sign: Array[f64]
    discrete_before: Array[f64]  # at the beginning of the iteration
    discrete_value: Array[i32]
    initial_count: i64
    initial_place: Array[i32]  # in p
    initial_sign: Array[f64]
    initial_number: Array[i32]  # of `initial_values`
    initial_tentative: Array[i32]  # whether it gives way to the actions of when-statements
    discrete_pre_count: i64
    discrete_pre_index: Array[i32]
    discrete_pre_source: Array[i32]
    unknown_pre_count: i64
    unknown_pre_index: Array[i32]
    unknown_pre_source: Array[i32]
    unknowns_read_pre: bool
    initial_index: i64
    terminal_index: i64

    # -- states that jump together (engine/events/impulses.py) -------------------------------------------------------
    impulses: Callable[[f64, Address], i32] | None  # lets them jump, from `y_round` (runtime/impulses/)
    jumps: Address  # its record
    y_round: Array[f64]  # the unknowns at the beginning of this round
    impulse_count: i64
    impulse_index: Array[i32]  # discrete values that constraints between states read
    impulse_before: Array[f64]  # their values at the beginning of this round
    impulse_value: Array[f64]  # their values when states last jumped

    # -- delays -----------------------------------------------------------------------------------------------------
    delay_count: i64
    delay_kind: Array[i32]  # ir/events.py
    delay_number: Array[i32]  # of what is computed for it, the first
    delay_index: Array[i32]  # of its entries, the first
    delay_window: Array[i32]  # the first of the two of its window
    delay_rises: Array[i32]  # the relations that find where the window ends; -1 where there are none
    delay_falls: Array[i32]
    rises_flag: Array[i32]
    falls_flag: Array[i32]
    varying_count: i64  # of those that are not constant
    note_column: Array[i32]  # its first
    note_width: i64
    note_peak: Array[f64]  # the largest value of each column so far
    shortest_step: f64  # that delays ask for, however short they are
    note_time: Array[f64]
    note_value: Array[f64]
    note_count: i64
    note_room: i64
    segment_start: f64
    jump_time: Array[f64]  # events whose effects come back after a delay
    jump_age: Array[f64]  # how many delays ago they really happened
    jump_first: i64  # the first that still matters
    jump_count: i64
    jump_room: i64

    # -- the iteration at this instant, and what it reports ---------------------------------------------------------
    terminal: bool  # whether this is the end of the run
    initializing: bool  # whether initial equations hold: in the first round of the initial instant
    events_at_start: bool  # whether the initial instant has events itself; else they come after it (ir/model.py)
    reinit_at_once: bool  # whether what is assigned reads the new values of states (ir/model.py)
    reinit_is_shared: bool  # whether states that are tied to a reinitialized one jump with it
    passing: bool  # whether `roots` is valid and those relations count as they will be just after it
    switching: i64
    rounds: i64
    jumped: bool  # whether a state was reinitialized
    reinitialized: bool  # the same in this round
    switched: Array[i32]  # relations, in the order in which they switched
    switched_count: i64
    switched_room: i64
    fired: Array[i32]  # conditions, in the order in which they fired
    fired_count: i64
    fired_room: i64
    message: i64  # the number of a terminate() action plus one
    failed: i64  # see Failure
    zeno: bool  # events follow each other ever faster
    changed: bool  # whether the iteration changed anything
    is_ahead: bool  # whether the line of the path ends a moment ahead
    p_size: i64
    p_event: Array[f64]  # before the event
    y_event: Array[f64]
    yp_event: Array[f64]
    y_saved: Array[f64]
    yp_saved: Array[f64]
    y_before: Array[f64]  # at the beginning of the iteration
    yp_before: Array[f64]
    y_point: Array[f64]  # at the last corner of the path
    yp_point: Array[f64]
    y_start: Array[f64]  # before the line of the path was solved for
    yp_start: Array[f64]
