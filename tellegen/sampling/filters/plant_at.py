"""A plant inside a kernel: what it computes at a vector and a time, with derivatives, through its algebraic loops.

    v = f(x, z, t),  0 = m(x, z, t)         z by Newton's method,  dv/dx = f_x - f_z m_z^-1 m_x

A step that makes the sum of what should be zero larger is halved. Where that does not end, z is not a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan

import numpy as np

from tellegen.dataflow.scalar_rows import substituted
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Slot, Time, rebuild, same_with, walk
from tellegen.ir.model import FloatArray
from tellegen.sampling.linear_system import jacobian
from tellegen.sampling.tape import Matrix, Tape, product, solve, total
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, call, div, mul, sub, where
from tellegen.symbolic.evaluate import evaluate

_MOST = 100  # evaluations of a loop
_EXACT = 1e-13  # of what is sought: a correction that is smaller is the last one
_TINY = 1e-280
_HALF = Const(0.5)


@dataclass(frozen=True, eq=False)
class Loops:
    """What algebraic loops are solved for, what is zero then, and a first guess."""

    tears: tuple[int, ...]
    misses: tuple[Expr, ...]
    guess: FloatArray


@dataclass(frozen=True, eq=False)
class PlantAt:
    """`known` are the cells of inputs, parameters and the time; `solved` are slots that hold what was found last."""

    tape: Tape
    by: tuple[int, ...]
    known: dict[int, Expr]
    loops: Loops
    solved: list[Expr]

    def values(self, formulas: Sequence[Expr], vector: Sequence[Expr]) -> tuple[list[Expr], Matrix]:
        """Formulas at a vector, and their derivatives by it."""
        at = {**self.known, **dict(zip(self.by, vector, strict=True))}
        tears = self.loops.tears
        if not reads(formulas, tears):
            return _at(self.tape, formulas, self.by, at)
        self._solve(at)
        at |= dict(zip(tears, self.solved, strict=True))
        count = len(formulas)
        found, slopes = _at(self.tape, (*formulas, *self.loops.misses), (*self.by, *tears), at)
        n = len(self.by)
        moved = solve(self.tape, [row[n:] for row in slopes[count:]], [row[:n] for row in slopes[count:]])
        through = product([row[n:] for row in slopes[:count]], moved)
        pairs = zip(slopes[:count], through, strict=True)
        found = [self.tape.copied(value) for value in found[:count]]  # not what a later solution overwrites
        return found, [[self.tape.let(sub(row[k], other[k])) for k in range(n)] for row, other in pairs]

    def _solve(self, at: dict[int, Expr]) -> None:
        tape, loops, sought = self.tape, self.loops, self.solved
        kept = [tape.copied(value) for value in sought]
        step = [tape.copied(ZERO) for _ in sought]
        least, part, count, rest = (tape.copied(Const(value)) for value in (inf, 1.0, 0.0, inf))

        def goes_on() -> Expr:
            return Call("and", (Call("gt", (rest, ONE)), Call("lt", (count, Const(float(_MOST))))))

        def improve() -> None:
            misses, slopes = _at(tape, loops.misses, loops.tears, {**at, **dict(zip(loops.tears, sought, strict=True))})
            size = tape.let(total(call("abs", value) for value in misses))
            is_better = tape.let(where(Call("lt", (size, least)), ONE, ZERO))

            def accept() -> None:
                change = solve(tape, slopes, [[value] for value in misses])
                for k, value in enumerate(sought):
                    tape.store(kept[k], value)
                    tape.store(step[k], change[k][0])
                tape.store(least, size)

            tape.choose(Call("gt", (is_better, _HALF)), accept)
            tape.store(part, where(Call("gt", (is_better, _HALF)), ONE, mul(_HALF, part)))
            largest: Expr = ZERO
            for old, way, value in zip(kept, step, sought, strict=True):
                change = tape.let(mul(part, way))
                allowed = add(mul(Const(_EXACT), call("abs", old)), Const(_TINY))
                largest = tape.let(call("max", largest, div(call("abs", change), allowed)))
                tape.store(value, sub(old, change))
            tape.store(rest, largest)
            tape.store(count, add(count, ONE))

        tape.loop(goes_on, improve)
        for value in sought:
            tape.store(value, where(Call("le", (rest, ONE)), value, Const(nan)))


def _at(tape: Tape, values: Sequence[Expr], by: Sequence[int], at: dict[int, Expr]) -> tuple[list[Expr], Matrix]:
    """Values and derivatives, computed at what is known."""
    every = [*values, *(entry for row in jacobian(values, by) for entry in row)]
    shared = [tape.let(value) for value in tape.shared([substituted(value, at) for value in every])]
    n, width = len(values), len(by)
    return shared[:n], [shared[n + width * k : n + width * (k + 1)] for k in range(n)]


def reads(formulas: Sequence[Expr], cells: Sequence[int]) -> bool:
    """Whether formulas read some cells."""
    wanted = set(cells)
    return any(isinstance(node, Slot) and node.index in wanted for node in walk(*formulas))


def with_clock(value: Expr, clock: int) -> Expr:
    """A formula that reads the time from a cell."""

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return Slot(clock) if isinstance(node, Time) else same_with(node, args)

    return rebuild(value, change)


def solved_now(loops: Loops, numbers: FloatArray) -> FloatArray | None:
    """The same by NumPy, where all other cells are known; None where it does not end."""
    tears = list(loops.tears)
    slopes = jacobian(loops.misses, loops.tears)
    kept, step, part, least = loops.guess.copy(), np.zeros(len(tears)), 1.0, inf
    sought = kept.copy()
    for _ in range(_MOST):
        numbers[tears] = sought
        misses = np.array([float(evaluate(value, numbers)) for value in loops.misses])
        size = float(np.abs(misses).sum())
        if size < least:
            matrix = np.array([[float(evaluate(value, numbers)) for value in row] for row in slopes])
            if not np.isfinite(matrix).all() or np.linalg.matrix_rank(matrix) < len(tears):
                return None
            kept, step, part, least = sought, np.linalg.solve(matrix, misses), 1.0, size
        else:
            part *= 0.5
        sought = kept - part * step
        if (np.abs(part * step) <= _EXACT * np.abs(kept) + _TINY).all():
            return sought
    return None
