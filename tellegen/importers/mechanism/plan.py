"""The plan of a mechanism: its children, its ports, and what is connected.

Every lump has a hub, a frame with the axes of the assembly as drawn. Joints hold hubs, directly where a hub is at the
joint and over an arm where not; parts are at their places from the hub.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellegen.errors import NetlistError, warn_user
from tellegen.importers.assembly.pose import Floats, Pose
from tellegen.importers.assembly.records import WORLD, JointRecord, Parts, RigidPart
from tellegen.importers.assembly.reduction import Lump, Reduced
from tellegen.importers.mechanism.drawn_shapes import drawable, drawn_shape
from tellegen.importers.mechanism.drives import Follow, resistances
from tellegen.importers.mechanism.solid import solid
from tellegen.library import multibody, rotational, translational
from tellegen.network.mechanics.twists import (
    CYLINDRICAL,
    FREE,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    UNIVERSAL,
    perpendicular,
)

Make = Callable[[], Any]
End = tuple[str, str]  # a child and its port; the empty child is the mechanism itself
MOUNT = "mount"


@dataclass
class Plan:
    """Children and ports by name, sets of connected ends, and limits of joints."""

    reserved: frozenset[str]
    children: dict[str, Make] = field(default_factory=dict)
    ports: dict[str, Make] = field(default_factory=dict)
    wires: list[list[End]] = field(default_factory=list)
    joints: dict[str, str] = field(default_factory=dict)  # the child of each joint of the assembly
    parts: dict[str, str] = field(default_factory=dict)
    limits: list[tuple[str, JointRecord]] = field(default_factory=list)
    schematic: bool = True  # bars and hinges are drawn, as the file has no shapes

    def child(self, name: str, make: Make) -> str:
        """Add a child under a name that is free."""
        found = self.free(name)
        self.children[found] = make
        return found

    def free(self, name: str) -> str:
        """A name for Python, with underscores after it where it is taken: `left-arm` is left_arm."""
        found = re.sub(r"\W", "_", name)
        found = found if found[:1].isalpha() else f"n{found}"
        while found in self.children or found in self.ports or found in self.reserved:
            found += "_"
        return found


def plan_of(found: Parts, reduced: Reduced, reserved: frozenset[str]) -> Plan:
    """Everything that a mechanism is made of."""
    plan = Plan(reserved, schematic=not any(part.visuals for part in found.parts))
    hubs = {lump.name: _hub(lump, reduced) for lump in reduced.lumps}
    ends: dict[str, list[End]] = {lump.name: [] for lump in reduced.lumps}
    driven = {joint.mimic.joint for joint in reduced.joints if joint.mimic}
    for joint in reduced.joints:
        _add_joint(plan, joint, reduced, hubs, ends, leads=joint.name in driven)
    for lump in reduced.lumps:
        _check_mass(lump, reduced)
        for name in lump.members:
            if name != WORLD:
                part = found.part(name)
                place = Pose(-hubs[lump.name]) @ part.pose
                child = plan.child(name, lambda part=part, place=place: solid(part.mass, place, plan.schematic))
                plan.parts[name] = child
                ends[lump.name].append((child, "frame_a"))
                port = plan.free(f"frame_{child}")
                plan.ports[port] = multibody.Frame
                shown = _add_shapes(plan, child, part)
                plan.wires.append([("", port), (child, "frame_b"), *shown])
        if lump.is_ground:
            plan.ports[MOUNT] = lambda: multibody.Frame("the axes of the assembly, at rest or on what carries it")
            ends[lump.name].append(("", MOUNT))
    plan.wires += [group for group in ends.values() if len(group) > 1]
    for joint in reduced.joints:
        _add_follower(plan, joint, reduced)
    return plan


def _add_shapes(plan: Plan, child: str, part: RigidPart) -> list[End]:
    """What is drawn of a part, at its own frame."""
    ends = []
    for k, drawn in enumerate(drawable(part)):
        name = f"{child}_shape" if k == 0 else f"{child}_shape_{k + 1}"
        ends.append((plan.child(name, lambda drawn=drawn: drawn_shape(drawn)), "frame_a"))
    return ends


def _hub(lump: Lump, reduced: Reduced) -> Floats:
    """Where the hub of a lump is: at the first joint that holds it; at the origin if none does."""
    if lump.is_ground:
        return np.zeros(3)
    holding = [joint for joint in reduced.joints if joint.child in lump.members]
    return holding[0].point if holding else np.zeros(3)


def _check_mass(lump: Lump, reduced: Reduced) -> None:
    """A body at the end of a chain needs mass: nothing else determines its motion."""
    if lump.is_ground or lump.mass.m > 0.0 or lump.mass.I.any():
        return
    own = [joint for joint in reduced.joints if (joint.parent in lump.members) != (joint.child in lump.members)]
    if len(own) < 2:
        how = f"moves at '{own[0].name}' ({own[0].kind})" if own else "is not held"
        what = f"'{lump.name}' has no mass and {how}: its motion is not determined"
        location = own[0].location if own else None
        raise NetlistError("E516", what, location=location, advice="give it mass and inertia, or connect it rigidly")


def _add_joint(
    plan: Plan,
    joint: JointRecord,
    reduced: Reduced,
    hubs: dict[str, Floats],
    ends: dict[str, list[End]],
    *,
    leads: bool,
) -> None:
    effects = resistances(joint) if joint.kind in (REVOLUTE, PRISMATIC) else {}
    _warn_of_effects(joint)
    flange = bool(effects) or joint.actuated or joint.mimic is not None or leads
    child = plan.child(joint.name, _joint(joint, flange, plan.schematic))
    plan.joints[joint.name] = child
    for part, port in ((joint.parent, "frame_a"), (joint.child, "frame_b")):
        lump = reduced.lump_of(part).name
        ends[lump].append(_reached(plan, (child, port), joint.point - hubs[lump]))
    if not flange:
        return
    axis: list[End] = [(child, "axis")]
    support: list[End] = [(child, "support")]
    for name, (make, pin) in effects.items():
        effect = plan.child(f"{child}_{name}", make)
        axis.append((effect, "flange_a" if pin is None else "flange_b"))
        if pin is not None:
            support.append((effect, pin))
    if joint.actuated:
        port = plan.free(f"axis_{child}")
        turning = joint.kind == REVOLUTE
        plan.ports[port] = rotational.Flange if turning else translational.Flange
        axis.append(("", port))
    plan.wires += [wire for wire in (axis, support) if len(wire) > 1]
    if joint.limits.lower is not None or joint.limits.upper is not None:
        plan.limits.append((child, joint))


def _reached(plan: Plan, end: End, r: Floats) -> End:
    """The end itself, or the near end of an arm that leads to it."""
    if np.abs(r).max() <= 1e-15:
        return end
    arm = plan.child(
        f"arm_{end[0]}_{end[1][-1]}", lambda: multibody.FixedTranslation(r=r.tolist(), animation=plan.schematic)
    )
    plan.wires.append([(arm, "frame_b"), end])
    return arm, "frame_a"


def _joint(joint: JointRecord, flange: bool, animation: bool) -> Make:
    """The joint of the library; its axes are those of the assembly as drawn."""
    n = joint.direction.tolist()
    if joint.kind == REVOLUTE:
        return lambda: multibody.Revolute(n=n, use_flange=flange, animation=animation)
    if joint.kind == PRISMATIC:
        return lambda: multibody.Prismatic(n=n, use_flange=flange, animation=animation)
    if joint.kind == CYLINDRICAL:
        return lambda: multibody.Cylindrical(n=n, animation=animation)
    if joint.kind == PLANAR:
        across = perpendicular(joint.direction)[0].tolist()
        return lambda: multibody.Planar(n=n, n_x=across, animation=animation)
    if joint.kind == SPHERICAL:
        return lambda: multibody.Spherical(animation=animation)
    if joint.kind == UNIVERSAL:
        second = perpendicular(joint.direction)[0]
        if joint.second_axis is not None:
            second = joint.pose.R @ joint.second_axis
        return lambda: multibody.Universal(n_a=n, n_b=second.tolist(), animation=animation)
    assert joint.kind == FREE
    return multibody.FreeMotion


def _warn_of_effects(joint: JointRecord) -> None:
    if joint.kind in (REVOLUTE, PRISMATIC):
        return
    for name in ("damping", "friction", "armature"):
        if getattr(joint, name):
            warn_user(f"{name} of '{joint.name}' ({joint.kind}) is not modelled")


def _add_follower(plan: Plan, joint: JointRecord, reduced: Reduced) -> None:
    """The coupling of a joint that follows another one."""
    if joint.mimic is None:
        return
    mimic = joint.mimic
    leader = next((other for other in reduced.joints if other.name == mimic.joint), None)
    if leader is None or leader.kind not in (REVOLUTE, PRISMATIC):
        what = f"'{joint.name}' follows '{mimic.joint}', which is not a joint with one freedom that moves"
        raise NetlistError("E516", what, location=joint.location, advice="let it follow another joint")

    def make() -> Follow:
        return Follow(
            a_turns=leader.kind == REVOLUTE,
            b_turns=joint.kind == REVOLUTE,
            multiplier=mimic.multiplier,
            offset=mimic.offset,
        )

    child = plan.child(f"{plan.joints[joint.name]}_follows", make)
    plan.wires.append([(plan.joints[leader.name], "axis"), (child, "flange_a")])
    plan.wires.append([(plan.joints[joint.name], "axis"), (child, "flange_b")])
