"""How BSIM4 keeps its formulas within bounds: exponentials that end, fractions that stay positive."""

from __future__ import annotations

from typing import Any

import tellegen as tg

_LARGEST = 34.0  # exponent; as in the published model
SMALLEST = 1.713908431e-15  # exp(-34)


def bounded_exp(x: Any) -> Any:
    """exp(x) between -34 and 34, beyond them level and straight."""
    return tg.exp(tg.maximum(tg.minimum(x, _LARGEST), -_LARGEST)) * (1.0 + tg.maximum(x - _LARGEST, 0.0))


def level_exp(x: Any) -> Any:
    """exp(x) between -34 and 34, beyond them level."""
    return tg.exp(tg.maximum(tg.minimum(x, _LARGEST), -_LARGEST))


def softplus(x: Any) -> Any:
    """log(1 + exp(x)): x itself beyond 34, level below -34."""
    inner = tg.log(1.0 + tg.exp(tg.maximum(tg.minimum(x, _LARGEST), -_LARGEST)))
    return tg.where(tg.no_event(x > _LARGEST), x, inner)


def decay(x: Any) -> Any:
    """1/(2 cosh(x) - 2): how the effect of a junction falls with the distance."""
    grown = tg.exp(tg.minimum(x, _LARGEST))
    near = grown / ((grown - 1.0) ** 2 + 2.0 * grown * SMALLEST)
    return tg.where(tg.no_event(x < _LARGEST), near, 1.0 / (1.0 / SMALLEST - 2.0))


def positive(x: Any) -> Any:
    """1 + x, from x = -0.5 down a fraction that stays positive."""
    low = tg.minimum(x, -0.5)
    return tg.where(tg.no_event(x >= -0.5), 1.0 + x, (1.0 + 3.0 * low) / (3.0 + 8.0 * low))


def inverse(x: Any) -> Any:
    """1/(1 + x), from x = -0.9 down a fraction that stays finite."""
    low = tg.minimum(x, -0.9)
    high = tg.maximum(x, -0.9)
    return tg.where(tg.no_event(x >= -0.9), 1.0 / (1.0 + high), (17.0 + 20.0 * low) / (0.8 + low))


def least(x: Any, smallest: float) -> Any:
    """x, below the smallest value a fraction that stays positive."""
    low = tg.minimum(x, smallest)
    below = (2.0 * smallest - low) / (3.0 - 2.0 * low / smallest)
    return tg.where(tg.no_event(x < smallest), below, x)


def below(x: Any, limit: Any, softness: Any) -> Any:
    """The lower of x and a limit, with a soft corner; 0 at x = 0."""
    apart = limit - x - softness
    root = tg.sqrt(apart**2 + 4.0 * softness * limit)
    near = limit - 0.5 * (apart + root)
    far = limit * (1.0 - 2.0 * softness / tg.maximum(root - apart, 1e-30))
    return tg.where(tg.no_event(apart >= 0.0), near, far)
