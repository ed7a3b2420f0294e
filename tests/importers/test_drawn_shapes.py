"""Visual shapes of files in the scene: where each of them is drawn, its colour, and what cannot be read."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.animation.scene import Item, Scene
from tellegen.animation.tessellate import tessellate
from tellegen.importers.assembly.pose import Pose, rpy_rotation
from tellegen.importers.assembly.shapes import Triangles
from tellegen.importers.assembly.storage import from_json, to_json
from tellegen.library import multibody

SEEKER = Path(__file__).resolve().parents[2] / "examples" / "data" / "seeker.json"


def drawn(item: Item, at: Pose) -> Any:
    """The vertices of an item at its first instant, in a frame of the world."""
    world = tessellate(item.shape).vertices @ item.rotations[0].T + item.positions[0]
    return (world - at.r) @ at.R


def scene_of(model: Any, **run: Any) -> Scene:
    return tg.view(model, **run).scene


def random_place(random: np.random.Generator) -> tuple[str, Pose]:
    xyz = random.uniform(-1, 1, 3)
    rpy = random.uniform(-3, 3, 3)
    text = f'<origin xyz="{" ".join(map(repr, map(float, xyz)))}" rpy="{" ".join(map(repr, map(float, rpy)))}"/>'
    return text, Pose(xyz, rpy_rotation(*rpy))


SHAPES = {
    "box": ('<box size="0.3 0.4 0.5"/>', [[0.15, 0.2, 0.25]]),
    "cylinder": ('<cylinder radius="0.2" length="0.7"/>', [[0.2, 0.2, 0.35]]),
    "sphere": ('<sphere radius="0.3"/>', [[0.3, 0.3, 0.3]]),
    "capsule": ('<capsule radius="0.1" length="0.6"/>', [[0.1, 0.1, 0.4]]),
}


def name(link: str, k: int) -> str:
    return f"{link}_shape_{k + 1}" if k else f"{link}_shape"


def test_shapes_of_a_robot_are_where_its_file_says() -> None:
    """Thirty shapes in random places of two links, one of them turned: extents in the frame of each shape."""
    random = np.random.default_rng(7)
    links: list[list[str]] = [[], []]
    expected = []
    on_second, second = random_place(random)
    for k in range(30):
        kind = str(random.choice(list(SHAPES)))
        origin, place = random_place(random)
        links[k % 2].append(f"<visual>{origin}<geometry>{SHAPES[kind][0]}</geometry></visual>")
        expected.append((k, kind, second @ place if k % 2 else place))
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = f"""<robot name="r"><link name="a">{"".join(links[0])}</link>
      <link name="b">{inertial}{"".join(links[1])}</link><joint name="j" type="continuous">
        <parent link="a"/><child link="b"/>{on_second}<axis xyz="0 0 1"/></joint></robot>"""
    items = {item.name: item for item in scene_of(tg.read_urdf(text=text).component(world=True)).items}
    assert set(items) == {"world"} | {name(link, k) for link in "ab" for k in range(15)}
    for k, kind, place in expected:
        vertices = drawn(items[name("ab"[k % 2], k // 2)], place)
        np.testing.assert_allclose(vertices.max(axis=0), SHAPES[kind][1][0], atol=3e-3)  # circles have 32 corners
        np.testing.assert_allclose(vertices.min(axis=0), -np.array(SHAPES[kind][1][0]), atol=3e-3)


def test_shapes_follow_their_link_and_have_its_colour() -> None:
    text = """<robot name="r"><material name="half"><color rgba="1 0.5 0 0.5"/></material>
      <link name="base"/><link name="arm"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><origin xyz="1 0 0"/><geometry><box size="0.1 0.2 0.3"/></geometry><material name="half"/></visual>
      </link>
      <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
    scene = scene_of(tg.read_urdf(text=text).component(world=True), initial={"j.phi": np.pi / 2})
    item = next(item for item in scene.items if item.name == "arm_shape")
    assert (item.shape.color, item.shape.opacity) == ("#ff8000", 0.5)
    world = drawn(item, Pose())
    np.testing.assert_allclose([world.min(axis=0), world.max(axis=0)], [[-0.1, 0.95, -0.15], [0.1, 1.05, 0.15]])
    assert scene.up == (0.0, 0.0, 1.0)


def stl(path: Path, corners: Any) -> None:
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(triangle), 0) for triangle in corners)
    path.write_bytes(bytes(80) + struct.pack("<I", len(corners)) + facets)


TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def test_meshes_are_triangles_of_the_scene_and_of_gltf(tmp_path: Path) -> None:
    stl(tmp_path / "part.stl", np.array(TETRAHEDRON, float)[np.array(FACES)])
    mesh = '<mesh filename="{}" scale="1 2 3"/>'
    text = f"""<robot name="r"><link name="base">
      <visual><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><geometry>{mesh.format("part.stl")}</geometry></visual>
      <visual><geometry>{mesh.format("lost.stl")}</geometry></visual></link></robot>"""
    file = tmp_path / "robot.urdf"
    file.write_text(text)
    with pytest.warns(UserWarning, match=r"a shape of 'base' is not drawn: .*lost\.stl"):
        model = tg.read_urdf(file).component(world=True)
    animation = tg.view(model)
    item = next(item for item in animation.scene.items if item.name == "base_shape")
    corners = {tuple(np.round(vertex, 9)) for vertex in drawn(item, Pose())}
    assert corners == {(0, 0, 1), (0, 1, 1), (-2, 0, 1), (0, 0, 4)}
    animation.save(tmp_path / "robot.glb")
    data = (tmp_path / "robot.glb").read_bytes()
    header = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    assert "base_shape" in [node.get("name") for node in header["nodes"]]


def test_an_ellipsoid_of_mujoco_is_a_closed_surface() -> None:
    text = """<mujoco><worldbody><body name="egg" pos="0 0 1"><freejoint/>
      <geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody></mujoco>"""
    robot = tg.read_mjcf(text=text)
    item = next(item for item in scene_of(robot.component(world=True)).items if item.name == "egg_shape")
    vertices = drawn(item, Pose(np.array([0.0, 0.0, 1.0])))
    np.testing.assert_allclose(vertices.max(axis=0), [0.1, 0.2, 0.3], rtol=1e-9)
    mesh = tessellate(item.shape)
    triangles = mesh.vertices[mesh.faces]
    volume = np.linalg.det(triangles - np.array([0, 0, 0])).sum() / 6.0
    assert 0.95 < volume / (4 / 3 * np.pi * 0.1 * 0.2 * 0.3) < 1.0  # a polyhedron inside


def test_the_parts_of_the_seeker_are_drawn_as_they_were_in_cad() -> None:
    """The triangles of each part enclose its volume to 0.5 %; nothing else is drawn."""
    seeker = tg.Assembly.load(SEEKER)
    density = {"gimbal_ring": 1200.0, "yaw_connector_a": 1200.0, "yaw_connector_b": 1200.0}
    for part in seeker.parts:
        shape = part.visuals[0].shape
        assert isinstance(shape, Triangles)
        found = shape.solid()
        assert found.m == pytest.approx(part.mass.m / density.get(part.name, 1070.0), rel=5e-3)
        np.testing.assert_allclose(found.r_CM, part.mass.r_CM, atol=1e-4)
    items = scene_of(seeker.component(world=True)).items
    assert {item.name for item in items} == {"world"} | {f"{part.name}_shape" for part in seeker.parts}


def test_arrays_are_stored_as_they_are() -> None:
    random = np.random.default_rng(3)
    surface = Triangles(random.standard_normal((200, 3)), random.integers(0, 200, (300, 3)))
    back = from_json(to_json(surface))
    np.testing.assert_array_equal(back.vertices, surface.vertices)
    np.testing.assert_array_equal(back.faces, surface.faces)


class Mesh:
    """What trimesh returns has these two."""

    def __init__(self, vertices: Any, faces: Any) -> None:
        self.vertices = vertices
        self.faces = faces


class Shown(tg.Component):
    """A body that is drawn as its shapes."""

    world = multibody.World(animation=False)
    hinge = multibody.Revolute(animation=False)
    rod = multibody.BodyShape(r=[1, 0, 0], m=1.0, animation=False)
    tip = multibody.FixedShape(shape="mesh", mesh=Mesh(TETRAHEDRON, FACES), r_shape=[0, 0, 2], color="teal")
    cone = multibody.FixedShape(shape="cone", length=0.5, width=0.2, length_direction=[0, 3, 0])

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a, self.cone.frame_a
        yield self.rod.frame_b, self.tip.frame_a


def test_shapes_of_the_library_and_what_is_not_drawn() -> None:
    items = {item.name: item for item in scene_of(Shown()).items}
    assert set(items) == {"tip", "cone"}
    tip = drawn(items["tip"], Pose())
    np.testing.assert_allclose([tip.min(axis=0), tip.max(axis=0)], [[1, 0, 2], [2, 1, 3]], atol=1e-12)
    cone = drawn(items["cone"], Pose())
    np.testing.assert_allclose(cone.max(axis=0), [0.1, 0.5, 0.1], atol=0.01)
    assert items["tip"].shape.color == "teal"


@pytest.mark.parametrize("wrong", [(), Mesh([[0, 0, 0]], [[0, 1, 2]]), Mesh([[0, 0, np.nan]] * 3, [[0, 1, 2]]), 3.0])
def test_what_is_no_mesh_is_an_error(wrong: Any) -> None:
    with pytest.raises(tg.DataError, match=r"E703: mesh=.* has no vertices"):
        tg.compile(Shown(tip=multibody.FixedShape(shape="mesh", mesh=wrong)))


def test_an_unknown_shape_is_an_error() -> None:
    with pytest.raises(tg.DataError, match=r"E703: shape='brick' does not exist"):
        tg.compile(Shown(tip=multibody.FixedShape(shape="brick")))
