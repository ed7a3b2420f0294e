"""Shapes to triangles: one function for each kind of shape, along z, centred at the origin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tellegen.animation import shapes
from tellegen.animation.colors import AXIS_COLORS, rgb
from tellegen.animation.surfaces import bevelled_box, creased, revolved, tube
from tellegen.animation.triangle_mesh import TriangleMesh, joined
from tellegen.errors import ExportError
from tellegen.ir.model import FloatArray

_BEVEL = 0.04
"""Bevels of edges, relative to the smallest side: edges that catch light look solid."""
_POINTS_A_TURN = 32


def tessellate(shape: shapes.Shape) -> TriangleMesh:
    """The triangles of a shape in the coordinates of its item, white where the shape's own colour belongs."""
    make = _MAKE.get(type(shape))
    if make is None:
        known = ", ".join(kind.__name__ for kind in _MAKE)
        raise ExportError("E406", f"{shape!r} is not a shape", advice=f"shapes are {known}")
    mesh = make(shape)
    return mesh.placed(*shape.placement())


def _box(shape: shapes.Box) -> TriangleMesh:
    sizes = np.array([shape.width, shape.height, shape.length], float)
    return bevelled_box(sizes, _BEVEL * sizes.min())


def _cylinder(shape: shapes.Cylinder) -> TriangleMesh:
    return _turned(0.5 * shape.diameter, 0.5 * shape.diameter, shape.length, shape.marked)


def _cone(shape: shapes.Cone) -> TriangleMesh:
    return _turned(0.5 * shape.diameter, 0.5 * shape.tip_diameter, shape.length, shape.marked)


def _turned(bottom: float, top: float, length: float, marked: bool) -> TriangleMesh:
    """A frustum with bevelled edges."""
    half = 0.5 * length
    bevel = _BEVEL * min(length, 2.0 * max(bottom, top))
    slope = np.array([top - bottom, length]) / np.hypot(top - bottom, length)  # along the side
    side = np.array([slope[1], -slope[0]])
    points = [[0.0, -half], [max(bottom - bevel, 0.0), -half], np.array([bottom, -half]) + bevel * slope]
    normals = [[0.0, -1.0], [0.0, -1.0], side]
    if top > 0.0:
        points += [np.array([top, half]) - bevel * slope, [max(top - bevel, 0.0), half], [0.0, half]]
        normals += [side, [0.0, 1.0], [0.0, 1.0]]
    else:
        points += [[0.0, half]]
        normals += [side]
    return revolved(points, normals, marked)


def _sphere(shape: shapes.Sphere) -> TriangleMesh:
    return revolved(0.5 * shape.diameter * _arc(-90.0, 90.0), _arc(-90.0, 90.0), shape.marked)


