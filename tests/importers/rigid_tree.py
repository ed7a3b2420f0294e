"""Mass matrix and poses of a tree of one-freedom joints, by virtual work: an oracle for what readers return."""

from __future__ import annotations

import numpy as np

import tellegen as tg
from tellegen.importers.assembly.pose import IDENTITY, Pose, axis_rotation


def poses(robot: tg.Assembly, q: dict[str, float]) -> dict[str, Pose]:
    """The pose of each part in the world, for values of the joints."""
    found = {"world": IDENTITY}
    rest = {"world": IDENTITY, **{part.name: part.pose for part in robot.parts}}
    joints = [*robot.found.joints]
    while joints:
        joint = joints.pop(0)
        if joint.parent not in found:
            joints.append(joint)
            continue
        value = q.get(joint.name, 0.0)
        moved = {
            "revolute": Pose(np.zeros(3), axis_rotation(joint.axis, value)),
            "prismatic": Pose(joint.axis * value),
            "fixed": IDENTITY,
        }[joint.kind]
        X_PJ = rest[joint.parent].inverse() @ joint.pose
        X_JC = joint.pose.inverse() @ rest[joint.child]
        found[joint.child] = found[joint.parent] @ X_PJ @ moved @ X_JC
    return found


def mass_matrix(robot: tg.Assembly, q: list[float]) -> np.ndarray:
    """M(q) in the order of the joints that move."""
    names = [joint.name for joint in robot.joints]
    values = dict(zip(names, q, strict=True))
    here = poses(robot, values)
    rest = {"world": IDENTITY, **{part.name: part.pose for part in robot.parts}}
    parent = {joint.child: joint for joint in robot.found.joints}
    M = np.zeros((len(q), len(q)))
    for part in robot.parts:
        body = part.mass.placed(here[part.name])
        J = np.zeros((6, len(q)))
        name = part.name
        while name in parent:
            joint = parent[name]
            if joint.name in names:
                frame = here[joint.parent] @ rest[joint.parent].inverse() @ joint.pose
                n = frame.R @ joint.axis
                turning = joint.kind == "revolute"
                column = [*n, *np.cross(n, body.r_CM - frame.r)] if turning else [0.0, 0.0, 0.0, *n]
                J[:, names.index(joint.name)] = column
            name = joint.parent
        M += J[:3].T @ body.I @ J[:3] + body.m * J[3:].T @ J[3:]
    return M
