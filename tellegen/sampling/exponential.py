"""The exact step of a linear system, as steps of a kernel: by series for a small part of the period, then by doubling.

    F = exp(A T)                        F(2t) = F F
    G = integral of exp(A s)            G(2t) = G + F G
    Q = integral of exp(A s) W exp(A s)'    Q(2t) = Q + F Q F'

The part is so small that |A| t <= 1/8, where 16 terms leave nothing (C. Moler and C. Van Loan, "Nineteen dubious ways
to compute the exponential of a matrix, twenty-five years later", SIAM Review 45, 2003, method 3).
"""

from __future__ import annotations

from tellegen.ir.expressions.expr import ONE, Call, Const, Expr
from tellegen.sampling.balance import balanced
from tellegen.sampling.tape import (
    Matrix,
    Tape,
    combined,
    identity,
    largest_row_sum,
    product,
    scaled,
    transposed,
)
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, div, mul

_SMALL = Const(0.125)
_TERMS = 16
_HALF = Const(0.5)


@dataclass(frozen=True, eq=False)
class ExactStep:
    """F, G and, where noise was given, Q."""

    transition: Matrix
    integral: Matrix
    noise: Matrix


def exact_step(tape: Tape, a: Matrix, period: Expr, noise: Matrix | None = None) -> ExactStep:
    """See the top of this file; `noise` is W, per second."""
    size = len(a)
    units = balanced(tape, tape.let_all(a))
    a = units.matrix
    part = tape.slot()
    doublings = tape.slot()
    tape.store(part, period)
    norm = tape.let(largest_row_sum(a))

    def halve() -> None:
        tape.store(part, mul(part, _HALF))
        tape.store(doublings, add(doublings, ONE))

    tape.loop(lambda: Call("gt", (mul(norm, part), _SMALL)), halve)
    step = tape.let_all(scaled(part, a))
    f = _stored(tape, identity(size))
    g = _stored(tape, scaled(part, identity(size)))
    q = _stored(tape, scaled(part, units.into(noise))) if noise is not None else []
    _series(tape, step, f, g, q)
    done = tape.slot()

    def double() -> None:
        if q:
            moved = product(tape.let_all(product(f, q)), transposed(f))
            _keep(tape, q, combined(q, moved))
        _keep(tape, g, combined(g, product(f, g)))
        _keep(tape, f, product(f, f))
        tape.store(done, add(done, ONE))

    tape.loop(lambda: Call("lt", (done, doublings)), double)
    return ExactStep(units.back(f), units.back(g), units.out(q))


def _series(tape: Tape, step: Matrix, f: Matrix, g: Matrix, q: Matrix) -> None:
    """Adds the terms after the first to each sum."""
    term = _stored(tape, f)
    summed = _stored(tape, g)
    noisy = _stored(tape, q)
    number = tape.slot()

    def add_terms() -> None:
        tape.store(number, add(number, ONE))
        after = add(number, ONE)
        _keep(tape, term, [[div(value, number) for value in row] for row in product(step, term)])
        _keep(tape, summed, [[div(value, after) for value in row] for row in product(step, summed)])
        _add(tape, f, term)
        _add(tape, g, summed)
        if q:
            both = combined(product(step, noisy), product(noisy, transposed(step)))
            _keep(tape, noisy, [[div(value, after) for value in row] for row in both])
            _add(tape, q, noisy)

    tape.repeat(_TERMS, add_terms)


def _stored(tape: Tape, matrix: Matrix) -> Matrix:
    """Slots of its own that hold a matrix."""
    slots: Matrix = [[tape.slot() for _ in row] for row in matrix]
    _put(tape, slots, matrix)
    return slots


def _keep(tape: Tape, slots: Matrix, values: Matrix) -> None:
    """Give slots the values that are computed from them."""
    _put(tape, slots, tape.let_all(values))


def _put(tape: Tape, slots: Matrix, values: Matrix) -> None:
    for targets, row in zip(slots, values, strict=True):
        for target, value in zip(targets, row, strict=True):
            tape.store(target, value)


def _add(tape: Tape, slots: Matrix, values: Matrix) -> None:
    _put(tape, slots, combined(slots, values))
