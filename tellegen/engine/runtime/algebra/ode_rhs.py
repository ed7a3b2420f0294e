"""The native right-hand side of ODE mode: x' = f(t, x) from the steps of an OdeProgram.

ode_rates                    states in, rates out; what serves outputs only stays as it was in the work vector
ode_rhs                      the same, and the work vector holds everything else
ode_rates_again, ode_again   the first two with states from the work vector (rates_again: inline)
keep_row                     all unknowns at an output time
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.projection_record import EVALUATED_AGAIN, Projection
from tellegen.engine.runtime.algebra.step_log import SundialsLog
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, is_finite, procedure

_OF_A_ROW = 0.01  # in tolerances: a correction that shows in what is computed from the states at an output time

EntryFunction = Callable[[f64, Array[f64], Array[f64], Array[f64], Array[f64], Address], None]
"""A function of an entry of a model: t; y, y', p, the result, its tables."""

JacobianFunction = Callable[[f64, f64, f64, Array[f64], Array[f64], Array[f64], Array[f64], Address], None]
"""A function of a Jacobian: t, the weights of the derivatives by y and by y'; y, y', p, the result, its tables."""

_MOST_REFILLS = 3  # a polynomial of the past is good beside its interval too


class Entry(Record):
    """An entry of a model: functions to be called one after the other."""

    calls: Array[EntryFunction]
    count: i64
    tables: Address


class JacobianEntry(Record):
    """The Jacobian of a model: functions to be called one after the other."""

    calls: Array[JacobianFunction]
    count: i64
    tables: Address


class LuFactors(Record):
    """A sparse matrix factored on a pattern and pivots that are known; the content of IDA's linear solver.

    A small one also has room for a dense factorization, with its pivots and the largest entries of its rows; that
    stands in, natively, where the known pivots do not do, as in circuits whose switches change all the time.
    """

    size: i64
    a_start: Array[i32]
    a_row: Array[i32]
    a_from: Array[i32]
    l_start: Array[i32]
    l_row: Array[i32]
    u_start: Array[i32]
    u_row: Array[i32]
    l_value: Array[f64]
    u_value: Array[f64]
    diagonal: Array[f64]
    work: Array[f64]
    row_position: Array[i32]
    column_of: Array[i32]
    row_weight: Array[f64]
    rhs: Array[f64]
    repivot: Callable[[Array[f64]], i32]
    get_array: Callable[[Address], Array[f64]]
    get_values: Callable[[Address], Array[f64]]
    factorizations: i64
    solves: i64
    dense: Array[f64] | None
    dense_pivots: Array[i32]
    row_scale: Array[f64]
    is_dense: bool


class SolveStep(Record):
    """A step that solves algebraic blocks together (ir/ode.py: Solve).

    The last three say when Newton's method gives up (engine/loaded/ode_system.py: NewtonLimits).
    """

    linear: bool
    constant: bool
    may_be_left: bool  # with residuals, where states and tears are solved for simultaneously
    factored: bool
    blocks: i64
    tears: i64
    inner: Array[Entry]
    inner_entries: i64
    residual: Entry
    jacobian: Entry
    closed: Entry | None
    row_start: Array[i32]
    inner_count: Array[i32]
    tear_start: Array[i32]
    tear_index: Array[i32]
    judge_row: Array[i32]
    entry_start: Array[i32]
    entry_column: Array[i32]
    values: Array[f64]
    eliminated: Array[f64]
    matrix_start: Array[i32]
    matrix: Array[f64]
    pivots: Array[i32]
    column_pivots: Array[i32]
    rank: Array[i32]
    is_deficient: bool
    is_shared: bool  # one of several solutions was taken
    x: Array[f64]
    change: Array[f64]
    base: Array[f64]
    before: Array[f64]
    accepted: Array[f64]
    damping: Array[f64]
    length: Array[f64]
    status: Array[i64]
    lu: LuFactors | None
    pivots_ready: bool
    same: Array[i32]
    longest_step: f64
    smallest_damping: f64
    most_trials: i64


class Step(Record):
    """A step of the right-hand side: blocks to be solved, or else an entry that computes unknowns."""

    solve: SolveStep | None
    entry: Entry


