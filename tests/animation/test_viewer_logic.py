"""The viewer's arithmetic, run by V8 without a browser: poses, projection and picking, compared with Python's.

What needs a page or OpenGL is in test_viewer.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from py_mini_racer import MiniRacer

from animation.demo_scenes import ALL, double_pendulum
from tellegen.animation.document import document
from tellegen.animation.motion import Track, matrices, quaternions
from tellegen.animation.raster.geometry import Lens
from tellegen.animation.scene import Item, Scene
from tellegen.animation.viewpoint import viewpoint

SIZE = (800, 600)  # the shape of picture that the camera of a document is made for
# Browsers have this, V8 has not.
ATOB = """
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function atob(text) {
  const out = [];
  let bits = 0, count = 0;
  for (const letter of text.replace(/=+$/, "")) {
    bits = (bits << 6) | LETTERS.indexOf(letter);
    count += 6;
    if (count >= 8) { count -= 8; out.push(String.fromCharCode((bits >> count) & 255)); }
  }
  return out.join("");
}
"""


@dataclass(frozen=True)
class Viewer:
    """The scripts without those that draw, with a scene in `scene` and its camera in `camera`."""

    scene: Scene
    context: MiniRacer

    def value(self, expression: str) -> Any:
        return json.loads(str(self.context.eval(f"JSON.stringify({expression})")))


def opened(scene: Scene) -> Iterator[Viewer]:
    context = MiniRacer()
    parts = ("vectors", "tracks", "camera", "picking")
    scripts = [files("tellegen.animation.viewer").joinpath(f"{part}.js").read_text() for part in parts]
    context.eval(ATOB + "\n".join(scripts))
    context.eval(f"const scene = decoded({json.dumps(document(scene))}); const camera = new OrbitCamera(scene);")
    context.eval(f"camera.aspect = {SIZE[0] / SIZE[1]}; camera.home();")
    yield Viewer(scene, context)
    context.close()


@pytest.fixture(scope="module", params=ALL)
def viewer(request: pytest.FixtureRequest) -> Iterator[Viewer]:
    yield from opened(ALL[request.param]())


@pytest.fixture
def pendulum() -> Iterator[Viewer]:
    yield from opened(double_pendulum())


def test_poses_are_those_of_the_scene(viewer: Viewer) -> None:
    scene = viewer.scene
    for time in np.random.default_rng(1).uniform(scene.times[0], scene.times[-1], 15):
        for k, item in enumerate(scene.items):
            pose = viewer.value(f"poseOf(scene.items[{k}], {time})")
            at = np.array([time])
            place = Track(scene.times, item.positions).at(at)[0]
            np.testing.assert_allclose(pose["position"], place, atol=3e-4 * scene.size)
            turn = matrices(Track(scene.times, quaternions(item.rotations), "rotation").at(at))[0]
            turned = viewer.value(f"rotated([1, 0.5, -2], {json.dumps(pose['rotation'])})")
            np.testing.assert_allclose(turned, turn @ [1, 0.5, -2], atol=2.3 * 3e-3)


def test_the_projection_is_that_of_pictures(viewer: Viewer) -> None:
    """Pages and pictures show the same view: the camera's matrix against the lens of the rasterizer."""
    lens = Lens(viewpoint(viewer.scene, 4.0 / 3.0), *SIZE)
    for point in np.random.default_rng(2).uniform(*viewer.scene.bounds, (20, 3)):
        x, y, _, _ = viewer.value(f"camera.project({point.tolist()})")
        expected = lens.screen(point[None])[0, :2]
        found = (0.5 * SIZE[0] * (1.0 + x), 0.5 * SIZE[1] * (1.0 - y))
        np.testing.assert_allclose(found, expected, atol=0.01)


def test_a_ray_through_a_point_of_the_screen_meets_it(viewer: Viewer) -> None:
    for point in np.random.default_rng(3).uniform(*viewer.scene.bounds, (20, 3)):
        x, y, _, _ = viewer.value(f"camera.project({point.tolist()})")
        ray = viewer.value(f"camera.ray({x}, {y})")
        away = point - np.array(ray["origin"])
        assert np.linalg.norm(np.cross(away, ray["direction"])) < 1e-5 * np.linalg.norm(away)


def test_picking_finds_the_nearest_body(pendulum: Viewer) -> None:
    """Against a search through all triangles by NumPy, for rays over the whole picture and at every body."""
    hits = set()
    for time in (0.0, 1.7):
        bodies = [(item.name, _moved(pendulum.scene, item, time), item.mesh.faces) for item in pendulum.scene.items]
        middles = [vertices.mean(axis=0).tolist() for _, vertices, _ in bodies]
        rays = np.random.default_rng(4).uniform(-0.8, 0.8, (40, 2)).tolist()
        rays += [pendulum.value(f"camera.project({middle})")[:2] for middle in middles]
        for x, y in rays:
            ray = pendulum.value(f"camera.ray({x}, {y})")
            distances = {name: _distance(vertices, faces, ray) for name, vertices, faces in bodies}
            nearest = min(distances, key=distances.__getitem__)
            expected = nearest if np.isfinite(distances[nearest]) else None
            found = pendulum.value(f"pickedItem(scene, {time}, {json.dumps(ray)})?.name ?? null")
            assert found == expected
            hits.add(found)
    assert hits >= {None, "first", "mass"}


def _moved(scene: Scene, item: Item, time: float) -> np.ndarray:
    k = int(np.searchsorted(scene.times, time))
    return item.mesh.vertices @ item.rotations[k].T + item.positions[k]


def _distance(vertices: np.ndarray, faces: np.ndarray, ray: dict[str, list[float]]) -> float:
    """Along a ray to the nearest triangle, by solving for the crossing with the plane of each."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    direction = np.broadcast_to(ray["direction"], a.shape)
    matrix = np.stack([b - a, c - a, -direction], axis=-1)
    regular = np.abs(np.linalg.det(matrix)) > 1e-16
    found = np.linalg.solve(matrix[regular], (np.array(ray["origin"]) - a[regular])[..., None])[..., 0]
    inside = (found[:, 0] >= 0) & (found[:, 1] >= 0) & (found[:, 0] + found[:, 1] <= 1) & (found[:, 2] > 0)
    return float(found[inside, 2].min(initial=np.inf))


def test_the_camera_stays_upright_and_keeps_its_distance(pendulum: Viewer) -> None:
    distance = pendulum.value("camera.distance")
    for around, above in np.random.default_rng(5).normal(size=(50, 2)) * 2.0:
        pendulum.context.eval(f"camera.orbit({around}, {above})")
        away = np.subtract(pendulum.value("camera.eye()"), pendulum.value("camera.target"))
        assert np.linalg.norm(away) == pytest.approx(distance)
        assert abs(away[1]) / distance < np.sin(1.5) + 1e-9
        right, top = pendulum.value("camera.screenAxes()")
        assert abs(right[1]) < 1e-9
        assert top[1] > 0.0


def test_turning_the_camera_and_back(pendulum: Viewer) -> None:
    before = pendulum.value("camera.eye()")
    pendulum.context.eval("camera.orbit(0.3, 0.2); camera.orbit(-0.3, -0.2)")
    np.testing.assert_allclose(pendulum.value("camera.eye()"), before, atol=1e-9)
