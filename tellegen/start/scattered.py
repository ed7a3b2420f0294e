"""Numbers without order that are the same in every process, for starts and probes in which nothing may cancel.

The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), a few
operations on whole arrays: numpy.random takes 8 ms to import.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_DIGITS = 53  # binary ones of a double


def scattered(count: int, low: float, high: float, seed: int = 0) -> np.ndarray[Any, np.dtype[np.float64]]:
    """So many numbers, evenly spread between `low` and `high`."""
    with np.errstate(over="ignore"):
        state = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed << 32)) * _STEP
        state = (state ^ (state >> np.uint64(30))) * _FIRST
        state = (state ^ (state >> np.uint64(27))) * _SECOND
    unit = (state ^ (state >> np.uint64(31))) >> np.uint64(64 - _DIGITS)
    return low + (high - low) * unit.astype(np.float64) * 2.0**-_DIGITS
