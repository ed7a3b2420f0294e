"""tg.mechanism: tables of other programs, loops, symbols, inverse kinematics, and what it says in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from multibody_functions.random_trees import Arm
from tellegen.library import multibody

REFERENCE = Path(__file__).parent.parent / "reference" / "multibody"


class Arm6(tg.Component):
    """The arm of six axes of table 12."""

    def build(self) -> None:
        spec = json.loads((REFERENCE / "12_arm6_matrices.json").read_text())["spec"]
        self.world = multibody.World(n=[0, 0, -1])
        for k, one in enumerate(spec):
            i = one["inertia"]
            setattr(self, f"to{k}", Arm(r=one["origin"]))
            setattr(self, f"joint{k}", multibody.Revolute(n=one["axis"]))
            inertia = {f"I_{a + 1}{b + 1}": i[a][b] for a in range(3) for b in range(a + 1)}
            setattr(self, f"link{k}", multibody.Body(m=one["mass"], r_CM=one["com"], **inertia))
        self.tool = Arm(r=[0.1, 0, 0])

    def connections(self) -> Iterator[Any]:
        below = self.world.frame_b
        for k in range(6):
            yield below, getattr(self, f"to{k}").frame_a
            yield getattr(self, f"to{k}").frame_b, getattr(self, f"joint{k}").frame_a
            below = getattr(self, f"joint{k}").frame_b
            yield below, getattr(self, f"link{k}").frame_a
        yield below, self.tool.frame_a


class Gimbal(tg.Component):
    """The two axes of the seeker of table 13."""

    world = multibody.World()
    yaw = multibody.Revolute(n=[0, 0, 1])
    ring = multibody.Body(m=0.35, I_11=0.0009, I_22=0.0011, I_33=0.0018)
    pitch = multibody.Revolute(n=[0, 1, 0])
    optics = multibody.Body(m=0.33, I_11=0.0007, I_22=0.0012, I_33=0.0008)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.yaw.frame_a
        yield self.yaw.frame_b, self.ring.frame_a
        yield self.yaw.frame_b, self.pitch.frame_a
        yield self.pitch.frame_b, self.optics.frame_a


class DoublePendulum(tg.Component):
    """Two point masses in a plane, in the textbook's form."""

    world = multibody.World()
    first = multibody.Revolute(n=[0, 0, 1])
    a = multibody.BodyShape(r=[0.5, 0, 0], r_CM=[0.5, 0, 0], m=1.0, I_11=0, I_22=0, I_33=0)
    second = multibody.Revolute(n=[0, 0, 1])
    b = multibody.Body(r_CM=[0.7, 0, 0], m=2.0, I_11=0, I_22=0, I_33=0)

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.first.frame_a
        yield self.first.frame_b, self.a.frame_a
        yield self.a.frame_b, self.second.frame_a
        yield self.second.frame_b, self.b.frame_a


class FourBar(tg.Component):
    """A planar four-bar of hinges in space: j4 closes the loop, and three of its five constraints repeat others."""

    world = multibody.World()
    base = multibody.FixedTranslation(r=[1.0, 0, 0])
    j1 = multibody.Revolute(phi=tg.variable(start=1.2), w=tg.variable(start=2.0))
    crank = multibody.BodyShape(r=[0.4, 0, 0], r_CM=[0.2, 0, 0], m=1.0, I_22=0.02, I_33=0.02)
    j2 = multibody.Revolute(phi=tg.variable(start=-0.9))
    coupler = multibody.BodyShape(r=[1.0, 0, 0], r_CM=[0.5, 0, 0], m=2.0, I_22=0.2, I_33=0.2)
    j3 = multibody.Revolute(phi=tg.variable(start=-1.5))
    rocker = multibody.BodyShape(r=[0.7, 0, 0], r_CM=[0.35, 0, 0], m=1.5, I_22=0.1, I_33=0.1)
    j4 = multibody.Revolute()

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.base.frame_a
        yield self.world.frame_b, self.j1.frame_a
        yield self.j1.frame_b, self.crank.frame_a
        yield self.crank.frame_b, self.j2.frame_a
        yield self.j2.frame_b, self.coupler.frame_a
        yield self.coupler.frame_b, self.j3.frame_a
        yield self.j3.frame_b, self.rocker.frame_a
        yield self.rocker.frame_b, self.j4.frame_a
        yield self.base.frame_b, self.j4.frame_b


