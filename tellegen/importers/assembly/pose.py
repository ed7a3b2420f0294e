"""Where a frame is: the position and the orientation of one frame in another, and how angles become rotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
_AXES = {"x": 0, "y": 1, "z": 2}


def fixed_array(values: Any) -> Floats:
    """A copy as an array of floats that cannot be changed."""
    array = np.array(values, float)
    array.setflags(write=False)
    return array


def _origin() -> Floats:
    return fixed_array(np.zeros(3))


def _parallel() -> Floats:
    return fixed_array(np.eye(3))


@dataclass(frozen=True, eq=False)
class Pose:
    """Frame B in frame A (X_AB): `r` is B's origin, the columns of `R` are B's axes, both in coordinates of A."""

    r: Floats = field(default_factory=_origin)
    R: Floats = field(default_factory=_parallel)

    def __post_init__(self) -> None:
        object.__setattr__(self, "r", fixed_array(self.r))
        object.__setattr__(self, "R", fixed_array(self.R))

    def __matmul__(self, other: Pose) -> Pose:
        """X_AC = X_AB @ X_BC."""
        return Pose(self.r + self.R @ other.r, self.R @ other.R)

    def inverse(self) -> Pose:
        """X_BA."""
        return Pose(-self.R.T @ self.r, self.R.T)

    def point(self, p: Floats) -> Floats:
        """A point given in B, in A."""
        return self.r + self.R @ p

    def close_to(self, other: Pose, length: float, angle: float) -> bool:
        """Whether two poses agree to a length and an angle."""
        near = bool(np.linalg.norm(self.r - other.r) <= length)
        return near and bool(np.linalg.norm(self.R - other.R) <= np.sqrt(2.0) * angle)


IDENTITY = Pose()


def axis_rotation(axis: Sequence[float] | Floats, angle: float) -> Floats:
    """The rotation by an angle about an axis (Rodrigues)."""
    n = np.asarray(axis, float)
    x, y, z = n / np.linalg.norm(n)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def rpy_rotation(roll: float, pitch: float, yaw: float) -> Floats:
    """URDF's angles: about the fixed axes x, then y, then z."""
    return euler_rotation("XYZ", (roll, pitch, yaw))


def euler_rotation(sequence: str, angles: Sequence[float]) -> Floats:
    """Three rotations in a row: lower-case axes turn with the frame, upper-case axes stay."""
    R = np.eye(3)
    for letter, angle in zip(sequence, angles, strict=True):
        turned = axis_rotation(np.eye(3)[_AXES[letter.lower()]], angle)
        R = R @ turned if letter.islower() else turned @ R
    return R


def quaternion_rotation(w: float, x: float, y: float, z: float) -> Floats:
    """The rotation of a quaternion (scalar first) of any length."""
    q = np.array([w, x, y, z]) / np.linalg.norm([w, x, y, z])
    v = q[1:]
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2.0 * q[0] * K + 2.0 * (K @ K)


def rotation_to(direction: Sequence[float] | Floats) -> Floats:
    """The smallest rotation that turns the z axis into a direction."""
    d = np.asarray(direction, float) / np.linalg.norm(direction)
    axis = np.cross([0.0, 0.0, 1.0], d)
    if np.linalg.norm(axis) < 1e-12:
        return np.eye(3) if d[2] > 0.0 else np.diag([1.0, -1.0, -1.0])
    return axis_rotation(axis, float(np.arctan2(np.linalg.norm(axis), d[2])))


def vector(values: Floats, size: float = 0.0) -> str:
    """Three numbers as people read them: rounding errors of zero, for vectors of a size, are zero."""
    size = max([size, *map(abs, values)])
    return ", ".join(f"{0.0 if abs(value) <= 1e-9 * size else value:.5g}" for value in values)
