"""The robot R3 of Modelica's multibody library, rebuilt from our parts: one axis, and the arm with six of them.

Modelica starts it in rest, the motors in balance with the load as if friction took nothing; so do we.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from validation.msl_mechanisms import Wires


class Motor(tg.Component):
    """A motor with its current controller: three operational amplifiers."""

    flange_motor = rot.Flange("shaft")
    J = tg.parameter(0.0013, "kg.m2", "inertia of the rotor")
    k = tg.parameter(1.1616, "N.m/A", "of the motor")
    w = tg.parameter(4590.0, "rad/s", "of the controller")
    D = tg.parameter(0.6, "1", "damping of the controller")
    R = tg.parameter(250.0, "Ohm", "of the armature")
    stored = tg.parameter(0.004, "S", "of the integrator")
    hall = tg.parameter(1.0, "V/A", "of the current sensor")
    current_ref = tg.input("A", "wanted current")
    Vs = el.SignalVoltage()
    diff = el.IdealOpAmp()
    OpI = el.IdealOpAmp()
    power = el.IdealOpAmp()
    emf = el.EMF(k=k)
    La = el.Inductor(L=R / (2.0 * D * w))
    Ra = el.Resistor(R=R)
    Rd1 = el.Resistor(R=100.0)
    Rd2 = el.Resistor(R=100.0)
    Rd3 = el.Resistor(R=100.0)
    Rd4 = el.Resistor(R=100.0)
    Ri = el.Resistor(R=10.0)
    Rp1 = el.Resistor(R=200.0)
    Rp2 = el.Resistor(R=50.0)
    C = el.Capacitor(C=stored * D / w)
    hall2 = el.SignalVoltage()
    Jmotor = rot.Inertia(J=J)
    ground = el.Ground()

    def equations(self) -> Iterator[Any]:
        yield self.Vs.u == self.hall * self.current_ref
        yield self.hall2.u == self.hall * self.emf.i

    def initial_equations(self) -> Iterator[Any]:
        yield tg.der(self.C.v) == 0.0
        yield tg.der(self.La.i) == 0.0

    def connections(self) -> Wires:
        yield self.Vs.p, self.Rd2.p
        yield self.Rd2.n, self.diff.n1, self.Rd1.p
        yield self.Rd1.n, self.diff.p2, self.Ri.p
        yield self.hall2.p, self.Rd3.p
        yield self.Rd3.n, self.diff.p1, self.Rd4.p
        yield self.Ri.n, self.OpI.n1, self.C.p
        yield self.C.n, self.OpI.p2, self.power.p1
        yield self.power.n1, self.Rp1.p, self.Rp2.p
        yield self.power.p2, self.Rp1.n, self.Ra.p
        yield self.Ra.n, self.La.p
        yield self.La.n, self.emf.p
        for pin in (self.Vs.n, self.hall2.n, self.Rd4.n, self.Rp2.n, self.emf.n, self.OpI.p1):
            yield self.ground.p, pin
        for amplifier in (self.diff, self.OpI, self.power):
            yield self.ground.p, amplifier.n2
        yield self.emf.flange, self.Jmotor.flange_a
        yield self.Jmotor.flange_b, self.flange_motor


class Axis(tg.Component):
    """Motor, gear, friction and controllers of an axis."""

    flange = rot.Flange("joint")
    start = tg.parameter(0.0, "rad", "angle at the start")
    ratio = tg.parameter(-105.0, "1", "of the gear")
    Rv0 = tg.parameter(0.4, "N.m", "friction at rest")
    Rv1 = tg.parameter(0.13 / 160, "N.m.s/rad", "viscous friction")
    peak = tg.parameter(1.0, "1", "what it takes to break loose, over Rv0")
    kp = tg.parameter(5.0, "1/s", "gain of the controller of the position")
    angle_ref = tg.input("rad", "wanted angle")
    speed_ref = tg.input("rad/s", "wanted speed")
    motor = Motor()
    PI = blocks.PI(k=0.5, T=0.05)
    gear = rot.IdealGear(ratio=ratio)
    bearingFriction = rot.BearingFriction(tau_Coulomb=Rv0, tau_prop=Rv1, peak=peak, mode=tg.integer(start=0))

    def equations(self) -> Iterator[Any]:
        rotor = self.motor.Jmotor
        behind = self.ratio * self.angle_ref - rotor.phi
        yield self.PI.u == self.ratio * self.speed_ref + self.kp * behind - rotor.w
        yield self.motor.current_ref == self.PI.y

    def initial_equations(self) -> Iterator[Any]:
        yield self.flange.phi == self.start
        yield self.bearingFriction.w == 0.0
        yield self.bearingFriction.tau == 0.0


class AxisType1(Axis):
    """The axes of the arm: friction is at the motor, and the gear is elastic."""

    c = tg.parameter(43.0, "N.m/rad", "stiffness of the gear")
    cd = tg.parameter(0.005, "N.m.s/rad", "its damping")
    spring = rot.SpringDamper(c=c, d=cd)

    def initial_equations(self) -> Iterator[Any]:
        yield self.spring.w_rel == 0.0
        yield tg.der(self.spring.w_rel) == 0.0

    def connections(self) -> Wires:
        yield self.motor.flange_motor, self.bearingFriction.flange_a
        yield self.bearingFriction.flange_b, self.spring.flange_a
        yield self.spring.flange_b, self.gear.flange_a
        yield self.gear.flange_b, self.flange


class AxisType2(Axis):
    """The axes of the hand: friction is at the joint."""

    def connections(self) -> Wires:
        yield self.motor.flange_motor, self.gear.flange_a
        yield self.gear.flange_b, self.bearingFriction.flange_a
        yield self.bearingFriction.flange_b, self.flange


SECOND: dict[str, Any] = {"ratio": 210.0, "c": 8.0, "cd": 0.01, "Rv0": 0.5, "Rv1": 0.1 / 130}


class OneAxis(tg.Component):
    """One axis with an inertia as its load."""

    WAY = np.deg2rad(120.0)
    path = blocks.KinematicPTP(deltaq=WAY, qd_max=3.0, qdd_max=10.0)
    axis = AxisType1(**SECOND, motor=Motor(w=5500.0))
    load = rot.Inertia(J=1.14**2 * 15)

    def equations(self) -> Iterator[Any]:
        yield self.axis.angle_ref == self.path.q
        yield self.axis.speed_ref == self.path.qd

    def connections(self) -> Wires:
        yield self.axis.flange, self.load.flange_a


BEGIN = np.deg2rad([-60.0, 20.0, 90.0, 0.0, -110.0, 0.0])
END = np.deg2rad([60.0, -70.0, -35.0, 45.0, 110.0, 45.0])
SPEEDS = np.array([3, 1.5, 5, 3.1, 3.1, 4.1])
ACCELERATIONS = np.array([15, 15, 15, 60, 60, 60])
ABOUT_X, ABOUT_Y = [1, 0, 0], [0, 1, 0]


class MechanicalStructure(tg.Component):
    """Six hinges, their bodies and the load."""

    axes = rot.Flange.array(6)
    world = mb.World()
    r1 = mb.Revolute(n=ABOUT_Y, use_flange=True)
    r2 = mb.Revolute(n=ABOUT_X, use_flange=True)
    r3 = mb.Revolute(n=ABOUT_X, use_flange=True)
    r4 = mb.Revolute(n=ABOUT_Y, use_flange=True)
    r5 = mb.Revolute(n=ABOUT_X, use_flange=True)
    r6 = mb.Revolute(n=ABOUT_Y, use_flange=True)
    b0 = mb.BodyShape(r=[0, 0.351, 0], m=1.0)
    b1 = mb.BodyShape(r=[0, 0.324, 0.3], m=1.0, I_11=1.16, I_22=1.16)
    b2 = mb.BodyShape(r=[0, 0.65, 0], r_CM=[0.172, 0.205, 0], m=56.5, I_11=2.58, I_22=0.64, I_33=2.73, I_21=-0.46)
    b3 = mb.BodyShape(
        r=[0, 0.414, -0.155], r_CM=[0.064, -0.034, 0], m=26.4, I_11=0.279, I_22=0.245, I_33=0.413, I_21=-0.070
    )
    b4 = mb.BodyShape(r=[0, 0.186, 0], m=28.7, I_11=1.67, I_22=0.081, I_33=1.67)
    b5 = mb.BodyShape(r=[0, 0.125, 0], m=5.2, I_11=1.25, I_22=0.81, I_33=1.53)
    b6 = mb.BodyShape(r_CM=[0.05, 0.05, 0.05], m=0.5)
    load = mb.BodyShape(r_CM=[0.1, 0.25, 0.1], m=15.0)

    def connections(self) -> Wires:
        bodies = (self.b0, self.b1, self.b2, self.b3, self.b4, self.b5, self.b6)
        joints = (self.r1, self.r2, self.r3, self.r4, self.r5, self.r6)
        yield self.world.frame_b, self.b0.frame_a
        for k, joint in enumerate(joints):
            yield bodies[k].frame_b, joint.frame_a
            yield joint.frame_b, bodies[k + 1].frame_a
            yield self.axes[k], joint.axis
        yield self.b6.frame_b, self.load.frame_a


class FullRobot(tg.Component):
    """The arm moves from one position to another as fast as all axes allow."""

    path = blocks.KinematicPTP(
        qd_max=1.0 / max(abs(END - BEGIN) / SPEEDS), qdd_max=1.0 / max(abs(END - BEGIN) / ACCELERATIONS)
    )
    axis1 = AxisType1(start=BEGIN[0])
    axis2 = AxisType1(start=BEGIN[1], **SECOND, motor=Motor(w=5500.0))
    axis3 = AxisType1(start=BEGIN[2], ratio=60.0, c=58.0, cd=0.04, Rv0=0.7, Rv1=0.2 / 130, motor=Motor(w=5500.0))
    axis4 = AxisType2(
        start=BEGIN[3],
        ratio=-99.0,
        Rv0=21.8,
        Rv1=9.8,
        peak=26.7 / 21.8,
        motor=Motor(k=0.2365, w=6250.0, D=0.55, J=1.6e-4),
    )
    axis5 = AxisType2(
        start=BEGIN[4],
        ratio=79.2,
        Rv0=30.1,
        Rv1=0.03,
        peak=39.6 / 30.1,
        motor=Motor(k=0.2608, w=6250.0, D=0.55, J=1.8e-4),
    )
    axis6 = AxisType2(
        start=BEGIN[5],
        ratio=-99.0,
        Rv0=10.9,
        Rv1=3.92,
        peak=16.8 / 10.9,
        motor=Motor(k=0.0842, w=7400.0, D=0.27, J=4.3e-5),
    )
    mechanics = MechanicalStructure()

    def axes(self) -> tuple[Any, ...]:
        """All of them."""
        return self.axis1, self.axis2, self.axis3, self.axis4, self.axis5, self.axis6

    def equations(self) -> Iterator[Any]:
        for axis, begin, end in zip(self.axes(), BEGIN, END, strict=True):
            yield axis.angle_ref == begin + (end - begin) * self.path.q
            yield axis.speed_ref == (end - begin) * self.path.qd

    def connections(self) -> Wires:
        for k, axis in enumerate(self.axes()):
            yield axis.flange, self.mechanics.axes[k]
