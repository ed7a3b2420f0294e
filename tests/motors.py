"""A small family of motors: an interface, implementations, one of them a network of interfaces. For many tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Motor(tg.Interface):
    """A DC motor: two pins, one flange."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    k = tg.parameter(0.04, "N.m/A", "torque constant", semantics="torque_constant")
    R = tg.parameter(2.4, "ohm", "armature resistance", semantics="armature_resistance")
    L = tg.parameter(4.8e-3, "H", "armature inductance", semantics="armature_inductance")


class IdealMotor(tg.Component, implements=Motor, name="ideal", default=True, tags={"cost": 1}):
    """Resistance only."""

    def equations(self) -> Iterator[Any]:
        yield self.p.v - self.n.v == self.R * self.p.i + self.k * tg.der(self.flange.phi)
        yield self.p.i + self.n.i == 0
        yield self.flange.tau == -self.k * self.p.i


class Armature(tg.Interface):
    """What the current has to overcome."""

    p = el.Pin()
    n = el.Pin()
    R = tg.parameter(1.0, "ohm", semantics="armature_resistance")
    L = tg.parameter(1e-3, "H", semantics="armature_inductance")


class Resistive(tg.Component, implements=Armature, name="resistive", default=True):
    """A resistor."""

    resistor = el.Resistor(R=Armature.R)

    def connections(self) -> Iterator[Any]:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.n


class Inductive(tg.Component, implements=Armature, name="inductive"):
    """A resistor and an inductor."""

    resistor = el.Resistor(R=Armature.R)
    inductor = el.Inductor(L=Armature.L)

    def connections(self) -> Iterator[Any]:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.inductor.p
        yield self.inductor.n, self.n


class ComplexMotor(tg.Component, implements=Motor, name="complex", tags={"cost": 3}):
    """A network: an armature of some kind, and an ideal transducer."""

    armature = Armature(R=Motor.R, L=Motor.L)
    emf = el.EMF(k=Motor.k)

    def connections(self) -> Iterator[Any]:
        yield self.p, self.armature.p
        yield self.armature.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.flange


class Drive(tg.Component):
    """A motor, composed as an interface, with a flywheel at a voltage step."""

    gain = tg.parameter(0.05, "N.m/A", "torque constant of the drive")
    source = el.StepVoltage(V=12.0)
    motor = Motor(k=gain)
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.load.flange_a


def drive_system() -> tg.System:
    """The same as a System."""
    system = tg.System("drive")
    system.add(source=el.StepVoltage(V=12.0), motor=Motor(k=0.05), load=rot.Inertia(J=1e-3), ground=el.Ground())
    system.connect(system.source.p, system.motor.p)
    system.connect(system.source.n, system.motor.n, system.ground.p)
    system.connect(system.motor.flange, system.load.flange_a)
    return system
