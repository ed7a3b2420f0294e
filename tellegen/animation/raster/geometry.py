"""What is drawn at a time: triangles in the world, and where a camera or a light sees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tellegen.animation.raster.buffers import Triangles
from tellegen.animation.raster.native import record
from tellegen.animation.shapes import perpendicular, unit_vector
from tellegen.animation.triangle_mesh import TriangleMesh, joined
from tellegen.animation.viewpoint import Viewpoint
from tellegen.engine.native.record import Record
from tellegen.ir.model import FloatArray, IntArray

_NEAR = 1e-3
"""What is nearer to the camera, relative to the distance of its target, is not drawn."""


@dataclass(frozen=True, eq=False)
class Lens:
    """A camera and the picture it makes, in pixels."""

    view: Viewpoint
    width: int
    height: int

    @property
    def axes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Directions to the right, up and forward."""
        forward = unit_vector(self.view.target - self.view.position)
        right = unit_vector(np.cross(forward, self.view.up))
        return right, np.cross(right, forward), forward

    @property
    def focal(self) -> float:
        """Pixels for a slope of 1."""
        return 0.5 * self.height / float(np.tan(0.5 * np.radians(self.view.field_of_view)))

    def screen(self, points: FloatArray) -> FloatArray:
        """Points of the world as x, y in pixels and nearness; nearness is not positive where a point is too near."""
        right, up, forward = self.axes
        away = points - self.view.position
        depth = away @ forward
        closest = _NEAR * float(np.linalg.norm(self.view.target - self.view.position))
        seen = depth > closest
        nearness = np.divide(1.0, depth, out=np.full(len(points), -1.0), where=seen)
        x = 0.5 * self.width + self.focal * (away @ right) * nearness
        y = 0.5 * self.height - self.focal * (away @ up) * nearness
        return np.column_stack([x, y, nearness])

    def distance(self, point: FloatArray) -> float:
        """Along the view."""
        return float((point - self.view.position) @ self.axes[2])

    def rays(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The ray through the top left corner, and what one pixel to the right or down adds to it."""
        right, up, forward = self.axes
        corner = forward - right * (0.5 * self.width / self.focal) + up * (0.5 * self.height / self.focal)
        return corner, right / self.focal, -up / self.focal


def triangles_of(meshes: Iterable[TriangleMesh], lens: Lens) -> Record:
    """Meshes in world coordinates as the kernels take them; triangles with a corner too near are left out."""
    mesh = joined(meshes)
    screen = lens.screen(mesh.vertices)
    seen = (screen[mesh.faces, 2] > 0.0).all(axis=1) if len(mesh.faces) else np.zeros(0, bool)
    return _record(mesh, screen, mesh.faces[seen])


def triangles_for_light(meshes: Iterable[TriangleMesh], matrix: FloatArray) -> Record:
    """Meshes as a light sees them."""
    mesh = joined(meshes)
    screen = mesh.vertices @ matrix[:, :3].T + matrix[:, 3]
    return _record(mesh, screen, mesh.faces)


def _record(mesh: TriangleMesh, screen: FloatArray, faces: IntArray) -> Record:
    return record(
        Triangles,
        count=len(faces),
        corners=np.ascontiguousarray(faces, np.int64),
        screen=np.ascontiguousarray(screen),
        world=np.ascontiguousarray(mesh.vertices),
        normals=np.ascontiguousarray(mesh.normals),
        colors=np.ascontiguousarray(mesh.colors),
    )


def light_matrix(direction: FloatArray, center: FloatArray, reach: float, pixels: int) -> FloatArray:
    """The matrix (3, 4) from the world to pixels and nearness of a light far away."""
    right = unit_vector(np.cross(perpendicular(direction), direction))
    up = np.cross(direction, right)
    scale = 0.5 * pixels / reach
    rows = np.array([scale * right, scale * up, direction])
    shift = np.array([0.5 * pixels, 0.5 * pixels, 0.0]) - rows @ center
    return np.ascontiguousarray(np.column_stack([rows, shift]))


def ribbon(points: FloatArray, colors: FloatArray, lens: Lens, width: float) -> Record:
    """A polyline as rectangles that face the camera, so many pixels wide, as triangles for the kernels."""
    screen = lens.screen(points)
    begin = screen[:-1]
    end = screen[1:]
    seen = (begin[:, 2] > 0.0) & (end[:, 2] > 0.0)
    begin = begin[seen]
    end = end[seen]
    tints = colors[1:][seen]
    along = end[:, :2] - begin[:, :2]
    sizes = np.linalg.norm(along, axis=1, keepdims=True)
    along = 0.5 * width * along / np.where(sizes > 0.0, sizes, 1.0)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    longer = 0.5 * along  # so that there are no gaps in bends
    corners = np.stack(
        [
            np.column_stack([begin[:, :2] - longer + across, begin[:, 2]]),
            np.column_stack([begin[:, :2] - longer - across, begin[:, 2]]),
            np.column_stack([end[:, :2] + longer - across, end[:, 2]]),
            np.column_stack([end[:, :2] + longer + across, end[:, 2]]),
        ],
        axis=1,
    )
    first = 4 * np.arange(len(begin))[:, None]
    faces = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])])
    flat = np.zeros((4 * len(begin), 3))
    mesh = TriangleMesh(flat, flat, np.repeat(tints, 4, axis=0), faces)
    return _record(mesh, corners.reshape(-1, 3), faces)
