"""The steps of an extended Kalman filter, as parts of a kernel: measurements one by one, then ahead to the next sample.

    K = P H' / (H P H' + r)         x += K e            P = (I - K H) P (I - K H)' + K r K'
    x' = f(x, u)                    P' = J P + P J' + W

Measurements with independent noise can be taken one after the other, without a matrix to be inverted; the form of the
new covariance is Joseph's, which stays symmetric and positive (R. G. Brown and P. Y. C. Hwang, "Introduction to Random
Signals and Applied Kalman Filtering", 4th edition, 2012). Ahead of the sample the method is that of Dormand and Prince:
with a number of steps that is given, or with steps as a tolerance asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan

from tellegen.engine.runtime.coefficients.dormand_prince_tableau import A, E
from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr
from tellegen.sampling.tape import Matrix, Tape, combined, product, total, transposed
from tellegen.start.records import dataclass
from tellegen.symbolic.build import add, div, mul, sub, where

MOST_STEPS = 100_000
"""From one sample to the next: what has become stiff takes long; a filter that needs more gives NaN."""

_TINY = Const(1e-300)
Vector = list[Expr]
Rates = Callable[[Vector], tuple[Vector, Matrix]]
"""f and its derivatives by the estimated vector, computed at a vector."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """What is known: slots of the estimated vector and of its covariance, of which only the lower half is used."""

    mean: Vector
    covariance: Matrix


@dataclass(frozen=True, eq=False)
class Measurement:
    """A value, what it is predicted to be, its derivatives by the estimated vector, and the variance of its noise."""

    value: Expr
    predicted: Expr
    by_state: Vector
    variance: float


def stored(tape: Tape, mean: Sequence[Expr], packed: Sequence[Expr]) -> Estimate:
    """An estimate in slots of its own, from a vector and the lower half of a matrix, row by row."""
    size = len(mean)
    vector: Vector = [tape.slot() for _ in range(size)]
    half = [[tape.slot() for _ in range(i + 1)] for i in range(size)]
    for slot, value in zip(vector, mean, strict=True):
        tape.store(slot, value)
    for slot, value in zip([slot for row in half for slot in row], packed, strict=True):
        tape.store(slot, value)
    whole: Matrix = [[half[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    return Estimate(vector, whole)


def packed(matrix: Matrix) -> Vector:
    """The lower half of a matrix, row by row."""
    return [matrix[i][j] for i in range(len(matrix)) for j in range(i + 1)]


def take(tape: Tape, estimate: Estimate, measurements: Sequence[Measurement]) -> None:
    """All measurements of a sample; one that is not a number was not made."""
    before = [tape.copied(value) for value in estimate.mean]
    for each in measurements:
        moved = total(mul(h, sub(x, x0)) for h, x, x0 in zip(each.by_state, estimate.mean, before, strict=True))
        _take_one(tape, estimate, each, moved)


def _take_one(tape: Tape, estimate: Estimate, each: Measurement, moved: Expr) -> None:
    p = estimate.covariance
    size = len(p)
    variance = Const(each.variance)
    was_made = Call("eq", (each.value, each.value))
    ph = [tape.let(total(mul(p[i][k], each.by_state[k]) for k in range(size))) for i in range(size)]
    spread = tape.let(add(total(map(mul, each.by_state, ph)), variance))
    miss = tape.let(where(was_made, sub(sub(each.value, each.predicted), moved), ZERO))
    gain = [tape.let(where(was_made, div(value, spread), ZERO)) for value in ph]
    kept: Matrix = [
        [sub(ONE if i == j else ZERO, mul(gain[i], each.by_state[j])) for j in range(size)] for i in range(size)
    ]
    kept = tape.let_all(kept)
    half = tape.let_all(product(kept, p))
    whole = product(half, transposed(kept))
    added = [[add(whole[i][j], mul(variance, mul(gain[i], gain[j]))) for j in range(i + 1)] for i in range(size)]
    for i, row in enumerate(tape.let_all(added)):
        tape.store(estimate.mean[i], add(estimate.mean[i], mul(gain[i], miss)))
        for j, value in enumerate(row):
            tape.store(p[i][j], value)


def move_linear(tape: Tape, estimate: Estimate, transition: Matrix, driven: Vector, noise: Matrix) -> None:
    """x = F x + driven, P = F P F' + noise."""
    moved = product(transition, [[value] for value in estimate.mean])
    mean = [tape.let(add(row[0], extra)) for row, extra in zip(moved, driven, strict=True)]
    half = tape.let_all(product(transition, estimate.covariance))
    spread = tape.let_all(combined(product(half, transposed(transition)), noise))
    put(tape, estimate, [*mean, *packed(spread)])


@dataclass(frozen=True, eq=False)
class Motion:
    """How what is estimated moves from sample to sample: rates, variances of the noise per second, and how long."""

    rates: Rates
    noise: Sequence[float]
    span: float
    clock: Callable[[Expr], None]
    """Told how long after the sample the next rates are computed."""


@dataclass(frozen=True, eq=False)
class Span:
    """A step: when it begins, after the sample, and how long it is."""

    begin: Expr
    length: Expr


@dataclass(frozen=True)
class Accuracy:
    """Of what is computed between samples: a relative tolerance, or a number of steps (0: as the tolerance asks)."""

    rtol: float
    steps: int


@dataclass(frozen=True, eq=False)
class Tried:
    """A step: values of the estimated vector and of the lower half of its covariance, errors, and the stages."""

    values: Vector
    errors: Vector
    stages: list[Vector]  # of the estimated vector


