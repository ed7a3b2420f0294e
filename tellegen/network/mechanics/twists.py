"""Relative motions of two bodies as spaces of twists.

A twist is six numbers: an angular velocity, and the velocity of the point of the moving body that is at the origin.
What a joint permits is a space of them, one row for each freedom; what several joints permit together is the
intersection.
The freedoms of the lower pairs (revolute, prismatic, cylindrical, planar, spherical) are subgroups of the rigid
motions, so that what holds of their twists in one position holds in all others.

Rotations and translations are compared by one length, `Tolerance.length / Tolerance.angle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellegen.start.records import dataclass

Floats = np.ndarray[Any, np.dtype[np.float64]]

REVOLUTE = "revolute"
PRISMATIC = "prismatic"
CYLINDRICAL = "cylindrical"
UNIVERSAL = "universal"
PLANAR = "planar"
SPHERICAL = "spherical"
FIXED = "fixed"
FREE = "free"
FREEDOMS = {FIXED: 0, REVOLUTE: 1, PRISMATIC: 1, CYLINDRICAL: 2, UNIVERSAL: 2, PLANAR: 3, SPHERICAL: 3, FREE: 6}
"""How many freedoms each kind of joint has."""


@dataclass(frozen=True)
class Tolerance:
    """How far apart two axes may be and still coincide: metres between them, radians between their directions."""

    length: float = 1e-5
    angle: float = 1e-5

    @property
    def scale(self) -> float:
        """The length that makes translations comparable with rotations."""
        return self.length / self.angle


def turn(point: Sequence[float] | Floats, direction: Sequence[float] | Floats) -> Floats:
    """A rotation about an axis through a point."""
    w = unit(direction)
    return np.concatenate([w, np.cross(point, w)])


def shift(direction: Sequence[float] | Floats) -> Floats:
    """A translation."""
    return np.concatenate([np.zeros(3), unit(direction)])


def unit(direction: Sequence[float] | Floats) -> Floats:
    """The vector of length 1 in a direction."""
    d = np.asarray(direction, float)
    return d / np.linalg.norm(d)


def perpendicular(direction: Sequence[float] | Floats) -> Floats:
    """Two unit vectors that make a right-handed system with a direction, as rows: (x, y) for z."""
    z = unit(direction)
    helper = np.eye(3)[np.argmin(np.abs(z))]
    x = unit(np.asarray(np.cross(helper, z), float))
    return np.array([x, np.cross(z, x)])


def freedoms(kind: str, point: Floats, axis: Floats, second_axis: Floats | None = None) -> Floats:
    """The twists that a joint permits; `axis` is the normal of a planar joint, `second_axis` of a universal joint."""
    if kind == FIXED:
        return np.zeros((0, 6))
    if kind == REVOLUTE:
        return np.array([turn(point, axis)])
    if kind == PRISMATIC:
        return np.array([shift(axis)])
    if kind == CYLINDRICAL:
        return np.array([turn(point, axis), shift(axis)])
    if kind == UNIVERSAL:
        other = perpendicular(axis)[0] if second_axis is None else second_axis
        return np.array([turn(point, axis), turn(point, other)])
    if kind == PLANAR:
        x, y = perpendicular(axis)
        return np.array([turn(point, axis), shift(x), shift(y)])
    if kind == SPHERICAL:
        return np.array([turn(point, direction) for direction in np.eye(3)])
    return np.eye(6)


def seen_from(twists: Floats, point: Floats) -> Floats:
    """The same twists with the velocity of the moving body at `point` instead of at the origin."""
    w = twists[:, :3]
    return np.hstack([w, twists[:, 3:] + np.cross(w, point)])


def common(spaces: Sequence[Floats], tolerance: Tolerance, about: Floats) -> Floats:
    """The motions that all spaces permit: their intersection. Tolerances are measured at the point `about`."""
    blocked = np.vstack([np.zeros((0, 6)), *(_complement(_scaled(space, tolerance, about)) for space in spaces)])
    return _unscaled(_null_space(blocked, tolerance.angle), tolerance, about)


def contains(space: Floats, part: Floats, tolerance: Tolerance, about: Floats) -> bool:
    """Whether `space` permits every motion of `part`."""
    outside = _complement(_scaled(space, tolerance, about)) @ _basis(_scaled(part, tolerance, about)).T
    return bool(np.abs(outside).max(initial=0.0) <= tolerance.angle)


def _scaled(twists: Floats, tolerance: Tolerance, about: Floats) -> Floats:
    moved = seen_from(np.asarray(twists, float).reshape(-1, 6), about)
    return moved / np.repeat([1.0, tolerance.scale], 3)


def _unscaled(twists: Floats, tolerance: Tolerance, about: Floats) -> Floats:
    return seen_from(twists * np.repeat([1.0, tolerance.scale], 3), -about)


def _basis(rows: Floats) -> Floats:
    """Orthonormal rows that span the same space."""
    _, s, vt = np.linalg.svd(rows, full_matrices=False)
    return vt[s > 1e-12 * s.max(initial=1.0)]


def _complement(rows: Floats) -> Floats:
    """Orthonormal rows of what is perpendicular to all of these."""
    return _null_space(rows, 1e-12)


def _null_space(rows: Floats, tolerance: float) -> Floats:
    if not len(rows):
        return np.eye(6)
    _, s, vt = np.linalg.svd(rows, full_matrices=True)
    rank = int((s > tolerance).sum())
    return vt[rank:]
