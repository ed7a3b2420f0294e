"""Logarithm and power of two to three digits, for step sizes: what a step size needs, in a fraction of libm's time.

The exponent of a double is its logarithm but for the fraction, and a polynomial of the fraction does the rest. A chain
of short steps waits for both functions in every step, so their latency counts.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numpy.polynomial import Chebyshev, Polynomial

from tellegen.engine.native.llvm_builder import F64, I64, Value

_FRACTION, _ONE = (1 << 52) - 1, 1023 << 52
_LOG2 = Chebyshev.interpolate(np.log2, 3, domain=[1.0, 2.0]).convert(kind=Polynomial).coef
_EXP2 = Chebyshev.interpolate(np.exp2, 2, domain=[0.0, 1.0]).convert(kind=Polynomial).coef
_LARGEST = 1000.0
_FUSED = ("contract",)  # product and sum in one instruction where the machine has it


def log2(b: ir.IRBuilder, x: Value) -> Value:
    """log2(x) to about 1e-3 for x > 0; about -1023 for 0."""
    bits = b.bitcast(x, I64)
    exponent = b.sitofp(b.sub(b.lshr(bits, I64(52)), I64(1023)), F64)
    fraction = b.bitcast(b.or_(b.and_(bits, I64(_FRACTION)), I64(_ONE)), F64)
    return b.fadd(exponent, _value(b, _LOG2, fraction))


def exp2(b: ir.IRBuilder, x: Value) -> Value:
    """2^x to about 2e-3, for |x| up to 1000; the value at the border beyond."""
    for border, sign in ((-_LARGEST, "<"), (_LARGEST, ">")):
        x = b.select(b.fcmp_ordered(sign, x, F64(border)), F64(border), x)
    positive = b.fadd(x, F64(1023.0))  # so that cutting digits off rounds down
    exponent = b.fptosi(positive, I64)
    fraction = b.fsub(positive, b.sitofp(exponent, F64))
    return b.fmul(b.bitcast(b.shl(exponent, I64(52)), F64), _value(b, _EXP2, fraction))


def _value(b: ir.IRBuilder, coefficients: np.ndarray, x: Value) -> Value:
    """A polynomial, by Horner's rule."""
    total = F64(float(coefficients[-1]))
    for coefficient in coefficients[-2::-1]:
        product = b.fmul(total, x, flags=_FUSED)  # pyright: ignore[reportCallIssue] - the stubs lack flags
        total = b.fadd(product, F64(float(coefficient)), flags=_FUSED)  # pyright: ignore[reportCallIssue]
    return total
