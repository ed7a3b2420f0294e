"""Surfaces as triangles: revolved profiles, tubes along curves, bevelled boxes, meshes with creases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from tellegen.animation.triangle_mesh import TriangleMesh, mesh_of
from tellegen.ir.model import FloatArray, IntArray

AROUND = 48
"""Segments of a full circle: a multiple of eight, for marks."""
_DARKER = 0.55


def revolved(profile: ArrayLike, normals: ArrayLike, marked: bool = False) -> TriangleMesh:
    """A profile of points (radius, z) with normals, around the z axis; from bottom to top seen from outside.

    With `marked` every other eighth of the turn is darker.
    """
    vertices = _turned(np.asarray(profile, float))
    directions = _turned(np.asarray(normals, float))
    count = len(vertices) // (2 * AROUND)
    lower = 2 * (np.arange(AROUND)[:, None] * count + np.arange(count - 1)[None, :])
    upper = lower + 2
    first = np.stack([lower, lower + 1, upper + 1], axis=-1)
    second = np.stack([lower, upper + 1, upper], axis=-1)
    faces = np.concatenate([first.reshape(-1, 3), second.reshape(-1, 3)])
    dark = (np.arange(AROUND) // (AROUND // 8)) % 2 == 1
    shade = np.where(dark & marked, _DARKER, 1.0).repeat(2 * count)
    mesh = replace(mesh_of(vertices, directions, faces), colors=np.repeat(shade[:, None], 3, axis=1))
    return welded(without_slivers(mesh))


def _turned(profile: FloatArray) -> FloatArray:
    """A profile (radius, z) at both sides of each segment of a turn.

    Every segment has vertices of its own, so that its colour ends where it does.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)
    sides = np.stack([angles[:-1], angles[1:]], axis=1)[:, None, :]  # (segment, point, side)
    radius = profile[None, :, None, 0]
    height = profile[None, :, None, 1]
    x, y, z = np.broadcast_arrays(radius * np.cos(sides), radius * np.sin(sides), height)
    return np.stack([x, y, z], axis=-1).reshape(-1, 3)


