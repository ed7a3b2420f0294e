"""Scenes of mechanisms: where forces are drawn, the curves of bodies, and what a camera that follows has in view."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from animation.demo_mechanism import MASS, G, loaded_run
from tellegen.animation import Box, Camera, Item, Scene
from tellegen.animation.raster.geometry import Lens
from tellegen.animation.viewpoint import followed, viewpoint


@pytest.fixture(scope="module")
def run() -> tg.Solution:
    return loaded_run()


def test_forces_are_arrows_where_they_act(run: tg.Solution) -> None:
    scene = run.animate(forces=True).scene
    arrows = {arrow.name: arrow for arrow in scene.arrows}
    assert set(arrows) == {"floor force", "spring a", "spring b", "push force", "push torque", "shown torque"}
    weight = arrows["floor force"]
    np.testing.assert_allclose(weight.vectors, np.tile([0.0, MASS * G, 0.0], (len(run.time), 1)), atol=1e-6)
    np.testing.assert_allclose(weight.origins[:, 0], 1.0, atol=1e-9)
    end, phi = run["bar.frame_b.r_0"], run["hinge.phi"]
    towards = np.array([0.0, 1.0, 0.0]) - end
    length = np.linalg.norm(towards, axis=1, keepdims=True)
    pull = 30.0 * (length - 0.2) * towards / length
    np.testing.assert_allclose(arrows["spring a"].origins, end, atol=1e-9)
    np.testing.assert_allclose(arrows["spring a"].vectors, pull, atol=1e-8)
    np.testing.assert_allclose(arrows["spring b"].vectors, -pull, atol=1e-8)
    across = np.column_stack([-np.sin(phi), np.cos(phi), 0.0 * phi])
    np.testing.assert_allclose(arrows["push force"].vectors, 3.0 * across, atol=1e-9)
    np.testing.assert_allclose(arrows["push torque"].vectors, np.tile([0.0, 0.0, 0.25], (len(run.time), 1)), atol=1e-12)
    along = np.column_stack([np.cos(phi), np.sin(phi), 0.0 * phi])
    np.testing.assert_allclose(arrows["shown torque"].vectors, 0.5 * along, atol=1e-9)
    longest = [np.linalg.norm(scene.drawn_vectors(arrows[name]), axis=1).max() for name in arrows]
    assert max(longest) == pytest.approx(longest[-1])  # the largest torque is as long as the largest force
    axes = next(item for item in scene.items if item.name == "axes")
    assert np.ptp(axes.mesh.vertices[:, 0]) == pytest.approx(0.3, rel=0.1)


def test_pictures_show_the_forces_that_were_asked_for(run: tg.Solution) -> None:
    assert run.animate().scene.shown_arrows == ()
    assert len(run.animate().scene.arrows) == 6  # a button of the page shows them
    assert [arrow.name for arrow in run.animate(forces=["floor"]).scene.shown_arrows] == ["floor force"]
    with pytest.raises(tg.ExportError, match=r"E406.*no component 'bar'.*floor, push, shown, spring"):
        run.animate(forces=["bar"])


def test_options_of_files(run: tg.Solution, tmp_path: Path) -> None:
    run.animate(tmp_path / "slow.gif", speed=10.0, fps=2, size=(64, 48))
    assert (tmp_path / "slow.gif").stat().st_size > 100
    with pytest.raises(tg.ExportError, match=r"E406.*fps: options of a file, but no path is given"):
        run.animate(fps=2)


def test_bodies_have_the_curves_of_their_joint_and_their_place(run: tg.Solution) -> None:
    items = {item.name: item for item in run.animate().scene.items}
    place = [f"bar.frame_b.{word}[{k}]" for word in ("r_0", "v_0") for k in range(3)]
    assert list(items["bar"].curves) == ["hinge.phi", "hinge.w", *place]
    assert items["root"].curves == ()  # at rest; the angle of the model itself is not its own
    assert items["hinge"].curves[:2] == ("hinge.phi", "hinge.w")
    assert items["ball"].curves[0] == "ball.frame_a.r_0[0]"
    curves = {curve.name: curve for curve in run.animate().scene.curves}
    np.testing.assert_array_equal(curves["bar.frame_b.r_0[1]"].values, run["bar.frame_b.r_0[1]"])


def test_a_camera_that_follows_looks_at_what_goes_along() -> None:
    """A car of 2 m on a road of 100 m fills the picture; the road does not."""
    times = np.linspace(0.0, 10.0, 21)
    still = np.zeros((21, 3))
    moving = still + np.outer(times, [10.0, 0.0, 0.0])
    turns = np.tile(np.eye(3), (21, 1, 1))
    car = Item("car", Box(length=1.0, width=2.0, height=1.0), moving, turns)
    wheel = Item("wheel", Box(), moving + np.array([0.5, 0.0, -0.5]), turns)
    road = Item("road", Box(width=100.0), still + np.array([50.0, 0.0, -1.0]), turns)
    scene = Scene("drive", times, (car, wheel, road), camera=Camera(follow="car"), up=(0.0, 0.0, 1.0))
    view = followed(viewpoint(scene, 1.5), scene, 4.0)
    lens = Lens(view, 600, 400)
    middle, front = lens.screen(np.array([[40.0, 0.0, 0.0], [41.0, 0.0, 0.0]]))
    assert middle[:2] == pytest.approx([300.0, 200.0], abs=1.0)
    assert 60.0 < np.hypot(*(front - middle)[:2]) < 250.0
