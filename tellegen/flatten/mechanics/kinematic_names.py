"""The kinematic description of a model: its bodies, and by which joints and rigid connections they are held.

    world - hinge - rod - arm - hinge - tip   ->   hinge: world, rod;  hinge: rod, tip

Frames belong to bodies: those of its own component to each, arms without mass to the body that is the fewest arms away,
what is left of a lump without any body to a body without mass. Where the frames of two bodies meet, or an arm leads
from one to the other, they are rigidly connected.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from tellegen.flatten.mechanics.frames import Frames, Said
from tellegen.graph.rooted_forest import Union
from tellegen.ir.mechanism import FIXED, KinematicDescription, KinematicPair
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class JointKind:
    """What a joint permits, and whether it has a flange for a drive."""

    motion: str
    actuated: bool


class KinematicNames:
    """Finds the owners of vertices; see the top of this file."""

    def __init__(self, frames: Frames, lump_of: Union, kind_of: Callable[[Said], JointKind]) -> None:
        self.frames = frames
        self.lump_of = lump_of
        self.kind_of = kind_of
        self.bodies: dict[str, None] = {}
        self.owner: dict[int, str] = {}  # a body, by vertex
        self.pairs: list[KinematicPair] = []

    def description(self) -> KinematicDescription:
        """Bodies, rigid connections, then joints, each in the order of writing."""
        bodies = self.frames.said.get("mass", ())
        massive = {(body.node, body.instance) for body in bodies}
        arms: list[Said] = []
        inside: dict[tuple[int, int], list[Said]] = {}
        for rigid in self.frames.said.get("rigid", ()):
            place = (rigid.node, rigid.instance)
            (inside.setdefault(place, []) if place in massive else arms).append(rigid)
        self._own_ground()
        for body in bodies:
            own = inside.get((body.node, body.instance), ())
            vertices = dict.fromkeys([body.vertices[0], *(vertex for rigid in own for vertex in rigid.vertices)])
            self._own(self._path(body), tuple(vertices))
        self._own_arms(arms)
        self._name_empty_lumps()
        for arm in arms:
            self._pair(arm, JointKind(FIXED, False))
        for joint in self.frames.said.get("joint", ()):
            self._pair(joint, self.kind_of(joint))
        return KinematicDescription(tuple(self.bodies), tuple(self.pairs))

    def _own_ground(self) -> None:
        world = self.frames.said["world"][0]
        fixed = self.frames.said.get("fixed", ())
        self._own(self._path(world), (world.vertices[0], *(one.vertices[0] for one in fixed)))

    def _own(self, body: str, vertices: tuple[int, ...]) -> None:
        """A body has these vertices, unless another one has them already: then both are one."""
        self.bodies[body] = None
        for vertex in vertices:
            other = self.owner.setdefault(vertex, body)
            if other != body:
                self.pairs.append(KinematicPair(f"{other} - {body}", FIXED, other, body))

    def _own_arms(self, arms: list[Said]) -> None:
        neighbours: dict[int, list[int]] = {}
        for arm in arms:
            a, b = arm.vertices
            neighbours.setdefault(a, []).append(b)
            neighbours.setdefault(b, []).append(a)
        waiting = deque(self.owner)
        while waiting:
            here = waiting.popleft()
            for there in neighbours.get(here, ()):
                if there not in self.owner:
                    self.owner[there] = self.owner[here]
                    waiting.append(there)

    def _name_empty_lumps(self) -> None:
        """Lumps without a body, as between the axes of a universal joint, are named after a frame of theirs."""
        said = self.frames.said
        held = {vertex for verb in ("joint", "rigid") for one in said.get(verb, ()) for vertex in one.vertices}
        left = held - self.owner.keys()
        names: dict[int, str] = {}
        for path, vertex in sorted(self.frames.named()) if left else ():
            if vertex in left and vertex not in self.owner:
                self._own(names.setdefault(self.lump_of.find(vertex), path), (vertex,))

    def _pair(self, said: Said, kind: JointKind) -> None:
        a, b = (self.owner[vertex] for vertex in said.vertices)
        if a != b:
            self.pairs.append(KinematicPair(self._path(said), kind.motion, a, b, kind.actuated))

    def _path(self, said: Said) -> str:
        return said.path(self.frames.layout.tree)
