"""The steps of ODE mode as straight-line code; linear algebraic loops are solved on the way.

    block  v1 = R1*i,  v2 = R2*i,  u - v1 - v2 = 0      tear i, inner v1, v2

With tears of zero the rows that judge leave b; their derivatives by the tears, by the chain rule along the rows, are
the matrix A. The tears are the solution of A*i = -b, and the inner unknowns follow from them. Slopes by states and time
are solutions for other right-hand sides with the same factors.
"""

from __future__ import annotations

from tellegen.codegen.scalar import literal
from tellegen.ensembles.model.derivatives import SeededSlopes, StraightSlopes
from tellegen.ensembles.model.linear_blocks import Block, Pivoted, blocks_of
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
    trial = SeededSlopes(straight.places, straight.printer, dict(straight.known))
    for block in blocks:
        for number, tear in enumerate(block.tears):
            trial.known[tear] = literal(0.0)
            trial.slopes[tear] = {number: literal(1.0)}
    for name in (*step.inner, step.residual):
        trial.rows(program.entries[name].loops)
    found = []
    for block in blocks:
        slopes = [trial.slopes_of(*judge) for judge in block.judges]
        matrix = [[row.get(number, literal(0.0)) for number in range(len(block.tears))] for row in slopes]
        factors = Pivoted(straight.printer, matrix)
        right = [straight.printer.emit(f"fneg double {trial.known[judge]}") for judge in block.judges]
        straight.known |= dict(zip(block.tears, factors.solve(right), strict=True))
        found.append((block, factors))
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
