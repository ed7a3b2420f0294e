"""What is written: the data in the page and the glTF file give the motion of the scene back."""

from __future__ import annotations

import base64
import json
import re
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh

import tellegen as tg
from animation.demo_scenes import ALL, double_pendulum, hanging_mass
from tellegen.animation import Scene, Sphere
from tellegen.animation import document as documents
from tellegen.animation.gltf import glb
from tellegen.animation.html import to_html, to_iframe
from tellegen.animation.motion import Track, matrices
from tellegen.animation.raster.painter import Painter, PictureSize
from tellegen.animation.scene import Item
from tellegen.animation.viewpoint import viewpoint

# Tolerances as promised, and the rounding of 32-bit floats.
POSITION = 1.01 * documents.POSITION_TOLERANCE
ANGLE = 1.01 * documents.ANGLE_TOLERANCE


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def numbers(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)


def track(encoded: dict[str, str], interpolation: Any = "linear") -> Track:
    times = numbers(encoded["times"], "<f8")
    return Track(times, numbers(encoded["values"], "<f4").astype(float).reshape(len(times), -1), interpolation)


def angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    cosine = (np.einsum("tij,tij->t", a, b) - 1.0) / 2.0
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def smooth(times: np.ndarray) -> np.ndarray:
    """All times but those of events, where there are two values."""
    return np.concatenate([[True], np.diff(times) > 0.0]) & np.concatenate([np.diff(times) > 0.0, [True]])


@pytest.mark.parametrize("name", ALL)
def test_the_page_has_the_motion_of_the_scene(name: str) -> None:
    scene = ALL[name]()
    data = data_of(to_html(scene))
    once = smooth(scene.times)
    times = scene.times[once]
    assert [item["name"] for item in data["items"]] == [item.name for item in scene.items]
    for written, item in zip(data["items"], scene.items, strict=True):
        places = track(written["position"]).at(times)
        assert np.abs(places - item.positions[once]).max() <= POSITION * scene.size
        turns = matrices(track(written["rotation"], "rotation").at(times))
        assert angles(turns, item.rotations[once]).max() <= ANGLE
        if item.scales is not None:
            scales = track(written["scale"]).at(times)
            assert np.abs(scales - item.scales[once]).max() * item.mesh.radius <= POSITION * scene.size
        mesh = data["meshes"][written["mesh"]]
        vertices = numbers(mesh["vertices"], "<f4").reshape(-1, 3)
        np.testing.assert_allclose(vertices, item.mesh.vertices, atol=1e-6)
        np.testing.assert_array_equal(numbers(mesh["faces"], "<u4").reshape(-1, 3), item.mesh.faces)
    for written, curve in zip(data["curves"], scene.curves, strict=True):
        spread = np.ptp(curve.values)
        found = track(written["track"]).at(times)[:, 0]
        assert np.abs(found - curve.values[once]).max() <= 1.01 * documents.CURVE_TOLERANCE * spread
    for written, trace in zip(data["traces"], scene.traces, strict=True):
        assert np.abs(track(written["points"]).at(times) - trace.points[once]).max() <= POSITION * scene.size


def test_the_page_keeps_both_sides_of_an_event() -> None:
    """The mass of this scene jumps at 1.5 s."""
    data = data_of(to_html(hanging_mass()))
    mass = next(item for item in data["items"] if item["name"] == "mass")
    places = track(mass["position"])
    k = np.flatnonzero(np.diff(places.times) == 0.0)
    assert places.times[k] == [1.5]
    assert abs(places.values[k[0] + 1, 1] - places.values[k[0], 1]) > 0.01


def test_equal_shapes_are_written_once_and_samples_are_few() -> None:
    times = np.linspace(0.0, 1.0, 1001)
    place = np.column_stack([times, times, times])
    still = np.tile(np.eye(3), (1001, 1, 1))
    items = tuple(Item(f"ball {k}", Sphere(diameter=0.1), k * place, still) for k in range(20))
    data = data_of(to_html(Scene("balls", times, items)))
    assert len(data["meshes"]) == 3  # with the arrow and the axes
    assert {len(numbers(item["position"]["times"], "<f8")) for item in data["items"]} == {1, 2}


def test_nothing_is_loaded_from_elsewhere_and_names_are_escaped() -> None:
    name = "</script><b>pendulum & co"
    page = to_html(replace(double_pendulum(), name=name))
    assert not re.search(r"""(src|href)\s*=|@import|url\(|https?://""", page)
    assert data_of(page)["name"] == name
    assert "<title>&lt;/script&gt;&lt;b&gt;pendulum &amp; co</title>" in page


FAR = np.array([3.0e7, -2.0e7, 6.4e6])


def test_a_scene_far_from_zero_keeps_its_digits() -> None:
    """In 32-bit floats alone the bodies would be metres away from where they are."""
    near = double_pendulum()
    scene = near.moved(FAR)
    data = data_of(to_html(scene))
    for written, item in zip(data["items"], scene.items, strict=True):
        places = track(written["position"]).at(scene.times) + data["origin"]
        assert np.abs(places - item.positions).max() <= POSITION * scene.size
    np.testing.assert_allclose(
        np.add(data["camera"]["position"], data["origin"]), viewpoint(near, 4.0 / 3.0).position + FAR, atol=1e-6
    )
    description, _ = parsed(glb(scene))
    np.testing.assert_allclose(description["nodes"][0]["translation"], data["origin"])


