"""Plants whose inverses are known, or can be checked by running plant and inverse one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import planar
from tellegen.library import rotational as rot


class Motor(tg.Component):
    """Permanent-magnet motor."""

    p = el.Pin()
    n = el.Pin()
    shaft = rot.Flange()
    R = tg.parameter(2.4, "ohm")
    L = tg.parameter(4.8e-3, "H")
    k = tg.parameter(0.04, "N.m/A")
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        w = tg.der(self.shaft.phi)
        yield self.p.v - self.n.v == self.R * self.i + self.L * tg.der(self.i) + self.k * w
        yield self.shaft.tau == -self.k * self.i
        yield self.p.i == self.i
        yield self.n.i == -self.i


class Drive(tg.Component):
    """A motor turns a load through an elastic shaft."""

    source = el.StepVoltage(V=12.0)
    motor = Motor()
    rotor = rot.Inertia(J=1e-4)
    shaft = rot.SpringDamper(c=5.0, d=0.01)
    load = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.shaft, self.rotor.flange_a
        yield self.rotor.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.load.flange_a


class DrivenDrive(Drive):
    """The same with its voltage from outside."""

    source = el.SignalVoltage()
    v = tg.input("V")

    def connections(self) -> Iterator[Any]:
        yield self.v, self.source.u


class Arm(tg.Component):
    """Two links in a vertical plane; nothing drives the joints."""

    world = planar.PlanarWorld()
    base = planar.Fixed()
    shoulder = planar.Revolute()
    upper = planar.BodyShape(m=2.0, r_ab=[0.5, 0.0], I=0.05)
    elbow = planar.Revolute()
    fore = planar.BodyShape(m=1.0, r_ab=[0.4, 0.0], I=0.02)

    def connections(self) -> Iterator[Any]:
        yield self.base.frame, self.shoulder.frame_a
        yield self.shoulder.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.elbow.frame_a
        yield self.elbow.frame_b, self.fore.frame_a


class DrivenArm(Arm):
    """The same with torques at the joints."""

    t1 = tg.input("N.m")
    t2 = tg.input("N.m")
    shoulder = planar.Revolute(use_flange=True)
    elbow = planar.Revolute(use_flange=True)
    motor_1 = rot.Torque()
    motor_2 = rot.Torque()

    def connections(self) -> Iterator[Any]:
        yield self.t1, self.motor_1.tau
        yield self.t2, self.motor_2.tau
        yield self.motor_1.flange, self.shoulder.flange_a
        yield self.motor_2.flange, self.elbow.flange_a
