"""Machines that compress or expand: their work is that of an isentropic change and an efficiency.

    h_is = h(p_b, s_a)      compressor: h_b = h_a + (h_is - h_a)/eta      turbine: h_b = h_a - eta (h_a - h_is)

They run from port_a to port_b. What flows back passes without work: neither machine is a model of its own reverse. Any
medium that knows its entropy will do: ideal gases, `media.RealFluid`, `media.TabulatedFluid`.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.fluid.interfaces import PartialTwoPort, Statements
from tellegen.library.media import State, dry_air
from tellegen.library.rotational import Flange


class PartialTurbomachine(PartialTwoPort):
    """A change of enthalpy dh on the way from port_a to port_b, and the power of the shaft that goes with it.

    With use_shaft=True the power is that of `flange`; else the machine turns at the speed N, an input, and takes W.
    """

    medium = tg.parameter(dry_air(), structural=True, description="what flows; one that knows its entropy")
    use_shaft = tg.parameter(False, structural=True, description="driven by flange, not by the input N")
    N = tg.input("rpm", "speed; of no effect with a shaft", default=3000.0)
    flange = Flange("the shaft").only_if(use_shaft)
    w = tg.variable("rad/s", "speed of the shaft")
    T_is = tg.variable("K", "outlet temperature of an isentropic change", start=lambda self: self.medium.T_default)
    h_is = tg.variable("J/kg", "outlet specific enthalpy of an isentropic change")
    dh = tg.variable("J/kg", "what a kilogram gains on its way")
    W = tg.variable("W", "power that the shaft gives to the fluid")

    def h_a(self) -> Any:
        """Specific enthalpy of what enters at port_a."""
        return tg.in_stream(self.port_a.h_outflow)

    def torque(self) -> Any:
        """W/w, written so that it has a value at rest."""
        raise NotImplementedError(f"{type(self).__name__} has to define torque()")

    def equations(self) -> Statements:
        forward = tg.no_event(tg.maximum(self.m_flow, 0.0))
        start = self.state_a()
        yield from self.medium.isentrope(start, State(self.port_b.p, self.T_is, self.h_is, start.X))
        yield self.port_b.h_outflow == self.h_a() + self.dh
        yield self.port_a.h_outflow == tg.in_stream(self.port_b.h_outflow)
        yield self.W == forward * self.dh
        if self.use_shaft:
            yield self.w == tg.der(self.flange.phi)
            yield self.flange.tau == self.torque()
        else:
            yield self.w == self.N
        yield from self.medium.regions(start)


class Compressor(PartialTurbomachine):
    """A displacement compressor: m_flow = eta_vol rho_a V_displacement w/(2 pi), with isentropic efficiency eta_is.

    eta_vol = 1 + clearance - clearance (p_b/p_a)^(1/n): what stays in the dead space expands before new gas comes.
    Power W = m_flow (h_is - h_a)/eta_is; what is not reversible heats the gas. It does not run backwards: eta_vol and w
    below 0 count as 0.
    """

    V_displacement = tg.parameter(50e-6, "m3", "volume swept in one turn", min=0.0)
    eta_is = tg.parameter(0.7, "1", "isentropic efficiency", min=1e-3, max=1.0)
    clearance = tg.parameter(0.03, "1", "dead space over swept volume", min=0.0)
    n = tg.parameter(1.1, "1", "polytropic exponent of the gas in the dead space", min=0.5)
    eta_vol = tg.variable("1", "volumetric efficiency")

    def swept(self) -> Any:
        """Mass of what is taken in with one radian."""
        return self.eta_vol * self.medium.density(self.state_a()) * self.V_displacement / (2.0 * tg.pi)

    def torque(self) -> Any:
        return self.swept() * self.dh

    def equations(self) -> Statements:
        ratio = self.port_b.p / self.port_a.p
        full = 1.0 + self.clearance - self.clearance * ratio ** (1.0 / self.n)
        yield self.eta_vol == tg.no_event(tg.minimum(tg.maximum(full, 0.0), 1.0))
        yield self.dh == (self.h_is - self.h_a()) / self.eta_is
        yield self.m_flow == self.swept() * tg.no_event(tg.maximum(self.w, 0.0))


class Turbine(PartialTurbomachine):
    """A steam or gas turbine: A. Stodola's cone law for the flow, a constant isentropic efficiency for the work.

    m_flow = Kt sqrt(p_a rho_a) sqrt(1 - (p_b/p_a)^2), smooth where both pressures are nearly the same. Kt follows from
    a known point: Kt = m_flow/sqrt(p_a rho_a (1 - (p_b/p_a)^2)). dh = -eta (h_a - h_is), W < 0 is what the shaft
    gets. On a shaft the efficiency is eta_is w/(|w| + w_small): a turbine at rest has a torque but does no work.
    """

    Kt = tg.parameter(1e-3, "m2", "flow coefficient", min=0.0)
    eta_is = tg.parameter(0.85, "1", "isentropic efficiency", min=0.0, max=1.0)
    w_small = tg.parameter(1.0, "rad/s", "on a shaft: the efficiency is half of eta_is at this speed", min=1e-9)
    cone_small = tg.parameter(1e-4, "1", "1 - (p_b/p_a)^2 below which the root is smoothed", min=0.0)

    def torque(self) -> Any:
        drop = self.h_is - self.h_a()
        forward = tg.no_event(tg.maximum(self.m_flow, 0.0))
        return forward * drop * self.eta_is / (tg.no_event(abs(self.w)) + self.w_small)

    def equations(self) -> Statements:
        turning = self.w / (tg.no_event(abs(self.w)) + self.w_small) if self.use_shaft else 1.0
        cone = 1.0 - (self.port_b.p / self.port_a.p) ** 2
        root = cone / (cone**2 + self.cone_small**2) ** 0.25
        yield self.dh == self.eta_is * turning * (self.h_is - self.h_a())
        yield self.m_flow == self.Kt * tg.sqrt(self.port_a.p * self.medium.density(self.state_a())) * root
