"""A scene at one time: bodies and arrows as meshes in world coordinates, the paths of traces until then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tellegen.animation.colors import rgb
from tellegen.animation.document import item_color
from tellegen.animation.motion import Track, matrices, quaternions
from tellegen.animation.scene import Item, Scene
from tellegen.animation.shapes import turn_from_z
from tellegen.animation.tessellate import arrow_mesh
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.ir.model import FloatArray


@dataclass(frozen=True, eq=False)
class Body:
    """An item in world coordinates and in its colour."""

    mesh: TriangleMesh
    opacity: float


@dataclass(frozen=True, eq=False)
class Path:
    """A trace until now: points (n, 3), and the age of each relative to the whole run."""

    points: FloatArray
    ages: FloatArray
    color: FloatArray


class Poses:
    """The poses of a scene at any time."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._turns = [Track(scene.times, quaternions(item.rotations), "rotation") for item in scene.items]

    def bodies(self, time: float) -> list[Body]:
        """All items."""
        scene = self.scene
        return [
            Body(self._placed(item, turns, time).painted(item_color(item, number)), item.shape.opacity)
            for number, (item, turns) in enumerate(zip(scene.items, self._turns, strict=True))
        ]

    def arrows(self, time: float) -> Iterator[TriangleMesh]:
        """All arrows that have a length."""
        scene = self.scene
        for arrow in scene.shown_arrows:
            vector = self._at(scene.drawn_vectors(arrow), time)
            length = float(np.linalg.norm(vector))
            if length > 1e-4 * scene.size:
                mesh = arrow_mesh(length, 0.06 * min(length, 0.3 * scene.size))
                yield mesh.placed(self._at(arrow.origins, time), turn_from_z(vector)).painted(rgb(arrow.color))

    def paths(self, time: float) -> Iterator[Path]:
        """All traces."""
        times = self.scene.times
        until = int(np.searchsorted(times, time, side="right"))
        duration = float(times[-1] - times[0]) or 1.0
        ages = np.append(time - times[:until], 0.0) / duration
        for trace in self.scene.traces:
            points = np.vstack([trace.points[:until], self._at(trace.points, time)])
            yield Path(points, ages, rgb(trace.color))

    def _placed(self, item: Item, turns: Track, time: float) -> TriangleMesh:
        turn = matrices(turns.at(np.array([time])))[0]
        mesh = item.mesh
        if item.scales is not None:
            scale = self._at(item.scales, time)
            normals = mesh.normals / np.where(scale == 0.0, 1.0, scale)
            mesh = replace(mesh, vertices=mesh.vertices * scale, normals=normals)
        return mesh.placed(self._at(item.positions, time), turn)

    def _at(self, rows: FloatArray, time: float) -> FloatArray:
        """One row of numbers at the time."""
        return Track(self.scene.times, rows).at(np.array([time]))[0]
