"""Wheels that roll without sliding, against closed solutions of rigid bodies that roll."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tellegen as tg
from library.multibody.probe import Probe
from tellegen.library import multibody as mb

M, A, C, R = 2.0, 0.05, 0.09, 0.3
"""Mass of a disk, its inertia about a diameter and about its axis, its radius."""


class Coin(tg.Component):
    """A disk on a level plane; its axis is z of its frame."""

    world = mb.World()
    disk = mb.Body(m=M, I_11=A, I_22=A, I_33=C)
    wheel = mb.RollingWheel(radius=R)
    probe = Probe()

    def connections(self) -> Any:
        yield self.world.frame_b, self.wheel.frame_a
        yield self.wheel.frame_b, self.disk.frame_a, self.probe.frame_a


@pytest.fixture(scope="module")
def coin() -> Any:
    return tg.compile(Coin())


def start(lean: float, w: Any) -> dict[str, Any]:
    """The axis rises by `lean` from z towards y; touches the plane at the origin, with the angular velocity w."""
    down = R * np.array([0.0, -np.cos(lean), np.sin(lean)])
    centre = -down
    return {
        "disk.angles_start": [-lean, 0.0, 0.0],
        "disk.r_0_start": centre,
        "disk.w_0_start": w,
        "disk.v_0_start": -np.cross(w, down),
    }


@pytest.mark.parametrize(("lean", "turning"), [(0.3, 2.0), (-0.5, 3.0), (0.2, -0.7)])
def test_a_coin_rolls_in_a_circle(coin: Any, lean: float, turning: float) -> None:
    """It leans by the same angle at all times if its spin s about its own axis balances the moment of its weight:

    -W cos(lean) ((C + m R^2) s - A W sin(lean)) = m g R sin(lean)      W: about the vertical

    and its centre goes round on a circle of radius R |s/W|.
    """
    spin = (A * turning * np.sin(lean) - M * 9.81 * R * np.tan(lean) / turning) / (C + M * R**2)
    axis = np.array([0.0, np.sin(lean), np.cos(lean)])
    w = np.array([0.0, turning, 0.0]) + (spin - turning * np.sin(lean)) * axis
    period = 2 * np.pi / abs(turning)
    s = tg.simulate(coin, stop=period, rtol=1e-9, parameters=start(lean, w))
    assert s["probe.R"][:, 2, 1] == pytest.approx(np.sin(lean), abs=1e-6)
    middle = (s["probe.r"].max(axis=0) + s["probe.r"].min(axis=0)) / 2
    away = np.linalg.norm((s["probe.r"] - middle)[:, [0, 2]], axis=1)
    assert away == pytest.approx(R * abs(spin / turning), abs=1e-4)  # extremes between the points
    assert s["wheel.f_n"] == pytest.approx(M * 9.81, abs=1e-4)


def test_a_coin_that_wobbles_keeps_its_energy_and_does_not_slide(coin: Any) -> None:
    s = tg.simulate(coin, stop=3.0, rtol=1e-9, parameters=start(0.2, np.array([0.5, 1.0, -8.0])))
    inertia = np.diag([A, A, C])
    spin = np.einsum("ti,ij,tj->t", s["probe.w"], inertia, s["probe.w"])
    energy = M * (s["probe.v"] ** 2).sum(1) / 2 + spin / 2 + M * 9.81 * s["probe.r"][:, 1]
    assert energy == pytest.approx(energy[0], rel=1e-7)
    axis = s["probe.R"][:, 2]
    up = np.array([0.0, 1.0, 0.0]) - axis[:, 1:2] * axis
    down = -R * up / np.linalg.norm(up, axis=1)[:, None]
    turning = np.einsum("tji,tj->ti", s["probe.R"], s["probe.w"])
    assert s["probe.v"] + np.cross(turning, down) == pytest.approx(np.zeros_like(down), abs=1e-6)
    assert (s["probe.r"] + down)[:, 1] == pytest.approx(0.0 * s.time, abs=1e-7)
    assert np.ptp(axis[:, 1]) > 0.05


def test_a_wheel_down_a_slope(coin: Any) -> None:
    """a = g sin(slope)/(1 + C/(m R^2)), with the plane tilted about z and the wheel upright."""
    slope = 0.2
    tilted = {"world.n": [np.sin(slope), -np.cos(slope), 0.0]}
    s = tg.simulate(coin, stop=2.0, parameters={**tilted, **start(0.0, np.zeros(3))})
    way = 9.81 * np.sin(slope) / (1 + C / (M * R**2)) * s.time**2 / 2
    assert s["probe.r"][:, 0] == pytest.approx(way, abs=1e-5)
    assert s["wheel.force"][-1, 0] == pytest.approx(-C / R**2 * s["probe.a"][-1, 0], rel=1e-6)


@pytest.mark.filterwarnings("ignore:.*projection moved")  # where it strikes the plane
def test_a_wheel_that_falls_flat_is_reported(coin: Any) -> None:
    with pytest.raises(tg.TellegenError, match="lies flat"):
        tg.simulate(coin, stop=1.0, parameters=start(0.3, np.zeros(3)))


class Cart(tg.Component):
    """A wheel set with an axle that has its centre of mass in the middle."""

    world = mb.World()
    set = mb.RollingWheelSet(
        radius=0.2, track=0.8, w_1=tg.variable(start=-5.0, fixed=True), w_2=tg.variable(start=-7.0, fixed=True)
    )
    axle = mb.Body(m=3.0, I_11=0.2, I_22=0.2, I_33=0.01)
    wheels = mb.Body.array(2, m=0.5, I_11=0.01, I_22=0.01, I_33=0.02)

    def connections(self) -> Any:
        yield self.world.frame_b, self.set.frame_a
        yield self.set.frame_b, self.axle.frame_a
        yield self.set.frame_1, self.wheels[0].frame_a
        yield self.set.frame_2, self.wheels[1].frame_a


def test_a_wheel_set_drives_a_circle() -> None:
    """Both wheels keep their speeds; v = R (w_1 + w_2)/2, and the direction turns by R (w_2 - w_1)/track."""
    s = tg.simulate(Cart(), stop=4.0, rtol=1e-8)
    assert s["set.w_1"] == pytest.approx(-5.0, abs=1e-6)
    assert s["set.w_2"] == pytest.approx(-7.0, abs=1e-6)
    rate = 0.2 * (-7.0 + 5.0) / 0.8
    assert abs(s["set.phi"]) == pytest.approx(abs(rate) * s.time, abs=1e-6)
    turn = np.sign(s["set.phi"][-1]) * abs(rate)
    radius = 0.2 * 6.0 / turn
    assert s["set.x"] == pytest.approx(radius * np.sin(turn * s.time), abs=1e-5)
    assert s["set.y"] == pytest.approx(radius * (1 - np.cos(turn * s.time)), abs=1e-5)


class Geared(tg.Component):
    """Two disks on shafts that are geared, in a housing that floats in space: a bevel gear."""

    world = mb.World(gravity="none")
    housing = mb.Body(m=1.0, I_11=0.3, I_22=0.4, I_33=0.5, w_0_start=[0.2, 0.3, 0.4])
    gear = mb.GearConstraint(
        ratio=-2.0,
        n_a=[1, 0, 0],
        n_b=[0, 1, 0],
        r_a=[0.2, 0, 0],
        r_b=[0, 0.2, 0],
        w_b=tg.variable(start=3.0, fixed=True),
    )
    disks = mb.Body.array(2, m=0.4, I_11=[0.02, 0.02], I_22=[0.01, 0.03], I_33=[0.01, 0.02])
    probes = Probe.array(3)

    def connections(self) -> Any:
        yield self.housing.frame_a, self.gear.bearing, self.probes[0].frame_a
        yield self.gear.frame_a, self.disks[0].frame_a, self.probes[1].frame_a
        yield self.gear.frame_b, self.disks[1].frame_a, self.probes[2].frame_a


def test_a_gear_turns_its_bearing() -> None:
    """Angular momentum and energy stay, which they would not if the bearing felt no reaction."""
    s = tg.simulate(Geared(), stop=3.0, rtol=1e-9)
    assert s["gear.phi_a"] == pytest.approx(-2.0 * s["gear.phi_b"], abs=1e-8)
    spin = np.zeros((len(s.time), 3))
    energy = np.zeros(len(s.time))
    bodies = [(1.0, [0.3, 0.4, 0.5]), (0.4, [0.02, 0.01, 0.01]), (0.4, [0.02, 0.03, 0.02])]
    for k, (m, inertia) in enumerate(bodies):
        r, v, w = (s[f"probes[{k}].{name}"] for name in ("r", "v", "w"))
        own = np.einsum("tji,tj->ti", s[f"probes[{k}].R"], w * inertia)
        spin += np.cross(r, m * v) + own
        energy += m * (v**2).sum(1) / 2 + (w**2 * inertia).sum(1) / 2
    assert spin == pytest.approx(np.tile(spin[0], (len(spin), 1)), abs=1e-7)
    assert energy == pytest.approx(energy[0], rel=1e-7)
    assert np.ptp(s["gear.w_b"]) > 0.01


def test_functions_of_a_mechanism_that_rolls(coin: Any) -> None:
    """They accelerate as the compiled model does; only its height restricts where the wheel can be."""
    s = tg.simulate(coin, stop=0.5, points=3, rtol=1e-8, parameters=start(0.4, [1.0, 2.0, -3.0]))
    wheel = tg.mechanism(Coin())
    axes = s["disk.frame_a.R"][-1].T
    q = np.concatenate([s["disk.frame_a.r_0"][-1], Rotation.from_matrix(axes).as_quat()])
    v = np.concatenate([s["disk.frame_a.v_0"][-1], axes @ s["disk.frame_a.w"][-1]])
    expected = np.concatenate([s["disk.frame_a.a_0"][-1], axes @ s["disk.frame_a.z"][-1]])
    assert wheel.accelerations(q, v) == pytest.approx(expected, abs=1e-10)
    assert np.abs(wheel.constraints(q).J @ v).max() < 1e-9
    assert wheel.freedoms().left == 3
    moved = wheel.assembled(q + np.array([2.0, 0.1, -1.0, 0, 0, 0, 0]))
    assert moved[[0, 2]] == pytest.approx(q[[0, 2]] + [2.0, -1.0], abs=0.1)
    assert np.abs(wheel.constraints(moved).gaps).max() < 1e-11
