"""Solar cells by the single-diode model: a source of light current, a diode, a shunt and a series resistance.

    I = Iph - I0 (exp(vd/a) - 1) - Gsh vd,     v = vd - Rs I          I leaves at p, vd is the voltage of the junction
    a = N Ns k T/q

At another irradiance G and temperature T of the cells, after W. De Soto, S. A. Klein and W. A. Beckman, Solar Energy 80
(2006) 78-88, from the values at G_ref and T_STC:

    Iph = G/G_ref Iph_ref (1 + alpha (T - T_STC))          Gsh = G/G_ref / Rsh
    I0 = I0_ref (T/T_STC)^3 exp(Eg_ref/(k T_STC) - Eg/(k T)),    Eg = Eg_ref (1 - 0.0002677 (T - T_STC))

The current is explicit in vd, so a circuit that gives the voltage has one scalar equation to solve.

Energy: light gives Iph vd to the junction; what the diode, the shunt and Rs take of it is heat, the rest leaves at the
pins. What the cells absorb beyond that (photons above and below the gap) heats them as well, but belongs to a model of
heat: connect a source of heat with the heat port.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical import OnePort
from tellegen.library.losses import Lossy
from tellegen.library.photovoltaic.data_sheet import single_diode

BOLTZMANN = 1.380649e-23
CHARGE = 1.602176634e-19
T_STC = 298.15
GAP_SLOPE = 0.0002677  # 1/K, of silicon


class Module(Lossy, OnePort):
    """Solar module, or n_p strings of n_s such modules: v = vd - Rs I, I = Iph - I0 (exp(vd/a) - 1) - Gsh vd, i = -I.

    The defaults are those of a module of 60 cells with 250 W (Voc 37.2 V, Isc 8.87 A, maximum at 30.1 V and 8.3 A).
    `Module.from_data_sheet` finds the numbers of the model from these four of a data sheet.
    """

    G = tg.input("W/m2", "irradiance on the cells", default=1000.0)
    T = tg.parameter(T_STC, "K", "temperature of the cells if there is no heat port", min=0.0)
    Ns = tg.parameter(60.0, "1", "cells in series in a module", min=1.0)
    n_s = tg.parameter(1.0, "1", "modules in series in a string", min=0.0)
    n_p = tg.parameter(1.0, "1", "strings in parallel", min=0.0)
    Iph_ref = tg.parameter(8.8755, "A", "light current at G_ref and 25 degC", min=0.0)
    I0_ref = tg.parameter(2.6096e-09, "A", "saturation current of the diode at 25 degC", min=0.0)
    N = tg.parameter(1.1, "1", "ideality of the diode", min=0.1)
    Rs = tg.parameter(0.270284, "ohm", "series resistance of a module", min=0.0)
    Rsh = tg.parameter(436.254, "ohm", "shunt resistance of a module at G_ref", min=0.0)
    alpha = tg.parameter(5e-4, "1/K", "relative change of the light current with temperature")
    G_ref = tg.parameter(1000.0, "W/m2", "irradiance of the reference values", min=0.0)
    Eg_ref = tg.parameter(1.121, "1", "band gap at 25 degC in eV; silicon 1.121", min=0.0)
    v_d = tg.variable("V", "voltage of the junctions of a module", start=0.0)
    i_d = tg.variable("A", "current of the diode of a module")
    i_ph = tg.variable("A", "light current of a module")
    power = tg.variable("W", "power that leaves at the pins, -v i")

    @classmethod
    def from_data_sheet(cls, *, Voc: float, Isc: float, Vmp: float, Imp: float, **given: Any) -> Module:
        """The module with these values at 1000 W/m2 and 25 degC, for the ideality `N` of its `Ns` cells.

        Isc and Imp are those of one module; all other keywords are parameters as well. Without N the first of 1.1,
        1.05, 1.0, ... is taken for which there is a solution: the better a module, the smaller it has to be.
        """
        numbers = single_diode((Voc, Isc, Vmp, Imp), float(given.get("Ns", 60.0)), given.get("N"))
        return cls(**{**numbers, **given})

    def temperature(self) -> Any:
        return self.heat_port.T if self.use_heat_port else self.T

    def losses(self) -> Any:
        """Of all modules: diode, shunt and series resistance."""
        out = -self.i / self.n_p
        inside = self.v_d * (self.i_d + self.shunt() * self.v_d) + self.Rs * out**2
        return self.n_s * self.n_p * inside

    def shunt(self) -> Any:
        """Conductance of the shunt, which light makes."""
        return self.G / self.G_ref / self.Rsh

    def equations(self) -> Any:
        T = self.temperature()
        out = -self.i / self.n_p
        a = self.N * self.Ns * BOLTZMANN / CHARGE * T
        gap = self.Eg_ref * CHARGE / BOLTZMANN
        change = gap / T_STC - gap * (1.0 - GAP_SLOPE * (T - T_STC)) / T
        saturation = self.I0_ref * (T / T_STC) ** 3 * tg.exp(change)
        yield self.i_ph == self.G / self.G_ref * self.Iph_ref * (1.0 + self.alpha * (T - T_STC))
        yield self.i_d == saturation * (tg.exp(self.v_d / a) - 1.0)
        yield out == self.i_ph - self.i_d - self.shunt() * self.v_d
        yield self.v / self.n_s == self.v_d - self.Rs * out
        yield self.power == -self.v * self.i


class Cell(Module):
    """One solar cell, a module with Ns = 1: v = vd - Rs I, I = Iph - I0 (exp(vd/a) - 1) - Gsh vd, i = -I."""

    Ns = tg.parameter(1.0, "1", "cells in series", min=1.0)
    Rs = tg.parameter(0.004505, "ohm", "series resistance", min=0.0)
    Rsh = tg.parameter(7.271, "ohm", "shunt resistance at G_ref", min=0.0)
