"""Lumps and the spanning tree of joints (Algorithms B and C, and a normal tree of the mechanical graph).

    rigid edges                 ->  lumps: vertices that move together; the ground is one of them
    joints, cheapest first      ->  tree joints, each with the lump it carries; the others close loops
    constraints                 ->  never in the tree

A lump's reference vertex is where its tree joint holds it. Joints that are hard to cut come first: those of lumps
without mass, which nothing but a joint of the tree carries on (the cross of a universal joint), actuated ones, then
those of few freedoms; ties in the order of writing.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property

from tellegen.flatten.mechanics.frames import Frames, Said
from tellegen.graph.rooted_forest import Union
from tellegen.start.records import dataclass

GROUND = -1
"""The vertex of the inertial system itself."""


@dataclass(frozen=True, eq=False)
class TreeJoint:
    """A joint of the tree: from the lump `parent` to the lump `child`, which it holds at `own`."""

    said: Said | None  # None for a body that nothing holds: it moves freely against the ground
    body: Said | None  # then the body at whose frame the lump has its reference
    parent: int
    child: int
    at: int  # vertex on the parent
    own: int  # vertex on the child
    reverse: bool = False  # the child is on the side of frame_a
    point: bool = False  # the body is a mass without extension that nothing could turn


@dataclass(frozen=True, eq=False)
class SpanningTree:
    """Joints of the tree, parents first, and the joints that close loops."""

    lump_of: Union
    joints: list[TreeJoint]
    loops: list[Said]

    @cached_property
    def by_child(self) -> dict[int, TreeJoint]:
        """The joint that carries a lump."""
        return {joint.child: joint for joint in self.joints}


def spanning_tree(frames: Frames) -> SpanningTree:
    """See the top of this file."""
    said = frames.said
    lumps = Union()
    for one in (*said.get("world", ()), *said.get("fixed", ())):
        lumps.join(GROUND, one.vertices[0])
    for one in said.get("rigid", ()):
        lumps.join(*one.vertices)
    joined = Union()
    chosen: list[Said] = []
    loops: list[Said] = []
    massive = {lumps.find(GROUND), *(lumps.find(body.vertices[0]) for body in said.get("mass", ()))}
    for joint in sorted(said.get("joint", ()), key=lambda joint: _cost(frames, joint, lumps, massive)):
        a, b = (lumps.find(v) for v in joint.vertices)
        (chosen if "link" in joint.what.parts and joined.join(a, b) else loops).append(joint)
    return SpanningTree(lumps, _outward(frames, lumps, chosen, loops), loops)


def _cost(frames: Frames, joint: Said, lumps: Union, massive: set[int]) -> int:
    """How early a joint enters the tree; Python's sort keeps the order of writing among equals."""
    kind = frames.layout.tree.nodes[joint.node].kind
    if "cut" not in joint.what.parts or not massive.issuperset(lumps.find(vertex) for vertex in joint.vertices):
        return 0
    driven = any(port.family not in frames.families for port in kind.ports)
    freedoms = 1 if "q" in joint.what.members else 3 + 3 * ("start_r_rel" in joint.what.members)
    return 2 * freedoms - driven


def _outward(frames: Frames, lumps: Union, chosen: list[Said], loops: list[Said]) -> list[TreeJoint]:
    """The joints of the tree in breadth-first order from the ground, free bodies hung on the ground.

    Bodies come before masses without extension: they say how a lump is turned at the start.
    """
    neighbours: dict[int, list[tuple[int, Said, bool]]] = {}
    for joint in chosen:
        a, b = (lumps.find(v) for v in joint.vertices)
        neighbours.setdefault(a, []).append((b, joint, False))
        neighbours.setdefault(b, []).append((a, joint, True))
    ground = lumps.find(GROUND)
    out: list[TreeJoint] = []
    seen = {ground}

    def walk(start: int) -> None:
        waiting = deque([start])
        while waiting:
            parent = waiting.popleft()
            for child, joint, reverse in neighbours.get(parent, ()):
                if child not in seen:
                    seen.add(child)
                    at, own = joint.vertices[::-1] if reverse else joint.vertices
                    out.append(TreeJoint(joint, None, parent, child, at, own, reverse))
                    waiting.append(child)

    walk(ground)
    for body in sorted(frames.said.get("mass", ()), key=_is_point):
        lump = lumps.find(body.vertices[0])
        if lump not in seen:
            seen.add(lump)
            point = lump not in neighbours and _turned_by_nothing(frames, lumps, loops, body)
            out.append(TreeJoint(None, body, ground, lump, GROUND, body.vertices[0], point=point))
            walk(lump)
    return out


def _holds_a_point(joint: Said) -> bool:
    """Whether a joint locks no rotation."""
    cut = joint.what.parts["cut"]
    return "tilt" not in cut.variable_index or not cut.variables[cut.variable_index["tilt"]].size


def _is_point(body: Said) -> bool:
    """Whether a mass has no extension."""
    return body.what.members.keys().isdisjoint(("r_CM", "inertia"))


def _turned_by_nothing(frames: Frames, lumps: Union, loops: list[Said], body: Said) -> bool:
    """Whether all masses of the body's lump are points at one place, and all that acts on the lump acts there."""
    place = body.vertices[0]
    lump = lumps.find(place)
    masses = [one for one in frames.said["mass"] if lumps.find(one.vertices[0]) == lump]
    if not all(_is_point(one) and one.vertices[0] == place for one in masses):
        return False
    holding = [(joint, vertex) for joint in loops for vertex in joint.vertices if lumps.find(vertex) == lump]
    if any(vertex != place or not _holds_a_point(joint) for joint, vertex in holding):
        return False
    beside = [reader for reader in frames.readers if reader.vertex != place and lumps.find(reader.vertex) == lump]
    return not any(reader.acts(frames.layout) for reader in beside)
