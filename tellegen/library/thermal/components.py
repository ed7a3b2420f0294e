"""Lumps of heat, and the ways between them: conduction, convection with a given coefficient, radiation."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.thermal.interfaces import Element1D, HeatPort, SolidToFluid, Statements


class HeatCapacitor(tg.Component):
    """A lump of material of one temperature: C dT/dt = Q_flow."""

    port = HeatPort()
    C = tg.parameter(1.0, "J/K", "heat capacity", min=0.0)
    T = tg.variable("K", "temperature", start=293.15)

    def equations(self) -> Statements:
        yield self.T == self.port.T
        yield self.C * tg.der(self.T) == self.port.Q_flow


class MeltingCapacitor(tg.Component):
    """A lump that melts at T_melt: at the melting point it takes H_melt before its temperature rises again.

    The state is the enthalpy H, zero for the solid at the melting point: T = T_melt + H/C_solid below, T_melt while
    0 < H < H_melt, T_melt + (H - H_melt)/C_liquid above. dH/dt = port.Q_flow. `melted` is the liquid part, 0 to 1.
    """

    port = HeatPort()
    C_solid = tg.parameter(1.0, "J/K", "heat capacity of the solid", min=0.0)
    C_liquid = tg.parameter(1.0, "J/K", "heat capacity of the liquid", min=0.0)
    H_melt = tg.parameter(1.0, "J", "heat of melting", min=0.0)
    T_melt = tg.parameter(273.15, "K", "melting point", min=0.0)
    T_start = tg.parameter(263.15, "K", "temperature at the start, of the solid where it is not above T_melt", min=0.0)
    H = tg.variable(
        "J",
        "enthalpy above that of the solid at T_melt",
        start=tg.where(T_start > T_melt, H_melt + C_liquid * (T_start - T_melt), C_solid * (T_start - T_melt)),
    )
    T = tg.variable("K", "temperature")
    melted = tg.variable("1", "liquid part")

    def equations(self) -> Statements:
        yield self.T == self.port.T
        yield tg.der(self.H) == self.port.Q_flow
        solid = tg.minimum(self.H, 0.0)
        liquid = tg.maximum(self.H - self.H_melt, 0.0)
        yield self.T == self.T_melt + solid / self.C_solid + liquid / self.C_liquid
        yield self.melted * self.H_melt == self.H - solid - liquid


class ThermalConductor(Element1D):
    """Q_flow = G dT."""

    G = tg.parameter(1.0, "W/K", "thermal conductance", min=0.0)

    def equations(self) -> Statements:
        yield self.Q_flow == self.G * self.dT


class ThermalResistor(Element1D):
    """dT = R Q_flow."""

    R = tg.parameter(1.0, "K/W", "thermal resistance", min=0.0)

    def equations(self) -> Statements:
        yield self.dT == self.R * self.Q_flow


class Convection(SolidToFluid):
    """Q_flow = Gc dT with a convective conductance that is a signal, Gc = area times heat transfer coefficient."""

    Gc = tg.input("W/K", "convective conductance, not negative")

    def equations(self) -> Statements:
        yield self.Q_flow == self.Gc * self.dT


class ConvectiveResistor(SolidToFluid):
    """dT = Rc Q_flow with a convective resistance that is a signal, Rc = 1/(area times heat transfer coefficient)."""

    Rc = tg.input("K/W", "convective resistance, not negative")

    def equations(self) -> Statements:
        yield self.dT == self.Rc * self.Q_flow


class BodyRadiation(Element1D):
    """Radiation between two bodies: Q_flow = Gr sigma (port_a.T^4 - port_b.T^4).

    Gr is a geometry of surfaces A1, A2 and emissivities e1, e2: e1 A1 for a body in a large space,
    A/(1/e1 + 1/e2 - 1) between parallel planes, A1/(1/e1 + (1/e2 - 1) A1/A2) for a body inside another.
    """

    Gr = tg.parameter(1.0, "m2", "net radiation conductance", min=0.0)
    sigma = tg.parameter(5.670374419e-8, "W/(m2.K4)", "Stefan-Boltzmann constant")

    def equations(self) -> Statements:
        yield self.Q_flow == self.Gr * self.sigma * (self.port_a.T**4 - self.port_b.T**4)


class GeneralHeatFlow(Element1D):
    """Power law, Q_flow = Q_nominal |dT/dT_nominal|^n in the direction of dT: a room radiator has n = 1.3."""

    Q_nominal = tg.parameter(1000.0, "W", "heat flow at dT_nominal", min=0.0)
    dT_nominal = tg.parameter(50.0, "K", "temperature difference of the rating", min=1e-9)
    n = tg.parameter(1.3, "1", "exponent; 1 is a conductor", min=1.0)

    def equations(self) -> Statements:
        ratio = self.dT / self.dT_nominal
        # |x|^(n-1) x has a slope of 0 at 0 for n > 1, but its formula has 0^(n-2) there
        yield self.Q_flow == self.Q_nominal * ratio * tg.maximum(abs(ratio), 1e-12) ** (self.n - 1.0)


class ThermalCollector(tg.Component):
    """Joins m heat ports in one: port_a[k].T = port_b.T, and their heat flows add up there."""

    m = tg.parameter(3, structural=True, description="number of ports that are joined")
    port_a = HeatPort.array(m)
    port_b = HeatPort()

    def equations(self) -> Statements:
        yield self.port_a.T == self.port_b.T
        yield tg.sum(self.port_a.Q_flow) + self.port_b.Q_flow == 0
