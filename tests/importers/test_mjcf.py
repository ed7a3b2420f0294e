"""MuJoCo's models: numbers of MuJoCo 4.0 for a model with every form of orientation, couplings, and refusals."""

from __future__ import annotations

from contextlib import suppress
from math import radians
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from importers.rigid_tree import mass_matrix, poses
from tellegen.importers.assembly.records import Mimic
from tellegen.importers.assembly.shapes import Box, Capsule, Cylinder

MODEL = """<mujoco model="crane">
  <compiler angle="degree" eulerseq="zXy"/>
  <option timestep="0.001"/>
  <default>
    <geom density="800"/>
    <default class="heavy"> <geom density="3000"/> <joint damping="0.5"/> </default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <light pos="0 0 3"/>
    <body name="mast" pos="0 0 0.5" axisangle="1 2 3 40">
      <joint name="slew" axis="0 0 2" range="-90 120" ref="10" frictionloss="0.1" armature="0.02"/>
      <geom type="capsule" fromto="0 0 0  0.1 0.2 0.8" size="0.05"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0 0 0.1" euler="10 20 30" mass="2"/>
      <body name="jib" pos="0.2 0.1 0.8" xyaxes="1 0.5 0  0 1 0.2" childclass="heavy">
        <joint name="luff" type="hinge" axis="1 1 0" pos="0 0.05 0"/>
        <joint name="extend" type="slide" axis="0 0.6 0.8" range="0 0.5" stiffness="100" springref="0.2"/>
        <geom type="cylinder" size="0.03 0.4" zaxis="1 1 1"/>
        <frame pos="0.1 0 0" quat="0.5 0.5 0.5 0.5">
          <geom type="ellipsoid" size="0.1 0.05 0.07" class="main"/>
          <body name="hook" pos="0 0 -0.3">
            <inertial pos="0.01 0.02 0.03" mass="1.5" fullinertia="0.02 0.03 0.025 0.001 0.002 0.003"/>
            <joint name="swing" axis="0 1 0"/>
            <site name="tip"/>
          </body>
        </frame>
      </body>
    </body>
  </worldbody>
  <actuator> <motor name="drive" joint="slew"/> <position joint="luff" kp="100"/> </actuator>
</mujoco>
"""
Q = [0.3, -0.5, 0.2, 0.7]  # slew, luff, extend, swing, from the drawn position
M_OF_MUJOCO: list[list[float]] = [
    [0.8812624439575, -0.401510025572, 1.37110423716, 0.03433802619012],
    [-0.401510025572, 0.4793136016735, -0.1680161511531, -0.005226415024432],
    [1.37110423716, -0.1680161511531, 9.458701389094, 0.01485277987154],
    [0.03433802619012, -0.005226415024432, 0.01485277987154, 0.0315],
]
HOOK: list[float] = [0.2166215406522, -0.04499974435397, 1.36597015059]
MASSES = {"mast": 7.638084721254, "jib": 7.958701389094, "hook": 1.5}


def test_numbers_of_mujoco() -> None:
    robot = tg.read_mjcf(text=MODEL)
    assert robot.name == "crane"
    assert [joint.name for joint in robot.joints] == ["slew", "luff", "extend", "swing"]
    found = mass_matrix(robot, Q) + np.diag([joint.armature for joint in robot.joints])
    np.testing.assert_allclose(found, M_OF_MUJOCO, rtol=1e-10, atol=1e-12)
    values: dict[str, float] = dict(zip(("slew", "luff", "extend", "swing"), Q, strict=True))
    np.testing.assert_allclose(poses(robot, values)["hook"].r, HOOK, atol=1e-12)
    masses = {part.name: part.mass.m for part in robot.parts}
    assert masses == pytest.approx({**MASSES, "jib_luff": 0.0}, rel=1e-12)


def test_joints_and_what_is_noted() -> None:
    robot = tg.read_mjcf(text=MODEL)
    joints = {joint.name: joint for joint in robot.joints}
    slew = joints["slew"]
    assert (slew.limits.lower, slew.limits.upper) == pytest.approx((radians(-100), radians(110)))
    assert (slew.friction, slew.armature, slew.damping) == (0.1, 0.02, 0.0)
    assert (joints["extend"].stiffness, joints["extend"].reference, joints["luff"].damping) == (100.0, 0.2, 0.5)
    assert [name for name, joint in joints.items() if joint.actuated] == ["slew", "luff"]
    assert any("'drive'> makes 'slew' an actuated joint" in note for note in robot.notes)
    shapes = [type(placed.shape) for part in robot.parts for placed in part.visuals]
    assert shapes[:3] == [Capsule, Box, Cylinder]


COUPLED = """<mujoco>
  <worldbody>
    <body name="a"> <joint name="q1"/> <geom size="0.1"/> </body>
    <body name="b" pos="1 0 0"> <joint name="q2"/> <geom size="0.1"/> </body>
    <body name="c" pos="2 0 0"> <joint type="ball" name="ball"/> <geom size="0.1"/> </body>
    <body name="d" pos="3 0 0"> <freejoint/> <geom size="0.1"/> </body>
    <body name="e" pos="3 1 0"> <geom size="0.1"/> </body>
  </worldbody>
  <equality>
    <connect body1="b" body2="c" anchor="0.5 0 0"/>
    <weld body1="e" body2="d"/>
    <joint joint1="q1" joint2="q2" polycoef="0.1 -2"/>
    <connect body1="a" body2="c" anchor="0 0 0" active="false"/>
  </equality>
</mujoco>"""


