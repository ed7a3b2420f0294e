"""Modes of a linear model: eigenvalues with what they mean in time, continuous or from tick to tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_ON_CIRCLE = 1e-9  # eigenvalues of discrete time so close to the unit circle neither decay nor grow


@dataclass(frozen=True, eq=False)
class Mode:
    """An eigenvalue (of a pair, the one above the axis) and the states that take part, most first.

    In discrete time with the sample time `dt` the eigenvalue is z = exp(s dt); damping and frequency are those of s.
    """

    eigenvalue: complex
    participation: tuple[tuple[str, float], ...]
    dt: float | None = None

    @property
    def exponent(self) -> complex:
        """s of exp(s t)."""
        return complex(exponents(np.array([self.eigenvalue]), self.dt)[0])

    @property
    def damping(self) -> float:
        """The damping ratio: 1 decays without swinging, 0 oscillates undamped, negative grows."""
        s = self.exponent
        if not np.isfinite(s.real):
            return 1.0
        return -s.real / abs(s) if abs(s) and s.real else 0.0

    @property
    def frequency(self) -> float:
        """The frequency of the oscillation in Hz."""
        return abs(self.exponent.imag) / (2.0 * np.pi)

    @property
    def time_constant(self) -> float:
        """Seconds until it has decayed (or grown) by the factor e; infinite for a mode that does neither."""
        return 1.0 / abs(self.exponent.real) if self.exponent.real else np.inf


def exponents(eigenvalues: Any, dt: float | None) -> Any:
    """The exponents s of modes exp(s t); -inf for what is gone after one tick."""
    if dt is None:
        return eigenvalues
    size = np.abs(eigenvalues)
    with np.errstate(divide="ignore"):
        decay = np.where(np.abs(size - 1.0) < _ON_CIRCLE, 0.0, np.log(size))
    return (decay + 1j * np.where(size > 0.0, np.angle(eigenvalues), 0.0)) / dt


def without_rounding(values: Any) -> Any:
    """Eigenvalues whose real part is no more than rounding lie on the axis: these modes neither decay nor grow."""
    values = np.asarray(values, complex)
    return np.where(np.abs(values.real) < 1e-9 * np.abs(values), 1j * values.imag, values)
