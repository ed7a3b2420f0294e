"""Triangle meshes: reading STL and OBJ files, and the volume integrals of what a closed surface encloses.

A tetrahedron from the origin to a triangle (a, b, c) has the volume d/6 with d = det[a b c], the first moment
d/24 (a + b + c), and the second moments d/120 (a a' + b b' + c c' + s s') with s = a + b + c. Added up with their signs
over a closed surface, everything outside cancels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tellegen.errors import NetlistError
from tellegen.importers.assembly.mass_properties import MassProperties
from tellegen.importers.assembly.pose import Floats
from tellegen.ir.source_location import SourceLocation

FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
HEADER = 84  # of a binary STL file: a text of 80 bytes, then the number of facets
SAME_POINT = 1e-6  # of the size of a mesh: vertices that files print with few digits


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Vertices, and the three vertices of each triangle, anticlockwise seen from outside."""

    vertices: Floats
    triangles: np.ndarray[Any, np.dtype[np.int64]]
    location: SourceLocation | None = None

    def scaled(self, scale: tuple[float, float, float]) -> TriangleMesh:
        """Other lengths along the axes; an odd number of negative ones mirrors the mesh."""
        mirrored = np.prod(scale) < 0.0
        triangles = self.triangles[:, ::-1] if mirrored else self.triangles
        return TriangleMesh(self.vertices * np.array(scale), triangles, self.location)

    def solid(self) -> MassProperties:
        """Mass properties for a density of 1. A surface that is inside out is turned."""
        self._check_closed()
        origin = self.vertices.mean(axis=0)
        a, b, c = (self.vertices[self.triangles[:, k]] - origin for k in range(3))
        d = np.einsum("ij,ij->i", a, np.cross(b, c))
        volume = d.sum() / 6.0
        size = float(np.ptp(self.vertices, axis=0).max())
        if abs(volume) <= 1e-12 * size**3:
            raise self._fault("the surface encloses no volume", "the mesh of a solid has an inside")
        s = a + b + c
        centre = (d / 24.0) @ s / volume
        second = sum((np.einsum("i,ij,ik->jk", d / 120.0, x, x) for x in (a, b, c, s)), np.zeros((3, 3)))
        second -= volume * np.outer(centre, centre)
        sign = np.sign(volume)
        return MassProperties(abs(volume), origin + centre, sign * (np.trace(second) * np.eye(3) - second))

    def _check_closed(self) -> None:
        """Every edge is there once in each direction."""
        faces = self._merged()
        edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
        edges = edges[edges[:, 0] != edges[:, 1]]
        there = np.unique(edges, axis=0, return_counts=True)
        back = np.unique(edges[:, ::-1], axis=0, return_counts=True)
        if np.array_equal(there[0], back[0]) and np.array_equal(there[1], back[1]):
            return
        both = {tuple(edge): int(count) for edge, count in zip(*there, strict=True)}
        opposite = {tuple(edge): int(count) for edge, count in zip(*back, strict=True)}
        open_edges = sum(opposite.get(edge, 0) != count for edge, count in both.items())
        what = (
            f"the surface is not closed, or its triangles do not face the same way: {open_edges} edges have no partner"
        )
        raise self._fault(what, "export the solid again, or give its mass and inertia")

    def _merged(self) -> Any:
        """The triangles with vertices at the same place having the same number."""
        size = float(np.ptp(self.vertices, axis=0).max()) or 1.0
        grid = np.round(self.vertices / (SAME_POINT * size)).astype(np.int64)
        _, number = np.unique(grid, axis=0, return_inverse=True)
        return number.ravel()[self.triangles]

    def _fault(self, what: str, advice: str) -> NetlistError:
        return NetlistError("E515", what, location=self.location, advice=advice)


def read_mesh(path: str | Path) -> TriangleMesh:
    """The triangles of an STL (binary or ASCII) or OBJ file; other formats by trimesh, where it is installed."""
    file = Path(path)
    location = SourceLocation(str(file), 1)
    suffix = file.suffix.lower()
    try:
        data = file.read_bytes()
    except OSError as error:
        what = f"the mesh '{path}' cannot be read: {error.strerror}"
        raise NetlistError("E510", what, advice="check the path; packages={...} says where packages are") from None
    if suffix == ".stl":
        mesh = _binary_stl(data) or _ascii_stl(data.decode("latin-1"), location)
    elif suffix == ".obj":
        mesh = _obj(data.decode("latin-1"), location)
    else:
        mesh = _by_trimesh(file, location)
    if not len(mesh.triangles) or not np.isfinite(mesh.vertices).all():
        raise NetlistError("E515", f"'{file.name}' has no triangles", location=location, advice="export it again")
    return TriangleMesh(mesh.vertices, mesh.triangles, location)


def _binary_stl(data: bytes) -> TriangleMesh | None:
    """None where the size of the file is not that of a binary one."""
    if len(data) < HEADER:
        return None
    count = int.from_bytes(data[80:HEADER], "little")
    if len(data) != HEADER + count * FACET.itemsize:
        return None
    corners = np.frombuffer(data, FACET, count, HEADER)["corners"].astype(float)
    return _from_corners(corners.reshape(-1, 3))


def _ascii_stl(text: str, location: SourceLocation) -> TriangleMesh:
    corners = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words and words[0] == "vertex":
            corners.append(_numbers(words[1:], 3, SourceLocation(location.file, number)))
    if not corners or len(corners) % 3:
        what = f"this is not an STL file: {len(corners)} vertices and no header of a binary file"
        raise NetlistError("E515", what, location=location, advice="export the mesh again")
    return _from_corners(np.array(corners, float))


def _from_corners(corners: Floats) -> TriangleMesh:
    return TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))


def _obj(text: str, location: SourceLocation) -> TriangleMesh:
    """`v x y z` and `f 1 2 3`; faces with more corners are split into triangles from their first corner."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        at = SourceLocation(location.file, number)
        if words[:1] == ["v"]:
            vertices.append(_numbers(words[1:4], 3, at))
        elif words[:1] == ["f"]:
            corners = [_corner(word, len(vertices), at) for word in words[1:]]
            triangles += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    return TriangleMesh(np.array(vertices, float).reshape(-1, 3), np.array(triangles, np.int64).reshape(-1, 3))


def _corner(word: str, count: int, location: SourceLocation) -> int:
    """`7/1/2` or, counted from the end, `-1`."""
    try:
        number = int(word.split("/")[0])
    except ValueError:
        number = 0
    index = number - 1 if number > 0 else count + number
    if number == 0 or not 0 <= index < count:
        raise NetlistError("E515", f"'{word}' names no vertex", location=location, advice="export the mesh again")
    return index


def _numbers(words: list[str], count: int, location: SourceLocation) -> list[float]:
    try:
        found = [float(word) for word in words]
    except ValueError:
        found = []
    if len(found) != count:
        what = f"expected {count} numbers, not '{' '.join(words)}'"
        raise NetlistError("E515", what, location=location, advice="export the mesh again")
    return found


def _by_trimesh(file: Path, location: SourceLocation) -> TriangleMesh:
    try:
        import trimesh  # type: ignore[import-not-found]
    except ImportError:
        what = f"meshes of the format '{file.suffix}' are read by the package trimesh, which is not installed"
        raise NetlistError(
            "E517", what, location=location, advice="pip install trimesh; STL and OBJ work without it"
        ) from None
    try:
        mesh: Any = trimesh.load(str(file), force="mesh")
        return TriangleMesh(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64))
    except Exception as error:  # whatever the reader of this format raises
        raise NetlistError("E515", f"trimesh: {error}", location=location, advice="export the mesh as STL") from error