def test_a_moved_scene_is_seen_as_before() -> None:
    scene = replace(double_pendulum(), ground=-2.0)
    offset = np.array([100.0, 40.0, -70.0]) * scene.grid_spacing
    moved = Painter(scene.moved(offset), PictureSize(120, 90)).picture(1.0).astype(int)
    assert np.abs(moved - Painter(scene, PictureSize(120, 90)).picture(1.0)).max() <= 2


def test_a_notebook_shows_the_page_in_a_frame() -> None:
    frame = to_iframe(double_pendulum())
    assert frame.startswith("<iframe srcdoc=")
    assert "<" not in frame[len("<iframe ") : frame.index("></iframe>")]


def test_too_many_samples_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_SAMPLES", 100)
    with pytest.warns(UserWarning, match=r"is drawn with \d+ times the usual tolerance"):
        data = data_of(to_html(double_pendulum()))
    assert all(len(numbers(item["position"]["times"], "<f8")) <= 100 for item in data["items"])


def parsed(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The two chunks of a .glb file, its structure checked."""
    magic, version, length = struct.unpack_from("<4sII", content)
    assert (magic, version, length) == (b"glTF", 2, len(content))
    chunks = {}
    place = 12
    while place < length:
        size, kind = struct.unpack_from("<I4s", content, place)
        assert size % 4 == 0
        chunks[kind] = content[place + 8 : place + 8 + size]
        place += 8 + size
    return json.loads(chunks[b"JSON"]), chunks[b"BIN\0"]


def accessor(description: dict[str, Any], binary: bytes, number: int) -> np.ndarray:
    entry = description["accessors"][number]
    view = description["bufferViews"][entry["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry["type"]]
    kind = {5126: "<f4", 5125: "<u4"}[entry["componentType"]]
    assert view["byteLength"] == entry["count"] * width * 4
    found = np.frombuffer(binary, kind, entry["count"] * width, view["byteOffset"]).reshape(-1, width)
    if "min" in entry:
        np.testing.assert_array_equal(found.min(axis=0), entry["min"])
        np.testing.assert_array_equal(found.max(axis=0), entry["max"])
    return found


@pytest.mark.parametrize("name", ALL)
def test_gltf_has_the_motion_of_the_scene(name: str) -> None:
    scene = ALL[name]()
    description, binary = parsed(glb(scene))
    assert description["buffers"][0]["byteLength"] <= len(binary)
    nodes = {node["name"]: number for number, node in enumerate(description["nodes"]) if number}
    animation = description["animations"][0]
    tracks = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times = accessor(description, binary, sampler["input"])[:, 0].astype(float)
        assert (np.diff(times) > 0.0).all()
        values = accessor(description, binary, sampler["output"]).astype(float)
        kind = "rotation" if channel["target"]["path"] == "rotation" else "linear"
        tracks[channel["target"]["node"], channel["target"]["path"]] = Track(times, values, kind)
    once = smooth(scene.times)
    times = scene.times[once]
    for item in scene.items:
        node = nodes[item.name]

        def found(path: str, node: int = node) -> np.ndarray:
            if (node, path) in tracks:
                return tracks[node, path].at(times)
            return np.tile(description["nodes"][node][path], (len(times), 1))

        # Times are 32-bit floats, which moves fast bodies by a little.
        assert np.abs(found("translation") - item.positions[once]).max() <= 1.1 * POSITION * scene.size
        assert angles(matrices(found("rotation")), item.rotations[once]).max() <= 1.1 * ANGLE
        primitive = description["meshes"][description["nodes"][node]["mesh"]]["primitives"][0]
        faces = accessor(description, binary, primitive["indices"])
        np.testing.assert_array_equal(faces.reshape(-1, 3), item.mesh.faces)


@pytest.mark.parametrize("name", ALL)
def test_another_program_reads_the_gltf_file(name: str, tmp_path: Path) -> None:
    """trimesh places every body where it is at first; the scene's up has become y."""
    scene = ALL[name]()
    tg.Animation(scene).save(tmp_path / "scene.glb")
    loaded = trimesh.load(tmp_path / "scene.glb")
    names = set(loaded.graph.nodes_geometry)
    for item in scene.items:
        assert item.name in names
        place, geometry = loaded.graph[item.name]
        mesh = loaded.geometry[geometry]
        assert len(mesh.faces) == len(item.mesh.faces)
        if scene.up == (0.0, 1.0, 0.0) and np.ptp(item.positions) == 0.0:
            np.testing.assert_allclose(place[:3, 3], item.positions[0], atol=1e-6)
    if scene.up == (0.0, 0.0, 1.0):
        root = loaded.graph[scene.items[0].name][0][:3, :3]
        np.testing.assert_allclose(root @ [0, 0, 1], [0, 1, 0], atol=1e-6)
