"""Random numbers made by equations: the same in every run and on every machine, others for every seed.

Two multiplicative congruential generators (P. L'Ecuyer, Communications of the ACM 31, 1988), whose products stay below
2^53 and so are exact in floating point; nothing outside the equations is called. A source of noise keeps the states
`first` and `second` of both as discrete variables and moves them on at its ticks.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

# factor and modulus
FIRST = (40014, 2147483563)
SECOND = (40692, 2147483399)
SCRAMBLE = 1234567891  # carries neighbouring seeds far apart


def states_of(seed: tg.Expression) -> tuple[Any, Any]:
    """The states of both generators at the start."""
    return (seed * SCRAMBLE) % FIRST[1], (seed * SCRAMBLE) % SECOND[1]


def moved_on(first: tg.Expression, second: tg.Expression) -> tuple[Any, Any]:
    """The next states."""
    return (FIRST[0] * tg.pre(first)) % FIRST[1], (SECOND[0] * tg.pre(second)) % SECOND[1]


def uniform(first: tg.Expression, second: tg.Expression) -> Any:
    """A number evenly distributed between 0 and 1."""
    return (first / FIRST[1] + second / SECOND[1]) % 1.0


def normal(first: tg.Expression, second: tg.Expression) -> Any:
    """A number normally distributed with mean 0 and variance 1 (method of G. E. P. Box and M. E. Muller, 1958)."""
    return tg.sqrt(-2.0 * tg.log(first / FIRST[1])) * tg.cos(2.0 * tg.pi * second / SECOND[1])
