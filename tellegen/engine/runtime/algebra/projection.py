"""Native projection of states onto the invariants of a model (Eich, SIAM J. Numer. Anal. 30, 1993).

    g(x) = 0 with the Jacobian J:      x  <-  x - W J^T (J W J^T)^+ g        W: squares of the tolerances of the states

The states are moved as little as possible, measured by their tolerances. Residuals and states that hang together are a
component, a small dense system by itself. Its rank is fixed at the start of a run: of rows that repeat others a
Cholesky factorization with pivoting leaves out as many as there are too many, not always the same ones. A rank that was
judged again at every step would change with the roundings near singular positions, and the states would jump.

The model has been evaluated at x, or near it, when its states are corrected; it is evaluated again only where the
correction matters.
"""

from __future__ import annotations

from tellegen.engine.native.flags import Flag
from tellegen.engine.runtime.algebra.ode_rhs import Ode, ode_rates
from tellegen.engine.runtime.algebra.projection_record import EVALUATED_AGAIN, NEVER, Projection
from tellegen.engine.runtime.algebra.projection_rows import (
    factor_rows,
    fill_rows,
    note_reach,
    note_reach_by_sizes,
    product,
)
from tellegen.procedures.language import Array, f64, i32, i64, procedure, sqrt

_VISIBLE = 1e-5  # of the largest state; tolerances of what is nearly at rest are much smaller than that
_CONTRADICTION = 100.0  # what redundant rows may leave, in tolerances
_MOST_CORRECTIONS = 8
# of the largest reach: what is a singular position to an integrator that does not project
_NEAR = 1e-3
_NEAR_IF_DRIFTED = 0.05
_BESIDE = 3.0
_NOISE = 10.0  # tolerances: corrections that do not get smaller are the roundings of residuals


@procedure
def solve_rows(pr: Projection, rows: i64, columns: i64, rank: i64) -> f64:
    """The least change of the states that closes the gaps of the factored rows, in tolerances; its largest part."""
    factor = pr.factor
    order = pr.order
    multiplier = pr.multiplier
    change = pr.change
    for k in range(rank):
        of_row = factor[order[k] * rows :]
        multiplier[k] = (pr.gap[order[k]] - product(k, of_row, multiplier)) / of_row[k]
    for back in range(rank):
        k = rank - 1 - back
        value = multiplier[k]
        for i in range(k + 1, rank):
            value -= factor[order[i] * rows + k] * multiplier[i]
        multiplier[k] = value / factor[order[k] * rows + k]
    for j in range(columns):
        change[j] = 0.0
    for k in range(rank):
        row = pr.jacobian[order[k] * columns :]
        for j in range(columns):
            change[j] -= multiplier[k] * row[j]
    size = 0.0
    for j in range(columns):
        size = max(size, abs(change[j]))
    return size


@procedure
def note_open_rows(pr: Projection, c: i64, rank: i64) -> None:
    """How much the rows that were left out would stay open."""
    first = pr.row_start[c]
    rows = pr.row_start[c + 1] - first
    columns = pr.column_start[c + 1] - pr.column_start[c]
    for k in range(rank, rows):
        number = pr.order[k]
        rest = abs(pr.gap[number] + product(columns, pr.jacobian[number * columns :], pr.change))
        if rest > pr.open:
            pr.open = rest
            pr.opened = first + number


@procedure
def correct(ode: Ode, pr: Projection, x: Array[f64]) -> f64:
    """One correction of the states x, at which the model was evaluated: the largest one, in tolerances."""
    pr.open = 0.0
    pr.residual_now = 0.0
    pr.moved = 0.0
    pr.reach = 1.0
    largest = 0.0
    for c in range(pr.components):
        rows = pr.row_start[c + 1] - pr.row_start[c]
        first = pr.column_start[c]
        columns = pr.column_start[c + 1] - first
        fill_rows(ode, pr, c, x)
        rank = factor_rows(pr, rows, columns, pr.rank[c], pr.smallest)
        if rank == pr.rank[c]:
            note_reach(pr, c, rank)
        else:
            note_reach_by_sizes(pr, c, x)
            fill_rows(ode, pr, c, x)
            rank = factor_rows(pr, rows, columns, pr.rank[c], pr.smallest)
        largest = max(largest, solve_rows(pr, rows, columns, rank))
        note_open_rows(pr, c, rank)
        size = 0.0
        moved = 0.0
        for j in range(columns):
            state = pr.state[first + j]
            change = pr.weight[j] * pr.change[j]
            size = max(size, max(abs(x[state]), pr.size[state]))
            moved = max(moved, abs(change))
            x[state] += change
        pr.moved = max(pr.moved, moved / size)
    return largest


@procedure
def project(t: f64, ode: Ode, pr: Projection, x: Array[f64], rates: Array[f64], matters: f64, is_step: i32) -> i32:
    """Bring states onto the invariants; the model was evaluated near them. EVALUATED_AGAIN, or a flag if it fails.

    Corrections by less than what `matters`, in tolerances, are not worth another evaluation.
    """
    size = correct(ode, pr, x)
    if is_step != 0:
        note_step(pr, t, size)
    status = 0
    for _ in range(_MOST_CORRECTIONS):
        if size <= matters:
            if is_step != 0:
                note_singular_position(pr, t)
            if pr.open <= _CONTRADICTION:
                return status
            return Flag.CONTRADICTION if pr.reach > 0.0 else Flag.SINGULAR_POSITION
        if ode_rates(t, ode, x, rates) != 0:
            return Flag.REPEATED_RHS
        status = EVALUATED_AGAIN
        before = size
        size = correct(ode, pr, x)
        if size > 0.5 * before and size < _NOISE:
            size = 0.0
    return Flag.NO_CONVERGENCE


