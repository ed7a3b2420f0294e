"""What must hold of an OdeProgram: each step reads only what steps before it have computed, and nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tellegen.ir.check.faults import Indices, refuse, repeated, within
from tellegen.ir.check.program import assigned, entry_faults
from tellegen.ir.expressions.expr import Slot, walk
from tellegen.ir.ode import Compute, OdeProgram, Solve
from tellegen.ir.program import SCALAR, Entry, Loop
from tellegen.ir.reduced import BoolArray


def check_ode_program(program: OdeProgram, parameters: int) -> None:
    """Raise E903 when an OdeProgram over a vector of so many parameters is not well formed."""
    refuse("the program of ODE mode", _faults(program, parameters))


def _faults(program: OdeProgram, parameters: int) -> Iterator[str]:
    n = program.size
    if not within(program.states, n) or repeated(program.states):
        yield "a state that does not exist, or occurs twice"
    for name, entry in program.entries.items():
        yield from (f"{name}: {fault}" for fault in entry_faults(entry, {"y": n, "yp": n, "p": parameters}))
    known = np.zeros(2 * n, bool)  # values, then rates
    known[program.states] = True
    for number, step in enumerate(program.steps):
        if number == program.rate_steps and not known[n + program.states].all():
            yield "the rate of a state that no step for rates computes"
        if isinstance(step, Compute):
            yield from _computed(program, [step.entry], known)
        else:
            yield from _solved(program, step, known)
    wanted = np.ones(n, bool)
    wanted[program.states] = False
    if not known[:n].all() or (known[n:] == wanted).any():
        yield "the value of an unknown or the rate of a state that no step computes"


def _computed(program: OdeProgram, names: Iterable[str], known: BoolArray) -> Iterator[str]:
    """What entries read is known, and what they assign was not; afterwards it is."""
    for name in names:
        if name not in program.entries:
            yield f"a step that runs '{name}', which does not exist"
        for loop in sorted(program.entries[name].loops, key=lambda loop: loop.accumulates):
            if not (_recurrent(loop, known) if loop.recurrent else known[_read(loop, program.size)].all()):
                yield f"{name}: an unknown is read before it is computed"
            mine = _written(Entry(name, (), (), (loop,)), program.size)
            if known[mine].any() or repeated(mine):
                yield f"{name}: an unknown is computed twice"
            known[mine] = True


def _recurrent(loop: Loop, known: BoolArray) -> bool:
    """Whether a loop whose stores read what earlier ones wrote finds everything it reads."""
    n = len(known) // 2
    begin = {"y": 0, "yp": n}
    steps = len(loop.stores) * np.arange(loop.rows)
    when = np.where(known, -1, np.iinfo(np.int64).max)
    for k, store in enumerate(loop.stores):
        when[begin[store.array] + loop.table[:, store.column]] = steps + k
    for k, store in enumerate(loop.stores):
        for operand in {loop.operands[node.index] for node in walk(store.value) if isinstance(node, Slot)}:
            if operand.array in begin and operand.column != SCALAR:
                read = begin[operand.array] + loop.table[:, operand.column]
                if (when[read] >= steps + k).any():
                    return False
    return True


def _solved(program: OdeProgram, step: Solve, known: BoolArray) -> Iterator[str]:
    """Tears are guessed, inner rows follow from them, and the residual reads what is known by then."""
    tears = step.tear_index
    n = program.size
    if not within(tears, 2 * n) or known[tears].any() or repeated(tears):
        yield "a tear that does not exist, or is computed twice"
    if len(step.judge_row) != len(tears) or step.tear_start[-1] != len(tears):
        yield f"{len(tears)} tears with {len(step.judge_row)} equations that judge them"
    if step.row_start[-1] != len(step.rows) or int(step.inner_count.sum()) != len(step.rows) - len(tears):
        inner = int(step.inner_count.sum())
        yield f"blocks of {len(step.rows)} equations with {len(tears)} tears and {inner} inner unknowns"
    before = known.copy()
    known[tears] = True
    yield from _computed(program, step.inner, known)
    for name in (step.residual, step.jacobian):
        if name not in program.entries:
            yield f"a step that runs '{name}', which does not exist"
        if any(not known[_read(loop, n)].all() for loop in program.entries[name].loops):
            yield f"{name}: an unknown is read before it is computed"
    if step.closed:
        yield from _closed(program, step, before, known)


def _closed(program: OdeProgram, step: Solve, before: BoolArray, after: BoolArray) -> Iterator[str]:
    """Closed formulas give the same unknowns from the same ones."""
    for loop in program.entries[step.closed].loops:
        if not before[_read(loop, program.size)].all():
            yield f"{step.closed}: an unknown is read before it is computed"
    mine = np.zeros(len(before), bool)
    mine[_written(program.entries[step.closed], program.size)] = True
    if (mine != (after & ~before)).any():
        yield f"{step.closed}: the unknowns are not those of its blocks"


def _read(loop: Loop, n: int) -> Indices:
    """Values (y) and rates (n + y') that a loop reads."""
    begin = {"y": 0, "yp": n}
    parts = [
        begin[operand.array] + loop.table[:, operand.column]
        for operand in loop.operands
        if operand.array in begin and operand.column != SCALAR
    ]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _written(entry: Entry, n: int) -> Indices:
    """Values (y) and rates (n + y') that an entry assigns."""
    return np.concatenate([assigned(entry, "y"), n + assigned(entry, "yp")])
