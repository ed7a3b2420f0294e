"""Inverse dynamics of trees by Kane's equations: an oracle that shares nothing with the sweeps.

Rotations and positions along a motion are polynomials of time up to its square (jets), so velocities and accelerations
are exact; generalized forces are the power of inertia and weight in the velocities that each speed makes alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from multibody_functions.random_trees import GRAVITY, Joint


def skew(w: Any) -> Any:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def vee(W: Any) -> Any:
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def product(A: Any, B: Any) -> Any:
    """Of two jets of matrices or vectors."""
    return [A[0] @ B[0], A[0] @ B[1] + A[1] @ B[0], A[0] @ B[2] + A[1] @ B[1] + A[2] @ B[0]]


def turning(R: Any, w: Any, z: Any) -> Any:
    """The jet of a rotation with angular velocity w and acceleration z."""
    first = skew(w) @ R
    return [R, first, (skew(z) @ R + skew(w) @ first) / 2]


def joint_jet(joint: Joint, u: Any, a: Any) -> tuple[Any, Any]:
    """Rotation and translation of a joint in its own axes."""
    n = joint.n / np.linalg.norm(joint.n)
    still = [np.zeros(3)] * 3
    if joint.kind == "revolute":
        return turning(Rotation.from_rotvec(n * joint.q[0]).as_matrix(), n * u[0], n * a[0]), still
    if joint.kind == "prismatic":
        return [np.eye(3), np.zeros((3, 3)), np.zeros((3, 3))], [n * joint.q[0], n * u[0], n * a[0] / 2]
    R = Rotation.from_euler("XYZ", joint.q[-3:]).as_matrix()
    turn = turning(R, u[-3:], a[-3:])
    return turn, still if joint.kind == "spherical" else [joint.q[:3], u[:3], a[:3] / 2]


def motion(tree: list[Joint], u: list[Any], a: list[Any]) -> list[tuple[Any, Any, Any, Any, Any]]:
    """Of each body: orientation, w, z, velocity and acceleration of its centre of mass."""
    jets: list[tuple[Any, Any]] = []
    found = []
    for k, joint in enumerate(tree):
        below = jets[joint.parent] if joint.parent >= 0 else ([np.eye(3), *np.zeros((2, 3, 3))], [np.zeros(3)] * 3)
        turn, slide = joint_jet(joint, u[k], a[k])
        axes = [one @ joint.T.T for one in below[0]]
        away = product(axes, slide)
        r = [p + A @ joint.r + d for p, A, d in zip(below[1], below[0], away, strict=True)]
        A = product(axes, turn)
        jets.append((A, r))
        w = vee(A[1] @ A[0].T)
        z = vee(2 * A[2] @ A[0].T + A[1] @ A[1].T)
        found.append((A[0], w, z, r[1] + A[1] @ joint.c, 2 * (r[2] + A[2] @ joint.c)))
    return found


def split(tree: list[Joint], values: Any) -> list[Any]:
    """One array for each joint."""
    return np.split(np.asarray(values), np.cumsum([len(one.u) for one in tree])[:-1])


def inverse_dynamics(tree: list[Joint], u: Any, a: Any) -> Any:
    """Torques and forces along all freedoms."""
    u = np.asarray(u, float)
    moving = motion(tree, split(tree, u), split(tree, a))
    tau = np.zeros(len(u))
    for k, unit in enumerate(np.eye(len(u))):
        alone = motion(tree, split(tree, unit), split(tree, 0 * unit))
        for joint, (A, w, z, _, acceleration), (_, w_k, _, v_k, _) in zip(tree, moving, alone, strict=True):
            inertia = A @ joint.inertia @ A.T
            torque = inertia @ z + np.cross(w, inertia @ w)
            tau[k] += joint.m * (acceleration - GRAVITY) @ v_k + torque @ w_k
    return tau


def mass_matrix(tree: list[Joint]) -> Any:
    """By a unit of each acceleration."""
    count = sum(len(one.u) for one in tree)
    still = np.zeros(count)
    weight = inverse_dynamics(tree, still, still)
    return np.array([inverse_dynamics(tree, still, unit) - weight for unit in np.eye(count)]).T
