"""Mass properties: the table of solids in closed form, meshes against them, and what no rigid body has."""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.importers.assembly.mass_properties import total
from tellegen.importers.assembly.pose import Pose, axis_rotation
from tellegen.importers.assembly.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere
from tellegen.importers.assembly.triangle_mesh import TriangleMesh

# Reference table 14: mass, centre of mass, Ixx Iyy Izz Ixy Ixz Iyz of the tensor, from closed forms.
REFERENCE: dict[str, tuple[float, list[float], list[float]]] = {
    "box": (16.2, [0.05, 0.1, 0.15], [0.1755, 0.135, 0.0675, 0, 0, 0]),
    "ring": (0.610725611858, [0, 0, 0.0225], [0.00260703495562, 0.00260703495562, 0.00500795001723, 0, 0, 0]),
    "sphere": (0.286848353224, [0, 0, 0], [0.000183582946063, 0.000183582946063, 0.000183582946063, 0, 0, 0]),
    "cone": (2.46615023307, [0, 0, 0.03], [0.00225652746326, 0.00225652746326, 0.0018496126748, 0, 0, 0]),
    "bracket": (
        0.3564,
        [0.040303030303, 0.01, 0.0407575757576],
        [0.000390755454545, 0.000711482727273, 0.000344487272727, 0, 0.000170181818182, 0],
    ),
    "plate": (
        1.47135399068,
        [-0.00335221877087, -0.00134088750835, 0],
        [0.00126862614789, 0.00497258084214, 0.00621668442353, 0.000105259669405, 0, 0],
    ),
}


def solid(name: str) -> tg.MassProperties:
    """The solids of the table, composed of simple ones."""
    if name == "box":
        return Box((0.1, 0.2, 0.3)).mass_properties(2700).shifted([0.05, 0.1, 0.15])
    if name == "ring":
        return Cylinder(0.1, 0.045, 0.08).mass_properties(1200).shifted([0, 0, 0.0225])
    if name == "sphere":
        return Sphere(0.04).mass_properties(1070)
    if name == "cone":
        return Cone(0.05, 0.12).mass_properties(7850)
    if name == "bracket":
        foot = Box((0.1, 0.02, 0.05)).mass_properties(2700).shifted([0.05, 0.01, 0.025])
        return foot + Box((0.02, 0.02, 0.08)).mass_properties(2700).shifted([0.01, 0.01, 0.09])
    hole = Cylinder(0.02, 0.01).mass_properties(7850).shifted([0.05, 0.02, 0])
    return Box((0.2, 0.1, 0.01)).mass_properties(7850) - hole


@pytest.mark.parametrize("name", REFERENCE)
def test_closed_forms(name: str) -> None:
    mass, centre, (xx, yy, zz, xy, xz, yz) = REFERENCE[name]
    found = solid(name)
    assert found.m == pytest.approx(mass, rel=1e-11)
    np.testing.assert_allclose(found.r_CM, centre, rtol=1e-11, atol=1e-14)
    np.testing.assert_allclose(found.I, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], rtol=1e-11, atol=1e-14)


def sampled(shape: Shape, inside: Any, half: tuple[float, float, float], n: int = 60) -> tg.MassProperties:
    """Mass properties by adding up small cubes whose centres are inside."""
    axes = [np.linspace(-h, h, 2 * n, endpoint=False) + h / (2 * n) for h in half]
    x, y, z = (values.ravel() for values in np.meshgrid(*axes, indexing="ij"))
    keep = inside(x, y, z)
    points = np.array([x[keep], y[keep], z[keep]]).T
    dv = np.prod([2 * h / (2 * n) for h in half])
    centre = points.mean(axis=0)
    d = points - centre
    second = dv * d.T @ d
    return tg.MassProperties(float(len(points) * dv), centre, np.trace(second) * np.eye(3) - second)


