"""The visual shapes of a part as components that are drawn with its frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellegen.errors import NetlistError, warn_user
from tellegen.importers.assembly.pose import Pose
from tellegen.importers.assembly.records import RigidPart
from tellegen.importers.assembly.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Placed, Sphere, Triangles
from tellegen.importers.assembly.triangle_mesh import TriangleMesh, read_mesh
from tellegen.ir.model import Surface
from tellegen.library import multibody

ROUND = {Cylinder: "cylinder", Capsule: "capsule", Cone: "cone"}
DIVISIONS = 24
"""Of an ellipsoid, around each of its axes."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A shape, where it is in the frame of its part, its colour, and its triangles if it is a mesh."""

    placed: Placed
    mesh: TriangleMesh | None = None


def drawable(part: RigidPart) -> Iterator[Drawn]:
    """The shapes of a part; a mesh that cannot be read causes a warning and is left out."""
    for placed in part.visuals:
        try:
            yield Drawn(placed, _mesh(placed))
        except NetlistError as error:
            warn_user(f"a shape of '{part.name}' is not drawn: {error.message}")


def _mesh(placed: Placed) -> TriangleMesh | None:
    shape = placed.shape
    if isinstance(shape, Mesh):
        return read_mesh(shape.path).scaled(shape.scale)
    if isinstance(shape, Triangles):
        return TriangleMesh(shape.vertices.astype(float), shape.faces.astype(np.int64))
    return _ellipsoid(shape) if isinstance(shape, Ellipsoid) else None


def _ellipsoid(shape: Ellipsoid) -> TriangleMesh:
    """Rows of vertices from pole to pole, joined by two triangles between any four."""
    turn = np.linspace(0.0, 2.0 * np.pi, DIVISIONS + 1)
    rise = np.linspace(-0.5 * np.pi, 0.5 * np.pi, DIVISIONS // 2 + 1)
    longitude, latitude = np.meshgrid(turn, rise)
    unit = [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)]
    vertices = np.stack(unit, axis=-1).reshape(-1, 3) * np.array(shape.radii)
    row, column = np.indices((DIVISIONS // 2, DIVISIONS))
    corner = (row * (DIVISIONS + 1) + column).ravel()
    above = corner + DIVISIONS + 1
    lower = np.stack([corner, corner + 1, above + 1], axis=-1)
    upper = np.stack([corner, above + 1, above], axis=-1)
    return TriangleMesh(vertices, np.concatenate([lower, upper]))


def drawn_shape(drawn: Drawn) -> multibody.FixedShape:
    """The component of a shape, in axes of its part."""
    shape = drawn.placed.shape
    pose = drawn.placed.pose
    look = _paint(drawn.placed)
    if drawn.mesh is not None:
        mesh = Surface(drawn.mesh.vertices @ pose.R.T + pose.r, drawn.mesh.triangles)
        return multibody.FixedShape(shape="mesh", mesh=mesh, **look)
    if isinstance(shape, Box):
        return multibody.FixedShape(shape="box", **_box(shape, pose), **look)
    if isinstance(shape, Sphere):
        return multibody.FixedShape(shape="sphere", length=2.0 * shape.radius, **_along(pose, shape.radius), **look)
    assert isinstance(shape, Cylinder | Capsule | Cone)
    before = 0.0 if isinstance(shape, Cone) else 0.5 * shape.length
    size = {"length": shape.length, "width": 2.0 * shape.radius}
    return multibody.FixedShape(shape=ROUND[type(shape)], **size, **_along(pose, before), **look)


def _box(shape: Box, pose: Pose) -> dict[str, Any]:
    length, width, height = shape.size
    x = pose.R[:, 0]
    y = pose.R[:, 1]
    axes = {"length_direction": x.tolist(), "width_direction": y.tolist()}
    return {"r_shape": (pose.r - 0.5 * length * x).tolist(), "length": length, "width": width, "height": height, **axes}


def _along(pose: Pose, before: float) -> dict[str, Any]:
    """A shape along the z axis of a frame that begins some way before its origin."""
    z = pose.R[:, 2]
    return {"r_shape": (pose.r - before * z).tolist(), "length_direction": z.tolist()}


def _paint(placed: Placed) -> dict[str, Any]:
    if placed.colour is None:
        return {}
    red, green, blue, opacity = placed.colour
    levels = np.round(255.0 * np.clip([red, green, blue], 0.0, 1.0)).astype(int)
    return {"color": "#" + "".join(f"{level:02x}" for level in levels), "opacity": float(opacity)}