def test_equalities_are_joints() -> None:
    robot = tg.read_mjcf(text=COUPLED)
    joints = {joint.name: joint for joint in robot.found.joints}
    assert joints["q1"].mimic == Mimic("q2", -2.0, 0.1)
    assert (joints["b_c_connect"].kind, joints["e_d_weld"].kind, joints["ball"].kind) == (
        "spherical",
        "fixed",
        "spherical",
    )
    np.testing.assert_allclose(joints["b_c_connect"].point, [1.5, 0, 0])
    assert "a_c_connect" not in joints
    # d moves freely by itself, but is welded to e, which is fixed to the world.
    assert [lump.members for lump in robot.lumps if "d" in lump.members] == [("world", "d", "e")]
    assert any("'d_joint' (free) joins two parts of one lump" in note for note in robot.notes)


REFUSED = {
    "class": (MODEL, 'class="main"', 'class="light"', "E511", "there is no default class 'light'"),
    "global": (MODEL, 'angle="degree"', 'coordinate="global"', "E512", "coordinate='global'"),
    "angle": (MODEL, 'angle="degree"', 'angle="gradian"', "E511", "angle='gradian'"),
    "total mass": (MODEL, 'angle="degree"', 'settotalmass="3"', "E512", "settotalmass"),
    "type": (MODEL, 'type="cylinder"', 'type="cone"', "E511", "type='cone'"),
    "size": (MODEL, 'size="0.03 0.4"', 'size="0.03"', "E511", "size of <geom> (cylinder) has 1 numbers"),
    "two orientations": (MODEL, 'zaxis="1 1 1"', 'zaxis="1 1 1" euler="0 0 0"', "E511", "two orientations"),
    "attribute": (MODEL, 'stiffness="100"', 'springdamper="1 1"', "E512", "springdamper of a joint"),
    "negative": (MODEL, 'damping="0.5"', 'damping="-1"', "E511", "would produce energy"),
    "inertia": (MODEL, "0.02 0.03 0.025", "0.02 0.03 0.25", "E707", "the largest exceeds the sum"),
    "tendon": (MODEL, "<actuator>", "<tendon><fixed/></tendon><actuator>", "E512", "tendons are not supported"),
    "section": (MODEL, "<option", "<options", "E511", "<options> is not known"),
    "fluid": (MODEL, 'timestep="0.001"', 'viscosity="0.1"', "E512", "forces of a fluid"),
    "replicate": (MODEL, '<site name="tip"/>', "<replicate/>", "E512", "<replicate> is not supported"),
    "actuator": (MODEL, 'joint="slew"', 'joint="slow"', "E513", "perhaps you meant 'slew'"),
    "site actuator": (MODEL, 'joint="slew"', 'site="tip"', "E512", "does not act on a joint"),
    "range": (MODEL, 'range="-90 120"', 'range="90 20"', "E511", "90 is above 20"),
    "names": (COUPLED, 'body name="b"', 'body name="a"', "E513", "two bodies are named 'a'"),
    "body": (COUPLED, 'body1="e"', 'body1="f"', "E513", "there is no body 'f'"),
    "polynomial": (COUPLED, "0.1 -2", "0.1 -2 1 0 0", "E512", "beyond a straight line"),
    "relpose": (COUPLED, 'body2="d"', 'body2="d" relpose="0 0 1 1 0 0 0"', "E512", "another position"),
    "tendons": (COUPLED, "<weld ", "<tendon ", "E512", "<tendon> in <equality>"),
    "root": (COUPLED, "mujoco", "robot", "E511", "robots are read by tg.read_urdf"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_supported_is_an_error_with_its_line(name: str) -> None:
    text, old, new, code, words = REFUSED[name]
    assert old in text
    with pytest.raises(tg.TellegenError) as caught:
        tg.read_mjcf(text=text.replace(old, new) if name == "root" else text.replace(old, new, 1))
    assert (caught.value.code, words in str(caught.value)) == (code, True), str(caught.value)
    assert caught.value.location is not None


def test_included_files(tmp_path: Path) -> None:
    begin = MODEL.index("  <default>")
    end = MODEL.index("  <worldbody>")
    (tmp_path / "defaults.xml").write_text(f"<mujocoinclude>{MODEL[begin:end]}</mujocoinclude>")
    (tmp_path / "crane.xml").write_text(MODEL[:begin] + '<include file="defaults.xml"/>' + MODEL[end:])
    robot = tg.read_mjcf(tmp_path / "crane.xml")
    np.testing.assert_allclose(mass_matrix(robot, Q), mass_matrix(tg.read_mjcf(text=MODEL), Q), rtol=1e-14)
    assert [Path(stamp.path).name for stamp in robot.files] == ["crane.xml", "defaults.xml"]
    (tmp_path / "defaults.xml").write_text('<mujocoinclude><include file="defaults.xml"/></mujocoinclude>')
    with pytest.raises(tg.NetlistError, match="does a file include itself"):
        tg.read_mjcf(tmp_path / "crane.xml")


def test_damaged_files_are_errors() -> None:
    """Attributes and elements exchanged, doubled and cut out: nothing but our errors."""
    rng = np.random.default_rng(6)
    for k in range(200):
        damaged = (MODEL if k % 2 else COUPLED).split(" ")
        for _ in range(int(rng.integers(1, 4))):
            a, b = rng.integers(0, len(damaged), 2)
            kind = rng.integers(0, 4)
            if kind == 0:
                damaged[a], damaged[b] = damaged[b], damaged[a]
            elif kind == 1:
                damaged[a] = damaged[b]
            elif kind == 2:
                damaged[a] = ""
            else:
                text = damaged[a]
                cut = int(rng.integers(0, len(text) + 1))
                damaged[a] = text[:cut] + chr(int(rng.integers(1, 300))) + text[cut + 1 :]
        with suppress(tg.NetlistError, tg.DataError):
            str(tg.read_mjcf(text=" ".join(damaged)))
