"""The noise of what conducts: thermal (Johnson and Nyquist), and that of carriers which cross a barrier (Schottky)."""

from __future__ import annotations

from typing import Any

import tellegen as tg

BOLTZMANN = 1.380649e-23  # J/K, exact since 2019
CHARGE = 1.602176634e-19  # C, exact since 2019


def thermal(R: Any, T: Any, name: str = "thermal", factor: float = 1.0) -> tg.Noise:
    """Of a resistance in an equation of voltages, 4 k T R, or of a conductance in one of currents."""
    return tg.Noise(name, 4.0 * BOLTZMANN * T * abs(R), factor=factor)


def shot(current: Any, name: str = "shot") -> tg.Noise:
    """2 q |i| of a current whose carriers cross a barrier one by one."""
    return tg.Noise(name, 2.0 * CHARGE * abs(current))


def flicker(current: Any, Kf: Any, Af: Any, exponent: Any = 1.0, divisor: Any = 1.0) -> tg.Noise:
    """Kf |i|**Af / (divisor f**exponent)."""
    return tg.Noise("flicker", Kf * tg.maximum(abs(current), 1e-38) ** Af / divisor, exponent)
