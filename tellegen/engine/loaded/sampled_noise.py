"""What roundings make of states over a run, found by evaluating the right side where nothing but roundings differ.

    rates at x, and at x with every state changed in its last digits: what they differ by is rounding

An estimate from the Jacobian (linear_algebra/rounding_noise.py) factors a matrix of all unknowns, which for ten
thousand explicit unknowns takes longer than the run. This one takes a few right sides.

What noise drives is noise as well: where the velocity of a joint is nothing but roundings, so is its position, although
the rate of that is computed without any. So states whose values do not exceed their noise are moved by it.
"""

from __future__ import annotations

import numpy as np

from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.loaded.ode_system import OdeSystem
from tellegen.ir.model import FloatArray

_SAMPLES = 6
_LAST_DIGITS = 4.0  # units in the last place
_DRIVEN = 3  # noise that drives a state, which drives another: accelerations, velocities, positions


def sampled_noise(
    model: NativeModel, t: float, y: FloatArray, p: FloatArray, span: float, meaning: FloatArray
) -> FloatArray | None:
    """Per unknown, zero for algebraic ones; None where the right side cannot be evaluated.

    A state means nothing where its noise is larger than the value given by `meaning`.
    """
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
    noise = np.where(is_state, noise * span, 0.0)
    for _ in range(_DRIVEN):
        is_noise = is_state & (meaning > 0.0) & (meaning < noise)
        signs = random.choice([-1.0, 1.0], len(y))
        if not is_noise.any() or not system.solved(t, np.where(is_noise, y + signs * noise, y), p):
            break
        driven = np.where(is_state, np.abs(system.yp - rates) * span, 0.0)
        if np.all(driven <= noise):
            break
        noise = np.fmax(noise, driven)
    return noise
