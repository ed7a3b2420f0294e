"""Pneumatic cylinders: gas pushes a piston between two ends; with heat exchange, friction and elastic stops.

As hydraulic ones (hydraulic/cylinders.py) the piston goes from s = 0 at the end of port_a to s = stroke, and

    f = A_a (p_a - p_ambient) - A_b (p_b - p_ambient) - friction + stops,     flange.f = -f

Each chamber is a PistonChamber with mass and energy: gas that expands cools down. G is the thermal conductance from
each chamber to the wall, which is the heat port or at T_ambient; through the heat port friction leaves as well.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.piston import PistonInBore
from tellegen.library.pneumatic.interfaces import AMBIENT, WARM, Gassed, Port, Statements
from tellegen.library.pneumatic.storage import PistonChamber

QUARTER_PI = 0.7853981633974483


class PneumaticPiston(Gassed, PistonInBore):
    """A piston with gas on the side of port_a: dU/dt = m_flow cp T + G (T_wall - T) - p dV/dt, V = V_dead + A_a s."""

    port_a = Port("at the piston's end; pushes out")
    D = tg.parameter(0.032, "m", "diameter of the piston", min=1e-300)
    stroke = tg.parameter(0.2, "m", "way from end to end", min=1e-300)
    d = tg.parameter(20.0, "N.s/m", "viscous friction", min=0.0)
    c_stop = tg.parameter(1e6, "N/m", "stiffness of the stops", min=0.0)
    d_stop = tg.parameter(2e3, "N.s/m", "damping of the stops", min=0.0)
    V_dead = tg.parameter(1e-5, "m3", "gas in a chamber when the piston is at its end", min=1e-300)
    G = tg.parameter(0.0, "W/K", "thermal conductance from each chamber to the wall; 0 is adiabatic", min=0.0)
    isothermal = tg.parameter(False, structural=True, description="the gas has the temperature of the wall")
    p_a_start = tg.parameter(AMBIENT, "Pa", "absolute pressure at port_a at the start", min=1e-300)
    T_start = tg.parameter(WARM, "K", "temperature at the start", min=1e-300)
    A_a = tg.parameter(QUARTER_PI * D**2, "m2", "area on the side of port_a", min=0.0)
    chamber_a = PistonChamber(p_start=p_a_start, T_start=T_start, G=G, isothermal=isothermal)

    def wall(self) -> Any:
        """The temperature of the wall."""
        return self.heat_port.T if self.use_heat_port else self.gas.T_ambient

    def equations(self) -> Statements:
        yield self.chamber_a.V == self.V_dead + self.A_a * self.s
        yield self.chamber_a.T_wall == self.wall()

    def connections(self) -> Statements:
        yield self.port_a, self.chamber_a.port


class DoubleActingCylinder(PneumaticPiston):
    """Double-acting cylinder: flange.f = -(A_a p_a - A_b p_b - p_ambient A_rod - friction + stops), p V = m R T.

    V_a = V_dead + A_a s, V_b = V_dead + A_b (stroke - s), A_a = pi D^2/4 and A_b = A_a - pi d_rod^2/4. The pressures
    are chamber_a.p and chamber_b.p.
    """

    port_b = Port("at the rod's end; pulls in")
    d_rod = tg.parameter(0.012, "m", "diameter of the rod", min=0.0)
    p_b_start = tg.parameter(AMBIENT, "Pa", "absolute pressure at port_b at the start", min=1e-300)
    A_b = tg.parameter(QUARTER_PI * (PneumaticPiston.D**2 - d_rod**2), "m2", "area on the side of port_b", min=0.0)
    chamber_b = PistonChamber(
        p_start=p_b_start, T_start=PneumaticPiston.T_start, G=PneumaticPiston.G, isothermal=PneumaticPiston.isothermal
    )

    def push(self) -> Any:
        ambient = self.gas.p_ambient
        return self.A_a * (self.chamber_a.p - ambient) - self.A_b * (self.chamber_b.p - ambient)

    def losses(self) -> Any:
        rubbed = self.f_friction * self.v + self.stop_losses()
        return rubbed - self.chamber_a.Q_flow - self.chamber_b.Q_flow

    def equations(self) -> Statements:
        yield self.chamber_b.V == self.V_dead + self.A_b * (self.stroke - self.s)
        yield self.chamber_b.T_wall == self.wall()

    def connections(self) -> Statements:
        yield self.port_b, self.chamber_b.port


class SingleActingCylinder(PneumaticPiston):
    """Single-acting cylinder with a spring: flange.f = -(A_a (p_a - p_ambient) - F0 - c s - friction + stops).

    The other side of the piston is open to the surroundings. p V = m R T with V = V_dead + A_a s.
    """

    c = tg.parameter(500.0, "N/m", "stiffness of the spring that pulls in", min=0.0)
    F0 = tg.parameter(30.0, "N", "its force at s = 0", min=0.0)

    def push(self) -> Any:
        return self.A_a * (self.chamber_a.p - self.gas.p_ambient) - self.F0 - self.c * self.s

    def losses(self) -> Any:
        return self.f_friction * self.v + self.stop_losses() - self.chamber_a.Q_flow
