"""Constraints, heat, fields and rotors on bodies: further examples of Modelica's multibody library from our parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot
from tellegen.library import thermal
from tellegen.library import translational as tr
from tellegen.library.multibody.sweeps.vectors import cross
from validation.msl_mechanisms import AT_REST, G, Wires

PLACE = [0.2, -0.3, 0.2]
TURNED = np.deg2rad([10.0, 55.0, 68.0])
BAR: dict[str, Any] = {"m": 1.0, "I_11": 1.0, "I_22": 1.0, "I_33": 1.0, "r": [0.4, 0, 0], "r_CM": [0.2, 0, 0]}
PLUMB: dict[str, Any] = {"m": 1.0, "r_CM": [0, -0.2, 0], "I_11": 0.1, "I_22": 0.1, "I_33": 0.1}
SLOWLY: dict[str, Any] = {"w_0_start": [0, 0, 0.034906585039887]}
SPRING: dict[str, Any] = {"c": 30.0, "s_unstretched": 0.1}


class TwoSprungBars(tg.Component):
    """Two equal bars on springs: the end of one is held by a joint, that of the other by a constraint."""

    world = mb.World(g=G)
    fixedRotation = mb.FixedRotation(r=PLACE, rotation="sequence", angles=TURNED)
    fixedTranslation = mb.FixedTranslation(r=[0.8, 0, 0.3])
    bodyOfJoint = mb.BodyShape(**BAR)
    bodyOfConstraint = mb.BodyShape(**BAR, r_0_start=PLACE, angles_start=TURNED)
    springOfJoint = mb.Spring(c=20.0)
    springOfConstraint = mb.Spring(c=20.0)

    def held(self) -> tuple[Any, Any]:
        """What is at the end of the joint, and the constraint."""
        return self.joint.frame_b, self.constraint

    def connections(self) -> Wires:
        end, constraint = self.held()
        yield self.world.frame_b, self.fixedRotation.frame_a, self.fixedTranslation.frame_a
        yield self.fixedTranslation.frame_b, self.springOfJoint.frame_a, self.springOfConstraint.frame_a
        yield self.springOfJoint.frame_b, self.bodyOfJoint.frame_b
        yield self.springOfConstraint.frame_b, self.bodyOfConstraint.frame_b
        yield end, self.bodyOfJoint.frame_a
        yield self.fixedRotation.frame_b, constraint.frame_a
        yield constraint.frame_b, self.bodyOfConstraint.frame_a


class RevoluteConstraint(TwoSprungBars):
    """A hinge, and the same as a constraint."""

    joint = mb.Revolute(n=[0, 1, 0], phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    constraint = mb.RevoluteConstraint(n=[0, 1, 0])

    def connections(self) -> Wires:
        yield self.fixedRotation.frame_b, self.joint.frame_a


class SphericalConstraint(TwoSprungBars):
    """A ball joint, and the same as a constraint."""

    joint = mb.Spherical()
    constraint = mb.SphericalConstraint()

    def connections(self) -> Wires:
        yield self.fixedRotation.frame_b, self.joint.frame_a


class PrismaticConstraint(TwoSprungBars):
    """Two slides in series, and the same as a constraint."""

    jointPrismatic_x = mb.Prismatic(n=[1, 0, 0], s=tg.variable(**AT_REST), v=tg.variable(**AT_REST))
    jointPrismatic_y = mb.Prismatic(n=[0, 1, 0], s=tg.variable(**AT_REST), v=tg.variable(**AT_REST))
    constraint = mb.PrismaticConstraint(x_locked=False, y_locked=False)

    def held(self) -> tuple[Any, Any]:
        return self.jointPrismatic_y.frame_b, self.constraint

    def connections(self) -> Wires:
        yield self.fixedRotation.frame_b, self.jointPrismatic_x.frame_a
        yield self.jointPrismatic_x.frame_b, self.jointPrismatic_y.frame_a


class HeatLosses(tg.Component):
    """Three bodies on springs and dampers, whose heat goes to the ambient."""

    world = mb.World(g=G)
    bar1 = mb.FixedTranslation(r=[0.3, 0, 0])
    bar2 = mb.FixedTranslation(r=[0.3, 0, 0])
    bar3 = mb.FixedTranslation(r=[0.3, 0, 0])
    body1 = mb.Body(**PLUMB, **SLOWLY, r_0_start=[0.3, -0.2, 0])
    body2 = mb.Body(**PLUMB, **SLOWLY, r_0_start=[0.6, -0.2, 0])
    body3 = mb.Body(**PLUMB, **SLOWLY, r_0_start=[0.9, -0.2, 0])
    spring1 = mb.Spring(**SPRING)
    damper1 = mb.Damper(d=2.0, use_heat_port=True)
    springDamper = mb.SpringDamperParallel(**SPRING, d=2.0, use_heat_port=True)
    springDamperSeries = mb.SpringDamperSeries(
        **SPRING, d=2.0, use_heat_port=True, s_damper=tg.variable(start=0.0, fixed=True)
    )
    spring = mb.Spring(c=30.0, s_unstretched=0.2)
    convection = thermal.Convection()
    TAmbient = thermal.FixedTemperature(T=298.15)

    def equations(self) -> Iterator[Any]:
        yield self.convection.Gc == 20.0

    def connections(self) -> Wires:
        yield self.world.frame_b, self.bar1.frame_a
        yield self.bar1.frame_b, self.bar2.frame_a, self.damper1.frame_a, self.spring1.frame_a
        yield self.bar2.frame_b, self.bar3.frame_a, self.springDamper.frame_a
        yield self.bar3.frame_b, self.springDamperSeries.frame_a, self.spring.frame_a
        yield self.damper1.frame_b, self.spring1.frame_b, self.body1.frame_a
        yield self.springDamper.frame_b, self.body2.frame_a
        yield self.springDamperSeries.frame_b, self.spring.frame_b, self.body3.frame_a
        yield self.TAmbient.port, self.convection.fluid
        for part in (self.damper1, self.springDamper, self.springDamperSeries):
            yield part.heat_port, self.convection.solid


class SixMasses(tg.Component):
    """Six masses of 1 kg at the ends of three rods across each other."""

    ARMS: ClassVar[list[list[float]]] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    frame = mb.Frame("where the rods meet")
    arms = mb.FixedTranslation.array(6, r=ARMS)
    masses = mb.Body.array(6, m=1.0, I_11=0.0, I_22=0.0, I_33=0.0)

    def connections(self) -> Wires:
        for k in range(6):
            yield self.frame, self.arms[k].frame_a
        yield self.arms.frame_b, self.masses.frame_a


class PointGravityWithPointMasses2(tg.Component):
    """Six masses, rigidly connected, in a field of gravity that is stronger on one side."""

    world = mb.World(gravity="point", mu=5.0)
    freeMotion = mb.FreeMotion(r_rel_a_start=[2, 0, 0], v_rel_a_start=[0, 0, -1])
    system = SixMasses()

    def connections(self) -> Wires:
        yield self.world.frame_b, self.freeMotion.frame_a
        yield self.freeMotion.frame_b, self.system.frame


class Surfaces(tg.Component):
    """A slide that is moved as a sine says (the rest of the example is pictures)."""

    world = mb.World(g=G, n=[0, 0, -1])
    prismatic = mb.Prismatic(use_flange=True)
    load = mb.Body(m=1.0)
    position = tr.Position()

    def equations(self) -> Iterator[Any]:
        yield self.position.s_ref == 2.0 * tg.sin(np.pi * tg.time)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.prismatic.frame_a
        yield self.prismatic.frame_b, self.load.frame_a
        yield self.position.flange, self.prismatic.axis


class NormalGravity(mb.OneFrame):
    """The weight of a mass at frame_a in the field of the ellipsoid WGS84 at the equator, at the height y."""

    m = tg.parameter(1.0, "kg", "mass")
    a = tg.parameter(6378137.0, "m", "radius of the equator")
    b = tg.parameter(6356752.3142, "m", "distance of the poles from the centre")
    g_e = tg.parameter(9.7803253359, "m/s2", "gravity at the equator")
    spin = tg.parameter(7292115e-11, "rad/s", "rotation of the earth")
    GM = tg.parameter(3986004.418e8, "m3/s2", "gravitational constant times the mass of the earth")
    flattening = tg.parameter(1 - b / a, "1", "flattening")

    def equations(self) -> Iterator[Any]:
        h = self.frame_a.r_0[1] / self.a
        turning = self.spin**2 * self.a**2 * self.b / self.GM
        g = self.g_e * (1.0 - h * (2.0 * (1.0 + self.flattening + turning) + 3.0 * h))
        yield self.frame_a.f == self.m * g * self.frame_a.R[:, 1]
        yield self.frame_a.t == 0.0


class UserDefinedGravityField(tg.Component):
    """A long pendulum in a field of gravity of our own."""

    world = mb.World(gravity="none")
    fixedTranslation = mb.FixedTranslation(r=[0, 20, 0])
    rev = mb.Revolute(use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    damper = rot.Damper(d=0.1)
    body = mb.Body(m=1000.0, r_CM=[10, 0, 0])
    arm = mb.FixedTranslation(r=[10, 0, 0])
    weight = NormalGravity(m=1000.0)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.fixedTranslation.frame_a
        yield self.fixedTranslation.frame_b, self.rev.frame_a
        yield self.rev.frame_b, self.body.frame_a, self.arm.frame_a
        yield self.arm.frame_b, self.weight.frame_a
        yield self.damper.flange_a, self.rev.support
        yield self.damper.flange_b, self.rev.axis


class ActuatedDrive(tg.Component):
    """The same torque on a body by itself, and on a rotor; across its axis the body has what a body can have."""

    amplitude = tg.parameter(1.0, "N.m", "of both torques")
    world = mb.World(gravity="none")
    revolute = mb.Revolute(n=[1, 0, 0], phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    bodyCylinder = mb.BodyShape(r=[0.5, 0, 0], m=0.0, I_11=2.0, I_22=1.0, I_33=1.0)
    torque = mb.Torque()
    fixed = mb.Fixed()
    rotor1D = mb.Rotor1D(J=2.0, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    torque1 = rot.Torque(use_support=True)
    mounting1D = mb.Mounting1D()

    def equations(self) -> Iterator[Any]:
        sine = self.amplitude * tg.sin(2.0 * np.pi * tg.time)
        yield self.torque1.tau == sine
        yield self.torque.torque[0] == sine
        yield self.torque.torque[1] == 0.0
        yield self.torque.torque[2] == 0.0

    def carried(self) -> tuple[Any, Any]:
        """Where the hinge and the rotor are."""
        return self.world.frame_b, self.fixed.frame_b

    def connections(self) -> Wires:
        hinge, rotor = self.carried()
        yield hinge, self.revolute.frame_a, self.torque.frame_a
        yield self.revolute.frame_b, self.bodyCylinder.frame_a
        yield self.bodyCylinder.frame_b, self.torque.frame_b
        yield rotor, self.rotor1D.frame_a, self.mounting1D.frame_a
        yield self.torque1.flange, self.rotor1D.flange_a
        yield self.torque1.support, self.mounting1D.flange_b


class MovingActuatedDrive(ActuatedDrive):
    """Both of them on arms that swing about y."""

    r1 = mb.Revolute(n=[0, 1, 0], use_flange=True)
    r2 = mb.Revolute(n=[0, 1, 0], use_flange=True)
    position1 = rot.Position(use_support=True)
    position2 = rot.Position(use_support=True)
    mounting1D1 = mb.Mounting1D(n=[0, 1, 0])
    mounting1D2 = mb.Mounting1D(n=[0, 1, 0])
    carrier = mb.Body(m=0.0)

    def equations(self) -> Iterator[Any]:
        for position in (self.position1, self.position2):
            yield position.phi_ref == 2.0 * tg.sin(2.0 * np.pi * tg.time)

    def carried(self) -> tuple[Any, Any]:
        return self.r1.frame_b, self.r2.frame_b

    def connections(self) -> Wires:
        yield self.r2.frame_b, self.carrier.frame_a
        yield self.world.frame_b, self.r1.frame_a, self.mounting1D1.frame_a
        yield self.fixed.frame_b, self.r2.frame_a, self.mounting1D2.frame_a
        yield self.position1.flange, self.r1.axis
        yield self.position1.support, self.mounting1D1.flange_b
        yield self.position2.flange, self.r2.axis
        yield self.position2.support, self.mounting1D2.flange_b


class RotorInBody(mb.OneFrame):
    """A rotor whose inertia about its axis is counted in the body that carries it, too: as Modelica's Rotor1D."""

    flange_a = rot.Flange()
    flange_b = rot.Flange()
    J = tg.parameter(1.0, "kg.m2", "moment of inertia about n")
    n = tg.parameter([1.0, 0.0, 0.0], "1", "axis, of length one")
    phi = tg.variable("rad", "angle against the body", start=0.0, state="prefer")
    w = tg.variable("rad/s", "its derivative", start=0.0, state="prefer")

    def equations(self) -> Iterator[Any]:
        z = self.n @ self.frame_a.z
        yield self.flange_a.phi == self.phi
        yield self.flange_b.phi == self.phi
        yield self.w == tg.der(self.phi)
        yield self.J * (tg.der(self.w) + z) == self.flange_a.tau + self.flange_b.tau
        yield self.frame_a.f == 0.0
        yield self.frame_a.t == self.J * (cross(self.frame_a.w, self.n) * self.w - self.n * z)


