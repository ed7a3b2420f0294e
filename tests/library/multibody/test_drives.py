"""Drives on joints, rotors on moving bodies, stops, gradients and linear models of mechanisms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tellegen as tg
from library.multibody.mechanisms import chain, started
from tellegen.library import multibody as mb
from tellegen.library import rotational as rot

RUN: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11, "points": 51}
M_1, M_2, L_1, C_1, C_2, I_1, I_2 = 3.0, 2.0, 0.6, 0.25, 0.2, 0.1, 0.05
RATIOS = np.array([50.0, 30.0])
ROTORS = np.array([2e-4, 1e-4])


class Arm(tg.Component):
    """Two axes in a vertical plane, each with a motor, a gear and the inertia of its rotor."""

    world = mb.World()
    shoulder = mb.Revolute(use_flange=True, phi=started(0.3), w=started(0.0))
    upper = mb.BodyShape(r=[L_1, 0, 0], r_CM=[C_1, 0, 0], m=M_1, I_11=0.02, I_22=I_1, I_33=I_1)
    elbow = mb.Revolute(use_flange=True, phi=started(-0.5), w=started(0.0))
    lower = mb.Body(r_CM=[C_2, 0, 0], m=M_2, I_11=0.02, I_22=I_2, I_33=I_2)
    motors = rot.Torque.array(2)
    rotors = rot.Inertia.array(2, J=ROTORS)
    gears = rot.IdealGear.array(2, ratio=RATIOS)

    def connections(self) -> Any:
        yield self.world.frame_b, self.shoulder.frame_a
        yield self.shoulder.frame_b, self.upper.frame_a
        yield self.upper.frame_b, self.elbow.frame_a
        yield self.elbow.frame_b, self.lower.frame_a
        yield self.motors.flange, self.rotors.flange_a
        yield self.rotors.flange_b, self.gears.flange_a
        yield self.gears[0].flange_b, self.shoulder.axis
        yield self.gears[1].flange_b, self.elbow.axis

    def equations(self) -> Any:
        yield self.motors[0].tau == 0.3 * tg.sin(3.0 * tg.time)
        yield self.motors[1].tau == 0.1 * tg.cos(5.0 * tg.time)


def lagrange(t: float, x: Any) -> Any:
    """The same arm by Lagrange's equations, rotors reflected by the squares of the ratios."""
    q, v = x[:2], x[2:]
    coupling = M_2 * L_1 * C_2
    inertia = np.array(
        [
            [I_1 + I_2 + M_1 * C_1**2 + M_2 * (L_1**2 + C_2**2) + 2 * coupling * np.cos(q[1]), 0.0],
            [I_2 + M_2 * C_2**2 + coupling * np.cos(q[1]), I_2 + M_2 * C_2**2],
        ]
    )
    inertia[0, 1] = inertia[1, 0]
    inertia += np.diag(ROTORS * RATIOS**2)
    bias = coupling * np.sin(q[1]) * np.array([-(2 * v[0] + v[1]) * v[1], v[0] ** 2])
    lower = M_2 * C_2 * 9.81 * np.cos(q[0] + q[1])
    weight = np.array([(M_1 * C_1 + M_2 * L_1) * 9.81 * np.cos(q[0]) + lower, lower])
    torque = RATIOS * [0.3 * np.sin(3 * t), 0.1 * np.cos(5 * t)]
    return np.concatenate([v, np.linalg.solve(inertia, torque - bias - weight)])


def test_an_arm_with_motors_gears_and_rotors_by_lagrange() -> None:
    s = tg.simulate(Arm(), stop=3.0, **RUN)
    there = solve_ivp(lagrange, (0.0, 3.0), [0.3, -0.5, 0.0, 0.0], "DOP853", s.time, rtol=1e-11, atol=1e-12)
    found = np.stack([s["shoulder.phi"], s["elbow.phi"], s["shoulder.w"], s["elbow.w"]])
    assert np.ptp(found[0]) > 0.5
    assert abs(found - there.y).max() < 1e-6


class Stopped(tg.Component):
    """A rod that falls onto an elastic stop of the rotational library."""

    world = mb.World()
    hinge = mb.Revolute(use_flange=True, phi=started(0.0), w=started(0.0))
    rod = mb.Body(r_CM=[0.5, 0, 0], m=1.0, I_11=0.01, I_22=0.08, I_33=0.08)
    stop = rot.ElastoBacklash(b="90 deg", c=1e3, d=0.0)

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a
        yield self.hinge.axis, self.stop.flange_b
        yield self.hinge.support, self.stop.flange_a


def test_a_hinge_with_a_stop() -> None:
    """It bounces at -45 degrees, where nothing is lost, and comes back to the horizontal."""
    s = tg.simulate(Stopped(), stop=2.0, rtol=1e-9, points=201)
    assert len(s.events) >= 2
    inertia = 0.08 + 0.25
    depth = np.maximum(-s["hinge.phi"] - np.pi / 4, 0.0)
    energy = inertia / 2 * s["hinge.w"] ** 2 + 9.81 * 0.5 * np.sin(s["hinge.phi"]) + 500.0 * depth**2
    assert depth.max() > 0.01
    assert abs(energy).max() < 1e-6
    assert s["hinge.phi"].max() < 1e-6


