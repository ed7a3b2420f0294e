"""Metal-semiconductor field-effect transistors (GaAs), as in SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.semiconductors.jfet import JFET
from tellegen.library.electrical.thermal_noise import flicker, thermal

_SMOOTH = 0.2  # V, over which charges go over to those of a gate that is off
_MOST = 0.5  # V, from which the capacitance stays as it is
_KNEE = 3.0  # voltages of the channel, times 1/Alpha, from which the current is saturated


class MESFET(JFET):
    """Field-effect transistor with a Schottky gate after Statz and others; base of NMESFET and PMESFET.

    Voltages and currents are counted as of the JFET. With v the larger of v_gs and v_gd and u = |v_ds|

        i_ds = Beta (v - Vto)^2/(1 + B (v - Vto)) (1 + Lambda u) (1 - (1 - Alpha u/3)^3)

    from the end with the larger voltage to the other; the last factor is 1 from u = 3/Alpha on, and below Vto nothing
    flows. The charge of the gate is that of Statz: of a depletion layer at the end that is more open, with the
    capacitance Cgs, and Cgd for the other, which change places smoothly over 1/Alpha. Beyond 0.5 V capacitances stay.

    Noise: 8/3 k T gm of the channel, Kf |i_ds|^Af/f, and 4 k T R of Rd and Rs.
    """

    Beta = tg.parameter(2.5e-3, "A/V2", "transconductance", min=0.0)
    B = tg.parameter(0.3, "1/V", "doping tail", min=0.0)
    Alpha = tg.parameter(2.0, "1/V", "saturation", min=1e-300)
    OPTIONAL: ClassVar[dict[str, float]] = dict.fromkeys(("Lambda", "Rd", "Rs", "Cgs", "Cgd", "Kf"), 0.0)

    def _open(self, v: tg.Expression) -> Any:
        """The current of a saturated channel without Lambda."""
        beyond = tg.maximum(v - self.Vto, 0.0)
        return self.Beta * beyond**2 / (1.0 + self.B * beyond)

    def _of_drain(self) -> Any:
        """What the current is multiplied by for its voltage from drain to source."""
        u = self.v_gs - self.v_gd
        rest = tg.maximum(1.0 - self.Alpha * abs(u) / _KNEE, 0.0)
        factor = 1.0 - rest**3
        if self.has("Lambda"):
            factor = factor * (1.0 + self.Lambda * abs(u))
        return tg.where(tg.no_event(u >= 0.0), factor, -factor)

    def channel(self) -> Any:
        return self._open(tg.maximum(self.v_gs, self.v_gd)) * self._of_drain()

    def channel_noise(self) -> list[tg.Noise]:
        beyond = tg.maximum(tg.maximum(self.v_gs, self.v_gd) - self.Vto, 0.0)
        denominator = 1.0 + self.B * beyond
        gm = self.Beta * beyond * (1.0 + denominator) / denominator**2 * abs(self._of_drain())
        noises = [thermal(2.0 / 3.0 * gm, self.junction_temperature())]
        return [*noises, flicker(self.i_ds, self.Kf, self.Af)] if self.has("Kf") else noises

    def charging_current(self, name: str, v: Any) -> Any:
        """The current of the gate's charge, the part that follows one of its voltages."""
        if not self.has("Cgs", "Cgd"):
            return 0.0
        to_source, to_drain = self._capacitances()
        return (to_source if name == "Cgs" else to_drain) * tg.der(v)

    def _capacitances(self) -> tuple[Any, Any]:
        """dq/dv_gs and dq/dv_gd of the gate's charge q."""
        u = self.v_gs - self.v_gd
        width = tg.sqrt(u**2 + 1.0 / self.Alpha**2)
        near = 0.5 * (self.v_gs + self.v_gd + width)
        root = tg.sqrt((near - self.Vto) ** 2 + _SMOOTH**2)
        open_ = tg.minimum(0.5 * (near + self.Vto + root), _MOST)
        layer = self.Cgs / tg.sqrt(1.0 - open_ / self.Pb) * 0.5 * (1.0 + (near - self.Vto) / root)
        share = 0.5 * (1.0 + u / width)
        return layer * share + self.Cgd * (1.0 - share), layer * (1.0 - share) + self.Cgd * share


class NMESFET(MESFET):
    """N-channel MESFET: conducts from D to S while the gate is above Vto."""


class PMESFET(MESFET):
    """P-channel MESFET: conducts from S to D while the gate is below -Vto."""

    SIGN: ClassVar[float] = -1.0
