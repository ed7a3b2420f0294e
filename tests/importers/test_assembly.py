"""Assemblies: decisions of the user, saving and loading, differences. No CAD kernel is needed for any of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import tellegen as tg
from tellegen.importers.assembly.difference import difference
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Pose
from tellegen.importers.assembly.records import JointRecord, Parts, RigidPart, UnclearContact
from tellegen.importers.assembly.shapes import Box

X = np.array([1.0, 0.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])


def hinge_parts() -> Parts:
    """A door with two hinges, found from geometry."""
    frame = RigidPart("frame", Box((0.1, 0.1, 2.0)).mass_properties(700))
    door = RigidPart("door", Box((0.8, 0.04, 2.0)).mass_properties(500), Pose(np.array([0.5, 0.0, 0.0])))
    knob = RigidPart("knob", Box((0.05, 0.05, 0.05)).mass_properties(7850), Pose(np.array([0.8, 0.05, 0.0])))
    hinges = [
        JointRecord(
            name, "revolute", "frame", "door", Pose(np.array([0.1, 0.0, z])), evidence="cylinder", accepted=False
        )
        for name, z in (("low", -0.8), ("high", 0.8))
    ]
    ground = JointRecord("frame_ground", "fixed", "world", "frame")
    return Parts((frame, door, knob), (ground, *hinges), unclear=(UnclearContact("door", "knob", "2 planes"),))


def door() -> tg.Assembly:
    return tg.Assembly("door", hinge_parts())


def test_decisions() -> None:
    assembly = door()
    with pytest.raises(tg.NetlistError, match="not accepted yet: 'low' \\(revolute\\), 'high'"):
        assembly.checked()
    assembly.accept("low", "h*")
    with pytest.raises(tg.NetlistError, match="E516: these contacts are not joints: door - knob: 2 planes"):
        assembly.checked()
    assembly.glue("door", "knob")
    reduced = assembly.checked()
    assert [lump.members for lump in reduced.lumps] == [("world", "frame"), ("door", "knob")]
    assert [joint.name for joint in reduced.joints] == ["low"]
    assert any("'high' repeats 'low'" in note for note in assembly.notes)
    total = reduced.lump_of("knob").mass
    assert total.m == pytest.approx(0.8 * 0.04 * 2.0 * 500 + 0.05**3 * 7850)
    assert "low" in str(assembly)
    assert "accepted: cylinder" in assembly._repr_html_()


def test_an_actuated_hinge_is_kept_and_two_are_an_error() -> None:
    parts = hinge_parts()
    low, high = parts.joints[1:]
    driven = replace(parts, joints=(parts.joints[0], low, replace(high, actuated=True)), unclear=())
    assert [joint.name for joint in tg.Assembly("door", driven).accept().checked().joints] == ["high"]
    both = replace(driven, joints=(parts.joints[0], replace(low, actuated=True), replace(high, actuated=True)))
    with pytest.raises(tg.NetlistError, match=r"E516: 'low' .* and 'high' .* are both actuated"):
        tg.Assembly("door", both).accept().checked()
    askew = replace(high, pose=Pose(np.array([0.101, 0.0, 0.8])))
    bent = replace(driven, joints=(parts.joints[0], low, askew))
    with pytest.raises(tg.NetlistError, match=r"E516: 'low' .* permit no common motion: they are fully constrained"):
        tg.Assembly("door", bent).accept().checked()
    assert "fully constrained" in str(tg.Assembly("door", bent))


def test_joints_may_be_stated_and_removed() -> None:
    assembly = door().accept().separate("door", "knob")
    assembly.joint("door", "knob", name="turn", kind="revolute", point=[0.8, 0, 0], axis=[0, 2, 0], actuated=True)
    joint = next(joint for joint in assembly.checked().joints if joint.name == "turn")
    np.testing.assert_allclose(joint.direction, [0, 1, 0])
    assembly.joint("frame", "door", name="hinge")
    assert [joint.name for joint in assembly.joints] == ["hinge", "turn"]
    assembly.separate("frame", "door")
    assert [joint.name for joint in assembly.joints] == ["turn"]


WRONG: dict[str, tuple[Callable[[tg.Assembly], object], str]] = {
    "part": (lambda a: a.glue("door", "nob"), "there is no part 'nob'; perhaps you meant 'knob'"),
    "one part": (lambda a: a.glue("door"), "glue needs two parts or more"),
    "pattern": (lambda a: a.glue("x*", "door"), "there is no part"),
    "nothing found": (lambda a: a.joint("frame", "knob"), "nothing was found between 'frame' and 'knob'"),
    "kind": (lambda a: a.joint("frame", "door", kind="hinge"), "'hinge' is not a kind of joint"),
    "axis": (lambda a: a.joint("frame", "door", axis=[0, 0]), "axis has three numbers"),
    "zero": (lambda a: a.joint("frame", "door", axis=[0, 0, 0]), "the axis is zero"),
    "name": (lambda a: a.joint("frame", "door", name="high"), "two joints are named 'high'"),
    "accept": (lambda a: a.accept("hihg"), "no joint is named 'hihg'; perhaps you meant 'high'"),
    "separate": (lambda a: a.separate("frame", "knob"), "there is no joint between 'frame' and 'knob'"),
    "refresh": (lambda a: a.refresh(), "was not read from a file"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_decisions(name: str) -> None:
    call, words = WRONG[name]
    with pytest.raises(tg.NetlistError, match=words) as caught:
        call(door())
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


def test_saved_assemblies_are_the_same(tmp_path: Path) -> None:
    assembly = door().accept().glue("door", "knob").joint("frame", "door", name="hinge", actuated=True)
    assembly.save(tmp_path / "door.json")
    loaded = tg.Assembly.load(tmp_path / "door.json")
    assert str(loaded) == str(assembly)
    assert not difference("door", assembly.found, loaded.found)
    again = tmp_path / "again.json"
    loaded.save(again)
    assert again.read_text() == (tmp_path / "door.json").read_text()


def test_damaged_saved_assemblies_are_errors(tmp_path: Path) -> None:
    door().accept().glue("door", "knob").save(tmp_path / "door.json")
    text = (tmp_path / "door.json").read_text()
    rng = np.random.default_rng(8)
    words = text.split('"')
    for _ in range(150):
        damaged = list(words)
        a, b = rng.integers(0, len(words), 2)
        damaged[a] = damaged[b] if rng.random() < 0.7 else ""
        (tmp_path / "bad.json").write_text('"'.join(damaged))
        with suppress(tg.NetlistError, tg.DataError):
            str(tg.Assembly.load(tmp_path / "bad.json"))
    for text in ("[]", "3", json.dumps({"is": "Pose"}), '{"sha256": "0", "record": {"is": "os"}}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(tg.NetlistError, match=r"E510: .* is not an assembly that was saved"):
            tg.Assembly.load(tmp_path / "bad.json")


def test_what_changed_is_listed() -> None:
    before = hinge_parts()
    frame, leaf, knob = before.parts
    heavier = replace(leaf, mass=Box((0.8, 0.04, 2.0)).mass_properties(550))
    moved = replace(before.joints[1], pose=Pose(np.array([0.102, 0.0, -0.8])))
    turned = replace(before.joints[2], axis=np.array([0.0, np.sin(0.01), np.cos(0.01)]), damping=0.5)
    bell = RigidPart("bell", MassProperties(1.0, np.zeros(3), np.eye(3) * 0.01))
    after = Parts((frame, heavier, replace(knob, name="handle"), bell), (before.joints[0], moved, turned))
    found = {(change.of, change.what) for change in difference("door", before, after).changes}
    assert ("door", "mass 32 -> 35.2 kg") in found
    assert any(of == "door" and what.startswith("inertia") for of, what in found)
    assert ("handle", "was called 'knob'") in found
    assert ("bell", "a new part, 1 kg") in found
    assert ("low", "axis moved by 2 mm") in found
    assert ("high", "axis turned by 0.573 degrees") in found
    assert ("high", "damping 0.0 -> 0.5") in found
    gone = replace(before, joints=before.joints[:1], parts=before.parts[:2])
    found = {(change.of, change.what) for change in difference("door", before, gone).changes}
    assert ("knob", "the part is missing") in found
    assert ("low", "frame - door: the revolute joint vanished") in found
    assert not difference("door", before, before)


def test_changes_that_would_turn_signs_and_names_are_listed() -> None:
    """A joint with another name or an axis that points the other way moves the model in another way."""
    before = hinge_parts()
    low = before.joints[1]

    def changes(joint: JointRecord) -> set[tuple[str, str]]:
        after = replace(before, joints=(before.joints[0], joint, *before.joints[2:]))
        return {(change.of, change.what) for change in difference("door", before, after).changes}

    assert changes(replace(low, name="lower")) == {("lower", "was called 'low'")}
    assert changes(replace(low, axis=-low.axis)) == {("low", "axis turned by 180 degrees")}
    assert changes(replace(low, start=0.2)) == {("low", "start 0.0 -> 0.2")}
    (swapped,) = changes(replace(low, parent=low.child, child=low.parent))
    assert "in the other direction" in swapped[1]
    knob = before.parts[2]
    turned = replace(knob, pose=Pose(knob.pose.r, Rotation.from_rotvec([0.0, 0.0, 0.1]).as_matrix() @ knob.pose.R))
    after = replace(before, parts=(*before.parts[:2], turned))
    assert ("knob", "frame turned by 5.73 degrees") in {
        (change.of, change.what) for change in difference("door", before, after).changes
    }


def test_a_robot_is_read_again(tmp_path: Path) -> None:
    text = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
    path = tmp_path / "r.urdf"
    path.write_text(text)
    robot = tg.read_urdf(path, base="free")
    robot.save(tmp_path / "r.json")
    loaded = tg.Assembly.load(tmp_path / "r.json")
    path.write_text(text.replace('value="1"', 'value="1.5"').replace("continuous", "fixed"))
    assert loaded.changed_files == [str(path)]
    found = loaded.refresh()
    assert [(change.of, change.what) for change in found.changes] == [
        ("b", "mass 1 -> 1.5 kg"),
        ("j", "kind revolute -> fixed"),
        ("j", "actuated True -> False"),
    ]
    assert loaded.found.joints[0].kind == "free"
    assert not loaded.changed_files
    assert str(found).startswith("r: 3 changes")


def test_the_seeker_that_was_saved_has_three_lumps_and_two_joints() -> None:
    """Tables 1 to 3 of the thesis, from a CAD assembly; what examples/seeker.py runs without the kernel."""
    seeker = tg.Assembly.load(Path(__file__).resolve().parents[2] / "examples" / "data" / "seeker.json")
    reduced = seeker.checked()
    assert len(seeker.parts) == 9
    assert {frozenset(lump.members) for lump in reduced.lumps} == {
        frozenset({"world", "housing", "pitch_connector_a", "pitch_connector_b"}),
        frozenset({"gimbal_ring", "yaw_connector_a", "yaw_connector_b"}),
        frozenset({"camera", "shaft_a", "shaft_b"}),
    }
    assert [(joint.name, joint.kind, joint.actuated) for joint in reduced.joints] == [
        ("pitch", "revolute", True),
        ("yaw", "revolute", True),
    ]
    assert reduced.freedoms == 2
    assert sum("repeats" in note for note in seeker.notes) == 2
