"""Scenes: what they reject, and what they know about themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tellegen as tg
from animation.demo_scenes import double_pendulum, hanging_mass, spinning_top
from tellegen.animation import Box, Camera, Item, Scene, Sphere
from tellegen.animation.raster.geometry import Lens
from tellegen.animation.viewpoint import followed, viewpoint

TIMES = np.array([0.0, 1.0])
STILL = np.tile(np.eye(3), (2, 1, 1))
CENTER = np.zeros((2, 3))


def body(**changes: object) -> Item:
    return replace(Item("body", Sphere(diameter=1.0), CENTER, STILL), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scene("none", np.array([]), ()), "the scene 'none' has no times"),
        (lambda: Scene("s", TIMES, (body(positions=[[0, 0, 0], [1, 1, 1]]),)), "'body' are not a NumPy array"),
        (lambda: Scene("s", TIMES, (), camera=Camera((1, 2, 3), (1, 2, 3))), "camera is at its own target"),
        (lambda: Scene("s", TIMES[::-1], (body(),)), "the times of the scene 's' decrease"),
        (lambda: Scene("s", TIMES, (body(positions=np.zeros((3, 3))),)), r"'body' have the shape \(3, 3\)"),
        (lambda: Scene("s", TIMES, (body(positions=CENTER * np.nan),)), "not finite at time 0"),
        (lambda: Scene("s", TIMES, (body(rotations=2.0 * STILL),)), "'body' at time 0 is not a rotation"),
        (lambda: Scene("s", TIMES, (body(rotations=-STILL),)), "'body' at time 0 is not a rotation"),
        (lambda: Scene("s", TIMES, (body(), body())), "two items have the name 'body'"),
        (lambda: Scene("s", TIMES, (body(curves=("w",)),)), "'w', of the item 'body', is not among"),
        (lambda: Scene("s", TIMES, (body(),), camera=Camera(follow="bdy")), "the camera follows 'bdy'"),
    ],
)
def test_mistakes(make: object, message: str) -> None:
    with pytest.raises(tg.ExportError, match=f"E406.*{message}"):
        make()  # type: ignore[operator]


def test_bounds_enclose_every_body_at_every_time() -> None:
    moving = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    scene = Scene("s", TIMES, (body(positions=moving),))
    low, high = scene.bounds
    np.testing.assert_allclose(low, -0.5, atol=0.01)
    np.testing.assert_allclose(high, [10.5, 0.5, 0.5], atol=0.01)
    assert scene.ground_height == pytest.approx(-0.5 - 0.002 * scene.size, abs=0.01)
    assert replace(scene, ground=0.3).ground_height == 0.3


def test_an_empty_scene_has_a_size() -> None:
    assert Scene("s", TIMES, ()).size == 1.0


@pytest.mark.parametrize("scene", [double_pendulum(), hanging_mass()], ids=lambda scene: scene.name)
@pytest.mark.parametrize("aspect", [0.5, 1.5, 3.0])
def test_the_usual_camera_sees_everything(scene: Scene, aspect: float) -> None:
    view = viewpoint(scene, aspect)
    forward = view.target - view.position
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, view.up)
    right = right / np.linalg.norm(right)
    up = np.cross(right, forward)
    half = np.tan(np.radians(view.field_of_view / 2))
    for trace in scene.traces:
        away = trace.points - view.position
        assert (np.abs(away @ up) < half * (away @ forward)).all()
        assert (np.abs(away @ right) < half * aspect * (away @ forward)).all()


def test_a_following_camera_moves_with_its_body() -> None:
    moving = np.array([[0.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    scene = Scene("s", TIMES, (body(positions=moving),), camera=Camera((0, 3, 9), (0, 3, 0), follow="body"))
    view = followed(viewpoint(scene, 1.0), scene, 0.5)
    np.testing.assert_allclose(view.target, [5.0, 0.0, 0.0])
    np.testing.assert_allclose(view.position, [5.0, 0.0, 9.0])


@pytest.mark.parametrize("up", np.eye(3).tolist())
def test_a_camera_straight_above(up: list[float]) -> None:
    """It looks along the direction that is up, so another one is up in the picture."""
    x, y, z = up
    scene = Scene("s", TIMES, (body(),), up=(x, y, z), camera=Camera((9 * x, 9 * y, 9 * z), (0, 0, 0)))
    lens = Lens(viewpoint(scene, 1.0), 100, 100)
    np.testing.assert_allclose(np.array(lens.axes) @ np.array(lens.axes).T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(lens.screen(np.zeros((1, 3)))[0, :2], 50.0)


def test_a_flat_mechanism_is_seen_from_its_flat_side() -> None:
    """The pendulum moves in x and y, so the camera looks along z; the top stands on z."""
    scene = double_pendulum()
    direction = viewpoint(scene, 1.5).position - 0.5 * (scene.bounds[0] + scene.bounds[1])
    assert abs(direction[2]) > 2.0 * abs(direction[0])
    assert viewpoint(spinning_top(), 1.5).up[2] == 1.0


def test_opacity_and_colour_belong_to_shapes() -> None:
    assert Box(opacity=0.5).opacity == 0.5
    assert Box(color="red").color == "red"
