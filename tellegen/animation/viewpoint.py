"""The camera that a picture is taken with: where the scene does not say, one that sees everything."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tellegen.animation.motion import Track
from tellegen.animation.scene import Item, Scene, box_corners, reach
from tellegen.animation.shapes import perpendicular, unit_vector
from tellegen.ir.model import FloatArray

_MARGIN = 1.12
"""Room around what is seen."""
_SIDEWAYS = 0.42
_ABOVE = 0.3
"""Where the camera stands, relative to its distance from what it looks at."""


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """A camera with everything decided."""

    position: FloatArray
    target: FloatArray
    up: FloatArray
    field_of_view: float  # vertical, degrees

    def moved(self, offset: FloatArray) -> Viewpoint:
        """The same view from another place."""
        return Viewpoint(self.position + offset, self.target + offset, self.up, self.field_of_view)


def viewpoint(scene: Scene, aspect: float) -> Viewpoint:
    """The scene's camera, for pictures so many times wider than high."""
    camera = scene.camera
    low, high = seen_bounds(scene)
    target = np.asarray(0.5 * (low + high) if camera.target is None else camera.target, float)
    up = unit_vector(scene.up if camera.up is None else camera.up)
    if camera.position is not None:
        position = np.asarray(camera.position, float)
        straight = np.linalg.norm(np.cross(unit_vector(position - target), up)) < 1e-6
        return Viewpoint(position, target, perpendicular(up) if straight else up, camera.field_of_view)
    direction = _direction(high - low, up)
    distance = _distance(scene, box_corners(low, high) - target, direction, up, aspect)
    return Viewpoint(target + distance * direction, target, up, camera.field_of_view)


def _distance(scene: Scene, corners: FloatArray, direction: FloatArray, up: FloatArray, aspect: float) -> float:
    """How far away the camera has to be to see all corners of the box around everything."""
    right = unit_vector(np.cross(up, direction))
    top = np.cross(direction, right)
    half = np.tan(0.5 * np.radians(scene.camera.field_of_view))
    needed = np.maximum(np.abs(corners @ right) / (half * aspect), np.abs(corners @ top) / half)
    return float(_MARGIN * (corners @ direction + needed).max()) or scene.size


def seen_bounds(scene: Scene) -> tuple[FloatArray, FloatArray]:
    """The box that is to be in view: around everything, or around all that goes along with what the camera follows.

    The latter stands where the followed body is at first, which is in its middle.
    """
    leader = next((item for item in scene.items if item.name == scene.camera.follow), None)
    if leader is None:
        return scene.bounds
    start = leader.positions[0]
    points = np.concatenate([reach(_from(item, leader)) for item in scene.items if _goes_along(item, leader)])
    half = np.abs(points).max(axis=0)
    return start - half, start + half


def _from(item: Item, leader: Item) -> Item:
    """An item as the leader sees it, in axes of the world."""
    return replace(item, positions=item.positions - leader.positions)


def _goes_along(item: Item, leader: Item) -> bool:
    """Whether it stays near a leader that travels: not the road below a car."""
    return _travel(item.positions - leader.positions) <= 0.5 * _travel(leader.positions)


def _travel(positions: FloatArray) -> float:
    return float(np.linalg.norm(np.ptp(positions, axis=0)))


def followed(view: Viewpoint, scene: Scene, time: float) -> Viewpoint:
    """The view at a time, moved so that the item that the camera follows is in its middle."""
    item = next((item for item in scene.items if item.name == scene.camera.follow), None)
    if item is None:
        return view
    place = Track(scene.times, item.positions).at(np.array([time]))[0]
    return view.moved(place - view.target)


def _direction(extent: FloatArray, up: FloatArray) -> FloatArray:
    """From what is looked at to the camera: across the flat side of mechanisms that are flat."""
    first = unit_vector(np.cross(up, np.cross(perpendicular(up), up)))
    second = np.cross(first, up)
    one = abs(extent @ np.abs(first))
    other = abs(extent @ np.abs(second))
    front, side = (second, first) if one >= other else (first, -second)
    return unit_vector(front + _SIDEWAYS * side + _ABOVE * up)
