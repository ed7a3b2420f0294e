"""The rows of a component of invariants, in tolerances of the states: filled, factored, and how near they are to
repeating each other."""

from __future__ import annotations

from tellegen.engine.runtime.algebra.ode_rhs import Ode
from tellegen.engine.runtime.algebra.projection_record import Projection
from tellegen.procedures.language import Array, f64, i64, procedure, sqrt

_ROUNDING = 1e-15  # of the largest state of a component: no tolerance is smaller
_RELEASED = 1e-20  # squared length of a row, of the longest it has been: IDA solves for zeros with roundings


@procedure
def fill_rows(ode: Ode, pr: Projection, c: i64, x: Array[f64]) -> None:
    """Residuals and Jacobian of a component, in tolerances: each row is divided by the length it has had at most.

    A row that becomes short says little for a while: in a singular position it vanishes.
    The residuals are those at x, by the derivatives where the model was evaluated.
    """
    w = ode.w
    parameters = ode.parameters
    first_row = pr.row_start[c]
    rows = pr.row_start[c + 1] - first_row
    first_column = pr.column_start[c]
    columns = pr.column_start[c + 1] - first_column
    jacobian = pr.jacobian
    gap = pr.gap
    weight = pr.weight
    for k in range(rows * columns):
        jacobian[k] = 0.0
    largest = 0.0
    for k in range(columns):
        largest = max(largest, abs(x[pr.state[first_column + k]]))
    for k in range(columns):
        state = pr.state[first_column + k]
        tolerance = pr.atol[state] + pr.rtol * abs(x[state])
        weight[k] = pr.share[state] * max(tolerance, _ROUNDING * largest)
    for i in range(rows):
        gap[i] = w[pr.residual[first_row + i]]
        pr.length[first_row + i] = 0.0
    for e in range(pr.entry_start[c], pr.entry_start[c + 1]):
        place = pr.entry_place[e]
        value = parameters[place] if pr.of_parameter[e] != 0 else w[place]
        column = pr.entry_column[e]
        slope = pr.sign[e] * value
        number = pr.entry_row[e]
        jacobian[number * columns + column] += slope * weight[column]
        state = pr.state[first_column + column]
        gap[number] += slope * (x[state] - w[ode.state_index[state]])
        moves = slope * pr.share[state] * max(abs(x[state]), pr.size[state])
        pr.length[first_row + number] += moves * moves
    for i in range(rows):
        pr.most_length[first_row + i] = max(pr.most_length[first_row + i], pr.length[first_row + i])
        row = jacobian[i * columns :]
        residual = gap[i]
        if abs(residual) > pr.residual_now:
            pr.residual_now = abs(residual)
            pr.residual_row = first_row + i
        squared = 0.0
        for k in range(columns):
            squared += row[k] * row[k]
        longest = max(pr.longest[first_row + i], sqrt(squared))
        pr.longest[first_row + i] = longest
        inverse = 1.0 / longest if longest > 0.0 else 0.0
        gap[i] = inverse * residual
        for k in range(columns):
            row[k] = inverse * row[k]


@procedure(inline=True)
def product(count: i64, a: Array[f64], b: Array[f64]) -> f64:
    """The scalar product of two rows."""
    total = 0.0
    for k in range(count):
        total += a[k] * b[k]
    return total


@procedure
def factor_rows(pr: Projection, rows: i64, columns: i64, most: i64, smallest: f64) -> i64:
    """The Cholesky factor of J J^T with at most so many rows, those first that others repeat least; their number.

    Row order[i] of the factor has i + 1 elements; `left` are the squared lengths of what is left of the rows.
    """
    jacobian = pr.jacobian
    factor = pr.factor
    left = pr.left
    order = pr.order
    for i in range(rows):
        order[i] = i
        row = jacobian[i * columns :]
        left[i] = product(columns, row, row)
    for k in range(most):
        best = k
        for i in range(k + 1, rows):
            if left[order[i]] > left[order[best]]:
                best = i
        pivot = order[best]
        if left[pivot] <= smallest:
            return k
        order[best] = order[k]
        order[k] = pivot
        diagonal = sqrt(left[pivot])
        of_pivot = factor[pivot * rows :]
        of_pivot[k] = diagonal
        for i in range(k + 1, rows):
            number = order[i]
            of_row = factor[number * rows :]
            full = product(columns, jacobian[number * columns :], jacobian[pivot * columns :])
            value = (full - product(k, of_row, of_pivot)) / diagonal
            of_row[k] = value
            left[number] -= value * value
    return most


@procedure
def note_reach(pr: Projection, c: i64, rank: i64) -> None:
    """How near the factored rows of a component are to repeating each other."""
    if rank == pr.rank[c]:
        last = pr.order[rank - 1] if rank > 0 else 0
        if rank > 1 and pr.left[last] < pr.reach * pr.reach:
            pr.reach = sqrt(pr.left[last])
            pr.near_row = pr.row_start[c] + last
        return
    first = pr.row_start[c]
    rows = pr.row_start[c + 1] - first
    columns = pr.column_start[c + 1] - pr.column_start[c]
    missing = pr.rank[c] - rank
    found = -1
    for k in range(rank, rows):
        number = pr.order[k]
        row = pr.jacobian[number * columns :]
        if product(columns, row, row) <= _RELEASED:
            if pr.longest[first + number] > 0.0:  # of a latch that has opened
                missing -= 1
        elif found < 0 or pr.left[number] > pr.left[found]:
            found = number
    if missing > 0 and found >= 0:
        pr.reach = 0.0
        pr.lost_row = first + found


@procedure
def note_reach_by_sizes(pr: Projection, c: i64, x: Array[f64]) -> None:
    """The same for rows that repeat each other in tolerances, by the sizes of states; the rows change.

    Tolerances of states that are small for a while (of a rod that passes its dead centre) hide what rows have of their
    own: they are ten thousand times smaller than those of angles that have turned many times.
    """
    first = pr.row_start[c]
    rows = pr.row_start[c + 1] - first
    columns = pr.column_start[c + 1] - pr.column_start[c]
    for i in range(rows):
        row = pr.jacobian[i * columns :]
        most = sqrt(pr.most_length[first + i])
        for k in range(columns):
            state = pr.state[pr.column_start[c] + k]
            if pr.weight[k] > 0.0 and most > 0.0:
                row[k] *= pr.longest[first + i] / most * max(abs(x[state]), pr.size[state]) / pr.weight[k]
    note_reach(pr, c, factor_rows(pr, rows, columns, pr.rank[c], pr.smallest))
