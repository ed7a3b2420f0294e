"""Which joint a space of twists is: kind, axis and point.

one rotation                                    revolute
one translation                                 prismatic
a rotation, a translation along its axis        cylindrical
a rotation, the translations across its axis    planar
three rotations about one point                 spherical
"""

from __future__ import annotations

import numpy as np

from tellegen.network.mechanics.twists import (
    CYLINDRICAL,
    FIXED,
    FREE,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
    Floats,
    Tolerance,
    seen_from,
)
from tellegen.start.records import dataclass

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class LowerPair:
    """A joint of a kind with its axis and a point on it."""

    kind: str
    point: Floats
    axis: Floats


def lower_pair(space: Floats, tolerance: Tolerance, near: Floats) -> LowerPair | None:
    """The joint with these freedoms, its point as close to `near` as the axis permits; None if there is none."""
    twists = seen_from(space, near) / np.repeat([1.0, tolerance.scale], 3)
    if not len(twists):
        return LowerPair(FIXED, near, Z)
    rotations, translations = _separated(twists, tolerance.angle)
    counts = (len(rotations), len(translations))
    if counts == (3, 3):
        return LowerPair(FREE, near, Z)
    if counts == (0, 1):
        return LowerPair(PRISMATIC, near, _tidy(translations[0, 3:]))
    if counts == (3, 0):
        centre = _centre(rotations, tolerance)
        return None if centre is None else LowerPair(SPHERICAL, near + centre, Z)
    if len(rotations) != 1:
        return None
    (rotation,) = rotations
    axis = rotation[:3] / np.linalg.norm(rotation[:3])
    velocity = rotation[3:] / np.linalg.norm(rotation[:3]) * tolerance.scale
    along = abs(axis @ velocity) / tolerance.scale
    point = near + np.cross(axis, velocity)
    directions = translations[:, 3:]
    if counts == (1, 0):
        return LowerPair(REVOLUTE, point, _tidy(axis)) if along <= tolerance.angle else None
    if counts == (1, 1) and np.linalg.norm(np.cross(directions[0], axis)) <= tolerance.angle:
        return LowerPair(CYLINDRICAL, point, _tidy(axis))
    if counts == (1, 2) and np.abs(directions @ axis).max() <= tolerance.angle:
        return LowerPair(PLANAR, near, _tidy(axis))
    return None


def _separated(twists: Floats, small: float) -> tuple[Floats, Floats]:
    """A basis of pure translations, and rotations that complete it with no translation of that space in them."""
    u, s, _ = np.linalg.svd(twists[:, :3], full_matrices=True)
    rank = int((s > small).sum())
    mixed = u.T @ twists
    translations = mixed[rank:]
    rotations = mixed[:rank]
    if len(translations):
        _, _, basis = np.linalg.svd(translations[:, 3:], full_matrices=False)
        translations = np.hstack([np.zeros_like(basis), basis])
        rotations = rotations - np.hstack([np.zeros((rank, 3)), (rotations[:, 3:] @ basis.T) @ basis])
    return rotations, translations


def _centre(rotations: Floats, tolerance: Tolerance) -> Floats | None:
    """The point that three rotations leave where it is: v + w x p = 0 for all of them."""
    rows = np.vstack([_cross_matrix(w) for w in rotations[:, :3]])
    velocities = rotations[:, 3:].ravel() * tolerance.scale
    p, *_ = np.linalg.lstsq(rows, -velocities, rcond=None)
    error = np.abs(rows @ p + velocities).max() / tolerance.scale
    return np.asarray(p, float) if error <= tolerance.angle else None


def _cross_matrix(w: Floats) -> Floats:
    x, y, z = w
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _tidy(axis: Floats) -> Floats:
    """A direction with rounding errors of zero taken out, its largest component positive."""
    clean = np.where(np.abs(axis) < 1e-12, 0.0, axis)
    clean = clean / np.linalg.norm(clean)
    return clean * np.sign(clean[np.argmax(np.abs(clean))])
