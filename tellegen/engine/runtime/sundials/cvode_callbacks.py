"""Native callbacks and loop of CVODE in ODE mode.

    cv_rhs, cv_weights, cv_system, cv_roots, cv_project    CVODE's callbacks
    cv_solver_type, cv_setup, cv_solve                     its linear solver
    cv_run                                                 the integration over the output times

CVODE solves (I - gamma f_x) dx = b; engine/runtime/algebra/newton_matrix.py says how.
"""

from __future__ import annotations

from collections.abc import Callable

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.error_weights import error_weights
from tellegen.engine.runtime.algebra.newton_matrix import (
    NOISE,
    are_below,
    fill_matrix,
    rounding_of,
    solve_states,
    subtract_loops,
    take_derivatives,
    weighted_states,
)
from tellegen.engine.runtime.algebra.ode_rhs import Ode, keep_row, ode_outputs, ode_rates, ode_rhs
from tellegen.engine.runtime.algebra.projection import project
from tellegen.engine.runtime.algebra.projection_record import MATTERS
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed
from tellegen.engine.runtime.algebra.step_log import log_last_step
from tellegen.procedures.language import Address, Array, Record, f64, i32, i64, procedure


class CvodeRun(Record):
    """One integration with CVODE; `reached` is an array of one."""

    solver: Address
    x: Address
    values: Array[f64]
    ode: Ode
    times: Array[f64]
    first: i64
    last: i64
    output: Array[f64]
    rates: Array[f64]
    solve: Callable[[Address, f64, Address, Array[f64], i32], i32]
    reached: Array[f64]


class OdeSolver(Record):
    """The first field of a SUNLinearSolver: what its operations work on."""

    content: Ode


_NORMAL = 1  # CV_NORMAL: go to the time asked for
_DIRECT = 0  # SUNLINEARSOLVER_DIRECT
_NOT_SOLVED = 802  # SUNLS_CONV_FAIL: a smaller step may help


@procedure
def cv_rhs(t: f64, x: Address, rates: Address, ode: Ode) -> i32:
    """The right-hand side."""
    return ode_rates(t, ode, ode.get_array(x), ode.get_array(rates))


@procedure
def cv_weights(x: Address, weights: Address, ode: Ode) -> i32:
    """Error weights, with absolute tolerances that follow the largest values seen."""
    values = ode.get_array(x)
    error_weights(ode.state_count, values, ode.rtol, ode.peak, ode.part, ode.atol, ode.get_array(weights))
    if ode.step_log is not None:
        log_last_step(ode.step_log)
    return 0


@procedure
def cv_roots(t: f64, x: Address, out: Array[f64], ode: Ode) -> i32:
    """The root functions of events (engine/runtime/events/root_functions.py)."""
    if ode_rates(t, ode, ode.get_array(x), ode.at_root) != 0:
        return 1
    ode.event_roots(ode.events, t, out)
    return 0


@procedure
def cv_project(t: f64, x: Address, correction: Address, precision: f64, error: Address, ode: Ode) -> i32:
    """The correction that brings CVODE's states onto the invariants.

    Its Newton method has evaluated the model near these states, mostly near enough. The error is left as it is: with a
    projected one steps are longer, but corrections by hundreds of tolerances cost more than that saves.
    """
    pr = ode.projection
    if pr is None:
        return 1
    values = ode.get_array(x)
    change = ode.get_array(correction)
    point = pr.point
    for k in range(ode.state_count):
        point[k] = values[k]
    status = project(t, ode, pr, point, change, MATTERS, 1)
    if status < 0:
        return 1 if status == Flag.REPEATED_RHS or status == Flag.NO_CONVERGENCE else int(status)
    for k in range(ode.state_count):
        change[k] = point[k] - values[k]
    return 0


@procedure
def cv_system(
    t: f64,
    x: Address,
    rates: Address,
    matrix: Address,
    may_keep: i32,
    fresh: Array[i32],
    gamma: f64,
    ode: Ode,
    tmp1: Address,
    tmp2: Address,
    tmp3: Address,
) -> i32:
    """Fill the matrix F_y + F_y'/gamma; the derivatives are taken again unless CVODE allows the old ones."""
    fresh[0] = 0
    if may_keep == 0:
        if ode.leaves_loops:  # CVODE has just evaluated the rates there
            if ode_outputs(t, ode) != 0:
                return 1
        elif ode_rhs(t, ode, ode.get_array(x), ode.get_array(tmp1)) != 0:
            return 1
        take_derivatives(t, ode)
        fresh[0] = 1
    ode.inverse_gamma = 1.0 / gamma
    fill_matrix(ode, ode.inverse_gamma)
    return 0


@procedure
def cv_solver_type(solver: OdeSolver) -> i32:
    """What kind of linear solver this is."""
    return _DIRECT


@procedure
def cv_setup(solver: OdeSolver, matrix: Address) -> i32:
    """Factor the matrix."""
    ode = solver.content
    return lu_renewed(ode.lu, ode.values, True)


@procedure
def cv_solve(solver: OdeSolver, matrix: Address, x: Address, b: Address, tolerance: f64) -> i32:
    """dx from b; a smaller step is asked for where dx is not more than the rounding of b."""
    ode = solver.content
    full = ode.full
    positions = ode.state_index
    solution = ode.get_array(x)
    rhs = ode.get_array(b)
    weighted_states(ode, ode.inverse_gamma, rhs)
    if ode.leaves_loops:
        subtract_loops(ode)
    rounding = rounding_of(ode, rhs, 1.0, ode.rtol, ode.atol)
    if not solve_states(ode, rounding, ode.rtol, ode.atol):
        return _NOT_SOLVED
    if rounding > NOISE and are_below(ode, full, rounding, ode.rtol, ode.atol):
        return _NOT_SOLVED
    for k in range(ode.state_count):
        solution[k] = full[positions[k]]
    return 0


@procedure
def cv_run(run: CvodeRun) -> i32:
    """Integrate to the output times first..last-1; `first` counts the points done; returns CVode's flag."""
    ode = run.ode
    for k in range(run.first, run.last):
        t = run.times[k]
        flag = run.solve(run.solver, t, run.x, run.reached, _NORMAL)
        if flag < 0:
            return flag
        if flag == Flag.ROOT:
            failed = ode_rhs(run.reached[0], ode, run.values, run.rates) != 0
            return Flag.REPEATED_RHS if failed else flag
        status = keep_row(t, ode, run.values, run.rates, run.output[k * ode.row_size :])
        if status != 0:
            return Flag.REPEATED_RHS if status == 1 else Flag.POLE
        run.first = k + 1
    return 0
