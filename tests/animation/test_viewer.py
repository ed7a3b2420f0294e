"""The page in a real browser, with OpenGL in software: it loads, plays, picks, and bodies are where they should be.

Needs Chromium, Chrome or Edge on the machine (Debian: apt-get install chromium), or its path in CHROME. The data of the
page, the meshes and the interpolation are tested without one (test_files.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from animation.demo_mechanism import loaded_run
from animation.demo_scenes import double_pendulum, hanging_mass
from browser import Browser, find_browser
from tellegen.animation import Box, Item, Scene
from tellegen.animation.motion import Track
from tellegen.animation.raster.geometry import Lens
from tellegen.animation.viewpoint import viewpoint

SIZE = (640, 480)
PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium, Chrome or Edge is installed; CHROME may name one")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM, SIZE) as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    """The double pendulum; whatever a test does, the console stays empty."""
    tg.Animation(double_pendulum()).save(tmp_path / "run.html")
    browser.dark(False)
    browser.open(tmp_path / "run.html")
    yield browser
    assert browser.complaints == []


def is_orange(pixels: np.ndarray) -> np.ndarray:
    image = pixels.astype(int)
    return (image[..., 0] > image[..., 2] + 60) & (image[..., 0] > image[..., 1] + 30)


def place_of(browser: Browser, name: str) -> tuple[float, float]:
    x, y = browser.value(f"player.project({name!r})")
    return x, y


def test_bodies_are_where_the_projection_says(page: Browser) -> None:
    """The ball, without its trace: on the screen it is where the camera of the scene puts it, and nowhere else."""
    scene = double_pendulum()
    page.value("player.toggle('traces'); player.toggle('forces')")
    lens = Lens(viewpoint(scene, 4.0 / 3.0), *SIZE)
    mass = next(item for item in scene.items if item.name == "mass")
    for time in (0.6, 1.3, 3.2):
        page.value(f"player.seek({time})")
        rows, columns = np.nonzero(is_orange(page.picture()))
        place = Track(scene.times, mass.positions).at(np.array([time]))
        x, y, _ = lens.screen(place)[0]
        assert place_of(page, "mass") == pytest.approx((x, y), abs=0.5)
        assert (columns.mean(), rows.mean()) == pytest.approx((x, y), abs=3.0)
        assert len(rows) > 150
        assert np.hypot(columns - x, rows - y).max() < 30


def test_it_plays_and_stops(page: Browser) -> None:
    page.click(*_middle(page, "#play"))
    page.wait_for("player.state.time > 0.2")
    moving = page.value("player.state.time")
    page.wait_for(f"player.state.time > {moving}")
    page.click(*_middle(page, "#play"))
    page.wait_for("!player.playing")
    stopped = page.value("player.state.time")
    page.picture()
    assert page.value("player.state.time") == stopped
    assert page.value("document.getElementById('clock').textContent") == f"{stopped:.3f} s"


def test_at_the_end_it_stops_and_begins_again(page: Browser) -> None:
    page.value("player.seek(7.95); player.setPlaying(true)")
    page.wait_for("!player.playing && player.state.time === 8")
    page.value("player.setPlaying(true)")
    page.wait_for("player.state.time < 4")
    page.value("player.setPlaying(false)")


def test_picking_a_body_shows_its_curves(page: Browser) -> None:
    page.value("player.seek(1.0)")
    before = page.picture()
    page.click(*place_of(page, "mass"))
    page.wait_for("player.state.picked === 'mass'")
    assert page.value("document.getElementById('picked').textContent") == "mass"
    assert page.value("player.plots.map(plot => plot.name)") == ["second.phi"]
    assert np.abs(page.picture().astype(int) - before).max() > 100
    page.click(*_middle(page, "#plots canvas"))  # the plot sets the time; its axis begins 46 pixels from the left
    width = page.value("player.plots[0].canvas.clientWidth")
    assert page.value("player.state.time") == pytest.approx(8.0 * (width / 2 - 46) / (width - 54), abs=0.02)
    page.click(30, 300)  # nothing is there
    page.wait_for("player.state.picked === null")
    assert page.value("document.getElementById('panel').hidden")


def test_scrubbing_dragging_and_zooming(page: Browser) -> None:
    page.value("const s = document.getElementById('scrub'); s.value = 0.5; s.dispatchEvent(new Event('input'))")
    assert page.value("player.state.time") == pytest.approx(4.0)
    before = page.value("[...player.camera.eye()]")
    page.drag((200, 150), (300, 170))
    after = page.value("[...player.camera.eye()]")
    assert np.linalg.norm(np.subtract(after, before)) > 0.5
    distance = page.value("player.camera.distance")
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=200, y=200, deltaX=0, deltaY=-300)
    page.wait_for(f"player.camera.distance < 0.8 * {distance}")
    page.value("document.getElementById('home').click()")
    np.testing.assert_allclose(page.value("[...player.camera.eye()]"), before, atol=1e-9)


def test_the_camera_follows_a_body(page: Browser) -> None:
    page.value("player.follow('mass')")
    places = []
    for time in (0.5, 2.0, 3.5):
        page.value(f"player.seek({time})")
        page.picture()
        places.append(place_of(page, "mass"))
    np.testing.assert_allclose(places, np.tile(places[0], (3, 1)), atol=0.01)


def test_toggles_change_the_picture(page: Browser) -> None:
    page.value("player.seek(3.0)")
    before = page.picture().astype(int)
    for name in ("traces", "forces", "frames", "grid"):
        page.value(f"document.getElementById('{name}').click()")
        now = page.picture().astype(int)
        # Below the buttons, whose own look changes as well.
        changed = (np.abs(now - before)[60:400].max(axis=2) > 12).sum()
        assert changed > 40, name
        before = now


def test_dark_and_light(page: Browser) -> None:
    light = page.picture()[100:400].mean()
    page.dark(True)
    dark = page.picture()[100:400].mean()
    assert light > 200
    assert dark < 80


def test_springs_events_and_transparent_bodies(browser: Browser, tmp_path: Path) -> None:
    """The spring ends at the mass at all times: its lower end is the mass's place."""
    scene = hanging_mass()
    tg.Animation(scene).save(tmp_path / "run.html")
    browser.open(tmp_path / "run.html")
    for time, height in ((0.4, -0.6 + 0.15 * np.cos(2.8)), (1.5, -0.6 + 0.06 * np.cos(10.5))):
        browser.value(f"player.seek({time})")
        scale = browser.value("player.scene.items[0].scale.at(player.state.time)[2]")
        assert -scale == pytest.approx(height, abs=2e-4)
        place = browser.value("player.scene.items[1].position.at(player.state.time)")
        assert place[1] == pytest.approx(height, abs=2e-4)
    assert browser.picture().shape == (*SIZE[::-1], 3)
    assert browser.complaints == []