@pytest.mark.parametrize(
    ("shape", "inside", "half"),
    [
        (Capsule(0.3, 0.8, 0.1), lambda x, y, z: _capsule(x, y, z, 0.3) & ~_capsule(x, y, z, 0.1), (0.3, 0.3, 0.7)),
        (
            Ellipsoid((0.3, 0.2, 0.4)),
            lambda x, y, z: (x / 0.3) ** 2 + (y / 0.2) ** 2 + (z / 0.4) ** 2 < 1,
            (0.3, 0.2, 0.4),
        ),
        (Sphere(0.5, 0.3), lambda x, y, z: (r2 := x**2 + y**2 + z**2) * (r2 > 0.09) * (r2 < 0.25) > 0, (0.5, 0.5, 0.5)),
        (Box((0.4, 0.6, 0.8), (0.2, 0.3, 0.8)), lambda x, y, _: (abs(x) > 0.1) | (abs(y) > 0.15), (0.2, 0.3, 0.4)),
    ],
    ids=["capsule", "ellipsoid", "sphere", "box"],
)
def test_closed_forms_against_sums_over_cubes(shape: Shape, inside: Any, half: tuple[float, float, float]) -> None:
    """The sum over 120^3 cubes has an error of some 1e-3 at curved surfaces."""
    found = shape.mass_properties(1.0)
    expected = sampled(shape, inside, half)
    assert found.m == pytest.approx(expected.m, rel=3e-3)
    np.testing.assert_allclose(np.diag(found.I), np.diag(expected.I), rtol=5e-3)
    np.testing.assert_allclose(found.r_CM, expected.r_CM, atol=1e-9)


def _capsule(x: Any, y: Any, z: Any, r: float) -> Any:
    return x**2 + y**2 + np.maximum(np.abs(z) - 0.4, 0.0) ** 2 < r**2


def test_moving_and_adding_do_not_depend_on_the_frame() -> None:
    rng = np.random.default_rng(3)
    bodies = [
        Box(tuple(rng.uniform(0.1, 1.0, 3))).mass_properties(rng.uniform(1, 5)).shifted(rng.normal(size=3))
        for _ in range(4)
    ]
    pose = Pose(rng.normal(size=3), axis_rotation(rng.normal(size=3), 1.1))
    before = total(bodies).placed(pose)
    after = total(body.placed(pose) for body in bodies)
    assert before.m == pytest.approx(after.m, rel=1e-14)
    np.testing.assert_allclose(before.r_CM, after.r_CM, rtol=1e-12)
    np.testing.assert_allclose(before.I, after.I, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(before.principal, total(bodies).principal, rtol=1e-12)
    rest = total(bodies) - bodies[0]
    np.testing.assert_allclose(rest.I, total(bodies[1:]).I, rtol=1e-12)


def box_mesh(size: tuple[float, float, float]) -> TriangleMesh:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) * size
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]
    return TriangleMesh(corners, np.array(triangles))


def test_the_mesh_of_a_box_is_exact() -> None:
    mass, centre, inertia = REFERENCE["box"]
    found = box_mesh((0.1, 0.2, 0.3)).solid().scaled(2700)
    assert found.m == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(found.r_CM, centre, rtol=1e-12)
    np.testing.assert_allclose(found.I, np.diag(inertia[:3]), rtol=1e-12, atol=1e-15)
    inside_out = TriangleMesh(box_mesh((0.1, 0.2, 0.3)).vertices, box_mesh((0.1, 0.2, 0.3)).triangles[:, ::-1])
    np.testing.assert_allclose(inside_out.solid().scaled(2700).I, found.I, rtol=1e-12)
    mirrored = box_mesh((0.1, 0.2, 0.3)).scaled((-1, 1, 1)).solid()
    np.testing.assert_allclose(mirrored.r_CM, [-0.05, 0.1, 0.15], rtol=1e-12)


def cone_mesh(n: int) -> TriangleMesh:
    """The cone of the table with n edges around."""
    angles = np.arange(n) * 2 * np.pi / n
    ring = np.array([0.05 * np.cos(angles), 0.05 * np.sin(angles), 0 * angles]).T
    vertices = np.vstack([ring, [0, 0, 0.12], [0, 0, 0]])
    sides = [(k, (k + 1) % n, n) for k in range(n)]
    base = [((k + 1) % n, k, n + 1) for k in range(n)]
    return TriangleMesh(vertices, np.array(sides + base))


def test_meshes_of_round_solids_converge_with_the_second_order() -> None:
    expected = np.array(REFERENCE["cone"][2][:3])
    errors = [np.abs(np.diag(cone_mesh(n).solid().scaled(7850).I) / expected - 1).max() for n in (32, 64, 128)]
    assert errors[2] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.02)


def corners_of(mesh: TriangleMesh) -> np.ndarray:
    return mesh.vertices[mesh.triangles]


def write_stl(path: Path, mesh: TriangleMesh) -> None:
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *triangle.ravel(), 0) for triangle in corners_of(mesh))
    path.write_bytes(
        b"solid of a program that writes binary files".ljust(80) + struct.pack("<I", len(mesh.triangles)) + facets
    )


