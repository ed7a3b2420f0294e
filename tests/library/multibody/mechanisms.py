"""Mechanisms that several tests look at."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot

DOWN = [0.0, 0.0, -1.0]


def started(value: Any) -> Any:
    """A variable that starts there."""
    return tg.variable(start=value, fixed=True)


def chain(count: int, q0: Any = 0.0, v0: Any = 0.0) -> tg.Component:
    """Rods of 0.5 m with alternating axes, hung up one on the other; gravity along -z (tables 04 and 05)."""
    axes = np.where(np.arange(count)[:, None] % 2 == 0, [0.0, 1.0, 0.0], [0.0, 0.6, 0.8])
    rod = {"r": [0.5, 0.0, 0.0], "r_CM": [0.25, 0.0, 0.0], "m": 1.0, "I_11": 0.001, "I_22": 0.02, "I_33": 0.02}

    class Chain(tg.Component):
        world = mb.World(n=DOWN)
        joints = mb.Revolute.array(count, n=axes, phi=started(q0), w=started(v0))
        rods = mb.BodyShape.array(count, **rod)

        def connections(self) -> Any:
            yield self.world.frame_b, self.joints[0].frame_a
            yield self.joints.frame_b, self.rods.frame_a
            yield self.rods[:-1].frame_b, self.joints[1:].frame_a

    return Chain()


class Pendulum(tg.Component):
    """A point mass of 1 kg on a massless bar of 1 m; at rest at (-1, 0) at the start (IFToMM A01, table 01)."""

    world = mb.World()
    hinge = mb.Revolute(phi=started(0.0), w=started(0.0))
    bar = mb.FixedTranslation(r=[-1.0, 0.0, 0.0])
    mass = mb.PointMass(m=1.0)
    point = mb.AbsolutePosition()

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.bar.frame_a
        yield self.bar.frame_b, self.mass.frame_a, self.point.frame_a


class Governor(tg.Component):
    """The stiff flyball governor IFToMM A05 (table 08): two stiff spring-dampers hold the slider on its shaft."""

    strut = {"c": 8e5, "d": 4e4, "s_unstretched": 0.5}
    rod = {"r": [1.0, 0.0, 0.0], "width": 0.01, "density": 3000.0}

    world = mb.World(n=DOWN)
    shaft = mb.Revolute(phi=started(0.0), w=started(2 * np.pi))
    spindle = mb.BodyBox(r=[0.0, 0.0, 1.0], width_direction=[0.0, 1.0, 0.0], width=0.01, density=3000.0)
    slide = mb.Prismatic(n=[0.0, 0.0, 1.0], s=started(0.5), v=started(0.0))
    slider = mb.BodyBox(r=[0.1, 0.0, 0.0], r_shape=[-0.05, 0.0, 0.0], length=0.1, width=0.1, density=3000.0)
    to_right = mb.FixedTranslation(r=[0.05, 0.0, 0.0])
    to_left = mb.FixedRotation(r=[-0.05, 0.0, 0.0], n=[0.0, 0.0, 1.0], angle="180 deg")
    joints = mb.Revolute.array(2, n=[0.0, 1.0, 0.0], phi=started("30 deg"), w=started(0.0))
    rods = mb.BodyBox.array(2, **rod)
    balls = mb.PointMass.array(2, m=5.0)
    middles = mb.FixedTranslation.array(2, r=[0.5, 0.0, 0.0])
    ends = mb.FixedTranslation.array(2, r=[[0.05, 0.0, 0.0], [-0.05, 0.0, 0.0]])
    struts = mb.SpringDamperParallel.array(2, **strut)

    def connections(self) -> Any:
        yield self.world.frame_b, self.shaft.frame_a
        yield self.shaft.frame_b, self.spindle.frame_a, self.slide.frame_a
        yield self.slide.frame_b, self.slider.frame_a, self.ends[0].frame_a, self.ends[1].frame_a
        yield self.spindle.frame_b, self.to_right.frame_a, self.to_left.frame_a
        yield self.to_right.frame_b, self.joints[0].frame_a
        yield self.to_left.frame_b, self.joints[1].frame_a
        yield self.joints.frame_b, self.rods.frame_a, self.middles.frame_a
        yield self.rods.frame_b, self.balls.frame_a
        yield self.ends.frame_b, self.struts.frame_a
        yield self.middles.frame_b, self.struts.frame_b


class Furuta(tg.Component):
    """A pendulum on a turning arm, with dampers and a torque of the rotational library (table 10)."""

    world = mb.World(n=DOWN)
    column = mb.Revolute(use_flange=True, phi=started(0.0), w=started(0.0))
    arm = mb.BodyShape(r=[0.3, 0, 0], r_CM=[0.15, 0, 0], m=0.2, I_11=1e-5, I_22=0.0015, I_33=0.0015)
    hinge = mb.Revolute(n=[1.0, 0.0, 0.0], use_flange=True, phi=started(2.5), w=started(0.0))
    pendulum = mb.Body(r_CM=[0, 0, -0.2], m=0.1, I_11=0.00134, I_22=0.00134, I_33=1e-5)
    drag = rot.Damper(d=1e-3)
    drag_of_hinge = rot.Damper(d=5e-4)
    motor = rot.Torque()

    def connections(self) -> Any:
        yield self.world.frame_b, self.column.frame_a
        yield self.column.frame_b, self.arm.frame_a
        yield self.arm.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.pendulum.frame_a
        yield self.column.axis, self.drag.flange_b, self.motor.flange
        yield self.column.support, self.drag.flange_a
        yield self.hinge.axis, self.drag_of_hinge.flange_b
        yield self.hinge.support, self.drag_of_hinge.flange_a

    def equations(self) -> Any:
        yield self.motor.tau == 0.05 * tg.sin(3.0 * tg.time)


class Seeker(tg.Component):
    """Ring (yaw, z) and optics (pitch, y) with a common centre of mass, along a prescribed trajectory (table 13)."""

    world = mb.World()
    yaw = mb.Revolute(use_flange=True)
    ring = mb.Body(m=0.35, I_11=0.0009, I_22=0.0011, I_33=0.0018)
    pitch = mb.Revolute(n=[0.0, 1.0, 0.0], use_flange=True)
    optics = mb.Body(m=0.33, I_11=0.0007, I_22=0.0012, I_33=0.0008)
    turn_yaw = rot.Position(exact=True)
    turn_pitch = rot.Position(exact=True)

    def connections(self) -> Any:
        yield self.world.frame_b, self.yaw.frame_a
        yield self.yaw.frame_b, self.ring.frame_a, self.pitch.frame_a
        yield self.pitch.frame_b, self.optics.frame_a
        yield self.turn_yaw.flange, self.yaw.axis
        yield self.turn_pitch.flange, self.pitch.axis

    def equations(self) -> Any:
        yield self.turn_yaw.phi_ref == tg.cos(4 * np.pi * tg.time)
        yield self.turn_pitch.phi_ref == tg.sin(4 * np.pi * tg.time)
