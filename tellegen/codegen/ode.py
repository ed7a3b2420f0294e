"""SortedModel -> OdeProgram: steps that compute everything from time and states.

levels of explicit rows       -> Compute steps; short ones are joined into one piece of straight-line code
blocks that must be solved    -> one Solve step per level and way of solving, large blocks each on their own
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.codegen.closed import closed_loops
from tellegen.codegen.explicit import divisor_loops, solved_loops
from tellegen.codegen.llvm import INLINE_ROWS
from tellegen.codegen.shared_calls import share_calls
from tellegen.codegen.solve import StepRows, jacobian_loops, residual_loops, same_matrices, sparse_pattern
from tellegen.dataflow.rows import Rows, rows_of
from tellegen.ir.model import Array
from tellegen.ir.ode import Compute, OdeProgram, Solve, Step
from tellegen.ir.program import Entry, Loop
from tellegen.ir.sorted import EXPLICIT, LINEAR, Blocks, SortedModel

LARGEST_DENSE = 60
"""Systems of more unknowns are factored by the sparse solver."""

MOST_CODE = 4000
"""More pieces of code than that (rows written out, loops) are not worth compiling."""

_ARRAYS = ("y", "yp", "p", "r")


def lower_ode(model: SortedModel) -> OdeProgram | str:
    """See the top of this file; a string gives the reason if the model does not support ODE mode."""
    blocks = model.blocks
    if blocks.reason:
        return blocks.reason
    rows = rows_of(model)
    kind_of_row = blocks.kind[blocks.block]
    level_of_row = blocks.level[blocks.block]
    explicit = solved_loops(model, rows, np.where(kind_of_row == EXPLICIT, level_of_row, -1))
    plan = _Plan()
    solving = np.flatnonzero(blocks.kind != EXPLICIT)
    stages = np.union1d(sorted(explicit), np.unique(blocks.level[solving])).astype(int)
    if sum(_code(loop) for loops in explicit.values() for loop in loops) > MOST_CODE:
        return f"its equations would be more than {MOST_CODE} pieces of code (a long chain of different equations)"
    for level in stages.tolist():
        plan.explicit(explicit.get(level, []))
        for chosen, sparse in _alike(blocks, solving[blocks.level[solving] == level]):
            plan.flush()
            plan.steps.append(_solve_step(model, rows, plan, chosen, sparse))
    plan.flush()
    states = np.flatnonzero(model.is_state).astype(np.int32)
    loops, divided = divisor_loops(model, rows, kind_of_row == EXPLICIT)
    divisors = plan.add("divisors", loops) if loops else ""
    return OdeProgram(plan.entries, tuple(plan.steps), len(model.unknowns), states, divisors, divided)


def _code(loop: Loop) -> int:
    """Pieces of code a loop costs: rows written out, or about ten times as much for a loop that is optimized."""
    return loop.rows if loop.rows <= INLINE_ROWS else 10


@dataclass(eq=False)
class _Plan:
    """Entries and steps on their way; `waiting` are short loops that the next ones may join."""

    entries: dict[str, Entry] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    waiting: list[Loop] = field(default_factory=list)

    def explicit(self, loops: list[Loop]) -> None:
        """One level: short loops wait for those of the next level, long ones end the waiting."""
        loops = share_calls(loops)
        sums = [loop for loop in loops if loop.accumulates]
        short = [loop for loop in loops if loop.rows <= INLINE_ROWS]
        if sums or len(short) < len(loops):
            self.flush()
            self.steps += [Compute(name) for name in self.ordered(loops, "explicit")]
        else:
            self.waiting += short

    def flush(self) -> None:
        """Short loops that wait become a step."""
        if self.waiting:
            self.steps.append(Compute(self.add("explicit", self.waiting)))
            self.waiting = []

    def add(self, what: str, loops: list[Loop], result: str = "r") -> str:
        """A new entry."""
        name = f"{what}_{len(self.entries)}"
        self.entries[name] = Entry(name, ("t",), (*_ARRAYS[:3], result), tuple(loops))
        return name

    def ordered(self, loops: list[Loop], what: str) -> list[str]:
        """Loops of one level as an entry."""
        return [self.add(what, loops)] if loops else []


def _alike(blocks: Blocks, solving: Array) -> list[tuple[Any, bool]]:
    """Blocks of one level by how they are solved; large ones each on their own."""
    sparse = blocks.tears[solving] > LARGEST_DENSE
    out = [(np.array([block]), True) for block in solving[sparse]]
    small = solving[~sparse]
    way = 2 * blocks.kind[small] + blocks.constant[small]
    return out + [(small[way == w], False) for w in np.unique(way)]


def _solve_step(model: SortedModel, rows: Rows, plan: _Plan, chosen: Array, sparse: bool) -> Solve:
    blocks = model.blocks
    step = StepRows.of(blocks, chosen)
    member = step.index >= 0
    inner = solved_loops(model, rows, np.where(member, blocks.inner, -1)) if step.inner_count.any() else {}
    loops, entries = jacobian_loops(model, rows, step, sparse)
    judges = step.judges
    tears = blocks.assigned[judges]
    position = np.where(model.is_state[tears], len(model.unknowns) + tears, tears)
    linear = bool(blocks.kind[chosen[0]] == LINEAR)
    closed = closed_loops(model, rows, step) if linear and not sparse else []
    alike = linear and not sparse and model.flat.tangents is not None
    same = same_matrices(step, entries) if alike else np.arange(len(chosen), dtype=np.int32)
    return Solve(
        inner=_inner_entries(plan, inner),
        residual=plan.add("residual", share_calls(residual_loops(rows, step))),
        jacobian=plan.add("jacobian", share_calls(loops), "values"),
        linear=linear,
        constant=bool(blocks.constant[chosen[0]]),
        row_start=step.start.astype(np.int32),
        inner_count=step.inner_count.astype(np.int32),
        tear_start=np.concatenate([[0], np.cumsum(np.diff(step.start) - step.inner_count)]).astype(np.int32),
        tear_index=position.astype(np.int32),
        judge_row=judges.astype(np.int32),
        entry_start=entries.start if not sparse else np.zeros(1, np.int32),
        entry_column=entries.minor if not sparse else np.zeros(0, np.int32),
        rows=step.rows,
        same=same,
        pattern=sparse_pattern(len(step.rows), entries.start, entries.minor) if sparse else None,
        closed=plan.add("closed", closed) if closed else "",
    )


def _inner_entries(plan: _Plan, inner: dict[int, list[Loop]]) -> tuple[str, ...]:
    """Inner levels as entries in order, short ones joined."""
    own = _Plan(plan.entries)
    for level in sorted(inner):
        own.explicit(inner[level])
    own.flush()
    return tuple(step.entry for step in own.steps if isinstance(step, Compute))
