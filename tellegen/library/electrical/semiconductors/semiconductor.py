"""What semiconductors share: their temperature, and parameters that bring an effect with them when they are given.

A SPICE model has many effects of which a given part has few. Here an effect whose parameter is not given (or given as
0) is not in the equations at all: a diode without capacitance has no state, one without series resistance no inner
node. So 0 never stands in a denominator, and a simple part is as cheap as a simple law.

    Diode(Is=1e-12)                       one equation
    Diode(Is=1e-12, Rs=0.1, Cjo=1e-12)    and an inner voltage, which is a state

Stored charge q(v) takes part as the current (dq/dv) dv/dt at the present temperature. At a constant temperature that
is dq/dt, and no charge is lost. Were dq/dT dT/dt added, the temperature of a part without heat capacity, which follows
from its losses at once, would have to be differentiated.
"""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.junction import BOLTZMANN_OVER_CHARGE, saturation
from tellegen.library.losses import Lossy

_COLDEST = 100.0  # K; while equations are solved a heat port may be tried at any temperature


class Semiconductor(Lossy):
    """Base of the semiconductors: temperature, least conductance of junctions, and which effects they have.

    Without a heat port the temperature is T, for which the parameters hold. With one it is that of the port, and the
    saturation currents follow it: Is (T/T_ref)^Xti exp((T/T_ref - 1) Eg/Vt). Below 100 K the laws do not hold.
    """

    T = tg.parameter(
        300.15, "K", "temperature for which the parameters hold; that of the part without a heat port", min=_COLDEST
    )
    T_ref = tg.parameter(T, "K", "the same as T", min=_COLDEST)
    Gmin = tg.parameter(1e-12, "S", "conductance parallel to every junction", min=0.0)
    Eg = tg.parameter(1.11, "V", "band gap; acts with the heat port")
    Xti = tg.parameter(3.0, "1", "exponent of the temperature in saturation currents; acts with the heat port")
    effects = tg.parameter(
        (), structural=True, description="optional parameters that take part; follows from what is given"
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

    def junction_temperature(self) -> Any:
        """The temperature, where it comes from outside not below that for which the laws hold."""
        return tg.maximum(self.temperature(), _COLDEST) if self.use_heat_port else self.temperature()

    def thermal_voltage(self) -> Any:
        """Vt = k T/q."""
        return BOLTZMANN_OVER_CHARGE * self.junction_temperature()

    def saturation(self, Is: tg.Expression, N: tg.Expression = 1.0) -> Any:
        """A saturation current at the present temperature; N is the emission coefficient of its junction."""
        if not self.use_heat_port:
            return Is
        return saturation(Is, self.junction_temperature(), self.T_ref, self.Eg / N, self.Xti / N)

    def equations(self) -> Statements:
        if self.use_heat_port:
            yield tg.region(
                tg.no_event(self.heat_port.T > _COLDEST), "the laws of semiconductors hold above 100 K, see T"
            )
