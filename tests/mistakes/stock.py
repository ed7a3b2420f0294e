"""Right components, shared by the models with mistakes beside this file."""

import tellegen as tg
from tellegen.ir.expressions.expr import Apply


class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")


class Flange(tg.Connector):
    phi = tg.across("rad")
    tau = tg.through("N.m")


class HeatPort(tg.Connector):
    T = tg.across("K")
    Q = tg.through("W")


class TwoPin(tg.Component):
    p = Pin()
    n = Pin()
    v = tg.variable("V", "voltage from p to n")
    i = tg.variable("A", "current from p to n")

    def equations(self):
        yield self.v == self.p.v - self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0


class Resistor(TwoPin):
    R = tg.parameter(1.0, "ohm", "resistance", min=0.0)

    def equations(self):
        yield self.v == self.R * self.i


class Capacitor(TwoPin):
    C = tg.parameter(1e-6, "F", "capacitance")

    def equations(self):
        yield self.i == self.C * tg.der(self.v)


class Source(TwoPin):
    V = tg.parameter(1.0, "V", "voltage")

    def equations(self):
        yield self.v == self.V


class Ground(tg.Component):
    p = Pin()

    def equations(self):
        yield self.p.v == 0


class Spring(tg.Component):
    a = Flange()
    b = Flange()
    c = tg.parameter(1.0, "N.m/rad", "stiffness")

    def equations(self):
        yield self.a.tau == self.c * (self.a.phi - self.b.phi)
        yield self.a.tau + self.b.tau == 0


class Inertia(tg.Component):
    flange = Flange()
    J = tg.parameter(1.0, "kg.m2", "moment of inertia")
    w = tg.variable("rad/s", "angular velocity", start=0.0)

    def equations(self):
        yield self.w == tg.der(self.flange.phi)
        yield self.J * tg.der(self.w) == self.flange.tau


class ThermalResistor(tg.Component):
    a = HeatPort()
    b = HeatPort()
    R = tg.parameter(1.0, "K/W", "thermal resistance")

    def equations(self):
        yield self.R * self.a.Q == self.a.T - self.b.T
        yield self.a.Q + self.b.Q == 0


class Gain(tg.Component):
    u = tg.input("V", "what is amplified")
    y = tg.output("V")
    k = tg.parameter(1.0, "1", "gain")

    def equations(self):
        yield self.y == self.k * self.u


def call_software(component):
    """Call the code of a software component once, as a simulation does at every step."""
    for group in tg.flatten(component).equations:
        for node in group.template.nodes:
            if isinstance(node, Apply):
                node.function.callable(*[1.0] * len(node.args))


class LoadInterface(tg.Interface):
    """What a source drives."""

    p = Pin()
    n = Pin()
    R = tg.parameter(10.0, "ohm", semantics="resistance")


class OhmicLoad(tg.Component, implements=LoadInterface, name="ohmic"):
    def equations(self):
        yield self.p.v - self.n.v == self.R * self.p.i
        yield self.p.i + self.n.i == 0


class LoadedSource(tg.Component):
    """A circuit composed of an interface."""

    source = Source()
    load = LoadInterface()
    ground = Ground()

    def connections(self):
        yield self.source.p, self.load.p
        yield self.source.n, self.load.n, self.ground.p
