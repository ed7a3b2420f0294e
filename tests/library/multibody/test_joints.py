"""Joints against closed solutions and against each other, and mechanisms that are turned and moved as a whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb

RUN: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11, "points": 21}
BODY: dict[str, Any] = {"m": 1.5, "r_CM": [0.2, 0.1, -0.1], "I_11": 0.02, "I_22": 0.03, "I_33": 0.04}


class Joints(tg.Component):
    """One body by each kind of joint, side by side."""

    world = mb.World(g=9.81)
    up = mb.Cylindrical(n=[0.0, 1.0, 0.0], v=started(0.4), w=started(2.0))
    spool = mb.Body(m=0.7, I_11=0.02, I_22=0.03, I_33=0.02)
    table = mb.Planar(s_x=started(0.2), v_x=started(1.0), s_y=started(0.1), v_y=started(3.0), w=started(4.0))
    disk = mb.Body(m=0.7, I_11=0.02, I_22=0.02, I_33=0.03)
    thread = mb.Screw(n=[0.0, 1.0, 0.0], pitch=0.4)
    nut = mb.Body(m=0.7, I_11=0.02, I_22=0.03, I_33=0.02)
    gimbal = mb.Gimbal(angles=started([0.3, -0.2, 0.5]), w=started([0.5, 0.4, -0.3]))
    on_gimbal = mb.BodyShape(r=[0.5, 0.2, 0.1], **BODY)
    ball = mb.Spherical(angles_start=[0.3, -0.2, 0.5])
    on_ball = mb.BodyShape(r=[0.5, 0.2, 0.1], **BODY)
    free = mb.FreeMotion(r_rel_a_start=[1.0, 2.0, 3.0], v_rel_a_start=[0.1, 0.2, 0.3])
    thrown = mb.PointMass(m=0.3)
    ring = mb.Body(m=0.0, I_11=0.1, I_22=0.1, I_33=0.1)

    def connections(self) -> Any:
        pairs = [(self.up, self.spool), (self.table, self.disk), (self.thread, self.nut), (self.gimbal, self.on_gimbal)]
        pairs += [(self.ball, self.on_ball), (self.free, self.thrown)]
        for joint, body in pairs:
            yield self.world.frame_b, joint.frame_a
            yield joint.frame_b, body.frame_a
        yield self.free.frame_b, self.ring.frame_a

    tip = tg.variable("m", "end of the body on the gimbal", shape=3)
    other = tg.variable("m", "end of the body on the ball", shape=3)
    flight = tg.variable("m", "the thrown body", shape=3)

    def equations(self) -> Any:
        yield self.tip == self.on_gimbal.frame_b.r_0
        yield self.other == self.on_ball.frame_b.r_0
        yield self.flight == self.thrown.frame_a.r_0


def first_spin() -> Any:
    """The angular velocity of the body on the gimbal at the start, in axes of the world."""
    x, y, _ = (Rotation.from_euler("XYZ", angles) for angles in ([0.3, 0, 0], [0.3, -0.2, 0], [0.3, -0.2, 0.5]))
    return np.array([0.5, 0.0, 0.0]) + x.apply([0.0, 0.4, 0.0]) + y.apply([0.0, 0.0, -0.3])


@pytest.fixture(scope="module")
def joints() -> Any:
    model = Joints(ball=mb.Spherical(angles_start=[0.3, -0.2, 0.5], w_rel_a_start=first_spin()))
    return tg.simulate(model, stop=2.0, **RUN)


def test_a_cylindrical_joint_falls_and_turns(joints: Any) -> None:
    t = joints.time
    assert np.allclose(joints["up.s"], 0.4 * t - 9.81 / 2 * t**2, atol=1e-8)
    assert np.allclose(joints["up.phi"], 2.0 * t, atol=1e-8)


def test_a_planar_joint_is_a_projectile(joints: Any) -> None:
    t = joints.time
    assert np.allclose(joints["table.s_x"], 0.2 + t, atol=1e-8)
    assert np.allclose(joints["table.s_y"], 0.1 + 3.0 * t - 9.81 / 2 * t**2, atol=1e-8)
    assert np.allclose(joints["table.phi"], 4.0 * t, atol=1e-8)


def test_a_screw_falls_slowly(joints: Any) -> None:
    """m s'' + J (2 pi/pitch)^2 s'' = -m g."""
    acceleration = -9.81 / (1 + 0.03 * (2 * np.pi / 0.4) ** 2 / 0.7)
    assert np.allclose(joints["thread.s"], acceleration / 2 * joints.time**2, atol=1e-7)
    assert np.allclose(joints["thread.phi"], joints["thread.s"] * 2 * np.pi / 0.4, atol=1e-12)


def test_a_gimbal_moves_as_a_ball_joint(joints: Any) -> None:
    """Three angles or a quaternion: the body does not know."""
    assert np.ptp(joints["tip"]) > 0.5
    assert abs(joints["tip"] - joints["other"]).max() < 1e-6


def test_free_motion_is_a_parabola(joints: Any) -> None:
    t = joints.time[:, None]
    path = np.array([1.0, 2.0, 3.0]) + np.array([0.1, 0.2, 0.3]) * t + np.array([0.0, -9.81 / 2, 0.0]) * t**2
    assert abs(joints["flight"] - path).max() < 1e-8


class Moved(tg.Component):
    """An arm of a universal joint, a slide and a spring to the base, on a base that may be anywhere."""

    place = tg.parameter([0.0, 0.0, 0.0], "m")
    turned = tg.parameter([0.0, 0.0, 0.0], "rad")
    down = tg.parameter([0.0, -1.0, 0.0], "1")
    world = mb.World(n=down)
    base = mb.FixedRotation(rotation="sequence", r=place, angles=turned)
    hook = mb.Universal(phi_a=started(0.3), w_b=started(1.0))
    arm = mb.BodyShape(r=[0.5, 0.1, 0.2], **BODY)
    slide = mb.Prismatic(n=[1.0, 2.0, 0.0], s=started(0.1))
    load = mb.Body(m=0.8, I_11=0.01, I_22=0.02, I_33=0.02)
    spring = mb.SpringDamperParallel(c=40.0, d=0.5, s_unstretched=0.3)

    def connections(self) -> Any:
        yield self.world.frame_b, self.base.frame_a
        yield self.base.frame_b, self.hook.frame_a, self.spring.frame_a
        yield self.hook.frame_b, self.arm.frame_a
        yield self.arm.frame_b, self.slide.frame_a
        yield self.slide.frame_b, self.load.frame_a, self.spring.frame_b


def test_curves_do_not_depend_on_place_and_orientation() -> None:
    """The whole model turned and moved, gravity with it: joint coordinates stay the same."""
    compiled = tg.compile(Moved())
    angles = [0.7, -1.1, 2.0]
    down = Rotation.from_euler("XYZ", angles).apply([0.0, -1.0, 0.0])
    here = compiled.simulate(stop=3.0, **RUN)
    there = compiled.simulate(stop=3.0, parameters={"place": [3.0, -2.0, 5.0], "turned": angles, "down": down}, **RUN)
    for path in ("hook.phi_a", "hook.phi_b", "slide.s", "spring.f"):
        assert np.ptp(here[path]) > 0.1
        assert abs(here[path] - there[path]).max() < 1e-6 * max(1.0, abs(here[path]).max())


class Doubled(tg.Component):
    """A pendulum of a rod, once from the wall and once with its joint the other way round."""

    world = mb.World()
    forward = mb.Revolute(phi=started(0.4))
    backward = mb.Revolute(phi=started(-0.4))
    one = mb.BodyShape(r=[0.0, -1.0, 0.0], r_CM=[0.0, -0.5, 0.0], m=1.0, I_11=0.1, I_22=0.1, I_33=0.1)
    two = mb.BodyShape(r=[0.0, -1.0, 0.0], r_CM=[0.0, -0.5, 0.0], m=1.0, I_11=0.1, I_22=0.1, I_33=0.1)
    cut = mb.CutForceAndTorque()

    def connections(self) -> Any:
        yield self.world.frame_b, self.forward.frame_a, self.cut.frame_a
        yield self.forward.frame_b, self.one.frame_a
        yield self.cut.frame_b, self.backward.frame_b
        yield self.backward.frame_a, self.two.frame_a


def test_a_joint_may_be_connected_the_other_way_round() -> None:
    s = tg.simulate(Doubled(), stop=2.0, **RUN)
    assert np.ptp(s["forward.phi"]) > 0.5
    assert abs(s["forward.phi"] + s["backward.phi"]).max() < 1e-7
    upwards = 1.0 * 9.81 + s["two.m"] * 0.5 * (s["forward.a"] * np.sin(s["forward.phi"]))
    upwards = upwards + 0.5 * s["forward.w"] ** 2 * np.cos(s["forward.phi"])
    assert abs(s["cut.force"][:, 1] - upwards).max() < 1e-6  # m (g + acceleration of the centre of mass)


def test_an_axis_without_a_direction() -> None:
    class Wrong(tg.Component):
        world = mb.World()
        hinge = mb.Revolute(n=[0, 0, 0])
        body = mb.Body()

        def connections(self) -> Any:
            yield self.world.frame_b, self.hinge.frame_a
            yield self.hinge.frame_b, self.body.frame_a

    with pytest.raises(tg.LanguageError, match=r"E157.*all components of 'hinge\.n' are zero, so it has no direction"):
        tg.compile(Wrong())
    right = Wrong()
    right.hinge.n = [0, 0, 1]
    with pytest.raises(tg.LanguageError, match=r"E157.*all components of 'hinge\.n' are zero"):
        tg.simulate(right, stop=0.1, parameters={"hinge.n": [0, 0, 0]})
