"""Point masses that nothing holds: they fly, swing on springs and orbit without any orientation of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import multibody as mb


class Flock(tg.Component):
    """A pair on a spring, one that flies alone, and one that is part of a body."""

    spring = mb.Spring(c=50.0, s_unstretched=0.4)
    left = mb.PointMass(m=2.0, r_0_start=[-0.3, 0.0, 0.0], v_0_start=[0.0, 3.0, 0.0])
    right = mb.PointMass(m=1.0, r_0_start=[0.3, 0.0, 0.0], v_0_start=[0.0, 3.0, 0.0])
    stone = mb.PointMass(m=0.5, r_0_start=[1.0, 2.0, 3.0], v_0_start=[0.5, 0.0, -1.0])
    grain = mb.PointMass(m=0.5)
    stem = mb.FixedTranslation(r=[0.2, 0.0, 0.0])
    disk = mb.Body(m=0.5, r_0_start=[5.0, 0.0, 0.0], w_0_start=[0.0, 0.0, 2.0])
    world = mb.World()
    at = mb.AbsolutePosition.array(4)
    felt = mb.Accelerometer()

    def connections(self) -> Any:
        yield self.spring.frame_b, self.right.frame_a, self.at[1].frame_a
        yield self.at[0].frame_a, self.left.frame_a, self.spring.frame_a
        yield self.stone.frame_a, self.at[2].frame_a, self.felt.frame_a
        yield self.grain.frame_a, self.stem.frame_b, self.at[3].frame_a
        yield self.stem.frame_a, self.disk.frame_a


def test_free_point_masses() -> None:
    s = tg.simulate(Flock(), stop=2.0, rtol=1e-9)
    t = s.time
    fall = 3.0 * t - 9.81 * t**2 / 2
    centre = (2 * s["at[0].r"] + s["at[1].r"]) / 3
    assert centre == pytest.approx(np.stack([-0.1 + 0 * t, fall, 0 * t], axis=1), abs=1e-7)
    apart = s["at[1].r"][:, 0] - s["at[0].r"][:, 0]
    assert apart == pytest.approx(0.4 + 0.2 * np.cos(np.sqrt(50.0 * 1.5) * t), abs=1e-6)
    flight = np.stack([1 + 0.5 * t, 2 - 9.81 * t**2 / 2, 3 - t], axis=1)
    assert s["at[2].r"] == pytest.approx(flight, abs=1e-7)
    assert np.abs(s["felt.a"]).max() < 1e-12
    assert s["at[3].r"][0] == pytest.approx([5.2, 0.0, 0.0])  # the body says where both start


def test_a_free_point_mass_as_data() -> None:
    m = tg.mechanism(Flock())
    points = [link.path for link in m.map.links if link.motion == "point"]
    assert points == ["left", "right", "stone"]
    assert m.freedoms().left == 3 * 3 + 6
    pull = m.gravity(m.start)
    assert pull[m.speeds.index("stone.v_rel[1]")] == pytest.approx(0.5 * 9.81)
    assert m.mass_matrix(m.start)[-1, -1] == 0.5


class Pushed(tg.Component):
    """A point mass and what acts on it."""

    world = mb.World(gravity="none")
    mass = mb.PointMass(m=2.0)
    arm = mb.FixedTranslation(r=[0.1, 0.0, 0.0])
    force = mb.WorldForce()
    torque = mb.WorldTorque()
    where = tg.parameter("at the point", structural=True)
    tau = tg.parameter(0.0, "N.m")

    def equations(self) -> Any:
        yield self.force.force == [0.0, 4.0, 0.0]
        yield self.torque.torque == [0.0, 0.0, 1.0] * self.tau

    def connections(self) -> Any:
        yield self.mass.frame_a, self.arm.frame_a, self.torque.frame_b
        yield self.force.frame_b, (self.mass.frame_a if self.where == "at the point" else self.arm.frame_b)


def test_only_forces_at_the_point_are_resisted() -> None:
    compiled = tg.compile(Pushed())
    s = tg.simulate(compiled, stop=1.0)
    assert s["mass_mass.r"][-1] == pytest.approx([0.0, 1.0, 0.0])
    with pytest.raises(tg.TellegenError, match="a torque acts on a point mass"):
        tg.simulate(compiled, stop=1.0, parameters={"tau": 0.1})
    with pytest.raises(tg.StructureError, match="nothing resists some motion of 'mass'"):
        tg.compile(Pushed(where="beside"))
