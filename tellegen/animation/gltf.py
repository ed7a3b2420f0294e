"""A scene as a binary glTF 2.0 file (.glb), for Blender, browsers and office programs.

Every item is a node with channels of translation, rotation and scale; a node above all turns the scene so that its up
is glTF's +y. Traces are line strips, forces are arrows that move. Units are metres and seconds.
https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tellegen.animation.colors import rgb
from tellegen.animation.document import POSITION_TOLERANCE, far_origin, fitted, item_color, item_tracks
from tellegen.animation.motion import Track, matrices, quaternions
from tellegen.animation.scene import ArrowItem, Item, Scene, Trace
from tellegen.animation.shapes import turn_from_z, unit_vector
from tellegen.animation.tessellate import arrow_mesh
from tellegen.animation.triangle_mesh import TriangleMesh
from tellegen.engine.results.export import writing
from tellegen.errors import users_call
from tellegen.ir.model import FloatArray
from tellegen.ir.source_location import here

_FLOAT = 5126
_UNSIGNED = 5125
_TRIANGLES = 4
_LINE_STRIP = 3
_VERTICES = 34962
_INDICES = 34963
_WIDTHS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


@users_call
def to_gltf(scene: Scene, path: str | Path) -> None:
    """Write the scene as a .glb file."""
    content = glb(scene)
    with writing(path, here()):
        Path(path).write_bytes(content)


def glb(scene: Scene) -> bytes:
    """The bytes of the file: a header, the description as JSON, the numbers."""
    origin = far_origin(scene)
    scene = scene.moved(-origin) if origin.any() else scene
    builder = _Builder(scene, origin)
    for number, item in enumerate(scene.items):
        builder.add_item(item, number)
    for trace in scene.traces:
        builder.add_trace(trace)
    for arrow in scene.shown_arrows:
        builder.add_arrow(arrow)
    description = json.dumps(builder.description(), separators=(",", ":")).encode()
    chunks = [_chunk(b"JSON", description, b" "), _chunk(b"BIN\0", bytes(builder.binary), b"\0")]
    return struct.pack("<4sII", b"glTF", 2, 12 + sum(map(len, chunks))) + b"".join(chunks)


def _chunk(kind: bytes, content: bytes, filler: bytes) -> bytes:
    padded = content + filler * (-len(content) % 4)
    return struct.pack("<I4s", len(padded), kind) + padded


class _Builder:
    """The lists of a glTF file, which refer to each other by number."""

    def __init__(self, scene: Scene, origin: FloatArray) -> None:
        self.scene = scene
        turn = _to_y_up(scene.up)
        self.binary = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        root = {
            "name": scene.name,
            "rotation": turn.tolist(),
            "translation": (matrices(turn[None])[0] @ origin).tolist(),
        }
        self.nodes: list[dict[str, Any]] = [root]
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []

    def description(self) -> dict[str, Any]:
        """The JSON part; lists that would be empty must not be there."""
        self.nodes[0]["children"] = list(range(1, len(self.nodes)))
        found: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Tellegen"},
            "scene": 0,
            "scenes": [{"name": self.scene.name, "nodes": [0]}],
            "nodes": self.nodes,
        }
        lists = {
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
        }
        found |= {name: entries for name, entries in lists.items() if entries}
        if self.binary:
            found["buffers"] = [{"byteLength": len(self.binary)}]
        if self.channels:
            found["animations"] = [{"name": "run", "samplers": self.samplers, "channels": self.channels}]
        return found

    def add_item(self, item: Item, number: int) -> None:
        """A body with its motion."""
        material = self._material(item_color(item, number), item.shape.opacity)
        node = self._node(item.name, self._triangles(item.name, item.mesh, material))
        position, rotation, scale = item_tracks(self.scene, item)
        self._motion(node, "translation", position)
        self._motion(node, "rotation", rotation)
        if scale is not None:
            self._motion(node, "scale", scale)

    def add_trace(self, trace: Trace) -> None:
        """The whole path as a line."""
        path = fitted(Track(self.scene.times, trace.points), POSITION_TOLERANCE * self.scene.size, trace.name)
        if len(path.times) == 1:
            return
        points = self._accessor(path.values, _VERTICES, bounds=True)
        material = self._material(rgb(trace.color), 1.0)
        primitive = {"attributes": {"POSITION": points}, "mode": _LINE_STRIP, "material": material}
        self.meshes.append({"name": trace.name, "primitives": [primitive]})
        self._node(trace.name, len(self.meshes) - 1)

    def add_arrow(self, arrow: ArrowItem) -> None:
        """An arrow along z that is turned and scaled."""
        vectors = self.scene.drawn_vectors(arrow)
        lengths = np.linalg.norm(vectors, axis=1)
        material = self._material(rgb(arrow.color), 1.0)
        node = self._node(arrow.name, self._triangles(arrow.name, arrow_mesh(1.0, 0.06), material))
        thickness = np.minimum(lengths, 0.3 * self.scene.size)
        tolerance = POSITION_TOLERANCE * self.scene.size
        times = self.scene.times
        turns = quaternions(np.array([turn_from_z(vector) for vector in vectors]))
        self._motion(node, "translation", fitted(Track(times, arrow.origins), tolerance, arrow.name))
        self._motion(node, "rotation", fitted(Track(times, turns, "rotation"), 1e-2, arrow.name))
        scales = np.column_stack([thickness, thickness, lengths])
        self._motion(node, "scale", fitted(Track(times, scales), tolerance, arrow.name))

    def _node(self, name: str, mesh: int) -> int:
        self.nodes.append({"name": name, "mesh": mesh})
        return len(self.nodes) - 1

    def _triangles(self, name: str, mesh: TriangleMesh, material: int) -> int:
        attributes = {
            "POSITION": self._accessor(mesh.vertices, _VERTICES, bounds=True),
            "NORMAL": self._accessor(mesh.normals, _VERTICES),
            "COLOR_0": self._accessor(_linear(mesh.colors), _VERTICES),
        }
        indices = self._accessor(mesh.faces.reshape(-1, 1), _INDICES)
        primitive = {"attributes": attributes, "indices": indices, "mode": _TRIANGLES, "material": material}
        self.meshes.append({"name": name, "primitives": [primitive]})
        return len(self.meshes) - 1

    def _material(self, color: FloatArray, opacity: float) -> int:
        surface = {
            "baseColorFactor": [*_linear(color).tolist(), opacity],
            "metallicFactor": 0.1,
            "roughnessFactor": 0.5,
        }
        material: dict[str, Any] = {"pbrMetallicRoughness": surface}
        if opacity < 1.0:
            material["alphaMode"] = "BLEND"
        if material not in self.materials:
            self.materials.append(material)
        return self.materials.index(material)

    def _motion(self, node: int, path: str, track: Track) -> None:
        """A channel; what does not move is a property of the node."""
        if len(track.times) == 1:
            self.nodes[node][path] = track.values[0].tolist()
            return
        times = self._accessor(_increasing(track.times - self.scene.times[0])[:, None], bounds=True)
        values = self._accessor(track.values)
        self.samplers.append({"input": times, "output": values, "interpolation": "LINEAR"})
        self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def _accessor(self, rows: NDArray[Any], target: int | None = None, *, bounds: bool = False) -> int:
        data = np.ascontiguousarray(rows, np.dtype("<u4" if target == _INDICES else "<f4"))
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": data.nbytes}
        self.views.append(view if target is None else {**view, "target": target})
        self.binary += data.tobytes()
        accessor: dict[str, Any] = {
            "bufferView": len(self.views) - 1,
            "componentType": _FLOAT if data.dtype.kind == "f" else _UNSIGNED,
            "count": len(data),
            "type": _WIDTHS[data.shape[1]],
        }
        if bounds:
            accessor |= {"min": data.min(axis=0).tolist(), "max": data.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _increasing(times: FloatArray) -> NDArray[np.float32]:
    """Times as 32-bit floats that increase strictly, as glTF wants them; events are one step of such floats apart."""
    found = times.astype(np.float32)
    for k in np.flatnonzero(np.diff(found) <= 0.0):
        found[k + 1] = np.nextafter(found[k], np.float32(np.inf))
    return found


def _linear(color: FloatArray) -> FloatArray:
    """sRGB to the linear colours of glTF."""
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def _to_y_up(up: Any) -> FloatArray:
    """The quaternion that turns the scene's up into y."""
    direction = unit_vector(up)
    axis = np.array([0.0, 1.0, 0.0])
    if direction @ axis < -0.999999:
        return np.array([1.0, 0.0, 0.0, 0.0])
    turn = np.append(np.cross(direction, axis), 1.0 + direction @ axis)
    return turn / np.linalg.norm(turn)
