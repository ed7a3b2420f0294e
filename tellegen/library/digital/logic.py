"""Logic of nine values, after IEEE 1164, and its laws.

    U uninitialized    X unknown, forcing    0, 1 forcing       Z high impedance
    W unknown, weak    L, H weak 0 and 1     - does not matter

Signals are enumerations that change at events only; results hold the numbers 0 to 8 in the order of `VALUES`. Gates
read L as 0, H as 1, and all that is neither as unknown, where U goes before the others. Stated so, the tables of the
standard are one line each: an And is 0 where an input is, else U where one is, 1 where all are, and X for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

import tellegen as tg
from tellegen.frontends.python.declarations.declare import VariableDecl
from tellegen.frontends.python.expressions.refusal import check_option

VALUES = ("U", "X", "0", "1", "Z", "W", "L", "H", "-")
U, X, ZERO, ONE, Z, W, L, H, ANY = (float(k) for k in range(9))
STRENGTHS = ("X01", "X0H", "XL1", "X0Z", "XZ1", "WLH", "WLZ", "WZH", "W0H", "WL1")
"""How an output says unknown, 0 and 1, in this order."""

Statements = Iterator[Any]


def logic_input(description: str, shape: object = ()) -> Any:
    """Declare an input of nine values."""
    return VariableDecl(None, description, shape, "input", {}, type="enumeration", literals=VALUES)


def logic_output(description: str, shape: object = ()) -> Any:
    """Declare an output of nine values."""
    start = {"start": U, "fixed": True}
    return VariableDecl(None, description, shape, "output", start, type="enumeration", literals=VALUES)


def logic_variable(description: str, shape: object = (), start: float = U) -> Any:
    """Declare a variable of nine values."""
    return VariableDecl(
        None, description, shape, "local", {"start": start, "fixed": True}, type="enumeration", literals=VALUES
    )


def strength_parameter() -> Any:
    """Declare how strong an output is, as one of `STRENGTHS`."""
    described = f"unknown, 0 and 1 at the output: {', '.join(STRENGTHS)}"
    return tg.parameter("X01", structural=True, description=described, choices=STRENGTHS)


def code(part: tg.Component, parameter: str) -> float:
    """The number of the value that a parameter names: one of `VALUES`, else an error at the part."""
    check_option(part, parameter, VALUES)
    return float(VALUES.index(getattr(part, parameter)))


def number(part: tg.Component, letter: str) -> float:
    """The number of a value in a list of them, else an error at the part."""
    if letter not in VALUES:
        what = f"{letter!r} is none of the nine values"
        raise tg.DataError("E703", what, location=part._location, advice=f"take {' '.join(VALUES)}")
    return float(VALUES.index(letter))


def is_low(x: Any) -> Any:
    """0 or L."""
    return (x == "0") | (x == "L")


def is_high(x: Any) -> Any:
    """1 or H."""
    return (x == "1") | (x == "H")


def any_of(conditions: Sequence[Any]) -> Any:
    """One of them holds."""
    return reduce(or_, conditions)


def all_of(conditions: Sequence[Any]) -> Any:
    """All of them hold."""
    return reduce(and_, conditions)


def conjunction(xs: Sequence[Any], no: float = ZERO, yes: float = ONE) -> Any:
    """And; with `no` and `yes` exchanged Nand."""
    unknown = tg.where(any_of([x == "U" for x in xs]), U, tg.where(all_of([is_high(x) for x in xs]), yes, X))
    return tg.where(any_of([is_low(x) for x in xs]), no, unknown)


def disjunction(xs: Sequence[Any], no: float = ZERO, yes: float = ONE) -> Any:
    """Or; with `no` and `yes` exchanged Nor."""
    unknown = tg.where(any_of([x == "U" for x in xs]), U, tg.where(all_of([is_low(x) for x in xs]), no, X))
    return tg.where(any_of([is_high(x) for x in xs]), yes, unknown)


def exclusive(xs: Sequence[Any], no: float = ZERO, yes: float = ONE) -> Any:
    """Xor, whether an odd number of inputs is 1; with `no` and `yes` exchanged Xnor."""
    odd = is_high(xs[0])
    for x in xs[1:]:
        odd = (odd & ~is_high(x)) | (~odd & is_high(x))
    known = all_of([is_low(x) | is_high(x) for x in xs])
    unknown = tg.where(any_of([x == "U" for x in xs]), U, X)
    return tg.where(known, tg.where(odd, yes, no), unknown)


def driven(x: Any, strength: str, inverted: bool = False) -> Any:
    """A value (or its opposite) as an output of that strength gives it: U stays."""
    unknown, no, yes = (float(VALUES.index(letter)) for letter in strength)
    low, high = (yes, no) if inverted else (no, yes)
    return tg.where(x == "U", U, tg.where(is_low(x), low, tg.where(is_high(x), high, unknown)))


def resolved(xs: Sequence[Any]) -> Any:
    """What a node has that several outputs drive: forcing values win over weak ones, equal ones that differ give X."""

    def some(*values: str) -> Any:
        return any_of([x == value for x in xs for value in values])

    weak = tg.where(some("W") | (some("L") & some("H")), W, tg.where(some("L"), L, tg.where(some("H"), H, Z)))
    forced = tg.where(some("0"), ZERO, tg.where(some("1"), ONE, weak))
    return tg.where(some("U"), U, tg.where(some("X", "-") | (some("0") & some("1")), X, forced))
