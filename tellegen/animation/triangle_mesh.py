"""Triangles with normals and colours at their vertices: what every renderer and file format draws."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from tellegen.ir.model import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Vertices, unit normals and colours (n, 3); faces (m, 3), counter-clockwise seen from outside.

    Colours multiply the colour of the item, in sRGB from 0 to 1.
    """

    vertices: FloatArray
    normals: FloatArray
    colors: FloatArray
    faces: IntArray

    @property
    def radius(self) -> float:
        """The distance of the farthest vertex from the origin."""
        return float(np.linalg.norm(self.vertices, axis=1).max(initial=0.0))

    def placed(self, origin: FloatArray, rotation: FloatArray) -> TriangleMesh:
        """The mesh in the coordinates of what it is part of."""
        vertices = self.vertices @ rotation.T + origin
        return replace(self, vertices=vertices, normals=self.normals @ rotation.T)

    def painted(self, color: FloatArray) -> TriangleMesh:
        """The mesh with its colours multiplied by one."""
        return replace(self, colors=self.colors * color)


def mesh_of(vertices: FloatArray, normals: FloatArray, faces: IntArray) -> TriangleMesh:
    """A mesh that is white, with normals of any length."""
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    unit = normals / np.where(sizes > 0.0, sizes, 1.0)
    return TriangleMesh(vertices, unit, np.ones_like(vertices), np.asarray(faces, np.int64))


def joined(meshes: Iterable[TriangleMesh]) -> TriangleMesh:
    """Several meshes as one."""
    parts = list(meshes)
    counts = [len(part.vertices) for part in parts]
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]]) if parts else []
    return TriangleMesh(
        np.concatenate([np.empty((0, 3)), *(part.vertices for part in parts)]),
        np.concatenate([np.empty((0, 3)), *(part.normals for part in parts)]),
        np.concatenate([np.empty((0, 3)), *(part.colors for part in parts)]),
        np.concatenate(
            [np.empty((0, 3), np.int64)] + [part.faces + offset for part, offset in zip(parts, offsets, strict=True)]
        ),
    )
