"""What roundings make of states over a run, found by evaluating the right side where nothing but roundings differ.

    rates at x, and at x with every state changed in its last digits: what they differ by is rounding

An estimate from the Jacobian (linear_algebra/rounding_noise.py) factors a matrix of all unknowns, which for ten
thousand explicit unknowns takes longer than the run. This one takes a few right sides.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.ir.model import FloatArray

_SAMPLES = 6
_LAST_DIGITS = 4.0  # units in the last place


def sampled_noise(model: NativeModel, t: float, y: FloatArray, p: FloatArray, span: float) -> FloatArray | None:
    """Per unknown, zero for algebraic ones; None where the right side cannot be evaluated."""
    system = OdeSystem(model)
    is_state = model.reduced.is_state
    if not system.solved(t, y, p):
        return None
    rates = system.yp.copy()
    noise = np.zeros(len(y))
    random = np.random.default_rng(0)
    for _ in range(_SAMPLES):
        change = random.uniform(-_LAST_DIGITS, _LAST_DIGITS, len(y)) * np.finfo(float).eps
        if not system.solved(t, np.where(is_state, y * (1.0 + change), y), p):
            return None
        np.fmax(noise, np.abs(system.yp - rates), out=noise)
    return np.where(is_state, noise * span, 0.0)
