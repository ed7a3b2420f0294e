"""What couples bodies and joints of MJCF beside the tree: equality constraints, and actuators."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tellegen.errors import NetlistError, nearest
from tellegen.importers.assembly.pose import Pose, quaternion_rotation
from tellegen.importers.assembly.records import WORLD, JointRecord, Mimic
from tellegen.importers.robots.mjcf_bodies import Bodies
from tellegen.importers.robots.mjcf_settings import MAIN
from tellegen.importers.robots.xml_elements import Element
from tellegen.network.mechanics.twists import FIXED, PRISMATIC, REVOLUTE, SPHERICAL

ACTUATORS = (
    *("motor", "position", "velocity", "intvelocity", "damper", "general", "cylinder", "muscle", "adhesion"),
    "plugin",
)
STRAIGHT = (0.0, 1.0, 0.0, 0.0, 0.0)  # the coefficients of joints that move alike


def add_equality(element: Element, bodies: Bodies) -> None:
    """<connect> is a spherical joint, <weld> a rigid connection, <joint> a joint that follows another one."""
    whole = bodies.settings.completed(replace(element, tag="equality"), MAIN)
    whole = replace(whole, tag=element.tag)
    if whole.word("active", "true") == "false":
        bodies.settings.notes.append(f"{element.location}: {element} is not active")
        return
    if element.tag == "connect":
        _connect(whole, bodies)
    elif element.tag == "weld":
        _weld(whole, bodies)
    elif element.tag == "joint":
        _follow(whole, bodies)
    else:
        raise element.unsupported(f"<{element.tag}> in <equality> is not supported", "use connect, weld or joint")


def _ends(element: Element, bodies: Bodies) -> tuple[str, str, dict[str, Pose]]:
    if "site1" in element.attributes:
        raise element.unsupported("constraints between sites are not supported", 'body1="..." body2="..." anchor="..."')
    poses = {WORLD: Pose(), **{part.name: part.pose for part in bodies.parts}}
    names = (element.word("body1"), element.word("body2", WORLD))
    for name in names:
        if name not in poses:
            what = f"there is no body '{name}'; {nearest(name, poses)}"
            raise NetlistError("E513", what, location=element.location, advice="name a body of <worldbody>")
    return *names, poses


def _added(element: Element, bodies: Bodies, joint: JointRecord) -> None:
    if any(other.name == joint.name for other in bodies.joints):
        raise NetlistError("E513", f"'{joint.name}' is used twice", location=element.location, advice="rename it")
    bodies.joints.append(joint)


def _connect(element: Element, bodies: Bodies) -> None:
    first, second, poses = _ends(element, bodies)
    point = poses[first].point(np.array(element.numbers("anchor", 3)))
    name = element.attributes.get("name") or f"{first}_{second}_connect"
    _added(element, bodies, JointRecord(name, SPHERICAL, first, second, Pose(point), location=element.location))


def _weld(element: Element, bodies: Bodies) -> None:
    first, second, poses = _ends(element, bodies)
    relative = element.numbers("relpose", 7, (0.0,) * 7)
    if any(relative[3:]):
        wanted = poses[first] @ Pose(np.array(relative[:3]), quaternion_rotation(*relative[3:]))
        if not wanted.close_to(poses[second], 1e-6, 1e-6):
            what = f"{element} holds its bodies in another position than they are drawn in"
            raise element.unsupported(what, "draw them in that position, or leave relpose out")
    name = element.attributes.get("name") or f"{first}_{second}_weld"
    _added(element, bodies, JointRecord(name, FIXED, first, second, poses[second], location=element.location))


def _follow(element: Element, bodies: Bodies) -> None:
    """joint1 - its reference = c0 + c1 (joint2 - its reference)."""
    given = element.numbers("polycoef", (1, 2, 3, 4, 5), ())
    c0, c1, *higher = [*given, *STRAIGHT[len(given) :]]
    if any(higher):
        raise element.unsupported(
            "couplings of joints beyond a straight line are not supported", 'polycoef="0 2 0 0 0"'
        )
    if "joint2" not in element.attributes:
        raise element.unsupported(
            "a joint held at a value is not supported", "remove the joint: bodies without are fixed"
        )
    follower = _joint(element, element.word("joint1"), bodies)
    leader = _joint(element, element.word("joint2"), bodies)
    if follower is leader:
        raise element.wrong(f"'{leader.name}' cannot follow itself", "name two joints")
    _replace(bodies, replace(follower, mimic=Mimic(leader.name, c1, c0)))


def _joint(element: Element, name: str, bodies: Bodies) -> JointRecord:
    found = next((joint for joint in bodies.joints if joint.name == name), None)
    if found is None:
        what = f"there is no joint '{name}'; {nearest(name, [joint.name for joint in bodies.joints])}"
        raise NetlistError("E513", what, location=element.location, advice="name a joint of a body")
    if found.kind not in (REVOLUTE, PRISMATIC):
        raise element.unsupported(f"'{name}' ({found.kind}) has several freedoms", "name a hinge or a slide")
    return found


def _replace(bodies: Bodies, joint: JointRecord) -> None:
    bodies.joints[:] = [joint if other.name == joint.name else other for other in bodies.joints]


def add_actuator(element: Element, bodies: Bodies) -> None:
    """An actuator makes its joint an actuated one; what drives it is up to the model around it."""
    if element.tag not in ACTUATORS:
        raise element.wrong(f"<{element.tag}> is not an actuator; {nearest(element.tag, ACTUATORS)}", "rename it")
    whole = bodies.settings.completed(element, MAIN)
    if "joint" not in whole.attributes:
        raise element.unsupported(f"{element} does not act on a joint", 'joint="..." of a hinge or a slide')
    joint = _joint(whole, whole.word("joint"), bodies)
    if joint.actuated:
        raise element.unsupported(f"two actuators act on '{joint.name}'", "leave one of them out")
    _replace(bodies, replace(joint, actuated=True))
    bodies.settings.notes.append(
        f"{element.location}: {element} makes '{joint.name}' an actuated joint; its gains and limits are not read"
    )
