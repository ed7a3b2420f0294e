"""Mechanisms in space: bodies, joints and forces that are connected by frames.

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

from tellegen.library.multibody.cut_sensors import CutForceAndTorque as CutForceAndTorque
from tellegen.library.multibody.interfaces import Frame as Frame
from tellegen.library.multibody.interfaces import OneFrame as OneFrame
from tellegen.library.multibody.interfaces import TwoFrames as TwoFrames
from tellegen.library.multibody.joints import FreeMotion as FreeMotion
from tellegen.library.multibody.joints import Prismatic as Prismatic
from tellegen.library.multibody.joints import Revolute as Revolute
from tellegen.library.multibody.joints import Spherical as Spherical
from tellegen.library.multibody.parts import Body as Body
from tellegen.library.multibody.parts import BodyShape as BodyShape
from tellegen.library.multibody.parts import FixedTranslation as FixedTranslation
from tellegen.library.multibody.world import Fixed as Fixed
from tellegen.library.multibody.world import World as World

__all__: list[str] = []
