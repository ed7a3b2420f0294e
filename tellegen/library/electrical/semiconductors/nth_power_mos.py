"""MOS transistors with the n-th power law of Sakurai and Newton, SPICE's level 6."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.semiconductors.mosfet import MOSFET

_LEAST = 1e-12  # V, so that powers have slopes


class NthPowerMOSFET(MOSFET):
    """MOS transistor with the n-th power law, level 6 of SPICE; base of NMOS6 and PMOS6.

    Voltages, pins, resistances, junctions and capacitances are those of MOSFET. With v = v_gs - v_th above 0 and the
    bulk voltage v_bs, both seen from the end that acts as source,

        v_th = s Vto + Gamma (sqrt(Phi - v_bs) - sqrt(Phi)) - Gamma1 v_bs - Sigma |v_ds|
        i_sat = Kc W/(L - 2 Ld) v^Nc (1 + (Lambda0 - Lambda1 v_bs) |v_ds|)     v_sat = Kv v^Nv
        i_ds = i_sat x (2 - x)     x = min(|v_ds|/v_sat, 1)

    The laws are those of ngspice 39, in which they were looked up. Noise as that of MOSFET.
    """

    Kv = tg.parameter(2.0, "1", "saturation voltage: factor", min=0.0)
    Nv = tg.parameter(0.5, "1", "saturation voltage: exponent", min=0.0)
    Kc = tg.parameter(5e-5, "1", "saturation current in A: factor", min=0.0)
    Nc = tg.parameter(1.0, "1", "saturation current: exponent", min=0.0)
    Gamma1 = tg.parameter(0.0, "1", "body effect, its straight part")
    Sigma = tg.parameter(0.0, "1", "static feedback: how the threshold falls with v_ds")
    Lambda0 = tg.parameter(0.0, "1/V", "channel length modulation", min=0.0)
    Lambda1 = tg.parameter(0.0, "1/V2", "its dependence on the bulk voltage")

    def bulk(self) -> Any:
        """The bulk voltage, seen from the end that acts as source."""
        return tg.maximum(self.v_bs, self.v_bs - self.v_ds)

    def threshold(self) -> Any:
        return super().threshold() - self.Gamma1 * self.bulk() - self.Sigma * abs(self.v_ds)

    def drive(self) -> Any:
        """The gate voltage above the threshold."""
        return tg.maximum(tg.maximum(self.v_gs, self.v_gs - self.v_ds) - self.v_th, _LEAST)

    def saturation_voltage(self) -> Any:
        return self.Kv * self.drive() ** self.Nv

    def channel(self) -> tuple[Any, Any]:
        drive = self.drive()
        along = abs(self.v_ds)
        longer = 1.0 + (self.Lambda0 - self.Lambda1 * self.bulk()) * along
        saturated = self.Kc * self.W / self.channel_length() * drive**self.Nc * longer
        x = tg.minimum(along / self.saturation_voltage(), 1.0)
        direction = tg.where(tg.no_event(self.v_ds >= 0.0), 1.0, -1.0)
        slope = saturated / drive * (self.Nc * x * (2.0 - x) - 2.0 * self.Nv * x * (1.0 - x))
        return direction * saturated * x * (2.0 - x), slope


class NMOS6(NthPowerMOSFET):
    """N-channel MOS transistor of SPICE's level 6."""


class PMOS6(NthPowerMOSFET):
    """P-channel MOS transistor of SPICE's level 6."""

    SIGN: ClassVar[float] = -1.0
