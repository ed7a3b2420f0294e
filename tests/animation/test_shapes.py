"""Shapes as triangles: closed surfaces with normals outwards, and the volume of the solid."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg
from tellegen.animation import (
    Arrow,
    Box,
    Capsule,
    Cone,
    Cylinder,
    FrameAxes,
    Group,
    Line,
    Mesh,
    Pipe,
    Plane,
    Sphere,
    Spring,
    Torus,
)
from tellegen.animation.shapes import Shape
from tellegen.animation.tessellate import tessellate
from tellegen.animation.triangle_mesh import TriangleMesh

CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)
WIRE = np.pi * 0.05**2 * np.hypot(8 * np.pi * 0.45, 1.9)  # cross-section times length of the helix

# Bevels take a percent off edges; a circle of 48 segments has 0.3 % less area than it should.
SOLIDS: list[tuple[Shape, float, float]] = [
    (Box(length=2.0, width=0.5, height=0.3), 0.3, 0.02),
    (Cylinder(length=2.0, diameter=0.6), np.pi * 0.09 * 2.0, 0.02),
    (Cylinder(length=2.0, diameter=0.6, marked=True), np.pi * 0.09 * 2.0, 0.02),
    (Cone(length=2.0, diameter=0.6), np.pi * 0.09 * 2.0 / 3.0, 0.02),
    (Cone(length=2.0, diameter=0.6, tip_diameter=0.2), np.pi * 2.0 / 3.0 * (0.09 + 0.03 + 0.01), 0.02),
    (Sphere(diameter=1.0), np.pi / 6.0, 0.01),
    (Capsule(length=1.0, diameter=0.4), np.pi * 0.04 * 1.0 + np.pi / 6.0 * 0.064, 0.01),
    (Torus(diameter=1.0, tube_diameter=0.2), np.pi * 1.0 * np.pi * 0.01, 0.01),
    (Pipe(length=2.0, diameter=1.0, inner_diameter=0.8), np.pi / 4.0 * 0.36 * 2.0, 0.02),
    (Spring(length=2.0, diameter=1.0, wire_diameter=0.1, turns=4.0), WIRE, 0.06),
    (Arrow(length=1.0, diameter=0.1), np.pi * 0.0025 * 0.7 + np.pi * 0.01 * 0.3 / 3.0, 0.01),
    (Plane(width=2.0, height=1.0), 2.0 * 0.004, 0.02),
    (Line(points=((0, 0, 0), (1, 0, 0)), diameter=0.1), np.pi * 0.0025, 0.11),
    (Mesh(vertices=CUBE, faces=CUBE_FACES), 1.0, 1e-12),
    (Group(shapes=(Sphere(diameter=1.0), Box(at=(3.0, 0.0, 0.0)))), np.pi / 6.0 + 1.0, 0.02),
]
IDS = [f"{type(shape).__name__}-{number}" for number, (shape, _, _) in enumerate(SOLIDS)]


def volume(mesh: TriangleMesh) -> float:
    """By the divergence theorem: positive if faces are counter-clockwise seen from outside."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)


def places(mesh: TriangleMesh) -> np.ndarray:
    """The faces by the places of their vertices: those at sharp edges and seams are one."""
    _, number = np.unique(np.round(mesh.vertices, 9) + 0.0, axis=0, return_inverse=True)
    return number.reshape(-1)[mesh.faces]


@pytest.mark.parametrize(("shape", "expected", "relative"), SOLIDS, ids=IDS)
def test_solids_have_their_volume(shape: Shape, expected: float, relative: float) -> None:
    assert volume(tessellate(shape)) == pytest.approx(expected, rel=relative)


@pytest.mark.parametrize("shape", [shape for shape, _, _ in SOLIDS], ids=IDS)
def test_surfaces_are_closed(shape: Shape) -> None:
    """Every edge belongs to two triangles, which run through it in opposite directions."""
    faces = places(tessellate(shape))
    edges = {(int(face[k]), int(face[(k + 1) % 3])) for face in faces for k in range(3)}
    assert len(edges) == 3 * len(faces)
    assert all((b, a) in edges for a, b in edges)


@pytest.mark.parametrize("shape", [shape for shape, _, _ in SOLIDS], ids=IDS)
def test_normals_are_those_of_the_surface(shape: Shape) -> None:
    mesh = tessellate(shape)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    for k in range(3):
        assert (np.sum(flat * mesh.normals[mesh.faces[:, k]], axis=1) > 0.0).all()


def test_a_shape_between_two_points_reaches_from_one_to_the_other() -> None:
    a, b = np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 5.0])
    mesh = tessellate(Cylinder.between(a, b, diameter=0.2))
    along = (mesh.vertices - a) @ (b - a) / np.linalg.norm(b - a)
    assert along.min() == pytest.approx(0.0, abs=1e-12)
    assert along.max() == pytest.approx(3.0)
    radii = np.linalg.norm(np.cross(mesh.vertices - a, (b - a) / 3.0), axis=1)
    assert radii.max() == pytest.approx(0.1)


def test_width_runs_across() -> None:
    mesh = tessellate(Box(length=3.0, width=2.0, height=1.0, along=(1, 0, 0), across=(0, 0, 1)))
    np.testing.assert_allclose(np.ptp(mesh.vertices, axis=0), [3.0, 1.0, 2.0])


def test_axes_have_their_colours() -> None:
    mesh = tessellate(FrameAxes(length=2.0))
    for axis in range(3):
        tip = mesh.vertices[:, axis].argmax()
        np.testing.assert_allclose(mesh.vertices[tip], 2.0 * np.eye(3)[axis], atol=1e-12)
        assert mesh.colors[tip].argmax() == axis


def test_marks_make_a_rotation_visible() -> None:
    shades = tessellate(Cylinder(marked=True)).colors[:, 0]
    assert set(shades) == {1.0, 0.55}
    assert len(set(tessellate(Cylinder()).colors[:, 0])) == 1


def test_creases_of_meshes() -> None:
    """A cube keeps its edges; with a crease of 180 degrees its corners are round."""
    sharp = tessellate(Mesh(vertices=CUBE, faces=CUBE_FACES))
    assert {tuple(np.round(normal, 6) + 0.0) for normal in np.abs(sharp.normals)} == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    soft = tessellate(Mesh(vertices=CUBE, faces=CUBE_FACES, crease=180.0))
    assert len(np.unique(np.round(soft.normals, 6), axis=0)) == 8


def test_what_is_not_a_shape_or_a_colour() -> None:
    with pytest.raises(tg.ExportError, match=r"E406.*is not a shape"):
        tessellate("box")  # type: ignore[arg-type]
    with pytest.raises(tg.ExportError, match=r"E406.*'blurple' is not a colour"):
        tessellate(Group(shapes=(Box(color="blurple"),)))
