"""Tubes with all that oil has: inertia, friction and capacity, in as many pieces as waves ask for."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.interfaces import AMBIENT, Oiled, Port, Restriction, Statements
from tellegen.library.hydraulic.orifice_flow import QUARTER_PI
from tellegen.library.hydraulic.tube_friction import friction
from tellegen.library.losses import Lossy


class Inertance(Restriction):
    """The inertia of the oil in a tube, with its friction and without its capacity.

    L/(rho0 A) dm_flow/dt = h(port_a.p) - h(port_b.p) - dp_friction/rho, which is Newton's law for the column of oil:
    rho L dv/dt = dp - dp_friction. Friction is that of TubeResistance.
    """

    d = tg.parameter(0.01, "m", "inner diameter", min=1e-300)
    L = tg.parameter(1.0, "m", "length", min=1e-300)
    roughness = tg.parameter(1.5e-6, "m", "height of the roughness of the wall", min=0.0)
    m_flow = tg.variable("kg/s", "mass flow from port_a to port_b", start=0.0, state="prefer")

    def losses(self) -> Any:
        return self.q * friction(self.q, self.rho(), self.oil.nu, self, self.L)

    def equations(self) -> Statements:
        drive = self.oil.h(self.port_a.p) - self.oil.h(self.port_b.p)
        brake = friction(self.q, self.rho(), self.oil.nu, self, self.L) / self.rho()
        inertance = self.L / (self.oil.rho0 * QUARTER_PI * self.d**2)
        yield inertance * tg.der(self.m_flow) == drive - brake


class Line(Oiled, Lossy):
    """A tube with inertia, friction and capacity, cut into n pieces; pressure waves run through it.

    Between n + 1 nodes with pressures p flow n columns of oil, m_flow. A node holds the oil of half a piece to either
    side, with walls that give way as those of a Volume; a column of the length l = L/n is an Inertance:

        dm_k/dt = m_flow[k-1] - m_flow[k],     m_k = rho(p_k) V_k (1 + C_wall (p_k - p_ambient))
        l/(rho0 A) dm_flow_k/dt = h(p_k) - h(p_(k+1)) - dp_friction/rho

    The first node is at port_a, the last at port_b. Waves run with a = 1/sqrt(rho (1/K + C_wall)); a piece should be
    shorter than a sixth of the shortest wave of interest.
    """

    n = tg.parameter(1, structural=True, description="number of pieces")
    port_a = Port()
    port_b = Port()
    d = tg.parameter(0.01, "m", "inner diameter", min=1e-300)
    L = tg.parameter(1.0, "m", "length", min=1e-300)
    roughness = tg.parameter(1.5e-6, "m", "height of the roughness of the wall", min=0.0)
    C_wall = tg.parameter(
        0.0, "1/Pa", "what the section grows with the pressure, relative: d/(t E); 0 is rigid", min=0.0
    )
    p = tg.variable("Pa", "absolute pressure in the nodes", shape=n + 1, start=AMBIENT, nominal=1e5, state="prefer")
    m = tg.variable("kg", "mass in the nodes", shape=n + 1)
    m_flow = tg.variable("kg/s", "mass flow from node to node", shape=n, start=0.0, state="prefer")
    q = tg.variable("m3/s", "volume flow from node to node", shape=n)

    def losses(self) -> Any:
        return tg.sum(self.q * self.friction())

    def rho(self) -> Any:
        """Densities of the columns."""
        return self.oil.rho(0.5 * (self.p[1:] + self.p[:-1]))

    def friction(self) -> Any:
        """Pressures that friction takes in the columns."""
        return friction(self.q, self.rho(), self.oil.nu, self, self.L / self.n)

    def equations(self) -> Statements:
        area = QUARTER_PI * self.d**2
        piece = area * self.L / self.n
        holds = self.oil.rho(self.p) * (1.0 + self.C_wall * (self.p - self.oil.p_ambient)) * piece
        yield self.p[0] == self.port_a.p
        yield self.p[-1] == self.port_b.p
        yield self.m[0] == 0.5 * holds[0]
        yield self.m[-1] == 0.5 * holds[-1]
        yield tg.der(0.5 * holds[0]) == self.port_a.m_flow - self.m_flow[0]
        yield tg.der(0.5 * holds[-1]) == self.port_b.m_flow + self.m_flow[-1]
        if self.n > 1:
            yield self.m[1:-1] == holds[1:-1]
            yield tg.der(holds[1:-1]) == self.m_flow[:-1] - self.m_flow[1:]
        yield self.m_flow == self.rho() * self.q
        energy = self.oil.h(self.p)
        inertance = self.L / (self.n * self.oil.rho0 * area)
        yield inertance * tg.der(self.m_flow) == energy[:-1] - energy[1:] - self.friction() / self.rho()
