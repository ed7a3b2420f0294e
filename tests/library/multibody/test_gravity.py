"""Gravity of a point: Kepler's laws, a dumb-bell in orbit, and a mechanism against its potential energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from library.multibody.mechanisms import started
from tellegen.library import multibody as mb

MU = 3.986004418e14
CLOSE = 7.0e6


class Satellite(tg.Component):
    """A body that starts at its perigee, 7 000 km from the centre of the earth, and turns."""

    world = mb.World(gravity="point")
    body = mb.Body(m=300.0, I_11=20.0, I_22=30.0, I_33=40.0, r_0_start=[CLOSE, 0.0, 0.0], w_0_start=[0.0, 0.0, 0.01])
    felt = mb.Accelerometer()
    r = tg.variable("m", shape=3)
    v = tg.variable("m/s", shape=3)
    w = tg.variable("rad/s", shape=3)

    def connections(self) -> Any:
        yield self.body.frame_a, self.felt.frame_a

    def equations(self) -> Any:
        yield self.r == self.body.frame_a.r_0
        yield self.v == self.body.frame_a.v_0
        yield self.w == self.body.frame_a.w


@pytest.fixture(scope="module")
def satellite() -> Any:
    return tg.compile(Satellite())


def kepler(time: Any, a: float, e: float) -> Any:
    """Positions on an ellipse, from the perigee on, by Kepler's equation E - e sin E = n t."""
    mean = np.sqrt(MU / a**3) * time
    E = mean + e * np.sin(mean)
    for _ in range(60):
        E = E - (E - e * np.sin(E) - mean) / (1 - e * np.cos(E))
    return np.stack([a * (np.cos(E) - e), a * np.sqrt(1 - e**2) * np.sin(E)], axis=1)


@pytest.mark.parametrize("e", [0.0, 0.3, 0.7])
def test_orbits_are_keplers(satellite: Any, e: float) -> None:
    a = CLOSE / (1 - e)
    speed = np.sqrt(MU / a * (1 + e) / (1 - e))
    tilt = 0.6
    start = {"body.v_0_start": [0.0, speed * np.cos(tilt), speed * np.sin(tilt)]}
    period = 2 * np.pi * np.sqrt(a**3 / MU)
    s = tg.simulate(satellite, stop=2 * period, rtol=1e-10, parameters=start)
    expected = kepler(s.time, a, e)
    in_plane = np.stack([s["r"][:, 0], s["r"][:, 1] * np.cos(tilt) + s["r"][:, 2] * np.sin(tilt)], axis=1)
    assert np.abs(in_plane - expected).max() < 1e-7 * a  # two revolutions at rtol 1e-10
    assert s.at(period)["r"] == pytest.approx([CLOSE, 0.0, 0.0], abs=1e-7 * a)
    energy = (s["v"] ** 2).sum(1) / 2 - MU / np.linalg.norm(s["r"], axis=1)
    assert energy == pytest.approx(-MU / (2 * a), rel=1e-8)
    spin = np.cross(s["r"], s["v"])
    assert np.abs(spin - spin[0]).max() < 1e-8 * np.linalg.norm(spin[0])
    assert np.abs(s["felt.a"]).max() < 1e-8  # it falls freely
    assert s["w"] == pytest.approx(np.tile([0.0, 0.0, 0.01], (len(s.time), 1)), abs=1e-12)  # no torque on one body


class DumbBell(tg.Component):
    """Two bodies on a bar: each has its own weight, and the nearer one the larger."""

    world = mb.World(gravity="point", mu=1e9)
    bar = mb.FixedTranslation(r=[0.2, 0.0, 0.0])
    start = mb.FreeMotion(
        r_rel_a_start=[1000 - 0.1 * np.cos(0.01), -0.1 * np.sin(0.01), 0.0],
        v_rel_a_start=[0.1 * np.sin(0.01), 1000 - 0.1 * np.cos(0.01), 0.0],
        w_rel_a_start=[0.0, 0.0, 1.0],
        angles_start=[0.0, 0.0, 0.01],
    )
    near = mb.Body(m=1.0, I_11=1e-6, I_22=1e-6, I_33=1e-6)
    far = mb.Body(m=1.0, I_11=1e-6, I_22=1e-6, I_33=1e-6)
    R = tg.variable(shape=(3, 3))

    def connections(self) -> Any:
        yield self.world.frame_b, self.start.frame_a
        yield self.start.frame_b, self.near.frame_a, self.bar.frame_a
        yield self.bar.frame_b, self.far.frame_a

    def equations(self) -> Any:
        yield self.R == self.near.frame_a.R


