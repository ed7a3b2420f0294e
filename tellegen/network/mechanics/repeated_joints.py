"""Joints between the same two lumps in the numbers of a mechanism: which repeat others, which lock each other.

Their axes are compared on both lumps, each in the axes of the lump, so that the position of the mechanism does not
matter: hinges that coincide on one lump but not on the other cannot be assembled without locking.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, FREE, POINT, PRISMATIC, REVOLUTE, SPEEDS, LoopJoint, MechanismMap
from tellegen.network.mechanics.duplicates import Duplicates, JointEdge, duplicates
from tellegen.network.mechanics.mechanism_numbers import PartValues
from tellegen.network.mechanics.twists import freedoms
from tellegen.start.records import dataclass


@dataclass(frozen=True)
class RepeatedJoints:
    """Joints by path."""

    kept: dict[str, str]  # the joint that is kept, by the one that repeats it
    over_actuated: tuple[tuple[str, ...], ...]
    fully_constrained: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class _Sides:
    """A joint seen from the two lumps it stands between: point and axis on each."""

    path: str
    motion: str
    actuated: bool
    lumps: tuple[int, int]
    points: tuple[Any, Any]
    axes: tuple[Any, Any]

    def edge(self, lump: int) -> JointEdge:
        """As an edge, in axes of one of its lumps."""
        side = self.lumps.index(lump)
        point = self.points[side]
        return JointEdge(*self.lumps, freedoms(self.motion, point, self.axes[side]), point, self.actuated)


def repeated_joints(mechanism: MechanismMap, value: PartValues) -> RepeatedJoints:
    """See the top of this file."""
    between: dict[tuple[int, int], list[_Sides]] = {}
    for joint in _joints(mechanism, value):
        a, b = sorted(joint.lumps)
        between.setdefault((a, b), []).append(joint)
    kept: dict[str, str] = {}
    over_actuated = []
    fully_constrained = []
    numbers = np.arange(len(mechanism.links) + 1)
    for pair, group in between.items():
        if len(group) < 2:
            continue
        sides = [duplicates([joint.edge(lump) for joint in group], numbers) for lump in pair]
        kept.update(_repeats_on_both(group, sides))
        names = [tuple(joint.path for joint in group)]
        fully_constrained += names if any(side.fully_constrained for side in sides) else []
        driven = tuple(joint.path for joint in group if joint.actuated)
        over_actuated += [driven] if any(side.over_actuated for side in sides) else []
    return RepeatedJoints(kept, tuple(over_actuated), tuple(fully_constrained))


def _repeats_on_both(group: list[_Sides], sides: list[Duplicates]) -> dict[str, str]:
    first, second = (side.repeats for side in sides)
    return {group[k].path: group[by].path for k, by in first.items() if second.get(k) == by}


def _joints(mechanism: MechanismMap, value: PartValues) -> list[_Sides]:
    """Only joints of lumps that have another joint between them are worth reading."""
    pairs = [(link.parent, k + 1) for k, link in enumerate(mechanism.links)]
    wanted = {tuple(sorted(loop.lumps)) for loop in mechanism.loops}
    found = []
    for k, link in enumerate(mechanism.links):
        if pairs[k] not in wanted or link.motion in (FREE, POINT):
            continue
        n = value(link.part, "n") if link.motion != BALL else np.array([0.0, 0.0, 1.0])
        points = (value(link.part, "s"), np.zeros(3))
        axes = (value(link.part, "C") @ n, n)
        found.append(_Sides(link.path, link.motion, link.actuated, pairs[k], points, axes))
    for loop in mechanism.loops:
        n = _axis(loop, value)
        if n is None:
            continue
        points = (value(loop.part, "s"), value(loop.part, "s_o"))
        axes = (value(loop.part, "C") @ n, value(loop.part, "C_o") @ n)
        found.append(_Sides(loop.path, loop.motion, loop.actuated, loop.lumps, points, axes))
    return found


def _axis(loop: LoopJoint, value: PartValues) -> Any:
    """The axis of a joint that closes a loop; none where what it permits depends on the position."""
    if not loop.by_directions:
        return value(loop.part, "n") if loop.motion in SPEEDS else None
    if loop.motion == REVOLUTE:
        return value(loop.part, "beside")[0]
    if loop.motion == PRISMATIC:
        first, second = value(loop.part, "along")
        return np.cross(first, second)
    return np.array([0.0, 0.0, 1.0]) if loop.motion == BALL else None
