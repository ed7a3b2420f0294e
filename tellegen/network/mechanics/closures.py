"""Constraints of the joints that close loops, and their Jacobian (library/multibody/sweeps/cuts.py as equations).

With the gap g = p_b - p_a of the origins of a cut joint, its directions t on the first lump and u on the second,

    phi = t.g,    row t.(J_b(p_b) - J_a(p_b))          J(p): velocity of the point p of a lump, by the speeds
    phi = t.u,    row W.(J_b - J_a),  W = u x t        angular velocities
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, PRISMATIC, REVOLUTE
from tellegen.network.mechanics.spatial import cross, dot, times, transposed
from tellegen.network.mechanics.tree_motion import Motions, Places, TreeNumbers, jacobian

POSITIONS = {REVOLUTE: (0, 1, 2), PRISMATIC: (0, 1), BALL: (0, 1, 2)}
"""Directions along which the origins of a joint stay together: 0 and 1 at right angles to its axis, 2 along it."""
ROTATIONS = {REVOLUTE: ((0, 2), (1, 2)), PRISMATIC: ((0, 2), (1, 2), (1, 0)), BALL: ()}
"""Directions of frame_a and of frame_b that stay at right angles."""


@dataclass(frozen=True, eq=False)
class CutNumbers:
    """A cut joint: its frames on two lumps, and its three directions as rows, the axis last."""

    path: str
    motion: str
    lumps: tuple[int, int]
    s: tuple[Any, Any]
    C: tuple[Any, Any]
    directions: Any


@dataclass(frozen=True, eq=False)
class Closures:
    """All constraints, and which joint each belongs to."""

    phi: Any  # samples x constraints
    J: Any  # samples x constraints x speeds
    names: tuple[str, ...]


def closures(tree: TreeNumbers, cuts: tuple[CutNumbers, ...], at: Places) -> Closures:
    """Constraints at a position."""
    phi: list[Any] = []
    rows: list[Any] = []
    names: list[str] = []
    for cut in cuts:
        p_a, p_b, F_a, F_b = _frames(cut, at)
        linear_b, angular_b = jacobian(tree, at, cut.lumps[1], p_b)
        linear_a, angular_a = jacobian(tree, at, cut.lumps[0], p_b)
        for i in POSITIONS[cut.motion]:
            phi.append(dot(F_a[:, i], p_b - p_a))
            rows.append(times(transposed(linear_b - linear_a), F_a[:, i]))
            names.append(f"{cut.path}: {_POSITION[i]}")
        for i, j in ROTATIONS[cut.motion]:
            phi.append(dot(F_a[:, i], F_b[:, j]))
            rows.append(times(transposed(angular_b - angular_a), cross(F_b[:, j], F_a[:, i])))
            names.append(f"{cut.path}: {_ROTATION[i, j]}")
    if not phi:
        samples = len(at.r[0])
        return Closures(np.zeros((samples, 0)), np.zeros((samples, 0, tree.speeds)), ())
    return Closures(np.stack(phi, axis=-1), np.stack(rows, axis=-2), tuple(names))


_POSITION = (
    "position across the axis, first direction",
    "position across the axis, second direction",
    "position along the axis",
)
_ROTATION = {
    (0, 2): "tilt of the axis, first direction",
    (1, 2): "tilt of the axis, second direction",
    (1, 0): "rotation about the axis",
}


def closure_bias(cuts: tuple[CutNumbers, ...], at: Places, moving: Motions) -> Any:
    """Second derivatives of the constraints at no acceleration of the joints (that of `moving` must be none)."""
    found: list[Any] = []
    for cut in cuts:
        _, p_b, F_a, F_b = _frames(cut, at)
        a, b = cut.lumps
        w_a = moving.w[a]
        w_b = moving.w[b]
        d_b = p_b - at.r[b]
        d_a = p_b - at.r[a]
        v = moving.v[b] + cross(w_b, d_b) - moving.v[a] - cross(w_a, d_a)
        there = moving.a[b] + cross(moving.z[b], d_b) + cross(w_b, cross(w_b, d_b))
        here = moving.a[a] + cross(moving.z[a], d_a) + cross(w_a, cross(w_a, d_a))
        relative = there - here - 2 * cross(w_a, v)
        found += [dot(F_a[:, i], relative) for i in POSITIONS[cut.motion]]
        w = w_b - w_a
        z = moving.z[b] - moving.z[a]
        for i, j in ROTATIONS[cut.motion]:
            t = F_a[:, i]
            u = F_b[:, j]
            change = cross(cross(w_b, u), t) + cross(u, cross(w_a, t))
            found.append(dot(cross(u, t), z) + dot(change, w))
    return np.stack(found, axis=-1)


def _frames(cut: CutNumbers, at: Places) -> tuple[Any, Any, Any, Any]:
    """Origins of frame_a and frame_b, and the directions of the joint in each, as rows."""
    origins = [at.r[lump] + times(at.A[lump], s) for lump, s in zip(cut.lumps, cut.s, strict=True)]
    axes = [transposed(at.A[lump] @ C @ cut.directions.T) for lump, C in zip(cut.lumps, cut.C, strict=True)]
    return origins[0], origins[1], axes[0], axes[1]
