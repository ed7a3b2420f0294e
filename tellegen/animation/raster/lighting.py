"""The light, its shadows and the ground, as the kernels take them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tellegen.animation.raster import native
from tellegen.animation.raster.buffers import Ground, Light, Look, Target
from tellegen.animation.raster.geometry import Lens, light_matrix, triangles_for_light
from tellegen.animation.scene import Scene
from tellegen.animation.shapes import perpendicular, unit_vector
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.animation.viewpoint import Viewpoint
from tellegen.engine.native.record import Record
from tellegen.ir.model import FloatArray

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


def light_of(scene: Scene, meshes: list[TriangleMesh], view: Viewpoint) -> Record:
    """The light and what it reaches of these meshes: around what the camera looks at, no larger than the scene."""
    direction = direction_of_light(scene, view)
    distance = float(np.linalg.norm(view.position - view.target))
    low, high = scene.bounds
    reach = min(0.75 * scene.size, 0.9 * distance)
    center = view.target if reach < 0.75 * scene.size else 0.5 * (low + high)
    matrix = light_matrix(direction, center, reach, _SHADOW_PIXELS)
    triangles = triangles_for_light(meshes, matrix)
    seen = band(_SHADOW_PIXELS, _SHADOW_PIXELS, 0, nearness=_NOWHERE)
    native.rasterize(triangles, seen)
    left, low_limit, right, high_limit = _limits(triangles.kept["screen"])
    texel = 2.0 * reach / _SHADOW_PIXELS
    return native.record(
        Light,
        direction=direction,
        matrix=matrix,
        nearness=seen.kept["nearness"],
        pixels=_SHADOW_PIXELS,
        left=left,
        right=right,
        low=low_limit,
        high=high_limit,
        tolerance=2.0 * texel,
        offset=2.5 * texel,
    )


def direction_of_light(scene: Scene, view: Viewpoint) -> FloatArray:
    """From above, to the left of the camera, so that shadows fall to the right and away."""
    up = unit_vector(scene.up)
    to_camera = view.position - view.target
    level = unit_vector(to_camera - up * (to_camera @ up))
    return unit_vector(1.5 * up + 0.75 * level + 0.85 * np.cross(level, up))


def look_of(scene: Scene, view: Viewpoint, theme: Theme) -> Record:
    """The camera's place and the light from everywhere."""
    height = scene.ground_height
    return native.record(
        Look,
        eye=np.ascontiguousarray(view.position),
        up=unit_vector(scene.up),
        sky=np.array(theme.sky),
        bounce=np.array(theme.bounce),
        ground=_NOWHERE if height is None else float(height),
        size=float(scene.size),
    )


def ground_of(scene: Scene, lens: Lens, theme: Theme) -> Record:
    """The grid below the scene."""
    up = unit_vector(scene.up)
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
        line=np.array(theme.line),
        center_first=float(lens.view.target @ first),
        center_second=float(lens.view.target @ second),
        spacing=scene.grid_spacing,
        reach=3.0 * max(scene.size, distance),
        shadow=theme.shadow,
    )


def band(width: int, height: int, top: int, nearness: float) -> Record:
    """Some rows of a picture on which nothing is drawn yet; only what is nearer than `nearness` will be."""
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
