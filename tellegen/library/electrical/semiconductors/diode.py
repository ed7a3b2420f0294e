"""The junction diode of SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import OnePort, Statements
from tellegen.library.electrical.semiconductors.junction import (
    conductance,
    depletion_capacitance,
    exponential,
    junction,
    within_exponential,
)
from tellegen.library.electrical.semiconductors.semiconductor import Semiconductor
from tellegen.library.electrical.thermal_noise import flicker, shot, thermal

_LEAST_CURRENT = 1e-18  # A


class Diode(Semiconductor, OnePort):
    """Junction diode, as in SPICE: i_j = Is (exp(v_j/(N Vt)) - 1) + Gmin v_j with Vt = k T/q and v = v_j + Rs i.

    Conducts from p (anode) to n (cathode). Optional, and absent until given:

    - Rs: resistance in series with the junction, which has the voltage v_j.
    - Ikf: high injection, the current of the junction I becomes I/(1 + sqrt(I/Ikf)).
    - Isr: recombination in the depletion layer, Isr (exp(v_j/(Nr Vt)) - 1) ((1 - v_j/Vj)^2 + 0.005)^(M/2).
    - Bv: breakdown. Near v_j = -Bv the current is -Ibv exp(-(v_j + Bv)/(Nbv Vt)); it joins the saturation current.
    - Cjo: charge of the depletion layer, with the capacitance Cjo/(1 - v_j/Vj)^M; from v_j = Fc Vj on its tangent.
    - Tt: charge Tt I of the carriers on their way, which has to be removed before the diode blocks.

    Without charge i = i_j. With Cjo or Tt the voltage v_j is a state, and i = i_j + C(v_j) der(v_j). It is wise to give
    Cjo with Tt: in reverse Tt alone leaves next to no capacitance, which makes the voltage very fast.

    Noise: 2 q |i_j| + Kf |i_j|^Af/f of the junction, 4 k T Rs of the resistance.
    """

    Is = tg.parameter(1e-14, "A", "saturation current", min=0.0)
    N = tg.parameter(1.0, "1", "emission coefficient", min=0.0)
    Rs = tg.parameter(0.0, "ohm", "series resistance", min=0.0)
    Ikf = tg.parameter(0.0, "A", "knee current of high injection; 0: no effect", min=0.0)
    Isr = tg.parameter(0.0, "A", "saturation current of recombination", min=0.0)
    Nr = tg.parameter(1.0, "1", "emission coefficient of recombination; 1 as in ngspice, PSpice has 2", min=0.0)
    Bv = tg.parameter(0.0, "V", "breakdown voltage; 0: none", min=0.0)
    Ibv = tg.parameter(1e-3, "A", "current at the breakdown voltage", min=0.0)
    Nbv = tg.parameter(N, "1", "emission coefficient of the breakdown", min=0.0)
    Cjo = tg.parameter(0.0, "F", "capacitance of the depletion layer at zero voltage", min=0.0)
    Vj = tg.parameter(1.0, "V", "potential of the junction", min=0.0)
    M = tg.parameter(0.5, "1", "grading coefficient", min=0.0)
    Fc = tg.parameter(0.5, "1", "part of Vj from which the capacitance continues straight", min=0.0, max=0.95)
    Tt = tg.parameter(0.0, "s", "transit time", min=0.0)
    Kf = tg.parameter(0.0, "1", "coefficient of flicker noise; 0: none", min=0.0)
    Af = tg.parameter(1.0, "1", "exponent of the current in flicker noise")
    v_j = tg.variable("V", "voltage of the junction", start=0.0)
    i_j = tg.variable("A", "current of the junction without what charges it")
    OPTIONAL: ClassVar[dict[str, float]] = dict.fromkeys(("Rs", "Ikf", "Isr", "Bv", "Cjo", "Tt", "Kf"), 0.0)

    def static_current(self) -> Any:
        """The current that flows at a constant voltage v_j."""
        Vt = self.thermal_voltage()
        Is = self.saturation(self.Is, self.N)
        current = junction(self.v_j, Is, self.N * Vt)
        if self.has("Isr"):
            wide = ((1.0 - self.v_j / self.Vj) ** 2 + 0.005) ** (self.M / 2.0)
            current = current + junction(self.v_j, self.saturation(self.Isr, self.Nr), self.Nr * Vt) * wide
        if self.has("Ikf"):
            current = current / (1.0 + self._injection(current))
        if self.has("Bv"):
            beyond = -(self.v_j + self._onset(Vt, Is)) / (self.Nbv * Vt)
            current = current - Is * (exponential(tg.maximum(beyond, 0.0)) - 1.0)
        return current + self.Gmin * self.v_j

    def _injection(self, current: tg.Expression) -> Any:
        """sqrt(I/Ikf), of which 0 would have no slope."""
        return tg.sqrt(tg.maximum(current, _LEAST_CURRENT) / self.Ikf)

    def _onset(self, Vt: tg.Expression, Is: tg.Expression) -> Any:
        """The voltage at which breakdown begins with the current Is, such that -Bv has about -Ibv, as SPICE fits it.

        An Ibv that is too small for the voltage, below Is Bv/Vt, counts as that: breakdown begins at Bv.
        """
        n = self.Nbv * Vt
        ratio = tg.maximum(self.Ibv / Is, self.Bv / Vt)
        first = self.Bv - n * tg.log(1.0 + ratio)
        fitted = tg.minimum(self.Bv - n * tg.log(1.0 + tg.maximum(ratio - first / Vt, 0.0)), self.Bv)
        return tg.where(tg.no_event(self.Ibv < Is * self.Bv / Vt), self.Bv, fitted)

    def capacitance(self) -> Any:
        """dq/dv_j of depletion layer and carriers; 0 if there are none."""
        total = 0.0
        if self.has("Cjo"):
            total = total + depletion_capacitance(self.v_j, self.Cjo, self.Vj, self.M, self.Fc)
        if self.has("Tt"):
            Vt = self.N * self.thermal_voltage()
            Is = self.saturation(self.Is, self.N)
            slope = conductance(self.v_j, Is, Vt)
            if self.has("Ikf"):
                high = self._injection(junction(self.v_j, Is, Vt))
                slope = slope * (1.0 + high / 2.0) / (1.0 + high) ** 2
            total = total + self.Tt * slope
        return total

    def equations(self) -> Statements:
        noises = (shot(self.i_j), *((flicker(self.i_j, self.Kf, self.Af),) if self.has("Kf") else ()))
        yield tg.noisy(self.i_j == self.static_current(), *noises)
        yield self.i == (self.i_j + self.capacitance() * tg.der(self.v_j) if self.has("Cjo", "Tt") else self.i_j)
        if self.has("Rs"):
            yield tg.noisy(self.v == self.v_j + self.Rs * self.i, thermal(self.Rs, self.junction_temperature(), "Rs"))
        else:
            yield self.v == self.v_j
        yield from self.regions()

    def regions(self) -> Statements:
        """Where the exponentials are what they are."""
        Vt = self.thermal_voltage()
        smallest = tg.minimum(self.N, self.Nr) if self.has("Isr") else self.N
        yield within_exponential(self.v_j, smallest * Vt)
        if self.has("Bv"):
            onset = self._onset(Vt, self.saturation(self.Is, self.N))
            yield within_exponential(-self.v_j - onset, self.Nbv * Vt)

    def losses(self) -> Any:
        return self.i_j * self.v_j + self.Rs * self.i**2 if self.has("Rs") else self.i_j * self.v_j


class ZDiode(Diode):
    """Zener diode: a Diode with breakdown at v = -Bv, where the current is -Ibv."""

    Bv = tg.parameter(5.1, "V", "breakdown voltage", min=0.0)
