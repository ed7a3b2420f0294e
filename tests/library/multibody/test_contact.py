"""Contact and bushings against closed solutions: bounce, roll, slide, rest, and small vibrations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import multibody as mb

BALL: dict[str, Any] = {"m": 2.0, "I_11": 0.008, "I_22": 0.008, "I_33": 0.008}  # solid, of radius 0.1 m


class Ground(tg.Component):
    """A ball that lands with spin and speed, a box that slides, a capsule that comes to lie, two balls that meet."""

    world = mb.World(g=9.81)
    ball = mb.Body(r_0_start=[0.0, 0.1, 0.0], v_0_start=[1.0, 0.0, 0.5], **BALL)
    lane = mb.SphereOnPlane(R=0.1, c=1e5, mu=0.3)
    box = mb.Body(m=1.0, I_11=0.01, I_22=0.01, I_33=0.01, r_0_start=[0.0, 0.05, 2.0], v_0_start=[2.0, 0.0, 0.0])
    floor = mb.BoxOnPlane(size=[0.4, 0.1, 0.4], c=1e4, mu=0.2)
    capsule = mb.Body(m=1.0, r_CM=[0.25, 0.0, 0.0], I_11=0.01, I_22=0.03, I_33=0.03, r_0_start=[0.0, 0.3, -2.0])
    bed = mb.CapsuleOnPlane(R=0.1, r=[0.5, 0.0, 0.0], c=1e4, d=5.0, mu=0.5)
    seen = mb.AbsolutePosition.array(3)
    speed = mb.AbsoluteVelocity.array(3)
    spin = mb.AbsoluteAngularVelocity()

    def connections(self) -> Any:
        pairs = [(self.lane, self.ball), (self.floor, self.box), (self.bed, self.capsule)]
        for k, (ground, body) in enumerate(pairs):
            yield self.world.frame_b, ground.frame_a
            yield ground.frame_b, body.frame_a, self.seen[k].frame_a, self.speed[k].frame_a
        yield self.spin.frame_a, self.ball.frame_a


@pytest.fixture(scope="module")
def landed() -> Any:
    return tg.simulate(Ground(), stop=1.5, rtol=1e-8, points=301)


def test_a_ball_that_slides_ends_rolling(landed: Any) -> None:
    """The angular momentum about a point of the ground stays: v = 5/7 of the first, w = v/R."""
    v = landed["speed[0].v"][-1]
    w = landed["spin.w"][-1]
    assert np.allclose(v[[0, 2]], [5 / 7, 2.5 / 7], atol=1e-4)
    assert np.allclose([w[2], w[0]], [-v[0] / 0.1, v[2] / 0.1], atol=1e-3)
    assert landed["lane.N"][-1, 0] == pytest.approx(2.0 * 9.81, rel=0.02)


def test_a_box_slides_until_friction_has_stopped_it(landed: Any) -> None:
    """v = v0 - mu g t; corners share the load, and friction tips it forward a little."""
    t = landed.time
    sliding = t < 0.8
    assert abs(landed["speed[1].v"][sliding, 0] - (2.0 - 0.2 * 9.81 * t[sliding])).max() < 0.02
    assert abs(landed["speed[1].v"][-1, [0, 2]]).max() < 1e-3
    assert landed["floor.N"][-1].sum() == pytest.approx(9.81, rel=0.01)


def test_a_capsule_comes_to_lie_on_both_ends(landed: Any) -> None:
    assert landed["seen[2].r"][-1, 1] == pytest.approx(0.1, abs=2e-3)
    assert landed["bed.N"][-1] == pytest.approx([9.81 / 2] * 2, rel=0.05)


def test_balls_that_meet_exchange_their_speeds() -> None:
    """Without damping and friction, equal masses, head on; momentum stays in any case."""

    class Meeting(tg.Component):
        world = mb.World(g=0.0)
        one = mb.Body(v_0_start=[1.0, 0.0, 0.0], **BALL)
        two = mb.Body(r_0_start=[0.5, 0.0, 0.0], **BALL)
        touch = mb.SphereOnSphere(R_a=0.1, R_b=0.1, c=1e4, d=0.0, mu=0.3)
        speed = mb.AbsoluteVelocity.array(2)

        def connections(self) -> Any:
            yield self.one.frame_a, self.touch.frame_a, self.speed[0].frame_a
            yield self.two.frame_a, self.touch.frame_b, self.speed[1].frame_a

    s = tg.simulate(Meeting(), stop=1.0, rtol=1e-8)
    assert len(s.events) >= 2
    assert np.allclose(s["speed[0].v"][-1], 0.0, atol=1e-6)
    assert np.allclose(s["speed[1].v"][-1], [1.0, 0.0, 0.0], atol=1e-6)


def test_a_bushing_is_a_spring_in_each_direction() -> None:
    """Small vibrations of a body on a bushing: w^2 = c/m along and c_t/I about each axis."""

    class Mounted(tg.Component):
        world = mb.World(g=0.0)
        mount = mb.Bushing(c=[100.0, 200.0, 300.0], d=[0.0] * 3, c_t=[3.0, 4.0, 5.0], d_t=[0.0] * 3)
        engine = mb.Body(m=2.0, I_11=0.02, I_22=0.03, I_33=0.04)

        def connections(self) -> Any:
            yield self.world.frame_b, self.mount.frame_a
            yield self.mount.frame_b, self.engine.frame_a

    linear = tg.linearize(Mounted())
    found = np.sort(np.abs(np.linalg.eigvals(linear.A).imag))
    expected = np.sqrt([100 / 2.0, 200 / 2.0, 300 / 2.0, 3 / 0.02, 4 / 0.03, 5 / 0.04])
    assert np.allclose(found[-12:], np.sort(np.repeat(expected, 2)), rtol=1e-9)