class Ode(Record):
    """A model in ODE mode. `w` holds y and y', `equations` is F of DAE mode.

    A row of output has `row_size` numbers: all unknowns, or only the states where `keeps_states`.
    `at_root` is room for the states where roots are evaluated, or for their rates. `rtol`, `atol`, `peak` and `part`
    are CVODE's tolerances (error_weights.py).
    """

    size: i64
    row_size: i64
    keeps_states: bool
    state_count: i64
    state_index: Array[i32]
    w: Array[f64]
    parameters: Array[f64]
    residual: Array[f64]
    steps: Array[Step]
    step_count: i64
    rate_steps: i64  # how many of them the rates need
    evaluations: i64
    block_failures: i64
    shared: i64  # evaluations with one of several solutions (block_newton.py: solve_singular)
    may_share: bool  # whether such are taken
    leaves_loops: bool  # as they stand, with residuals (runtime/sundials/newton_callbacks.py)
    jacobian_evaluations: i64
    failed_step: i64
    get_array: Callable[[Address], Array[f64]]
    scale: Array[f64]
    equations: Entry
    jacobian: JacobianEntry
    pattern_count: i64
    by_value: Array[f64]
    by_rate: Array[f64]
    values: Array[f64]
    lu: LuFactors
    column_start: Array[i32]
    row_index: Array[i32]
    inverse_gamma: f64
    rtol: f64
    atol: Array[f64]
    peak: Array[f64]
    part: Array[f64]
    full: Array[f64]
    given: Array[f64]  # the right-hand side, and what a solution leaves of it
    left: Array[f64]
    divisor_entry: Entry
    divisor_count: i64
    divisors: Array[f64]
    divisors_before: Array[f64]
    solve_step: Callable[[f64, Ode, SolveStep], i32]
    events: Address
    event_roots: Callable[[Address, f64, Array[f64]], None]
    at_root: Array[f64]
    event_fill: Callable[[Address, f64], None] | None
    event_refill: Callable[[Address, f64], i32] | None  # where the times of delays vary
    step_log: SundialsLog | None  # of CVODE's steps
    projection: Projection | None  # onto invariants, and the function that does it (projection.py)
    project: Callable[[f64, Ode, Projection, Array[f64], Array[f64], f64, i32], i32]


@procedure(inline=True)
def call_entry(t: f64, ode: Ode, entry: Entry, out: Array[f64]) -> None:
    """Call the functions of an entry."""
    w = ode.w
    rates = w[ode.size :]
    parameters = ode.parameters
    calls = entry.calls
    tables = entry.tables
    for k in range(entry.count):
        calls[k](t, w, rates, parameters, out, tables)


@procedure(inline=True)
def run_steps(t: f64, ode: Ode, first: i64, last: i64) -> i32:
    """Some of the steps; 1 when a block cannot be solved."""
    steps = ode.steps
    for s in range(first, last):
        step = steps[s]
        if step.solve is None:
            call_entry(t, ode, step.entry, ode.residual)
        elif ode.solve_step(t, ode, step.solve) != 0:
            ode.block_failures += 1
            ode.failed_step = s + 1
            return 1
    ode.failed_step = 0
    return 0


@procedure
def steps_refilled(t: f64, ode: Ode) -> i32:
    """The steps again for as long as a delay turns out to ask about another time; 1 as above."""
    status = 0
    if ode.event_refill is not None:
        for _ in range(_MOST_REFILLS):
            if status != 0 or ode.event_refill(ode.events, t) == 0:
                break
            status = run_steps(t, ode, 0, ode.rate_steps)
    return status


@procedure(inline=True)
def steps_with_past(t: f64, ode: Ode) -> i32:
    """The steps that the rates need, with delayed signals."""
    if ode.event_fill is not None:
        ode.event_fill(ode.events, t)
    status = run_steps(t, ode, 0, ode.rate_steps)
    if ode.event_refill is not None and status == 0:
        status = steps_refilled(t, ode)
    return status


@procedure(inline=True)
def rates_at(t: f64, ode: Ode, x: Array[f64], rates: Array[f64]) -> i32:
    """Rates of the states; 1 when a block cannot be solved or something is not finite."""
    ode.evaluations += 1
    w = ode.w
    positions = ode.state_index
    states = ode.state_count
    for k in range(states):
        w[positions[k]] = x[k]
    if steps_with_past(t, ode) != 0:
        return 1
    derivatives = w[ode.size :]
    bad = False
    for k in range(states):
        rate = derivatives[positions[k]]
        rates[k] = rate
        bad = bad or not is_finite(rate)
    return int(bad)


@procedure
def ode_rates(t: f64, ode: Ode, x: Array[f64], rates: Array[f64]) -> i32:
    """The same, to be called by address."""
    return rates_at(t, ode, x, rates)


