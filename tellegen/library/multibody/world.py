"""The inertial system and what is fixed in it."""

from __future__ import annotations

import tellegen as tg
from tellegen.frontends.python.components.frames import fixed, visual, world
from tellegen.library.multibody.interfaces import Frame, Statements
from tellegen.library.multibody.sweeps.columns import FreeColumn
from tellegen.library.multibody.sweeps.loose_links import FreeLink
from tellegen.library.multibody.sweeps.lump import Both, Ground
from tellegen.library.multibody.sweeps.poses import Arm, ArmBack, MassAt, Masses, Meeting, StartBack
from tellegen.library.multibody.sweeps.readings import AccelerationReading, PoseReading, VelocityReading, Wrench


class World(tg.Component):
    """The inertial system: r_0 = 0 does not move, and bodies fall with the acceleration g along n."""

    frame_b = Frame("the origin of the world")
    g = tg.parameter(9.81, "m/s2", "acceleration of gravity")
    n = tg.parameter([0.0, -1.0, 0.0], "1", "direction of gravity; only the direction counts")
    g_0 = tg.parameter(g * n / tg.sqrt(n @ n), "m/s2", "acceleration of gravity as a vector", shape=3)

    def equations(self) -> Statements:
        parts = {
            "free": FreeLink(),
            "free_column": FreeColumn(),
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
        yield visual(self.frame_b, shape="axes")
        yield world(self.frame_b, g=self.g_0, parts=parts)


class Fixed(tg.Component):
    """A frame that is fixed in the world: r_0 = r, R = T; with the axes of the world by default."""

    frame_b = Frame()
    r = tg.parameter([0.0, 0.0, 0.0], "m", "position in the world")
    T = tg.parameter([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "1", "the rows are the axes in the world")

    def equations(self) -> Statements:
        yield fixed(self.frame_b, r=self.r, T=self.T)
