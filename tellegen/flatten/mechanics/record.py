"""What the composer found, as data for those who ask for the mechanism (ir/mechanism.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tellegen.flatten.mechanics.frames import Frames, Said
from tellegen.flatten.mechanics.kinematic_names import JointKind, KinematicNames
from tellegen.flatten.mechanics.parts import At, Parts
from tellegen.flatten.mechanics.tree import GROUND, SpanningTree, TreeJoint
from tellegen.ir.mechanism import (
    FREE,
    POINT,
    FramePlace,
    LoopJoint,
    LumpMember,
    MechanismMap,
    RigidLoop,
    TreeLink,
)


class Placed(Protocol):
    """A pose on a lump."""

    @property
    def part(self) -> At | None: ...


class Composed(Protocol):
    """What is to be recorded."""

    frames: Frames
    tree: SpanningTree
    parts: Parts
    lump_parts: dict[int, At]
    cuts: dict[Said, At]
    body_parts: dict[Said, At]
    weights: dict[Said, At]

    @property
    def poses(self) -> Mapping[int, Placed]: ...
    @property
    def rigid_loops(self) -> Sequence[tuple[Said, Placed, Placed]]: ...


def recorded(made: Composed) -> MechanismMap:
    """See the top of this file."""
    return Recorder(made).record()


class Recorder:
    """Lumps get their numbers: the ground is 0, the others follow the links that carry them."""

    def __init__(self, made: Composed) -> None:
        self.made = made
        self.frames = made.frames
        self.components = made.frames.layout.tree
        self.name = made.parts.name
        ground = made.tree.lump_of.find(GROUND)
        carried = (joint.child for joint in made.tree.joints)
        self.number = {ground: 0, **{lump: k + 1 for k, lump in enumerate(carried)}}

    def record(self) -> MechanismMap:
        """The whole of it."""
        return MechanismMap(
            ground=self.name(self.made.lump_parts[self.made.tree.lump_of.find(GROUND)]),
            links=self._links(),
            loops=tuple(self._loop(said, cut) for said, cut in self.made.cuts.items()),
            members=tuple(self._members()),
            frames=self._frames(),
            described=KinematicNames(self.frames, self.made.tree.lump_of, self._joint_kind).description(),
            rigid_loops=tuple(self._rigid_loop(*loop) for loop in self.made.rigid_loops),
            first_part=len(self.made.parts.root.groups),
        )

    def _rigid_loop(self, said: Said, here: Placed, there: Placed) -> RigidLoop:
        parts = [self.name(pose.part) if pose.part else "" for pose in (here, there)]
        location = self.components.location(said.node, said.instance)
        return RigidLoop(said.path(self.components), parts[0], parts[1], location)

    def _links(self) -> tuple[TreeLink, ...]:
        found = []
        for joint in self.made.tree.joints:
            said = joint.said or joint.body
            assert said is not None
            words = said.what.members if joint.said is not None else {}
            names = self.components.nodes[said.node].kind.variables
            link = TreeLink(
                path=said.path(self.components),
                motion=_motion(joint),
                part=self.name(self.made.lump_parts[joint.child]),
                parent=self.number[joint.parent],
                coordinate=names[words["q"].member].name if "q" in words else "",
                speed=names[words["qd"].member].name if "qd" in words else "",
                actuated=joint.said is not None and self._actuated(joint.said),
                location=self.components.users_location(said.node, said.instance),
            )
            found.append(link)
        return tuple(found)

    def _loop(self, said: Said, cut: At) -> LoopJoint:
        a, b = (self._lump(vertex) for vertex in said.vertices)
        return LoopJoint(
            path=said.path(self.components),
            motion=said.what.motion,
            by_directions="along" in cut.kind.parameter_index,
            part=self.name(cut),
            lumps=(a, b),
            actuated=self._actuated(said),
            location=self.components.users_location(said.node, said.instance),
        )

    def _joint_kind(self, said: Said) -> JointKind:
        return JointKind(said.what.motion, self._actuated(said))

    def _actuated(self, said: Said) -> bool:
        ports = self.components.nodes[said.node].kind.ports
        return any(port.family not in self.frames.families for port in ports)

    def _members(self) -> list[LumpMember]:
        found = []
        for verb in ("world", "fixed", "mass", "rigid"):
            for said in self.frames.said.get(verb, ()):
                parts = [self.made.body_parts.get(said), self.made.weights.get(said)]
                part, weight = (self.name(part) if part else "" for part in parts)
                path = said.path(self.components)
                found.append(LumpMember(path, verb, self._lump(said.vertices[0]), part, weight))
        return found

    def _frames(self) -> dict[str, FramePlace]:
        found = {}
        for path, vertex in self.frames.named():
            if vertex in self.made.poses:
                part = self.made.poses[vertex].part
                found[path] = FramePlace(self._lump(vertex), self.name(part) if part else "")
        return found

    def _lump(self, vertex: int) -> int:
        return self.number.get(self.made.tree.lump_of.find(vertex), -1)


def _motion(joint: TreeJoint) -> str:
    """What a joint permits; a body that nothing holds is free, or a point."""
    if joint.said is not None:
        return joint.said.what.motion
    return POINT if joint.point else FREE
