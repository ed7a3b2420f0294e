"""Derivatives of a model where it stands: how all unknowns change with states, parameters, inputs and time.

    F(t, x, x', z, p) = 0      M (dz, dx') = -(F_x dx + F_p dp + F_t dt),      M = [F_z  F_x']

instance_directional     a change of what is given -> the change of everything
instance_adjoint         weights of everything -> the derivatives of the weighted sum by what is given

All derivatives are exact, those of algebraic loops by the implicit function theorem. They are those between events.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Ode, call_entry
from tellegen.engine.runtime.algebra.sparse_lu import lu_renewed, lu_solve
from tellegen.engine.runtime.algebra.transposed_lu import lu_solve_transposed
from tellegen.engine.runtime.events.relation_values import copy
from tellegen.engine.runtime.instance.instance_record import Instance, LocalDerivatives, Status
from tellegen.engine.runtime.instance.instance_run import instance_update
from tellegen.procedures.language import f64, i32, procedure


@procedure
def is_there(d: LocalDerivatives, ode: Ode, t: f64) -> bool:
    """Whether the derivatives were computed at this point."""
    if not d.is_computed or d.t != t:
        return False
    same = True
    for k in range(2 * ode.size):
        same = same and d.w[k] == ode.w[k]
    for k in range(d.p_count):
        same = same and d.p[k] == ode.parameters[k]
    return same


@procedure
def fill_local_matrix(d: LocalDerivatives, ode: Ode, t: f64) -> None:
    """F_y, F_y' and M."""
    w = ode.w
    rates = w[ode.size :]
    entry = d.jacobian
    for k in range(entry.count):
        entry.calls[k](t, 1.0, 0.0, w, rates, ode.parameters, d.by_value, entry.tables)
        entry.calls[k](t, 0.0, 1.0, w, rates, ode.parameters, d.by_rate, entry.tables)
    for k in range(d.matrix_count):
        place = d.matrix_from[k]
        d.matrix[k] = d.by_rate[place] if d.matrix_is_rate[k] != 0 else d.by_value[place]


@procedure
def take_local_derivatives(inst: Instance, d: LocalDerivatives) -> i32:
    """All derivatives at the present point, and the factors of M."""
    ode = inst.ode
    status = instance_update(inst)
    if status != Status.DONE or is_there(d, ode, inst.t):
        return status
    d.is_computed = False
    fill_local_matrix(d, ode, inst.t)
    if d.known is not None:
        call_entry(inst.t, ode, d.known, d.known_values)
    if d.slopes is not None:
        call_entry(inst.t, ode, d.slopes, d.slope_values)
    if lu_renewed(d.lu, d.matrix, True) != 0:
        return Status.UNSOLVED
    copy(ode.w, d.w, 2 * ode.size)
    copy(ode.parameters, d.p, d.p_count)
    d.t = inst.t
    d.is_computed = True
    return Status.DONE


@procedure
def carry_through_parameters(inst: Instance, d: LocalDerivatives) -> None:
    """The changes of computed parameters from those they follow from."""
    for k in range(d.slope_count):
        target = d.slope_target[k]
        if inst.is_given[target] == 0.0:
            d.dp[target] = d.dp[target] + d.slope_values[k] * d.dp[d.slope_source[k]]


@procedure
def carry_back_through_parameters(inst: Instance, d: LocalDerivatives) -> None:
    """The weights of parameters from those of what is computed from them."""
    for k in range(d.slope_count - 1, -1, -1):
        target = d.slope_target[k]
        if inst.is_given[target] == 0.0:
            source = d.slope_source[k]
            d.dp[source] = d.dp[source] + d.slope_values[k] * d.dp[target]


@procedure
def instance_directional(inst: Instance) -> i32:
    """dx, dp and dt as they stand in `dw`, `dp` and `dt` -> everything else in `dw` and `dp`. See Status."""
    if inst.derivatives is None:
        return Status.UNSOLVED
    d = inst.derivatives
    ode = inst.ode
    status = take_local_derivatives(inst, d)
    if status != Status.DONE:
        return status
    carry_through_parameters(inst, d)
    change = d.change
    for k in range(ode.size):
        change[k] = 0.0
    for k in range(ode.state_count):
        column = ode.state_index[k]
        for e in range(d.column_start[column], d.column_start[column + 1]):
            change[d.row_index[e]] -= d.by_value[e] * d.dw[column]
    for column in range(d.p_count + 1):
        by = d.dt if column == d.p_count else d.dp[column]
        if by != 0.0:
            for e in range(d.known_start[column], d.known_start[column + 1]):
                change[d.known_row[e]] -= d.known_values[e] * by
    lu_solve(d.lu, change)
    for k in range(ode.size):
        if d.is_state[k] != 0:
            d.dw[ode.size + k] = change[k]
        else:
            d.dw[k] = change[k]
    return Status.DONE


@procedure
def instance_adjoint(inst: Instance) -> i32:
    """Weights in `dw`, `dp` and `dt` -> derivatives by states in `dw`, by parameters and inputs in `dp`, by time."""
    if inst.derivatives is None:
        return Status.UNSOLVED
    d = inst.derivatives
    ode = inst.ode
    status = take_local_derivatives(inst, d)
    if status != Status.DONE:
        return status
    change = d.change
    for k in range(ode.size):
        change[k] = d.dw[ode.size + k] if d.is_state[k] != 0 else d.dw[k]
    lu_solve_transposed(d.lu, change)
    for k in range(ode.state_count):
        column = ode.state_index[k]
        for e in range(d.column_start[column], d.column_start[column + 1]):
            d.dw[column] = d.dw[column] - d.by_value[e] * change[d.row_index[e]]
    for column in range(d.p_count + 1):
        total = 0.0
        for e in range(d.known_start[column], d.known_start[column + 1]):
            total += d.known_values[e] * change[d.known_row[e]]
        if column == d.p_count:
            d.dt = d.dt - total
        else:
            d.dp[column] = d.dp[column] - total
    carry_back_through_parameters(inst, d)
    return Status.DONE
