"""What several tests read of a frame."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import multibody as mb


class Probe(mb.OneFrame):
    """Everything that a frame knows of its motion."""

    r = tg.variable("m", shape=3)
    R = tg.variable(shape=(3, 3))
    v = tg.variable("m/s", shape=3)
    w = tg.variable("rad/s", shape=3)
    a = tg.variable("m/s2", shape=3)
    z = tg.variable("rad/s2", shape=3)

    def equations(self) -> Any:
        yield self.r == self.frame_a.r_0
        yield self.R == self.frame_a.R
        yield self.v == self.frame_a.v_0
        yield self.w == self.frame_a.w
        yield self.a == self.frame_a.a_0
        yield self.z == self.frame_a.z
