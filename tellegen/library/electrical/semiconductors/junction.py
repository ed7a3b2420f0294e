"""The laws of a pn junction: its current, its conductance, its capacitance.

All are written with minimum and maximum, which make no events, and stay finite for whatever Newton's method tries.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg

BOLTZMANN_OVER_CHARGE = 1.380649e-23 / 1.602176634e-19  # V/K, exact since 2019
_STEEPEST = 100.0  # the exponential continues as a straight line, so that no trial of Newton's method overflows
_REVERSE = -3.0  # where SPICE leaves the exponential for a power, so that the slope does not vanish
_E_REVERSE = 0.049787068367863944  # exp(_REVERSE)


def exponential(x: tg.Expression) -> Any:
    """exp(x), beyond any real current (x > 100) its tangent."""
    return tg.exp(tg.minimum(x, _STEEPEST)) * (1.0 + tg.maximum(x - _STEEPEST, 0.0))


def within_exponential(v: tg.Expression, V: tg.Expression, beyond: str = "what any junction stands") -> Any:
    """A warning where a voltage is beyond 100 V: no junction carries that current, and it is not exp(v/V)."""
    message = f"the voltage is beyond {beyond}: its exponential goes on as a straight line there"
    return tg.region(tg.no_event(v < _STEEPEST * V), message)


def junction(v: tg.Expression, Is: tg.Expression, Vt: tg.Expression) -> Any:
    """The ideal current of a junction: Is (exp(v/Vt) - 1), and below -3 Vt, as in SPICE, Is ((3 Vt/(e |v|))^3 - 1).

    The power meets the exponential with the same value and slope.
    """
    x = v / Vt
    reverse = _E_REVERSE * ((_REVERSE / tg.minimum(x, _REVERSE)) ** 3 - 1.0)
    return Is * (exponential(tg.maximum(x, _REVERSE)) - 1.0 + reverse)


def conductance(v: tg.Expression, Is: tg.Expression, Vt: tg.Expression) -> Any:
    """The slope of `junction` over v."""
    x = v / Vt
    power = (_REVERSE / tg.minimum(x, _REVERSE)) ** 4  # 1 above -3 Vt
    return Is / Vt * tg.exp(tg.minimum(tg.maximum(x, _REVERSE), _STEEPEST)) * power


def depletion_capacitance(
    v: tg.Expression, C: tg.Expression, V: tg.Expression, M: tg.Expression, Fc: tg.Expression
) -> Any:
    """The capacitance of a depletion layer: C/(1 - v/V)^M up to v = Fc V, from there on its tangent."""
    knee = Fc * V
    below = tg.minimum(v, knee)
    beyond = tg.maximum(v - knee, 0.0)
    return C * (1.0 - below / V) ** (-M) * (1.0 + M * beyond / (V - knee))


def saturation(Is: tg.Expression, T: tg.Expression, T_ref: tg.Expression, Eg: tg.Expression, Xti: tg.Expression) -> Any:
    """The saturation current at the temperature T of a junction that has Is at T_ref.

    Is (T/T_ref)^Xti exp((T/T_ref - 1) Eg/Vt): carriers that cross the band gap Eg become many with the temperature.
    """
    ratio = T / T_ref
    return Is * tg.exp((ratio - 1.0) * Eg / (BOLTZMANN_OVER_CHARGE * T) + Xti * tg.log(ratio))