@pytest.fixture(scope="module")
def arm() -> tg.Mechanism:
    return tg.mechanism(Arm6())


@pytest.fixture(scope="module")
def four_bar() -> tg.Mechanism:
    return tg.mechanism(FourBar())


def test_table_12(arm: tg.Mechanism) -> None:
    """Matrices of pinocchio with twelve digits, all rows at once."""
    rows = json.loads((REFERENCE / "12_arm6_matrices.json").read_text())["rows"]
    q, v, tau, M, h, g, a, position, rotation, J = (np.array([row[k] for row in rows]) for k in range(10))
    found = [
        (arm.mass_matrix(q), M),
        (arm.bias(q, v), h),
        (arm.gravity(q), g),
        (arm.accelerations(q, v, tau), a),
        (arm.inverse_dynamics(q, v, a), tau),
        (arm.frame("tool.frame_b", q).position, position),
        (arm.frame("tool.frame_b", q).orientation, np.swapaxes(rotation, 1, 2)),
        (arm.jacobian("tool.frame_b", q), J),
    ]
    for here, there in found:
        np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-10)


def test_table_13() -> None:
    """Torques of the seeker along its trajectory, by one call for all times."""
    rows = np.array(json.loads((REFERENCE / "13_seeker_gimbal.json").read_text())["rows"])
    t = rows[:, 0]
    w = 4 * np.pi
    pitch = np.sin(w * t)
    yaw = np.cos(w * t)
    q = {"pitch": pitch, "yaw": yaw}
    v = {"pitch": w * np.cos(w * t), "yaw": -w * np.sin(w * t)}
    a = {"pitch": -(w**2) * pitch, "yaw": -(w**2) * yaw}
    m = tg.mechanism(Gimbal())
    assert m.coordinates == ("yaw.phi", "pitch.phi")
    np.testing.assert_allclose(m.inverse_dynamics(q, v, a), rows[:, 3:5], atol=1e-12)


def test_inverse_kinematics(arm: tg.Mechanism) -> None:
    wanted = np.array([0.3, 0.4, -0.5, 0.6, 0.7, -0.8])
    pose = arm.frame("tool.frame_b", wanted)
    found = arm.inverse_kinematics("tool.frame_b", (pose.position, pose.orientation), guess=wanted + 0.2)
    assert found.success
    assert "found after" in found.message
    reached = arm.frame("tool.frame_b", found.q)
    np.testing.assert_allclose(reached.position, pose.position, atol=1e-9)
    np.testing.assert_allclose(reached.orientation, pose.orientation, atol=1e-9)
    far = arm.inverse_kinematics("tool.frame_b", [5.0, 0.0, 0.0])
    assert not far.success
    assert "not found" in str(far)
    assert far.error > 2


def test_loops(four_bar: tg.Mechanism) -> None:
    """One degree of freedom; three of five constraints repeat others (a planar loop)."""
    assert four_bar.loops == {"j4": ("j1", "j2", "j3")}
    found = four_bar.freedoms()
    assert (found.tree, found.rank, found.left, len(found.redundant)) == (3, 2, 1, 3)
    q = four_bar.assembled()
    there = four_bar.constraints(q)
    assert np.abs(there.gaps).max() < 1e-11
    assert there.rank == 2
    step = 1e-6 * np.eye(3)
    for k in range(3):
        slope = (four_bar.constraints(q + step[k]).gaps - four_bar.constraints(q - step[k]).gaps) / 2e-6
        np.testing.assert_allclose(there.J[:, k], slope, atol=1e-8)


