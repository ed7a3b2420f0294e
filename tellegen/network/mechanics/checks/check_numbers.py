"""Mistakes of a mechanism that its numbers show: joints that lock or repeat each other, lumps without inertia."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.errors import StructureError
from tellegen.ir.flat import FlatModel
from tellegen.ir.mechanism import (
    BALL,
    FREE,
    POINT,
    PRISMATIC,
    REVOLUTE,
    SPEEDS,
    LoopJoint,
    MechanismMap,
    RigidLoop,
    TreeLink,
)
from tellegen.network.mechanics.checks.articulated import without_inertia
from tellegen.network.mechanics.mechanism_numbers import PartValues, tree_numbers
from tellegen.network.mechanics.repeated_joints import repeated_joints
from tellegen.network.mechanics.tree_motion import TreeNumbers
from tellegen.network.mechanics.twists import Tolerance

_RESISTED = {
    REVOLUTE: "rotation about its axis",
    PRISMATIC: "motion along its axis",
    BALL: "rotation in some direction",
}


def check_mechanism(flat: FlatModel, values: Any | None = None) -> None:
    """See the top of this file; joints of kinds that these routines do not know are left to the run.

    `values` are those of all parameters, where they are not as declared.
    """
    mechanism = flat.mechanism
    if mechanism is None:
        return
    if any(link.motion not in SPEEDS for link in mechanism.links):
        return
    check_rigid_loops(flat, values)
    value = PartValues(flat, values)
    _check_repeated(mechanism, value)
    tree = tree_numbers(mechanism, value)
    number = without_inertia(tree)
    if number is not None:
        raise _no_inertia(mechanism, tree, number)


def check_rigid_loops(flat: FlatModel, values: Any | None = None) -> None:
    """E234 where a circle of rigid connections is not closed: a run would not notice."""
    if flat.mechanism is not None and flat.mechanism.rigid_loops:
        value = PartValues(flat, values)
        for loop in flat.mechanism.rigid_loops:
            _check_rigid(loop, value)


def _check_rigid(loop: RigidLoop, value: PartValues) -> None:
    """Both ways to a frame must end in one place."""
    places = [(value(part, "s"), value(part, "C")) if part else (np.zeros(3), np.eye(3)) for part in _parts(loop)]
    away = float(np.abs(places[0][0] - places[1][0]).max())
    turned = float(np.abs(places[0][1] - places[1][1]).max())
    tolerance = Tolerance()
    if away <= tolerance.length and turned <= tolerance.angle:
        return
    what = f"{away:.4g} m apart" if away > tolerance.length else f"turned against each other by about {turned:.4g} rad"
    raise StructureError(
        "E234",
        f"'{loop.path}' closes a circle of rigid connections that do not meet: their ends are {what}",
        location=loop.location,
        advice="remove one of the connections, or correct its r or its rotation",
    )


def _parts(loop: RigidLoop) -> tuple[str, str]:
    return loop.part, loop.other


def _check_repeated(mechanism: MechanismMap, value: PartValues) -> None:
    found = repeated_joints(mechanism, value)
    joints = {one.path: one for one in (*mechanism.links, *mechanism.loops)}
    for paths in found.fully_constrained:
        raise _between(
            "E232",
            f"{_listed(paths)} lock each other: between the same two bodies they leave no motion",
            joints[paths[-1]],
            "let their axes coincide on both bodies (to 1e-5 m and 1e-5 rad), replace one by a ball joint, "
            "or connect the bodies rigidly",
        )
    for paths in found.over_actuated:
        raise _between(
            "E231",
            f"{_listed(paths)} drive the same motion: they are between the same two bodies",
            joints[paths[-1]],
            "drive one of them, and let the other one be a bearing: use_flange=False",
        )


def _between(code: str, message: str, joint: TreeLink | LoopJoint, advice: str) -> StructureError:
    return StructureError(code, message, location=joint.location, advice=advice)


def _no_inertia(mechanism: MechanismMap, tree: TreeNumbers, number: int) -> StructureError:
    link = mechanism.links[number]
    bodies = [member.path for member in mechanism.members if member.lump == number + 1]
    carried = f"it carries {_listed(tuple(dict.fromkeys(bodies)))}" if bodies else "it carries no body"
    if link.motion in (FREE, POINT):
        message = f"nothing resists some motion of '{link.path}', which moves freely: it lacks mass or inertia"
        advice = "use a Body with an inertia tensor; a PointMass is enough where forces act at the point itself"
    else:
        what = _RESISTED[link.motion]
        message = f"nothing resists the {what} that '{link.path}' permits: the inertia beyond it is zero"
        advice = "give what it carries a mass and an inertia, or connect it rigidly"
        same_axis = _on_the_same_axis(mechanism, tree, number)
        ends = [path for path, place in mechanism.frames.items() if place.lump == number + 1]
        if len(ends) == 1:
            carried = f"'{ends[0]}' is connected to nothing"
            advice = f"connect '{ends[0]}' to a frame of the World, of a body or of another joint"
        elif same_axis and not bodies:
            carried += f", and '{same_axis}' on it turns about the same axis"
            advice = "let the axes differ: those of a universal joint are at right angles (n_a and n_b)"
        elif _moves_freely(mechanism, number):
            mounts = [path for path in ends if path.rpartition(".")[2] == "mount"]
            carried += ", and no joint connects it with the World"
            advice = f"connect {_listed(tuple(mounts)) or 'it'} with the World, or {advice}"
        elif mechanism.loops and not bodies:
            advice += "; in a loop a UniversalConstraint needs no mass between its axes"
    return StructureError("E233", message, location=link.location, details=[carried], advice=advice)


def _on_the_same_axis(mechanism: MechanismMap, tree: TreeNumbers, number: int) -> str:
    """The hinge that a hinge carries, if their axes are parallel; empty for none."""
    below = tree.links[number]
    for link, numbers in zip(mechanism.links, tree.links, strict=True):
        is_hinge = link.parent == number + 1 and numbers.motion == below.motion == REVOLUTE
        if is_hinge and np.linalg.norm(np.cross(below.n, numbers.C @ numbers.n)) <= Tolerance().angle:
            return link.path
    return ""


def _moves_freely(mechanism: MechanismMap, number: int) -> bool:
    """Whether the tree that a link belongs to is not connected with the World."""
    link = mechanism.links[number]
    while link.parent:
        link = mechanism.links[link.parent - 1]
    return link.motion in (FREE, POINT)


def _listed(paths: tuple[str, ...]) -> str:
    return " and ".join(f"'{path}'" for path in paths)
