"""The record of a model that runs without Python: all that a run in ODE mode needs, from one address.

An exported model is the memory of such a record and of everything it refers to (exporters/image/), and the procedures
of this folder. Nothing in them calls back.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tellegen.engine.runtime.algebra.initial_values import InitialProblem
from tellegen.engine.runtime.algebra.ode_rhs import Entry, JacobianEntry, LuFactors, Ode
from tellegen.engine.runtime.algebra.state_watch import ChoiceWatch
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.engine.runtime.one_step.segment_record import SegmentLoop
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64

NumbersFunction = Callable[[Array[f64], Array[f64], Address], None]
"""A function of an entry that computes numbers from numbers: read, written, its tables."""


class Status(IntEnum):
    """What procedures of this folder return."""

    DONE = 0
    EVENT = 1  # an event is due at the time that was reached, and the caller handles it
    TERMINATED = 2  # the model ends the run
    UNSOLVED = 3  # equations have no solution
    UNSETTLED = 4  # event iteration fails, or an assertion
    NOT_INTEGRATED = 5  # the integrator gives up
    NO_PAST = 6  # there is no room for the past that delays read


class NumbersEntry(Record):
    """An entry that computes parameters or start values: functions to be called one after the other."""

    calls: Array[NumbersFunction]
    count: i64
    tables: Address


class StartValues(Record):
    """Numbers that begin at start values which parameters determine: target[place] = sign * start[source].

    Where `is_given` is not zero a value was given instead.
    """

    count: i64
    source: Array[i64]
    sign: Array[f64]
    place: Array[i64]
    target: Array[f64]
    is_given: Array[f64]


class LocalDerivatives(Record):
    """The derivatives of a model at a point (instance_derivatives.py), and room for changes.

    `known` and `slopes` are entries of exporters/image/known_jacobian.py, `jacobian` that of DAE mode on the pattern
    `column_start`, `row_index`; M has entry `matrix_from` of its values, by rates where `matrix_is_rate`.
    """

    known: Entry | None
    known_start: Array[i32]
    known_row: Array[i32]
    known_values: Array[f64]
    slopes: Entry | None
    slope_count: i64
    slope_target: Array[i32]
    slope_source: Array[i32]
    slope_values: Array[f64]
    jacobian: JacobianEntry
    column_start: Array[i32]
    row_index: Array[i32]
    by_value: Array[f64]
    by_rate: Array[f64]
    matrix_count: i64
    matrix_from: Array[i32]
    matrix_is_rate: Array[i32]
    matrix: Array[f64]
    lu: LuFactors
    is_state: Array[i32]  # per unknown
    p_count: i64

    # -- the point --------------------------------------------------------------------------------------------------
    is_computed: bool
    t: f64
    w: Array[f64]
    p: Array[f64]

    # -- changes, or weights ----------------------------------------------------------------------------------------
    dw: Array[f64]  # of y and y'
    dp: Array[f64]
    dt: f64
    change: Array[f64]


class ChosenStates(Record):
    """One choice of states (instance_choice.py): how everything else is computed from them, and their tolerances."""

    ode: Ode
    watch: ChoiceWatch
    atol: Array[f64]
    part: Array[f64]


class Instance(Record):
    """A model with the numbers of one run.

    The unknowns stand in `ode.w`, parameters and everything discrete in `ode.parameters`.
    """

    ode: Ode
    loop: SegmentLoop
    events: EventRun | None
    initial: InitialProblem | None  # None: everything follows from the start values of states
    initial_events: EventRun | None  # of the initial instant, where states do not jump yet
    derivatives: LocalDerivatives | None
    choices: Array[ChosenStates]  # of states, where the best ones depend on the point
    choice_count: i64
    choice: i64  # the present one
    largest: Array[f64]  # room for the largest values of all unknowns
    solved: Array[f64]  # room for y and y'

    # -- before a run -----------------------------------------------------------------------------------------------
    parameter_entry: NumbersEntry | None
    is_given: Array[f64]  # per parameter: not zero where it was given a value
    start_entry: NumbersEntry | None
    start: Array[f64]  # of the flat model's variables
    unknown_starts: StartValues
    discrete_starts: StartValues
    y_start: Array[f64]  # start values and guesses of the unknowns
    homotopy_place: i64  # of the blend in p; negative: there is none
    initial_place: i64  # of initial() in p; negative: nothing reads it
    p_count: i64
    p_before: Array[f64]  # room for p
    reinit_count: i64
    reinit_condition: Array[i64]  # conditions that reinitialize states
    assigned_count: i64
    assigned: Array[i64]  # places in p that actions assign
    tolerance: f64  # relative, that the tolerances of the states are made for
    length: f64  # of the run that the longest step is made for

    # -- the run ----------------------------------------------------------------------------------------------------
    t: f64
    is_stale: bool  # unknowns have to be computed again from the states
    lacks_outputs: bool  # those that serve outputs only have to be, the others are up to date
    is_changed: bool  # inputs or parameters have been set since the last event
    is_moved: bool  # the integrator has to begin again
    at_root: bool  # the event that is due is at a root
    is_doubtful: bool  # perhaps other states are better
    event_count: i64  # instants at which events were handled
    returns_at_events: bool  # whether the caller handles events
    has_loops: bool  # whether some are solved by iteration (instance_rates.py)
    is_plain: bool  # whether the rates are one call of the equations: no loops, no delays, one choice of states
    solved_time: f64  # of the last point at which they had a solution
    solved_states: Array[f64]
    goal: Array[f64]  # room for states
