"""Power MOS transistors whose current flows vertically through the chip (VDMOS of SPICE programs)."""

from __future__ import annotations

from math import pi
from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor
from tellegen.library.electrical.thermal_noise import thermal

_STEEPEST = 100.0  # exponent


class VerticalMOS(Semiconductor):
    """Power MOS transistor with three pins; base of NVDMOS and PVDMOS.

    Voltages are those of an N-channel transistor; s = -1 turns them around for a P-channel one:

        v_gs = s (G'.v - S'.v)     v_ds = s (D'.v - S'.v)

    with the inner ends after Rg, Rd and Rs. Seen from the end that acts as source the gate is v_gs - s Vto above the
    threshold, and softly below it:

        v_on = Ksubthres log(1 + exp((v_gs - s Vto - Subshift)/Ksubthres))
        i_ds = Kp (1 + Lambda v_ds)/(1 + Theta max(v_gs, 0)) x (v_on - x/2),    x = min(Mtriode |v_ds|, v_on)

    Gate and source have the constant capacitance Cgs, gate and drain one that rises from Cgdmin to Cgdmax: with
    C1 = (Cgdmax - Cgdmin)/(1 + pi/2) it is Cgdmax - C1 + C1 tanh(A v_gd), for v_gd < 0 with atan instead of tanh. Quasi
    saturation: Rd grows by Rq v/(v + Vq) with the outer voltage v of drain and source. The body diode is not part of
    it: put a Diode from S to D (from D to S of a PVDMOS). The laws are those of ngspice 39, in which they were looked
    up. Noise: 8/3 k T gm of the channel, 4 k T R of Rd and Rs (that of Rg is not there).
    """

    D = Pin("drain")
    G = Pin("gate")
    S = Pin("source")
    Vto = tg.parameter(3.0, "V", "threshold voltage; of P-channel transistors mostly negative")
    Kp = tg.parameter(20.0, "A/V2", "transconductance", min=0.0)
    Lambda = tg.parameter(0.0, "1/V", "channel length modulation", min=0.0)
    Theta = tg.parameter(0.0, "1/V", "how the mobility falls with the gate voltage", min=0.0)
    Mtriode = tg.parameter(1.0, "1", "conductance of the triode region relative to that of a quadratic law", min=0.0)
    Ksubthres = tg.parameter(0.1, "V", "how softly the current begins", min=0.0)
    Subshift = tg.parameter(0.0, "V", "gate voltage above the threshold at which it begins")
    Rd = tg.parameter(0.0, "ohm", "resistance of the drain", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "resistance of the source", min=0.0)
    Rg = tg.parameter(0.0, "ohm", "resistance of the gate", min=0.0)
    Rq = tg.parameter(0.0, "ohm", "resistance that the drain gains in quasi saturation; 0: none", min=0.0)
    Vq = tg.parameter(1.0, "V", "outer voltage with which half of Rq is there", min=0.0)
    Cgs = tg.parameter(0.0, "F", "capacitance of gate and source", min=0.0)
    Cgdmin = tg.parameter(0.0, "F", "least capacitance of gate and drain", min=0.0)
    Cgdmax = tg.parameter(0.0, "F", "largest capacitance of gate and drain", min=0.0)
    A = tg.parameter(1.0, "1/V", "how fast the capacitance of gate and drain changes", min=0.0)
    v_gs = tg.variable("V", "voltage from inner gate to source; of P-channel transistors the reverse", start=0.0)
    v_ds = tg.variable("V", "voltage from inner drain to source; of P-channel transistors the reverse", start=0.0)
    v_gd = tg.variable("V", "voltage from inner gate to drain; of P-channel transistors the reverse", start=0.0)
    v_on = tg.variable("V", "gate voltage above the threshold, softly", start=1e-3)
    i_ds = tg.variable("A", "current of the channel from drain to source; of P-channel transistors the reverse")
    OPTIONAL: ClassVar[dict[str, float]] = dict.fromkeys(
        ("Lambda", "Theta", "Rd", "Rs", "Rg", "Rq", "Cgs", "Cgdmin", "Cgdmax"), 0.0
    )
    SIGN: ClassVar[float] = 1.0

    def above(self) -> Any:
        """The gate voltage above the threshold, seen from the end that acts as source."""
        return tg.maximum(self.v_gs, self.v_gs - self.v_ds) - self.SIGN * self.Vto

    def softly_above(self) -> Any:
        """v_on."""
        x = (self.above() - self.Subshift) / self.Ksubthres
        inner = tg.log(1.0 + tg.exp(tg.minimum(x, _STEEPEST)))
        return self.Ksubthres * tg.where(tg.no_event(x > _STEEPEST), x, inner)

    def channel(self) -> tuple[Any, Any]:
        """i_ds as an expression of the voltages, and its slope over the gate voltage."""
        beta: Any = self.Kp
        if self.has("Lambda"):
            beta = beta * (1.0 + self.Lambda * self.v_ds)
        if self.has("Theta"):
            beta = beta / (1.0 + self.Theta * tg.maximum(self.v_gs, 0.0))
        x = tg.minimum(self.Mtriode * abs(self.v_ds), self.v_on)
        direction = tg.where(tg.no_event(self.v_ds >= 0.0), 1.0, -1.0)
        return direction * beta * x * (self.v_on - x / 2.0), beta * x

    def drain_resistance(self) -> Any:
        """With quasi saturation, which there is in forward direction."""
        total: Any = self.Rd
        if self.has("Rq"):
            outer = tg.maximum(self.SIGN * (self.D.v - self.S.v), 0.0)
            total = total + self.Rq * outer / (outer + self.Vq)
        return total

    def charging_currents(self) -> tuple[Any, Any]:
        """From gate to source, and from gate to drain."""
        to_source = self.Cgs * tg.der(self.v_gs) if self.has("Cgs") else 0.0
        if not self.has("Cgdmin", "Cgdmax"):
            return to_source, 0.0
        part = (self.Cgdmax - self.Cgdmin) / (1.0 + pi / 2.0)
        x = self.A * self.v_gd
        rising = tg.tanh(tg.maximum(x, 0.0)) + tg.atan(tg.minimum(x, 0.0))
        return to_source, (self.Cgdmax - part + part * rising) * tg.der(self.v_gd)

    def equations(self) -> Statements:
        s = self.SIGN
        to_source, to_drain = self.charging_currents()
        T = self.junction_temperature()
        current, slope = self.channel()
        of_source = (thermal(self.Rs, T, "Rs"),) if self.has("Rs") else ()
        of_drain = (thermal(self.drain_resistance(), T, "Rd"),) if self.has("Rd", "Rq") else ()
        source = self.Rs * self.S.i if self.has("Rs") else 0.0
        drain = self.drain_resistance() * self.D.i if self.has("Rd", "Rq") else 0.0
        gate = self.Rg * self.G.i if self.has("Rg") else 0.0
        yield self.v_on == self.softly_above()
        yield self.v_gd == self.v_gs - self.v_ds
        yield tg.noisy(self.i_ds == current, thermal(2.0 / 3.0 * slope, T))
        yield s * self.G.i == to_source + to_drain
        yield s * self.D.i == self.i_ds - to_drain
        yield self.D.i + self.G.i + self.S.i == 0
        yield tg.noisy(self.v_gs == s * (self.G.v - gate - self.S.v + source), *of_source)
        yield tg.noisy(self.v_ds == s * (self.D.v - drain - self.S.v + source), *of_source, *of_drain)

    def losses(self) -> Any:
        total = self.i_ds * self.v_ds
        total = total + self.drain_resistance() * self.D.i**2 if self.has("Rd", "Rq") else total
        total = total + self.Rs * self.S.i**2 if self.has("Rs") else total
        return total + self.Rg * self.G.i**2 if self.has("Rg") else total


class NVDMOS(VerticalMOS):
    """N-channel power MOS transistor, without its body diode."""


class PVDMOS(VerticalMOS):
    """P-channel power MOS transistor, without its body diode."""

    SIGN: ClassVar[float] = -1.0
