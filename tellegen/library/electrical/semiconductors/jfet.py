"""Junction field-effect transistors, as in SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.junction import depletion_capacitance, junction, within_exponential
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor
from tellegen.library.electrical.thermal_noise import flicker, thermal

_GRADING = 0.5  # of the gate junctions


class JFET(Semiconductor):
    """Junction field-effect transistor after Shichman and Hodges; base of NJFET and PJFET.

    All currents are positive into the pins. The voltages below are those of an N-channel transistor; a P-channel one is
    its mirror image: s = -1 instead of 1 turns every voltage and current around. Vto is negative for both.

        v_gs = s (G.v - S'.v)     v_gd = s (G.v - D'.v)     v_ds = v_gs - v_gd

    with D' and S' after the resistances Rd and Rs. The channel carries from D' to S'

        i_ds = Beta (1 + Lambda |v_ds|) (F(max(v_gs - Vto, 0)) - F(max(v_gd - Vto, 0)))     F(x) = x^2 (B + b x)

    with b = (1 - B)/(Pb_b - Vto): both terms together are the triode region, the first alone saturation, none cut-off.
    With B = 1, the default, that is the quadratic law. The gate is two junctions, to source and drain, with
    the saturation current Is; with Cgs or Cgd they have depletion charges of grading 0.5, and voltages are states.

    Noise: 8/3 k T gm of the channel with gm = di_ds/dv_gs, Kf |i_ds|^Af/f, and 4 k T R of Rd and Rs.

    What is not given is absent: Lambda, B, Rd, Rs, Cgs, Cgd, Kf.
    """

    D = Pin("drain")
    G = Pin("gate")
    S = Pin("source")
    Vto = tg.parameter(-2.0, "V", "threshold voltage, negative for both channels")
    Beta = tg.parameter(1e-4, "A/V2", "transconductance", min=0.0)
    Lambda = tg.parameter(0.0, "1/V", "channel length modulation", min=0.0)
    B = tg.parameter(1.0, "1", "doping tail; 1: no effect")
    Rd = tg.parameter(0.0, "ohm", "resistance of the drain", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "resistance of the source", min=0.0)
    Is = tg.parameter(1e-14, "A", "saturation current of each gate junction", min=0.0)
    Xti = tg.parameter(0.0, "1", "exponent of the temperature in saturation currents; acts with the heat port")
    Cgs = tg.parameter(0.0, "F", "capacitance of gate and source at zero voltage", min=0.0)
    Cgd = tg.parameter(0.0, "F", "capacitance of gate and drain at zero voltage", min=0.0)
    Pb = tg.parameter(1.0, "V", "potential of the gate junctions", min=0.0)
    Pb_b = tg.parameter(Pb, "V", "the same potential where B was measured", min=0.0)
    Fc = tg.parameter(0.5, "1", "part of Pb from which capacitances continue straight", min=0.0, max=0.95)
    Kf = tg.parameter(0.0, "1", "coefficient of flicker noise; 0: none", min=0.0)
    Af = tg.parameter(1.0, "1", "exponent of the current in flicker noise")
    v_gs = tg.variable("V", "voltage from gate to inner source; of P-channel transistors the reverse", start=0.0)
    v_gd = tg.variable("V", "voltage from gate to inner drain; of P-channel transistors the reverse", start=0.0)
    i_ds = tg.variable("A", "current of the channel from drain to source; of P-channel transistors the reverse")
    i_gs = tg.variable("A", "current of the junction from gate to source; of P-channel transistors the reverse")
    i_gd = tg.variable("A", "current of the junction from gate to drain; of P-channel transistors the reverse")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **dict.fromkeys(("Lambda", "Rd", "Rs", "Cgs", "Cgd", "Kf"), 0.0),
        "B": 1.0,
    }
    SIGN: ClassVar[float] = 1.0

    def channel(self) -> Any:
        """i_ds as an expression of the voltages."""
        beta: Any = self.Beta
        if self.has("Lambda"):
            beta = beta * (1.0 + self.Lambda * abs(self.v_gs - self.v_gd))
        return beta * (self._opened(self.v_gs) - self._opened(self.v_gd))

    def channel_noise(self) -> list[tg.Noise]:
        """Of i_ds."""
        slope = abs(self._slope(self.v_gs) - self._slope(self.v_gd))
        if self.has("Lambda"):
            slope = slope * (1.0 + self.Lambda * abs(self.v_gs - self.v_gd))
        noises = [thermal(2.0 / 3.0 * self.Beta * slope, self.junction_temperature())]
        return [*noises, flicker(self.i_ds, self.Kf, self.Af)] if self.has("Kf") else noises

    def _slope(self, v: tg.Expression) -> Any:
        """dF/dv."""
        beyond = tg.maximum(v - self.Vto, 0.0)
        if not self.has("B"):
            return 2.0 * beyond
        return beyond * (2.0 * self.B + 3.0 * (1.0 - self.B) / (self.Pb_b - self.Vto) * beyond)

    def _opened(self, v: tg.Expression) -> Any:
        """F of the voltage by which one end of the channel is open."""
        beyond = tg.maximum(v - self.Vto, 0.0)
        if not self.has("B"):
            return beyond**2
        return beyond**2 * (self.B + (1.0 - self.B) / (self.Pb_b - self.Vto) * beyond)

    def gate_current(self, v: tg.Expression) -> Any:
        """The current of one gate junction at its voltage."""
        return junction(v, self.saturation(self.Is), self.thermal_voltage()) + self.Gmin * v

    def charging_current(self, name: str, v: Any) -> Any:
        """The current that charges a junction; 0 where it has no capacitance."""
        if not self.has(name):
            return 0.0
        return depletion_capacitance(v, getattr(self, name), self.Pb, _GRADING, self.Fc) * tg.der(v)

    def equations(self) -> Statements:
        s = self.SIGN
        to_source = self.i_gs + self.charging_current("Cgs", self.v_gs)
        to_drain = self.i_gd + self.charging_current("Cgd", self.v_gd)
        yield tg.noisy(self.i_ds == self.channel(), *self.channel_noise())
        yield self.i_gs == self.gate_current(self.v_gs)
        yield self.i_gd == self.gate_current(self.v_gd)
        yield within_exponential(tg.maximum(self.v_gs, self.v_gd), self.thermal_voltage())
        yield s * self.D.i == self.i_ds - to_drain
        yield s * self.G.i == to_source + to_drain
        yield self.D.i + self.G.i + self.S.i == 0
        T = self.junction_temperature()
        of_source = (thermal(self.Rs, T, "Rs"),) if self.has("Rs") else ()
        of_drain = (thermal(self.Rd, T, "Rd"),) if self.has("Rd") else ()
        to_gate = self.G.v - self.S.v + (self.Rs * self.S.i if self.has("Rs") else 0.0)
        from_drain = self.G.v - self.D.v + (self.Rd * self.D.i if self.has("Rd") else 0.0)
        yield tg.noisy(self.v_gs == s * to_gate, *of_source)
        yield tg.noisy(self.v_gd == s * from_drain, *of_drain)

    def losses(self) -> Any:
        total = self.i_ds * (self.v_gs - self.v_gd) + self.i_gs * self.v_gs + self.i_gd * self.v_gd
        total = total + self.Rd * self.D.i**2 if self.has("Rd") else total
        return total + self.Rs * self.S.i**2 if self.has("Rs") else total


class NJFET(JFET):
    """N-channel junction field-effect transistor: conducts from D to S while the gate is above Vto."""


class PJFET(JFET):
    """P-channel junction field-effect transistor: conducts from S to D while the gate is below -Vto."""

    SIGN: ClassVar[float] = -1.0
