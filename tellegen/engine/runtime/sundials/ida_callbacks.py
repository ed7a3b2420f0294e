"""What SUNDIALS' IDA calls, and the loop around it, as native code; nothing of Python is involved.

    ida_residual, _jacobian, _weights, _roots     its callbacks: vectors to plain arrays, then the model's functions
    ls_type, ls_setup, ls_solve                   sparse LU as its linear solver
    ida_run                                       the integration over the output times

SUNDIALS' functions are reached through addresses in the records, so the compiled object has no symbols to resolve and
can be cached.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.error_weights import error_weights
from tellegen.engine.runtime.algebra.ode_rhs import Entry, JacobianEntry, LuFactors, Ode
from tellegen.engine.runtime.algebra.projection_record import Projection
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed, lu_solve
from tellegen.engine.runtime.algebra.step_log import SundialsLog, log_last_step
from tellegen.engine.runtime.events.event_record import EventRun
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, is_finite, multiply_add, procedure


class LoopWatch(Record):
    """How to see whether the closed loops of a mechanism are in a singular position, where IDA loses its way.

    `look` is look_at_rows of the projection that ODE mode would have. Equations of constraints that repeat others are
    left out: of `left` rows of the residual each says that its force is zero.
    """

    ode: Ode
    projection: Projection
    look: Callable[[Ode, Projection, Array[f64]], i32]
    is_singular: bool
    left: i64
    left_row: Array[i32]
    left_force: Array[i32]
    left_entry: Array[i32]  # of the Jacobian: the force in its row
    blank: i64
    blank_entry: Array[i32]  # all others of these rows


class IdaModel(Record):
    """A model in DAE mode: SUNDIALS' user data. `rtol` is an array of one."""

    size: i64
    parameters: Array[f64]
    residual: Entry
    jacobian: JacobianEntry
    get_array: Callable[[Address], Array[f64]]
    get_values: Callable[[Address], Array[f64]]
    residual_evaluations: i64
    jacobian_evaluations: i64
    rtol: Array[f64]
    atol: Array[f64]
    peak: Array[f64]
    part: Array[f64]
    events: EventRun
    event_roots: Callable[[EventRun, f64, Array[f64]], None]
    event_fill: Callable[[EventRun, f64], None] | None  # where signals are delayed
    step_log: SundialsLog | None
    loops: LoopWatch | None


class IdaRun(Record):
    """One integration; `reached` is an array of one."""

    solver: Address
    y: Address
    yp: Address
    size: i64
    values: Array[f64]
    times: Array[f64]
    first: i64
    last: i64
    output: Array[f64]
    solve: Callable[[Address, f64, Array[f64], Address, Address, i32], i32]
    reached: Array[f64]


class LinearSolver(Record):
    """The first field of a SUNLinearSolver: what its operations work on."""

    content: LuFactors


_NORMAL = 1  # IDA_NORMAL: go to the time asked for
_DIRECT = 0  # SUNLINEARSOLVER_DIRECT


@procedure
def all_finite(x: Array[f64], count: i64) -> bool:
    """Whether no element is infinite or NaN: only then zero times it is zero.

    Four sums, because an addition has to wait for the one before.
    """
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    whole = count & -4
    for k in range(0, whole, 4):
        a = multiply_add(x[k], 0.0, a)
        b = multiply_add(x[k + 1], 0.0, b)
        c = multiply_add(x[k + 2], 0.0, c)
        d = multiply_add(x[k + 3], 0.0, d)
    for k in range(whole, count):
        a = multiply_add(x[k], 0.0, a)
    return is_finite(a + b + c + d)


@procedure
def read_past(t: f64, model: IdaModel, values: Array[f64], rates: Array[f64]) -> None:
    """Delayed signals, as the equations read them at a point."""
    events = model.events
    own_y = events.y
    own_yp = events.yp
    events.y = values
    events.yp = rates
    if model.event_fill is not None:
        model.event_fill(events, t)
    events.y = own_y
    events.yp = own_yp


@procedure
def leave_out_forces(loops: LoopWatch, values: Array[f64], out: Array[f64]) -> None:
    """Residuals of constraints that repeat others: their forces are zero."""
    for k in range(loops.left):
        out[loops.left_row[k]] = values[loops.left_force[k]]


