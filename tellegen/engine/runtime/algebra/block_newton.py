"""Native solution of a Solve step (ir/ode.py): linear systems at once, others by Newton's method.

    solve_step     evaluate all residuals;  judge the trial of each block;  Jacobians where needed;  next trials

All blocks of a step are evaluated together, but each has its own damping and is done when it is done. Trials are
judged by the next simplified correction in scaled unknowns (natural monotonicity test; Deuflhard, Newton Methods for
Nonlinear Problems, 2004, sec. 3.3), as in engine/linear_algebra/damped_newton.py. The guess is what the work vector
holds: the last solution.
"""

from __future__ import annotations

import math

from tellegen.engine.runtime.algebra.block_linear_algebra import block_factor, correction
from tellegen.engine.runtime.algebra.ode_rhs import Ode, SolveStep, call_entry
from tellegen.procedures.language import f64, i32, i64, procedure, sqrt

_FRESH = 0
_TRIAL = 1
_DONE = 2
_FAILED = 3
_TOLERANCE = 1e-9
_SMALL_STEP = 1e-8  # an undamped step of this size leaves an error of about its square
_STUCK = 1e-6  # steps of this size that do not shrink are rounding


@procedure
def inner_unknowns(t: f64, ode: Ode, step: SolveStep) -> None:
    """Compute the inner unknowns of a step from its tears."""
    for k in range(step.inner_entries):
        call_entry(t, ode, step.inner[k], ode.residual)


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
    for j in range(step.tears):
        w[positions[j]] = 0.0
    return False


@procedure
def solve_linear(t: f64, ode: Ode, step: SolveStep) -> i32:
    """Closed formulas, or one correction; matrices that stay, or that blocks have in common, are factored once."""
    if not step.is_deficient and closed_formulas(t, ode, step):
        return 0
    inner_unknowns(t, ode, step)
    call_entry(t, ode, step.residual, ode.residual)
    if not (step.factored and step.constant):
        call_entry(t, ode, step.jacobian, step.values)
        for k in range(step.blocks):
            if step.same[k] == k and block_factor(step, k) != 0:
                return 1
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
