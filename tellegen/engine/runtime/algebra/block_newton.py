"""Native solution of a Solve step (ir/ode.py): linear systems at once, others by Newton's method.

    solve_step     evaluate all residuals;  judge the trial of each block;  Jacobians where needed;  next trials

All blocks of a step are evaluated together, but each has its own damping and is done when it is done. Trials are
judged by the next simplified correction in scaled unknowns (natural monotonicity test; Deuflhard, Newton Methods for
Nonlinear Problems, 2004, sec. 3.3), as in engine/linear_algebra/damped_newton.py. The guess is what the work vector
holds: the last solution.
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.algebra.block_linear_algebra import block_factor, correction, factor_as_far
from tellegen.engine.runtime.algebra.dense_lu import null_vector
from tellegen.engine.runtime.algebra.ode_rhs import Ode, SolveStep, call_entry
from tellegen.procedures.language import f64, i32, i64, procedure, sqrt

_FRESH = 0
_TRIAL = 1
_DONE = 2
_FAILED = 3
_TOLERANCE = 1e-9
_SMALL_STEP = 1e-8  # an undamped step of this size leaves an error of about its square
_AGREES = 1e-9  # of the residuals of a singular system, what may be left of them
_ROUNDING = 1e-12
_STUCK = 1e-6  # steps of this size that do not shrink are rounding


@procedure
def inner_unknowns(t: f64, ode: Ode, step: SolveStep) -> None:
    """Compute the inner unknowns of a step from its tears."""
    for k in range(step.inner_entries):
        call_entry(t, ode, step.inner[k], ode.residual)


@procedure(inline=True)
def forget_tears(ode: Ode, step: SolveStep) -> None:
    """Which unknowns are beyond the rank changes with position: from zero they are zero, not what they were before."""
    for j in range(step.tears):
        ode.w[step.tear_index[j]] = 0.0


@procedure
def closed_formulas(t: f64, ode: Ode, step: SolveStep) -> bool:
    """Whether closed formulas give a solution; where they do not, the tears start from zero."""
    if step.closed is None:
        return False
    call_entry(t, ode, step.closed, ode.residual)
    w = ode.w
    positions = step.tear_index
    doubt = 0.0
    for j in range(step.tears):
        value = w[positions[j]]
        doubt += value - value  # zero, or NaN
    if doubt == 0.0:
        return True
    forget_tears(ode, step)
    return False


@procedure(seldom=True)
def worst_residual(ode: Ode, step: SolveStep) -> f64:
    """The largest residual of the rows that judge."""
    worst = 0.0
    for j in range(step.tears):
        worst = max(worst, abs(ode.residual[step.judge_row[j]]))
    return worst


@procedure(seldom=True)
def size_of_terms(ode: Ode, step: SolveStep) -> f64:
    """How large the terms of rows may be: the largest entry of the factors with the largest unknown."""
    entry = 0.0
    for i in range(step.matrix_start[step.blocks]):
        entry = max(entry, abs(step.matrix[i]))
    unknown = 0.0
    for j in range(step.tears):
        place = step.tear_index[j]
        unknown = max(unknown, max(abs(ode.w[place]), ode.scale[place]))
    return entry * unknown


@procedure(seldom=True)
def moves_rates(t: f64, ode: Ode, step: SolveStep, block: i64) -> bool:
    """Whether the rates of states are among what a singular block does not determine."""
    same = step.same[block]
    first = step.tear_start[block]
    n = step.tear_start[block + 1] - first
    rates = ode.w[ode.size :]
    for s in range(ode.state_count):
        ode.at_root[s] = rates[ode.state_index[s]]
    found = False
    for free in range(step.rank[same], n):
        columns = step.column_pivots[step.tear_start[same] :]
        null_vector(step.matrix[step.matrix_start[same] :], columns, n, step.rank[same], free, step.change[first:])
        for j in range(first, first + n):
            place = step.tear_index[j]
            step.before[j] = ode.w[place]
            ode.w[place] += step.change[j]
        inner_unknowns(t, ode, step)
        for s in range(ode.state_count):
            found = found or not (abs(rates[ode.state_index[s]] - ode.at_root[s]) <= _AGREES)
        for j in range(first, first + n):
            ode.w[step.tear_index[j]] = step.before[j]
        inner_unknowns(t, ode, step)
    return found


@procedure(seldom=True)
def is_one_of_several(t: f64, ode: Ode, step: SolveStep, residual: f64) -> bool:
    """Whether what the factors up to the rank give is a solution, with rates that are determined."""
    for k in range(step.blocks):
        if not (correction(ode, step, k) < math.inf):
            return False
        for j in range(step.tear_start[k], step.tear_start[k + 1]):
            ode.w[step.tear_index[j]] -= step.x[j]
    inner_unknowns(t, ode, step)
    call_entry(t, ode, step.residual, ode.residual)
    if not (worst_residual(ode, step) <= _AGREES * residual + _ROUNDING * size_of_terms(ode, step)):
        return False
    moved = False
    for k in range(step.blocks):
        moved = moved or moves_rates(t, ode, step, k)
    return not moved


@procedure(seldom=True)
def solve_singular(t: f64, ode: Ode, step: SolveStep) -> i32:
    """One of the solutions, where the matrix is singular and the equations agree all the same; else 1.

    Two brakes hold a shaft: its acceleration is determined, how they share the load is not, and one has all of it.
    """
    if not ode.may_share or step.lu is not None or step.is_deficient:
        return 1
    residual = worst_residual(ode, step)
    found = True
    for k in range(step.blocks):
        if step.same[k] == k:
            found = factor_as_far(step, k) >= 0 and found
    found = found and is_one_of_several(t, ode, step, residual)
    for k in range(step.blocks):
        step.rank[k] = step.tear_start[k + 1] - step.tear_start[k]
    if found:
        ode.shared += 1
        step.is_shared = True
    return int(not found)


@procedure
def solve_linear(t: f64, ode: Ode, step: SolveStep) -> i32:
    """Closed formulas, or one correction; matrices that stay, or that blocks have in common, are factored once."""
    if step.is_deficient:
        forget_tears(ode, step)
    elif closed_formulas(t, ode, step):
        return 0
    inner_unknowns(t, ode, step)
    call_entry(t, ode, step.residual, ode.residual)
    if not (step.factored and step.constant):
        call_entry(t, ode, step.jacobian, step.values)
        for k in range(step.blocks):
            if step.same[k] == k and block_factor(step, k) != 0:
                return solve_singular(t, ode, step)
        step.factored = True
    w = ode.w
    for k in range(step.blocks):
        if not (correction(ode, step, k) < math.inf):
            return 1
        for j in range(step.tear_start[k], step.tear_start[k + 1]):
            w[step.tear_index[j]] -= step.x[j]
    inner_unknowns(t, ode, step)
    return 0


@procedure
def size_at_base(ode: Ode, step: SolveStep, block: i64) -> f64:
    """The last correction relative to the unknowns before the trial: on the way to zero they shrink as it does."""
    total = 0.0
    for j in range(step.tear_start[block], step.tear_start[block + 1]):
        ratio = step.x[j] / max(ode.scale[step.tear_index[j]], abs(step.base[j]))
        total += ratio * ratio
    return sqrt(total)


@procedure
def judge(ode: Ode, step: SolveStep, block: i64) -> None:
    """Accept the trial of a block, finish it, or go back half the way."""
    w = ode.w
    positions = step.tear_index
    first = step.tear_start[block]
    end = step.tear_start[block + 1]
    factor = step.damping[block]
    size = step.length[block]
    next_size = correction(ode, step, block)
    undamped = factor == 1.0
    enough = max(_TOLERANCE, (1.0 - 0.25 * factor) * size)
    if next_size <= enough or size_at_base(ode, step, block) <= enough:
        if undamped and next_size <= _TOLERANCE:
            step.status[block] = _DONE
            for j in range(first, end):
                w[positions[j]] -= step.x[j]
        else:
            step.status[block] = _FRESH
        return
    if undamped and size <= _STUCK and next_size < math.inf:
        step.status[block] = _DONE
        return
    factor = 0.5 * factor
    step.damping[block] = factor
    if factor < step.smallest_damping:
        step.status[block] = _FAILED
    for j in range(first, end):
        w[positions[j]] = step.base[j] + factor * step.change[j]


@procedure
def new_step(ode: Ode, step: SolveStep, block: i64) -> None:
    """A new Newton step for a block whose residual and Jacobian are up to date."""
    step.status[block] = _FAILED
    if block_factor(step, block) != 0:
        return
    w = ode.w
    x = step.x
    base = step.base
    change = step.change
    positions = step.tear_index
    first = step.tear_start[block]
    end = step.tear_start[block + 1]
    for j in range(first, end):
        base[j] = w[positions[j]]
    length = correction(ode, step, block)
    if not (length < math.inf):
        return
    factor = min(1.0, step.longest_step / length)
    for j in range(first, end):
        change[j] = -x[j]
        w[positions[j]] -= factor * x[j]
    step.length[block] = length
    step.damping[block] = factor
    step.status[block] = _DONE if length <= _SMALL_STEP else _TRIAL


@procedure
def seen(step: SolveStep) -> i64:
    """The statuses of the blocks: bit k is set if one of them has status k."""
    found = 0
    for k in range(step.blocks):
        found |= 1 << step.status[k]
    return found


@procedure
def iterate(t: f64, ode: Ode, step: SolveStep) -> bool:
    """Newton's method for all blocks at once; whether it converged."""
    for _ in range(step.most_trials):
        inner_unknowns(t, ode, step)
        call_entry(t, ode, step.residual, ode.residual)
        for k in range(step.blocks):
            if step.status[k] == _TRIAL:
                judge(ode, step, k)
        found = seen(step)
        if found & (1 << _FAILED) != 0:
            return False
        if found & (1 << _FRESH) != 0:
            call_entry(t, ode, step.jacobian, step.values)
            for k in range(step.blocks):
                if step.status[k] == _FRESH:
                    new_step(ode, step, k)
            found = seen(step)
            if found & (1 << _FAILED) != 0:
                return False
        if found & (1 << _TRIAL) == 0:
            inner_unknowns(t, ode, step)
            return True
    return False


@procedure
def solve_step(t: f64, ode: Ode, step: SolveStep) -> i32:
    """Solve all blocks of a step; 1 when one of them has no solution near the guess."""
    if ode.leaves_loops and step.may_be_left:
        inner_unknowns(t, ode, step)
        call_entry(t, ode, step.residual, ode.residual)
        return 0
    if step.linear:
        return solve_linear(t, ode, step)
    w = ode.w
    positions = step.tear_index
    before = step.before
    for j in range(step.tears):
        before[j] = w[positions[j]]
    for k in range(step.blocks):
        step.status[k] = _FRESH
    if iterate(t, ode, step):
        return 0
    for j in range(step.tears):  # a failed solution must not be the next one's start
        w[positions[j]] = before[j]
    return 1
