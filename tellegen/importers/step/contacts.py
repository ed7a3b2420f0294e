"""Contacts between two solids: faces of one surface that touch, and the motion each of them permits.

    planes      coplanar, outward normals opposite          planar: slide and turn in the plane
    cylinders   coaxial, equal radius, a hole and a pin     cylindrical
    spheres     concentric, equal radius, a ball, a socket  spherical
    cones       same apex, axis and angle                   revolute

Faces have to share an area: parts that pass each other do not touch. With a clearance, cylinders and spheres of
different radii touch as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellegen.importers.assembly.pose import Floats
from tellegen.importers.step.faces import CONE, CYLINDER, PLANE, SPHERE, Face, Solid, boxes_meet
from tellegen.importers.step.kernel import common_area
from tellegen.network.mechanics.twists import CYLINDRICAL, PLANAR, REVOLUTE, SPHERICAL, Tolerance, freedoms

PERMITS = {PLANE: PLANAR, CYLINDER: CYLINDRICAL, SPHERE: SPHERICAL, CONE: REVOLUTE}
SMALLEST_AREA = 1e-6  # of the square of a part's size: less is an edge that touches


@dataclass(frozen=True, eq=False)
class Contact:
    """Two faces that touch; `area` is what they share, `gap` the difference of their radii."""

    face: Face
    other: Face
    area: float
    gap: float

    @property
    def kind(self) -> str:
        """The kind of both surfaces."""
        return self.face.kind

    @property
    def twists(self) -> Floats:
        """The relative motions that keep the contact."""
        return freedoms(PERMITS[self.kind], self.face.point, self.face.direction)

    @property
    def place(self) -> Floats:
        """The middle of what the boxes of both faces share."""
        low = np.maximum(self.face.box[0], self.other.box[0])
        high = np.minimum(self.face.box[1], self.other.box[1])
        return (low + high) / 2.0


def contacts(a: Solid, b: Solid, tolerance: Tolerance, clearance: float) -> list[Contact]:
    """All contacts between two solids."""
    gap = tolerance.length + clearance
    if not boxes_meet(a.box, b.box, gap):
        return []
    smallest = SMALLEST_AREA * min(a.size, b.size) ** 2
    return [contact for contact in _touching(a, b, tolerance, clearance) if contact.area > smallest]


def _touching(a: Solid, b: Solid, tolerance: Tolerance, clearance: float) -> Iterator[Contact]:
    gap = tolerance.length + clearance
    for face in a.faces:
        for other in b.faces:
            if face.kind != other.kind or not boxes_meet(face.box, other.box, gap):
                continue
            if not same_surface(face, other, tolerance, clearance):
                continue
            difference = abs(face.size + other.size) if face.kind in (CYLINDER, SPHERE) else 0.0
            area = common_area(face.shape, other.shape)
            if difference > tolerance.length:  # no common surface: the extent along the axis decides
                area = _facing_area(face, other)
            yield Contact(face, other, area, difference)


def same_surface(face: Face, other: Face, tolerance: Tolerance, clearance: float) -> bool:
    """Whether two faces are on one surface, from its two sides."""
    apart = other.point - face.point
    if face.kind == PLANE:
        opposite = np.linalg.norm(face.direction + other.direction) <= tolerance.angle
        return bool(opposite) and bool(abs(apart @ face.direction) <= tolerance.length)
    if face.size * other.size >= 0.0:  # two pins or two holes
        return False
    if face.kind == SPHERE:
        return abs(face.size + other.size) <= tolerance.length + clearance and bool(
            np.linalg.norm(apart) <= tolerance.length + clearance
        )
    parallel = np.linalg.norm(np.cross(face.direction, other.direction)) <= tolerance.angle
    if not parallel:
        return False
    if face.kind == CONE:
        same_way = face.direction @ other.direction > 0.0
        return bool(
            same_way and np.linalg.norm(apart) <= tolerance.length and abs(face.size + other.size) <= tolerance.angle
        )
    aside = np.linalg.norm(np.cross(apart, face.direction))
    return bool(aside <= tolerance.length) and abs(face.size + other.size) <= tolerance.length + clearance


def _facing_area(face: Face, other: Face) -> float:
    """The area of the smaller of two surfaces with a clearance, as far as they are beside each other."""
    radius = min(abs(face.size), abs(other.size))
    if face.kind == SPHERE:
        return 4.0 * np.pi * radius**2
    low, high = _extent(face, face.direction)
    other_low, other_high = _extent(other, face.direction)
    return 2.0 * np.pi * radius * max(min(high, other_high) - max(low, other_low), 0.0)


def _extent(face: Face, axis: Floats) -> tuple[float, float]:
    """From where to where a cylinder goes along its axis; its box is larger by the radius across the axis."""
    corners = np.array(
        [[face.box[i, 0], face.box[j, 1], face.box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )
    along = corners @ axis
    beyond = abs(face.size) * np.sqrt(np.maximum(1.0 - axis**2, 0.0)) @ np.abs(axis)
    return float(along.min() + beyond), float(along.max() - beyond)
