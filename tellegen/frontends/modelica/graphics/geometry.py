"""Coordinates of drawings: where a point of a class's own coordinates lies in the whole picture."""

from __future__ import annotations

import math

from tellegen.frontends.modelica.graphics.shapes import Extent, Placement, Point, Position
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class Affine:
    """(x, y) -> (a x + c y + e, b x + d y + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def point(self, at: Point) -> Point:
        """Where a point lies."""
        x, y = at
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, inner: Affine) -> Affine:
        """First `inner`, then this."""
        return Affine(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            *self.point((inner.e, inner.f)),
        )

    @property
    def origin(self) -> Point:
        """Where the origin lies."""
        return self.e, self.f

    @property
    def angle(self) -> float:
        """How far the horizontal axis is turned, in degrees."""
        return math.degrees(math.atan2(self.b, self.a))

    @property
    def scale(self) -> float:
        """The length of what is one unit long, on average over directions."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


def turned(frame: Affine, position: Position) -> Affine:
    """The frame of a shape's own coordinates."""
    angle = math.radians(position.rotation)
    cosine = math.cos(angle)
    sine = math.sin(angle)
    return frame.after(Affine(cosine, sine, -sine, cosine, *position.origin))


def placed(frame: Affine, placement: Placement, extent: Extent) -> Affine:
    """The frame of a component's icon: its `extent` stretched over that of the placement."""
    (u1, v1), (u2, v2) = extent
    (x1, y1), (x2, y2) = placement.extent
    across = (x2 - x1) / (u2 - u1)
    up = (y2 - y1) / (v2 - v1)
    stretched = Affine(across, 0.0, 0.0, up, x1 - across * u1, y1 - up * v1)
    return turned(frame, placement.position).after(stretched)