@procedure(inline=True)
def outputs_at(t: f64, ode: Ode) -> i32:
    """The unknowns that serve outputs only, from those in the work vector; 1 when a block cannot be solved."""
    return run_steps(t, ode, ode.rate_steps, ode.step_count)


@procedure
def ode_outputs(t: f64, ode: Ode) -> i32:
    """The same, to be called by address."""
    return outputs_at(t, ode)


@procedure
def ode_rhs(t: f64, ode: Ode, x: Array[f64], rates: Array[f64]) -> i32:
    """Rates of the states and all unknowns; 1 when a block cannot be solved or a rate is not finite."""
    if ode_rates(t, ode, x, rates) != 0:
        return 1
    return ode_outputs(t, ode)


@procedure
def keep_solutions(ode: Ode) -> None:
    """Keep the solutions of nonlinear blocks where a step of a method was accepted."""
    for s in range(ode.rate_steps):  # it has all that are not linear
        solve = ode.steps[s].solve
        if solve is not None and not solve.linear:
            for j in range(solve.tears):
                solve.accepted[j] = ode.w[solve.tear_index[j]]


@procedure
def return_to_solutions(ode: Ode) -> None:
    """Start from those that were kept: a rejected step may have led to another solution, far from the model's."""
    for s in range(ode.rate_steps):  # it has all that are not linear
        solve = ode.steps[s].solve
        if solve is not None and not solve.linear:
            for j in range(solve.tears):
                ode.w[solve.tear_index[j]] = solve.accepted[j]


@procedure(inline=True)
def rates_again(t: f64, ode: Ode) -> i32:
    """Rates from the states as they stand in the work vector, where they stay; 1 as above."""
    ode.evaluations += 1
    if steps_with_past(t, ode) != 0:
        return 1
    derivatives = ode.w[ode.size :]
    positions = ode.state_index
    bad = False
    for k in range(ode.state_count):
        bad = bad or not is_finite(derivatives[positions[k]])
    return int(bad)


@procedure(seldom=True)
def ode_rates_again(t: f64, ode: Ode) -> i32:
    """The same where it is not called over and over."""
    return rates_again(t, ode)


@procedure(seldom=True)
def ode_again(t: f64, ode: Ode) -> i32:
    """Everything else from the states as they stand in the work vector: what an event asks for."""
    shared = ode.shared
    status = ode_rates_again(t, ode)
    if status == 0:
        status = ode_outputs(t, ode)
    ode.shared = shared  # what holds for a round of an event only need not be determined
    return status


@procedure(seldom=True)
def project_row(t: f64, ode: Ode, projection: Projection, x: Array[f64], rates: Array[f64]) -> i32:
    """Bring the states of an output time, at which the model was evaluated, onto the invariants."""
    status = ode.project(t, ode, projection, x, rates, _OF_A_ROW, 0)
    if status == EVALUATED_AGAIN:
        return status if ode_outputs(t, ode) == 0 else Flag.REPEATED_RHS
    if status >= 0:
        for k in range(ode.state_count):
            ode.w[ode.state_index[k]] = x[k]
    return status


@procedure
def keep_row(t: f64, ode: Ode, x: Array[f64], rates: Array[f64], row: Array[f64]) -> i32:
    """Everything at an output time: the steps are run there, then all unknowns or the states are copied into the row.

    States between the ends of steps are brought onto the invariants like these.
    1 when the steps fail, 2 when a divisor has another sign than at the output time before, and its dividend has not.
    """
    bad = rates_at(t, ode, x, rates) != 0 or outputs_at(t, ode) != 0
    if not bad and ode.projection is not None:
        bad = project_row(t, ode, ode.projection, x, rates) < 0
    w = ode.w
    if ode.keeps_states:
        for k in range(ode.state_count):
            row[k] = w[ode.state_index[k]]
        for i in range(ode.size):
            bad = bad or not is_finite(w[i])
    else:
        for i in range(ode.size):
            value = w[i]
            row[i] = value
            bad = bad or not is_finite(value)
    if bad:
        return 1
    count = 2 * ode.divisor_count
    if count == 0:
        return 0
    divisors = ode.divisors
    before = ode.divisors_before
    call_entry(t, ode, ode.divisor_entry, divisors)
    for k in range(0, count, 2):
        if divisors[k] * before[k] < 0.0 and divisors[k + 1] * before[k + 1] > 0.0:
            return 2
    for k in range(count):
        before[k] = divisors[k]
    return 0
