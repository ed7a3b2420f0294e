"""Robots of URDF files: the arm of the reference tables, every kind of element, and what is wrong in a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from importers.rigid_tree import mass_matrix, poses
from tellegen.importers.assembly.records import Mimic
from tellegen.importers.assembly.shapes import Box, Capsule, Cylinder, Mesh, Sphere

# The arm of reference table 12; its inertias are random matrices, not those of bodies.
ARM = (
    ("joint1", "0 0 0.1", "0 0 1", "0.05 0 0.1", 12, (0.063946, 0.003238, 0.012849, 0.107598, -0.004196, 0.109009)),
    ("joint2", "0.15 0 0.25", "0 1 0", "0 0.02 0.3", 9, (0.058541, -0.009569, -0.022557, 0.060799, 0.024074, 0.089996)),
    ("joint3", "0 0 0.6", "0 1 0", "0.02 -0.01 0.05", 6, (0.134035, 0.018981, 0.054939, 0.050823, -0.005792, 0.106723)),
    ("joint4", "0.1 0 0.1", "1 0 0", "0.25 0 0", 3, (0.016832, 0.004419, 0.001757, 0.036162, 0.009126, 0.029591)),
    ("joint5", "0.5 0 0", "0 1 0", "0.03 0 0", 1.5, (0.010871, 0.000192, -0.002057, 0.007586, 0.000696, 0.017559)),
    ("joint6", "0.1 0 0", "1 0 0", "0.02 0.01 0", 0.5, (0.005646, 0.002803, 0.001988, 0.007494, 0.001358, 0.004276)),
)
# M(q) of the same table, by pinocchio.
M_AT_ZERO = [
    [2.808354, 0.010962, 0.007888, 0.001688, 0.002054, 0.001988],
    [0.010962, 7.182314, 1.871515, 0.003814, 0.08663, -0.000797],
    [0.007888, 1.871515, 1.391515, 0.003814, 0.08663, -0.000797],
    [0.001688, 0.003814, 0.003814, 0.033399, 0.002395, 0.005696],
    [0.002054, 0.08663, 0.08663, 0.002395, 0.02363, 0.002203],
    [0.001988, -0.000797, -0.000797, 0.005696, 0.002203, 0.005696],
]


def arm() -> str:
    """The file of the reference table."""
    lines = ['<robot name="arm6"><link name="base"/>']
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    for k, (joint, origin, axis, centre, mass, inertia) in enumerate(ARM):
        tensor = " ".join(f'{name}="{value}"' for name, value in zip(names, inertia, strict=True))
        parent = "base" if k == 0 else f"l{k - 1}"
        lines.append(f'<link name="l{k}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/><inertia {tensor}/>')
        lines.append(f'</inertial></link><joint name="{joint}" type="revolute"><parent link="{parent}"/>')
        lines.append(f'<child link="l{k}"/><origin xyz="{origin}"/><axis xyz="{axis}"/>')
        lines.append('<limit lower="-3" upper="3" effort="100" velocity="10"/></joint>')
    return "\n".join([*lines, "</robot>"])


def test_the_arm_of_the_reference_table() -> None:
    with pytest.warns(UserWarning, match="the largest exceeds the sum of the others"):
        robot = tg.read_urdf(text=arm(), inertia="any")
    assert [joint.name for joint in robot.joints] == [f"joint{k}" for k in range(1, 7)]
    assert all(joint.actuated for joint in robot.joints)
    assert [part.mass.m for part in robot.parts] == [0, 12, 9, 6, 3, 1.5, 0.5]
    np.testing.assert_allclose(mass_matrix(robot, [0.0] * 6), M_AT_ZERO, atol=1e-12)
    np.testing.assert_allclose(poses(robot, {})["l5"].point(np.array([0.1, 0, 0])), [0.95, 0, 1.05], atol=1e-12)
    assert len(robot.lumps) == 7


def test_impossible_inertias_are_errors_unless_accepted() -> None:
    with pytest.raises(tg.DataError, match="E707: link 'l1': principal moments of inertia"):
        tg.read_urdf(text=arm())


EVERYTHING = """<?xml version="1.0"?>
<robot name="everything" xmlns:xacro="http://ros.org/wiki/xacro">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><box size="1 2 3"/></geometry><material name="blue"/></visual>
    <visual><origin xyz="0 0 1"/><geometry><mesh filename="package://lost/part.stl" scale="1 1 2"/></geometry></visual>
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
  </link>
  <link name="a">
    <inertial>
      <origin xyz="0 1 0" rpy="0 0 1.5707963267948966"/>
      <mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
    <visual><geometry><cylinder radius="0.1" length="2"/></geometry></visual>
    <visual><geometry><capsule radius="0.1" length="2"/></geometry></visual>
  </link>
  <link name="b"/> <link name="c"/> <link name="d"/> <link name="e"/> <link name="f"/>
  <joint name="spin" type="continuous">
    <origin xyz="1 0 0" rpy="1.5707963267948966 0 0"/> <parent link="base"/> <child link="a"/> <axis xyz="0 0 2"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="a"/> <child link="b"/>
    <limit lower="-1" upper="2" effort="5" velocity="3"/>
  </joint>
  <joint name="weld" type="fixed"><parent link="b"/><child link="c"/></joint>
  <joint name="fly" type="floating"><parent link="c"/><child link="d"/></joint>
  <joint name="table" type="planar"><parent link="c"/><child link="e"/><axis xyz="0 0 1"/></joint>
  <joint name="finger" type="revolute">
    <parent link="c"/><child link="f"/><limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="slide" multiplier="-2" offset="0.1"/>
  </joint>
  <gazebo reference="a"/>
