"""Native: states jump together, by Newton's method (jump_system.py has the equations).

A reinit prescribes one jump: the impulse that makes it so comes from outside, through an equation that the reinit
stands for at this instant.
"""

from __future__ import annotations

from tellegen.engine.runtime.algebra.dense_lu import dense_factor, dense_solve
from tellegen.engine.runtime.impulses.jump_record import Doubt, JumpRun, Large
from tellegen.engine.runtime.impulses.jump_system import (
    factor,
    fill_after,
    fill_effect,
    fill_matrix,
    fill_tangent,
    find_moving,
    judge,
    solve,
)
from tellegen.ir.events import REINIT
from tellegen.procedures.language import f64, i32, i64, is_finite, procedure

_ITERATIONS = 40
_CHANGES = 1e-6  # of the terms of an equation: its coefficients are others after the jump
_NOTHING = 1e-12  # of the largest effect of an impulse
_NONE = -1


@procedure(seldom=True)
def share_jumps(t: f64, run: JumpRun) -> i32:
    """Let the states jump from where they were when this round began; reinits have changed theirs already.

    1 where a reinit cannot be carried out.
    """
    ev = run.events
    if t != run.doubt_time:
        run.all_doubts = run.all_doubts | run.doubts
    run.doubt_time = t
    run.doubts = 0
    gather_reinits(run)
    if not is_due(run):
        return 0
    if run.has_room == 0 and run.large is not None:
        run.large(Large.ROOM)
    for k in range(ev.size):
        run.y_before[k] = ev.y[k]
    for c in range(run.size):
        if run.jumping[c] >= 0:
            run.y_before[run.jumping[c]] = ev.y_round[run.jumping[c]]
    for k in range(run.reinit_count):
        run.wanted[k] = ev.y[run.reinit_place[k]] - run.y_before[run.reinit_place[k]]
    if find_jump(run):
        look_for_doubts(run)
        fill_after(run)
        for c in range(run.size):
            if run.jumping[c] >= 0:
                ev.y[run.jumping[c]] = run.y_after[run.jumping[c]]
        return 0
    run.doubts = Doubt.NOT_SOLVED
    for k in range(run.reinit_count):
        if run.is_state[run.reinit_place[k]] == 0:
            return 1
    return 0


@procedure(seldom=True)
def gather_reinits(run: JumpRun) -> None:
    """What the clauses of this round have reinitialized and impulses let jump; of several the last says so."""
    ev = run.events
    run.reinit_count = 0
    for c in range(ev.chosen_count):
        condition = ev.chosen[c]
        for action in range(ev.action_start[condition], ev.action_start[condition + 1]):
            place = ev.action_index[action]
            if ev.action_verb[action] == REINIT and run.column_of_state[place] >= 0:
                number = 0
                while number < run.reinit_count and run.reinit_place[number] != place:
                    number += 1
                run.reinit_count = max(run.reinit_count, number + 1)
                run.reinit_place[number] = place
                run.reinit_column[number] = run.column_of_state[place]
                run.reinit_condition[number] = condition


@procedure(seldom=True)
def is_due(run: JumpRun) -> bool:
    """Whether there is anything to share: not where a reinit changes only a state that nothing is tied to."""
    ev = run.events
    due = False
    for k in range(ev.impulse_count):
        due = due or ev.p[ev.impulse_index[k]] != ev.impulse_before[k]
    for k in range(ev.size):
        due = due or (run.jumps_with_others[k] != 0 and ev.y[k] != ev.y_round[k])
    for k in range(run.reinit_count):
        due = due or run.is_tied[run.reinit_place[k]] != 0
    return due


@procedure(seldom=True)
def find_jump(run: JumpRun) -> bool:
    """Jumps and impulses, one for each column; False where Newton's method finds none."""
    for c in range(run.size):
        run.jump[c] = 0.0
        run.is_prescribed[c] = 0
    for k in range(run.reinit_count):
        run.is_prescribed[run.reinit_column[k]] = 1
    fill_matrix(run, run.y_before, run.matrix)
    judge(run)
    if not find_given(run):
        return False
    for i in range(run.size):
        run.stays[i] = run.holds[i]
    for k in range(run.reinit_count):
        run.stays[run.given[k]] = 0
    find_moving(run)
    if run.part_size == 0:
        return True
    for e in range(run.entry_count):
        run.tangent[e] = run.matrix[e]
    for _ in range(_ITERATIONS):
        is_near = judge(run)
        if not (factor(run, run.tangent) and improve(run)):
            return False
        if is_near and judge(run):
            return True
        fill_tangent(run)
    return False


@procedure(seldom=True)
def improve(run: JumpRun) -> bool:
    """One step of Newton's method with the factored part; False where the result is not finite."""
    n = run.size
    for i in range(run.part_size):
        run.right[i] = -run.off[run.part_row[i]]
    solve(run)
    for c in range(n):
        run.step[c] = 0.0
    for c in range(run.part_size):
        run.step[run.part_column[c]] = run.right[c]
    m = run.reinit_count
    if m > 0:
        for k in range(m):
            fill_effect(run, k)
            column = run.reinit_column[k]
            run.small_right[k] = run.wanted[k] - run.jump[column] - run.step[column]
        fill_small(run, m)
        if dense_factor(run.small, run.small_pivots, m) != 0:
            return False
        dense_solve(run.small, run.small_pivots, m, run.small_right)
        for k in range(m):
            effect = run.effects[k * n :]
            for c in range(n):
                run.step[c] += effect[c] * run.small_right[k]
    finite = True
    for c in range(n):
        run.jump[c] += run.step[c]
        finite = finite and is_finite(run.jump[c])
    return finite


