"""A scene at a time as pixels.

Shadows are found from the light first. The picture is then made in bands of rows, several at once: which triangle is
seen at each sample, light on it, the ground, traces, and what is transparent from far to near.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tellegen.animation.colors import FORCE_COLOR, TRACE_COLOR, rgb
from tellegen.animation.document import item_color
from tellegen.animation.motion import Track, matrices, quaternions
from tellegen.animation.raster import native
from tellegen.animation.raster.buffers import Ground, Light, Look, Target
from tellegen.animation.raster.geometry import Lens, light_matrix, ribbon, triangles_for_light, triangles_of
from tellegen.animation.scene import Item, Scene
from tellegen.animation.shapes import perpendicular, turn_from_z, unit_vector
from tellegen.animation.tessellate import arrow_mesh
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.animation.viewpoint import Viewpoint, followed, viewpoint
from tellegen.engine.native.record import Record
from tellegen.ir.model import FloatArray

_BAND_SAMPLES = 400_000
_SHADOW_PIXELS = 1536
_SHADOW_BLUR = 4.0
"""Pixels of the light around a point that are looked at."""
_NOWHERE = -1e30


@dataclass(frozen=True)
class Theme:
    """Colours of a picture, those of the viewer (viewer/renderer.js)."""

    above: tuple[float, float, float] = (0.93, 0.95, 0.97)
    below: tuple[float, float, float] = (0.985, 0.988, 0.992)
    line: tuple[float, float, float] = (0.46, 0.53, 0.6)
    sky: tuple[float, float, float] = (0.62, 0.66, 0.72)
    bounce: tuple[float, float, float] = (0.36, 0.35, 0.34)
    shadow: float = 0.3


DARK = Theme(
    above=(0.06, 0.075, 0.095),
    below=(0.13, 0.15, 0.18),
    line=(0.42, 0.48, 0.55),
    sky=(0.44, 0.48, 0.55),
    bounce=(0.16, 0.16, 0.17),
    shadow=0.55,
)


@dataclass(frozen=True, eq=False)
class _Stage:
    """Everything that the bands of one picture have in common."""

    lens: Lens
    opaque: Record
    transparent: list[tuple[Record, float]]
    traces: list[Record]
    light: Record
    look: Record
    ground: Record | None


class Painter:
    """Pictures of one scene, each pixel the mean of samples x samples points."""

    def __init__(
        self, scene: Scene, size: tuple[int, int] = (960, 640), samples: int = 2, theme: Theme | None = None
    ) -> None:
        self.scene = scene
        self.size = size
        self.samples = samples
        self.theme = theme or Theme()
        self.view = viewpoint(scene, size[0] / size[1])
        self._turns = [Track(scene.times, quaternions(item.rotations), "rotation") for item in scene.items]

    def picture(self, time: float) -> NDArray[np.uint8]:
        """Pixels (height, width, 3) of bytes."""
        stage = self._stage(time)
        width, height = stage.lens.width, stage.lens.height
        rows = max(1, _BAND_SAMPLES // width // self.samples) * self.samples
        bands = [(top, min(rows, height - top)) for top in range(0, height, rows)]
        with ThreadPoolExecutor(min(os.cpu_count() or 1, len(bands))) as pool:
            parts = list(pool.map(lambda band: self._band(stage, *band), bands))
        return np.round(255.0 * np.clip(np.concatenate(parts), 0.0, 1.0)).astype(np.uint8)

    def _band(self, stage: _Stage, top: int, height: int) -> FloatArray:
        """Some rows of the picture."""
        lens = stage.lens
        target = _target(lens.width, height, top, 0.0)
        color = target.kept["color"].reshape(height, lens.width, 3)
        part = 1.0 - (np.arange(top, top + height)[:, None, None] + 0.5) / lens.height
        color[:] = np.array(self.theme.below) + part * (np.array(self.theme.above) - np.array(self.theme.below))
        native.rasterize(stage.opaque, target)
        native.shade(stage.opaque, target, stage.light, stage.look)
        for trace in stage.traces:
            target.kept["owner"][:] = -1
            native.rasterize(trace, target)
            native.paint(trace, target, 0.95)
        if stage.ground is not None:
            native.draw_ground(target, stage.ground, stage.light, stage.look)
        nearness = target.kept["nearness"].copy()
        for triangles, opacity in stage.transparent:
            target.kept["owner"][:] = -1
            target.kept["nearness"][:] = nearness  # one that is transparent hides nothing
            native.rasterize(triangles, target)
            look = _copied(stage.look, opacity)
            native.shade(triangles, target, stage.light, look)
        n = self.samples
        return color.reshape(height // n, n, lens.width // n, n, 3).mean(axis=(1, 3))

    def _stage(self, time: float) -> _Stage:
        """What is seen at a time, ready for the kernels."""
        lens = Lens(followed(self.view, self.scene, time), self.size[0] * self.samples, self.size[1] * self.samples)
        bodies = [(item, self._body(item, number, time)) for number, item in enumerate(self.scene.items)]
        solid = [mesh for item, mesh in bodies if item.shape.opacity >= 1.0]
        solid += self._arrows(time)
        behind = lens.axes[2]
        glass = sorted(
            ((mesh, item.shape.opacity) for item, mesh in bodies if item.shape.opacity < 1.0),
            key=lambda body: -float(body[0].vertices.mean(axis=0) @ behind),
        )
        shadows = solid + [mesh for mesh, opacity in glass if opacity >= 0.5]
        return _Stage(
            lens,
            triangles_of(solid, lens),
            [(triangles_of([mesh], lens), opacity) for mesh, opacity in glass],
            list(self._traces(time, lens)),
            self._light(shadows, lens.view),
            self._look(lens.view),
            None if self.scene.ground_height is None else self._ground(lens),
        )

    def _body(self, item: Item, number: int, time: float) -> TriangleMesh:
        """An item in world coordinates and in its colour."""
        at = np.array([time])
        position = Track(self.scene.times, item.positions).at(at)[0]
        turn = matrices(self._turns[number].at(at))[0]
        mesh = item.mesh
        if item.scales is not None:
            scale = Track(self.scene.times, item.scales).at(at)[0]
            normals = mesh.normals / np.where(scale == 0.0, 1.0, scale)
            mesh = replace(mesh, vertices=mesh.vertices * scale, normals=normals)
        return mesh.placed(position, turn).painted(item_color(item, number))

    def _arrows(self, time: float) -> Iterator[TriangleMesh]:
        scene = self.scene
        for arrow in scene.arrows:
            at = np.array([time])
            origin = Track(scene.times, arrow.origins).at(at)[0]
            vector = Track(scene.times, arrow.vectors).at(at)[0] * (arrow.scale or scene.arrow_scale)
            length = float(np.linalg.norm(vector))
            if length < 1e-4 * scene.size:
                continue
            mesh = arrow_mesh(length, 0.06 * min(length, 0.3 * scene.size))
            yield mesh.placed(origin, turn_from_z(vector)).painted(rgb(arrow.color or FORCE_COLOR))

    def _traces(self, time: float, lens: Lens) -> Iterator[Record]:
        """The paths until now; older parts are paler."""
        times = self.scene.times
        until = int(np.searchsorted(times, time, side="right"))
        duration = float(times[-1] - times[0]) or 1.0
        background = 0.5 * (np.array(self.theme.above) + np.array(self.theme.below))
        for trace in self.scene.traces:
            now = Track(times, trace.points).at(np.array([time]))
            points = np.concatenate([trace.points[:until], now])
            age = np.append(time - times[:until], 0.0)[:, None] / duration
            color = rgb(trace.color or TRACE_COLOR)
            yield ribbon(points, color + 0.7 * age * (background - color), lens, 2.4 * self.samples)

    def _light(self, meshes: list[TriangleMesh], view: Viewpoint) -> Record:
        """The light and what it sees."""
        scene = self.scene
        direction = self._direction_of_light(view)
        distance = float(np.linalg.norm(view.position - view.target))
        low, high = scene.bounds
        reach = min(0.75 * scene.size, 0.9 * distance)
        center = view.target if reach < 0.75 * scene.size else 0.5 * (low + high)
        matrix = light_matrix(direction, center, reach, _SHADOW_PIXELS)
        target = _target(_SHADOW_PIXELS, _SHADOW_PIXELS, 0, _NOWHERE)
        triangles = triangles_for_light(meshes, matrix)
        native.rasterize(triangles, target)
        left, low, right, high = _limits(triangles.kept["screen"])
        texel = 2.0 * reach / _SHADOW_PIXELS
        return native.record(
            Light,
            direction=direction,
            matrix=matrix,
            nearness=target.kept["nearness"],
            pixels=_SHADOW_PIXELS,
            left=left,
            right=right,
            low=low,
            high=high,
            tolerance=2.0 * texel,
            offset=2.5 * texel,
        )

    def _direction_of_light(self, view: Viewpoint) -> FloatArray:
        """From above, to the left of the camera, so that shadows fall to the right and away."""
        up = unit_vector(self.scene.up)
        to_camera = view.position - view.target
        level = unit_vector(to_camera - up * (to_camera @ up))
        return unit_vector(1.5 * up + 0.75 * level + 0.85 * np.cross(level, up))

    def _look(self, view: Viewpoint) -> Record:
        height = self.scene.ground_height
        return native.record(
            Look,
            eye=np.ascontiguousarray(view.position),
            up=unit_vector(self.scene.up),
            sky=np.array(self.theme.sky),
            bounce=np.array(self.theme.bounce),
            ground=_NOWHERE if height is None else float(height),
            size=float(self.scene.size),
            opacity=1.0,
        )

    def _ground(self, lens: Lens) -> Record:
        up = unit_vector(self.scene.up)
        first = unit_vector(np.cross(up, perpendicular(up)))
        second = np.cross(up, first)
        corner, right, down = lens.rays()
        distance = float(np.linalg.norm(lens.view.position - lens.view.target))
        return native.record(
            Ground,
            corner=corner,
            right=right,
            down=down,
            first=first,
            second=second,
            line=np.array(self.theme.line),
            center_first=float(lens.view.target @ first),
            center_second=float(lens.view.target @ second),
            spacing=grid_spacing(self.scene.size),
            reach=3.0 * max(self.scene.size, distance),
            shadow=self.theme.shadow,
        )


def grid_spacing(size: float) -> float:
    """A round distance of grid lines: 1, 2 or 5 times a power of ten, about a tenth of the scene."""
    power = 10.0 ** np.floor(np.log10(size / 8.0))
    factor = size / 8.0 / power
    return float(power * (5.0 if factor >= 5.0 else 2.0 if factor >= 2.0 else 1.0))


def _target(width: int, height: int, top: int, nearness: float) -> Record:
    """A band on which nothing is drawn yet."""
    return native.record(
        Target,
        width=width,
        height=height,
        top=top,
        nearness=np.full(width * height, nearness),
        owner=np.full(width * height, -1, np.int32),
        color=np.empty(3 * width * height),
    )


def _limits(screen: FloatArray) -> tuple[float, float, float, float]:
    """Where there can be shadows on the pixels of the light: least x and y, largest x and y."""
    if not len(screen):
        return 0.0, 0.0, 0.0, 0.0
    least = np.maximum(screen[:, :2].min(axis=0) - _SHADOW_BLUR, _SHADOW_BLUR)
    largest = np.minimum(screen[:, :2].max(axis=0) + _SHADOW_BLUR, _SHADOW_PIXELS - _SHADOW_BLUR)
    return float(least[0]), float(least[1]), float(largest[0]), float(largest[1])


def _copied(look: Record, opacity: float) -> Record:
    """The look with another opacity; bands that are made at the same time share the original."""
    copy = native.record(Look)
    copy.words[:] = look.words
    copy.put(opacity=opacity)
    return copy
