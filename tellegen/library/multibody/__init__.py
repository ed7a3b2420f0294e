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

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.multibody.composite_joints import (
    Cylindrical,
    GearConstraint,
    Gimbal,
    Planar,
    RollingWheelSet,
    Screw,
    SphericalSpherical,
    Universal,
    UniversalSpherical,
)
from tellegen.library.multibody.constraints import (
    Constraint,
    Latch,
    PrismaticConstraint,
    RevoluteConstraint,
    Rod,
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
from tellegen.library.multibody.cut_sensors import CutForce, CutForceAndTorque, CutSensor, CutTorque, CutVector, Power
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
    LineForceWithMass,
    LineForceWithTwoMasses,
    MassBetween,
    Spring,
    SpringDamperActuator,
    SpringDamperParallel,
    SpringDamperSeries,
)
from tellegen.library.multibody.parts import Body, BodyShape, FixedRotation, FixedTranslation, Massive, PointMass
from tellegen.library.multibody.rotors import BevelGear1D, Mounting1D, Rotor1D
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
    RelativeAngularAcceleration,
    RelativeAngularVelocity,
    RelativePosition,
    RelativeSensor,
    RelativeVelocity,
    TransformAbsoluteVector,
    TransformRelativeVector,
)
from tellegen.library.multibody.shapes import (
    BodyBox,
    BodyCylinder,
    BodySphere,
    FixedFrame,
    FixedShape,
    Prism,
    SignalArrow,
)
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
    "BevelGear1D",
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "BodySphere",
    "BoxOnPlane",
    "Bushing",
    "CapsuleOnPlane",
    "Constraint",
    "CutForce",
    "CutForceAndTorque",
    "CutSensor",
    "CutTorque",
    "CutVector",
    "Cylindrical",
    "DampedLineForce",
    "Damper",
    "Distance",
    "Fixed",
    "FixedFrame",
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
    "LineForceWithMass",
    "LineForceWithTwoMasses",
    "Loading",
    "MassBetween",
    "Massive",
    "Mounting1D",
    "OneFrame",
    "Planar",
    "PointMass",
    "PointsOnPlane",
    "Power",
    "Prism",
    "Prismatic",
    "PrismaticConstraint",
    "RelativeAcceleration",
    "RelativeAngles",
    "RelativeAngularAcceleration",
    "RelativeAngularVelocity",
    "RelativePosition",
    "RelativeSensor",
    "RelativeVelocity",
    "Revolute",
    "RevoluteConstraint",
    "Rod",
    "RollingWheel",
    "RollingWheelSet",
    "Rotor1D",
    "Screw",
    "SignalArrow",
    "SphereOnPlane",
    "SphereOnSphere",
    "Spherical",
    "SphericalConstraint",
    "SphericalSpherical",
    "Spring",
    "SpringDamperActuator",
    "SpringDamperParallel",
    "SpringDamperSeries",
    "Started",
    "Torque",
    "Touching",
    "TransformAbsoluteVector",
    "TransformRelativeVector",
    "TwoFrames",
    "Universal",
    "UniversalConstraint",
    "UniversalSpherical",
    "World",
    "WorldForce",
    "WorldForceAndTorque",
    "WorldTorque",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