@procedure(seldom=True)
def fill_small(run: JumpRun, m: i64) -> None:
    """What impulses of the first reinits do to the states of these reinits, a row for each state."""
    for i in range(m):
        for k in range(m):
            run.small[i * m + k] = run.effects[k * run.size + run.reinit_column[i]]


# -- the equations that reinits stand for ---------------------------------------------------------------------------
@procedure(seldom=True)
def find_given(run: JumpRun) -> bool:
    """For each reinit the equation through which its impulse comes; False where there is none.

    Equations that may be one of them do not say that something stays where it is.
    """
    if run.reinit_count == 0:
        return True
    mark_single(run)
    for i in range(run.size):
        run.stays[i] = run.holds[i]
    for k in range(run.reinit_count):
        mark_rates(run, k)
        for i in range(run.size):
            if candidate_rank(run, k, i) != _NONE:
                run.stays[i] = 0
    find_moving(run)
    if run.part_size == 0 or not factor(run, run.matrix):
        return False
    for k in range(run.reinit_count):
        mark_rates(run, k)
        if not try_candidates(run, k):
            return False
    return True


@procedure(seldom=True)
def mark_single(run: JumpRun) -> None:
    """The integrated equations with a single unknown."""
    for i in range(run.size):
        run.count[i] = 0
    for e in range(run.entry_count):
        if run.matrix[e] != 0.0:
            run.count[run.entry_row[e]] += 1
    for i in range(run.size):
        run.is_single[i] = 1 if run.before[i] < 0 and run.count[i] == 1 else 0


@procedure(seldom=True)
def mark_rates(run: JumpRun, number: i64) -> None:
    """The integrated equations with the derivative of the state of a reinit."""
    for i in range(run.size):
        run.has_rate[i] = 0
    for e in range(run.entry_count):
        if run.entry_column[e] == run.reinit_column[number] and run.matrix[e] != 0.0:
            run.has_rate[run.entry_row[e]] = 1 if run.before[run.entry_row[e]] < 0 else 0


@procedure(seldom=True)
def candidate_rank(run: JumpRun, number: i64, i: i64) -> i64:
    """How likely an equation is what a reinit stands for: 0, 1, 2, or -1.

    Those with the derivative of its state, the component's own ones first; else those of the component that give no
    impulse to a single unknown, such as a force.
    """
    is_own = run.row_owner[i] == run.condition_owner[run.reinit_condition[number]]
    if run.has_rate[i] != 0:
        return 0 if is_own else 1
    return 2 if is_own and run.is_single[i] != 0 else _NONE


@procedure(seldom=True)
def try_candidates(run: JumpRun, number: i64) -> bool:
    """Take the first candidate whose impulse moves the state of the reinit in its own way; whether there is one."""
    for rank in range(3):
        for i in range(run.size):
            if candidate_rank(run, number, i) == rank and is_new(run, number, i):
                run.given[number] = i
                fill_effect(run, number)
                if is_regular(run, number + 1):
                    return True
    return False


@procedure(seldom=True)
def is_new(run: JumpRun, number: i64, i: i64) -> bool:
    """Whether no reinit before has taken an equation."""
    found = False
    for k in range(number):
        found = found or run.given[k] == i
    return not found


@procedure(seldom=True)
def is_regular(run: JumpRun, m: i64) -> bool:
    """Whether impulses move the states of the first reinits, each in its own way."""
    size = 0.0
    last = run.effects[(m - 1) * run.size :]
    for c in range(run.size):
        size = max(abs(last[c]), size)
    fill_small(run, m)
    norm = 0.0
    for i in range(m):
        row = run.small[i * m :]
        largest = 0.0
        for k in range(m):
            largest = max(abs(row[k]), largest)
        if not largest > _NOTHING * size:
            return False
        total = 0.0
        for k in range(m):
            row[k] = row[k] / largest
            total += abs(row[k])
        norm = max(norm, total)
    if dense_factor(run.small, run.small_pivots, m) != 0:
        return False
    for i in range(m):
        run.small_sum[i] = 0.0
    for k in range(m):
        for i in range(m):
            run.small_right[i] = 1.0 if i == k else 0.0
        dense_solve(run.small, run.small_pivots, m, run.small_right)
        for i in range(m):
            run.small_sum[i] += abs(run.small_right[i])
    inverse = 0.0
    for i in range(m):
        inverse = max(inverse, run.small_sum[i])
    return norm * inverse < 1.0 / _NOTHING


# -- what may be wrong ----------------------------------------------------------------------------------------------
@procedure(seldom=True)
def look_for_doubts(run: JumpRun) -> None:
    """Whether the integrals depend on the way, or positions jump, which no impulse achieves."""
    ev = run.events
    fill_after(run)
    fill_matrix(run, run.y_after, run.tangent)
    for i in range(run.size):
        run.off[i] = 0.0
        run.terms[i] = 0.0
    for e in range(run.entry_count):
        i = run.entry_row[e]
        by = run.jump[run.entry_column[e]]
        run.off[i] += (run.tangent[e] - run.matrix[e]) * by
        run.terms[i] += abs(run.matrix[e] * by)
    for i in range(run.size - 1, -1, -1):
        if run.before[i] < 0 and abs(run.off[i]) > _CHANGES * run.terms[i]:
            run.doubts = run.doubts | Doubt.COEFFICIENT_JUMPS
            run.changing_row = run.row[i]
    for k in range(ev.impulse_count):
        if run.moves_positions[k] != 0 and ev.p[ev.impulse_index[k]] != ev.impulse_before[k]:
            run.doubts = run.doubts | Doubt.POSITIONS_JUMP
