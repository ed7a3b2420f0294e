"""A scene: bodies with shapes and their motion, traces, forces, curves. Every picture, file and page is made from one.

A scene is data and knows nothing of mechanics. All arrays have one row for each of the times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from tellegen.animation.colors import FORCE_COLOR, TRACE_COLOR
from tellegen.animation.shapes import Shape, Vector, unit_vector
from tellegen.animation.tessellate import tessellate
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.errors import ExportError
from tellegen.ir.model import FloatArray

_ORTHONORMAL = 1e-3
"""How far a rotation may be from orthonormal: what integrators leave; beyond it is a mistake."""


@dataclass(frozen=True, eq=False)
class Item:
    """A body: `rotations[k]` maps its coordinates to those of the world, `positions[k]` is its origin there.

    `scales` (T, 3), for springs: factors of its own coordinates before it is rotated. `curves` are the names of the
    scene's curves that belong to it.
    """

    name: str
    shape: Shape
    positions: FloatArray
    rotations: FloatArray
    curves: tuple[str, ...] = ()
    scales: FloatArray | None = None

    @cached_property
    def mesh(self) -> TriangleMesh:
        """The triangles of the shape."""
        return tessellate(self.shape)


@dataclass(frozen=True, eq=False)
class Trace:
    """The path of a point (T, 3), drawn up to the present time."""

    name: str
    points: FloatArray
    color: str = TRACE_COLOR


@dataclass(frozen=True, eq=False)
class ArrowItem:
    """A vector at a moving point, such as a force; origins and vectors (T, 3) in world coordinates.

    `scale` is the length of the arrow for a vector of length 1; None: the longest of all such arrows is a third of the
    size of the scene.
    """

    name: str
    origins: FloatArray
    vectors: FloatArray
    color: str = FORCE_COLOR
    scale: float | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """A variable of the solution over the times of the scene."""

    name: str
    unit: str
    values: FloatArray


@dataclass(frozen=True)
class Camera:
    """Where the scene is looked at from; what is None is chosen so that everything is in view at all times.

    `follow` is the name of an item that stays in the middle of the picture: position and target move with it.
    """

    position: Vector | None = None
    target: Vector | None = None
    up: Vector | None = None
    follow: str | None = None
    field_of_view: float = 32.0  # vertical, in degrees


@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn. Times do not decrease; a time that appears twice is an event, where bodies may jump.

    `ground`: the height of the ground along `up`; "auto" below everything, None for none. `forces_shown=False` leaves
    the arrows out of pictures, films and glTF files; a page shows them once its reader asks for them.
    """

    name: str
    times: FloatArray
    items: tuple[Item, ...]
    traces: tuple[Trace, ...] = ()
    arrows: tuple[ArrowItem, ...] = ()
    curves: tuple[Curve, ...] = ()
    camera: Camera = field(default_factory=Camera)
    up: Vector = (0.0, 1.0, 0.0)
    ground: float | str | None = "auto"
    forces_shown: bool = True

    def __post_init__(self) -> None:
        check_scene(self)

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """The box around all that is ever seen of the items and traces."""
        corners = [np.zeros((1, 3))] if not (self.items or self.traces) else []
        for item in self.items:
            corners.append(reach(item))
        corners += [trace.points for trace in self.traces]
        points = np.concatenate(corners)
        return points.min(axis=0), points.max(axis=0)

    @cached_property
    def size(self) -> float:
        """The diagonal of the box around everything."""
        low, high = self.bounds
        return float(np.linalg.norm(high - low)) or 1.0

    @cached_property
    def ground_height(self) -> float | None:
        """Where the ground is along `up`."""
        if self.ground is None or not isinstance(self.ground, str):
            return self.ground
        up = unit_vector(self.up)
        low, high = self.bounds
        lowest = min(corner @ up for corner in box_corners(low, high))
        return float(lowest) - 0.002 * self.size

    @cached_property
    def grid_spacing(self) -> float:
        """A round distance of grid lines: 1, 2 or 5 times a power of ten, about a tenth of the scene."""
        power = 10.0 ** np.floor(np.log10(self.size / 8.0))
        factor = self.size / 8.0 / power
        return float(power * (5.0 if factor >= 5.0 else 2.0 if factor >= 2.0 else 1.0))

    def moved(self, offset: FloatArray) -> Scene:
        """The same scene at another place."""
        camera = self.camera
        ground = self.ground
        if isinstance(ground, float | int):
            ground = float(ground + offset @ unit_vector(self.up))
        return replace(
            self,
            items=tuple(replace(item, positions=item.positions + offset) for item in self.items),
            traces=tuple(replace(trace, points=trace.points + offset) for trace in self.traces),
            arrows=tuple(replace(arrow, origins=arrow.origins + offset) for arrow in self.arrows),
            camera=replace(camera, position=_moved(camera.position, offset), target=_moved(camera.target, offset)),
            ground=ground,
        )

    @property
    def shown_arrows(self) -> tuple[ArrowItem, ...]:
        """The arrows of pictures."""
        return self.arrows if self.forces_shown else ()

    def drawn_vectors(self, arrow: ArrowItem) -> FloatArray:
        """The vectors of an arrow as long as they are drawn (T, 3)."""
        return arrow.vectors * (self._arrow_scale if arrow.scale is None else arrow.scale)

    @cached_property
    def _arrow_scale(self) -> float:
        """The length of arrows without a scale of their own, for a vector of length 1."""
        lengths = [np.linalg.norm(arrow.vectors, axis=1).max() for arrow in self.arrows if arrow.scale is None]
        longest = max(lengths, default=0.0)
        return self.size / 3.0 / float(longest) if longest > 0.0 else 1.0


