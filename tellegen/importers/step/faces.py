"""Faces of a solid as numbers, in metres and in the axes of the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Floats, Pose
from tellegen.importers.assembly.shapes import Triangles

PLANE = "plane"
CYLINDER = "cylinder"
SPHERE = "sphere"
CONE = "cone"


@dataclass(frozen=True, eq=False)
class Face:
    """A face of a simple surface. The size of a hole is negative."""

    kind: str
    point: Floats  # on the plane, on the axis, the centre, the apex
    direction: Floats  # the normal outwards, the axis
    size: float  # the radius; of a cone the half angle; of a plane zero
    box: Floats  # lower and upper corner
    shape: Any  # what the kernel calls it


@dataclass(frozen=True, eq=False)
class Solid:
    """A part of a file: its place, its mass properties for a density of 1 in its own frame, its faces."""

    name: str
    pose: Pose
    unit_mass: MassProperties
    faces: tuple[Face, ...]
    others: int  # faces of other surfaces: tori, free forms
    box: Floats
    surface: Triangles  # in its own frame
    shape: Any

    @property
    def size(self) -> float:
        """The diagonal of its box."""
        return float(np.linalg.norm(self.box[1] - self.box[0]))


def boxes_meet(a: Floats, b: Floats, gap: float) -> bool:
    """Whether two boxes are closer than a gap."""
    return bool((a[0] <= b[1] + gap).all() and (b[0] <= a[1] + gap).all())