def move_by_steps(tape: Tape, estimate: Estimate, motion: Motion, steps: int) -> None:
    """So many steps of equal length."""
    length = Const(motion.span / steps)
    time = tape.copied(ZERO)

    def step() -> None:
        put(tape, estimate, step_of(tape, estimate, motion, Span(time, length)).values)
        tape.store(time, add(time, length))

    tape.repeat(steps, step)


def move(tape: Tape, estimate: Estimate, motion: Motion, rtol: float) -> None:
    """Steps whose error is below a tolerance; NaN where they become too many."""
    span = motion.span
    time = tape.slot()
    length = tape.slot()
    count = tape.slot()
    tape.store(length, Const(span))
    tape.store(time, ZERO)
    tape.store(count, ZERO)
    end = Const(span * (1.0 - 1e-12))

    def goes_on() -> Expr:
        return Call("and", (Call("lt", (time, end)), Call("lt", (count, Const(float(MOST_STEPS))))))

    def step() -> None:
        tape.store(length, Call("min", (length, sub(Const(span), time))))
        tried = step_of(tape, estimate, motion, Span(time, length))
        values = [tape.let(value) for value in tried.values]
        size = tape.let(largest_error(estimate, tape, tried, rtol))
        is_good = tape.let(where(Call("le", (size, ONE)), ONE, ZERO))
        good = Call("gt", (is_good, Const(0.5)))
        old = [*estimate.mean, *packed(estimate.covariance)]
        put(tape, estimate, [where(good, new, kept) for new, kept in zip(values, old, strict=True)])
        tape.store(time, where(good, add(time, length), time))
        tape.store(length, mul(length, change_of_length(size)))
        tape.store(count, add(count, ONE))

    tape.loop(goes_on, step)
    has_ended = Call("ge", (time, end))
    for slot in (*estimate.mean, *packed(estimate.covariance)):
        tape.store(slot, where(has_ended, slot, Const(nan)))


def change_of_length(error: Expr) -> Expr:
    """By which factor the next step is longer, for an error in units of what is allowed."""
    factor = mul(Const(0.9), Call("pow", (Call("max", (error, Const(1e-10))), Const(-0.2))))
    limited = Call("min", (Call("max", (factor, Const(0.2))), Const(5.0)))
    return where(Call("eq", (error, error)), limited, Const(0.2))


def largest_error(estimate: Estimate, tape: Tape, tried: Tried, rtol: float) -> Expr:
    """The largest error in units of what is allowed: in proportion to values and to their standard deviations."""
    size = len(estimate.mean)
    deviations = [tape.let(Call("sqrt", (Call("max", (estimate.covariance[i][i], ZERO)),))) for i in range(size)]
    scales = [*deviations, *(mul(deviations[i], deviations[j]) for i in range(size) for j in range(i + 1))]
    worst: Expr = ZERO
    for value, scale, error in zip(tried.values, scales, tried.errors, strict=True):
        allowed = add(mul(Const(rtol), add(Call("abs", (value,)), scale)), _TINY)
        worst = tape.let(Call("max", (worst, div(Call("abs", (error,)), allowed))))
    return worst


def step_of(tape: Tape, estimate: Estimate, motion: Motion, span: Span) -> Tried:
    """A step of Dormand and Prince, with errors of the formula within."""
    start = [*estimate.mean, *packed(estimate.covariance)]
    size = len(estimate.mean)
    length = span.length
    slopes: list[Vector] = []
    stages: list[Vector] = []
    values = start
    for weights in A:
        if weights:
            steps = [_weighted(weights, slopes, k) for k in range(len(start))]
            values = [tape.let(add(start[k], mul(length, steps[k]))) for k in range(len(start))]
        motion.clock(add(span.begin, mul(Const(sum(weights)), length)))
        stages.append(values[:size])
        slopes.append(_slopes(tape, values, size, motion))
    errors = [mul(length, _weighted(E, slopes, k)) for k in range(len(start))]
    return Tried(values, errors, stages[1:])


def mean_after(tape: Tape, estimate: Estimate, motion: Motion, length: Expr) -> Vector:
    """The estimated vector alone after such a step."""
    slopes: list[Vector] = []
    values = list(estimate.mean)
    for weights in A:
        if weights:
            moves = [mul(length, _weighted(weights, slopes, k)) for k in range(len(values))]
            values = [tape.let(add(start, move)) for start, move in zip(estimate.mean, moves, strict=True)]
        slopes.append(motion.rates(values)[0])
    return values


def _weighted(weights: Sequence[float], slopes: list[Vector], k: int) -> Expr:
    return total(mul(Const(weight), slope[k]) for weight, slope in zip(weights, slopes, strict=True))


def _slopes(tape: Tape, values: Vector, size: int, motion: Motion) -> Vector:
    """The derivatives of the estimated vector and of the lower half of its covariance."""
    rest = iter(values[size:])
    half = [[next(rest) for _ in range(i + 1)] for i in range(size)]
    p: Matrix = [[half[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    found, by_state = motion.rates(values[:size])
    jp = tape.let_all(product(by_state, p))
    out = list(found)
    for i in range(size):
        for j in range(i + 1):
            both = add(jp[i][j], jp[j][i])
            out.append(tape.let(add(both, Const(motion.noise[i])) if i == j else both))
    return out


def put(tape: Tape, estimate: Estimate, values: Vector) -> None:
    """Give an estimate other values."""
    kept = [tape.let(value) for value in values]
    for slot, value in zip((*estimate.mean, *packed(estimate.covariance)), kept, strict=True):
        tape.store(slot, value)
