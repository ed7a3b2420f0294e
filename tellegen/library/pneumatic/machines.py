"""Compressors and air motors: a displacement between a shaft and two ports, with efficiencies.

Turned forward, a machine takes in the volume D per revolution at port_a and gives it to port_b:

    m_flow = filling rho_a D w/(2 pi),     rho_a = p_a/(R T_a)

What leaves has the temperature that the work on it makes, and the shaft's power is what the gas gains:

    flange.tau w = m_flow cp (T_out - T_a)

A pressure ratio r = p_b/p_a without losses would change T_a to T_a r^((kappa - 1)/kappa). The machines turn one way
only; a run that turns them back warns.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import Gassed, Port, Statements
from tellegen.library.rotational import OneFlange

TWO_PI = 6.283185307179586


class GasMachine(Gassed, OneFlange):
    """Base of compressors and air motors: m_flow = filling rho_a D w/(2 pi), flange.tau w = m_flow cp (T_out - T_a)."""

    port_a = Port("intake")
    port_b = Port("outlet")
    D = tg.parameter(50e-6, "m3", "displacement per revolution", min=0.0)
    eta_v = tg.parameter(0.9, "1", "volumetric efficiency", min=1e-6, max=1.0)
    eta = tg.parameter(0.75, "1", "efficiency against the change of state without losses", min=1e-6, max=1.0)
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b")
    phi = tg.variable("rad", "angle of the shaft against the housing")
    w = tg.variable("rad/s", "speed of the shaft against the housing")
    T_out = tg.variable("K", "temperature of what leaves port_b", start=293.15)

    def filling(self) -> Any:
        """The mass that flows over the mass of the displacement."""
        raise NotImplementedError(f"{type(self).__name__} has to define filling()")

    def gain(self, ideal: tg.Expression) -> Any:
        """What the temperature really changes, from the relative change without losses."""
        raise NotImplementedError(f"{type(self).__name__} has to define gain()")

    def equations(self) -> Statements:
        k = (self.gas.kappa - 1.0) / self.gas.kappa
        T_in = tg.in_stream(self.port_a.T)
        charge = self.filling() * self.port_a.p / (self.gas.R * T_in) * self.D / TWO_PI
        yield self.phi == self.angle(self.flange)
        yield self.w == tg.der(self.phi)
        yield self.m_flow == charge * self.w
        yield self.m_flow == self.port_a.m_flow
        yield self.port_a.m_flow + self.port_b.m_flow == 0
        yield self.T_out == T_in * (1.0 + self.gain((self.port_b.p / self.port_a.p) ** k - 1.0))
        yield self.flange.tau == charge * self.gas.cp * (self.T_out - T_in)
        yield self.port_b.T == self.T_out
        yield self.port_a.T == T_in
        yield tg.region(self.w > -1e-6, "the machine turns backward, which its equations do not know")


class Compressor(GasMachine):
    """Compressor: m_flow = eta_v rho_a D w/(2 pi), T_out = T_a (1 + ((p_b/p_a)^((kappa - 1)/kappa) - 1)/eta).

    The torque follows from the energy of the gas, tau w = m_flow cp (T_out - T_a).
    """

    def filling(self) -> Any:
        return self.eta_v

    def gain(self, ideal: tg.Expression) -> Any:
        return ideal / self.eta


class AirMotor(GasMachine):
    """Air motor: m_flow = rho_a D w/(2 pi)/eta_v, T_out = T_a (1 - eta (1 - (p_b/p_a)^((kappa - 1)/kappa))).

    Gas from port_a expands to port_b and drives the shaft: tau w = m_flow cp (T_out - T_a), which is negative.
    """

    def filling(self) -> Any:
        return 1.0 / self.eta_v

    def gain(self, ideal: tg.Expression) -> Any:
        return ideal * self.eta
