"""Charges of a BSIM4 transistor: of its channel with the thickness of its charge (capMod 2), and of overlaps."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.bsim4.leakage import BSIM4Leakage
from tellegen.library.electrical.semiconductors.bsim4.limits import below, level_exp, softplus
from tellegen.library.electrical.semiconductors.bsim4.parameters import SILICON, VACUUM

_SOFT = 0.02  # V, where the channel saturates and where an overlap depletes


class Charges(NamedTuple):
    """Of gate, bulk and drain; that of the source is what is missing to zero."""

    gate: Any
    bulk: Any
    drain: Any


class BSIM4Charges(BSIM4Leakage):
    """Base of BSIM4 transistors: charges of gate, bulk and drain."""

    capmod = tg.parameter(2, structural=True, description="charges of the channel: 2, or -1 for none")
    partition = tg.parameter(0.4, structural=True, description="part of the charge that the saturated drain has")
    Lcv = tg.parameter(1e-6, "m", "length of the channel, of charges", min=0.0)
    Wcv = tg.parameter(1e-6, "m", "width of a finger, of charges", min=0.0)
    Noff = tg.parameter(1.0, "1", "swing of charges below the threshold", min=0.0)
    Voffcv = tg.parameter(0.0, "V", "offset of charges below the threshold")
    Acde = tg.parameter(1.0, "m/V", "thickness of the charge in accumulation")
    Ldeb = tg.parameter(1e-9, "m", "a third of the Debye length", min=0.0)
    Moin = tg.parameter(15.0, "1", "how the surface potential grows in inversion", min=0.0)
    Acv = tg.parameter(1.0, "1", "bulk charge along the channel, of charges", min=0.0)
    Cgso = tg.parameter(0.0, "F/m", "overlap capacitance of gate and source", min=0.0)
    Cgdo = tg.parameter(0.0, "F/m", "overlap capacitance of gate and drain", min=0.0)
    Cgbo = tg.parameter(0.0, "F/m", "overlap capacitance of gate and bulk, per length", min=0.0)
    Cgsl = tg.parameter(0.0, "F/m", "the same of a lightly doped source", min=0.0)
    Cgdl = tg.parameter(0.0, "F/m", "the same of a lightly doped drain", min=0.0)
    Ckappas = tg.parameter(0.6, "V", "how Cgsl falls", min=0.0)
    Ckappad = tg.parameter(0.6, "V", "how Cgdl falls", min=0.0)
    v_cv = tg.variable("V", "gate voltage beyond the threshold, of charges", start=1e-3)
    v_carriers = tg.variable("V", "the same, less what the surface potential grows by", start=1e-3)
    OPTIONAL: ClassVar[dict[str, float]] = BSIM4Leakage.OPTIONAL

    def bulk_of_charges(self) -> Any:
        """The bulk voltage that counts for charges."""
        return self.v_b

    def flat_band_of_charges(self) -> Any:
        """The flat-band voltage from which on charge accumulates."""
        return self.Vfbzb

    def accumulated(self) -> Any:
        """The capacitance of oxide and charge in accumulation and depletion, per area."""
        oxide = self.Epsrox * VACUUM / self.Toxp
        field = (self.gate() - self.bulk_of_charges() - self.Vfbzb) / (1e8 * self.Toxp)
        link = 1e-3 * self.Toxp
        room = self.Ldeb - self.Ldeb * level_exp(field * self.Acde) - link
        centre = self.Ldeb - 0.5 * (room + tg.sqrt(room**2 + 4.0 * link * self.Ldeb))
        return SILICON * oxide / (SILICON + oxide * centre)

    def channel_charges(self) -> Charges:
        """Of a finger, as seen from the end that acts as source."""
        area = self.Wcv * self.Lcv
        bulk_voltage = self.bulk_of_charges()
        without_bending = self.flat_band_of_charges()
        flat = self.flat_band(bulk_voltage, without_bending)
        thick = area * self.accumulated()
        accumulation = thick * (flat - without_bending)
        half = 0.5 * self.K1ox
        v = self.gate() - flat - bulk_voltage - self.v_cv
        root = tg.where(
            tg.no_event(v < 0.0), tg.minimum(v, 0.0) / self.K1ox, tg.sqrt(half**2 + tg.maximum(v, 0.0)) - half
        )
        depletion = thick * self.K1ox * root
        inversion = self.inversion(area * self.charge_thickness(self.v_cv), self.v_carriers)
        gate = inversion.gate + accumulation + depletion - inversion.bulk
        bulk = inversion.bulk - accumulation - depletion
        return Charges(gate, bulk, inversion.drain)

    def equations(self) -> Statements:
        yield from self.charge_equations()

    def charge_equations(self) -> Statements:
        """v_cv and v_carriers."""
        n_vt = self.swing * self.Noff * self.vt()
        yield self.v_cv == n_vt * softplus((self.gate() - self.v_th - self.Voffcv) / n_vt)
        yield self.v_carriers == self.carriers()

    def carriers(self) -> Any:
        """v_carriers."""
        body = self.Moin * self.vt() * self.K1ox**2
        potential = self.vt() * tg.log(1.0 + (2.0 * self.K1ox * tg.sqrt(self.Phi) + self.v_cv) * self.v_cv / body)
        drop = self.v_cv - potential - 0.001
        return 0.5 * (drop + tg.sqrt(drop**2 + 0.004 * self.v_cv))

    def inversion(self, capacitance: Any, drive: Any) -> Charges:
        """Of an inverted channel; its gate charge is that of the carriers alone."""
        A = self.bulk_charge_0 * self.Acv
        v = below(self.turning(), drive / A, _SOFT)
        x = A * v
        mean = drive - 0.5 * x + 1e-20
        gate = capacitance * (drive - x * (0.5 - x / (12.0 * mean)))
        bulk = capacitance * (1.0 - A) * (0.5 * v - x * v / (12.0 * mean))
        if self.partition == 0.0:
            source = -capacitance * (drive / 2.0 + x / 4.0 - x**2 / (24.0 * mean))
        elif self.partition == 0.5:
            source = -0.5 * gate
        else:
            cubic = drive * (2.0 * x**2 / 3.0 + drive * (drive - 4.0 * x / 3.0)) - 2.0 * x**3 / 15.0
            source = -0.5 * capacitance / mean**2 * cubic
        return Charges(gate, bulk, -(gate + source))

    def overlap(self, v: Any, straight: Any, light: Any, fall: Any) -> Any:
        """The charge of the gate above source or drain."""
        low = v + _SOFT
        low = 0.5 * (low - tg.sqrt(low**2 + 4.0 * _SOFT))
        curved = light * (low + 0.5 * fall * (tg.sqrt(1.0 - 4.0 * low / fall) - 1.0))
        return self.Nf * self.Wcv * ((straight + light) * v - curved)

    def charges(self) -> Charges | None:
        """All of them; None where there are none."""
        if self.capmod < 0:
            return None
        own = self.channel_charges()
        source = -(own.gate + own.bulk + own.drain)
        drain = 0.5 * (own.drain + source + self.v_ds / self.turning() * (own.drain - source))
        at_drain = self.overlap(self.v_gs - self.v_ds, self.Cgdo, self.Cgdl, self.Ckappad)
        at_source = self.overlap(self.v_gs, self.Cgso, self.Cgsl, self.Ckappas)
        at_bulk = self.Nf * self.Cgbo * self.Lcv * (self.v_gs - self.v_bs)
        gate = self.Nf * own.gate + at_drain + at_source + at_bulk
        return Charges(gate, self.Nf * own.bulk - at_bulk, self.Nf * drain - at_drain)
