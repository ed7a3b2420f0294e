"""Mechanisms: a Model with frames becomes one with the articulated-body sweeps of its spanning tree.

    bodies, arms, joints connected by frames  ->  hidden parts: one link for each joint of the tree, poses and masses
                                                  of the lumps they carry, readings where a component mentions a frame

Everything is composed of kinds that the components of the library bring along (their `parts`), so later stages see
nothing but components and equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tellegen.errors import StructureError, UndeterminedError
from tellegen.flatten.layout import Layout, lay_out
from tellegen.flatten.mechanics.check_graph import check_graph
from tellegen.flatten.mechanics.frames import Frames, Reader, Said, gather_frames
from tellegen.flatten.mechanics.loops import close_loop
from tellegen.flatten.mechanics.parts import At, Parts
from tellegen.flatten.mechanics.record import recorded
from tellegen.flatten.mechanics.strip import read_quantities, without_frame_variables
from tellegen.flatten.mechanics.tree import GROUND, SpanningTree, TreeJoint, spanning_tree
from tellegen.ir.model import Kind, Model, Place, Ref, Visual
from tellegen.start.records import dataclass

KINEMATICS = (("A", "A_p"), ("r", "r_p"), ("w", "w_p"), ("v", "v_p"))
INERTIA = ("J", "H", "M")
REVERSED = ("n", "cut_f", "cut_t")
"""What changes its sign where the lump of a link is on the side of frame_a."""


@dataclass(frozen=True)
class Pose:
    """Where a vertex is on its lump: the part that computes it (none at the reference), and whether it is turned."""

    part: At | None = None
    turned: bool = False


def with_mechanism(model: Model) -> Model:
    """See the top of this file; a model without frames is returned as it is."""
    if not any(kind.mechanics for kind in model.kinds()):
        return model
    model = without_frame_variables(model)
    layout = lay_out(model)
    frames = gather_frames(layout)
    tree = spanning_tree(frames)
    composer = Composer(layout, frames, tree)
    check_graph(frames, tree)
    root = composer.root()
    return replace(model, root=root, visuals=tuple(composer.visuals()), mechanism=recorded(composer))


class Composer:
    """Adds the parts of one model."""

    def __init__(self, layout: Layout, frames: Frames, tree: SpanningTree) -> None:
        self.layout = layout
        self.frames = frames
        self.tree = tree
        self.parts = Parts(layout.tree)
        self.world = self._world()
        self.kinds = self.world.what.parts
        self.poses: dict[int, Pose] = {}
        self.lump_parts: dict[int, At] = {}
        self.mass_of: dict[int, At] = {}  # of the bodies of a lump
        self.body_parts: dict[Said, At] = {}
        self.weights: dict[Said, At] = {}  # of bodies that do not all fall alike
        self.cuts: dict[Said, At] = {}
        self.walked: set[Said] = set()  # rigid connections
        self.rigid_loops: list[tuple[Said, Pose, Pose]] = []
        self.rigid: dict[int, list[tuple[int, Said, bool]]] = {}
        for one in frames.said.get("rigid", ()):
            a, b = one.vertices
            self.rigid.setdefault(a, []).append((b, one, False))
            self.rigid.setdefault(b, []).append((a, one, True))

    def _world(self) -> Said:
        worlds = self.frames.said.get("world", [])
        if len(worlds) == 1:
            return worlds[0]
        what = "there is no World"
        advice = "add one: world = multibody.World(); it holds gravity and the frame that does not move"
        if worlds:
            what = "there are two Worlds: " + " and ".join(f"'{one.path(self.layout.tree)}'" for one in worlds[:2])
            advice = "keep one of them; other places that do not move are multibody.Fixed(r=[...])"
        raise (StructureError if worlds else UndeterminedError)(
            "E217",
            f"{what} among the mechanical components",
            location=self.layout.tree.nodes[0].kind.location,
            advice=advice,
            about=[one.path(self.layout.tree) for one in worlds],
        )

    def root(self) -> Kind:
        """The root kind with all parts."""
        self._ground()
        for joint in self.tree.joints:
            self._link(joint)
        self._masses()
        self._inertias()
        for joint in self.tree.loops:
            self.cuts[joint] = close_loop(self, joint)
        for loop in self.rigid_loops:
            self._meet(*loop)
        for reader in self.frames.readers:
            self._reading(reader)
        return self.parts.root_with_parts(self.layout.tree.nodes[0].kind)

    # -- lumps ----------------------------------------------------------------------------------------------------
    def _ground(self) -> None:
        ground = self.parts.add(self.kinds["ground"], "ground")
        world = self.user(self.world)
        self.parts.share(ground, "g", world, self.world.what.members["g"])
        self.lump_parts[self.tree.lump_of.find(GROUND)] = ground
        self.poses[GROUND] = Pose()
        self._walk(self.world.vertices[0], Pose())
        for one in self.frames.said.get("fixed", ()):
            pose = self._arm(Pose(), one, False)
            if one.vertices[0] not in self.poses:
                self._walk(one.vertices[0], pose)
            else:
                self.rigid_loops.append((one, pose, self.poses[one.vertices[0]]))

    def _link(self, joint: TreeJoint) -> None:
        """The link of a tree joint, with its wires to the parent, and the poses of the lump it carries."""
        at = self.poses[joint.at]
        said = joint.said
        name = self.hidden_name(said or joint.body)
        if said is None:
            link = self.parts.add(self.kinds["point" if joint.point else "free"], name)
        else:
            role = "link" if at.turned else "straight"
            link = self.parts.add(said.what.parts[role], name)
        self._carry(self.lump_parts[joint.parent], link)
        self.place(link, at)
        self._share(link, joint)
        self.lump_parts[joint.child] = link
        self._walk(joint.own, Pose())

    def _share(self, link: At, joint: TreeJoint) -> None:
        """What the joint (or the body that nothing holds) says of its link: coordinates, axis, torque, start values."""
        said = joint.said or joint.body
        assert said is not None
        user = self.user(said)
        starts = {word[6:]: ref for word, ref in said.what.members.items() if word.startswith("start_")}
        known = link.kind.parameter_index
        self._start(link, joint, {name: ref for name, ref in starts.items() if f"{name}_start" in known})
        for word, ref in said.what.members.items():
            if joint.said is not None and not word.startswith("start_"):
                self.parts.share(link, word, user, ref, negated=joint.reverse and word in REVERSED)

    def _start(self, link: At, joint: TreeJoint, starts: dict[str, Ref]) -> None:
        """Start values of a link as the joint gives them: frame_b against frame_a, whichever of them is carried."""
        said = joint.said or joint.body
        assert said is not None
        if not joint.reverse:
            for name, ref in starts.items():
                self.parts.share(link, f"{name}_start", self.user(said), ref)
        elif starts:
            back = self.parts.add(self.kinds["start_back"], self.hidden_name(said) + "_start")
            for name, ref in starts.items():
                self.parts.share(back, f"{name}_ab", self.user(said), ref)
                self.parts.take(link, f"{name}_start", back, name)

    def _carry(self, parent: At, part: At) -> None:
        """A part reads the motion of a lump and acts on it."""
        for given, taken in KINEMATICS:
            if taken in part.kind.port_index:
                self.parts.connect(parent, given, part, taken)
        if "parent" in part.kind.port_index:
            self.parts.connect(parent, "own", part, "parent")

    def place(self, part: At, pose: Pose) -> None:
        """Where a part stands on its lump."""
        if pose.part is not None and "s" in part.kind.parameter_index:
            self.parts.take(part, "s", pose.part, "s")
            self.parts.take(part, "C", pose.part, "C")

    def _walk(self, vertex: int, pose: Pose) -> None:
        """The poses of all vertices of a lump, outward from one that is known; what closes a circle is noted."""
        self.poses[vertex] = pose
        waiting = [vertex]
        while waiting:
            here = waiting.pop()
            for there, said, backward in self.rigid.get(here, ()):
                if said in self.walked:
                    continue
                self.walked.add(said)
                found = self._arm(self.poses[here], said, backward)
                if there not in self.poses:
                    self.poses[there] = found
                    waiting.append(there)
                else:
                    self.rigid_loops.append((said, found, self.poses[there]))

    def _meet(self, said: Said, found: Pose, known: Pose) -> None:
        """A second way to a vertex, by a statement: that both end at the same place is checked in every run."""
        meeting = self.parts.add(self.kinds["meeting"], self.hidden_name(said))
        for way, end in ((found, "a"), (known, "b")):
            if way.part is not None:
                self.parts.take(meeting, f"s_{end}", way.part, "s")
                self.parts.take(meeting, f"C_{end}", way.part, "C")

    def _arm(self, start: Pose, said: Said, backward: bool) -> Pose:
        """The pose at the other end of a rigid connection."""
        arm = self.parts.add(self.kinds["arm_back" if backward else "arm"], self.hidden_name(said))
        if start.part is not None:
            self.parts.take(arm, "s_a", start.part, "s")
            self.parts.take(arm, "C_a", start.part, "C")
        for word, ref in said.what.members.items():
            self.parts.share(arm, word, self.user(said), ref)
        return Pose(arm, start.turned or "T" in said.what.members)

    def _masses(self) -> None:
        """Masses of the bodies of each lump, added up at its reference."""
        sums = self.mass_of
        for body in self.frames.said.get("mass", ()):
            lump = self.tree.lump_of.find(body.vertices[0])
            part = self.parts.add(self.kinds["mass"], self.hidden_name(body))
            self.place(part, self.poses[body.vertices[0]])
            for word in body.what.members.keys() & {"m", "r_CM", "inertia"}:
                self.parts.share(part, f"{word}_body", self.user(body), body.what.members[word])
            self.body_parts[body] = part
            if "weight" in self.kinds and lump != self.tree.lump_of.find(GROUND):
                self.weights[body] = self._weight(body, lump, part)
            sums[lump] = self.added(sums[lump], part) if lump in sums else part
        for lump, part in sums.items():
            link = self.lump_parts[lump]
            for word in ("m", "h", "J"):
                if word in link.kind.parameter_index:
                    self.parts.take(link, word, part, word)

    def _weight(self, body: Said, lump: int, mass: At) -> At:
        """What draws a body, where gravity is not uniform."""
        weight = self.parts.add(self.kinds["weight"], self.hidden_name(body) + "_weight")
        self._carry(self.lump_parts[lump], weight)
        self.parts.take(weight, "m", mass, "m")
        self.parts.take(weight, "c", mass, "c")
        self.parts.share(weight, "mu", self.user(self.world), self.world.what.members["mu"])
        return weight

    def added(self, first: At, second: At) -> At:
        """The masses of two parts together."""
        both = self.parts.add(self.kinds["masses"], "masses")
        for word in ("m", "h", "J"):
            self.parts.take(both, f"{word}_a", first, word)
            self.parts.take(both, f"{word}_b", second, word)
        return both

    def _inertias(self) -> None:
        """What hangs on each lump, added up."""
        below: dict[int, At] = {}
        for joint in self.tree.joints:
            link = self.lump_parts[joint.child]
            if "J_up" in link.kind.variable_index:
                below[joint.parent] = self._both(below[joint.parent], link) if joint.parent in below else link
        for lump, part in below.items():
            link = self.lump_parts[lump]
            for word in INERTIA if "J_below" in link.kind.variable_index else ():
                self.parts.connect(part, f"{word}_up", link, f"{word}_below")

    def _both(self, first: At, second: At) -> At:
        both = self.parts.add(self.kinds["both"], "both")
        for word in INERTIA:
            self.parts.connect(first, f"{word}_up", both, f"{word}_a")
            self.parts.connect(second, f"{word}_up", both, f"{word}_b")
        return both

    # -- readings -------------------------------------------------------------------------------------------------
    def _reading(self, reader: Reader) -> None:
        """What a component mentions of its frame, and the wrench it gives there."""
        kind = self.layout.tree.nodes[reader.node].kind
        port = kind.ports[reader.port]
        wanted = read_quantities(kind, port)
        user = self.parts.of_user(reader.node, reader.instance)
        name = f"{self.layout.tree.path(reader.node, reader.instance)}.{port.name}".replace(".", "_")
        lump = self._lump_at(reader, name)
        pose = self.parts.add(self.kinds["pose"], name)
        self._carry(lump, pose)
        self.place(pose, self.poses[reader.vertex])
        for role, words in (("velocity", ("v_0", "w")), ("acceleration", ("a_0", "z")), ("wrench", ("f", "t"))):
            if wanted.isdisjoint(words):
                continue
            part = self.parts.add(self.kinds[role], name)
            self._carry(lump, part)
            self.parts.connect(pose, "d", part, "d")
            self.parts.connect(pose, "R", part, "R")
            if "g" in part.kind.parameter_index:
                self.parts.share(part, "g", self.user(self.world), self.world.what.members["g"])
            for word in wanted.intersection(words):
                self._read(part, word, user, f"{port.name}.{word}")
        for word in wanted.intersection(("r_0", "R")):
            self._read(pose, word, user, f"{port.name}.{word}")

    def _read(self, part: At, word: str, user: At, name: str) -> None:
        self.parts.equal(user, name, part, word)

    def _lump_at(self, reader: Reader, name: str) -> At:
        lump = self.tree.lump_of.find(reader.vertex)
        if lump in self.lump_parts and reader.vertex in self.poses:
            return self.lump_parts[lump]
        raise StructureError(
            "E218",
            f"'{name.replace('_frame', '.frame')}' is connected to nothing that has a place: no body, joint or World",
            location=self.layout.tree.location(reader.node, reader.instance),
            advice="connect it to a frame of a body, of a joint or of the World",
        )

    def visuals(self) -> Iterator[Visual]:
        """The shapes of all that has a place."""
        for said in self.frames.said.get("visual", ()):
            if all(vertex in self.poses for vertex in said.vertices):
                yield self._visual(said)

    def _visual(self, said: Said) -> Visual:
        user = self.user(said)
        return Visual(
            owner=said.path(self.layout.tree),
            look=said.what.look,
            places=tuple(self._placed(vertex) for vertex in said.vertices),
            numbers={word: user.named(ref).ref(ref.parameter) for word, ref in said.what.members.items()},
        )

    def _placed(self, vertex: int) -> Place:
        lump = self.lump_parts[self.tree.lump_of.find(vertex)]
        part = self.poses[vertex].part
        A = lump.variable("A").ref(False)
        r = lump.variable("r").ref(False)
        if part is None:
            return Place(A, r)
        return Place(A, r, part.parameter("s").ref(True), part.parameter("C").ref(True))

    def pose(self, vertex: int) -> Pose:
        """Where a vertex is on its lump."""
        return self.poses[vertex]

    def user(self, said: Said) -> At:
        """The component that made a statement."""
        return self.parts.of_user(said.node, said.instance)

    def hidden_name(self, said: Said | None) -> str:
        """A name for what is made of a statement."""
        assert said is not None
        return said.path(self.layout.tree).replace(".", "_") + "_" + said.what.verb
