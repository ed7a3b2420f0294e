"""Frames: where components of a mechanism are connected.

A frame is a coordinate system on a rigid body. Connected frames are one: the same place and the same directions. A
force and a torque act through it; like all flows they are positive into the component, in axes of the frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Frame(tg.Connector):
    """A coordinate system on a body. Its quantities are computed where a component mentions them."""

    overdetermined = True

    r_0 = tg.across("m", "position, in the world", shape=3)
    R = tg.across("1", "orientation: the rows are the axes of the frame, in the world", shape=(3, 3))
    v_0 = tg.across("m/s", "velocity, in the world", shape=3)
    w = tg.across("rad/s", "angular velocity, in axes of the frame", shape=3)
    a_0 = tg.across("m/s2", "acceleration, in the world", shape=3)
    z = tg.across("rad/s2", "angular acceleration, in axes of the frame", shape=3)
    f = tg.through("N", "force on the component, in axes of the frame", shape=3)
    t = tg.through("N.m", "torque on the component, in axes of the frame", shape=3)


class OneFrame(tg.Component):
    """Base of what has one frame."""

    frame_a = Frame()


class TwoFrames(tg.Component):
    """Base of what stands between two frames."""

    frame_a = Frame()
    frame_b = Frame()
