"""Linear systems with I - gamma f_x for x' = f(t, x), without f_x.

With F(t, x, x', z) = 0 for f, the solution dx of (I - gamma f_x) dx = b follows from the sparse system
(F_y + F_y'/gamma) (dx, dz) = (F_x'/gamma) b: the matrix IDA would use, with analytic derivatives and the same LU.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.procedures.language import Array, f64, procedure


@procedure
def weighted_jacobian(t: f64, ode: Ode, by_value: f64, by_rate: f64, out: Array[f64]) -> None:
    """by_value F_y + by_rate F_y'."""
    w = ode.w
    rates = w[ode.size :]
    entry = ode.jacobian
    for k in range(entry.count):
        entry.calls[k](t, by_value, by_rate, w, rates, ode.parameters, out, entry.tables)


@procedure
def take_derivatives(t: f64, ode: Ode) -> None:
    """F_y and F_y' where the work vector stands."""
    ode.jacobian_evaluations += 1
    weighted_jacobian(t, ode, 1.0, 0.0, ode.by_value)
    weighted_jacobian(t, ode, 0.0, 1.0, ode.by_rate)


@procedure
def fill_matrix(ode: Ode, inverse_gamma: f64) -> None:
    """F_y + F_y'/gamma."""
    by_value = ode.by_value
    by_rate = ode.by_rate
    values = ode.values
    for k in range(ode.pattern_count):
        values[k] = by_value[k] + inverse_gamma * by_rate[k]


@procedure
def weighted_states(ode: Ode, weight: f64, b: Array[f64]) -> None:
    """full := weight F_x' b, the right-hand side of the sparse system."""
    full = ode.full
    by_rate = ode.by_rate
    positions = ode.state_index
    start = ode.column_start
    row = ode.row_index
    for k in range(ode.size):
        full[k] = 0.0
    for k in range(ode.state_count):
        column = positions[k]
        factor = weight * b[k]
        for e in range(start[column], start[column + 1]):
            full[row[e]] += factor * by_rate[e]


@procedure
def subtract_loops(ode: Ode) -> None:
    """full -= residuals of nonlinear loops, which an evaluation has left."""
    full = ode.full
    residual = ode.residual
    for s in range(ode.rate_steps):
        solve = ode.steps[s].solve
        if solve is not None and solve.may_be_left:
            rows = solve.judge_row
            for j in range(solve.tears):
                full[rows[j]] -= residual[rows[j]]
