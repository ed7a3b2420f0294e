"""MOS transistors with short channels, after Dang: SPICE's level 3."""

from __future__ import annotations

from math import pi
from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.mos_charges import PERMITTIVITY
from tellegen.library.electrical.semiconductors.mosfet import MOSFET
from tellegen.library.electrical.thermal_noise import CHARGE

_SILICON = 11.7 * 8.854214871e-12  # F/m, permittivity, to the digits of SPICE
_DEPTH = (0.0631353, 0.8013292, -0.01110777)  # of the depletion layer around a cylindrical junction
_FEEDBACK = 8.15e-22  # F.m, of Eta
_LEAST_CONDUCTANCE = 1e-12  # S
_TINY = 1e-12
_STEP = 1e-5  # V, of the difference quotient that gives the transconductance for its noise


class SemiEmpiricalMOSFET(MOSFET):
    """MOS transistor with short-channel effects, level 3 of SPICE; base of NMOS3 and PMOS3.

    Voltages, pins, resistances, junctions and capacitances are those of MOSFET. The threshold falls with the voltage
    along the channel and with its shortness, which leaves less of the bulk charge to the gate,

        v_th = s Vto - Gamma sqrt(Phi) - eta v_ds + Gamma f_s sqrt(Phi - v_bs) + f_n (Phi - v_bs)
        eta = 8.15e-22 Eta/(C L^3)     f_b = Gamma f_s/(4 sqrt(Phi - v_bs)) + f_n     f_n = Delta pi eps/(2 C W)

    with C = eps_ox/Tox and L shorter by 2 Ld. The mobility is U0/(1 + Theta (v_gs - v_th)), the velocity at most Vmax:

        i_ds = Kp W/L (v_gs - v_th - (1 + f_b) v/2) v/((1 + Theta (v_gs - v_th)) (1 + v/v_c))     v = min(v_ds, v_sat)

    with v_c = L Vmax/mobility; beyond v_sat the channel gets shorter (Kappa). With Nfs the current falls exponentially
    below the threshold instead of ending there. For v_ds < 0 source and drain change places.

    What is not given is absent: Nsub (short channels and their shortening), Xj, Vmax, Nfs, and all that MOSFET has.
    """

    Tox = tg.parameter(1e-7, "m", "thickness of the oxide", min=0.0)
    Nsub = tg.parameter(0.0, "1/cm3", "doping of the bulk", min=0.0)
    Xj = tg.parameter(0.0, "m", "depth of the junctions", min=0.0)
    Nfs = tg.parameter(0.0, "1/cm2", "density of fast surface states", min=0.0)
    Vmax = tg.parameter(0.0, "m/s", "largest velocity of the carriers", min=0.0)
    Delta = tg.parameter(0.0, "1", "effect of the width on the threshold")
    Theta = tg.parameter(0.0, "1/V", "how the mobility falls with the gate voltage")
    Eta = tg.parameter(0.0, "1", "static feedback: how the threshold falls with v_ds")
    Kappa = tg.parameter(0.2, "1", "how the channel gets shorter in saturation", min=0.0)
    depth = tg.variable("V**0.5", "square root of the potential across the depletion layer", start=0.8)
    shortness = tg.variable("1", "part of the bulk charge that belongs to the gate", start=1.0)
    body = tg.variable("1", "how the threshold rises along the channel")
    v_sat = tg.variable("V", "voltage along the channel at which it saturates")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **{name: value for name, value in MOSFET.OPTIONAL.items() if name != "Tox"},
        **dict.fromkeys(("Nsub", "Xj", "Nfs", "Vmax", "Lambda"), 0.0),
    }

    def has(self, *names: str) -> bool:
        """The oxide is always there."""
        return "Tox" in names or super().has(*names)

    def oxide(self) -> Any:
        """Its capacitance per area."""
        return PERMITTIVITY / self.Tox

    def layer(self) -> Any:
        """The square of the width of a depletion layer per volt, in m2/V."""
        return 2.0 * _SILICON / (CHARGE * self.Nsub * 1.0)

    def narrow(self) -> Any:
        """f_n."""
        return self.Delta * 0.5 * pi * _SILICON / (self.oxide() * self.W)

    def short_channel(self) -> Any:
        """f_s: the charge of a trapezoid below the gate, between junctions that are cylinders."""
        if not (self.has("Nsub") and self.has("Xj")):
            return 1.0
        width = tg.sqrt(self.layer()) * self.depth / self.Xj
        overlap = self.Ld / self.Xj
        cylinder = _DEPTH[0] + _DEPTH[1] * width + _DEPTH[2] * width**2
        part = width / (1.0 + width)
        left = (cylinder + overlap) * tg.sqrt(1.0 - part**2) - overlap
        return 1.0 - self.Xj / self.channel_length() * left

    def threshold(self) -> Any:
        feedback = self.Eta * _FEEDBACK / (self.oxide() * self.channel_length() ** 3)
        built_in = self.SIGN * self.Vto - self.Gamma * tg.sqrt(self.Phi)
        return built_in - feedback * abs(self.v_ds) + self.bulk_charge()

    def bulk_charge(self) -> Any:
        """Over the capacitance of the oxide."""
        return self.Gamma * self.shortness * self.depth + self.narrow() * self.depth**2

    def ideality(self) -> Any:
        """How many thermal voltages of the gate make e times the current below the threshold."""
        states = CHARGE * self.Nfs / self.oxide()
        return 1.0 + states + self.bulk_charge() / (2.0 * self.depth**2)

    def onset(self) -> Any:
        """The gate voltage at which strong inversion begins."""
        return self.v_th + (self.thermal_voltage() * self.ideality() if self.has("Nfs") else 0.0)

    def gate_drive(self) -> Any:
        return tg.maximum(self.v_gs, self.v_gs - self.v_ds) - self.onset()

    def saturation_voltage(self) -> Any:
        return self.v_sat

    def critical_voltage(self, drive: Any) -> Any:
        """v_c, at which half of the largest velocity is reached."""
        slower = 1.0 + self.Theta * drive
        return self.channel_length() * self.Vmax * slower / (self.U0 * self.transconductance_ratio())

    def transconductance_ratio(self) -> Any:
        """How the mobility falls with the temperature of the heat port."""
        return (self.junction_temperature() / self.T_ref) ** -1.5 if self.use_heat_port else 1.0

    def saturated(self, drive: Any) -> Any:
        """v_sat for a gate voltage beyond the threshold."""
        ideal = drive / (1.0 + self.body)
        if not self.has("Vmax"):
            return ideal
        critical = self.critical_voltage(drive)
        return ideal + critical - tg.sqrt(ideal**2 + critical**2)

    def current(self, gate: Any) -> Any:
        """i_ds for the voltage from the gate to the end of the channel that acts as source."""
        drive = tg.maximum(gate - self.v_th, self.onset() - self.v_th)
        v_sat = self.saturated(drive)
        along = abs(self.v_ds)
        v = tg.minimum(along, v_sat)
        beta = self.transconductance() * self.W / self.channel_length() / (1.0 + self.Theta * drive)
        current = beta * (drive - 0.5 * (1.0 + self.body) * v) * tg.maximum(tg.minimum(self.v_ds, v_sat), -v_sat)
        if self.has("Vmax"):
            current = current / (1.0 + v / self.critical_voltage(drive))
        if self.has("Nsub"):
            current = current / (1.0 - self.shortened(current, drive, v_sat) / self.channel_length())
        if self.has("Nfs"):
            below = tg.minimum(gate - self.onset(), 0.0)
            current = current * tg.exp(below / (self.ideality() * self.thermal_voltage()))
        return current

    def shortened(self, current: Any, drive: Any, v_sat: Any) -> Any:
        """By how much the channel is shorter in saturation; never by more than it is long."""
        L = self.channel_length()
        along = abs(self.v_ds)
        beyond = tg.maximum(along - v_sat, 0.0)
        if self.has("Vmax"):
            critical = self.critical_voltage(drive)
            share = v_sat / (critical + v_sat)
            slope = tg.maximum(abs(current) * share / critical, _LEAST_CONDUCTANCE)
            half = 0.5 * self.Kappa * abs(current) / (L * slope) * self.layer()
            length = tg.sqrt(half**2 + self.Kappa * self.layer() * beyond + _TINY**2) - half
        else:
            part = tg.minimum(along / tg.maximum(v_sat, _TINY), 1.0)
            length = tg.sqrt(self.Kappa * self.layer() * (beyond + v_sat / 8.0) + _TINY**2) * part**4
        return tg.where(tg.no_event(length > 0.5 * L), L - L**2 / (4.0 * tg.maximum(length, 0.25 * L)), length)

    def channel(self) -> tuple[Any, Any]:
        gate = tg.maximum(self.v_gs, self.v_gs - self.v_ds)
        slope = (self.current(gate + _STEP) - self.current(gate - _STEP)) / (2.0 * _STEP)
        return self.current(gate), slope

    def equations(self) -> Statements:
        bulk = tg.maximum(self.v_bs, self.v_bs - self.v_ds)
        root = tg.sqrt(self.Phi - tg.minimum(bulk, 0.0))
        yield self.depth == root / (1.0 + tg.maximum(bulk, 0.0) / (2.0 * self.Phi))
        yield self.shortness == self.short_channel()
        yield self.body == self.Gamma * self.shortness / (4.0 * self.depth) + self.narrow()
        drive = tg.maximum(self.gate_drive() + self.onset() - self.v_th, self.onset() - self.v_th)
        yield self.v_sat == self.saturated(drive)


class NMOS3(SemiEmpiricalMOSFET):
    """N-channel MOS transistor of SPICE's level 3."""


class PMOS3(SemiEmpiricalMOSFET):
    """P-channel MOS transistor of SPICE's level 3."""

    SIGN: ClassVar[float] = -1.0
