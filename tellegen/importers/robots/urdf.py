"""`tg.read_urdf`: links and joints of a robot (Unified Robot Description Format)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tellegen.errors import NetlistError, nearest, users_call
from tellegen.importers.assembly.assembly import Assembly
from tellegen.importers.assembly.pose import IDENTITY, Pose
from tellegen.importers.assembly.records import WORLD, JointRecord, Origin, Parts, RigidPart, moved_joint
from tellegen.importers.robots.urdf_elements import Reading, joint_of, link_of
from tellegen.importers.robots.xml_elements import Document, Element, check_choice, read_document
from tellegen.network.mechanics.twists import FIXED, FREE

KNOWN = ("link", "joint", "material", "transmission")
WITHOUT_EFFECT = ("gazebo", "sensor", "ros2_control", "group", "loop_joint")


@users_call
def read_urdf(
    path: str | os.PathLike[str] | None = None,
    *,
    base: Literal["fixed", "free"] = "fixed",
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    inertia: Literal["checked", "any"] = "checked",
    text: str | None = None,
) -> Assembly:
    """A robot of a URDF file as an assembly: `print(robot)` shows it, `robot.component()` simulates it.

    `base="fixed"` holds the root link in the world, `base="free"` lets it move. `packages` says in which folder
    `package://name/...` is. Joints that a <transmission> names are actuated; where the file has none, all joints with
    one freedom that follow no other joint. `inertia="any"` accepts, with a warning, moments of inertia that no rigid
    body has. `text` is a file as a string. What is wrong is an error with its line;
    `robot.notes` lists what has no effect here.
    """
    check_choice("base", base, ("fixed", "free"))
    check_choice("inertia", inertia, ("checked", "any"))
    document = read_document(path, text, "read_urdf")
    folders = {name: Path(folder) for name, folder in (packages or {}).items()}
    reading = Reading(document.folder, folders, lenient=inertia == "any")
    found = _robot(document, base, reading)

    name = document.root.attributes.get("name") or document.name
    if document.stamp is None:
        return Assembly(name, found)
    options = {"base": base, "packages": {key: str(folder) for key, folder in folders.items()}, "inertia": inertia}
    origin = Origin("read_urdf", document.stamp.path, json.dumps(options))
    return Assembly(name, found, files=(document.stamp,), origin=origin)


@dataclass
class _Tree:
    """Links by name, and the joint above and the joints below each."""

    links: dict[str, RigidPart] = field(default_factory=dict)
    above: dict[str, JointRecord] = field(default_factory=dict)
    below: dict[str, list[JointRecord]] = field(default_factory=dict)


def _robot(document: Document, base: str, reading: Reading) -> Parts:
    root = document.root
    if root.tag != "robot":
        advice = (
            "MuJoCo's files are read by tg.read_mjcf" if root.tag == "mujoco" else "the outermost element is <robot>"
        )
        raise root.wrong(f"<{root.tag}> is not a robot", advice)
    if any(child.tag.startswith("xacro:") for child in root.children):
        raise root.unsupported("this file has macros of xacro", "expand them first: xacro robot.xacro > robot.urdf")
    notes = [f"{child.location}: <{child.tag}> has no effect" for child in root.children if child.tag in WITHOUT_EFFECT]
    for child in root.children:
        if child.tag not in KNOWN + WITHOUT_EFFECT:
            raise child.wrong(f"<{child.tag}> is not known in a robot; {nearest(child.tag, KNOWN)}", "remove it")
    tree = _tree(root, reading)
    base_link = _root_link(root, tree)
    parts, joints = _placed(base_link, tree, base)
    return Parts(tuple(parts), tuple(joints), (*notes, *reading.notes))


def _tree(root: Element, reading: Reading) -> _Tree:
    tree = _Tree()
    colours = reading.colours(root)
    for element in root.all("link"):
        link = link_of(element, reading, colours)
        if link.name in tree.links:
            raise element.wrong(f"two links are named '{link.name}'", "choose another name")
        tree.links[link.name] = link
    driven = {joint.word("name") for transmission in root.all("transmission") for joint in transmission.all("joint")}
    names: set[str] = set()
    for element in root.all("joint"):
        joint = joint_of(element, driven or None)
        _check_ends(element, joint, tree, names)
        names.add(joint.name)
        tree.above[joint.child] = joint
        tree.below.setdefault(joint.parent, []).append(joint)
    _check_references(root, names)
    return tree


def _check_ends(element: Element, joint: JointRecord, tree: _Tree, names: set[str]) -> None:
    if joint.name in names:
        raise element.wrong(f"two joints are named '{joint.name}'", "choose another name")
    for link in (joint.parent, joint.child):
        if link not in tree.links:
            what = f"joint '{joint.name}': there is no link '{link}'; {nearest(link, tree.links)}"
            raise NetlistError("E513", what, location=element.location, advice="define the link")
    if joint.parent == joint.child:
        what = f"joint '{joint.name}' connects the link '{joint.child}' with itself"
        raise NetlistError("E513", what, location=element.location, advice="name two links")
    if joint.child in tree.above:
        other = tree.above[joint.child].name
        what = f"the link '{joint.child}' is the child of two joints, '{other}' and '{joint.name}'"
        raise NetlistError("E513", what, location=element.location, advice="a robot of a URDF file is a tree")


def _check_references(root: Element, names: set[str]) -> None:
    for transmission in root.all("transmission"):
        for joint in transmission.all("joint"):
            _check_joint_name(joint, joint.word("name"), names)
    for element in root.all("joint"):
        mimic = element.child("mimic")
        if mimic is not None:
            _check_joint_name(mimic, mimic.word("joint"), names - {element.word("name")})


def _check_joint_name(element: Element, name: str, names: set[str]) -> None:
    if name not in names:
        what = f"there is no other joint '{name}'; {nearest(name, names)}"
        raise NetlistError("E513", what, location=element.location, advice="name a joint of this robot")


def _root_link(root: Element, tree: _Tree) -> str:
    tops = [name for name in tree.links if name not in tree.above]
    if len(tops) == 1:
        return tops[0]
    if not tree.links:
        raise NetlistError("E513", "the robot has no links", location=root.location, advice="<link name='base'/>")
    if not tops:
        what = "every link is the child of a joint: the joints form a closed loop"
        raise NetlistError("E513", what, location=root.location, advice="a robot of a URDF file is a tree")
    what = f"the links {', '.join(map(repr, tops))} have no parent: a robot has one root"
    raise NetlistError("E513", what, location=tree.links[tops[1]].location, advice="connect them by joints")


def _placed(base_link: str, tree: _Tree, base: str) -> tuple[list[RigidPart], list[JointRecord]]:
    """Links and joints from the root outwards, with their poses in the world while all joints are at zero."""
    link = tree.links[base_link]
    if base_link == WORLD and base == "free":
        what = "the root link is named 'world', which does not move"
        raise NetlistError("E513", what, location=link.location, advice="base='fixed'")
    parts: list[RigidPart] = []
    joints: list[JointRecord] = []
    if base_link != WORLD:
        kind = FIXED if base == "fixed" else FREE
        parts.append(link)
        joints.append(JointRecord(f"{base_link}_base", kind, WORLD, base_link, location=link.location))
    poses = {base_link: IDENTITY}
    waiting = [base_link]
    while waiting:
        parent = waiting.pop(0)
        for joint in tree.below.get(parent, []):
            pose: Pose = poses[parent] @ joint.pose
            poses[joint.child] = pose
            child = tree.links[joint.child]
            if joint.child == WORLD:
                what = "a link named 'world' is the root or is not there at all"
                raise NetlistError("E513", what, location=child.location, advice="choose another name")
            parts.append(RigidPart(child.name, child.mass, pose, child.visuals, child.collisions, child.location))
            joints.append(moved_joint(joint, poses[parent]))
            waiting.append(joint.child)
    if len(poses) < len(tree.links):
        lost = next(name for name in tree.links if name not in poses)
        what = f"the link '{lost}' is in a closed loop of joints that the root '{base_link}' is not part of"
        raise NetlistError("E513", what, location=tree.links[lost].location, advice="a robot of a URDF file is a tree")
    return parts, joints
