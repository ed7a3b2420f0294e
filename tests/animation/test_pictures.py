"""Pictures by native code: bodies where the projection says, shadows, and films."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tellegen as tg
from animation.demo_scenes import double_pendulum, four_bar, hanging_mass
from tellegen.animation import ArrowItem, Camera, Item, Scene, Sphere, Trace, to_figure, to_picture, to_video
from tellegen.animation import film as films
from tellegen.animation.film import Frames
from tellegen.animation.raster import native, painter
from tellegen.animation.raster.buffers import Target, Triangles
from tellegen.animation.raster.geometry import Lens
from tellegen.animation.raster.lighting import DARK, direction_of_light
from tellegen.animation.raster.painter import Painter, PictureSize
from tellegen.animation.shapes import Box
from tellegen.procedures.check import mistakes
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

STILL = np.eye(3)[None]
SIZE = PictureSize(300, 200)


def ball(place: tuple[float, float, float], **look: object) -> Scene:
    """A ball of diameter 1 in front of a camera on the z axis, 10 away from the origin."""
    item = Item("ball", Sphere(diameter=1.0, **look), np.array([place]), STILL)  # type: ignore[arg-type]
    camera = Camera(position=(0.0, 0.0, 10.0), target=(0.0, 0.0, 0.0), field_of_view=30.0)
    return Scene("ball", np.zeros(1), (item,), camera=camera, ground=None)


def red(pixels: np.ndarray) -> np.ndarray:
    """Where a picture is clearly red."""
    image = pixels.astype(float)
    return image[..., 0] > image[..., 1] + 60.0


def test_kernels_are_sound() -> None:
    found = [str(mistake) for mistake in mistakes(load(*native.ENTRIES))]
    assert not found, "\n".join(found)


def test_kernels_stay_within_their_arrays() -> None:
    script = Path(__file__).with_name("checked_pictures.py")
    path = os.pathsep.join([str(script.parents[1]), str(script.parents[2])])
    environment = {**os.environ, "TELLEGEN_CHECK_BOUNDS": "1", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "drawn\n", done.stderr


def test_native_code_is_the_evaluation_of_its_kernel() -> None:
    """Random triangles on a few pixels, by native code and by plain Python."""
    generator = np.random.default_rng(7)
    arrays = {"screen": generator.uniform(-3.0, 15.0, (30, 3)), "corners": np.arange(30).reshape(-1, 3)}
    rest = dict.fromkeys(("world", "normals", "colors"), np.zeros((30, 3)))
    targets = []
    for _ in range(2):
        buffers = {"nearness": np.full(60, -5.0), "owner": np.full(60, -1, np.int32), "color": np.zeros(180)}
        targets.append({"width": 12, "height": 5, "top": 4, **buffers})
    native.rasterize(native.record(Triangles, count=10, **arrays, **rest), native.record(Target, **targets[0]))
    flat = {name: array.reshape(-1) for name, array in (arrays | rest).items()}
    unit = load(*native.ENTRIES)
    evaluate(unit, "rasterize", SimpleNamespace(count=10, **flat), SimpleNamespace(**targets[1]))
    np.testing.assert_array_equal(targets[0]["owner"], targets[1]["owner"])
    np.testing.assert_allclose(targets[0]["nearness"], targets[1]["nearness"], rtol=1e-12)
    assert len(set(targets[0]["owner"].tolist())) > 3


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (1.5, 0.7, 0.0), (-2.0, -1.0, 3.0)])
def test_a_body_is_where_the_projection_says(place: tuple[float, float, float]) -> None:
    """The disc of a ball: its centre within a pixel, its area within 3 %."""
    pixels = Painter(ball(place, color="red"), SIZE).picture(0.0)
    rows, columns = np.nonzero(red(pixels))
    focal = 0.5 * SIZE.height / np.tan(np.radians(15.0))
    distance = 10.0 - place[2]
    center = (0.5 * SIZE.width + focal * place[0] / distance, 0.5 * SIZE.height - focal * place[1] / distance)
    assert columns.mean() + 0.5 == pytest.approx(center[0], abs=1.0)
    assert rows.mean() + 0.5 == pytest.approx(center[1], abs=1.0)
    away = np.linalg.norm([place[0], place[1], distance])
    slant = np.hypot(place[0], place[1]) / away  # a ball off the axis is seen as an ellipse
    radius = focal * 0.5 / np.sqrt(distance**2 - 0.25)
    area = np.pi * radius**2 / np.sqrt(1.0 - slant**2)
    assert len(rows) == pytest.approx(area, rel=0.03)


def test_what_is_nearer_hides_what_is_farther() -> None:
    scene = ball((0.0, 0.0, 0.0), color="red")
    blue = Item("blue", Sphere(diameter=0.5, color="blue"), np.array([[0.0, 0.0, 2.0]]), STILL)
    for items in ((scene.items[0], blue), (blue, scene.items[0])):
        pixels = Painter(replace(scene, items=items), SIZE).picture(0.0)
        middle = pixels[SIZE.height // 2, SIZE.width // 2].astype(int)
        assert middle[2] > middle[0] + 60


def test_what_is_transparent_lets_the_background_through() -> None:
    solid = Painter(ball((0.0, 0.0, 0.0), color="red"), SIZE).picture(0.0)
    glass = Painter(ball((0.0, 0.0, 0.0), color="red", opacity=0.4), SIZE).picture(0.0)
    empty = Painter(replace(ball((0.0, 0.0, 0.0)), items=()), SIZE).picture(0.0)
    middle = (SIZE.height // 2, SIZE.width // 2)
    expected = 0.4 * solid[middle].astype(float) + 0.6 * empty[middle]
    np.testing.assert_allclose(glass[middle], expected, atol=1.5)


def test_a_body_casts_a_shadow_on_the_ground() -> None:
    """The ground is darker where the ray to the light meets the ball."""
    item = Item("ball", Sphere(diameter=1.0), np.array([[0.0, 1.5, 0.0]]), STILL)
    camera = Camera(position=(0.0, 6.0, 8.0), target=(0.0, 0.5, 0.0))
    scene = Scene("shadow", np.zeros(1), (item,), camera=camera, ground=0.0)
    drawn = Painter(scene, SIZE)
    light = direction_of_light(scene, drawn.view)
    place = item.positions[0] - light * (1.5 / light[1])
    lens = Lens(drawn.view, SIZE.width, SIZE.height)
    x, y, _ = lens.screen(place[None])[0]
    with_ball = drawn.picture(0.0)
    without = Painter(replace(scene, items=(replace(item, shape=Sphere(diameter=1e-3)),)), SIZE).picture(0.0)
    assert int(with_ball[int(y), int(x), 0]) < int(without[int(y), int(x), 0]) - 40


def test_bands_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Painter(double_pendulum(), SIZE).picture(2.0)
    monkeypatch.setattr(painter, "_BAND_SAMPLES", 5000)
    np.testing.assert_array_equal(Painter(double_pendulum(), SIZE).picture(2.0), whole)


def test_traces_grow_and_forces_are_drawn() -> None:
    scene = double_pendulum()
    bare = replace(scene, traces=(), arrows=())
    counts = []
    for time in (0.0, 1.0, 4.0):
        difference = Painter(scene, SIZE).picture(time).astype(int) - Painter(bare, SIZE).picture(time)
        counts.append(int((np.abs(difference).max(axis=2) > 20).sum()))
    assert 0 < counts[0] < counts[1] < counts[2]  # the arrow alone, then the trace too


def test_a_camera_inside_a_body_and_an_empty_scene_are_drawn() -> None:
    around = Item("around", Box(length=40.0, width=40.0, height=40.0), np.zeros((1, 3)), STILL)
    for items in ((), (around,)):
        picture = Painter(replace(ball((0.0, 0.0, 0.0)), items=items), SIZE).picture(0.0)
        assert picture.shape == (200, 300, 3)


def test_arrows_and_traces_without_length() -> None:
    zero = np.zeros((1, 3))
    scene = replace(ball((0.0, 0.0, 0.0)), traces=(Trace("t", zero),), arrows=(ArrowItem("a", zero, zero),))
    np.testing.assert_array_equal(Painter(scene, SIZE).picture(0.0), Painter(ball((0.0, 0.0, 0.0)), SIZE).picture(0.0))


@pytest.mark.parametrize(("size", "spacing"), [(8.0, 1.0), (1.0, 0.1), (2.0, 0.2), (500.0, 50.0)])
def test_grids_are_round(size: float, spacing: float) -> None:
    ends = np.array([[0.0, 0.0, 0.0], [size, 0.0, 0.0]])
    scene = Scene("s", np.array([0.0, 1.0]), (), traces=(Trace("t", ends),))
    assert scene.grid_spacing == pytest.approx(spacing)


def test_a_picture_is_an_image_a_file_and_a_figure(tmp_path: Path) -> None:
    image = to_picture(four_bar(), tmp_path / "pose.png", time=1.0, size=(SIZE.width, SIZE.height))
    with Image.open(tmp_path / "pose.png") as written:
        np.testing.assert_array_equal(np.asarray(written), np.asarray(image))
    figure = to_figure(four_bar(), time=1.0, size=(SIZE.width, SIZE.height))
    figure.canvas.draw()
    drawn = np.asarray(figure.canvas.buffer_rgba())[..., :3]
    np.testing.assert_array_equal(drawn, np.asarray(image))


def test_dark_pictures_are_dark() -> None:
    assert Painter(four_bar(), SIZE, theme=DARK).picture(0.0).mean() < 80


def test_a_gif_has_all_pictures(tmp_path: Path) -> None:
    tg.Animation(hanging_mass()).save(tmp_path / "film.gif", fps=5, size=(120, 90), speed=2.0)
    with Image.open(tmp_path / "film.gif") as film:
        assert film.size == (120, 90)
        assert film.n_frames == 9  # 3 s at double speed and 5 pictures a second, and the last instant
        assert film.info["duration"] == 200
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(3)
        assert np.abs(np.asarray(film.convert("RGB")).astype(int) - first).max() > 50


def test_an_mp4_has_all_pictures(tmp_path: Path) -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    to_video(hanging_mass(), tmp_path / "film.mp4", fps=10, size=(121, 91), speed=2.0)
    count, seconds = ffmpeg.count_frames_and_secs(str(tmp_path / "film.mp4"))
    assert count == 16
    assert seconds == pytest.approx(1.6, abs=0.11)


def test_mp4_without_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(tg.ExportError, match=r"E401.*imageio-ffmpeg") as caught:
        to_video(hanging_mass(), tmp_path / "film.mp4")
    assert "tellegen[video]" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: to_picture(four_bar(), time=9.0), "E406: time = 9.0 is not in the scene"),
        (lambda: to_picture(four_bar(), size=(10, 200)), "E406: size = .* is not a size"),
        (lambda: to_video(four_bar(), "film.avi"), "E406: 'film.avi' is not a film"),
        (lambda: to_video(four_bar(), "film.gif", fps=0.0), "E406: fps = 0.0 is not a positive number"),
        (lambda: to_picture(four_bar(), "/no/such/folder/a.png", size=(20, 20)), "E404: .*cannot be written"),
        (lambda: to_picture(four_bar(), when=1.0), "E173: .*takes no 'when'"),  # type: ignore[call-arg]
    ],
)
def test_mistakes(call: object, message: str) -> None:
    with pytest.raises(tg.TellegenError, match=message):
        call()  # type: ignore[operator]


def test_a_film_begins_and_ends_with_the_run() -> None:
    times = Frames(fps=10.0, size=SIZE, speed=0.5).times(four_bar())
    assert (times[0], times[-1], len(times)) == (0.0, 4.0, 81)


def test_a_long_film_shows_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []

    def show(bar: Any) -> None:
        shown.append(bar.tasks[0].fields["now"])

    view = SimpleNamespace(show=show, close=lambda: shown.append("closed"))
    monkeypatch.setattr(films, "open_view", lambda: view)
    monkeypatch.setattr(films, "wanted", lambda: True)
    monkeypatch.setattr(films, "_PATIENCE_SECONDS", -1.0)
    to_video(four_bar(), tmp_path / "film.gif", fps=0.5, size=(40, 30))
    assert shown == ["0 of 3 pictures", "1 of 3 pictures", "2 of 3 pictures", "closed"]
