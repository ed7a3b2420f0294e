"""Numbers in arrays: expr + - * / ^ ( ), evaluated as they are read.

    -2^2 is -4      2^3^2 is 2^9      2^-1 is 0.5      1 - 2 - 3 is -4

The grammar of the thesis leaves the precedence open; this is that of mathematics.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tellegen.errors import DocumentError
from tellegen.importers.mdl.stream import Stream
from tellegen.importers.mdl.tokens import Token

_DEEPEST = 50  # parentheses in each other
_ADVICE = "an element of an array is a number or an expression such as 2*(1 + 3)"


def expression(stream: Stream, depth: int = 0) -> float:
    """A sum."""
    if depth > _DEEPEST:
        raise DocumentError(
            "E861", "parentheses are nested too deeply", location=stream.next.location, advice="write the number itself"
        )
    return _chain(stream, "+-", lambda: _product(stream, depth))


def _product(stream: Stream, depth: int) -> float:
    return _chain(stream, "*/", lambda: _signed(stream, depth))


def _chain(stream: Stream, signs: str, operand: Callable[[], float]) -> float:
    """Operands joined by operators of one precedence, from left to right."""
    value = operand()
    while any(stream.at(sign) for sign in signs):
        sign = stream.advance()
        value = _applied(sign, value, operand())
    return value


def _signed(stream: Stream, depth: int) -> float:
    negative = False
    while stream.take("-"):
        negative = not negative
    value = _power(stream, depth)
    return -value if negative else value


def _power(stream: Stream, depth: int) -> float:
    base = _single(stream, depth)
    if not stream.at("^"):
        return base
    sign = stream.advance()
    if depth > _DEEPEST:
        raise DocumentError("E861", "too many powers", location=sign.location, advice="write the number itself")
    return _applied(sign, base, _signed(stream, depth + 1))


def _single(stream: Stream, depth: int) -> float:
    if stream.take("("):
        value = expression(stream, depth + 1)
        stream.expect(")", "close the parenthesis")
        return value
    if stream.next.kind != "number":
        raise stream.wrong("a number", _ADVICE)
    token = stream.advance()
    return _finite(float(token.text), token)


def _applied(sign: Token, left: float, right: float) -> float:
    try:
        value = _OPERATIONS[sign.text](left, right)
    except (ZeroDivisionError, OverflowError, ValueError):
        value = math.nan
    return _finite(value, sign)


def _finite(value: float, token: Token) -> float:
    if not math.isfinite(value):
        raise DocumentError(
            "E869",
            f"the expression has no finite value at {token}",
            location=token.location,
            advice="check divisors and powers; the root of a negative number is not real",
        )
    return value


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": math.pow,
}
