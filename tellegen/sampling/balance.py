"""Units of states in which rows and columns of a matrix are about equally large: powers of two, so nothing is rounded.

    A -> D^-1 A D        as LAPACK's gebal does (B. N. Parlett and C. Reinsch, "Balancing a matrix for calculation of
                         eigenvalues and eigenvectors", Numer. Math. 13, 1969)

Volts beside microamperes make the norm of a matrix a million times larger than its eigenvalues, and an exponential that
is doubled as often as the norm asks for loses as many digits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr
from tellegen.sampling.tape import Matrix, Tape, total
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, div, is_zero, mul, where

_SWEEPS = 5
_HALF = Const(0.5)


@dataclass(frozen=True, eq=False)
class Balanced:
    """The matrix in these units, and the units: a state is `units` times its number."""

    matrix: Matrix
    units: list[Expr]

    def back(self, matrix: Matrix) -> Matrix:
        """D M D^-1: a matrix from states to states, in the units of before."""
        return [
            [mul(value, div(self.units[i], self.units[j])) if i != j else value for j, value in enumerate(row)]
            for i, row in enumerate(matrix)
        ]

    def into(self, covariance: Matrix) -> Matrix:
        """D^-1 M D^-1: a covariance in these units."""
        return self._each(covariance, div)

    def out(self, covariance: Matrix) -> Matrix:
        """D M D: a covariance in the units of before."""
        return self._each(covariance, mul)

    def _each(self, matrix: Matrix, change: Callable[[Expr, Expr], Expr]) -> Matrix:
        return [
            [change(change(value, self.units[i]), self.units[j]) for j, value in enumerate(row)]
            for i, row in enumerate(matrix)
        ]


def balanced(tape: Tape, a: Matrix) -> Balanced:
    """See the top of this file."""
    size = len(a)
    if size == 1:
        return Balanced(a, [ONE])
    slots: Matrix = [[ZERO if is_zero(value) else tape.copied(value) for value in row] for row in a]
    units = [tape.copied(ONE) for _ in range(size)]

    def sweep() -> None:
        for k in range(size):
            others = [j for j in range(size) if j != k]
            row = tape.let(total(Call("abs", (slots[k][j],)) for j in others))
            column = tape.let(total(Call("abs", (slots[j][k],)) for j in others))
            factor = tape.let(_power_of_two(row, column))
            tape.store(units[k], mul(units[k], factor))
            for j in others:
                if not is_zero(slots[k][j]):
                    tape.store(slots[k][j], div(slots[k][j], factor))
                if not is_zero(slots[j][k]):
                    tape.store(slots[j][k], mul(slots[j][k], factor))

    tape.repeat(_SWEEPS, sweep)
    return Balanced(slots, units)


def _power_of_two(row: Expr, column: Expr) -> Expr:
    """About the root of row/column; one where either is zero."""
    if is_zero(row) or is_zero(column):
        return ONE
    doubled = div(Call("log", (div(row, column),)), Const(log(2.0)))
    nearest = Call("floor", (add(mul(_HALF, doubled), _HALF),))
    is_safe = Call("and", (Call("gt", (row, ZERO)), Call("gt", (column, ZERO))))
    return where(is_safe, Call("pow", (Const(2.0), nearest)), ONE)
