"""The capacitances of a MOS transistor: gate overlap, channel after Meyer, bulk junctions. As in SPICE's level 1."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.semiconductors.junction import depletion_capacitance
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor

PERMITTIVITY = 3.9 * 8.854214871e-12  # F/m, of silicon dioxide, to the digits of SPICE
_LEAST_PART = 1e-6  # of the oxide, where there is no overlap: a drain without any capacitance would have no rate
_LEAST_SATURATION = 0.025  # V; below, SPICE moves the charge of the channel softly from one end to the other


class MOSCharges(Semiconductor):
    """Base of MOS transistors: geometry, voltages, and the currents that charge their capacitances.

    Between gate and the ends of the channel Meyer's capacitances, with the oxide C = W (L - 2 Ld) eps/Tox, u the gate
    voltage beyond the threshold, w = 1 + 2 u/Phi between 0 and 1, V = max(u, 25 mV) and v_ds limited to V:

        C_gs = 2/3 C w (1 - ((V - v_ds)/(2 V - v_ds))^2)    C_gd = 2/3 C w (1 - (V/(2 V - v_ds))^2)

    for v_ds > 0, else with source and drain exchanged; and between gate and bulk C_gb = C (-u/Phi, between 0 and 1).
    Ends without an overlap have 1e-6 C besides, without which a drain had no capacitance at all where C_gd is 0.
    """

    W = tg.parameter(1e-4, "m", "width of the channel", min=0.0)
    L = tg.parameter(1e-4, "m", "length of the channel", min=0.0)
    Ld = tg.parameter(0.0, "m", "lateral diffusion: the channel is shorter by 2 Ld", min=0.0)
    Tox = tg.parameter(0.0, "m", "thickness of the oxide; 0: no capacitance of the channel", min=0.0)
    Cgso = tg.parameter(0.0, "F/m", "overlap capacitance of gate and source, per width", min=0.0)
    Cgdo = tg.parameter(0.0, "F/m", "overlap capacitance of gate and drain, per width", min=0.0)
    Cgbo = tg.parameter(0.0, "F/m", "overlap capacitance of gate and bulk, per length", min=0.0)
    Cbd = tg.parameter(0.0, "F", "capacitance of the bulk-drain junction at zero voltage", min=0.0)
    Cbs = tg.parameter(0.0, "F", "capacitance of the bulk-source junction at zero voltage", min=0.0)
    Cj = tg.parameter(0.0, "F/m2", "the same per area; acts where Cbd or Cbs is not given", min=0.0)
    Pb = tg.parameter(0.8, "V", "potential of the bulk junctions", min=0.0)
    Mj = tg.parameter(0.5, "1", "grading coefficient of the bulk junctions", min=0.0)
    Cjsw = tg.parameter(0.0, "F/m", "capacitance of the side walls of the bulk junctions, per perimeter", min=0.0)
    Mjsw = tg.parameter(0.5, "1", "grading coefficient of the side walls", min=0.0)
    Ad = tg.parameter(0.0, "m2", "area of the drain", min=0.0)
    As = tg.parameter(0.0, "m2", "area of the source", min=0.0)
    Pd = tg.parameter(0.0, "m", "perimeter of the drain", min=0.0)
    Ps = tg.parameter(0.0, "m", "perimeter of the source", min=0.0)
    Fc = tg.parameter(0.5, "1", "part of Pb from which capacitances continue straight", min=0.0, max=0.95)
    v_gs = tg.variable("V", "voltage from gate to inner source; of P-channel transistors the reverse", start=0.0)
    v_ds = tg.variable("V", "voltage from inner drain to inner source; of P-channel transistors the reverse", start=0.0)
    v_bs = tg.variable("V", "voltage from bulk to inner source; of P-channel transistors the reverse", start=0.0)
    v_th = tg.variable("V", "threshold of the gate voltage, seen from the end of the channel that acts as source")
    OPTIONAL: ClassVar[dict[str, float]] = dict.fromkeys(
        ("Tox", "Cgso", "Cgdo", "Cgbo", "Cbd", "Cbs", "Cj", "Cjsw", "Ad", "As", "Pd", "Ps"), 0.0
    )

    def channel_length(self) -> Any:
        """L - 2 Ld."""
        return self.L - 2.0 * self.Ld

    def gate_drive(self) -> Any:
        """The voltage of the gate beyond the threshold, seen from the end of the channel that acts as source."""
        return tg.maximum(self.v_gs, self.v_gs - self.v_ds) - self.v_th

    def saturation_voltage(self) -> Any:
        """The voltage along the channel at which it saturates."""
        return self.gate_drive()

    def charging_currents(self) -> dict[str, Any]:
        """The currents through the capacitances by their ends, from the first to the second; 0 where there is none."""
        capacitances = {name: self._overlap(name) for name in ("gs", "gd", "gb")}
        if self.has("Tox"):
            for name, channel in self._meyer().items():
                capacitances[name] = capacitances[name] + channel
        capacitances["bs"] = self._bulk(self.v_bs, "s")
        capacitances["bd"] = self._bulk(self.v_bs - self.v_ds, "d")
        voltages = {
            "gs": self.v_gs,
            "gd": self.v_gs - self.v_ds,
            "gb": self.v_gs - self.v_bs,
            "bs": self.v_bs,
            "bd": self.v_bs - self.v_ds,
        }
        return {name: 0.0 if C is None else C * tg.der(voltages[name]) for name, C in capacitances.items()}

    def _overlap(self, ends: str) -> Any:
        """The part that does not depend on voltages; None if there is none at all between these ends."""
        name = f"C{ends}o"
        if self.has(name):
            return getattr(self, name) * (self.channel_length() if ends == "gb" else self.W)
        return _LEAST_PART * self._oxide() if self.has("Tox") else None

    def _oxide(self) -> Any:
        return PERMITTIVITY / self.Tox * self.W * self.channel_length()

    def _meyer(self) -> dict[str, Any]:
        oxide = self._oxide()
        beyond = self.gate_drive()
        V = tg.maximum(self.saturation_voltage(), _LEAST_SATURATION)
        forward = tg.minimum(tg.maximum(self.v_ds, 0.0), V)
        reverse = tg.minimum(tg.maximum(-self.v_ds, 0.0), V)
        whole = 2.0 / 3.0 * oxide * tg.minimum(tg.maximum(1.0 + 2.0 * beyond / self.Phi, 0.0), 1.0)
        both = 2.0 * V - forward - reverse
        return {
            "gs": whole * (1.0 - ((V - forward) / both) ** 2),
            "gd": whole * (1.0 - ((V - reverse) / both) ** 2),
            "gb": oxide * tg.minimum(tg.maximum(-beyond / self.Phi, 0.0), 1.0),
        }

    def _bulk(self, v: tg.Expression, end: str) -> Any:
        """The capacitance of the junction of bulk and drain "d" or source "s"; None if there is none."""
        total = None
        if self.has(f"Cb{end}") or (self.has("Cj") and self.has(f"A{end}")):
            bottom = getattr(self, f"Cb{end}") if self.has(f"Cb{end}") else self.Cj * getattr(self, f"A{end}")
            total = depletion_capacitance(v, bottom, self.Pb, self.Mj, self.Fc)
        if self.has("Cjsw") and self.has(f"P{end}"):
            side = depletion_capacitance(v, self.Cjsw * getattr(self, f"P{end}"), self.Pb, self.Mjsw, self.Fc)
            total = side if total is None else total + side
        return total
