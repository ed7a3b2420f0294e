"""Simple solids: where they are, what they look like, and their mass properties in closed form.

Every shape is centred at the origin of its frame, with its axis along z; only the cone has its base in z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi
from typing import Any

import numpy as np

from tellegen.errors import DataError
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import IDENTITY, Pose

Three = tuple[float, float, float]


@dataclass(frozen=True)
class Shape:
    """A solid; `solid` gives its mass properties for a density of 1."""

    def solid(self) -> MassProperties:
        """Volume, centre and second moments."""
        raise NotImplementedError

    def mass_properties(self, density: float) -> MassProperties:
        """Mass, centre of mass and inertia of the homogeneous solid."""
        return self.solid().scaled(density)


@dataclass(frozen=True)
class Box(Shape):
    """A box, with a smaller one in its centre taken out."""

    size: Three
    inner_size: Three = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        _check_lengths("Box", self.size, self.inner_size)

    def solid(self) -> MassProperties:
        """m/12 (b2 + c2)."""
        return _box(self.size) - _box(self.inner_size)


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder or a tube."""

    radius: float
    length: float
    inner_radius: float = 0.0

    def __post_init__(self) -> None:
        _check_lengths("Cylinder", (self.radius, self.length), (self.inner_radius, 0.0))

    def solid(self) -> MassProperties:
        """The axial moment is m r2/2."""
        return _cylinder(self.radius, self.length) - _cylinder(self.inner_radius, self.length)


@dataclass(frozen=True)
class Sphere(Shape):
    """A ball or a hollow one."""

    radius: float
    inner_radius: float = 0.0

    def __post_init__(self) -> None:
        _check_lengths("Sphere", (self.radius,), (self.inner_radius,))

    def solid(self) -> MassProperties:
        """2/5 m r2."""
        return _ball(self.radius) - _ball(self.inner_radius)


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """Three half axes."""

    radii: Three

    def __post_init__(self) -> None:
        _check_lengths("Ellipsoid", self.radii, ())

    def solid(self) -> MassProperties:
        """m/5 (b2 + c2)."""
        return _ellipsoid(self.radii)


@dataclass(frozen=True)
class Cone(Shape):
    """A cone: its base in z = 0, its apex at z = length."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        _check_lengths("Cone", (self.radius, self.length), ())

    def solid(self) -> MassProperties:
        """3/10 m r2 about the axis, 3/80 m (4 r2 + h2) across it."""
        m = pi * self.radius**2 * self.length / 3.0
        across = 3.0 / 80.0 * m * (4.0 * self.radius**2 + self.length**2)
        axial = 0.3 * m * self.radius**2
        return MassProperties(m, np.array([0.0, 0.0, self.length / 4.0]), np.diag([across, across, axial]))


@dataclass(frozen=True)
class Capsule(Shape):
    """A cylinder of a length between two half balls, with a smaller capsule of the same length taken out."""

    radius: float
    length: float
    inner_radius: float = 0.0

    def __post_init__(self) -> None:
        _check_lengths("Capsule", (self.radius, self.length), (self.inner_radius, 0.0))

    def solid(self) -> MassProperties:
        """Cylinder and two hemispheres."""
        return _capsule(self.radius, self.length) - _capsule(self.inner_radius, self.length)


@dataclass(frozen=True)
class Mesh(Shape):
    """Triangles in a file."""

    path: str
    scale: Three = (1.0, 1.0, 1.0)

    def solid(self) -> MassProperties:
        """Volume integrals over the closed surface."""
        from tellegen.importers.assembly.triangle_mesh import read_mesh

        return read_mesh(self.path).scaled(self.scale).solid()


@dataclass(frozen=True, eq=False)
class Triangles(Shape):
    """Triangles: vertices in metres, and the three of each, anticlockwise seen from outside."""

    vertices: Any  # (n, 3), of 32 bits
    faces: Any  # (m, 3), of 32 bits

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", np.asarray(self.vertices, np.float32))
        object.__setattr__(self, "faces", np.asarray(self.faces, np.int32))

    def solid(self) -> MassProperties:
        """Volume integrals over the closed surface."""
        from tellegen.importers.assembly.triangle_mesh import TriangleMesh

        return TriangleMesh(self.vertices.astype(float), self.faces.astype(np.int64)).solid()


@dataclass(frozen=True)
class Placed:
    """A shape in the frame of a part."""

    shape: Shape
    pose: Pose = field(default=IDENTITY)
    colour: tuple[float, float, float, float] | None = None


def _check_lengths(shape: str, outer: tuple[float, ...], inner: tuple[float, ...]) -> None:
    if not all(np.isfinite(length) and length > 0.0 for length in outer):
        raise DataError("E707", f"{shape}: lengths are positive, not {_listed(outer)}", advice="lengths are in metres")
    if not all(0.0 <= small <= large for small, large in zip(inner, outer, strict=False)) or (inner and inner == outer):
        what = f"{shape}: what is hollow ({_listed(inner)}) has to fit into {_listed(outer)}"
        raise DataError("E707", what, advice="lengths are in metres")


def _listed(lengths: tuple[float, ...]) -> str:
    return ", ".join(f"{length:g}" for length in lengths)


def _box(size: Three) -> MassProperties:
    x, y, z = size
    m = x * y * z
    return MassProperties(m, np.zeros(3), m / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y]))


def _cylinder(radius: float, length: float) -> MassProperties:
    m = pi * radius**2 * length
    across = m * (3.0 * radius**2 + length**2) / 12.0
    return MassProperties(m, np.zeros(3), np.diag([across, across, m * radius**2 / 2.0]))


def _ellipsoid(radii: Three) -> MassProperties:
    a, b, c = radii
    m = 4.0 / 3.0 * pi * a * b * c
    return MassProperties(m, np.zeros(3), m / 5.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b]))


def _ball(radius: float) -> MassProperties:
    return _ellipsoid((radius, radius, radius))


def _capsule(radius: float, length: float) -> MassProperties:
    half = 2.0 / 3.0 * pi * radius**3
    centre = length / 2.0 + 3.0 / 8.0 * radius
    axial = 0.4 * half * radius**2
    across = axial - half * (3.0 / 8.0 * radius) ** 2
    ends = [MassProperties(half, np.array([0.0, 0.0, z]), np.diag([across, across, axial])) for z in (centre, -centre)]
    return _cylinder(radius, length) + ends[0] + ends[1]