def without_slivers(mesh: TriangleMesh) -> TriangleMesh:
    """The mesh without triangles that have no area, as those at the axis of a revolved profile."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return replace(mesh, faces=mesh.faces[areas > 1e-12 * areas.max(initial=0.0)])


def welded(mesh: TriangleMesh) -> TriangleMesh:
    """The mesh with one vertex for all that agree in everything."""
    rows = np.concatenate([mesh.vertices, mesh.normals, mesh.colors], axis=1)
    size = np.abs(mesh.vertices).max(initial=0.0) or 1.0
    rounded = np.round(rows / np.concatenate([np.full(3, size), np.ones(6)]), 7) + 0.0
    _, first, number = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces]
    return TriangleMesh(mesh.vertices[first], mesh.normals[first], mesh.colors[first], faces)


def tube(path: FloatArray, radius: float, around: int = 12) -> TriangleMesh:
    """A tube of constant radius along a polyline, with flat ends; its cross-section does not twist."""
    tangents = np.gradient(path, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    normal = np.cross(tangents[0], np.eye(3)[np.argmin(np.abs(tangents[0]))])
    normals = []
    for tangent in tangents:  # carried along, each made perpendicular to its tangent
        normal = normal - tangent * (normal @ tangent)
        normal = normal / np.linalg.norm(normal)
        normals.append(normal)
    first = np.array(normals)
    second = np.cross(tangents, first)
    angles = 2.0 * np.pi * np.arange(around) / around
    ring = first[:, None, :] * np.cos(angles)[:, None] + second[:, None, :] * np.sin(angles)[:, None]
    vertices = path[:, None, :] + radius * ring
    rows, columns = np.meshgrid(np.arange(len(path) - 1), np.arange(around), indexing="ij")
    beside = (columns + 1) % around
    a = rows * around + columns
    b = rows * around + beside
    c = (rows + 1) * around + beside
    d = (rows + 1) * around + columns
    sides = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    ends = np.concatenate([path[:1], vertices[0], path[-1:], vertices[-1]])
    end_normals = np.repeat([-tangents[0], tangents[-1]], around + 1, axis=0)
    start = len(path) * around
    k = np.arange(around)
    at_start = np.stack([np.full(around, start), start + 1 + (k + 1) % around, start + 1 + k], -1)
    top = start + around + 1
    at_end = np.stack([np.full(around, top), top + 1 + k, top + 1 + (k + 1) % around], -1)
    return mesh_of(
        np.concatenate([vertices.reshape(-1, 3), ends]),
        np.concatenate([ring.reshape(-1, 3), end_normals]),
        np.concatenate([sides, at_start, at_end]),
    )


def bevelled_box(sizes: FloatArray, bevel: float) -> TriangleMesh:
    """A box around the origin. Each corner has a vertex on each of its three faces, set back by the bevel.

    The vertices have the normals of their faces, so that the bevels between them are shaded as round.
    """
    vertices: list[FloatArray] = []
    normals: list[FloatArray] = []
    number: dict[tuple[int, int], int] = {}  # (corner, axis of the face) -> vertex
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    for c, corner in enumerate(corners):
        for axis in range(3):
            inset = np.full(3, bevel)
            inset[axis] = 0.0
            number[c, axis] = len(vertices)
            vertices.append(corner * (0.5 * sizes - inset))
            normals.append(corner * np.eye(3)[axis])
    polygons = [[number[c, axis] for axis in range(3)] for c in range(8)]
    for axis in range(3):
        for side in (-1, 1):
            polygons.append([number[c, axis] for c in range(8) if corners[c, axis] == side])
    for a in range(8):
        for b in range(a + 1, 8):
            differing = np.flatnonzero(corners[a] != corners[b])
            if len(differing) == 1:  # an edge, between the two faces that meet in it
                one, other = (axis for axis in range(3) if axis != differing[0])
                polygons.append([number[a, one], number[a, other], number[b, one], number[b, other]])
    positions = np.array(vertices)
    faces = [face for polygon in polygons for face in _outward_triangles(positions, polygon)]
    return mesh_of(positions, np.array(normals), np.array(faces))


def _outward_triangles(vertices: FloatArray, polygon: list[int]) -> list[tuple[int, int, int]]:
    """A convex polygon of a body around the origin as a fan, counter-clockwise seen from outside."""
    points = vertices[polygon]
    center = points.mean(axis=0)
    normal = np.linalg.svd(points - center)[2][2]
    normal = normal if normal @ center > 0.0 else -normal
    first = points[0] - center
    second = np.cross(normal, first)
    angles = np.arctan2((points - center) @ second, (points - center) @ first)
    order = [polygon[k] for k in np.argsort(angles)]
    return [(order[0], order[k], order[k + 1]) for k in range(1, len(order) - 1)]


def creased(vertices: FloatArray, faces: IntArray, crease: float) -> TriangleMesh:
    """Triangles with a normal at each of their corners: the mean of those around it that are within `crease` degrees.

    Every triangle has vertices of its own; the mean is weighted by area.
    """
    corners = vertices[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(areas, axis=1, keepdims=True)
    flat = areas / np.where(sizes > 0.0, sizes, 1.0)
    _, same_place = np.unique(np.round(vertices, 9), axis=0, return_inverse=True)
    places = same_place.reshape(-1)[faces].reshape(-1)  # of each corner
    order = np.argsort(places, kind="stable")
    normals = np.zeros((len(places), 3))
    limit = np.cos(np.radians(crease))
    for around in np.split(order, np.flatnonzero(np.diff(places[order])) + 1):
        of_faces = around // 3
        near = flat[of_faces] @ flat[of_faces].T >= limit
        normals[around] = near @ areas[of_faces]
    return mesh_of(corners.reshape(-1, 3), normals, np.arange(len(places)).reshape(-1, 3))
