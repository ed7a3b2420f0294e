"""Sensors of the force, the torque and the power between two frames that are one: they cut the body there.

The force on the part beyond frame_b is what the sensor is given at frame_a, as for all flows: positive into the
component. Inside a loop that is closed rigidly it is not determined; the one of least effort is shown.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.frontends.python.components.frames import ARROW_OF_FRAME, WELD, arrow, joint
from tellegen.library.multibody.interfaces import Statements, TwoFrames
from tellegen.library.multibody.sweeps.links import WeldLink


class CutSensor(TwoFrames):
    """Base of sensors that cut a body: what acts at frame_a on the sensor, in axes of frame_a."""

    f_a = tg.variable("N", "force at frame_a on the sensor, in axes of frame_a", shape=3)
    t_a = tg.variable("N.m", "torque at frame_a on the sensor, in axes of frame_a", shape=3)

    def equations(self) -> Statements:
        parts = {"link": WeldLink(), "straight": WeldLink(rotated=False)}
        felt = {"cut_f": self.f_a, "cut_t": self.t_a}
        yield joint(self.frame_a, self.frame_b, motion=WELD, parts=parts, **felt)
        yield arrow(self.frame_a, shape=ARROW_OF_FRAME, force=self.f_a)


class CutVector(CutSensor):
    """Base of those that show vectors, in axes that `resolve_in` names."""

    resolve_in = tg.parameter(
        "frame_a", structural=True, description="axes of the output: world or frame_a", choices=("world", "frame_a")
    )

    def shown(self, vector: Any) -> Any:
        """A vector of frame_a in the axes of the output."""
        return vector if self.resolve_in == "frame_a" else self.frame_a.R.T @ vector


class CutForce(CutVector):
    """Force at frame_a on the sensor, f_b = -f_a, so on what is connected to frame_b."""

    force = tg.output("N", "force at frame_a on the sensor", shape=3)

    def equations(self) -> Statements:
        yield self.force == self.shown(self.f_a)


class CutTorque(CutVector):
    """Torque at frame_a on the sensor, t_b = -t_a, so on what is connected to frame_b."""

    torque = tg.output("N.m", "torque at frame_a on the sensor", shape=3)

    def equations(self) -> Statements:
        yield self.torque == self.shown(self.t_a)


class CutForceAndTorque(CutVector):
    """Force and torque at frame_a on the sensor, f_b = -f_a, so on what is connected to frame_b."""

    force = tg.output("N", "force at frame_a on the sensor", shape=3)
    torque = tg.output("N.m", "torque at frame_a on the sensor", shape=3)

    def equations(self) -> Statements:
        yield self.force == self.shown(self.f_a)
        yield self.torque == self.shown(self.t_a)


class Power(CutSensor):
    """Power that flows from frame_a to frame_b: power = f.v + t.w."""

    power = tg.output("W", "power into what is connected to frame_b")

    def equations(self) -> Statements:
        frame = self.frame_a
        yield self.power == self.f_a @ (frame.R @ frame.v_0) + self.t_a @ frame.w
