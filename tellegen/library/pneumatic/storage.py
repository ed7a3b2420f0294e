"""What holds gas: chambers with mass and energy, rigid or with a moving wall, that exchange heat with their walls.

    dm/dt = m_flow,     dU/dt = m_flow cp T + Q_flow - p dV/dt,     U = m cv T,     p V = m R T

The states are mass and energy, so what leaves one chamber is in the others to the last digit. Heat comes from the
walls, Q_flow = G (T_wall - T): with G = 0 the gas is adiabatic, with a large G isothermal. `isothermal=True` holds T
at that of the wall exactly, and Q_flow is what that takes; the wall needs a temperature of its own then. The wall is
the heat port, or has the temperature T_ambient.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.pneumatic.interfaces import AMBIENT, WARM, Gassed, Port, Statements
from tellegen.library.thermal import HeatPort


class Chamber(Gassed):
    """Base of what holds gas: dm/dt = m_flow, dU/dt = m_flow cp T + Q_flow - p dV/dt; subclasses say V and the wall.

    p V = m R T and U = m cv T. It starts at p_start and T_start.
    """

    port = Port()
    isothermal = tg.parameter(False, structural=True, description="T is that of the wall")
    G = tg.parameter(0.0, "W/K", "thermal conductance to the wall; 0 is adiabatic", min=0.0)
    p_start = tg.parameter(AMBIENT, "Pa", "absolute pressure at the start", min=1e-300)
    T_start = tg.parameter(WARM, "K", "temperature at the start", min=1e-300)
    p = tg.variable("Pa", "absolute pressure", start=p_start, fixed=True, min=0.0)
    T = tg.variable("K", "temperature", start=T_start, fixed=True, min=0.0)
    m = tg.variable("kg", "mass", nominal=1e-3, state="prefer")
    U = tg.variable("J", "internal energy", nominal=100.0, state="prefer")
    Q_flow = tg.variable("W", "heat flow from the wall into the gas")

    def build(self) -> None:
        if self.isothermal:
            self.T.fixed = False  # it is that of the wall, from the start on

    def volume(self) -> Any:
        """The volume of the gas."""
        raise NotImplementedError(f"{type(self).__name__} has to define volume()")

    def growth(self) -> Any:
        """What the volume grows in a second."""
        return 0.0

    def wall(self) -> Any:
        """The temperature of the wall."""
        return self.gas.T_ambient

    def equations(self) -> Statements:
        yield self.p == self.port.p
        yield self.port.T == self.T
        yield self.p * self.volume() == (self.gas.kappa - 1.0) * self.U
        yield self.U == self.gas.cv * self.m * self.T
        yield tg.der(self.m) == self.port.m_flow
        # where T is given, the energy is not a state of its own
        energy = self.gas.cv * self.m * self.T if self.isothermal else self.U
        yield tg.der(energy) == self.enthalpy_in(self.port) + self.Q_flow - self.p * self.growth()
        if self.isothermal:
            yield self.T == self.wall()
        else:
            yield self.Q_flow == self.G * (self.wall() - self.T)


class Volume(Chamber):
    """A tank of gas: p V = m R T, dm/dt = port.m_flow, d(m cv T)/dt = port.m_flow cp T + G (T_wall - T).

    T_wall is that of the heat port if there is one, T_ambient else. isothermal=True holds T at T_wall. Any number of
    lines may be connected to its port, where they mix.
    """

    V = tg.parameter(1e-3, "m3", "volume", min=1e-300)
    use_heat_port = tg.parameter(False, structural=True, description="the wall is the heat port, else at T_ambient")
    heat_port = HeatPort("the wall").only_if(use_heat_port, must_connect=True)

    def volume(self) -> Any:
        return self.V

    def wall(self) -> Any:
        return self.heat_port.T if self.use_heat_port else self.gas.T_ambient

    def equations(self) -> Statements:
        if self.use_heat_port:
            yield self.heat_port.Q_flow == self.Q_flow


class PistonChamber(Chamber):
    """A chamber whose volume its owner gives, one side of a cylinder: dU/dt = m_flow cp T + Q_flow - p dV/dt."""

    V = tg.input("m3", "volume")
    T_wall = tg.input("K", "temperature of the wall")

    def volume(self) -> Any:
        return self.V

    def growth(self) -> Any:
        return tg.der(self.V)

    def wall(self) -> Any:
        return self.T_wall
