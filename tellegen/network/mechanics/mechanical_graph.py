"""The mechanical graph of bodies and joints (algorithms A to C of A. Diaz-Calderon's thesis, 2000, section 4.3.2).

    A   nodes: the origin of the inertial frame, a centre of gravity for each body, two articulation points for each
        joint; edges: weight and rigid body from the origin, position vectors from the centres of gravity to the
        articulation points, joints between these, drivers beside joints with a motor
    B   composites: bodies that position vectors and fixed joints connect
    C   the graph of the composites, without joints that repeat others

A prismatic joint is a sliding vector and a fixed joint. Composites end at sliding vectors, not at fixed joints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from tellegen.ir.mechanism import FIXED, PRISMATIC, KinematicDescription, KinematicPair
from tellegen.sheet import Result, Table
from tellegen.start.records import dataclass

DATUM = "origin"
RIGID_BODY = "rigid body"
WEIGHT = "weight"
POSITION_VECTOR = "position vector"
SLIDING_VECTOR = "sliding vector"
DRIVER = "driver"


@dataclass(frozen=True)
class MechanicalEdge:
    """An element between two nodes, directed from tail to head."""

    kind: str
    tail: str
    head: str
    element: str  # the body or joint it belongs to


@dataclass(frozen=True, repr=False)
class MechanicalGraph(Result):
    """Bodies, joints, and the graph of both."""

    bodies: tuple[str, ...]  # the ground is the first one
    joints: tuple[KinematicPair, ...]
    edges: tuple[MechanicalEdge, ...]

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """All nodes; the origin is the first one."""
        found = {DATUM: None}
        for edge in self.edges:
            found |= {edge.tail: None, edge.head: None}
        return tuple(found)

    @cached_property
    def composites(self) -> tuple[tuple[str, ...], ...]:
        """Algorithm B: bodies that move together, by a search through position vectors and fixed joints."""
        successors: dict[str, list[str]] = {}
        for edge in self.edges:
            if edge.kind in (POSITION_VECTOR, FIXED):
                successors.setdefault(edge.tail, []).append(edge.head)
                successors.setdefault(edge.head, []).append(edge.tail)
        number = {center(body): k for k, body in enumerate(self.bodies)}
        closed: set[str] = set()
        lumps = []
        for node in number:
            if node in closed:
                continue
            members = [number[one] for one in _reached(node, successors, closed) if one in number]
            lumps.append(tuple(self.bodies[k] for k in sorted(members)))
        return tuple(lumps)

    def _title(self) -> str:
        return f"Mechanical graph: {len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.edges)} edges"

    def _page(self) -> list[Table | str]:
        rows = [(str(k + 1), edge.kind, edge.tail, edge.head) for k, edge in enumerate(self.edges)]
        return [joint_table(self.joints), Table(("edge", "kind", "from", "to"), rows)]


@dataclass(frozen=True, repr=False)
class ReducedGraph(Result):
    """Composites as bodies, and which joints between them were removed."""

    lumps: dict[str, tuple[str, ...]]  # members, by the name of the composite
    joints: tuple[KinematicPair, ...]  # between composites, before any is removed
    removed: dict[str, str]  # the joint that is kept, by the one that repeats it
    graph: MechanicalGraph

    def _title(self) -> str:
        count = len(self.graph.joints)
        return f"Reduced graph: {len(self.lumps)} composites, {count} of {len(self.joints)} joints"

    def _page(self) -> list[Table | str]:
        rows = [(name, ", ".join(members)) for name, members in self.lumps.items()]
        notes = [f"{one} is removed: it repeats {kept}" for one, kept in self.removed.items()]
        return [Table(("composite", "bodies"), rows), joint_table(self.joints), *notes]


def extended_graph(described: KinematicDescription) -> MechanicalGraph:
    """Algorithm A."""
    found = _graph(described.bodies, described.pairs)
    ground = MechanicalEdge(POSITION_VECTOR, DATUM, center(described.bodies[0]), described.bodies[0])
    return replace(found, edges=(*found.edges, ground))


def reduced_graph(extended: MechanicalGraph, removed: Mapping[str, str]) -> ReducedGraph:
    """Algorithm C; the joints to be removed are found by their axes (duplicates.py)."""
    lumps = {members[0]: members for members in extended.composites}
    lump_of = {body: lump for lump, members in lumps.items() for body in members}
    joints = tuple(
        replace(joint, reference=lump_of[joint.reference], moving=lump_of[joint.moving])
        for joint in extended.joints
        if lump_of[joint.reference] != lump_of[joint.moving]
    )
    kept = tuple(joint for joint in joints if joint.name not in removed)
    return ReducedGraph(lumps, joints, dict(removed), _graph(tuple(lumps), kept))


def center(body: str) -> str:
    """The node at the centre of gravity of a body."""
    return f"{body}: centre of gravity"


def joint_table(joints: Iterable[KinematicPair]) -> Table:
    """The kinematic description; an asterisk marks joints with a motor."""
    rows = [(one.name, one.kind + "*" * one.actuated, one.reference, one.moving) for one in joints]
    return Table(("joint", "kind", "reference body", "moving body"), rows)


def _graph(bodies: tuple[str, ...], joints: tuple[KinematicPair, ...]) -> MechanicalGraph:
    edges = [MechanicalEdge(kind, DATUM, center(body), body) for body in bodies for kind in (WEIGHT, RIGID_BODY)]
    for joint in joints:
        edges += _joint_edges(joint)
    return MechanicalGraph(bodies, joints, tuple(edges))


def _joint_edges(joint: KinematicPair) -> list[MechanicalEdge]:
    on_reference = f"{joint.name}: on {joint.reference}"
    on_moving = f"{joint.name}: on {joint.moving}"
    slides = joint.kind == PRISMATIC
    ends = (on_reference, on_moving, joint.name)
    driver = [MechanicalEdge(DRIVER, *ends)] if joint.actuated else []
    return [
        MechanicalEdge(
            SLIDING_VECTOR if slides else POSITION_VECTOR, center(joint.reference), on_reference, joint.name
        ),
        *driver,
        MechanicalEdge(FIXED if slides else joint.kind, *ends),
        MechanicalEdge(POSITION_VECTOR, center(joint.moving), on_moving, joint.name),
    ]


def _reached(start: str, successors: Mapping[str, list[str]], closed: set[str]) -> list[str]:
    """What can be reached from a node; it is closed from now on."""
    found = []
    opened = [start]
    while opened:
        node = opened.pop()
        if node not in closed:
            closed.add(node)
            found.append(node)
            opened += successors.get(node, ())
    return found