class Carried(tg.Component):
    """A rotor on a beam that turns and tilts, driven through a spring by its housing: everything stays inside."""

    world = mb.World(g=0.0)
    beam = mb.Body(m=1.0, I_11=0.03, I_22=0.04, I_33=0.05, w_0_start=[0.3, 1.0, 0.2])
    rotor = mb.Rotor1D(J=0.01, n=[1.0, 1.0, 0.0], w=started(30.0))
    housing = mb.Mounting1D(n=[1.0, 1.0, 0.0])
    shaft = rot.Spring(c=2.0)
    spin = tg.variable("kg.m2/s", "angular momentum about the centre of mass, in the world", shape=3)
    energy = tg.variable("J")

    def connections(self) -> Any:
        yield self.beam.frame_a, self.rotor.frame_a, self.housing.frame_a
        yield self.housing.flange_b, self.shaft.flange_a
        yield self.shaft.flange_b, self.rotor.flange_a

    def equations(self) -> Any:
        frame = self.beam.frame_a
        turning = self.rotor.w + self.rotor.e @ frame.w
        own = [0.03 * frame.w[0], 0.04 * frame.w[1], 0.05 * frame.w[2]]
        along = [self.rotor.J * self.rotor.e[k] * turning for k in range(3)]
        yield self.spin == [sum(frame.R[j, k] * (own[j] + along[j]) for j in range(3)) for k in range(3)]
        kinetic = sum(0.5 * own[k] * frame.w[k] for k in range(3)) + 0.5 * self.rotor.J * turning**2
        yield self.energy == kinetic + 0.5 * self.shaft.c * self.shaft.phi_rel**2


def test_a_rotor_and_its_housing_keep_angular_momentum_and_energy() -> None:
    s = tg.simulate(Carried(), stop=5.0, **RUN)
    assert np.ptp(s["rotor.w"]) > 10.0
    assert abs(s["spin"] - s["spin"][0]).max() < 1e-6 * abs(s["spin"]).max()
    assert abs(s["energy"] - s["energy"][0]).max() < 1e-6 * s["energy"][0]


def test_a_fast_top_precesses() -> None:
    """Steady precession of a rotor on a level arm: m g c/(J w), with w large."""

    class Top(tg.Component):
        world = mb.World()
        yaw = mb.Revolute(n=[0, 1, 0], w=started(0.1 * 9.81 * 0.1 / (0.01 * 300.0)))
        tilt = mb.Revolute(n=[1, 0, 0])
        arm = mb.Body(m=0.1, r_CM=[0, 0, 0.1], I_11=1e-4, I_22=1e-4, I_33=1e-4)
        rotor = mb.Rotor1D(J=0.01, n=[0, 0, 1], w=started(300.0))

        def connections(self) -> Any:
            yield self.world.frame_b, self.yaw.frame_a
            yield self.yaw.frame_b, self.tilt.frame_a
            yield self.tilt.frame_b, self.arm.frame_a, self.rotor.frame_a

    s = tg.simulate(Top(), stop=1.0, **RUN)
    assert s["yaw.phi"][-1] == pytest.approx(0.1 * 9.81 * 0.1 / (0.01 * 300.0), rel=1e-4)
    assert abs(s["tilt.phi"]).max() < 1e-4


def test_gradients_against_differences() -> None:
    """How the tip of a chain depends on masses, lengths and an axis, forward and by differences of runs."""
    compiled = tg.compile(chain(3, [0.3, -0.5, 0.2]))
    wrt = ["rods[0].m", "rods[1].r[0]", "joints[1].n[2]", "world.g"]
    fine: dict[str, Any] = {"rtol": 1e-10, "atol": 1e-12, "points": 11}
    values = [1.0, 0.5, 0.8, 9.81]
    found = tg.sensitivity(compiled, 1.0, wrt=wrt, **fine)
    for path, value in zip(wrt, values, strict=True):
        h = 1e-4 * value
        runs = [compiled.simulate(stop=1.0, parameters={path: value + d}, **fine) for d in (h, -h)]
        difference = (runs[0]["joints[2].phi"][-1] - runs[1]["joints[2].phi"][-1]) / (2 * h)
        assert found["joints[2].phi", path][-1] == pytest.approx(difference, rel=1e-5, abs=1e-7)


def test_a_pendulum_linearized() -> None:
    """About hanging: eigenvalues +-i sqrt(m g c/I)."""

    class Hanging(tg.Component):
        world = mb.World()
        hinge = mb.Revolute()
        rod = mb.Body(r_CM=[0.0, -0.5, 0.0], m=2.0, I_11=0.1, I_22=0.05, I_33=0.1)

        def connections(self) -> Any:
            yield self.world.frame_b, self.hinge.frame_a
            yield self.hinge.frame_b, self.rod.frame_a

    linear = tg.linearize(Hanging())
    assert len(linear.A) == 2
    expected = np.sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25))
    assert np.allclose(np.sort(np.linalg.eigvals(linear.A).imag), [-expected, expected], rtol=1e-12)
