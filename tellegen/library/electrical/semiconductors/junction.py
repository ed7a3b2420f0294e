"""What semiconductors share: the laws of a pn junction, and parameters that bring an effect with them when given.

A SPICE model has many effects of which a given part has few. Here an effect whose parameter is not given (or given as
0) is not in the equations at all: a diode without capacitance has no state, one without series resistance no inner
node. So 0 never stands in a denominator, and a simple part is as cheap as a simple law.
"""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.losses import Lossy

BOLTZMANN_OVER_CHARGE = 1.380649e-23 / 1.602176634e-19  # V/K, exact since 2019
_STEEPEST = 100.0  # the exponential goes on as a straight line, so that no trial of Newton's method overflows
_REVERSE = -3.0  # where SPICE leaves the exponential for a power, that its slope never vanishes
_E_REVERSE = 0.049787068367863944  # exp(_REVERSE)


def exponential(x: Any) -> Any:
    """exp(x), beyond any real current (x > 100) its tangent."""
    return tg.exp(tg.minimum(x, _STEEPEST)) * (1.0 + tg.maximum(x - _STEEPEST, 0.0))


def junction(v: Any, Is: Any, Vt: Any) -> Any:
    """The ideal current of a junction: Is (exp(v/Vt) - 1), and below -3 Vt, as in SPICE, Is ((3 Vt/(e |v|))^3 - 1).

    The power meets the exponential with the same value and slope. Both parts are written with minimum and maximum, that
    make no events.
    """
    x = v / Vt
    reverse = _E_REVERSE * ((_REVERSE / tg.minimum(x, _REVERSE)) ** 3 - 1.0)
    return Is * (exponential(tg.maximum(x, _REVERSE)) - 1.0 + reverse)


def depletion_charge(v: Any, C: Any, V: Any, M: Any, Fc: Any) -> Any:
    """The charge of a depletion layer, whose capacitance dq/dv is C/(1 - v/V)^M up to v = Fc V, then its tangent."""
    knee = Fc * V
    below, above = tg.minimum(v, knee), tg.maximum(v, knee)
    curved = V / (1.0 - M) * (1.0 - (1.0 - below / V) ** (1.0 - M))
    slope = (1.0 - Fc * (1.0 + M)) * (above - knee) + M / (2.0 * V) * (above * above - knee * knee)
    return C * (curved + slope / (1.0 - Fc) ** (1.0 + M))


class Semiconductor(Lossy):
    """Base of the semiconductors: temperature, least conductance of junctions, and which effects they have."""

    T = tg.parameter(300.15, "K", "temperature for which the parameters hold; that of the part without a heat port")
    T_ref = tg.parameter(T, "K", "the same as T", min=0.0)
    Gmin = tg.parameter(1e-12, "S", "conductance parallel to every junction", min=0.0)
    effects = tg.parameter(
        (), structural=True, description="names of those optional parameters that take part; follows from what is given"
    )
    OPTIONAL: ClassVar[dict[str, float]] = {}  # by parameter: the value with which its effect is absent

    def _configure(self, name: str, value: Any) -> None:
        super()._configure(name, value)
        if name in self.OPTIONAL:
            others = [effect for effect in self._values.get("effects", ()) if effect != name]
            absent = isinstance(value, (int, float)) and value == self.OPTIONAL[name]
            super()._configure("effects", tuple(sorted(others if absent else [*others, name])))

    def has(self, *names: str) -> bool:
        """Whether any of these optional parameters takes part."""
        declared = type(self)._info.parameters
        return any(name in self.effects or declared[name].value != self.OPTIONAL[name] for name in names)

    def thermal_voltage(self) -> Any:
        """Vt = k T/q."""
        return BOLTZMANN_OVER_CHARGE * tg.maximum(self.temperature(), 10.0)
