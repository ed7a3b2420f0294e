"""Assemblies as components: the arm of the reference table, what acts along joints, names, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from importers.test_urdf import arm
from tellegen.library import multibody, rotational, translational

# q, q', torques and accelerations of reference table 12, by pinocchio.
ROWS: list[tuple[list[float], ...]] = [
    (
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [-0.829, -0.526, 0.603, 0.164, -0.812, -0.134],
        [-0.84, -13.61, 9.38, -15.45, -4.35, 0.67],
        [-1.29710325316, -9.40194442223, 60.3799562735, -587.808450198, -346.697100621, 839.72118084],
    ),
    (
        [-0.277, 0.347, 0.951, 1.825, -0.863, 0.594],
        [0.392, -0.415, -0.997, 0.947, -0.403, -0.372],
        [15.67, 3.41, -1.15, 10.93, -18.79, 8.28],
        [19.23346139, 20.1911508081, -5.39735875468, 189.506316513, -950.995444563, 1549.50640925],
    ),
]
AXES = [f"joint{k}" for k in range(1, 7)]


@pytest.fixture(scope="module")
def driven_arm() -> tg.CompiledModel:
    with pytest.warns(UserWarning, match="the largest exceeds"):
        robot = tg.read_urdf(text=arm(), inertia="any").component()

    class Driven(tg.Component):
        world = multibody.World(n=[0, 0, -1])
        arm = robot

        def build(self) -> None:
            for name in AXES:
                setattr(self, f"torque_{name}", rotational.ConstantTorque())

        def connections(self) -> Iterator[Any]:
            yield self.world.frame_b, self.arm.mount
            for name in AXES:
                yield getattr(self, f"torque_{name}").flange, getattr(self.arm, f"axis_{name}")

    return tg.compile(Driven())


@pytest.mark.filterwarnings("ignore:.*no body has|.*triangle|.*inertia")
def test_accelerations_of_the_arm_from_its_file(driven_arm: tg.CompiledModel) -> None:
    """The table has 12 digits."""
    for q, v, torques, expected in ROWS:
        initial = {f"arm.{name}.phi": value for name, value in zip(AXES, q, strict=True)}
        initial |= {f"arm.{name}.w": value for name, value in zip(AXES, v, strict=True)}
        parameters = {f"torque_{name}.tau_constant": value for name, value in zip(AXES, torques, strict=True)}
        solution = driven_arm.simulate(stop=1e-6, initial=initial, parameters=parameters)
        found = [solution[f"arm.{name}.a"][0] for name in AXES]
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-9)


HINGE = """<robot name="swing">
  <link name="hinge"/>
  <link name="left-arm"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="tip"/>
  <joint name="hinge" type="revolute"><parent link="hinge"/><child link="left-arm"/><axis xyz="0 1 0"/>
    <limit lower="-0.2" upper="0.3" effort="1" velocity="1"/><dynamics damping="0.4" friction="{friction}"/></joint>
  <joint name="weld" type="fixed"><parent link="left-arm"/><child link="tip"/><origin xyz="0 0 -1" rpy="0 1 0"/></joint>
</robot>"""
J = 0.1 + 2 * 0.5**2


def test_damping_limits_and_names(tmp_path: Path) -> None:
    """A damped pendulum against the linear one at small angles; beyond its limits it warns."""
    robot = tg.read_urdf(text=HINGE.format(friction=0.0))
    model = robot.component(world=True)
    assert (model.joints, model.parts) == (
        {"hinge": "hinge"},
        {"hinge": "hinge_", "left-arm": "left_arm", "tip": "tip"},
    )
    solution = tg.simulate(model, stop=2.0, initial={"hinge.phi": 1e-4}, rtol=1e-8)
    a, w0 = 0.4 / (2 * J), np.sqrt(2 * 9.81 * 0.5 / J)
    w = np.sqrt(w0**2 - a**2)
    t = np.asarray(solution.time)
    expected = 1e-4 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    np.testing.assert_allclose(solution["hinge.phi"], expected, atol=2e-10)
    solution.animate().save(tmp_path / "swing.glb")  # arms of no length are not drawn
    assert (tmp_path / "swing.glb").stat().st_size > 1000
    with pytest.warns(UserWarning, match="'hinge' is above its upper limit, 0.3 rad"):
        tg.simulate(model, stop=0.1, initial={"hinge.phi": 0.5})


def test_dry_friction_holds() -> None:
    """The weight turns with 2 9.81 0.5 sin(0.2) = 1.95 N.m: less than the friction."""
    model = tg.read_urdf(text=HINGE.format(friction=2.5)).component(world=True)
    solution = tg.simulate(model, stop=0.5, initial={"hinge.phi": 0.2})
    np.testing.assert_allclose(solution["hinge.phi"], 0.2, atol=1e-6)


GRIPPER = """<mujoco><worldbody>
  <body name="right"><joint name="r" type="slide" axis="1 0 0"/>
    <geom type="box" size="0.1 0.1 0.1" mass="2"/></body>
  <body name="left" pos="0 0 1"><joint name="l" type="hinge" axis="0 1 0"/>
    <geom type="sphere" size="0.1" mass="3"/></body>
</worldbody><equality><joint joint1="l" joint2="r" polycoef="0.1 -2"/></equality>
<actuator><motor joint="r"/></actuator></mujoco>"""


def test_a_joint_that_follows_another_one() -> None:
    """x drives phi = 0.1 - 2 x: the mass felt at x is m + 4 J."""

    class Pushed(tg.Component):
        world = multibody.World(n=[0, 0, -1])
        gripper = tg.read_mjcf(text=GRIPPER).component()
        push = translational.ConstantForce(f_constant=5.0)

        def connections(self) -> Iterator[Any]:
            yield self.world.frame_b, self.gripper.mount
            yield self.push.flange, self.gripper.axis_r

    solution = tg.simulate(Pushed(), stop=1.0)
    inertia = 0.4 * 3 * 0.1**2
    moved = solution["gripper.r.s"][-1] - solution["gripper.r.s"][0]
    assert moved == pytest.approx(0.5 * 5.0 / (2 + 4 * inertia), rel=1e-6)
    np.testing.assert_allclose(solution["gripper.l.phi"], 0.1 - 2 * solution["gripper.r.s"], atol=1e-9)


def test_a_body_without_mass_at_the_end_is_an_error() -> None:
    text = HINGE.format(friction=0.0).replace('type="fixed"', 'type="continuous"')
    with pytest.raises(tg.NetlistError, match="E516: 'tip' has no mass and moves at 'weld'"):
        tg.read_urdf(text=text).component()


def test_an_assembly_that_is_not_mounted() -> None:
    class Loose(tg.Component):
        world = multibody.World()
        arm = tg.read_urdf(text=HINGE.format(friction=0.0)).component()

    with pytest.raises(tg.StructureError, match=r"E233[\s\S]*no joint connects it with the World[\s\S]*'arm.mount'"):
        tg.compile(Loose())


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "swing.urdf"
    file.write_text(HINGE.format(friction=0.0))
    robot = tg.read_urdf(file)
    model = robot.component(world=True)
    tg.flatten(model)
    file.write_text(HINGE.format(friction=1.25))
    with pytest.warns(UserWarning, match="swing.urdf' has changed since it was read"):
        tg.flatten(robot.component(world=True))
    assert [change.what for change in robot.refresh().changes] == ["friction 0.0 -> 1.25"]
    tg.flatten(robot.component(world=True))
