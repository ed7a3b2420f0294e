"""What bodies look like: frozen records of geometry, in the coordinates of the item that they belong to.

A shape is centred at `at`, its length runs along `along`, its width along `across`:

    Box(length=0.4, width=0.05, height=0.05, at=(0.2, 0, 0), along=(1, 0, 0))
    Cylinder.between((0, 0, 0), (0.4, 0, 0), diameter=0.03, color="steelblue")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from tellegen.ir.model import FloatArray, IntArray

Vector = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """Where a shape is in its item, and its look; without `across` any direction that is perpendicular to `along`."""

    at: Vector = (0.0, 0.0, 0.0)
    along: Vector = (0.0, 0.0, 1.0)
    across: Vector | None = None
    color: str | None = None  # a CSS colour, "#3366aa" or "steelblue"; None: one of the palette
    opacity: float = 1.0

    def placement(self) -> tuple[FloatArray, FloatArray]:
        """Origin, and the matrix whose columns are the directions of width, height and length."""
        length = unit_vector(self.along)
        width = np.asarray(perpendicular(length) if self.across is None else self.across, float)
        width = unit_vector(width - length * (width @ length))
        return np.asarray(self.at, float), np.column_stack([width, np.cross(length, width), length])


@dataclass(frozen=True, kw_only=True, eq=False)
class Elongated(Shape):
    """A shape with a length, which can be given by its two ends."""

    length: float = 1.0

    @classmethod
    def between(cls, a: ArrayLike, b: ArrayLike, **others: Any) -> Self:
        """The shape from point a to point b."""
        start = np.asarray(a, float)
        end = np.asarray(b, float)
        middle = tuple((0.5 * (start + end)).tolist())
        direction = tuple((end - start).tolist())
        return cls(at=middle, along=direction, length=float(np.linalg.norm(end - start)), **others)


@dataclass(frozen=True, kw_only=True, eq=False)
class Box(Elongated):
    """A box with edges that are slightly bevelled."""

    width: float = 1.0
    height: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Cylinder(Elongated):
    """A cylinder. `marked`: every other eighth is darker, so that a rotation about its axis is visible."""

    diameter: float = 1.0
    marked: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Cone(Elongated):
    """A cone whose tip is at the end of its length; with a `tip_diameter` a frustum."""

    diameter: float = 1.0
    tip_diameter: float = 0.0
    marked: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Capsule(Elongated):
    """A cylinder of the given length with hemispheres at both ends."""

    diameter: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Pipe(Elongated):
    """A hollow cylinder."""

    diameter: float = 1.0
    inner_diameter: float = 0.8
    marked: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Spring(Elongated):
    """A coil of wire; items with `scales` make it longer and shorter."""

    diameter: float = 1.0
    wire_diameter: float = 0.1
    turns: float = 8.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrow(Elongated):
    """An arrow of the given length."""

    diameter: float = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class Sphere(Shape):
    """A ball."""

    diameter: float = 1.0
    marked: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Torus(Shape):
    """A ring around `along`; `diameter` is that of the circle in the middle of the tube."""

    diameter: float = 1.0
    tube_diameter: float = 0.2
    marked: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Plane(Shape):
    """A rectangle that faces `along`, drawn as a thin plate."""

    width: float = 1.0
    height: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameAxes(Shape):
    """Three arrows, x in red, y in green, z in blue, in the directions of the item's coordinates."""

    length: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Line(Shape):
    """A polyline through points in the item's coordinates, drawn as a thin tube."""

    points: tuple[Vector, ...]
    diameter: float = 0.01


@dataclass(frozen=True, kw_only=True, eq=False)
class Mesh(Shape):
    """Triangles: vertices (n, 3) and faces (m, 3) of vertex numbers, counter-clockwise seen from outside.

    The vertices are in the item's coordinates. Edges sharper than `crease` degrees are drawn sharp.
    """

    vertices: FloatArray
    faces: IntArray
    crease: float = 30.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Group(Shape):
    """Several shapes that move as one; the group's own opacity holds for all of them."""

    shapes: tuple[Shape, ...]


def unit_vector(vector: ArrayLike) -> FloatArray:
    """A direction; the last axis for one of length zero."""
    given = np.asarray(vector, float)
    size = np.linalg.norm(given)
    return given / size if size > 0.0 else np.array([0.0, 0.0, 1.0])


def turn_from_z(direction: ArrayLike) -> FloatArray:
    """A rotation that turns the z axis into a direction."""
    z = unit_vector(direction)
    x = unit_vector(np.cross(perpendicular(z), z))
    return np.column_stack([x, np.cross(z, x), z])


def perpendicular(direction: FloatArray) -> FloatArray:
    """The coordinate axis that is most nearly perpendicular to a direction."""
    axis = np.zeros(3)
    axis[np.argmin(np.abs(direction))] = 1.0
    return axis
