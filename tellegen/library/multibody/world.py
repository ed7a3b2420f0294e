"""The inertial system and what is fixed in it."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.components.frames import fixed, visual, world
from tellegen.library.multibody.interfaces import Frame, Statements
from tellegen.library.multibody.sweeps.columns import FreeColumn, PointColumn
from tellegen.library.multibody.sweeps.loose_links import FreeLink, PointLink
from tellegen.library.multibody.sweeps.lump import Both, Ground
from tellegen.library.multibody.sweeps.poses import Arm, ArmBack, MassAt, Masses, Meeting, StartBack
from tellegen.library.multibody.sweeps.readings import AccelerationReading, PoseReading, VelocityReading, Wrench
from tellegen.library.multibody.sweeps.weights import PointWeight, towards_origin


class World(tg.Component):
    """The inertial system, r_0 = 0 and R = 1, with its gravity.

    `gravity="uniform"`: bodies fall with the acceleration g along n.
    `gravity="point"`: a body at r is drawn to the origin with m mu/|r|^2, all of it at its centre of mass, so that
    gravity turns no body; mu is that of the earth unless given.
    `gravity="none"`: bodies do not fall.

    g is 9.81 m/s2 unless given, as in robot descriptions and textbooks, whose results can so be compared digit by
    digit; the world of the Modelica library has the standard gravity 9.80665, as fluids and vehicles have here.
    """

    gravity = tg.parameter(
        "uniform",
        structural=True,
        description="uniform (g, n), point (mu) or none",
        choices=("uniform", "point", "none"),
    )
    frame_b = Frame("the origin of the world")
    animation = tg.parameter(True, structural=True, description="its axes are drawn in pictures and animations")
    g = tg.parameter(9.81, "m/s2", "acceleration of uniform gravity")
    n = tg.parameter([0.0, -1.0, 0.0], "1", "direction of uniform gravity; only the direction counts")
    mu = tg.parameter(3.986004418e14, "m3/s2", "gravitational constant times the mass at the origin, of point gravity")
    g_0 = tg.parameter(lambda self: self.falling(), "m/s2", "acceleration of uniform gravity as a vector", shape=3)

    def falling(self) -> Any:
        """The acceleration of a body that falls anywhere; none where gravity is not uniform."""
        return self.g * self.n / tg.sqrt(self.n @ self.n) if self.gravity == "uniform" else [0.0, 0.0, 0.0]

    def gravity_at(self, r: Any) -> Any:
        """The acceleration of a body that falls at r, both in the world."""
        return towards_origin(self.mu, r) if self.gravity == "point" else self.g_0

    def equations(self) -> Statements:
        parts = {
            "free": FreeLink(),
            "free_column": FreeColumn(),
            "point": PointLink(),
            "point_column": PointColumn(),
            "ground": Ground(),
            "both": Both(),
            "arm": Arm(),
            "arm_back": ArmBack(),
            "start_back": StartBack(),
            "mass": MassAt(),
            "masses": Masses(),
            "meeting": Meeting(),
            "pose": PoseReading(),
            "velocity": VelocityReading(),
            "acceleration": AccelerationReading(),
            "wrench": Wrench(),
        }
        if self.gravity == "point":
            parts["weight"] = PointWeight()
        if self.animation:
            yield visual(self.frame_b, shape="axes")
        yield world(self.frame_b, g=self.g_0, mu=self.mu, parts=parts)


class Fixed(tg.Component):
    """A frame that is fixed in the world: r_0 = r, R = T; with the axes of the world by default."""

    frame_b = Frame()
    r = tg.parameter([0.0, 0.0, 0.0], "m", "position in the world")
    T = tg.parameter([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "1", "the rows are the axes in the world")

    def equations(self) -> Statements:
        yield fixed(self.frame_b, r=self.r, T=self.T)
