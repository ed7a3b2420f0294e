"""Power balance of spatial components. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import multibody as mb
from tellegen.testing.ports import SpatialDrive

BASE = "a base without a law of its own; the components made of it have cases"
PART = "bodies and joints say what they are; energy of mechanisms: tests/library/multibody/test_conservation.py"
SENSOR = "it reads its frames and names no force there, so none acts: tests/library/multibody/test_sensors.py"
FORCE = "balance of each of them, all in one rig, which compiles once: tests/library/multibody/test_power.py"
ROTOR = "its flanges turn against the body: balance with their mounting in tests/library/multibody/test_drives.py"
LINE = "energy of two bodies with masses on their line: tests/library/multibody/test_line_masses.py"
ROD = "a pendulum on a rod of such a mass, by its own equation: tests/library/multibody/test_rods.py"


def world() -> dict[str, Any]:
    return {"world": mb.World(g=0.7, n=[1.0, -2.0, 0.5])}


def apart(*r: float, **how: Any) -> SpatialDrive:
    return SpatialDrive(f=1.37, phase=1.6, r_start=list(r), **how)


def stretched(c: Any) -> Any:
    return 0.5 * c.c * (c.s - c.s_unstretched) ** 2


def pressed(c: Any) -> Any:
    return 0.5 * c.c * tg.maximum(c.p[0], 0.0) ** 2


CASES = [
    Case(
        mb.SpringDamperParallel(c=3.0, d=0.5, s_unstretched=0.4),
        drive={"frame_b": apart(0.5, 0.9, 0.4)},
        around=world(),
        stored=stretched,
    ),
    Case(
        mb.SphereOnPlane(R=0.2, c=300.0, d=0.4, mu=0.3),
        drive={
            "frame_a": SpatialDrive(F=0.3, tau=0.05, angles_start=[0.0, 0.0, 0.0]),
            "frame_b": apart(0.0, 0.4, 0.0, F=0.3, tau=0.05, v_start=[0.1, -1.0, 0.05]),
        },
        around=world(),
        stored=pressed,
    ),
]

EXEMPT = (
    dict.fromkeys(
        (
            mb.OneFrame,
            mb.TwoFrames,
            mb.LineForce,
            mb.DampedLineForce,
            mb.Loading,
            mb.Interaction,
            mb.InteractionByInput,
            mb.Touching,
            mb.PointsOnPlane,
            mb.Constraint,
            mb.Massive,
            mb.Prism,
            mb.Started,
            mb.AbsoluteSensor,
            mb.RelativeSensor,
            mb.CutSensor,
            mb.CutVector,
        ),
        BASE,
    )
    | dict.fromkeys(
        (
            mb.GearConstraint,
            mb.Latch,
            mb.PrismaticConstraint,
            mb.RollingWheel,
            mb.RollingWheelSet,
            mb.RevoluteConstraint,
            mb.SphericalConstraint,
            mb.UniversalConstraint,
            mb.World,
            mb.Fixed,
            mb.FixedTranslation,
            mb.FixedRotation,
            mb.FixedShape,
            mb.FixedFrame,
            mb.SignalArrow,
            mb.Body,
            mb.BodyShape,
            mb.BodyBox,
            mb.BodyCylinder,
            mb.BodySphere,
            mb.PointMass,
            mb.Revolute,
            mb.Prismatic,
            mb.Spherical,
            mb.FreeMotion,
            mb.Cylindrical,
            mb.Universal,
            mb.Gimbal,
            mb.Planar,
            mb.Screw,
            mb.Rod,
            mb.SphericalSpherical,
            mb.UniversalSpherical,
        ),
        PART,
    )
    | dict.fromkeys(
        (
            mb.AbsolutePosition,
            mb.AbsoluteVelocity,
            mb.AbsoluteAcceleration,
            mb.AbsoluteAngularVelocity,
            mb.AbsoluteAngularAcceleration,
            mb.AbsoluteAngles,
            mb.RelativePosition,
            mb.RelativeVelocity,
            mb.RelativeAcceleration,
            mb.RelativeAngularVelocity,
            mb.RelativeAngularAcceleration,
            mb.TransformAbsoluteVector,
            mb.TransformRelativeVector,
            mb.CutForce,
            mb.CutTorque,
            mb.Power,
            mb.RelativeAngles,
            mb.Distance,
            mb.Accelerometer,
            mb.Gyroscope,
            mb.CutForceAndTorque,
        ),
        SENSOR,
    )
    | dict.fromkeys(
        (
            mb.Spring,
            mb.Damper,
            mb.SpringDamperSeries,
            mb.SpringDamperActuator,
            mb.LineForceWithFlanges,
            mb.Bushing,
            mb.WorldForce,
            mb.WorldTorque,
            mb.WorldForceAndTorque,
            mb.Force,
            mb.Torque,
            mb.ForceAndTorque,
            mb.CapsuleOnPlane,
            mb.BoxOnPlane,
            mb.SphereOnSphere,
        ),
        FORCE,
    )
    | dict.fromkeys((mb.Rotor1D, mb.Mounting1D, mb.BevelGear1D), ROTOR)
    | dict.fromkeys((mb.LineForceWithMass, mb.LineForceWithTwoMasses), LINE)
    | {mb.MassBetween: ROD}
)
