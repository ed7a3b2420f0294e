"""The numbers of a mechanism, read from the parameters of its hidden parts (ir/mechanism.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.flat import FlatModel, Tree
from tellegen.ir.mechanism import COORDINATES, LENGTH, POINT, ROLLING, SPEEDS, LoopJoint, MechanismMap, TreeLink
from tellegen.network.mechanics.closures import (
    CutNumbers,
    Locked,
    Wheel,
    locked_by,
    locked_by_rolling,
    locked_directions,
    locked_length,
)
from tellegen.network.mechanics.hidden_parts import TreeInstance, parameter_indices
from tellegen.network.mechanics.tree_motion import DrawnBody, LinkNumbers, TreeNumbers
from tellegen.network.mechanics.twists import perpendicular
from tellegen.symbolic.evaluate import evaluate

FULL = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])
"""Where the elements of a symmetric matrix stand among its six numbers: xx, yy, zz, xy, xz, yz."""


class PartValues:
    """Parameters of the hidden parts: numbers, or whatever stands in `values`."""

    def __init__(self, flat: FlatModel, values: Any | None = None) -> None:
        self.flat = flat
        self.values = flat.parameter_values if values is None else values

    def __call__(self, part: str, name: str) -> Any:
        """A parameter of a part in its shape."""
        return self.values[parameter_indices(self.flat.tree, part, name)]


def tree_numbers(mechanism: MechanismMap, value: PartValues) -> TreeNumbers:
    """The spanning tree."""
    links = []
    q = 0
    u = 0
    for link in mechanism.links:
        q_end = q + COORDINATES[link.motion]
        u_end = u + SPEEDS[link.motion]
        links.append(_link(link, value, slice(q, q_end), slice(u, u_end)))
        q = q_end
        u = u_end
    drawn = [
        DrawnBody(member.lump, *(value(member.weight, name) for name in ("mu", "m", "c")))
        for member in mechanism.members
        if member.weight
    ]
    return TreeNumbers(value(mechanism.ground, "g"), tuple(links), tuple(drawn))


def _link(link: TreeLink, value: PartValues, q: slice, u: slice) -> LinkNumbers:
    part = link.part
    if link.motion == POINT:
        m = value(part, "m")
        return LinkNumbers(POINT, link.parent, np.zeros(3), np.eye(3), None, m, np.zeros(3), np.zeros((3, 3)), q, u)
    return LinkNumbers(
        motion=link.motion,
        parent=link.parent,
        s=value(part, "s"),
        C=value(part, "C"),
        n=value(part, "n") if link.coordinate else None,
        m=value(part, "m"),
        h=value(part, "h"),
        J=value(part, "J")[FULL],
        q=q,
        u=u,
    )


def cut_numbers(mechanism: MechanismMap, value: PartValues) -> tuple[CutNumbers, ...]:
    """The joints that close loops. Their directions are numbers even where lengths are symbols."""
    numbers = PartValues(value.flat)
    found = []
    for loop in mechanism.loops:
        s = (value(loop.part, "s"), value(loop.part, "s_o"))
        C = (value(loop.part, "C"), value(loop.part, "C_o"))
        found.append(CutNumbers(loop.path, loop.lumps, s, C, _locked(loop, numbers)))
    return tuple(found)


def _locked(loop: LoopJoint, numbers: PartValues) -> Locked:
    if loop.by_directions:
        along, across, beside = (numbers(loop.part, name) for name in ("along", "across", "beside"))
        return locked_directions(along, across, beside)
    if loop.motion == LENGTH:
        return locked_length(numbers(loop.part, "L"))
    if loop.motion == ROLLING:
        return locked_by_rolling(Wheel(*(numbers(loop.part, name) for name in ("R", "n", "e"))))
    n = numbers(loop.part, "n")
    return locked_by(loop.motion, np.vstack([perpendicular(n), n]))


def component(tree: Tree, path: str) -> TreeInstance:
    """A component of the user by its path."""
    number = 0
    instance = 0
    for name in path.split("."):
        name, _, place = name.partition("[")
        group, k = tree.nodes[number].kind.child_index[name]
        number = tree.children[number, group]
        instance = instance * tree.nodes[number].size + k + (int(place[:-1]) if place else 0)
    return TreeInstance(number, instance)


def start_of(flat: FlatModel, values: Any, owner: TreeInstance, name: str) -> Any:
    """The start values of one variable of a component, given those of all."""
    number, instance = owner
    node = flat.tree.nodes[number]
    which = node.kind.variable_index[name]
    size = node.kind.variables[which].size
    base = node.variable_base[which] + instance * size
    return values[base : base + size]


def start_values(flat: FlatModel) -> Any:
    """The start value of every variable, those given by expressions of parameters too."""
    values = flat.variables.column("start", 0.0).copy()
    for group in flat.start_bindings:
        rows = group.bindings
        slots = [flat.parameter_values[rows[:, s]] for s in range(1, rows.shape[1])]
        values[rows[:, 0]] = evaluate(group.template.value, [values[rows[:, 0]], *slots])  # type: ignore[attr-defined]
    return np.nan_to_num(values)
