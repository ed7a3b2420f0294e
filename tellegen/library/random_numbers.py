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


def normal_quantile(u: tg.Expression) -> Any:
    """The number below which a part u of a normal distribution lies (rational functions of P. J. Acklam, to 1.2e-9)."""
    middle = (-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716)
    middle_below = (-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572)
    tail = (-7.784894002430293e-3, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968)
    tail_below = (7.784695709041462e-3, 0.3224671290700398, 2.445134137142996, 3.754408661907416)
    end = 0.02425

    def far(q: Any) -> Any:
        return _horner((*tail, 2.938163982698783), q) / _horner((*tail_below, 1.0), q)

    low = tg.sqrt(-2.0 * tg.log(tg.maximum(tg.minimum(u, end), 1e-300)))
    high = tg.sqrt(-2.0 * tg.log(tg.maximum(1.0 - tg.maximum(u, 1.0 - end), 1e-300)))
    x = u - 0.5
    centre = x * _horner((*middle, 2.506628277459239), x**2) / _horner((*middle_below, 1.0), x**2)
    return tg.where(u < end, far(low), tg.where(u > 1.0 - end, -far(high), centre))


def _horner(coefficients: tuple[float, ...], x: Any) -> Any:
    """A polynomial, its highest power first."""
    y = coefficients[0]
    for c in coefficients[1:]:
        y = y * x + c
    return y
