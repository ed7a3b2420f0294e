"""Linear systems with I - gamma f_x for x' = f(t, x), without f_x.

With F(t, x, x', z) = 0 for f, the solution dx of (I - gamma f_x) dx = b follows from the sparse system
(F_y + F_y'/gamma) (dx, dz) = (F_x'/gamma) b: the matrix IDA would use, with analytic derivatives and the same LU.

Where rates are large against gamma, dx is what is left of b after almost all of it has gone into dz. An elimination may
compute it as a difference of numbers as large as b: its rounding is then that of b, and where tolerances are smaller
the solution is refined. A residual has the rounding of single terms, so each refinement gains all digits (Skeel, 1980).
What no solution repairs is the rounding of b itself: a slow sum of two fast states gets all of it.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.engine.runtime.algebra.sparse_lu import lu_solve
from tellegen.procedures.language import Array, f64, procedure

_ROUNDING = 4.0 * 2.220446049250313e-16
_PART = 0.01  # of a tolerance: what roundings may be
_REFINEMENTS = 8

NOISE = 1000.0
"""Tolerances that the rounding of a right-hand side may be: a bound, much larger than its effect."""


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
def rounding_of(ode: Ode, b: Array[f64], by: f64, rtol: f64, atol: Array[f64]) -> f64:
    """The rounding of b, times `by` in the units of the states, relative to the tolerances of these."""
    w = ode.w
    positions = ode.state_index
    most = 0.0
    for k in range(ode.state_count):
        part = by * abs(b[k]) / (rtol * abs(w[positions[k]]) + atol[k])
        most = max(most, part)
    return _ROUNDING * most


@procedure
def take_left(ode: Ode) -> None:
    """left := given - A full, with the matrix in `values`."""
    full = ode.full
    left = ode.left
    given = ode.given
    start = ode.column_start
    row = ode.row_index
    values = ode.values
    for k in range(ode.size):
        left[k] = given[k]
    for column in range(ode.size):
        solved = full[column]
        for e in range(start[column], start[column + 1]):
            left[row[e]] -= values[e] * solved


@procedure
def are_below(ode: Ode, changes: Array[f64], parts: f64, rtol: f64, atol: Array[f64]) -> bool:
    """Whether changes of the states, where these stand in the work vector, are below so many of their tolerances."""
    w = ode.w
    positions = ode.state_index
    for k in range(ode.state_count):
        place = positions[k]
        if not (abs(changes[place]) <= parts * (rtol * abs(w[place]) + atol[k])):
            return False
    return True


@procedure
def solve_refined(ode: Ode, rtol: f64, atol: Array[f64]) -> bool:
    """full := A^-1 full, refined at least once by what it leaves of each equation; whether that converges."""
    full = ode.full
    given = ode.given
    left = ode.left
    for k in range(ode.size):
        given[k] = full[k]
    lu_solve(ode.lu, full)
    for _ in range(_REFINEMENTS):
        take_left(ode)
        lu_solve(ode.lu, left)
        for k in range(ode.size):
            full[k] += left[k]
        if are_below(ode, left, _PART, rtol, atol):
            return True
    return False


@procedure
def solve_states(ode: Ode, rounding: f64, rtol: f64, atol: Array[f64]) -> bool:
    """full := A^-1 full, made from numbers with this rounding (rounding_of); False where it cannot be computed."""
    if rounding > _PART:
        return solve_refined(ode, rtol, atol)
    lu_solve(ode.lu, ode.full)
    return True


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