def _capsule(shape: shapes.Capsule) -> TriangleMesh:
    ends = np.concatenate([_arc(-90.0, 0.0), _arc(0.0, 90.0)])
    heights = 0.5 * shape.length * np.where(np.arange(len(ends)) < len(ends) // 2, -1.0, 1.0)
    points = 0.5 * shape.diameter * ends + np.column_stack([np.zeros(len(ends)), heights])
    return revolved(points, ends)


def _torus(shape: shapes.Torus) -> TriangleMesh:
    circle = _arc(-180.0, 180.0)
    points = 0.5 * shape.tube_diameter * circle + np.array([0.5 * shape.diameter, 0.0])
    return revolved(points, circle, shape.marked)


def _pipe(shape: shapes.Pipe) -> TriangleMesh:
    outer = 0.5 * shape.diameter
    inner = 0.5 * shape.inner_diameter
    half = 0.5 * shape.length
    bevel = _BEVEL * min(outer - inner, shape.length)
    down = [0.0, -1.0]
    up = [0.0, 1.0]
    out = [1.0, 0.0]
    into = [-1.0, 0.0]
    points = [
        [inner, half - bevel],
        [inner, bevel - half],
        [inner + bevel, -half],
        [outer - bevel, -half],
        [outer, bevel - half],
        [outer, half - bevel],
        [outer - bevel, half],
        [inner + bevel, half],
        [inner, half - bevel],
    ]
    return revolved(points, [into, into, down, down, out, out, up, up, into], shape.marked)


def _spring(shape: shapes.Spring) -> TriangleMesh:
    turns = np.linspace(0.0, shape.turns, int(np.ceil(shape.turns * _POINTS_A_TURN)) + 1)
    angles = 2.0 * np.pi * turns
    radius = 0.5 * (shape.diameter - shape.wire_diameter)
    height = (turns / shape.turns - 0.5) * (shape.length - shape.wire_diameter)
    return tube(np.column_stack([radius * np.cos(angles), radius * np.sin(angles), height]), 0.5 * shape.wire_diameter)


def _arrow(shape: shapes.Arrow) -> TriangleMesh:
    return arrow_mesh(shape.length, shape.diameter).placed(np.array([0.0, 0.0, -0.5 * shape.length]), np.eye(3))


def arrow_mesh(length: float, diameter: float) -> TriangleMesh:
    """An arrow from the origin along z; its head is three diameters long and two wide."""
    head = min(3.0 * diameter, 0.6 * length)
    neck = length - head
    shaft = 0.5 * diameter
    slope = np.array([head, diameter]) / np.hypot(head, diameter)
    points = [[0.0, 0.0], [shaft, 0.0], [shaft, 0.0], [shaft, neck], [shaft, neck], [diameter, neck]]
    normals = [[0.0, -1.0], [0.0, -1.0], [1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, -1.0]]
    return revolved([*points, [diameter, neck], [0.0, length]], [*normals, slope, slope])


def _frame_axes(shape: shapes.FrameAxes) -> TriangleMesh:
    return axes_mesh(shape.length)


def axes_mesh(length: float) -> TriangleMesh:
    """Arrows along the three axes, from the origin, in their colours."""
    arrow = arrow_mesh(length, 0.05 * length)
    turns = [np.roll(np.eye(3), 2 - axis, axis=1) for axis in range(3)]  # z becomes this axis
    return joined(
        arrow.placed(np.zeros(3), turn).painted(color) for turn, color in zip(turns, AXIS_COLORS, strict=True)
    )


def _plane(shape: shapes.Plane) -> TriangleMesh:
    thickness = 0.004 * min(shape.width, shape.height)
    return bevelled_box(np.array([shape.width, shape.height, thickness]), 0.1 * thickness)


def _line(shape: shapes.Line) -> TriangleMesh:
    return tube(np.asarray(shape.points, float), 0.5 * shape.diameter, around=8)


def _mesh(shape: shapes.Mesh) -> TriangleMesh:
    return creased(np.asarray(shape.vertices, float), np.asarray(shape.faces, np.int64), shape.crease)


def _group(shape: shapes.Group) -> TriangleMesh:
    parts = [(tessellate(part), part.color) for part in shape.shapes]
    return joined(mesh if color is None else mesh.painted(rgb(color)) for mesh, color in parts)


def _arc(begin: float, end: float) -> FloatArray:
    """Points of the unit circle, angles in degrees from the radius."""
    count = int(np.ceil((end - begin) / 7.5)) + 1
    angles = np.radians(np.linspace(begin, end, count))
    return np.column_stack([np.cos(angles), np.sin(angles)])


_MAKE: dict[type[shapes.Shape], Callable[[Any], TriangleMesh]] = {
    shapes.Box: _box,
    shapes.Cylinder: _cylinder,
    shapes.Cone: _cone,
    shapes.Capsule: _capsule,
    shapes.Pipe: _pipe,
    shapes.Spring: _spring,
    shapes.Arrow: _arrow,
    shapes.Sphere: _sphere,
    shapes.Torus: _torus,
    shapes.Plane: _plane,
    shapes.FrameAxes: _frame_axes,
    shapes.Line: _line,
    shapes.Mesh: _mesh,
    shapes.Group: _group,
}