@procedure
def note_step(pr: Projection, t: f64, size: f64) -> None:
    """Take a step into the statistics of the run."""
    pr.count += 1
    if pr.residual_now > pr.drift:
        pr.drift = pr.residual_now
        pr.drifted = pr.residual_row
    if pr.moved > _VISIBLE and size > pr.largest:
        pr.largest = size
        pr.largest_time = t


@procedure
def note_singular_position(pr: Projection, t: f64) -> None:
    """When the reach of the rows would be zero, by what it was at the last two steps."""
    pr.lost = pr.lost + 1 if pr.reach == 0.0 else 0
    if pr.lost > pr.most_lost:
        pr.most_lost = pr.lost
        pr.lost_time = t
    sinks = pr.reach_before - pr.reach
    since = t - pr.reach_time
    pr.singular_at = t + since * pr.reach / sinks if sinks > 0.0 and since > 0.0 else NEVER
    pr.reach_before = pr.reach
    pr.reach_time = t


@procedure
def look_at_rows(ode: Ode, pr: Projection, y: Array[f64]) -> i32:
    """Whether factored rows nearly repeat each other where an integrator of all unknowns y stands; nothing is moved.

    States are relative to the largest values seen, which stand for tolerances: those of small values change rows.
    Constraints that have drifted by a part d pass a singular position at a distance of about the root of d, on the
    other one of the two ways that cross there.
    """
    for k in range(ode.size):
        ode.w[k] = y[k]
    for k in range(ode.state_count):
        pr.point[k] = y[ode.state_index[k]]
        pr.atol[k] = max(pr.atol[k], abs(pr.point[k]))
    pr.reach = 1.0
    drift = 0.0
    for c in range(pr.components):
        rows = pr.row_start[c + 1] - pr.row_start[c]
        columns = pr.column_start[c + 1] - pr.column_start[c]
        if pr.rank[c] > 0:
            fill_rows(ode, pr, c, pr.point)
            for i in range(rows):
                drift = max(drift, abs(pr.gap[i]))
            note_reach(pr, c, factor_rows(pr, rows, columns, pr.rank[c], pr.smallest))
    if pr.reach > 0.0:
        pr.lost_row = pr.near_row
    pr.most_reach = max(pr.most_reach, pr.reach)
    near = max(_NEAR, min(_NEAR_IF_DRIFTED, _BESIDE * sqrt(drift)))
    return 1 if pr.reach <= near * pr.most_reach else 0


@procedure
def project_error(ode: Ode, pr: Projection, x: Array[f64], error: Array[f64]) -> None:
    """Take out of an error at the states x what a projection takes out of the states."""
    for c in range(pr.components):
        rows = pr.row_start[c + 1] - pr.row_start[c]
        first = pr.column_start[c]
        columns = pr.column_start[c + 1] - first
        fill_rows(ode, pr, c, x)
        weight = pr.weight
        for i in range(rows):
            row = pr.jacobian[i * columns :]
            along = 0.0
            for j in range(columns):
                along += row[j] * error[pr.state[first + j]] / weight[j]
            pr.gap[i] = along
        rank = factor_rows(pr, rows, columns, pr.rank[c], pr.smallest)
        solve_rows(pr, rows, columns, rank)
        for j in range(columns):
            error[pr.state[first + j]] += weight[j] * pr.change[j]


@procedure
def rank_of_rows(pr: Projection, rows: i64, columns: i64) -> i64:
    """How many rows of the Jacobian are independent, by Gram-Schmidt with pivoting, in its place.

    Where independent rows are nearly parallel, squares of what is left of others are lost in the roundings of a
    Cholesky factor; here what is left is known to the rounding of the rows.
    """
    jacobian = pr.jacobian
    left = pr.left
    order = pr.order
    for i in range(rows):
        order[i] = i
        row = jacobian[i * columns :]
        left[i] = product(columns, row, row)
    most = min(rows, columns)
    for k in range(most):
        best = k
        for i in range(k + 1, rows):
            if left[order[i]] > left[order[best]]:
                best = i
        pivot = order[best]
        if left[pivot] <= pr.smallest:
            return k
        order[best] = order[k]
        order[k] = pivot
        of_pivot = jacobian[pivot * columns :]
        for i in range(k + 1, rows):
            number = order[i]
            row = jacobian[number * columns :]
            along = product(columns, row, of_pivot) / left[pivot]
            for j in range(columns):
                row[j] -= along * of_pivot[j]
            left[number] = product(columns, row, row)
    return most


@procedure
def find_ranks(ode: Ode, pr: Projection, x: Array[f64]) -> None:
    """The rank of each component at the states x, where it is higher than known."""
    for c in range(pr.components):
        rows = pr.row_start[c + 1] - pr.row_start[c]
        columns = pr.column_start[c + 1] - pr.column_start[c]
        fill_rows(ode, pr, c, x)
        pr.rank[c] = max(pr.rank[c], rank_of_rows(pr, rows, columns))