def _moved(point: Vector | None, offset: FloatArray) -> Vector | None:
    if point is None:
        return None
    x, y, z = np.asarray(point) + offset
    return float(x), float(y), float(z)


def reach(item: Item) -> FloatArray:
    """Points around all that is ever seen of an item: the corners of its box, at a sample of the times."""
    vertices = item.mesh.vertices
    if not len(vertices):
        return item.positions
    corners = box_corners(vertices.min(axis=0), vertices.max(axis=0))
    every = np.unique(np.linspace(0, len(item.positions) - 1, 400).astype(int))
    scales = np.ones((len(every), 3)) if item.scales is None else item.scales[every]
    scaled = corners[None] * scales[:, None, :]
    moved = np.einsum("tij,tcj->tci", item.rotations[every], scaled) + item.positions[every, None, :]
    return moved.reshape(-1, 3)


def box_corners(low: FloatArray, high: FloatArray) -> FloatArray:
    """The eight corners of a box."""
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def check_scene(scene: Scene) -> None:
    """E406 for arrays that do not fit, numbers that are not finite, rotations that are none, names that are unknown."""
    count = len(scene.times)
    if count == 0:
        raise ExportError("E406", f"the scene '{scene.name}' has no times")
    for what, array, shape in _arrays(scene):
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
            raise ExportError("E406", f"{what} are not a NumPy array of numbers")
        expected = (count, *shape)
        if np.shape(array) != expected:
            problem = f"{what} have the shape {np.shape(array)}; {expected} are needed, one row for each time"
            raise ExportError("E406", problem)
        if not np.isfinite(array).all():
            row = int(np.argwhere(~np.isfinite(array))[0][0])
            raise ExportError("E406", f"{what} are not finite at time {scene.times[row]:g}")
    if (np.diff(scene.times) < 0.0).any():
        raise ExportError("E406", f"the times of the scene '{scene.name}' decrease")
    _check_rotations(scene)
    _check_names(scene)


def _arrays(scene: Scene) -> Iterator[tuple[str, Any, tuple[int, ...]]]:
    """Every array, what it is, and the shape of one of its rows."""
    yield f"the times of the scene '{scene.name}'", scene.times, ()
    for item in scene.items:
        yield f"the positions of '{item.name}'", item.positions, (3,)
        yield f"the rotations of '{item.name}'", item.rotations, (3, 3)
        if item.scales is not None:
            yield f"the scales of '{item.name}'", item.scales, (3,)
    for trace in scene.traces:
        yield f"the points of '{trace.name}'", trace.points, (3,)
    for arrow in scene.arrows:
        yield f"the origins of '{arrow.name}'", arrow.origins, (3,)
        yield f"the vectors of '{arrow.name}'", arrow.vectors, (3,)
    for curve in scene.curves:
        yield f"the values of '{curve.name}'", curve.values, ()


def _check_rotations(scene: Scene) -> None:
    for item in scene.items:
        products = np.einsum("tij,tkj->tik", item.rotations, item.rotations)
        errors = np.abs(products - np.eye(3)).max(axis=(1, 2))
        x, y, z = np.moveaxis(item.rotations, 1, 0)
        mirrored = np.einsum("ti,ti->t", np.cross(x, y), z) < 0.0
        if (wrong := (errors > _ORTHONORMAL) | mirrored).any():
            time = scene.times[int(np.argmax(wrong))]
            advice = "rows and columns of length 1 that are perpendicular, and a determinant of 1"
            problem = f"the matrix of '{item.name}' at time {time:g} is not a rotation"
            raise ExportError("E406", problem, advice=advice)


def _check_names(scene: Scene) -> None:
    names = [item.name for item in scene.items]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise ExportError("E406", f"two items have the name '{min(repeated)}'")
    curves = {curve.name for curve in scene.curves}
    for item in scene.items:
        if unknown := [name for name in item.curves if name not in curves]:
            raise ExportError("E406", f"'{unknown[0]}', of the item '{item.name}', is not among the scene's curves")
    camera = scene.camera
    if camera.position is not None and camera.position == camera.target:
        raise ExportError("E406", f"the camera is at its own target, {camera.target}")
    if camera.follow is not None and camera.follow not in names:
        raise ExportError("E406", f"the camera follows '{camera.follow}', which is not an item of the scene")