def test_accelerations_of_a_loop(four_bar: tg.Mechanism) -> None:
    """The compiled model, whose constraints yield by 1e-10, says the same."""
    solution = tg.simulate(FourBar(), stop=0.05, rtol=1e-9)
    q = np.column_stack([solution[name] for name in four_bar.coordinates])[::50]
    v = np.column_stack([solution[name] for name in four_bar.speeds])[::50]
    a = np.column_stack([solution[name.replace(".w", ".a")] for name in four_bar.speeds])[::50]
    np.testing.assert_allclose(four_bar.accelerations(q, v), a, rtol=1e-5, atol=1e-5)


def test_symbols_of_the_double_pendulum() -> None:
    sympy = pytest.importorskip("sympy")
    e = tg.mechanism(DoublePendulum()).symbolic()
    m1, m2, l1, l2, g = (sympy.Symbol(name, real=True) for name in ("m_a", "m_b", "r_a_x", "r_CM_b_x", "g_world"))
    c1 = sympy.Symbol("r_CM_a_x", real=True)
    q1, q2 = e.q
    w1, w2 = e.v
    coupling = m2 * l1 * l2 * sympy.cos(q2)
    M = sympy.Matrix(
        [
            [m1 * c1**2 + m2 * (l1**2 + l2**2) + 2 * coupling, m2 * l2**2 + coupling],
            [m2 * l2**2 + coupling, m2 * l2**2],
        ]
    )
    inertia = m2 * l1 * l2 * sympy.sin(q2)
    outer = m2 * g * l2 * sympy.cos(q1 + q2)
    h = sympy.Matrix(
        [
            -inertia * (2 * w1 * w2 + w2**2) + (m1 * c1 + m2 * l1) * g * sympy.cos(q1) + outer,
            inertia * w1**2 + outer,
        ]
    )
    assert sympy.simplify(e.M - M) == sympy.zeros(2)
    assert sympy.simplify(e.h - h) == sympy.zeros(2, 1)
    assert "\\cos{\\left(\\phi_{second} \\right)}" in e.latex()


def test_symbols_of_the_gimbal_and_their_numbers() -> None:
    sympy = pytest.importorskip("sympy")
    m = tg.mechanism(Gimbal())
    e = m.symbolic()
    A_z, B_x, B_y, B_z = (
        sympy.Symbol(name, real=True) for name in ("I_33_ring", "I_11_optics", "I_22_optics", "I_33_optics")
    )
    q2 = e.q[1]
    expected = sympy.diag(A_z + B_x * sympy.sin(q2) ** 2 + B_z * sympy.cos(q2) ** 2, B_y)
    assert e.M == expected
    q = np.array([0.3, 0.8])
    v = np.array([1.2, -0.7])
    numbers = e.values | dict(zip(e.q, q, strict=True)) | dict(zip(e.v, v, strict=True))
    np.testing.assert_allclose(np.array(e.h.subs(numbers), float).ravel(), m.bias(q, v), atol=1e-15)


def test_symbols_of_a_loop(four_bar: tg.Mechanism) -> None:
    pytest.importorskip("sympy")
    e = four_bar.symbolic(simplify=False)
    q = np.array([0.3, 0.8, -0.4])
    numbers = e.values | dict(zip(e.q, q, strict=True))
    there = four_bar.constraints(q)
    np.testing.assert_allclose(np.array(e.phi.subs(numbers), float).ravel(), there.gaps, atol=1e-14)
    np.testing.assert_allclose(np.array(e.J.subs(numbers), float), there.J, atol=1e-14)


def test_what_it_says(four_bar: tg.Mechanism) -> None:
    text = str(four_bar)
    assert "1 degree of freedom: 3 of the tree, less 2 of 5 independent constraints" in text
    assert "closes a loop over j1, j2, j3" in text
    assert repr(four_bar) == "<Mechanism of FourBar: 3 bodies, 3 freedoms in the tree, 1 loop>"
    assert "<table" in four_bar._repr_html_()
    assert four_bar.lumps[0] == ("world", "base")


