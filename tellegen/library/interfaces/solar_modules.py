"""Solar modules."""

from __future__ import annotations

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.photovoltaic import Module


class SolarModuleInterface(tg.Interface):
    """A solar module at 25 degC; the current leaves at p. The parameters are those of the single-diode model."""

    p = el.Pin("positive pin")
    n = el.Pin("negative pin")
    G = tg.input("W/m2", "irradiance on the cells", default=1000.0)
    Ns = tg.parameter(60.0, "1", "cells in series", min=1.0, semantics="cells_in_series")
    Iph_ref = tg.parameter(8.8755, "A", "light current at 1000 W/m2", min=0.0, semantics="light_current")
    I0_ref = tg.parameter(2.6096e-09, "A", "saturation current", min=0.0, semantics="saturation_current")
    N = tg.parameter(1.1, "1", "ideality of the diode", min=0.1, semantics="ideality")
    Rs = tg.parameter(0.270284, "ohm", "series resistance", min=0.0, semantics="series_resistance")
    Rsh = tg.parameter(436.254, "ohm", "shunt resistance at 1000 W/m2", min=0.0, semantics="shunt_resistance")


class LosslessSolarModule(tg.Component, implements=SolarModuleInterface, name="lossless", tags={"cost": 1}):
    """Light current and diode without resistances: I = Iph - I0 (exp(v/a) - 1), a = N Ns k T/q."""

    def equations(self) -> Statements:
        a = self.N * self.Ns * 1.380649e-23 * 298.15 / 1.602176634e-19
        v = self.p.v - self.n.v
        yield self.p.i + self.n.i == 0
        yield -self.p.i == self.G / 1000.0 * self.Iph_ref - self.I0_ref * (tg.exp(v / a) - 1.0)


class SingleDiodeSolarModule(
    tg.Component, implements=SolarModuleInterface, name="single diode", default=True, tags={"cost": 2}
):
    """The single-diode model with series and shunt resistance, photovoltaic.Module."""

    module = Module(
        Ns=SolarModuleInterface.Ns,
        Iph_ref=SolarModuleInterface.Iph_ref,
        I0_ref=SolarModuleInterface.I0_ref,
        N=SolarModuleInterface.N,
        Rs=SolarModuleInterface.Rs,
        Rsh=SolarModuleInterface.Rsh,
    )

    def connections(self) -> Statements:
        yield self.p, self.module.p
        yield self.module.n, self.n

    def equations(self) -> Statements:
        yield self.module.G == self.G
