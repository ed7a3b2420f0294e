"""States whose tolerances leave algebraic unknowns undetermined.

    a coil in series with a diode that blocks     1e-12 A decide over volts, of which 1e-9 A say nothing

An algebraic unknown z follows from the states x, and so does its error: dz = -(dF/dz)^-1 dF/dx dx. Where the absolute
tolerance of a state moves a z by a notable part of its own size, the state needs a smaller one, however large the
state is at other times. The error test of the states does not see it, and the steps look fine.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.integrators.dynamic_state_selection import depends_on_point
from tellegen.engine.linear_algebra.pivoted_lu import SparseLU
from tellegen.engine.linear_algebra.pivots import SingularMatrixError, choose_pivots
from tellegen.engine.loaded.local_equations import LocalSystem
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.results.solution import Solution
from tellegen.ir.model import FloatArray, IntArray
from tellegen.ir.program import Pattern

_NOTABLE = 1e-2  # of the size of an algebraic unknown
_UNDETERMINED = 1e-2
_WANTED = 1e-3
_MOST_UNKNOWNS = 300
_ROWS = 8  # of the solution, at which it is looked at
_DENSE = 60  # unknowns up to which matrices are dense


def wanted_tolerances(model: NativeModel, solution: Solution, atol: FloatArray, size: FloatArray) -> FloatArray:
    """Absolute tolerances that the unknowns need; infinite where those they have are small enough."""
    count = len(size)
    wanted = np.full(count, np.inf)
    is_state = model.reduced.is_state
    if count > _MOST_UNKNOWNS or is_state.all() or not is_state.any():
        return wanted
    if depends_on_point(model):  # gains are large where the states are badly chosen, which is watched
        return wanted
    largest = np.maximum(size, np.abs(solution.unknowns).max(axis=0))
    last = len(solution.time) - 1
    rows = np.array(sorted({k * last // (_ROWS - 1) for k in range(_ROWS)}))
    relative = np.abs(_gains(model, solution, rows)[:, ~is_state]) / largest[~is_state, None]
    strongest = relative.max(axis=1)  # at each row, by each state
    states = np.flatnonzero(is_state)
    for row, k in np.argwhere(strongest * atol[is_state] > _NOTABLE).tolist():
        state = int(states[k])
        if _moves(_system(model, solution, int(rows[row])), state, float(atol[state]), largest):
            wanted[state] = min(wanted[state], _WANTED / float(strongest[row, k]))
    return wanted


def _moves(system: LocalSystem, state: int, by: float, largest: FloatArray) -> bool:
    """Whether a state that moves by its tolerance moves an algebraic unknown by much of its size.

    Gains alone may be those of a square root at zero.
    """
    here = system.y
    for way in (by, -by):
        there = here.copy()
        there[state] += way
        found = system.solved(system.t, there)
        if found is not None:
            moved = np.abs(system.values(found) - here) / largest
            if bool((moved[~system.is_state] > _UNDETERMINED).any()):
                return True
    return False


def _system(model: NativeModel, solution: Solution, row: int) -> LocalSystem:
    """The equations at a row of the solution."""
    system = LocalSystem(model, _parameters(solution, row))
    system.t = float(solution.time[row])
    system.y = solution.unknowns[row]
    return system


def _parameters(solution: Solution, row: int) -> FloatArray:
    history = solution.history
    return solution._p if history is None else history.numbers(int(history.segment[row]))


def _gains(model: NativeModel, solution: Solution, rows: IntArray) -> FloatArray:
    """How much each unknown moves with each state, at rows of the solution; zero where that has no answer.

    For all rows at once: row by row it would take as long as the steps of a small model.
    """
    pattern = model.program.pattern
    is_state = model.reduced.is_state
    y = solution.unknowns[rows]
    p = np.array([_parameters(solution, row) for row in rows.tolist()])
    times = solution.time[rows].tolist()
    nothing = np.zeros(len(is_state))
    by_value = np.zeros((len(rows), pattern.count))
    by_rate = np.zeros((len(rows), pattern.count))
    jacobian = model.entries["jacobian"]
    jacobian.at_rows([(t, 1.0, 0.0) for t in times], y, nothing, p, by_value)
    jacobian.at_rows([(t, 0.0, 1.0) for t in times], y, nothing, p, by_rate)
    by_derivative = np.where(is_state[pattern.column_of_entry], by_rate, by_value)
    solved = _solved_sparse if len(is_state) > _DENSE else _solved_dense
    gains = solved(pattern, by_derivative, _matrices(pattern, by_value)[:, :, is_state])
    return np.where(np.isfinite(gains).all(axis=(1, 2), keepdims=True), gains, 0.0)


def _matrices(pattern: Pattern, values: FloatArray) -> FloatArray:
    """Dense, from the entries of each."""
    matrices = np.zeros((len(values), *pattern.shape))
    matrices[:, pattern.indices, pattern.column_of_entry] = values
    return matrices


def _solved_dense(pattern: Pattern, values: FloatArray, right: FloatArray) -> FloatArray:
    """The solutions of several systems; not a number where one has none."""
    try:
        return np.asarray(np.linalg.solve(_matrices(pattern, values), right), float)
    except np.linalg.LinAlgError:
        if len(values) == 1:
            return np.full(right.shape, np.nan)
    one_by_one = zip(values, right, strict=True)
    return np.concatenate([_solved_dense(pattern, entries[None], side[None]) for entries, side in one_by_one])


def _solved_sparse(pattern: Pattern, values: FloatArray, right: FloatArray) -> FloatArray:
    """The same for larger systems: LAPACK would take all cores, and wait for those that are busy."""
    gains = np.full(right.shape, np.nan)
    factors: SparseLU | None = None
    for row, entries in enumerate(values):
        try:
            factors = factors or SparseLU(pattern, choose_pivots(pattern, entries))
            factors.factor(entries)
        except SingularMatrixError:
            continue
        for column in range(right.shape[2]):
            gains[row, :, column] = factors.solve(right[row, :, column])
    return gains
