"""A scene at a time as pixels.

Shadows are found from the light first. The picture is then made in bands of rows, several at once: which triangle is
seen at each sample, light on it, traces, the ground, and what is transparent from far to near.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tellegen.animation.raster import native
from tellegen.animation.raster.geometry import Lens, ribbon, triangles_of
from tellegen.animation.raster.lighting import Theme, band, ground_of, light_of, look_of
from tellegen.animation.raster.poses import Poses
from tellegen.animation.scene import Scene
from tellegen.animation.viewpoint import followed, viewpoint
from tellegen.engine.native.record import Record
from tellegen.ir.model import FloatArray

_BAND_SAMPLES = 400_000
_TRACE_PIXELS = 2.4
_TRACE_OPACITY = 0.95
_SHADOWLESS = 0.5
"""What is more transparent casts no shadow."""


@dataclass(frozen=True, eq=False)
class _Stage:
    """Everything that the bands of one picture have in common; what is transparent from far to near."""

    lens: Lens
    opaque: Record
    transparent: list[tuple[Record, float]]
    traces: list[Record]
    light: Record
    look: Record
    ground: Record | None


@dataclass(frozen=True)
class PictureSize:
    """Of a picture, in pixels."""

    width: int
    height: int


class Painter:
    """Pictures of one scene, each pixel the mean of samples x samples points."""

    def __init__(self, scene: Scene, size: PictureSize, samples: int = 2, theme: Theme | None = None) -> None:
        self.scene = scene
        self.size = size
        self.samples = samples
        self.theme = theme or Theme()
        self.view = viewpoint(scene, size.width / size.height)
        self._poses = Poses(scene)

    def picture(self, time: float) -> NDArray[np.uint8]:
        """Pixels (height, width, 3) of bytes."""
        stage = self._stage(time)
        width = stage.lens.width
        height = stage.lens.height
        rows = max(1, _BAND_SAMPLES // width // self.samples) * self.samples
        bands = [(top, min(rows, height - top)) for top in range(0, height, rows)]
        with ThreadPoolExecutor(min(os.cpu_count() or 1, len(bands))) as pool:
            parts = list(pool.map(lambda band: self._band(stage, *band), bands))
        return np.round(255.0 * np.clip(np.concatenate(parts), 0.0, 1.0)).astype(np.uint8)

    def _stage(self, time: float) -> _Stage:
        """What is seen at a time, ready for the kernels."""
        scene = self.scene
        width = self.samples * self.size.width
        height = self.samples * self.size.height
        lens = Lens(followed(self.view, scene, time), width, height)
        bodies = self._poses.bodies(time)
        solid = [body.mesh for body in bodies if body.opacity >= 1.0] + list(self._poses.arrows(time))
        glass = [body for body in bodies if body.opacity < 1.0]
        glass.sort(key=lambda body: -lens.distance(body.mesh.vertices.mean(axis=0)))
        casting = solid + [body.mesh for body in glass if body.opacity >= _SHADOWLESS]
        return _Stage(
            lens=lens,
            opaque=triangles_of(solid, lens),
            transparent=[(triangles_of([body.mesh], lens), body.opacity) for body in glass],
            traces=list(self._ribbons(time, lens)),
            light=light_of(scene, casting, lens.view),
            look=look_of(scene, lens.view, self.theme),
            ground=None if scene.ground_height is None else ground_of(scene, lens, self.theme),
        )

    def _ribbons(self, time: float, lens: Lens) -> Iterator[Record]:
        """The traces; what is older is paler."""
        background = 0.5 * (np.array(self.theme.above) + np.array(self.theme.below))
        for path in self._poses.paths(time):
            colors = path.color + 0.7 * path.ages[:, None] * (background - path.color)
            yield ribbon(path.points, colors, lens, _TRACE_PIXELS * self.samples)

    def _band(self, stage: _Stage, top: int, height: int) -> FloatArray:
        """Some rows of the picture."""
        target = band(stage.lens.width, height, top, nearness=0.0)
        color = target.kept["color"].reshape(height, stage.lens.width, 3)
        color[:] = self._background(top, height, stage.lens.height)
        native.rasterize(stage.opaque, target)
        native.shade(stage.opaque, target, stage.light, stage.look, 1.0)
        for trace in stage.traces:
            target.kept["owner"][:] = -1
            native.rasterize(trace, target)
            native.paint(trace, target, _TRACE_OPACITY)
        if stage.ground is not None:
            native.draw_ground(target, stage.ground, stage.light, stage.look)
        nearness = target.kept["nearness"].copy()
        for triangles, opacity in stage.transparent:
            target.kept["owner"][:] = -1
            target.kept["nearness"][:] = nearness  # what is transparent hides nothing
            native.rasterize(triangles, target)
            native.shade(triangles, target, stage.light, stage.look, opacity)
        n = self.samples
        return color.reshape(height // n, n, -1, n, 3).mean(axis=(1, 3))

    def _background(self, top: int, height: int, whole: int) -> FloatArray:
        """A gradient from the bottom of the picture to its top."""
        part = 1.0 - (np.arange(top, top + height)[:, None, None] + 0.5) / whole
        return np.array(self.theme.below) + part * (np.array(self.theme.above) - np.array(self.theme.below))
