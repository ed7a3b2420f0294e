"""The steps of ODE mode as straight-line code; algebraic loops are solved on the way, here those that are linear.

    block  v1 = R1*i,  v2 = R2*i,  u - v1 - v2 = 0      tear i, inner v1, v2

With tears of zero the rows that judge leave b; their derivatives by the tears, by the chain rule along the rows, are
the matrix A. The tears are the solution of A*i = -b, and the inner unknowns follow from them. Slopes by states and time
are solutions for other right-hand sides with the same factors.
"""

from __future__ import annotations

from tellegen.codegen.scalar import literal
from tellegen.ensembles.model.derivatives import StraightSlopes
from tellegen.ensembles.model.linear_blocks import Block, Pivoted, blocks_of, systems_at
from tellegen.ensembles.model.nonlinear_blocks import solve_nonlinear
from tellegen.ensembles.model.straight import Straight
from tellegen.ir.ode import Compute, OdeProgram, Solve


def write_steps(straight: Straight, program: OdeProgram, first: int, last: int) -> None:
    """Some of the steps."""
    for step in program.steps[first:last]:
        if isinstance(step, Compute):
            straight.rows(program.entries[step.entry].loops)
        elif step.closed:
            straight.rows(program.entries[step.closed].loops)
        else:
            _solve(straight, program, step)


def _solve(straight: Straight, program: OdeProgram, step: Solve) -> None:
    """All unknowns of blocks, and their slopes."""
    factored = _factored(straight, program, step)
    if isinstance(straight, StraightSlopes):
        for block, _ in factored:
            straight.slopes |= {tear: {} for tear in block.tears}
        for name in (*step.inner, step.residual):
            straight.rows(program.entries[name].loops)
        for block, factors in factored:
            _take_slopes(straight, block, factors)
    for name in step.inner:
        straight.rows(program.entries[name].loops)


def _factored(straight: Straight, program: OdeProgram, step: Solve) -> list[tuple[Block, Pivoted]]:
    """The factors of blocks; their tears are known then."""
    blocks = blocks_of(program, step)
    if not step.linear:
        return solve_nonlinear(straight, program, step, blocks)
    zeros = [[literal(0.0)] * len(block.tears) for block in blocks]
    found = []
    for block, system in zip(blocks, systems_at(straight, program, step, blocks, zeros), strict=True):
        right = [straight.printer.emit(f"fneg double {left}") for left in system.left]
        straight.known |= dict(zip(block.tears, system.factors.solve(right), strict=True))
        found.append((block, system.factors))
    return found


def _take_slopes(straight: StraightSlopes, block: Block, factors: Pivoted) -> None:
    """How the tears move with what the rows that judge move with."""
    rows = [straight.slopes_of(*judge) for judge in block.judges]
    found: list[dict[int, str]] = [{} for _ in block.tears]
    for key in dict.fromkeys(key for row in rows for key in row):
        right = [straight.printer.emit(f"fneg double {row.get(key, literal(0.0))}") for row in rows]
        for one, value in zip(found, factors.solve(right), strict=True):
            one[key] = value
    straight.slopes |= dict(zip(block.tears, found, strict=True))
