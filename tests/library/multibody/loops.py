"""Mechanisms with closed loops, with ball joints and without any joint, for the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational


class Tumbling(tg.Component):
    """A free body that turns about its middle axis, which it does not keep (Dzhanibekov)."""

    world = mb.World(g=0.0)
    body = mb.Body(m=1.0, I_11=1.0, I_22=2.0, I_33=3.0, w_0_start=[0.01, 1.0, 0.01])
    rate = mb.AbsoluteAngularVelocity(resolve_in="frame_a")

    def connections(self) -> Any:
        yield self.body.frame_a, self.rate.frame_a


class Top(tg.Component):
    """A heavy top on a ball joint."""

    world = mb.World(n=[0, 0, -1])
    ball = mb.Spherical(w_rel_a_start=[0.0, 150.0, -4.61538])
    body = mb.BodyShape(m=15.0, r=[0, 1, 0], r_CM=[0, 1, 0], I_11=0.234375, I_22=0.46875, I_33=0.234375)
    tip = mb.AbsolutePosition()

    def connections(self) -> Any:
        yield self.world.frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.body.frame_a
        yield self.body.frame_b, self.tip.frame_a


def bar(length: float) -> mb.BodyShape:
    """A slender bar of 1 kg along z."""
    across = length**2 / 12
    return mb.BodyShape(r=[0, 0, length], r_CM=[0, 0, length / 2], m=1.0, I_11=across, I_22=across, I_33=1e-4)


class FourBar(tg.Component):
    """A planar four-bar of hinges in space: of the five closures of its loop two are independent."""

    world = mb.World(n=[0, 0, -1])
    j1 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=8.0, fixed=True))
    j2 = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=0.8))
    j3 = mb.Revolute(n=[0, 1, 0])
    j4 = mb.Revolute(n=[0, 1, 0])
    crank = bar(0.3)
    coupler = bar(1.0)
    rocker = bar(0.7)
    base = mb.FixedTranslation(r=[1, 0, 0])

    def connections(self) -> Any:
        yield self.world.frame_b, self.j1.frame_a, self.base.frame_a
        yield self.j1.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.j2.frame_a
        yield self.j2.frame_b, self.coupler.frame_a
        yield self.base.frame_b, self.j3.frame_a
        yield self.j3.frame_b, self.rocker.frame_a
        yield self.coupler.frame_b, self.j4.frame_a
        yield self.j4.frame_b, self.rocker.frame_b


class DampedFourBar(FourBar):
    """It swings until it hangs still."""

    j1 = mb.Revolute(
        n=[0, 1, 0], use_flange=True, phi=tg.variable(start=0.3, fixed=True), w=tg.variable(start=0.0, fixed=True)
    )
    damper = rotational.Damper(d=0.5)

    def connections(self) -> Any:
        yield self.j1.axis, self.damper.flange_a
        yield self.j1.support, self.damper.flange_b


class Truss(tg.Component):
    """Two bars on two hinges: a triangle that cannot move, and carries its weight."""

    world = mb.World(n=[0, 0, -1])
    base = mb.FixedTranslation(r=[1, 0, 0])
    left = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=0.5))
    right = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=-0.5))
    top = mb.Revolute(n=[0, 1, 0], phi=tg.variable(start=-1.0))
    left_bar = bar(1.0)
    right_bar = bar(1.0)

    def connections(self) -> Any:
        yield self.world.frame_b, self.left.frame_a, self.base.frame_a
        yield self.left.frame_b, self.left_bar.frame_a
        yield self.left_bar.frame_b, self.top.frame_a
        yield self.top.frame_b, self.right_bar.frame_b
        yield self.base.frame_b, self.right.frame_a
        yield self.right.frame_b, self.right_bar.frame_a


def thick_bar(direction: list[float]) -> mb.BodyShape:
    """A bar of 1 m and 1 kg with a square section of 0.1 m."""
    inertia = [0.0841666666667] * 3
    inertia[int(np.argmax(np.abs(direction)))] = 0.00166666666667
    r = np.array(direction, float)
    return mb.BodyShape(r=r, r_CM=r / 2, m=1.0, I_11=inertia[0], I_22=inertia[1], I_33=inertia[2])


class Bricard(tg.Component):
    """Six hinges in a loop that should not move and does: four of its five closures are independent, for good."""

    world = mb.World(n=[0, -1, 0])
    j1 = mb.Revolute(n=[0, 1, 0])
    b1 = thick_bar([1, 0, 0])
    j2 = mb.Revolute(n=[0, 0, 1])
    b2 = thick_bar([0, -1, 0])
    j3 = mb.Revolute(n=[1, 0, 0])
    b3 = thick_bar([0, 0, 1])
    cut = mb.CutForceAndTorque()
    j4 = mb.Revolute(n=[0, 1, 0])
    b4 = thick_bar([-1, 0, 0])
    j5 = mb.Revolute(n=[0, 0, 1])
    b5 = thick_bar([0, 1, 0])
    j6 = mb.Revolute(n=[1, 0, 0])
    base = mb.FixedTranslation(r=[0, 0, 1])
    corner = mb.AbsolutePosition()

    def connections(self) -> Any:
        yield self.world.frame_b, self.j1.frame_a, self.base.frame_a
        yield self.b3.frame_b, self.cut.frame_a
        for k in range(1, 6):
            before = self.cut if k == 3 else getattr(self, f"b{k}")
            yield getattr(self, f"j{k}").frame_b, getattr(self, f"b{k}").frame_a
            yield before.frame_b, getattr(self, f"j{k + 1}").frame_a
        yield self.j6.frame_b, self.base.frame_b
        yield self.b2.frame_b, self.corner.frame_a


def windows(count: int) -> tg.Component:
    """A row of parallelograms; every time all bars are in line it has more than one freedom for an instant."""

    class Windows(tg.Component):
        world = mb.World(n=[0, -1, 0])
        base = mb.FixedTranslation.array(count + 1, r=[[k, 0, 0] for k in range(count + 1)])
        foot = mb.Revolute.array(count + 1, n=[0, 0, 1], w=tg.variable(start=-1.0))
        post = mb.BodyShape.array(count + 1, r=[0, 1, 0], r_CM=[0, 0.5, 0], I_11=1 / 12, I_22=1e-6, I_33=1 / 12)
        left = mb.Revolute.array(count, n=[0, 0, 1], w=tg.variable(start=1.0))
        right = mb.Revolute.array(count, n=[0, 0, 1], w=tg.variable(start=-1.0))
        beam = mb.BodyShape.array(count, r=[1, 0, 0], r_CM=[0.5, 0, 0], I_11=1e-6, I_22=1 / 12, I_33=1 / 12)

        def connections(self) -> Any:
            for k in range(count + 1):
                yield self.world.frame_b, self.base[k].frame_a
            yield self.base.frame_b, self.foot.frame_a
            yield self.foot.frame_b, self.post.frame_a
            yield self.post[:-1].frame_b, self.left.frame_a
            yield self.left.frame_b, self.beam.frame_a
            yield self.beam.frame_b, self.right.frame_a
            yield self.right.frame_b, self.post[1:].frame_b

    return Windows()


class SliderCrank(tg.Component):
    """A slider-crank in space: a hinge, a ball joint, a universal joint and a slide."""

    world = mb.World(n=[0, 0, -1])
    pedestal = mb.FixedTranslation(r=[0, 0.1, 0.12])
    hinge = mb.Revolute(n=[1, 0, 0], phi=tg.variable(start=0.0, fixed=True), w=tg.variable(start=6.0, fixed=True))
    crank = mb.BodyShape(r=[0, 0, 0.08], r_CM=[0, 0, 0.04], m=0.12, I_11=1e-4, I_22=1e-4, I_33=1e-5)
    ball = mb.Spherical()
    rod = mb.BodyShape(r=[-0.3, 0, 0], r_CM=[-0.15, 0, 0], m=0.5, I_11=4e-4, I_22=4e-3, I_33=4e-3)
    swivel = mb.Revolute(n=[1, 0, 0])
    tilt = mb.Revolute(n=[0, 1, 0])
    slide = mb.Prismatic(n=[1, 0, 0], s=tg.variable(start=0.2))
    slider = mb.Body(m=2.0)

    def connections(self) -> Any:
        yield self.world.frame_b, self.pedestal.frame_a, self.slide.frame_a
        yield self.pedestal.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.ball.frame_a
        yield self.slide.frame_b, self.slider.frame_a, self.swivel.frame_a
        yield self.swivel.frame_b, self.tilt.frame_a
        yield self.tilt.frame_b, self.rod.frame_a
        yield self.rod.frame_b, self.ball.frame_b
