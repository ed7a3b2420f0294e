"""Mechanisms in space: bodies, joints and forces that are connected by frames.

For example a pendulum, whose hinge may be driven by whatever has a flange:

    import tellegen as tg
    from tellegen.library import multibody

    class Pendulum(tg.Component):
        world = multibody.World()
        hinge = multibody.Revolute(n=[0, 0, 1], phi=tg.variable(start=0.5, fixed=True))
        rod = multibody.BodyShape(r=[0.5, 0, 0], r_CM=[0.25, 0, 0], m=1.0)

        def connections(self):
            yield self.world.frame_b, self.hinge.frame_a
            yield self.hinge.frame_b, self.rod.frame_a

    tg.simulate(Pendulum(), stop=3.0).plot("hinge.phi")
"""

from __future__ import annotations

from tellegen.library.multibody.composite_joints import (
    Cylindrical,
    GearConstraint,
    Gimbal,
    Planar,
    RollingWheelSet,
    Screw,
    Universal,
)
from tellegen.library.multibody.constraints import (
    Constraint,
    Latch,
    PrismaticConstraint,
    RevoluteConstraint,
    RollingWheel,
    SphericalConstraint,
    UniversalConstraint,
)
from tellegen.library.multibody.contact import (
    BoxOnPlane,
    CapsuleOnPlane,
    PointsOnPlane,
    SphereOnPlane,
    SphereOnSphere,
    Touching,
)
from tellegen.library.multibody.cut_sensors import CutForceAndTorque
from tellegen.library.multibody.forces import (
    Bushing,
    Force,
    ForceAndTorque,
    Interaction,
    InteractionByInput,
    Loading,
    Torque,
    WorldForce,
    WorldForceAndTorque,
    WorldTorque,
)
from tellegen.library.multibody.interfaces import Frame, OneFrame, TwoFrames
from tellegen.library.multibody.joints import FreeMotion, Prismatic, Revolute, Spherical, Started
from tellegen.library.multibody.line_forces import (
    DampedLineForce,
    Damper,
    LineForce,
    LineForceWithFlanges,
    Spring,
    SpringDamperActuator,
    SpringDamperParallel,
    SpringDamperSeries,
)
from tellegen.library.multibody.parts import Body, BodyShape, FixedRotation, FixedTranslation, Massive, PointMass
from tellegen.library.multibody.rotors import Mounting1D, Rotor1D
from tellegen.library.multibody.sensors import (
    AbsoluteAcceleration,
    AbsoluteAngles,
    AbsoluteAngularAcceleration,
    AbsoluteAngularVelocity,
    AbsolutePosition,
    AbsoluteSensor,
    AbsoluteVelocity,
    Accelerometer,
    Distance,
    Gyroscope,
    RelativeAcceleration,
    RelativeAngles,
    RelativeAngularVelocity,
    RelativePosition,
    RelativeSensor,
    RelativeVelocity,
)
from tellegen.library.multibody.shapes import BodyBox, BodyCylinder, BodySphere, FixedShape, Prism
from tellegen.library.multibody.world import Fixed, World

__all__ = [
    "AbsoluteAcceleration",
    "AbsoluteAngles",
    "AbsoluteAngularAcceleration",
    "AbsoluteAngularVelocity",
    "AbsolutePosition",
    "AbsoluteSensor",
    "AbsoluteVelocity",
    "Accelerometer",
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "BodySphere",
    "BoxOnPlane",
    "Bushing",
    "CapsuleOnPlane",
    "Constraint",
    "CutForceAndTorque",
    "Cylindrical",
    "DampedLineForce",
    "Damper",
    "Distance",
    "Fixed",
    "FixedRotation",
    "FixedShape",
    "FixedTranslation",
    "Force",
    "ForceAndTorque",
    "Frame",
    "FreeMotion",
    "GearConstraint",
    "Gimbal",
    "Gyroscope",
    "Interaction",
    "InteractionByInput",
    "Latch",
    "LineForce",
    "LineForceWithFlanges",
    "Loading",
    "Massive",
    "Mounting1D",
    "OneFrame",
    "Planar",
    "PointMass",
    "PointsOnPlane",
    "Prism",
    "Prismatic",
    "PrismaticConstraint",
    "RelativeAcceleration",
    "RelativeAngles",
    "RelativeAngularVelocity",
    "RelativePosition",
    "RelativeSensor",
    "RelativeVelocity",
    "Revolute",
    "RevoluteConstraint",
    "RollingWheel",
    "RollingWheelSet",
    "Rotor1D",
    "Screw",
    "SphereOnPlane",
    "SphereOnSphere",
    "Spherical",
    "SphericalConstraint",
    "Spring",
    "SpringDamperActuator",
    "SpringDamperParallel",
    "SpringDamperSeries",
    "Started",
    "Torque",
    "Touching",
    "TwoFrames",
    "Universal",
    "UniversalConstraint",
    "World",
    "WorldForce",
    "WorldForceAndTorque",
    "WorldTorque",
]