def test_a_dumb_bell_librates() -> None:
    """Against the vertical, which turns by one radian a second: theta'' = -3 theta for small angles."""
    s = tg.simulate(DumbBell(), stop=6.0, rtol=1e-10)
    angle = np.unwrap(np.arctan2(s["R"][:, 0, 1], s["R"][:, 0, 0])) - s.time
    assert angle == pytest.approx(0.01 * np.cos(np.sqrt(3) * s.time), abs=1e-5)  # angle and inertia are small, not zero


class Arm(tg.Component):
    """Every kind of link, bodies beside their joints, in a field that is nowhere uniform."""

    world = mb.World(gravity="point", mu=2.0)
    hold = mb.Fixed(r=[0.5, 1.5, 0.3])
    hinge = mb.Revolute(n=[0.0, 1.0, 1.0], phi=started(0.3), w=started(0.5))
    ball = mb.Spherical(angles_start=[0.2, 0.1, -0.3], w_rel_a_start=[0.3, -0.2, 0.4])
    slide = mb.Prismatic(n=[1.0, 2.0, 0.0], s=started(0.2), v=started(0.1))
    rods = mb.BodyShape.array(
        3, r=[0.4, 0.1, 0.0], r_CM=[0.2, 0.1, 0.05], m=[1.0, 2.0, 0.5], I_11=0.02, I_22=0.03, I_33=0.03
    )
    rock = mb.Body(m=0.7, r_CM=[0.1, 0.0, 0.0], I_11=0.02, I_22=0.02, I_33=0.02)

    def connections(self) -> Any:
        yield self.hold.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rods[0].frame_a
        yield self.rods[0].frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.rods[1].frame_a
        yield self.rods[1].frame_b, self.slide.frame_a, self.rock.frame_a
        yield self.slide.frame_b, self.rods[2].frame_a


def test_a_mechanism_keeps_its_energy() -> None:
    """The energy is computed by tg.mechanism from the coordinates alone; the run by the sweeps."""
    m = tg.mechanism(Arm())
    s = tg.simulate(Arm(), stop=3.0, points=31, rtol=1e-9)
    hidden = {"ball.Q": "ball_joint.Q", "ball.w_rel": "ball_joint.w_rel"}
    q, v = (np.stack([column(s, name, hidden) for name in names], axis=1) for names in (m.coordinates, m.speeds))
    energy = m.energy(q, v)
    total = energy.kinetic + energy.potential
    assert np.ptp(energy.kinetic) > 0.1
    assert total == pytest.approx(total[0], abs=1e-7)


def column(s: Any, name: str, hidden: dict[str, str]) -> Any:
    """A coordinate of a run."""
    base, _, place = name.partition("[")
    found = s[hidden.get(base, base)]
    return found[:, int(place[:-1])] if place else found


def test_gravity_of_a_mechanism_is_the_slope_of_its_potential() -> None:
    m = tg.mechanism(Arm())
    q = {"hinge": 0.7, "slide": 0.4}
    step = 1e-6
    for joint, number in (("hinge", 0), ("slide", -1)):
        there, back = ({**q, joint: q[joint] + side} for side in (step, -step))
        zero = np.zeros(len(m.speeds))
        slope = (m.energy(there, zero).potential - m.energy(back, zero).potential) / (2 * step)
        assert m.gravity(q)[number] == pytest.approx(slope, rel=1e-7)


def test_no_gravity() -> None:
    class Alone(tg.Component):
        world = mb.World(gravity="none")
        body = mb.Body(v_0_start=[1.0, 2.0, 3.0])
        place = mb.AbsolutePosition()

        def connections(self) -> Any:
            yield self.body.frame_a, self.place.frame_a

    s = tg.simulate(Alone(), stop=2.0)
    assert s["place.r"][-1] == pytest.approx([2.0, 4.0, 6.0])


def test_a_body_at_the_centre_is_refused() -> None:
    class Inside(tg.Component):
        world = mb.World(gravity="point")
        planet = mb.Body(m=5.0)  # carried by the world: it does not fall
        lost = mb.Body()

        def connections(self) -> Any:
            yield self.world.frame_b, self.planet.frame_a

    with pytest.raises(tg.TellegenError, match="point gravity has no direction"):
        tg.simulate(Inside(), stop=1.0)
    with pytest.raises(tg.DataError, match="perhaps you meant 'point'"):
        tg.compile(Inside(world=mb.World(gravity="pint")))