def test_a_notebook_shows_the_page(browser: Browser, tmp_path: Path) -> None:
    """The frame that a notebook gets, in another page."""
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<p>Out[1]:</p>{tg.Animation(double_pendulum())._repr_html_()}", encoding="utf-8")
    browser.open(notebook)
    browser.wait_for("document.querySelector('iframe').contentWindow.player !== undefined")
    assert browser.value("document.querySelector('iframe').contentWindow.player.scene.name") == "double pendulum"
    assert browser.complaints == []


def test_a_single_instant_has_no_controls(browser: Browser, tmp_path: Path) -> None:
    still = np.eye(3)[None]
    scene = Scene("pose", np.zeros(1), (Item("box", Box(), np.zeros((1, 3)), still),))
    tg.Animation(scene).save(tmp_path / "pose.html")
    browser.open(tmp_path / "pose.html")
    assert browser.value("getComputedStyle(document.getElementById('controls')).display") == "none"
    browser.click(*place_of(browser, "box"))
    browser.wait_for("player.state.picked === 'box'")
    assert browser.complaints == []


def _middle(page: Browser, selector: str) -> tuple[float, float]:
    """The centre of an element."""
    x, y = page.value(
        f"(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect();"
        " return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    return x, y


def test_the_page_of_a_mechanism(browser: Browser, tmp_path: Path) -> None:
    """A click on the bar plots its joint and its place, a vector in one plot; a button shows the forces in red."""
    loaded_run().animate(tmp_path / "run.html")
    page = browser
    page.dark(False)
    page.open(tmp_path / "run.html")
    before = page.picture()
    page.value("document.getElementById('forces').click()")
    shown = page.picture()
    assert _red(shown).sum() > _red(before).sum() + 50
    x, y = page.value("player.project('bar')")
    a, b = page.value("player.project('hinge')")
    assert (x, y) == pytest.approx((a, b), abs=0.5)
    page.value("player.select(player.scene.items.find(({ name }) => name === 'bar'))")
    assert page.value("player.plots.map(plot => plot.name)") == [
        "hinge.phi",
        "hinge.w",
        "frame_b.r_0",
        "frame_b.v_0",
    ]
    assert page.value("player.plots.map(plot => plot.curves.length)") == [1, 1, 3, 3]
    assert np.abs(page.picture().astype(int) - shown).max() > 100
    assert page.complaints == []


def _red(pixels: np.ndarray) -> np.ndarray:
    image = pixels.astype(int)
    return (image[..., 0] > image[..., 1] + 80) & (image[..., 0] > image[..., 2] + 40)
