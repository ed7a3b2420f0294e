"""Three streams that meet in one point, flat and with one of the branches inside a composite component."""

from __future__ import annotations

import tellegen as tg
from golden_models.parts import Boundary, FluidPort, Statements, Valve


class Mixer(tg.Component):
    """Three valves meet in one point; no junction component is needed."""

    hot = Boundary(p="3 bar", h="400 kJ/kg")
    cold = Boundary(p="2 bar", h="80 kJ/kg")
    sink = Boundary(p="1 bar", h="10 kJ/kg")
    v1 = Valve()
    v2 = Valve()
    v3 = Valve()

    def connections(self) -> Statements:
        yield self.hot.port, self.v1.a
        yield self.cold.port, self.v2.a
        yield self.sink.port, self.v3.b
        yield self.v1.b, self.v2.b, self.v3.a


class Tee(tg.Component):
    """A composite whose one port leads to two valves: inside, three connectors meet (one of them its own)."""

    port = FluidPort()
    out1 = FluidPort()
    out2 = FluidPort()
    v1 = Valve()
    v2 = Valve()

    def connections(self) -> Statements:
        yield self.port, self.v1.a, self.v2.a
        yield self.v1.b, self.out1
        yield self.v2.b, self.out2


class TeeMixer(tg.Component):
    """A tee between a source and two sinks; a second source joins at its port."""

    main = Boundary(p="3 bar", h="400 kJ/kg")
    side = Boundary(p="3.5 bar", h="200 kJ/kg")
    v = Valve()
    w = Valve()
    tee = Tee()
    left = Boundary(p="1 bar", h="10 kJ/kg")
    right = Boundary(p="2 bar", h="20 kJ/kg")

    def connections(self) -> Statements:
        yield self.main.port, self.v.a
        yield self.side.port, self.w.a
        yield self.v.b, self.w.b, self.tee.port
        yield self.tee.out1, self.left.port
        yield self.tee.out2, self.right.port
