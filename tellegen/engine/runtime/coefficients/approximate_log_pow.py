"""Logarithm and power of two to three digits, for step sizes: what a step size needs, in a fraction of libm's time.

The exponent of a double is its logarithm but for the fraction, and a polynomial of the fraction does the rest. A chain
of short steps waits for both functions in every step, so their latency counts.
"""

from __future__ import annotations

from tellegen.procedures.language import bits, f64, from_bits, multiply_add, procedure

_FRACTION = (1 << 52) - 1  # the bits of a double after the point
_ONE = 1023 << 52  # the bits of 1.0
_LARGEST = 1000.0
LOG2 = (-2.136232065413076, 3.011162150836806, -1.0268049073983176, 0.15270028479752185)
"""The polynomial through log2 at the Chebyshev points of [1, 2]."""

EXP2 = (1.002264810219341, 0.6527526810430541, 0.3422896465289091)
"""The polynomial through exp2 at the Chebyshev points of [0, 1]."""


@procedure(inline=True)
def log2(x: f64) -> f64:
    """log2(x) to about 1e-3 for x > 0; about -1023 for 0."""
    pattern = bits(x)
    exponent = (pattern >> 52) - 1023
    fraction = from_bits((pattern & _FRACTION) | _ONE)
    polynomial = multiply_add(LOG2[3], fraction, LOG2[2])
    polynomial = multiply_add(polynomial, fraction, LOG2[1])
    return exponent + multiply_add(polynomial, fraction, LOG2[0])


@procedure(inline=True)
def exp2(x: f64) -> f64:
    """2^x to about 2e-3, for |x| up to 1000; the value at the border beyond."""
    positive = min(max(x, -_LARGEST), _LARGEST) + 1023.0  # so that cutting digits off rounds down
    exponent = int(positive)
    fraction = positive - exponent
    polynomial = multiply_add(EXP2[2], fraction, EXP2[1])
    return from_bits(exponent << 52) * multiply_add(polynomial, fraction, EXP2[0])