</robot>
"""


def test_every_kind_of_element() -> None:
    robot = tg.read_urdf(text=EVERYTHING, base="free")
    joints = {joint.name: joint for joint in robot.found.joints}
    assert {name: joint.kind for name, joint in joints.items()} == {
        "base_base": "free",
        "spin": "revolute",
        "slide": "prismatic",
        "weld": "fixed",
        "fly": "free",
        "table": "planar",
        "finger": "revolute",
    }
    spin, slide, finger = joints["spin"], joints["slide"], joints["finger"]
    np.testing.assert_allclose(spin.direction, [0, -1, 0], atol=1e-15)  # z turned about x
    assert (spin.damping, spin.friction, spin.limits.lower) == (0.5, 0.25, None)
    assert (slide.limits.lower, slide.limits.upper, slide.limits.effort, slide.limits.velocity) == (-1, 2, 5, 3)
    np.testing.assert_allclose(slide.direction, [1, 0, 0], atol=1e-15)
    assert finger.mimic == Mimic("slide", -2, 0.1)
    assert [joint.name for joint in robot.joints if joint.actuated] == ["spin", "slide"]
    parts = {part.name: part for part in robot.parts}
    np.testing.assert_allclose(parts["a"].mass.r_CM, [0, 1, 0])
    np.testing.assert_allclose(parts["a"].mass.I, np.diag([2, 1, 2.5]), atol=1e-15)
    shapes = [placed.shape for part in (parts["base"], parts["a"]) for placed in part.visuals]
    assert shapes == [
        Box((1, 2, 3)),
        Mesh("package://lost/part.stl", (1, 1, 2)),
        Cylinder(0.1, 2),
        Capsule(0.1, 2),
    ]
    assert parts["base"].visuals[0].colour == (0, 0, 1, 1)
    assert parts["base"].collisions[0].shape == Sphere(0.5)
    assert any("lost/part.stl' was not found" in note for note in robot.notes)
    assert any("<gazebo> has no effect" in note for note in robot.notes)
    assert ["b", "c"] in [list(lump.members) for lump in robot.lumps]
    assert "follows slide" in str(robot)


def test_transmissions_say_what_is_actuated() -> None:
    extra = '<transmission name="t"><joint name="slide"/></transmission></robot>'
    robot = tg.read_urdf(text=EVERYTHING.replace("</robot>", extra))
    assert [joint.name for joint in robot.joints if joint.actuated] == ["slide"]


def test_meshes_are_found_in_packages(tmp_path: Path) -> None:
    (tmp_path / "part.stl").write_bytes(b"")
    robot = tg.read_urdf(text=EVERYTHING, packages={"lost": tmp_path})
    assert robot.parts[0].visuals[1].shape == Mesh(str(tmp_path / "part.stl"), (1, 1, 2))


MISTAKES = {
    "no attribute": ('<link name="b"/>', "<link/>", "E511", "has no attribute 'name'"),
    "two links": ('<link name="b"/>', '<link name="a"/>', "E511", "two links are named 'a'"),
    "unknown link": ('<child link="b"/>', '<child link="bb"/>', "E513", "there is no link 'bb'; perhaps you meant 'b'"),
    "two parents": ('<child link="c"/>', '<child link="a"/>', "E513", "is the child of two joints"),
    "unknown type": ('type="fixed"', 'type="fixd"', "E511", "perhaps you meant 'fixed'"),
    "no limit": ('type="continuous"', 'type="revolute"', "E511", "has no <limit>"),
    "limits": ('lower="-1" upper="2"', 'lower="3" upper="2"', "E511", "lower limit 3 is above the upper one"),
    "number": ('value="3"', 'value="three"', "E511", "expected 1 number"),
    "numbers": ('xyz="1 0 0"', 'xyz="1 0"', "E511", "expected 3 numbers"),
    "infinite": ('value="3"', 'value="inf"', "E511", "expected 1 number"),
    "axis": ('xyz="0 0 2"', 'xyz="0 0 0"', "E511", "has no direction"),
    "mass": ('value="3"', 'value="-3"', "E707", "the mass is -3 kg"),
    "inertia": ('izz="2.5"', 'izz="25"', "E707", "the largest exceeds the sum"),
    "geometry": ('<sphere radius="0.5"/>', '<cube size="1"/>', "E511", "a geometry is one shape, not <cube>"),
    "radius": ('<sphere radius="0.5"/>', '<sphere radius="0"/>', "E511", "lengths are positive"),
    "mimic": ('mimic joint="slide"', 'mimic joint="finger"', "E513", "there is no other joint 'finger'"),
    "damping": ('damping="0.5"', 'damping="-0.5"', "E511", "would produce energy"),
    "element": ("<gazebo", "<gazbo", "E511", "<gazbo> is not known"),
    "xml": (
        '</joint>\n  <joint name="weld"',
        '</jont>\n  <joint name="weld"',
        "E510",
        "not well-formed XML: mismatched tag",
    ),
    "entities": ("<robot", '<!DOCTYPE r [<!ENTITY a "aa">]><robot', "E510", "document type declaration"),
    "xacro": ("<gazebo", "<xacro:gazebo", "E512", "macros of xacro"),
    "root": ("robot", "robots", "E511", "<robots> is not a robot"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_errors_with_their_line(name: str) -> None:
    old, new, code, words = MISTAKES[name]
    assert old in EVERYTHING
    text = EVERYTHING.replace(old, new) if name == "root" else EVERYTHING.replace(old, new, 1)
    with pytest.raises(tg.TellegenError) as caught:
        tg.read_urdf(text=text)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.location is not None
    assert caught.value.location.line > 0


def test_wrong_calls() -> None:
    for call in (
        lambda: tg.read_urdf(),
        lambda: tg.read_urdf("nothing.urdf"),
        lambda: tg.read_urdf(text=EVERYTHING, base="hanging"),  # type: ignore[arg-type]
        lambda: tg.read_urdf(3),  # type: ignore[arg-type]
    ):
        with pytest.raises(tg.TellegenError):
            call()


def test_damaged_files_are_errors() -> None:
    """Attributes and elements exchanged, doubled and cut out: nothing but our errors."""
    rng = np.random.default_rng(5)
    words = EVERYTHING.split(" ")
    for _ in range(200):
        damaged = list(words)
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
            str(tg.read_urdf(text=" ".join(damaged)))


def test_text_in_place_of_a_path() -> None:
    with pytest.raises(tg.TellegenError, match=r"E510.*this is the text of a file, not its path: <robot") as caught:
        tg.read_urdf(arm())
    assert len(str(caught.value)) < 400
    with pytest.raises(tg.TellegenError, match="E511") as caught:
        tg.read_urdf(text=arm().replace("\n", " ").replace('"12"', '"12 kg"'))
    assert len(str(caught.value)) < 400
