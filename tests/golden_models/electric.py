"""An RC circuit, a DC drive across two domains, and a circuit whose part is replaced two levels down."""

from __future__ import annotations

import tellegen as tg
from golden_models.parts import (
    Battery,
    Capacitor,
    Flange,
    Ground,
    Inductor,
    Inertia,
    OnePort,
    Pin,
    Resistor,
    Statements,
)


class RC(tg.Component):
    """A capacitor charged through a resistor."""

    tau = tg.parameter("20 ms", "s")
    R = tg.parameter("2.2 kohm", "ohm")
    battery = Battery(V=5.0)
    r = Resistor(R=R)
    c = Capacitor(C=tau / R, v=tg.variable(start=0.0, fixed=True))
    ground = Ground()

    def connections(self) -> Statements:
        yield self.battery.p, self.r.p
        yield self.r.n, self.c.p
        yield self.battery.n, self.c.n, self.ground.p


class Transducer(tg.Component):
    """Ideal transducer between current and torque."""

    p = Pin()
    n = Pin()
    shaft = Flange()
    k = tg.parameter(1.0, "N.m/A")

    def equations(self) -> Statements:
        yield self.p.v - self.n.v == self.k * tg.der(self.shaft.phi)
        yield self.p.i + self.n.i == 0
        yield self.shaft.tau == -self.k * self.p.i


class Motor(tg.Component):
    """A winding and a transducer in series; the shaft is the transducer's."""

    p = Pin()
    n = Pin()
    shaft = Flange()
    k = tg.parameter("40 mN.m/A", "N.m/A")
    winding_r = Resistor(R=2.4)
    winding_l = Inductor(L="4.8 mH", i=tg.variable(start=0.0, fixed=True))
    emf = Transducer(k=k)

    def connections(self) -> Statements:
        yield self.p, self.winding_r.p
        yield self.winding_r.n, self.winding_l.p
        yield self.winding_l.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.shaft, self.shaft


class Drive(tg.Component):
    """Two domains: a battery turns a rotor through a motor."""

    battery = Battery(V=12.0)
    motor = Motor(k="50 mN.m/A")
    rotor = Inertia(J=1e-3, w=tg.variable(start="100 rpm", fixed=True))
    ground = Ground()

    def connections(self) -> Statements:
        yield self.battery.p, self.motor.p
        yield self.battery.n, self.motor.n, self.ground.p
        yield self.motor.shaft, self.rotor.a


class Leaky(OnePort):
    """A capacitor with a leak: two statements where the plain one has one."""

    C = tg.parameter(1.0, "F")
    G = tg.parameter(1e-6, "S")
    leak = tg.variable("A")

    def equations(self) -> Statements:
        yield self.leak == self.G * self.v
        yield self.i == self.C * tg.der(self.v) + self.leak


class Filter(tg.Component):
    """A low-pass filter of one stage."""

    a = Pin()
    b = Pin()
    gnd = Pin()
    r = Resistor(R=10.0)
    c = Capacitor(C=1e-3)

    def connections(self) -> Statements:
        yield self.a, self.r.p
        yield self.r.n, self.c.p, self.b
        yield self.c.n, self.gnd


class TwoFilters(tg.Component):
    """A two-level hierarchy: the second filter has another capacitor in the place of the declared one."""

    battery = Battery(V=1.0)
    first = Filter()
    second = Filter(c=Leaky(C="2 mF"))
    load = Resistor(R=100.0)
    ground = Ground()

    def connections(self) -> Statements:
        yield self.battery.p, self.first.a
        yield self.first.b, self.second.a
        yield self.second.b, self.load.p
        yield self.battery.n, self.first.gnd, self.second.gnd, self.load.n, self.ground.p
