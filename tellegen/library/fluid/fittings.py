"""Fittings: orifices, changes of diameter, and junctions of any number of pipes."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.fluid.flow_laws import reg_root, reg_square
from tellegen.library.fluid.interfaces import FluidPort, PartialThrottle, Statements, upstream
from tellegen.library.fluid.volumes import ClosedVolume
from tellegen.library.media import Water


class SimpleGenericOrifice(PartialThrottle):
    """A resistance given by its loss coefficient: dp = zeta rho v^2/2, v = m_flow/(rho A), A = pi diameter^2/4."""

    diameter = tg.parameter(0.01, "m", "diameter that zeta belongs to", min=0.0)
    zeta = tg.parameter(1.0, "1", "loss coefficient", min=0.0)

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density)
        A = tg.pi / 4.0 * self.diameter**2
        yield self.dp == self.zeta / (2.0 * rho * A**2) * reg_square(self.m_flow, self.m_flow_small)


class SharpEdgedOrifice(PartialThrottle):
    """A hole with sharp edges: m_flow = alpha A sqrt(2 rho |dp|) in the direction of dp, A = pi diameter^2/4."""

    diameter = tg.parameter(0.01, "m", "diameter of the hole", min=0.0)
    alpha = tg.parameter(0.61, "1", "discharge coefficient", min=0.0)
    dp_small = tg.parameter(10.0, "Pa", "below, the root goes over into a straight line", min=0.0)

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density, self.dp, self.dp_small)
        A = tg.pi / 4.0 * self.diameter**2
        yield self.m_flow == self.alpha * A * tg.sqrt(2.0 * rho) * reg_root(self.dp, self.dp_small)


class AbruptAdaptor(PartialThrottle):
    """A sudden change from diameter_a to diameter_b; static pressures: Bernoulli's difference and the loss.

    From the narrow to the wide side Borda-Carnot: zeta = (1 - A_s/A_l)^2 of the narrow side's rho v^2/2; the other way
    zeta = (1 - A_s/A_l)^(3/4)/2 (Idelchik, for turbulent flow). Both smooth into each other around zero flow.
    """

    diameter_a = tg.parameter(0.01, "m", "diameter at port_a", min=0.0)
    diameter_b = tg.parameter(0.02, "m", "diameter at port_b", min=0.0)

    def equations(self) -> Statements:
        rho = self.upstream(self.medium.density)
        A_a = tg.pi / 4.0 * self.diameter_a**2
        A_b = tg.pi / 4.0 * self.diameter_b**2
        A_s = tg.no_event(tg.minimum(A_a, A_b))
        ratio = A_s / tg.no_event(tg.maximum(A_a, A_b))
        wider = tg.no_event(tg.where(A_b > A_a, 1.0, 0.0))  # 1: flow from a to b widens
        widening = (1.0 - ratio) ** 2
        narrowing = 0.5 * (1.0 - ratio) ** 0.75
        forward = widening * wider + narrowing * (1.0 - wider)
        backward = narrowing * wider + widening * (1.0 - wider)
        zeta = upstream(self.m_flow, forward, backward, self.m_flow_small)
        loss = zeta / A_s**2 * reg_square(self.m_flow, self.m_flow_small)
        yield 2.0 * rho * self.dp == loss + (1.0 / A_b**2 - 1.0 / A_a**2) * self.m_flow**2


class Junction(tg.Component):
    """Joins n_ports ports without loss, volume or mixing time; any of them may be an inlet.

    sum m_flow = 0, one pressure; what leaves is the mixture of what enters, h = sum m_flow h/sum m_flow of inlets.
    The same as connecting the ports with each other, and a name for the point: T-pieces, crosses, headers.
    """

    medium = tg.parameter(Water(), structural=True, description="what flows")
    n_ports = tg.parameter(3, structural=True, description="number of ports")
    ports = FluidPort.array(n_ports).of(medium)

    def connections(self) -> Statements:
        yield tuple(self.ports[k] for k in range(self.n_ports))


class JunctionVolume(ClosedVolume):
    """Joins n_ports ports in a small mixing volume V, which keeps the temperature defined and smooth at zero flow."""

    n_ports = tg.parameter(3, structural=True, description="number of ports")
    V = tg.parameter(1e-4, "m3", "volume", min=0.0)
