"""Conduction with storage along one dimension: rods and walls as arrays of cells.

A body of the length L is cut into n cells of equal length dx = L/n, each of one temperature in its middle (the method
of finite volumes; the error falls with 1/n^2). Between neighbours heat has to go dx, to the ends half of it:

    port_a --- T[0] ------ T[1] ------ T[2] --- port_b
          dx/2       dx          dx        dx/2
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.thermal.interfaces import HeatPort, Statements


class Rod(tg.Component):
    """Conduction and storage along a rod, or through a plate, in n cells: rho c dT/dt = k d2T/dx2.

    With use_surface the side gives heat to the port `surface`: in every cell h times its part of the side (perimeter
    times dx) times the difference of temperatures, as for a fin.
    """

    n = tg.parameter(10, structural=True, description="number of cells", min=2)
    use_surface = tg.parameter(False, structural=True, description="heat leaves through the side as well")
    port_a = HeatPort("the end before T[0]")
    port_b = HeatPort("the end next to T[n-1]")
    surface = HeatPort("what is around the side").only_if(use_surface)
    L = tg.parameter(1.0, "m", "length", min=0.0)
    A = tg.parameter(1.0, "m2", "cross section", min=0.0)
    k = tg.parameter(1.0, "W/(m.K)", "thermal conductivity", min=0.0)
    rho = tg.parameter(1000.0, "kg/m3", "density", min=0.0)
    c = tg.parameter(1000.0, "J/(kg.K)", "specific heat capacity", min=0.0)
    perimeter = tg.parameter(0.0, "m", "perimeter of the cross section, for the side", min=0.0)
    h = tg.parameter(0.0, "W/(m2.K)", "heat transfer coefficient of the side", min=0.0)
    T = tg.variable("K", "temperatures in the middle of the cells", shape=n, start=293.15)
    side = tg.variable("W", "heat flows from the side into the cells", shape=n)

    def equations(self) -> Statements:
        T = self.T
        dx = self.L / self.n
        C = self.rho * self.c * self.A * dx
        G = self.k * self.A / dx
        yield self.port_a.Q_flow == 2.0 * G * (self.port_a.T - T[0])
        yield self.port_b.Q_flow == 2.0 * G * (self.port_b.T - T[-1])
        yield C * tg.der(T[0]) == self.port_a.Q_flow + G * (T[1] - T[0]) + self.side[0]
        yield C * tg.der(T[-1]) == self.port_b.Q_flow + G * (T[-2] - T[-1]) + self.side[-1]
        if self.n > 2:
            yield C * tg.der(T[1:-1]) == G * (T[2:] - 2.0 * T[1:-1] + T[:-2]) + self.side[1:-1]
        if self.use_surface:
            yield self.side == self.h * self.perimeter * dx * (self.surface.T - T)
            yield self.surface.Q_flow == tg.sum(self.side)
        else:
            yield self.side == 0.0


class Wall(tg.Component):
    """Layers of different materials one after the other, from port_a to port_b, each a Rod of n cells.

    The parameters of the materials are lists with one value for each layer. Temperatures: `layer[0].T[2]`.
    """

    n = tg.parameter(5, structural=True, description="number of cells of each layer", min=2)
    layers = tg.parameter(1, structural=True, description="number of layers, found from thickness")
    A = tg.parameter(1.0, "m2", "area of the wall", min=0.0)
    thickness = tg.parameter(0.1, "m", "thickness of each layer", shape=layers, min=0.0)
    k = tg.parameter(1.0, "W/(m.K)", "thermal conductivity of each layer", shape=layers, min=0.0)
    rho = tg.parameter(1000.0, "kg/m3", "density of each layer", shape=layers, min=0.0)
    c = tg.parameter(1000.0, "J/(kg.K)", "specific heat capacity of each layer", shape=layers, min=0.0)
    port_a = HeatPort("face of the first layer")
    port_b = HeatPort("face of the last layer")
    layer = Rod.array(layers, n=n, L=thickness, A=A, k=k, rho=rho, c=c)

    def __init__(self, *unnamed: object, **given: object) -> None:
        thickness = given.get("thickness")
        if isinstance(thickness, list | tuple):
            given.setdefault("layers", len(thickness))
        super().__init__(*unnamed, **given)

    def connections(self) -> Statements:
        yield self.port_a, self.layer[0].port_a
        if self.layers > 1:
            yield self.layer[:-1].port_b, self.layer[1:].port_a
        yield self.layer[-1].port_b, self.port_b
