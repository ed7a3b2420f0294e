"""A mechanism with forces of all kinds, for tests of its pictures."""

from __future__ import annotations

from functools import cache
from typing import Any

import tellegen as tg
from tellegen.library import multibody as mb

MASS, G = 2.0, 9.81


class Loaded(tg.Component):
    """A ball that rests on a plane; a bar on a hinge whose end a spring holds and a force in its own axes pushes."""

    world = mb.World(animation=False)
    ball = mb.Body(m=MASS, r_0_start=[1.0, 0.1 - MASS * G / 1e4, 0.0], color="tomato")
    floor = mb.SphereOnPlane(R=0.1, c=1e4)
    hinge = mb.Revolute(phi=tg.variable(start=0.5, fixed=True))
    bar = mb.BodyShape(r=[0.5, 0, 0], r_CM=[0.25, 0, 0])
    top = mb.Fixed(r=[0.0, 1.0, 0.0])
    root = mb.FixedTranslation(r=[0.0, 0.5, 0.0])
    angle = tg.variable("rad", "of the bar")
    spring = mb.Spring(c=30.0, s_unstretched=0.2)
    push = mb.WorldForceAndTorque(resolve_in="frame_b")
    axes = mb.FixedFrame(length=0.3)
    shown = mb.SignalArrow(quantity="torque", resolve_in="frame_a")

    def equations(self) -> Any:
        yield self.angle == self.hinge.phi
        yield self.push.force == [0.0, 3.0, 0.0]
        yield self.push.torque == [0.0, 0.0, 0.25]
        yield self.shown.r_head == [0.5, 0.0, 0.0]

    def connections(self) -> Any:
        yield self.world.frame_b, self.floor.frame_a, self.hinge.frame_a, self.root.frame_a
        yield self.floor.frame_b, self.ball.frame_a
        yield self.hinge.frame_b, self.bar.frame_a
        yield self.bar.frame_b, self.spring.frame_a, self.push.frame_b, self.axes.frame_a, self.shown.frame_a
        yield self.top.frame_b, self.spring.frame_b


@cache
def loaded_run() -> tg.Solution:
    """One second of it."""
    return tg.simulate(Loaded(), stop=1.0, points=101)