@pytest.mark.parametrize("joint", [multibody.Spherical, multibody.FreeMotion])
def test_a_loose_joint_starts_alike_from_either_side(joint: type[Any]) -> None:
    """Where frame_b is on the side of the world, frame_a starts where frame_b would be seen from there."""
    start = {"angles_start": [0.3, 0.5, -0.7], "w_rel_a_start": [1.0, -2.0, 0.5]}
    if joint is multibody.FreeMotion:
        start |= {"r_rel_a_start": [1.0, 2.0, 3.0], "v_rel_a_start": [0.2, 0.1, -0.4]}
    poses = []
    for frames in (("frame_a", "frame_b"), ("frame_b", "frame_a")):
        system = tg.System("Loose")
        system.add(world=multibody.World(), loose=joint(**start), body=multibody.Body(r_CM=[0.1, 0.2, 0.3]))
        system.connect(system.world.frame_b, getattr(system.loose, frames[0]))
        system.connect(getattr(system.loose, frames[1]), system.body.frame_a)
        m = tg.mechanism(system)
        solution = tg.simulate(system, stop=1e-3, points=2)
        speeds = [solution[name.replace("loose.", "loose_joint.")][0] for name in m.speeds]
        velocity = m.jacobian("body.frame_a", m.start) @ speeds
        poses.append((m.frame("body.frame_a", m.start), velocity[:3], velocity[3:]))
    (there, v, w), (back, v_back, w_back) = poses
    R = there.orientation  # the rows are the axes of the body
    np.testing.assert_allclose(back.orientation, R.T, atol=1e-15)
    np.testing.assert_allclose(back.position, -R @ there.position, atol=1e-14)
    np.testing.assert_allclose(w_back, -R @ w, atol=1e-14)
    np.testing.assert_allclose(v_back, R @ (np.cross(w, there.position) - v), atol=1e-14)


class Chain(tg.Component):
    """Joints and bodies in arrays, and a ball joint among them."""

    world = multibody.World()
    joints = multibody.Revolute.array(3)
    rods = multibody.BodyShape.array(3, r=np.tile([0.3, 0, 0], (3, 1)), r_CM=np.tile([0.1, 0, 0], (3, 1)))
    balls = multibody.Spherical.array(1)
    tip = multibody.Body(r_CM=[0.1, 0.1, 0])

    def connections(self) -> Iterator[Any]:
        yield self.world.frame_b, self.joints[0].frame_a
        for k in range(3):
            yield self.joints[k].frame_b, self.rods[k].frame_a
            if k < 2:
                yield self.rods[k].frame_b, self.joints[k + 1].frame_a
        yield self.rods[2].frame_b, self.balls[0].frame_a
        yield self.balls[0].frame_b, self.tip.frame_a


def test_arrays_of_joints() -> None:
    m = tg.mechanism(Chain())
    assert m.coordinates[2:4] == ("joints[2].phi", "balls[0].Q[0]")
    np.testing.assert_allclose(m.frame("tip.frame_a", {"joints[0]": np.pi / 2}).position, [0, 0.9, 0], atol=1e-15)


def test_what_is_refused(arm: tg.Mechanism) -> None:
    with pytest.raises(tg.TellegenError, match=r"there are 6 coordinates, but an array of shape \(5,\)"):
        arm.mass_matrix(np.zeros(5))
    rest = np.zeros(6)
    two, three = np.zeros((2, 6)), np.zeros((3, 6))
    calls = [
        lambda: arm.inverse_dynamics(three, two, rest),
        lambda: arm.accelerations(three, rest, two),
        lambda: arm.mass_matrix({"joint0": rest[:3], "joint1": rest[:2]}),
    ]
    for call in calls:
        with pytest.raises(tg.TellegenError, match="different numbers of samples: 2 and 3"):
            call()
    with pytest.raises(tg.TellegenError, match="perhaps you meant 'joint0'"):
        arm.mass_matrix({"jiont0": 1.0})
    with pytest.raises(tg.TellegenError, match=r"'tool\.frame' is not a frame of Arm6"):
        arm.frame("tool.frame", arm.start)

    class Empty(tg.Component):
        x = tg.variable(start=0.0)

        def equations(self) -> Iterator[Any]:
            yield tg.der(self.x) == 1

    with pytest.raises(tg.TellegenError, match="has no mechanism"):
        tg.mechanism(Empty())
