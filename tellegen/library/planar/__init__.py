"""Mechanisms in a plane: frames with position x, y and angle phi, cut force fx, fy and torque t into the component.

For example a pendulum, whose hinge may be driven by whatever has a flange:

    import tellegen as tg
    from tellegen.library import planar
    from tellegen.library import rotational as rot

    class Pendulum(tg.Component):
        world = planar.PlanarWorld()
        ceiling = planar.Fixed()
        hinge = planar.Revolute(use_flange=True, phi=tg.variable(start=-0.5, fixed=True))
        rod = planar.BodyShape(r_ab=[1.0, 0.0], m=2.0, I=2.0 / 12)
        grease = rot.Damper(d=0.3)

        def connections(self):
            yield self.ceiling.frame, self.hinge.frame_a
            yield self.hinge.frame_b, self.rod.frame_a
            yield self.hinge.flange_a, self.grease.flange_b
            yield self.hinge.support, self.grease.flange_a

    tg.simulate(Pendulum(), stop=10.0).plot("hinge.phi", "rod.r")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.python.components.unknown_parts import unknown_part
from tellegen.library.planar.forces import (
    Damper,
    Force,
    LineForce,
    LineForceWithFlanges,
    Spring,
    SpringDamper,
    Torque,
    WorldForce,
    WorldTorque,
)
from tellegen.library.planar.ground import GroundContact, OnLine, RollingWheel
from tellegen.library.planar.interfaces import Frame, TwoFrames
from tellegen.library.planar.joints import Prismatic, Revolute
from tellegen.library.planar.parts import (
    Body,
    BodyShape,
    Fixed,
    FixedRotation,
    FixedTranslation,
    Moving,
    PlanarWorld,
)
from tellegen.library.planar.sensors import (
    AbsoluteAcceleration,
    AbsolutePosition,
    AbsoluteVelocity,
    CutForce,
    Measuring,
    RelativePosition,
)
from tellegen.library.planar.wheels import DryFrictionWheelJoint, IdealWheelJoint, WheelJoint

__all__ = [
    "AbsoluteAcceleration",
    "AbsolutePosition",
    "AbsoluteVelocity",
    "Body",
    "BodyShape",
    "CutForce",
    "Damper",
    "DryFrictionWheelJoint",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "Force",
    "Frame",
    "GroundContact",
    "IdealWheelJoint",
    "LineForce",
    "LineForceWithFlanges",
    "Measuring",
    "Moving",
    "OnLine",
    "PlanarWorld",
    "Prismatic",
    "RelativePosition",
    "Revolute",
    "RollingWheel",
    "Spring",
    "SpringDamper",
    "Torque",
    "TwoFrames",
    "WheelJoint",
    "WorldForce",
    "WorldTorque",
]

if not TYPE_CHECKING:
    __getattr__ = unknown_part(__name__)
