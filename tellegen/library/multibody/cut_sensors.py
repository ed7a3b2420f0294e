"""Sensors of the force and torque between two frames that are one: they cut the body there.

The force on the part beyond frame_b is what the sensor is given at frame_a, as for all flows: positive into the
component. Inside a loop that is closed rigidly it is not determined; the one of least effort is shown.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.frontends.python.components.frames import ARROW_OF_FRAME, WELD, arrow, joint
from tellegen.library.multibody.interfaces import Statements, TwoFrames
from tellegen.library.multibody.sweeps.links import WeldLink


class CutForceAndTorque(TwoFrames):
    """Force and torque at frame_a on the sensor, f_b = -f_a, so on what is connected to frame_b, in axes of frame_a."""

    force = tg.variable("N", "force at frame_a on the sensor", shape=3)
    torque = tg.variable("N.m", "torque at frame_a on the sensor", shape=3)

    def equations(self) -> Statements:
        parts = {"link": WeldLink(), "straight": WeldLink(rotated=False)}
        felt = {"cut_f": self.force, "cut_t": self.torque}
        yield joint(self.frame_a, self.frame_b, motion=WELD, parts=parts, **felt)
        yield arrow(self.frame_a, shape=ARROW_OF_FRAME, force=self.force)
