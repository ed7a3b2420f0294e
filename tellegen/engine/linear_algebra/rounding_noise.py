"""How far roundings move the solution of a system: below that, digits of an unknown mean nothing.

    A u = b,  each term A_jk u_k rounded to one part in 2^53  ->  u off by  A^-1 (roundings of the rows)

An unknown that is zero because large terms cancel (the current through a balanced bridge) comes out as such noise.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.linear_algebra.pivoted_lu import DenseLU, SparseLU
from tellegen.ir.model import FloatArray

_ROUNDING = float(np.finfo(float).eps)
_PROBES = 4  # choices of signs: one of them may cancel


def rounding_noise(factors: SparseLU | DenseLU, values: FloatArray, size: FloatArray) -> FloatArray:
    """The change of each unknown by roundings of a factored matrix with these values, unknowns of these sizes."""
    pattern = factors.pattern
    rows = np.zeros(len(size))
    np.add.at(rows, pattern.indices, np.abs(values) * size[pattern.column_of_entry])
    random = np.random.default_rng(5)
    noise = np.zeros(len(size))
    for _ in range(_PROBES):
        change = factors.solve(_ROUNDING * rows * random.choice([-1.0, 1.0], len(size)))
        noise = np.maximum(noise, np.abs(change))
    return noise
