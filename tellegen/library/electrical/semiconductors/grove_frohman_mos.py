"""MOS transistors after Grove and Frohman, with short channels and limited velocity: SPICE's level 2."""

from __future__ import annotations

from math import pi
from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.mos_charges import PERMITTIVITY
from tellegen.library.electrical.semiconductors.mosfet import MOSFET
from tellegen.library.electrical.thermal_noise import CHARGE

_SILICON = 11.7 * 8.854214871e-12  # F/m, permittivity, to the digits of SPICE
_LEAST_WIDTH = 0.25e-6  # m, of a channel that is punched through, where the doping is not known
_TINY = 1e-9  # V
_STEP = 1e-5  # V, of the difference quotient that gives the transconductance for its noise


class GroveFrohmanMOSFET(MOSFET):
    """MOS transistor with the bulk charge along its channel, level 2 of SPICE; base of NMOS2 and PMOS2.

    Voltages, pins, resistances, junctions and capacitances are those of MOSFET. With S^2 = Phi - v_bs at the source and
    B^2 = S^2 + v at the end of the channel, V = v_gs - s Vto + Gamma sqrt(Phi) - (eta - 1) S^2 and
    g = Gamma (1 - shares of the junctions, by Xj and Nsub)

        i_ds = Kp u W/(L - shortening) ((V - eta v/2) v - 2/3 g (B^3 - S^3))         v = min(v_ds, v_sat)
        eta = 1 + Delta pi eps_si/(4 C W)        u = (Ucrit eps_si/(C (v_gs - v_on)))^Uexp, at most 1

    It saturates where no charge is left at the end of the channel, V = eta v + g B, with Vmax where the carriers there
    have this velocity, i_ds = W C Vmax (V - eta v - g B) (Baum and Beneking, 1970). Beyond v_sat the channel gets
    shorter: by Lambda v_ds L, or by the depletion layer of the drain (Nsub, with Vmax also Neff); never by more than
    leaves the depletion layer of a junction at zero voltage. With Nfs the current falls exponentially below v_on
    instead of ending at the threshold. For v_ds < 0 source and drain change places.
    """

    Tox = tg.parameter(1e-7, "m", "thickness of the oxide", min=0.0)
    Mjsw = tg.parameter(0.33, "1", "grading coefficient of the side walls", min=0.0)
    Nsub = tg.parameter(0.0, "1/cm3", "doping of the bulk", min=0.0)
    Xj = tg.parameter(0.0, "m", "depth of the junctions", min=0.0)
    Nfs = tg.parameter(0.0, "1/cm2", "density of fast surface states", min=0.0)
    Vmax = tg.parameter(0.0, "m/s", "largest velocity of the carriers", min=0.0)
    Neff = tg.parameter(1.0, "1", "part of Nsub that counts where the channel gets shorter", min=0.0)
    Delta = tg.parameter(0.0, "1", "effect of the width on the threshold")
    Ucrit = tg.parameter(1e4, "V/cm", "field from which on the mobility falls", min=0.0)
    Uexp = tg.parameter(0.0, "1", "exponent of the field in the mobility; 0: it does not fall", min=0.0)
    depth = tg.variable("V**0.5", "square root of the potential across the depletion layer of the source", start=0.8)
    body = tg.variable("V**0.5", "body effect of the charge that belongs to the gate")
    ideality = tg.variable("1", "thermal voltages of the gate that make e times the current below v_on", start=1.0)
    v_on = tg.variable("V", "voltage of the gate at which strong inversion begins")
    v_sat = tg.variable("V", "voltage along the channel at which it saturates", start=0.0)
    OPTIONAL: ClassVar[dict[str, float]] = {
        **{name: value for name, value in MOSFET.OPTIONAL.items() if name != "Tox"},
        **dict.fromkeys(("Nsub", "Xj", "Nfs", "Vmax", "Uexp"), 0.0),
    }

    def has(self, *names: str) -> bool:
        """The oxide is always there."""
        return "Tox" in names or super().has(*names)

    def oxide(self) -> Any:
        """Its capacitance per area."""
        return PERMITTIVITY / self.Tox

    def layer(self) -> Any:
        """The width of a depletion layer at 1 V, in m/V**0.5."""
        return tg.sqrt(2.0 * _SILICON / (CHARGE * self.Nsub * 1.0))

    def narrow(self) -> Any:
        """eta - 1."""
        return self.Delta * 0.25 * pi * _SILICON / (self.oxide() * self.W)

    def bulk(self) -> Any:
        """The voltage from the bulk to the end of the channel that acts as source."""
        return tg.maximum(self.v_bs, self.v_bs - self.v_ds)

    def depth_at(self, bulk: Any) -> Any:
        """The square root of the potential across a depletion layer."""
        return tg.sqrt(self.Phi - tg.minimum(bulk, 0.0)) / (1.0 + tg.maximum(bulk, 0.0) / (2.0 * self.Phi))

    def depth_slope(self, bulk: Any, depth: Any) -> Any:
        """How `depth_at` changes with the voltage of the bulk."""
        return -0.5 / depth * tg.where(tg.no_event(bulk > 0.0), (depth / tg.sqrt(self.Phi)) ** 3, 1.0)

    def shared(self, depth: Any) -> Any:
        """The part of the bulk charge that belongs to a junction."""
        return 0.5 * self.Xj / self.channel_length() * (tg.sqrt(1.0 + 2.0 * self.layer() * depth / self.Xj) - 1.0)

    def shared_slope(self, depth: Any) -> Any:
        """How it changes with the depth."""
        return 0.5 * self.layer() / self.channel_length() / tg.sqrt(1.0 + 2.0 * self.layer() * depth / self.Xj)

    def at_flat_bulk(self) -> Any:
        """The gate voltage V is measured from."""
        return self.SIGN * self.Vto - self.Gamma * tg.sqrt(self.Phi) + self.narrow() * (self.Phi - self.bulk())

    def threshold(self) -> Any:
        return self.at_flat_bulk() + self.body * self.depth

    def found_ideality(self) -> Any:
        """Of the surface states, and of how the bulk charge changes."""
        slope = self.depth_slope(self.bulk(), self.depth)
        falls = -self.body * slope
        if self.has("Nsub") and self.has("Xj"):
            drain = self.depth_at(self.bulk() - abs(self.v_ds))
            of_drain = self.shared_slope(drain) * self.depth_slope(self.bulk() - abs(self.v_ds), drain)
            falls = falls + self.Gamma * self.depth * (self.shared_slope(self.depth) * slope + of_drain)
        return 1.0 + CHARGE * self.Nfs / self.oxide() + falls + self.narrow()

    def gate_drive(self) -> Any:
        return tg.maximum(self.v_gs, self.v_gs - self.v_ds) - self.v_on

    def saturation_voltage(self) -> Any:
        return self.v_sat

    def mobility(self, gate: Any) -> Any:
        """u."""
        if not self.has("Uexp"):
            return 1.0
        critical = self.Ucrit * _SILICON / self.oxide()
        return (critical / tg.maximum(gate - self.v_on, critical)) ** self.Uexp

    def drive(self, gate: Any) -> Any:
        """V, at least that of the threshold."""
        return tg.maximum(gate, self.v_on) - self.at_flat_bulk()

    def without_limit(self, gate: Any) -> Any:
        """v_sat where carriers have any velocity."""
        eta = 1.0 + self.narrow()
        charge = self.drive(gate) / eta
        if not self.has("Gamma"):
            return tg.maximum(charge, 0.0)
        half = 0.5 * (self.body / eta) ** 2
        potential = tg.maximum(charge + self.Phi - self.bulk(), 0.0)
        return tg.maximum(charge + half - tg.sqrt(half**2 + 2.0 * half * potential), 0.0)

    def conduction(self, drive: Any, v: Any) -> Any:
        """i_ds/v without its factor, for a voltage v along the channel."""
        bulk = self.bulk()
        end = self.depth_at(bulk - v)
        start = self.depth
        steepness = 1.0 + (self._beyond_zero(bulk - v) - self._beyond_zero(bulk)) / tg.maximum(v, _TINY)
        mean = steepness * (end**2 + end * start + start**2) / (end + start)
        return drive - 0.5 * (1.0 + self.narrow()) * v - self.body * mean / 1.5

    def _beyond_zero(self, bulk: Any) -> Any:
        """What `depth_at`^2 is above Phi - bulk; 0 unless the junction conducts."""
        forward = tg.maximum(bulk, 0.0)
        return self.Phi / (1.0 + forward / (2.0 * self.Phi)) ** 2 - self.Phi + forward

    def crossing(self, gate: Any) -> Any:
        """The velocity Vmax over the mobility, as a voltage along the channel."""
        return self.Vmax * self.channel_length() / (self.U0 * self.mobility(gate))

    def velocity_excess(self, gate: Any, v: Any) -> Any:
        """What the carriers at v are faster than Vmax by; it grows with v, also below 0, where no solution may be."""
        drive = self.drive(gate)
        along = tg.maximum(v, 0.0)
        left = drive - (1.0 + self.narrow()) * along - self.body * self.depth_at(self.bulk() - along)
        carried = tg.minimum(along, self.without_limit(gate))
        crossing = self.crossing(gate)
        return (self.conduction(drive, carried) * carried - crossing * left) / (crossing + 1.0) + tg.minimum(v, 0.0)

    def saturated(self, gate: Any) -> Any:
        """v_sat at a gate voltage near the present one."""
        if not self.has("Vmax"):
            return self.without_limit(gate)
        here = self.velocity_excess(gate, self.v_sat)
        slope = (self.velocity_excess(gate, self.v_sat + _STEP) - here) / _STEP
        return self.v_sat - here / slope

    def shortened(self, gate: Any, v_sat: Any) -> Any:
        """L less what the channel gets shorter by."""
        L = self.channel_length()
        along = abs(self.v_ds)
        layer = self.layer() if self.has("Nsub") else 0.0
        if self.has("Lambda") or not self.has("Nsub"):
            length = self.Lambda * along * L
        elif self.has("Vmax"):
            of_drain = layer / tg.sqrt(self.Neff)
            limit = self.Vmax * of_drain / (2.0 * self.U0 * self.mobility(gate))
            length = of_drain * (tg.sqrt(limit**2 + tg.maximum(along - v_sat, 0.0)) - limit)
        else:
            beyond = (along - v_sat) / 4.0
            length = layer * tg.sqrt(beyond + tg.sqrt(1.0 + beyond**2))
        least = layer * tg.sqrt(self.Pb) if self.has("Nsub") else _LEAST_WIDTH
        known = layer * tg.sqrt(self.Pb) if self.has("Nsub") else 0.0
        left = L - length
        punched = least / (1.0 + tg.maximum(length - L + known, 0.0) / least)
        return tg.where(tg.no_event(left < least), punched, left)

    def current(self, gate: Any, v_sat: Any) -> Any:
        """i_ds for the voltage from the gate to the end of the channel that acts as source."""
        v = tg.minimum(abs(self.v_ds), v_sat)
        beta = self.transconductance() * self.mobility(gate) * self.W / self.shortened(gate, v_sat)
        current = beta * self.conduction(self.drive(gate), v) * tg.maximum(tg.minimum(self.v_ds, v_sat), -v_sat)
        if self.has("Nfs"):
            below = tg.minimum(gate - self.v_on, 0.0)
            current = current * tg.exp(below / (self.ideality * self.thermal_voltage()))
        return current

    def channel(self) -> tuple[Any, Any]:
        gate = tg.maximum(self.v_gs, self.v_gs - self.v_ds)
        more = self.current(gate + _STEP, self.saturated(gate + _STEP))
        less = self.current(gate - _STEP, self.saturated(gate - _STEP))
        return self.current(gate, self.v_sat), (more - less) / (2.0 * _STEP)

    def equations(self) -> Statements:
        yield self.depth == self.depth_at(self.bulk())
        body = self.Gamma if self.has("Gamma") else 0.0
        if self.has("Gamma") and self.has("Nsub") and self.has("Xj"):
            drain = self.depth_at(self.bulk() - abs(self.v_ds))
            body = self.Gamma * (1.0 - self.shared(self.depth) - self.shared(drain))
        yield self.body == body
        yield self.ideality == (self.found_ideality() if self.has("Nfs") else 1.0)
        yield self.v_on == self.v_th + (self.thermal_voltage() * self.ideality if self.has("Nfs") else 0.0)
        gate = tg.maximum(self.v_gs, self.v_gs - self.v_ds)
        if self.has("Vmax"):
            yield self.velocity_excess(gate, self.v_sat) == 0.0
        else:
            yield self.v_sat == self.without_limit(gate)


class NMOS2(GroveFrohmanMOSFET):
    """N-channel MOS transistor of SPICE's level 2."""


class PMOS2(GroveFrohmanMOSFET):
    """P-channel MOS transistor of SPICE's level 2."""

    SIGN: ClassVar[float] = -1.0
