"""A rod of ten cells: once as array equations of one component, once from arrays of components."""

from __future__ import annotations

import tellegen as tg
from golden_models.parts import Conduction, FixedTemperature, HeatMass, HeatPort, Statements


class ArrayRod(tg.Component):
    """Heat conduction along a rod, one temperature for each cell, a port at both ends."""

    n = tg.parameter(10, structural=True)
    G = tg.parameter(2.0, "W/K")
    C = tg.parameter(5.0, "J/K")
    a = HeatPort()
    b = HeatPort()
    T = tg.variable("K", shape=n, start="20 degC", fixed=True)
    Q = tg.variable("W", shape=n + 1)

    def equations(self) -> Statements:
        yield self.Q[1:-1] == self.G * (self.T[:-1] - self.T[1:])
        yield self.Q[[0, -1]] == [2 * self.G * (self.a.T - self.T[0]), 2 * self.G * (self.T[-1] - self.b.T)]
        yield self.C * tg.der(self.T) == self.Q[:-1] - self.Q[1:]
        yield self.a.Q == self.Q[0]
        yield self.b.Q == -self.Q[-1]


class HeatedArrayRod(tg.Component):
    """The rod between two temperatures."""

    hot = FixedTemperature(T="100 degC")
    rod = ArrayRod()
    cold = FixedTemperature()

    def connections(self) -> Statements:
        yield self.hot.port, self.rod.a
        yield self.rod.b, self.cold.port


class CellRod(tg.Component):
    """The same rod from an array of heat masses and an array of conductors between them."""

    n = tg.parameter(10, structural=True)
    C = tg.parameter(5.0, "J/K")
    hot = FixedTemperature(T="100 degC")
    cold = FixedTemperature()
    mass = HeatMass.array(n, C=C)
    link = Conduction.array(n + 1, G=[4.0] + [2.0] * 9 + [4.0])

    def connections(self) -> Statements:
        yield self.hot.port, self.link[0].a
        yield self.link[:-1].b, self.mass.port
        yield self.mass.port, self.link[1:].a
        yield self.link[-1].b, self.cold.port
