"""Bipolar transistors with the law of Gummel and Poon, as in SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements
from tellegen.library.electrical.semiconductors.junction import (
    conductance,
    depletion_capacitance,
    exponential,
    junction,
    within_exponential,
)
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor
from tellegen.library.electrical.thermal_noise import flicker, shot, thermal

_CROWDING = (14.59025, 2.4317)  # 144/pi^2 and 24/pi^2, as SPICE has them
_LEAST_PART = 1e-9  # of Irb
_LEAST = 1e-3  # of the factor of the Early effect: trials of Newton's method may go beyond the Early voltage


class BJT(Semiconductor):
    """Bipolar transistor after Gummel and Poon; base of NPN and PNP.

    All currents are positive into the pins. Voltages v_be and v_bc and the currents below are those of an NPN
    transistor; a PNP transistor is its mirror image: s = -1 instead of 1 turns every voltage and current around.

        s (B.v - E.v) = v_be + Rb i_b + Re i_e         i_b = s B.i
        s (B.v - C.v) = v_bc + Rb i_b - Rc i_c         i_c = s C.i         i_e = i_b + i_c = -s E.i

        i_f = Is (exp(v_be/(Nf Vt)) - 1)               i_be = i_f/Bf + Ise (exp(v_be/(Ne Vt)) - 1) + Gmin v_be
        i_r = Is (exp(v_bc/(Nr Vt)) - 1)               i_bc = i_r/Br + Isc (exp(v_bc/(Nc Vt)) - 1) + Gmin v_bc
        i_t = (i_f - i_r)/q_b
        i_c = i_t - i_bc - dq_bc/dt                    i_b = i_be + i_bc + dq_be/dt + dq_bc/dt

    The base charge q_b = q_1 (1 + sqrt(1 + 4 q_2))/2 with q_1 = 1/(1 - v_bc/Vaf - v_be/Var) and q_2 = i_f/Ikf + i_r/Ikr
    is 1 without Early effect and high injection. With Rbm the resistance of the base is Rbm + (Rb - Rbm)/q_b; with Irb
    too it is Rbm + 3 (Rb - Rbm) (tan z - z)/(z tan^2 z), where z grows from 0 to pi/2 with (i_be + i_bc)/Irb.

    Charges: q_be = Tf (1 + a) i_f/q_b with a = Xtf (i_f/(i_f + Itf))^2 exp(v_bc/(1.44 Vtf)), and that of a depletion
    layer with Cje, Vje, Mje; q_bc = Tr i_r and Cjc, Vjc, Mjc, of which the part Xcjc is after Rb, the rest before it.

    Noise: 2 q |i_t - i_bc| from collector to emitter, 2 q |i| + Kf |i|^Af/f from base to emitter with i = i_be + i_bc,
    and 4 k T R of Rb, Rc and Re.

    What is not given is absent: Vaf, Var, Ikf, Ikr, Ise, Isc, Rb, Rbm, Irb, Rc, Re, Cje, Cjc, Tf, Xtf, Vtf, Itf, Tr.
    With charges v_be or v_bc or both are states.
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
    Nk = tg.parameter(0.5, "1", "exponent of high injection: q_b grows with (1 + 4 q_2)^Nk", min=0.0, max=1.0)
    Ise = tg.parameter(0.0, "A", "saturation current of the base-emitter leakage", min=0.0)
    Ne = tg.parameter(1.5, "1", "emission coefficient of the base-emitter leakage", min=0.0)
    Isc = tg.parameter(0.0, "A", "saturation current of the base-collector leakage", min=0.0)
    Nc = tg.parameter(2.0, "1", "emission coefficient of the base-collector leakage", min=0.0)
    Rb = tg.parameter(0.0, "ohm", "resistance of the base", min=0.0)
    Rbm = tg.parameter(0.0, "ohm", "resistance of the base at high currents; 0: Rb", min=0.0)
    Irb = tg.parameter(0.0, "A", "base current at which Rb is halfway to Rbm; 0: by q_b", min=0.0)
    Re = tg.parameter(0.0, "ohm", "resistance of the emitter", min=0.0)
    Rc = tg.parameter(0.0, "ohm", "resistance of the collector", min=0.0)
    Cje = tg.parameter(0.0, "F", "base-emitter depletion capacitance at zero voltage", min=0.0)
    Vje = tg.parameter(0.75, "V", "base-emitter potential", min=0.0)
    Mje = tg.parameter(0.33, "1", "base-emitter grading coefficient", min=0.0)
    Cjc = tg.parameter(0.0, "F", "base-collector depletion capacitance at zero voltage", min=0.0)
    Vjc = tg.parameter(0.75, "V", "base-collector potential", min=0.0)
    Mjc = tg.parameter(0.33, "1", "base-collector grading coefficient", min=0.0)
    Xcjc = tg.parameter(1.0, "1", "part of Cjc that is connected after Rb", min=0.0, max=1.0)
    Fc = tg.parameter(0.5, "1", "part of Vje and Vjc from which capacitances continue straight", min=0.0, max=0.95)
    Tf = tg.parameter(0.0, "s", "transit time, forward", min=0.0)
    Xtf = tg.parameter(0.0, "1", "how much Tf grows", min=0.0)
    Vtf = tg.parameter(0.0, "V", "how the growth of Tf depends on v_bc; 0: not", min=0.0)
    Itf = tg.parameter(0.0, "A", "current at which Tf grows; 0: it always has", min=0.0)
    Tr = tg.parameter(0.0, "s", "transit time, reverse", min=0.0)
    Kf = tg.parameter(0.0, "1", "coefficient of flicker noise; 0: none", min=0.0)
    Af = tg.parameter(1.0, "1", "exponent of the base current in flicker noise")
    Xtb = tg.parameter(0.0, "1", "exponent of the temperature in Bf and Br; acts with the heat port")
    v_be = tg.variable("V", "voltage of the base-emitter junction, positive if it conducts", start=0.0)
    v_bc = tg.variable("V", "voltage of the base-collector junction, positive if it conducts", start=0.0)
    v_bx = tg.variable("V", "voltage from the base before Rb to the inner collector")
    i_f = tg.variable("A", "ideal current of the base-emitter junction")
    i_r = tg.variable("A", "ideal current of the base-collector junction")
    i_t = tg.variable("A", "current from collector to emitter through the base")
    i_be = tg.variable("A", "current from base to emitter: recombination and leakage")
    i_bc = tg.variable("A", "current from base to collector: recombination and leakage")
    q_b = tg.variable("1", "charge of the base, relative to that without voltages", start=1.0)
    i_b = tg.variable("A", "current after Rb; into an NPN, out of a PNP transistor")
    i_c = tg.variable("A", "current of the collector; into an NPN, out of a PNP transistor")
    OPTIONAL: ClassVar[dict[str, float]] = {
        **dict.fromkeys(("Vaf", "Var", "Ikf", "Ikr", "Ise", "Isc", "Rb", "Rbm", "Irb", "Re", "Rc"), 0.0),
        **dict.fromkeys(("Cje", "Cjc", "Tf", "Xtf", "Vtf", "Itf", "Tr", "Kf"), 0.0),
        "Xcjc": 1.0,
        "Nk": 0.5,
    }
    SIGN: ClassVar[float] = 1.0

    def junctions(self) -> Statements:
        """The static currents of both junctions."""
        Vt = self.thermal_voltage()
        Is = self.saturation(self.Is)
        gain = (self.junction_temperature() / self.T_ref) ** self.Xtb if self.use_heat_port else 1.0
        yield self.i_f == junction(self.v_be, Is, self.Nf * Vt)
        yield self.i_r == junction(self.v_bc, Is, self.Nr * Vt)
        emitter = self.i_f / (self.Bf * gain) + self.Gmin * self.v_be
        collector = self.i_r / (self.Br * gain) + self.Gmin * self.v_bc
        if self.has("Ise"):
            emitter = emitter + junction(self.v_be, self.saturation(self.Ise, self.Ne) / gain, self.Ne * Vt)
        if self.has("Isc"):
            collector = collector + junction(self.v_bc, self.saturation(self.Isc, self.Nc) / gain, self.Nc * Vt)
        base = self.i_be + self.i_bc
        noises = (shot(base, "base"), *((flicker(base, self.Kf, self.Af),) if self.has("Kf") else ()))
        yield tg.noisy(self.i_be == emitter, *noises)
        yield self.i_bc == collector
        yield within_exponential(self.v_be, Vt * (tg.minimum(self.Nf, self.Ne) if self.has("Ise") else self.Nf))
        yield within_exponential(self.v_bc, Vt * (tg.minimum(self.Nr, self.Nc) if self.has("Isc") else self.Nr))
        if self.has("Tf") and self.has("Xtf") and self.has("Vtf"):
            yield within_exponential(self.v_bc, 1.44 * self.Vtf, "what its parameter Vtf is for")

    def slopes(self) -> tuple[Any, Any]:
        """di_f/dv_be and di_r/dv_bc."""
        Vt = self.thermal_voltage()
        Is = self.saturation(self.Is)
        return conductance(self.v_be, Is, self.Nf * Vt), conductance(self.v_bc, Is, self.Nr * Vt)

    def early(self) -> Any:
        """1/q_1."""
        early: Any = 1.0
        if self.has("Vaf"):
            early = early - self.v_bc / self.Vaf
        if self.has("Var"):
            early = early - self.v_be / self.Var
        return tg.maximum(early, _LEAST) if self.has("Vaf", "Var") else early

    def injection(self) -> Any:
        """(1 + 4 q_2)^Nk."""
        if not self.has("Ikf", "Ikr"):
            return 1.0
        return self.base_injection() ** self.Nk if self.has("Nk") else tg.sqrt(self.base_injection())

    def base_injection(self) -> Any:
        """1 + 4 q_2."""
        q2 = (self.i_f / self.Ikf if self.has("Ikf") else 0.0) + (self.i_r / self.Ikr if self.has("Ikr") else 0.0)
        return tg.maximum(1.0 + 4.0 * q2, _LEAST)

    def injection_slope(self) -> Any:
        """How q_b / q_1 grows with q_2: 2 Nk (1 + 4 q_2)^(Nk - 1)."""
        if self.has("Nk"):
            return 2.0 * self.Nk * self.base_injection() ** (self.Nk - 1.0)
        return 1.0 / self.injection()

    def charging_currents(self) -> tuple[Any, Any, Any]:
        """dq_be/dt, dq_bc/dt after Rb, and dq_bc/dt before it."""
        emitter = 0.0
        collector = 0.0
        outer = 0.0
        if self.has("Cje"):
            emitter = depletion_capacitance(self.v_be, self.Cje, self.Vje, self.Mje, self.Fc) * tg.der(self.v_be)
        if self.has("Tf"):
            emitter = emitter + self.Tf * self.carriers_change()
        if self.has("Cjc"):
            divided = self.has("Xcjc") and self.has("Rb")
            inner = self.Xcjc * self.Cjc if divided else self.Cjc
            collector = depletion_capacitance(self.v_bc, inner, self.Vjc, self.Mjc, self.Fc) * tg.der(self.v_bc)
            if divided:
                rest = (1.0 - self.Xcjc) * self.Cjc
                outer = depletion_capacitance(self.v_bx, rest, self.Vjc, self.Mjc, self.Fc) * tg.der(self.v_bx)
        if self.has("Tr"):
            collector = collector + self.Tr * self.slopes()[1] * tg.der(self.v_bc)
        return emitter, collector, outer

    def carriers_change(self) -> Any:
        """d((1 + a) i_f/q_b)/dt by the voltages: of i_f and a over q_b, less what q_b grows by both of them."""
        slope, back = self.slopes()
        part = self.i_f / (self.i_f + self.Itf) if self.has("Itf") else 1.0
        more: Any = self.Xtf * part**2 if self.has("Xtf") else 0.0
        if self.has("Xtf") and self.has("Vtf"):
            more = more * exponential(self.v_bc / (1.44 * self.Vtf))
        change = slope * (1.0 + more * (3.0 - 2.0 * part)) * tg.der(self.v_be)
        if self.has("Xtf") and self.has("Vtf"):
            change = change + self.i_f * more / (1.44 * self.Vtf) * tg.der(self.v_bc)
        growth = {
            "Var": self.q_b / self.Var * tg.der(self.v_be),
            "Ikf": slope / self.Ikf * self.injection_slope() * tg.der(self.v_be),
            "Vaf": self.q_b / self.Vaf * tg.der(self.v_bc),
            "Ikr": back / self.Ikr * self.injection_slope() * tg.der(self.v_bc),
        }
        for name, of_charge in growth.items():
            if self.has(name):
                change = change - self.i_f * (1.0 + more) / (self.q_b * self.early()) * of_charge
        return change / self.q_b

    def base_resistance(self) -> Any:
        """Rb, with Rbm less at high currents."""
        if not self.has("Rbm"):
            return self.Rb
        if not self.has("Irb"):
            return self.Rbm + (self.Rb - self.Rbm) / self.q_b
        part = tg.maximum((self.i_be + self.i_bc) / self.Irb, _LEAST_PART)
        z = (tg.sqrt(1.0 + _CROWDING[0] * part) - 1.0) / (_CROWDING[1] * tg.sqrt(part))
        return self.Rbm + 3.0 * (self.Rb - self.Rbm) * (tg.tan(z) - z) / (z * tg.tan(z) ** 2)

    def transport(self) -> Any:
        """i_t."""
        return (self.i_f - self.i_r) / self.q_b

    def equations(self) -> Statements:
        s = self.SIGN
        charging_e, charging_c, outer = self.charging_currents()
        yield from self.junctions()
        yield self.q_b == (1.0 + self.injection()) / (2.0 * self.early())
        yield tg.noisy(self.i_t == self.transport(), shot(self.i_t - self.i_bc, "collector"))
        yield self.i_c == self.i_t - self.i_bc - charging_c - outer
        yield self.i_b == self.i_be + self.i_bc + charging_e + charging_c
        yield s * self.B.i == self.i_b + outer
        yield s * self.C.i == self.i_c
        yield self.C.i + self.B.i + self.E.i == 0
        T = self.junction_temperature()
        if self.has("Rb"):
            Rb = self.base_resistance()
            yield tg.noisy(self.v_bx == self.v_bc + Rb * self.i_b, thermal(Rb, T, "Rb"))
        else:
            yield self.v_bx == self.v_bc
        # without B.v: with fixed potentials at both ends v_be and v_bc are tied, which a path through Rb would hide
        emitter = -s * self.Re * self.E.i if self.has("Re") else 0.0
        collector = self.Rc * self.i_c if self.has("Rc") else 0.0
        of_emitter = (thermal(self.Re, T, "Re"),) if self.has("Re") else ()
        of_collector = (thermal(self.Rc, T, "Rc"),) if self.has("Rc") else ()
        against = (thermal(self.Rc, T, "Rc", -1.0),) if self.has("Rc") else ()
        between = s * (self.C.v - self.E.v) == self.v_be - self.v_bc + emitter + collector
        yield tg.noisy(between, *of_emitter, *of_collector)
        yield tg.noisy(s * (self.B.v - self.C.v) == self.v_bx - collector, *against)

    def losses(self) -> Any:
        total = self.i_t * (self.v_be - self.v_bc) + self.i_be * self.v_be + self.i_bc * self.v_bc
        if self.has("Rb"):
            total = total + self.base_resistance() * self.i_b**2
        if self.has("Re"):
            total = total + self.Re * self.E.i**2
        return total + self.Rc * self.i_c**2 if self.has("Rc") else total


class NPN(BJT):
    """NPN transistor: conducts from C to E while a current flows into B."""


class PNP(BJT):
    """PNP transistor: conducts from E to C while a current flows out of B."""

    SIGN: ClassVar[float] = -1.0
