"""SortedModel -> OdeProgram: steps that compute everything from time and states.

rows that serve outputs only  -> steps after all others (dataflow/output_rows.py)
explicit rows that recur      -> Compute steps with a recurrent loop each
levels of explicit rows       -> Compute steps; short ones are joined into one piece of straight-line code
blocks that must be solved    -> one Solve step per level and way of solving, large blocks each on their own
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from tellegen.codegen.closed import closed_loops
from tellegen.codegen.explicit import divisor_loops, solved_loops
from tellegen.codegen.llvm import INLINE_ROWS
from tellegen.codegen.shared_calls import share_calls
from tellegen.codegen.solve import StepRows, jacobian_loops, residual_loops, same_matrices, sparse_pattern
from tellegen.codegen.sweeps import Shapes, SweepLoops, parts_of
from tellegen.dataflow.output_rows import output_rows
from tellegen.dataflow.rows import Rows, rows_of
from tellegen.graph.arrays import distinct
from tellegen.graph.sweeps import Sweep
from tellegen.ir.model import Array, IntArray
from tellegen.ir.ode import Compute, OdeProgram, Solve, Step
from tellegen.ir.program import Entry, Loop
from tellegen.ir.reduced import BoolArray
from tellegen.ir.sorted import EXPLICIT, LINEAR, Blocks, SortedModel
from tellegen.start.records import dataclass

LARGEST_DENSE = 60
"""Systems of more unknowns are factored by the sparse solver."""

MOST_CODE = 20_000
"""More pieces of code than that (rows written out, loops) are not worth compiling."""

_ARRAYS = ("y", "yp", "p", "r")


def lower_ode(model: SortedModel) -> OdeProgram | str:
    """See the top of this file; a string gives the reason if the model does not support ODE mode."""
    blocks = model.blocks
    if blocks.reason:
        return blocks.reason
    rows = rows_of(model)
    plan = _Plan()
    explicit = (blocks.kind == EXPLICIT)[blocks.block]
    level = blocks.level[blocks.block]
    for_output = output_rows(model, rows)
    _in_order(model, rows, np.where(for_output, -1, level), explicit, plan)
    rate_steps = len(plan.steps)
    if for_output.any():
        _in_order(model, rows, np.where(for_output, level, -1), explicit, plan)
    if plan.code > MOST_CODE:
        return f"its equations would be more than {MOST_CODE} pieces of code (a long chain of different equations)"
    states = np.flatnonzero(model.is_state).astype(np.int32)
    loops, divided = divisor_loops(model, rows, explicit)
    divisors = plan.add("divisors", loops) if loops else ""
    return OdeProgram(plan.entries, tuple(plan.steps), rate_steps, len(model.unknowns), states, divisors, divided)


def _in_order(model: SortedModel, rows: Rows, level: IntArray, explicit: BoolArray, plan: _Plan) -> None:
    """Steps for the rows of level zero or more: recurrences as sweeps, the others level by level."""
    shapes = Shapes.of(model, rows, explicit & (level >= 0))
    sweep_loops = SweepLoops(shapes)
    for part in parts_of(model, rows, shapes, level):
        if isinstance(part, Sweep):
            plan.sweep(sweep_loops.loops(part))
            continue
        mine = np.zeros(len(level), bool)
        mine[part.rows] = True
        loops = solved_loops(model, rows, np.where(mine & explicit, level, -1))
        _by_level(model, rows, loops, distinct(model.blocks.block[mine & ~explicit]), plan)
    plan.flush()


def _by_level(model: SortedModel, rows: Rows, loops: dict[int, list[Loop]], solving: IntArray, plan: _Plan) -> None:
    """Steps for explicit rows and for blocks to be solved, level by level."""
    levels = model.blocks.level[solving]
    for level in sorted({*loops, *levels.tolist()}):
        plan.explicit(loops.get(level, []))
        for chosen, sparse in _alike(model.blocks, solving[levels == level]):
            plan.flush()
            plan.steps.append(_solve_step(model, rows, plan, chosen, sparse))


def _code(loop: Loop) -> int:
    """Pieces of code a loop costs: rows written out, or about ten times as much for a loop that is optimized."""
    return loop.rows if loop.rows <= INLINE_ROWS else 10


@dataclass(eq=False)
class _Plan:
    """Entries and steps on their way; `waiting` are short loops that the next ones may join."""

    entries: dict[str, Entry] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    waiting: list[Loop] = field(default_factory=list)
    code: int = 0  # pieces of it

    def sweep(self, runs: list[list[Loop]]) -> None:
        """Loops that run in order: a recurrent one by itself, or some of one row each."""
        for loops in runs:
            if loops[0].recurrent:
                self.flush()
                self.steps.append(Compute(self.add("sweep", loops)))
            else:
                self.code += len(loops)
                self.waiting += loops

    def explicit(self, loops: list[Loop]) -> None:
        """One level: short loops wait for those of the next level, long ones end the waiting."""
        loops = share_calls(loops)
        self.code += sum(_code(loop) for loop in loops)
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
    return out + [(small[way == w], False) for w in distinct(way)]


def _solve_step(model: SortedModel, rows: Rows, plan: _Plan, chosen: Array, sparse: bool) -> Solve:
    blocks = model.blocks
    step = StepRows.of(blocks, chosen)
    inner = _Plan(plan.entries)
    if step.inner_count.any():
        level = np.where(step.index >= 0, blocks.inner, -1)
        _in_order(model, rows, level, level >= 0, inner)
    loops, entries = jacobian_loops(model, rows, step, sparse)
    judges = step.judges
    tears = blocks.assigned[judges]
    position = np.where(model.is_state[tears], len(model.unknowns) + tears, tears)
    linear = bool(blocks.kind[chosen[0]] == LINEAR)
    closed = closed_loops(model, rows, step) if linear and not sparse else []
    alike = linear and not sparse and model.flat.tangents is not None
    same = same_matrices(step, entries) if alike else np.arange(len(chosen), dtype=np.int32)
    return Solve(
        inner=tuple(part.entry for part in inner.steps if isinstance(part, Compute)),
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
