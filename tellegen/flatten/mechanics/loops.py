"""Joints that close loops: the part that holds their two lumps together, and how its constraints are kept.

four-bar: j1 - j2 - j3 in the tree, j4 closes the loop   ->   a cut between two lumps; a column for each of j1, j2, j3
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tellegen.flatten.mechanics.frames import Said
from tellegen.flatten.mechanics.parts import At, Parts, Quantity
from tellegen.flatten.mechanics.tree import SpanningTree, TreeJoint
from tellegen.ir.model import Kind

OTHER = (("A", "A_o"), ("r", "r_o"), ("w", "w_o"), ("v", "v_o"))
FIRST = (("A", "A_p"), ("r", "r_p"), ("w", "w_p"), ("v", "v_p"))

LEVELS = (("gap", "rate"), ("tilt", "tilt_rate"))
"""Constraints of a cut, and their rates."""


class Placed(Protocol):
    """A pose on a lump: the part that computes it, if it is not the reference."""

    @property
    def part(self) -> At | None: ...


class Composed(Protocol):
    """What closing a loop needs of the mechanism composed so far."""

    parts: Parts
    tree: SpanningTree
    kinds: Mapping[str, Kind]
    lump_parts: dict[int, At]
    mass_of: dict[int, At]

    def pose(self, vertex: int) -> Placed: ...
    def user(self, said: Said) -> At: ...
    def added(self, first: At, second: At) -> At: ...
    def hidden_name(self, said: Said | None) -> str: ...


def close_loop(made: Composed, joint: Said) -> At:
    """See the top of this file; returns the part that holds the lumps together."""
    parts = made.parts
    name = made.hidden_name(joint)
    cut = parts.add(joint.what.parts["cut"], name)
    lumps = [made.tree.lump_of.find(vertex) for vertex in joint.vertices]
    for lump, wires, port in zip(lumps, (FIRST, OTHER), ("parent", "other"), strict=True):
        link = made.lump_parts[lump]
        for given, taken in wires:
            parts.connect(link, given, cut, taken)
        parts.connect(link, "own", cut, port)
    for vertex, names in zip(joint.vertices, (("s", "C"), ("s_o", "C_o")), strict=True):
        part = made.pose(vertex).part
        if part is not None:
            parts.take(cut, names[0], part, "s")
            parts.take(cut, names[1], part, "C")
    for word, ref in joint.what.members.items():
        if not word.startswith("start_"):
            parts.share(cut, word, made.user(joint), ref)
    way = _way(made.tree, lumps)
    _weigh(made, cut, [tree_joint.child for tree_joint, _ in way])
    for tree_joint, sign in way:
        _column(made, cut, tree_joint, sign, name)
    _own_coordinate(made, cut, joint)
    return cut


def _way(tree: SpanningTree, lumps: list[int]) -> list[tuple[TreeJoint, float]]:
    """The joints of the tree around the loop: those that move frame_b alone (+1) or frame_a alone (-1)."""
    carried = tree.by_child
    ways: list[list[TreeJoint]] = []
    for lump in lumps:
        way = []
        while lump in carried:
            way.append(carried[lump])
            lump = carried[lump].parent
        ways.append(way)
    shared = {id(joint) for joint in ways[0]} & {id(joint) for joint in ways[1]}
    first = [(joint, -1.0) for joint in ways[0] if id(joint) not in shared]
    return first + [(joint, 1.0) for joint in ways[1] if id(joint) not in shared]


def _weigh(made: Composed, cut: At, lumps: list[int]) -> None:
    """The mass of the loop, which the compliance of its constraints is relative to."""
    found = [made.mass_of[lump] for lump in lumps if lump in made.mass_of]
    if not found:
        return
    total = found[0]
    for part in found[1:]:
        total = made.added(total, part)
    made.parts.take(cut, "m_loop", total, "m")
    made.parts.take(cut, "J_loop", total, "J")


def _column(made: Composed, cut: At, joint: TreeJoint, sign: float, name: str) -> None:
    """How the constraints of a cut change with one joint of the tree; those without freedom have no column."""
    parts = made.parts
    link = made.lump_parts[joint.child]
    kind = _column_kind(made, joint)
    if kind is None:
        return
    column = parts.add(kind, f"{name}_column")
    parts.set(column, "sign", sign)
    for word in ("F_a", "W", "p"):
        if word in kind.variable_index and word in cut.kind.variable_index:
            parts.wire(column, word, cut)
    for word in ("r", "n_0", "A", "A_a", "Q"):
        if word in kind.variable_index:
            parts.wire(column, word, link)
    for gap, rate in LEVELS:
        if gap not in cut.kind.variable_index:
            continue
        for state, level, partial in _states(made, joint, link, gap, rate, kind):
            rows = cut.variable(level)
            parts.keep(rows, state, column.variable(partial).some(slice(len(rows.elements) * len(state.elements))))


def _column_kind(made: Composed, joint: TreeJoint) -> Kind | None:
    if joint.said is not None:
        return joint.said.what.parts.get("column")
    return made.kinds["point_column" if joint.point else "free_column"]


def _states(
    made: Composed, joint: TreeJoint, link: At, gap: str, rate: str, column: Kind
) -> list[tuple[Quantity, str, str]]:
    """The states of a joint, the level of constraints that each keeps, and the column with the derivatives."""
    said = joint.said
    if said is not None and "q" in said.what.members:
        user = made.user(said)
        found = [
            (user.named(said.what.members["q"]), gap, f"by_{gap}"),
            (user.named(said.what.members["qd"]), rate, f"by_{gap}"),
        ]
    else:
        levels = (("Q", gap, "Q"), ("w_own", rate, "w"), ("r_rel", gap, "r"), ("v_rel", rate, "r"))
        found = [
            (link.variable(state), level, f"by_{gap}_{column_of}")
            for state, level, column_of in levels
            if state in link.kind.variable_index
        ]
    return [one for one in found if one[2] in column.variable_index]


def _own_coordinate(made: Composed, cut: At, joint: Said) -> None:
    """The coordinate of the cut joint itself: the last constraint says what it should be."""
    if "q" not in joint.what.members:
        return
    user = made.user(joint)
    gap, rate = LEVELS[0] if "gap_by_q" in cut.kind.variable_index else LEVELS[1]
    last = slice(2, 3)
    for level, word in ((gap, "q"), (rate, "qd")):
        made.parts.keep(
            cut.variable(level).some(last), user.named(joint.what.members[word]), cut.variable(f"{gap}_by_q")
        )
