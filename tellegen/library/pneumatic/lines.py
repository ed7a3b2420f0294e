"""Tubes for gas: friction and inertia between chambers, in as many pieces as waves ask for."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.hydraulic.tube_friction import friction
from tellegen.library.pneumatic.interfaces import AMBIENT, WARM, Gassed, Port, Statements

QUARTER_PI = 0.7853981633974483


class Line(Gassed):
    """A tube cut into n pieces, each with mass and energy; between them flow columns with inertia and friction.

    For each piece of the volume V: dm/dt = sum of m_flow, dU/dt = sum of m_flow cp T + G/n (T_ambient - T), p V = m R
    T. For each column of the length l = L/n: l/A dm_flow/dt = p_k - p_(k+1) - dp_friction, with the law of
    hydraulic.TubeResistance. The half pieces at both ends have friction and no inertia, so that a line may be
    connected to volumes and to valves alike. Kinetic energy is not counted: velocities should stay below a third of
    that of sound.
    """

    n = tg.parameter(4, structural=True, description="number of pieces")
    port_a = Port()
    port_b = Port()
    d = tg.parameter(4e-3, "m", "inner diameter", min=1e-300)
    L = tg.parameter(1.0, "m", "length", min=1e-300)
    roughness = tg.parameter(1.5e-6, "m", "height of the roughness of the wall", min=0.0)
    G = tg.parameter(0.0, "W/K", "thermal conductance of the whole tube to the surroundings", min=0.0)
    p_start = tg.parameter(AMBIENT, "Pa", "absolute pressure at the start", min=1e-300)
    T_start = tg.parameter(WARM, "K", "temperature at the start", min=1e-300)
    p = tg.variable("Pa", "absolute pressures", shape=n, start=p_start, fixed=True, min=0.0)
    T = tg.variable("K", "temperatures", shape=n, start=T_start, fixed=True, min=0.0)
    m = tg.variable("kg", "masses", shape=n, nominal=1e-5, state="prefer")
    U = tg.variable("J", "internal energies", shape=n, nominal=1.0, state="prefer")
    m_flow = tg.variable("kg/s", "mass flows, those of port_a and out of port_b included", shape=n + 1, start=0.0)
    H_flow = tg.variable("W", "enthalpy that these carry", shape=n + 1)

    def equations(self) -> Statements:
        area = QUARTER_PI * self.d**2
        piece = self.L / self.n
        yield self.port_a.T == self.T[0]
        yield self.port_b.T == self.T[-1]
        yield self.port_a.m_flow == self.m_flow[0]
        yield self.port_b.m_flow == -self.m_flow[-1]
        yield self.p * (area * piece) == (self.gas.kappa - 1.0) * self.U
        yield self.U == self.gas.cv * self.m * self.T
        yield tg.der(self.m) == self.m_flow[:-1] - self.m_flow[1:]
        heat = self.G / self.n * (self.gas.T_ambient - self.T)
        yield tg.der(self.U) == self.H_flow[:-1] - self.H_flow[1:] + heat
        yield self.H_flow[0] == self.carried(self.m_flow[0], tg.in_stream(self.port_a.T), self.T[0])
        yield self.H_flow[-1] == self.carried(self.m_flow[-1], self.T[-1], tg.in_stream(self.port_b.T))
        yield self.port_a.p - self.p[0] == self.braking(self.m_flow[0], self.p[0], self.T[0], 0.5 * piece)
        yield self.p[-1] - self.port_b.p == self.braking(self.m_flow[-1], self.p[-1], self.T[-1], 0.5 * piece)
        if self.n > 1:
            p = 0.5 * (self.p[1:] + self.p[:-1])
            T = 0.5 * (self.T[1:] + self.T[:-1])
            brake = self.braking(self.m_flow[1:-1], p, T, piece)
            yield self.H_flow[1:-1] == self.carried(self.m_flow[1:-1], self.T[:-1], self.T[1:])
            yield piece / area * tg.der(self.m_flow[1:-1]) == self.p[:-1] - self.p[1:] - brake

    def carried(self, m_flow: tg.Expression, left: tg.Expression, right: tg.Expression) -> Any:
        """The enthalpy of a flow, with the temperature of the side it comes from."""
        return self.gas.cp * (tg.maximum(m_flow, 0.0) * left + tg.minimum(m_flow, 0.0) * right)

    def braking(self, m_flow: tg.Expression, p: tg.Expression, T: tg.Expression, length: tg.Expression) -> Any:
        """The pressure that friction takes."""
        rho = p / (self.gas.R * T)
        return friction(m_flow / rho, rho, self.gas.mu / rho, self, length)
