"""MOS transistors of BSIM3 (version 3), as far as they differ from those of BSIM4, which followed it."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.bsim4.limits import inverse, softplus
from tellegen.library.electrical.semiconductors.bsim4.parameters import SILICON
from tellegen.library.electrical.semiconductors.bsim4.transistor import BSIM4

_LARGEST = 34.0  # exponent


class BSIM3(BSIM4):
    """MOS transistor of short channels, BSIM3 version 3 of the University of California (SPICE's levels 8 and 49).

    The laws are those of BSIM3v3.3 as ngspice 39 has them (its source was read for them); what is said of BSIM4 holds
    here too, but for: the effect of a junction falls by exp(-x/2) (1 + 2 exp(-x/2)) with the distance x; the resistance
    of source and drain grows in a straight line with the gate voltage; the mobility has a third law (mobmod 2 here and
    there, 0 and 1 are its 1 and 3); the output resistance by shortening and by the barrier at the drain are in
    parallel; a bulk voltage in forward direction is not limited. There are no currents through the oxide, no
    tunnelling, no resistances of gate and bulk. Charges: capmod 3 with the thickness of the charge, capmod 2 without,
    and capmod 21 with the flat-band voltage of version 3.1, which follows the threshold. Without noise.
    """

    def effective_bulk(self) -> Any:
        above = self.bulk() - self.Vbc - 0.001
        return tg.maximum(self.Vbc + 0.5 * (above + tg.sqrt(above**2 - 0.004 * self.Vbc)), self.bulk())

    def depth(self) -> Any:
        """sqrt(Phi - v_b), a fraction that stays positive in forward direction."""
        forward = self.Phi * tg.sqrt(self.Phi) / (self.Phi + 0.5 * tg.maximum(self.v_b, 0.0))
        return tg.where(tg.no_event(self.v_b > 0.0), forward, tg.sqrt(self.Phi - tg.minimum(self.v_b, 0.0)))

    def bulk_of_charges(self) -> Any:
        forward = tg.maximum(self.v_b, 0.0)
        return tg.minimum(self.v_b, 0.0) + self.Phi * forward / (self.Phi + forward)

    def across(self, x: Any) -> Any:
        near = tg.exp(-tg.minimum(0.5 * x, _LARGEST))
        return near * (1.0 + 2.0 * near)

    def resistance(self) -> Any:
        if not self.has("Rds0"):
            return 0.0
        bias = self.Prwg * self.v_gt + self.Prwb * (self.depth() - tg.sqrt(self.Phi))
        low = tg.minimum(bias, -0.9)
        factor = tg.where(tg.no_event(bias >= -0.9), 1.0 + bias, (0.8 + low) / (17.0 + 20.0 * low))
        return self.Rds0 * factor

    def field(self) -> Any:
        over = self.v_gt if self.mobmod == 2 else self.v_gt + 2.0 * self.v_th
        return over / self.Toxe

    def conductance(self) -> Any:
        """g_ds: of the channel up to saturation, times what v_ds beyond it adds."""
        over = self.v_gt + 2.0 * self.vt()
        beyond = tg.maximum(self.along() - self.v_eff, 0.0)
        beta = self.mobility * self.oxide() * self.width() / self.Leff
        linear = beta * self.v_gt * (1.0 - 0.5 * self.v_eff * self.bulk_charge / over)
        linear = linear / (1.0 + self.v_eff / self.critical())
        by_gate = self.Pvag / self.critical() * self.v_gt
        low = tg.minimum(by_gate, -0.9)
        factor = tg.where(tg.no_event(by_gate > -0.9), 1.0 + by_gate, (0.8 + low) / (17.0 + 20.0 * low))
        early = self.saturated() + factor * self.output_voltage(beyond)
        return linear / (1.0 + linear * self.resistance()) * (1.0 + beyond / early)

    def saturated(self) -> Any:
        """The voltage whose straight line the saturated current begins on."""
        over = self.v_gt + 2.0 * self.vt()
        drop = self.width() * self.Vsat * self.oxide() * self.resistance()
        left = 1.0 - 0.5 * self.bulk_charge * self.v_sat / over
        total = self.critical() + self.v_sat + 2.0 * drop * self.v_gt * left
        return total / (2.0 / self.saturation_factor() - 1.0 + drop * self.bulk_charge)

    def output_voltage(self, beyond: Any) -> Any:
        """Early voltages of the shortening and of the barrier at the drain, in parallel."""
        over = self.v_gt + 2.0 * self.vt()
        bulk = self.bulk_charge * self.v_sat
        shortening: Any = None
        barrier: Any = None
        if self.has("Pclm"):
            part = self.Leff * (self.bulk_charge + self.v_gt / self.critical())
            shortening = part * beyond / (self.Pclm * self.bulk_charge * self.Litl)
        if self.has("Rout"):
            barrier = (over - over * bulk / (over + bulk)) / self.Rout * inverse(self.Pdiblb * self.v_b)
        if shortening is None or barrier is None:
            return 1.0 / 1.713908431e-15 if shortening is barrier else shortening if barrier is None else barrier
        return shortening * barrier / (shortening + barrier)

    def accumulated(self) -> Any:
        return super().accumulated() if self.capmod == 3 else self.oxide()

    def charge_thickness(self, v_gt: Any) -> Any:
        if self.capmod != 3:
            return self.oxide()
        above = 4.0 * (self.v_th - self.Vfbzb - self.Phi)
        total = tg.where(tg.no_event(above >= 0.0), v_gt + tg.maximum(above, 0.0), v_gt + 1e-20)
        centre = 1.9e-9 / (1.0 + (total / (2e8 * self.Toxp)) ** 0.7)
        oxide = self.oxide()
        return SILICON * oxide / (SILICON + oxide * centre)

    def flat_band_of_charges(self) -> Any:
        return self.v_th - self.Phi - self.K1ox * self.depth() if self.capmod == 21 else self.Vfbzb

    def charge_equations(self) -> Statements:
        n_vt = self.swing * self.Noff * self.vt()
        if self.capmod == 21:
            yield self.v_cv == self.v_gt
        else:
            yield self.v_cv == n_vt * softplus((self.gate() - self.v_th - self.Voffcv) / n_vt)
        if self.capmod == 3:
            yield self.v_carriers == self.carriers()
        else:
            yield self.v_carriers == self.v_cv


class BSIM3NMOS(BSIM3):
    """N-channel BSIM3 transistor."""


class BSIM3PMOS(BSIM3):
    """P-channel BSIM3 transistor."""

    SIGN: ClassVar[float] = -1.0