def write_ascii_stl(path: Path, mesh: TriangleMesh) -> None:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x:.6e} {y:.6e} {z:.6e}\n" for x, y, z in triangle)
        + "endloop\nendfacet\n"
        for triangle in corners_of(mesh)
    )
    path.write_text(f"solid part\n{facets}endsolid\n")


def write_obj(path: Path, mesh: TriangleMesh) -> None:
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in mesh.vertices]
    lines += [f"f {a + 1}//1 {b - len(mesh.vertices)} {c + 1}/2" for a, b, c in mesh.triangles]
    path.write_text("\n".join(lines))


@pytest.mark.parametrize(
    ("name", "write"),
    [("a.stl", write_stl), ("b.stl", write_ascii_stl), ("c.obj", write_obj)],
    ids=["binary", "ascii", "obj"],
)
def test_mesh_files(name: str, write: Any, tmp_path: Path) -> None:
    write(tmp_path / name, cone_mesh(64).scaled((1000, 1000, 1000)))
    found = tg.mass_properties(tmp_path / name, density="7.85 g/cm3", scale=0.001)
    expected = cone_mesh(64).solid().scaled(7850)
    assert found.m == pytest.approx(expected.m, rel=1e-5)  # files have six digits
    np.testing.assert_allclose(found.I, expected.I, rtol=1e-5, atol=1e-9)


def test_an_open_mesh_is_an_error(tmp_path: Path) -> None:
    mesh = cone_mesh(16)
    write_stl(tmp_path / "open.stl", TriangleMesh(mesh.vertices, mesh.triangles[1:]))
    with pytest.raises(tg.NetlistError, match=r"E515: the surface is not closed.*: 3 edges"):
        tg.mass_properties(tmp_path / "open.stl", density=1000)


def test_damaged_mesh_files_are_errors(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    for write, name in ((write_stl, "a.stl"), (write_ascii_stl, "b.stl"), (write_obj, "c.obj")):
        write(tmp_path / name, cone_mesh(8))
        data = (tmp_path / name).read_bytes()
        for _ in range(60):
            damaged = bytearray(data)
            for position in rng.integers(0, len(data), int(rng.integers(1, 6))):
                damaged[position] = int(rng.integers(0, 256))
            (tmp_path / name).write_bytes(bytes(damaged[: int(rng.integers(1, len(data) + 1))]))
            with suppress(tg.NetlistError, tg.DataError):
                tg.mass_properties(tmp_path / name, density=1000)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"m": -1.0}, "the mass is -1 kg"),
        ({"m": 1.0, "I": np.diag([1.0, 1.0, 3.0])}, "the largest exceeds the sum of the others"),
        ({"m": 1.0, "I": np.diag([1.0, -1.0, 1.0])}, "a principal moment of inertia is negative"),
        ({"m": 1.0, "I": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}, "not symmetric"),
        ({"m": float("nan")}, "finite"),
    ],
)
def test_what_no_rigid_body_has(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(tg.DataError, match=f"E707: link: .*{words}"):
        tg.MassProperties(**wrong).checked("link")


def test_thin_rods_and_rounded_numbers_are_possible() -> None:
    tg.MassProperties(1.0, np.zeros(3), np.diag([0.0, 1.0, 1.0])).checked("rod")
    tg.MassProperties(1.0, np.zeros(3), np.diag([0.333, 0.333, 0.6664])).checked("plate")


@pytest.mark.parametrize(
    "call",
    [
        lambda: Box((1.0, -1.0, 1.0)),
        lambda: Cylinder(0.1, 1.0, 0.2),
        lambda: Sphere(0.0),
        lambda: tg.mass_properties(Sphere(1.0), density=0.0),
        lambda: tg.mass_properties(Sphere(1.0), density="3 m"),
        lambda: tg.mass_properties(Sphere(1.0), density="heavy"),
        lambda: tg.mass_properties(3, density=1.0),
        lambda: tg.MassProperties(1.0, np.zeros(2), np.eye(3)),
    ],
)
def test_wrong_arguments(call: Any) -> None:
    with pytest.raises(tg.DataError, match="E707"):
        call()


def test_a_missing_file() -> None:
    with pytest.raises(tg.NetlistError, match=r"E510: the mesh 'nothing.stl' cannot be read"):
        tg.mass_properties("nothing.stl", density=1.0)
