"""Small linear systems solved in symbols: Gaussian elimination with row choice, as straight-line expressions.

    a*x + b*y == e          pivot  p = where(abs(c) > abs(a), c, a), ...;    y = (f' - m*e') / (d' - m*b');   x = ...
    c*x + d*y == f

The larger coefficient of a column is the pivot, decided when the numbers are known, so the result is as good as that
of a numeric factorization. Where the system is singular the result is not finite.
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import Call, Expr
from tellegen.symbolic.build import add, div, is_zero, mul, number, sub, where


def solve_linear(matrix: list[list[Expr]], rhs: list[Expr]) -> list[Expr]:
    """The unknowns of matrix * unknowns == rhs."""
    rows = [[*row, right] for row, right in zip(matrix, rhs, strict=True)]
    count = len(rows)
    for k in range(count):
        for r in range(k + 1, count):
            rows[k], rows[r] = _larger_first(rows[k], rows[r], k)
        for r in range(k + 1, count):
            if is_zero(rows[r][k]):
                continue
            factor = div(rows[r][k], rows[k][k])
            rows[r] = [sub(a, mul(factor, b)) for a, b in zip(rows[r], rows[k], strict=True)]
    out: list[Expr] = []
    for k in reversed(range(count)):
        known = [mul(rows[k][count - 1 - j], value) for j, value in enumerate(out)]
        out.append(div(sub(rows[k][count], add(*known)), rows[k][k]))
    return out[::-1]


def _larger_first(one: list[Expr], other: list[Expr], k: int) -> tuple[list[Expr], list[Expr]]:
    """The two rows, that with the larger coefficient in column k first."""
    a = number(one[k])
    b = number(other[k])
    if b == 0.0 or (a is not None and b is not None and abs(a) >= abs(b)):
        return one, other
    if a == 0.0 or (a is not None and b is not None):
        return other, one
    swap = Call("gt", (Call("abs", (other[k],)), Call("abs", (one[k],))))
    pairs = list(zip(one, other, strict=True))
    return [where(swap, y, x) for x, y in pairs], [where(swap, x, y) for x, y in pairs]