class BevelGear1D(tg.Component):
    """A bevel gear between two rotors on a box that three torques turn about three axes."""

    world = mb.World(g=G)
    revolute1 = mb.Revolute(n=[1, 0, 0], use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    revolute2 = mb.Revolute(n=[0, 1, 0], use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    revolute3 = mb.Revolute(n=[0, 0, 1], use_flange=True, phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    torques = rot.Torque.array(3)
    bodyBox = mb.BodyBox(r=[0.1, 0.1, 0.1], length=0.1, width=0.1)
    mounting1D = mb.Mounting1D(n=[1, 0, 0])
    torque = rot.Torque(use_support=True)
    inertia1 = RotorInBody(J=1.1, n=[1, 0, 0], phi=tg.variable(**AT_REST), w=tg.variable(**AT_REST))
    bevelGear = mb.BevelGear1D(ratio=10.0, n_a=[1, 0, 0], n_b=[0, 1, 0])
    inertia2 = RotorInBody(J=18.2, n=[0, 1, 0])

    def equations(self) -> Iterator[Any]:
        for k in range(3):
            yield self.torques[k].tau == (110.0 + 10.0 * k) * tg.sin(2.0 * np.pi * (5.0 + k) * tg.time)
        yield self.torque.tau == 140.0 * tg.sin(16.0 * np.pi * tg.time)

    def connections(self) -> Wires:
        yield self.world.frame_b, self.revolute1.frame_a
        yield self.revolute1.frame_b, self.revolute2.frame_a
        yield self.revolute2.frame_b, self.revolute3.frame_a
        for k, joint in enumerate((self.revolute1, self.revolute2, self.revolute3)):
            yield self.torques[k].flange, joint.axis
        for part in (self.bodyBox, self.mounting1D, self.inertia1, self.inertia2, self.bevelGear):
            yield self.revolute3.frame_b, part.frame_a
        yield self.torque.support, self.mounting1D.flange_b
        yield self.torque.flange, self.inertia1.flange_a
        yield self.inertia1.flange_b, self.bevelGear.flange_a
        yield self.bevelGear.flange_b, self.inertia2.flange_a


class GyroscopicEffects(tg.Component):
    """A cylinder that spins on a rod, which hangs on a ball; and the same with a rotor in a cylinder that does not."""

    world = mb.World(g=G)
    spherical1 = mb.Spherical()
    bodyCylinder1 = mb.BodyCylinder(r=[0.25, 0, 0], diameter=0.05)
    fixedRotation1 = mb.FixedRotation(n=[0, 1, 0], angle="45 deg")
    revolute = mb.Revolute(n=[1, 0, 0], phi=tg.variable(**AT_REST), w=tg.variable(start=10.0, fixed=True))
    fixedTranslation = mb.FixedTranslation(r=[-0.1, 0, 0])
    bodyCylinder2 = mb.BodyCylinder(r=[0.2, 0, 0], diameter=0.1)
    fixed = mb.Fixed()
    spherical2 = mb.Spherical()
    bodyCylinder3 = mb.BodyCylinder(r=[0.25, 0, 0], diameter=0.05)
    fixedRotation2 = mb.FixedRotation(n=[0, 1, 0], angle="45 deg")
    fixedTranslation1 = mb.FixedTranslation(r=[-0.1, 0, 0])
    bodyCylinder4 = mb.BodyCylinder(r=[0.2, 0, 0], diameter=0.1)
    rotor1D = RotorInBody(
        J=7700 * np.pi / 4 * 0.1**2 * 0.2 * 0.1**2 / 8,
        phi=tg.variable(**AT_REST),
        w=tg.variable(start=10.0, fixed=True),
    )

    def connections(self) -> Wires:
        yield self.world.frame_b, self.spherical1.frame_a
        yield self.spherical1.frame_b, self.bodyCylinder1.frame_a
        yield self.bodyCylinder1.frame_b, self.fixedRotation1.frame_a
        yield self.fixedRotation1.frame_b, self.revolute.frame_a
        yield self.revolute.frame_b, self.fixedTranslation.frame_a
        yield self.fixedTranslation.frame_b, self.bodyCylinder2.frame_a
        yield self.fixed.frame_b, self.spherical2.frame_a
        yield self.spherical2.frame_b, self.bodyCylinder3.frame_a
        yield self.bodyCylinder3.frame_b, self.fixedRotation2.frame_a
        yield self.fixedRotation2.frame_b, self.fixedTranslation1.frame_a, self.rotor1D.frame_a
        yield self.fixedTranslation1.frame_b, self.bodyCylinder4.frame_a
