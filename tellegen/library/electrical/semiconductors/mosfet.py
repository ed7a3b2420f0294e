"""MOS transistors with the quadratic law of Shichman and Hodges, SPICE's level 1."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.junction import junction, within_exponential
from tellegen.library.electrical.semiconductors.mos_charges import PERMITTIVITY, MOSCharges
from tellegen.library.electrical.thermal_noise import flicker, thermal

_USUAL_OXIDE = 1e-7  # m, of SPICE
DEFAULT_KP = 2e-5  # A/V2, of SPICE where neither Kp nor Tox is given


class MOSFET(MOSCharges):
    """MOS transistor, level 1 of SPICE; base of NMOS and PMOS.

    All currents are positive into the pins. The voltages below are those of an N-channel transistor; a P-channel one is
    its mirror image: s = -1 instead of 1 turns every voltage and current around, and its Vto is negative.

        v_gs = s (G.v - S'.v)     v_ds = s (D'.v - S'.v)     v_bs = s (B.v - S'.v)

    with D' and S' after the resistances Rd and Rs. The threshold rises with the voltage between source and bulk:

        v_th = s Vto + Gamma (sqrt(Phi - v_bs) - sqrt(Phi))

    (for v_bs > 0 the root continues straight). The channel carries from D' to S'

        i_ds = Kp/2 W/(L - 2 Ld) (1 + Lambda v_ds) (max(v_gs - v_th, 0)^2 - max(v_gd - v_th, 0)^2)

    Both squares together are the triode region, the first alone saturation, none cut-off. If v_ds < 0 source and drain
    change places: |v_ds| stands for v_ds and the larger of v_bs and v_bd for v_bs; the squares change sign by
    themselves. Junctions conduct from bulk to source and drain (N-channel), with the saturation current Is.

    What is not given is absent: Gamma, Lambda, Rd, Rs, and the capacitances: Cgso, Cgdo, Cgbo (overlap), Tox (of the
    channel, after Meyer), Cbd, Cbs or Cj, Cjsw with areas and perimeters (of the junctions). With any of them voltages
    are states. Meyer's capacitances of the channel depend on voltages other than their own, so that they conserve
    neither charge nor energy; SPICE's level 1 is the same.

    Noise: 8/3 k T gm of the channel with gm = di_ds/dv_gs, Kf |i_ds|^Af/(f W (L - 2 Ld) C^2) with C = eps/Tox
    (Tox = 1e-7 m where it is not given), and 4 k T R of Rd and Rs.
    """

    D = Pin("drain")
    G = Pin("gate")
    S = Pin("source")
    B = Pin("bulk")
    Vto = tg.parameter(0.0, "V", "threshold voltage without bulk voltage; of P-channel transistors mostly negative")
    Kp = tg.parameter(0.0, "A/V2", "transconductance; 0: that of U0 and Tox if Tox is given, else 2e-5 A/V2", min=0.0)
    U0 = tg.parameter(600.0, "cm2/(V.s)", "mobility of the carriers, for Kp", min=0.0)
    Gamma = tg.parameter(0.0, "V**0.5", "body effect", min=0.0)
    Phi = tg.parameter(0.6, "V", "surface potential", min=0.0)
    Lambda = tg.parameter(0.0, "1/V", "channel length modulation", min=0.0)
    Rd = tg.parameter(0.0, "ohm", "resistance of the drain", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "resistance of the source", min=0.0)
    Is = tg.parameter(1e-14, "A", "saturation current of each bulk junction", min=0.0)
    Is_d = tg.parameter(Is, "A", "the same of the junction of bulk and drain, where it differs", min=0.0)
    Kf = tg.parameter(0.0, "1", "coefficient of flicker noise; 0: none", min=0.0)
    Af = tg.parameter(1.0, "1", "exponent of the current in flicker noise")
    i_ds = tg.variable("A", "current of the channel from drain to source; of P-channel transistors the reverse")
    i_bs = tg.variable("A", "current of the junction from bulk to source; of P-channel transistors the reverse")
    i_bd = tg.variable("A", "current of the junction from bulk to drain; of P-channel transistors the reverse")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **MOSCharges.OPTIONAL,
        **dict.fromkeys(("Kp", "Gamma", "Lambda", "Rd", "Rs", "Kf"), 0.0),
    }
    SIGN: ClassVar[float] = 1.0

    def threshold(self) -> Any:
        """v_th, seen from the end of the channel that acts as source."""
        threshold = self.SIGN * self.Vto
        if self.has("Gamma"):
            bulk = tg.maximum(self.v_bs, self.v_bs - self.v_ds)
            root = tg.sqrt(self.Phi)
            straight = tg.maximum(root - tg.maximum(bulk, 0.0) / (2.0 * root), 0.0)
            depth = tg.sqrt(self.Phi - tg.minimum(bulk, 0.0)) + straight - root
            threshold = threshold + self.Gamma * (depth - root)
        return threshold

    def transconductance(self) -> Any:
        """Kp at the present temperature: the mobility falls with it."""
        Kp: Any = self.Kp if self.has("Kp") else self.U0 * PERMITTIVITY / self.Tox if self.has("Tox") else DEFAULT_KP
        return Kp * (self.junction_temperature() / self.T_ref) ** -1.5 if self.use_heat_port else Kp

    def channel(self) -> tuple[Any, Any]:
        """i_ds as an expression of the voltages, and its slope over v_gs."""
        at_source = tg.maximum(self.v_gs - self.v_th, 0.0)
        at_drain = tg.maximum(self.v_gs - self.v_ds - self.v_th, 0.0)
        beta = self.transconductance() * self.W / self.channel_length()
        if self.has("Lambda"):
            beta = beta * (1.0 + self.Lambda * abs(self.v_ds))
        return beta / 2.0 * (at_source**2 - at_drain**2), beta * (at_source - at_drain)

    def channel_noise(self, slope: Any) -> list[tg.Noise]:
        """Of i_ds."""
        noises = [thermal(2.0 / 3.0 * slope, self.junction_temperature())]
        if self.has("Kf"):
            oxide = PERMITTIVITY / (self.Tox if self.has("Tox") else _USUAL_OXIDE)
            area = self.W * self.channel_length()
            noises.append(flicker(self.i_ds, self.Kf, self.Af, divisor=area * oxide**2))
        return noises

    def bulk_current(self, v: tg.Expression, Is: tg.Expression) -> Any:
        """The current of one bulk junction at its voltage."""
        return junction(v, self.saturation(Is), self.thermal_voltage()) + self.Gmin * v

    def equations(self) -> Statements:
        s = self.SIGN
        charging = self.charging_currents()
        yield self.v_th == self.threshold()
        current, slope = self.channel()
        yield tg.noisy(self.i_ds == current, *self.channel_noise(slope))
        yield self.i_bs == self.bulk_current(self.v_bs, self.Is)
        yield self.i_bd == self.bulk_current(self.v_bs - self.v_ds, self.Is_d)
        yield within_exponential(self.v_bs - tg.minimum(self.v_ds, 0.0), self.thermal_voltage())
        yield s * self.D.i == self.i_ds - self.i_bd - charging["bd"] - charging["gd"]
        yield s * self.B.i == self.i_bs + self.i_bd + charging["bs"] + charging["bd"] - charging["gb"]
        yield s * self.G.i == charging["gs"] + charging["gd"] + charging["gb"]
        yield self.D.i + self.G.i + self.S.i + self.B.i == 0
        drain = self.Rd * self.D.i if self.has("Rd") else 0.0
        source = self.Rs * self.S.i if self.has("Rs") else 0.0
        T = self.junction_temperature()
        of_source = (thermal(self.Rs, T, "Rs"),) if self.has("Rs") else ()
        of_drain = (thermal(self.Rd, T, "Rd"),) if self.has("Rd") else ()
        yield tg.noisy(self.v_gs == s * (self.G.v - self.S.v + source), *of_source)
        yield tg.noisy(self.v_ds == s * (self.D.v - drain - self.S.v + source), *of_source, *of_drain)
        yield tg.noisy(self.v_bs == s * (self.B.v - self.S.v + source), *of_source)

    def losses(self) -> Any:
        total = self.i_ds * self.v_ds + self.i_bs * self.v_bs + self.i_bd * (self.v_bs - self.v_ds)
        total = total + self.Rd * self.D.i**2 if self.has("Rd") else total
        return total + self.Rs * self.S.i**2 if self.has("Rs") else total


class NMOS(MOSFET):
    """N-channel MOS transistor: conducts from D to S while the gate is above the threshold."""


class PMOS(MOSFET):
    """P-channel MOS transistor: conducts from S to D while the gate is below the threshold."""

    SIGN: ClassVar[float] = -1.0
