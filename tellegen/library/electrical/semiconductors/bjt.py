"""Bipolar transistors with the law of Gummel and Poon, as in SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.junction import Semiconductor, junction

_LEAST_Q1 = 1e-3  # of the base charge: trials of Newton's method may go beyond the Early voltage


class BJT(Semiconductor):
    """Bipolar transistor after Gummel and Poon; base of NPN and PNP.

    All currents are positive into the pins. Voltages v_be and v_bc and the currents below are those of an NPN
    transistor; a PNP transistor is its mirror image: s = -1 instead of 1 turns every voltage and current around.

        s (B.v - E.v) = v_be + Rb i_b + Re i_e         i_b = s B.i
        s (B.v - C.v) = v_bc + Rb i_b - Rc i_c         i_c = s C.i         i_e = i_b + i_c = -s E.i

        I_f = Is (exp(v_be/(Nf Vt)) - 1)               I_r = Is (exp(v_bc/(Nr Vt)) - 1)
        i_c = (I_f - I_r)/q_b - I_r/Br - I_lc
        i_b = I_f/Bf + I_le + I_r/Br + I_lc

    I_le = Ise (exp(v_be/(Ne Vt)) - 1) + Gmin v_be and I_lc = Isc (exp(v_bc/(Nc Vt)) - 1) + Gmin v_bc are leakage. The
    base charge, q_b = q_1 (1 + sqrt(1 + 4 q_2))/2 with q_1 = 1/(1 - v_bc/Vaf - v_be/Var) and q_2 = I_f/Ikf + I_r/Ikr,
    is 1 without Early effect and high injection. What is not given is absent: Vaf, Var, Ikf, Ikr, Ise, Isc, Rb, Rc, Re.
    """

    C = Pin("collector")
    B = Pin("base")
    E = Pin("emitter")
    Is = tg.parameter(1e-16, "A", "saturation current of the transport", min=0.0)
    Bf = tg.parameter(100.0, "1", "current gain, forward", min=0.0)
    Br = tg.parameter(1.0, "1", "current gain, reverse", min=0.0)
    Nf = tg.parameter(1.0, "1", "emission coefficient, forward", min=0.0)
    Nr = tg.parameter(1.0, "1", "emission coefficient, reverse", min=0.0)
    Vaf = tg.parameter(0.0, "V", "Early voltage, forward; 0: no effect", min=0.0)
    Var = tg.parameter(0.0, "V", "Early voltage, reverse; 0: no effect", min=0.0)
    Ikf = tg.parameter(0.0, "A", "knee current of high injection, forward; 0: no effect", min=0.0)
    Ikr = tg.parameter(0.0, "A", "knee current of high injection, reverse; 0: no effect", min=0.0)
    Ise = tg.parameter(0.0, "A", "saturation current of the base-emitter leakage", min=0.0)
    Ne = tg.parameter(1.5, "1", "emission coefficient of the base-emitter leakage", min=0.0)
    Isc = tg.parameter(0.0, "A", "saturation current of the base-collector leakage", min=0.0)
    Nc = tg.parameter(2.0, "1", "emission coefficient of the base-collector leakage", min=0.0)
    Rb = tg.parameter(0.0, "ohm", "resistance of the base", min=0.0)
    Re = tg.parameter(0.0, "ohm", "resistance of the emitter", min=0.0)
    Rc = tg.parameter(0.0, "ohm", "resistance of the collector", min=0.0)
    v_be = tg.variable("V", "voltage of the base-emitter junction, positive if it conducts", start=0.0)
    v_bc = tg.variable("V", "voltage of the base-collector junction, positive if it conducts", start=0.0)
    i_b = tg.variable("A", "current of the base; into an NPN, out of a PNP transistor")
    i_c = tg.variable("A", "current of the collector; into an NPN, out of a PNP transistor")
    OPTIONAL: ClassVar[dict[str, float]] = dict.fromkeys(
        ("Vaf", "Var", "Ikf", "Ikr", "Ise", "Isc", "Rb", "Re", "Rc"), 0.0
    )
    SIGN: ClassVar[float] = 1.0

    def transport(self) -> tuple[Any, Any]:
        """I_f and I_r, the ideal currents of the two junctions."""
        Vt = self.thermal_voltage()
        return junction(self.v_be, self.Is, self.Nf * Vt), junction(self.v_bc, self.Is, self.Nr * Vt)

    def base_charge(self) -> Any:
        """q_b, relative to the base without voltages."""
        early = 1.0
        if self.has("Vaf"):
            early = early - self.v_bc / self.Vaf
        if self.has("Var"):
            early = early - self.v_be / self.Var
        q1 = 1.0 / tg.maximum(early, _LEAST_Q1) if self.has("Vaf", "Var") else 1.0
        if not self.has("Ikf", "Ikr"):
            return q1
        forward, reverse = self.transport()
        q2 = (forward / self.Ikf if self.has("Ikf") else 0.0) + (reverse / self.Ikr if self.has("Ikr") else 0.0)
        return q1 * (1.0 + tg.sqrt(tg.maximum(1.0 + 4.0 * q2, 0.0))) / 2.0

    def base_currents(self) -> tuple[Any, Any]:
        """The static currents from the base to emitter and collector: recombination and leakage."""
        Vt = self.thermal_voltage()
        forward, reverse = self.transport()
        emitter = forward / self.Bf + self.Gmin * self.v_be
        collector = reverse / self.Br + self.Gmin * self.v_bc
        if self.has("Ise"):
            emitter = emitter + junction(self.v_be, self.Ise, self.Ne * Vt)
        if self.has("Isc"):
            collector = collector + junction(self.v_bc, self.Isc, self.Nc * Vt)
        return emitter, collector

    def equations(self) -> Statements:
        s = self.SIGN
        forward, reverse = self.transport()
        to_emitter, to_collector = self.base_currents()
        yield self.i_c == (forward - reverse) / self.base_charge() - to_collector
        yield self.i_b == to_emitter + to_collector
        yield s * self.B.i == self.i_b
        yield s * self.C.i == self.i_c
        yield self.C.i + self.B.i + self.E.i == 0
        base = self.Rb * self.i_b if self.has("Rb") else 0.0
        yield s * (self.B.v - self.E.v) == self.v_be + base + (self.Re * (self.i_b + self.i_c) if self.has("Re") else 0)
        yield s * (self.B.v - self.C.v) == self.v_bc + base - (self.Rc * self.i_c if self.has("Rc") else 0)

    def losses(self) -> Any:
        return self.C.v * self.C.i + self.B.v * self.B.i + self.E.v * self.E.i


class NPN(BJT):
    """NPN transistor: conducts from C to E while a current flows into B."""


class PNP(BJT):
    """PNP transistor: conducts from E to C while a current flows out of B."""

    SIGN: ClassVar[float] = -1.0
