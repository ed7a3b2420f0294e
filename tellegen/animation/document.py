"""A scene as the data of the viewer: meshes once each, motions thinned, arrays as base64."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tellegen.animation.colors import PALETTE, rgb
from tellegen.animation.motion import Track, quaternions, thinned
from tellegen.animation.scene import Item, Scene
from tellegen.animation.shapes import FrameAxes, Group
from tellegen.animation.tessellate import arrow_mesh, axes_mesh
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.animation.viewpoint import viewpoint
from tellegen.errors import warn_user
from tellegen.ir.model import FloatArray

POSITION_TOLERANCE = 2e-4
"""How far a body may be from where it is in the scene, relative to the size of the scene."""
ANGLE_TOLERANCE = 1e-3
"""How far it may be turned, in radians."""
CURVE_TOLERANCE = 5e-4
"""How far a curve may be off, relative to its range."""
MOST_SAMPLES = 20_000
"""Of one motion or curve; where the tolerances would take more they are doubled until it fits, with a warning."""


_GRIDS_TO_ORIGIN = 1000
"""A scene within half as many grid lines, some 50 times its size, from zero is not far away."""


class Meshes:
    """The meshes of a document, each different one once."""

    def __init__(self) -> None:
        self.encoded: list[dict[str, Any]] = []
        self._numbers: dict[bytes, int] = {}

    def number(self, mesh: TriangleMesh) -> int:
        """The place of a mesh in the list, where it is added if it is new."""
        key = b"".join(array.tobytes() for array in (mesh.vertices, mesh.normals, mesh.colors, mesh.faces))
        if key not in self._numbers:
            self._numbers[key] = len(self.encoded)
            self.encoded.append(
                {
                    "vertices": encoded(mesh.vertices, "<f4"),
                    "normals": encoded(np.round(127.0 * mesh.normals), "i1"),
                    "colors": encoded(np.round(255.0 * mesh.colors), "u1"),
                    "faces": encoded(mesh.faces, "<u4"),
                }
            )
        return self._numbers[key]


def document(scene: Scene) -> dict[str, Any]:
    """The scene as the viewer reads it; everything in it can be written as JSON."""
    origin = far_origin(scene)
    scene = scene.moved(-origin) if origin.any() else scene
    meshes = Meshes()
    view = viewpoint(scene, 4.0 / 3.0)
    low, high = scene.bounds
    return {
        "name": scene.name,
        "start": float(scene.times[0]),
        "stop": float(scene.times[-1]),
        "up": [float(x) for x in scene.up],
        "size": scene.size,
        "origin": origin.tolist(),
        "center": (0.5 * (low + high)).tolist(),
        "ground": scene.ground_height,
        "spacing": scene.grid_spacing,
        "camera": {
            "position": view.position.tolist(),
            "target": view.target.tolist(),
            "up": view.up.tolist(),
            "field_of_view": view.field_of_view,
            "follow": scene.camera.follow,
        },
        "items": [_item(scene, item, number, meshes) for number, item in enumerate(scene.items)],
        "traces": [
            {
                "name": trace.name,
                "color": rgb(trace.color).tolist(),
                "points": _positions(scene, trace.points, trace.name),
            }
            for trace in scene.traces
        ],
        "forces_shown": scene.forces_shown,
        "arrows": [
            {
                "name": arrow.name,
                "color": rgb(arrow.color).tolist(),
                "track": _positions(scene, np.hstack([arrow.origins, scene.drawn_vectors(arrow)]), arrow.name),
            }
            for arrow in scene.arrows
        ],
        "curves": [
            {"name": curve.name, "unit": curve.unit, "track": _curve(scene, curve.values, curve.name)}
            for curve in scene.curves
        ],
        "axes": meshes.number(axes_mesh(1.0)),
        "arrow": meshes.number(arrow_mesh(1.0, 0.06)),
        "meshes": meshes.encoded,
    }


def far_origin(scene: Scene) -> FloatArray:
    """The place that positions are written relative to: zero, or near a scene that is far away from zero.

    Positions are 32-bit floats, with seven digits: bodies of a metre would jump at a distance of thousands of
    kilometres. It is a multiple of the grid, which stays where it is.
    """
    low, high = scene.bounds
    step = _GRIDS_TO_ORIGIN * scene.grid_spacing
    return step * np.round(0.5 * (low + high) / step)


def item_color(item: Item, number: int) -> FloatArray:
    """The colour of an item: its own, or the next of the palette; groups and axes have those of their parts."""
    if item.shape.color is not None:
        return rgb(item.shape.color)
    return np.ones(3) if isinstance(item.shape, Group | FrameAxes) else rgb(PALETTE[number % len(PALETTE)])


def item_tracks(scene: Scene, item: Item) -> tuple[Track, Track, Track | None]:
    """Positions, rotations and scales of an item, thinned."""
    position = fitted(Track(scene.times, item.positions), POSITION_TOLERANCE * scene.size, item.name)
    turned = Track(scene.times, quaternions(item.rotations), "rotation")
    rotation = fitted(turned, ANGLE_TOLERANCE, item.name)
    if item.scales is None:
        return position, rotation, None
    radius = item.mesh.radius or 1.0
    scale = fitted(Track(scene.times, item.scales), POSITION_TOLERANCE * scene.size / radius, item.name)
    return position, rotation, scale


def fitted(track: Track, tolerance: float, name: str) -> Track:
    """The track thinned to the tolerance, or to the smallest double of it that takes no more than MOST_SAMPLES."""
    found = thinned(track, tolerance)
    factor = 1
    while len(found.times) > MOST_SAMPLES:
        factor *= 2
        found = thinned(track, factor * tolerance)
    if factor > 1:
        warn_user(
            f"the motion of '{name}' is drawn with {factor} times the usual tolerance: it changes more often than "
            f"{MOST_SAMPLES} samples can show; animate a shorter part of the run"
        )
    return found


def encoded(array: NDArray[Any], kind: str) -> str:
    """Numbers as base64, little-endian."""
    return base64.b64encode(np.ascontiguousarray(array, np.dtype(kind)).tobytes()).decode()


def _item(scene: Scene, item: Item, number: int, meshes: Meshes) -> dict[str, Any]:
    position, rotation, scale = item_tracks(scene, item)
    return {
        "name": item.name,
        "mesh": meshes.number(item.mesh),
        "color": item_color(item, number).tolist(),
        "opacity": item.shape.opacity,
        "position": _encoded_track(position),
        "rotation": _encoded_track(rotation),
        "scale": None if scale is None else _encoded_track(scale),
        "curves": list(item.curves),
    }


def _positions(scene: Scene, points: FloatArray, name: str) -> dict[str, str]:
    return _encoded_track(fitted(Track(scene.times, points), POSITION_TOLERANCE * scene.size, name))


def _curve(scene: Scene, values: FloatArray, name: str) -> dict[str, str]:
    spread = float(np.ptp(values)) or 1.0
    return _encoded_track(fitted(Track(scene.times, values[:, None]), CURVE_TOLERANCE * spread, name))


def _encoded_track(track: Track) -> dict[str, str]:
    """Times keep 64 bits: 32 would be milliseconds after hours."""
    return {"times": encoded(track.times, "<f8"), "values": encoded(track.values, "<f4")}
