"""Procedures with everything the language has, for the tests of reading, evaluating and printing them."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from math import exp, inf

from tellegen.procedures.language import (
    Address,
    Array,
    Record,
    bits,
    f64,
    from_bits,
    i32,
    i64,
    is_finite,
    local_array,
    multiply_add,
    procedure,
    sqrt,
)

WEIGHTS = (0.5, 0.25, 0.125)
TABLE = ((1, 2), (3, 4))
LIMIT = 2.0**10


class Flag(IntEnum):
    """What `advance` answers."""

    DONE = 0
    FAILED = -7


class Point(Record):
    """An element of an array of records."""

    x: f64
    y: f64


class Run(Record):
    """A record with a field of every type."""

    count: i64
    x: Array[f64]
    index: Array[i32]
    points: Array[Point]
    t: f64
    failed: bool
    handle: Address
    rate: Callable[[f64, Array[f64], Array[f64]], i32] | None
    parent: Run | None


@procedure
def norm(x: Array[f64], n: i64) -> f64:
    """Euclid's."""
    total = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return sqrt(total)


@procedure(inline=True)
def clipped(x: f64, most: f64) -> f64:
    """Between -most and most."""
    return min(max(x, -most), most)


@procedure
def advance(run: Run, h: f64) -> i32:
    """A step of Euler's method, told by a flag."""
    n = run.count
    rates = local_array(f64, 8)
    if run.rate is None or n > 8 or not (0.0 < h < inf):
        return Flag.FAILED
    status = run.rate(run.t, run.x, rates)
    if status != 0 or not is_finite(norm(rates, n)):
        run.failed = True
        return Flag.FAILED
    for i in range(n):
        run.x[i] = multiply_add(h, rates[i], run.x[i])
    run.t += h
    return Flag.DONE


@procedure
def collatz(start: i64, most: i64) -> i64:
    """How many steps lead to one; -1 if there are more than `most`."""
    k = start
    steps = 0
    while k != 1:
        if steps >= most:
            steps = -1
            break
        steps += 1
        if k % 2 == 1:
            k = 3 * k + 1
            continue
        k //= 2
    return steps


@procedure
def last_below(x: Array[f64], n: i64, limit: f64) -> i64:
    """The last element below a limit, found from the end; -1 if there is none."""
    for k in range(n - 1, -1, -1):
        if x[k] < limit:
            return k
    return -1


@procedure
def gather(run: Run, out: Array[f64]) -> f64:
    """Elements by index, points by record, constants by index."""
    total = 0.0
    for k in range(run.count):
        position = run.index[k]
        out[k] = run.x[position] * WEIGHTS[k % 3] + TABLE[1][0]
        total += run.points[k].x - run.points[k].y
    tail = out[1:]
    tail[0], tail[1] = tail[1], tail[0]
    return total if run.parent is None else run.parent.t


@procedure
def mixed(a: f64, k: i64) -> f64:
    """Conversions and bits."""
    flag = a > k
    shifted = (bits(abs(a)) >> 52) & 2047
    whole = int(clipped(a, LIMIT))
    return from_bits(shifted << 52) + (whole ^ k) / 4 + int(flag) + exp(-abs(a)) + float(k) ** 2


@procedure
def reused(n: i64) -> i64:
    """A name that counts the rounds of a loop, and is a local after it."""
    total = 0
    for k in range(n):
        total += k
    k = 100
    while k < 100 + n:
        k += 1
    return total + k
