"""Small parts of heat pumps and refrigerators: the expansion valve, and the sensor of superheat."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.fluid.boiling import two_phase
from tellegen.library.fluid.flow_laws import reg_root
from tellegen.library.fluid.interfaces import FluidPort, Statements, arriving
from tellegen.library.fluid.valves import PartialValve
from tellegen.library.media import Water


class SuperheatSensor(tg.Component):
    """Measures how far a point is above boiling: superheat = T - T_sat(p), below 0 in subcooled liquid."""

    medium = tg.parameter(Water(), structural=True, description="what flows; one with two phases")
    port = FluidPort().of(medium)
    T = tg.variable("K", "temperature of the fluid", start=lambda self: self.medium.T_default)
    superheat = tg.output("K", "temperature above boiling")

    def equations(self) -> Statements:
        yield self.port.m_flow == 0
        yield self.port.h_outflow == tg.in_stream(self.port.h_outflow)
        yield self.port.Xi_outflow == tg.in_stream(self.port.Xi_outflow)
        yield self.medium.relation(arriving(self.port, self.T))
        yield self.superheat == self.T - two_phase(self).T_sat(self.port.p)


class ExpansionValve(PartialValve):
    """The valve between condenser and evaporator: m_flow = share(opening) Cd A sqrt(2 rho |dp|) at constant enthalpy.

    rho is that before the valve, where there is liquid; flashing downstream of the orifice no longer affects the flow.
    """

    A = tg.parameter(1e-6, "m2", "area of the open orifice", min=0.0)
    Cd = tg.parameter(0.7, "1", "discharge coefficient", min=0.0)
    dp_small = tg.parameter(100.0, "Pa", "below, the root goes over into a straight line", min=0.0)

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density)
        yield self.m_flow == self.share() * self.Cd * self.A * tg.sqrt(2.0 * rho) * reg_root(self.dp, self.dp_small)
