"""What planar components have in common: frames, their vectors, and what carries two of them.

A frame is a place on a rigid body: a point (x, y) and a direction, the angle phi by which its axes are turned against
those of the world. Through it act a force (fx, fy) and a torque t about the point. As in every domain they are positive
into the component: they are what the surroundings do to it, resolved in the directions of the world.

All laws follow from that and two sentences about a component: its balance of forces, and its balance of moments about
one point, in which a force f at the distance r from that point has the moment

    r x f = rx fy - ry fx        (counterclockwise is positive, as for phi and t)

In space the same names will have three entries and the cross product three components.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]
Vector = tuple[Any, Any]


class Frame(tg.Connector):
    """A place on a body: position and angle, with the force and the torque that act there on the component."""

    x = tg.across("m", "position to the right, in the world")
    y = tg.across("m", "position upwards, in the world")
    phi = tg.across("rad", "angle to the world, counterclockwise")
    fx = tg.through("N", "force on the component, x-direction of the world")
    fy = tg.through("N", "force on the component, y-direction of the world")
    t = tg.through("N.m", "torque on the component, counterclockwise")


class TwoFrames(tg.Component):
    """Two frames and nothing between them that has mass: the forces of the two cancel."""

    frame_a = Frame()
    frame_b = Frame()

    def equations(self) -> Statements:
        yield self.frame_a.fx + self.frame_b.fx == 0
        yield self.frame_a.fy + self.frame_b.fy == 0


def turned(vector: Any, phi: Any) -> Vector:
    """A vector of a frame that is turned by phi, in the directions of the world."""
    c = tg.cos(phi)
    s = tg.sin(phi)
    return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]


def moment(arm: Any, frame: Any) -> Any:
    """The moment r x f that the force at a frame has about a point, from which the arm r leads to the frame."""
    return arm[0] * frame.fy - arm[1] * frame.fx