@procedure
def leave_out_entries(loops: LoopWatch, out: Array[f64]) -> None:
    """The same in the Jacobian."""
    for k in range(loops.blank):
        out[loops.blank_entry[k]] = 0.0
    for k in range(loops.left):
        out[loops.left_entry[k]] = 1.0


@procedure
def ida_residual(t: f64, y: Address, yp: Address, r: Address, model: IdaModel) -> i32:
    """A residual that is not finite is a recoverable failure: IDA then tries a smaller step.

    In a singular position it ends the run.
    """
    model.residual_evaluations += 1
    if model.loops is not None and model.loops.is_singular:
        return -1
    values = model.get_array(y)
    rates = model.get_array(yp)
    out = model.get_array(r)
    if model.event_fill is not None:
        read_past(t, model, values, rates)
    entry = model.residual
    for k in range(entry.count):
        entry.calls[k](t, values, rates, model.parameters, out, entry.tables)
    if model.loops is not None:
        leave_out_forces(model.loops, values, out)
    return 0 if all_finite(out, model.size) else 1


@procedure
def ida_jacobian(
    t: f64,
    cj: f64,
    y: Address,
    yp: Address,
    r: Address,
    matrix: Address,
    model: IdaModel,
    tmp1: Address,
    tmp2: Address,
    tmp3: Address,
) -> i32:
    """F_y + cj F_y', into the values of IDA's matrix."""
    model.jacobian_evaluations += 1
    values = model.get_array(y)
    rates = model.get_array(yp)
    out = model.get_values(matrix)
    entry = model.jacobian
    for k in range(entry.count):
        entry.calls[k](t, 1.0, cj, values, rates, model.parameters, out, entry.tables)
    if model.loops is not None:
        leave_out_entries(model.loops, out)
    return 0


@procedure
def ida_weights(y: Address, weights: Address, model: IdaModel) -> i32:
    """Error weights, with absolute tolerances that follow the largest values seen."""
    values = model.get_array(y)
    error_weights(model.size, values, model.rtol[0], model.peak, model.part, model.atol, model.get_array(weights))
    if model.step_log is not None:
        log_last_step(model.step_log)
    if model.loops is not None:
        watch = model.loops
        watch.is_singular = watch.look(watch.ode, watch.projection, values) != 0
    return 0


@procedure
def ida_roots(t: f64, y: Address, yp: Address, g: Array[f64], model: IdaModel) -> i32:
    """The root functions of events, at the unknowns that IDA asks about."""
    events = model.events
    own_y = events.y
    own_yp = events.yp
    events.y = model.get_array(y)
    events.yp = model.get_array(yp)
    if model.event_fill is not None:
        model.event_fill(events, t)
    model.event_roots(events, t, g)
    events.y = own_y
    events.yp = own_yp
    return 0


@procedure
def ls_type(solver: LinearSolver) -> i32:
    """What kind of linear solver this is."""
    return _DIRECT


@procedure
def ls_setup(solver: LinearSolver, matrix: Address) -> i32:
    """Factor the matrix; a positive flag is a failure that a smaller step may avoid."""
    lu = solver.content
    return lu_renewed(lu, lu.get_values(matrix), True)


@procedure
def ls_solve(solver: LinearSolver, matrix: Address, x: Address, b: Address, tolerance: f64) -> i32:
    """x := A^-1 b."""
    lu = solver.content
    solution = lu.get_array(x)
    given = lu.get_array(b)
    for k in range(lu.size):
        solution[k] = given[k]
    lu_solve(lu, solution)
    return 0


@procedure
def ida_run(run: IdaRun) -> i32:
    """Integrate to the output times first..last-1 and keep the unknowns at each; stop at the first failure.

    `first` counts the points done; returns IDASolve's flag (negative: failure).
    """
    size = run.size
    values = run.values
    flag = 0
    for k in range(run.first, run.last):
        flag = run.solve(run.solver, run.times[k], run.reached, run.y, run.yp, _NORMAL)
        if flag < 0 or flag == Flag.ROOT:
            return flag
        row = run.output[k * size :]
        for i in range(size):
            row[i] = values[i]
        run.first = k + 1
    return flag
