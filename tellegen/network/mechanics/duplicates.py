"""Joints that repeat others between the same two lumps (algorithm C of A. Diaz-Calderon's thesis, 2000, section 4.3.2).

    two collinear revolutes, one with a motor                ->  the one with the motor is kept
    two collinear revolutes with a motor each                ->  over-actuated
    two revolutes whose axes differ                          ->  fully constrained: nothing is dropped
    a revolute and a cylindrical joint on the same axis      ->  the revolute is kept

A joint repeats another one if it permits every motion that the other permits. This is the thesis' test that axes are
collinear, for all kinds of joints: prismatic ones need parallel directions only, spherical ones the same centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from tellegen.network.mechanics.lumps import Ints
from tellegen.network.mechanics.twists import Floats, Tolerance, common, contains
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class JointEdge:
    """A joint as an edge between two bodies, in the position in which the mechanism is assembled."""

    body_a: int
    body_b: int
    freedoms: Floats  # twists in the world's axes, about its origin
    point: Floats  # where the joint is
    actuated: bool = False


@dataclass(frozen=True)
class Duplicates:
    """Which joints remain, by number, and what is wrong between which lumps."""

    kept: tuple[int, ...]
    repeats: dict[int, int] = field(default_factory=dict)  # the joint that is kept, by the one that repeats it
    locked: tuple[int, ...] = ()  # both bodies are in one lump
    over_actuated: tuple[tuple[int, ...], ...] = ()
    fully_constrained: tuple[tuple[int, ...], ...] = ()


def duplicates(joints: Sequence[JointEdge], lump_of: Ints, tolerance: Tolerance | None = None) -> Duplicates:
    """Sort the joints between each pair of lumps into those that are kept and those that repeat them."""
    tolerance = tolerance or Tolerance()
    between: dict[tuple[int, int], list[int]] = {}
    locked = []
    for k, joint in enumerate(joints):
        a, b = sorted((int(lump_of[joint.body_a]), int(lump_of[joint.body_b])))
        if a == b:
            locked.append(k)
        else:
            between.setdefault((a, b), []).append(k)
    repeats: dict[int, int] = {}
    over_actuated = []
    fully_constrained = []
    for group in between.values():
        if len(group) == 1:
            continue
        about = np.array([joints[k].point for k in group]).mean(axis=0)
        if not len(common([joints[k].freedoms for k in group], tolerance, about)):
            fully_constrained.append(tuple(group))
            continue
        found = _repeats(group, joints, tolerance, about)
        repeats.update(found)
        left = [k for k in group if k not in found and joints[k].actuated]
        if len(left) > 1:
            over_actuated.append(tuple(left))
    kept = tuple(k for k in range(len(joints)) if k not in repeats and k not in locked)
    return Duplicates(kept, repeats, tuple(locked), tuple(over_actuated), tuple(fully_constrained))


def _repeats(group: list[int], joints: Sequence[JointEdge], tolerance: Tolerance, about: Floats) -> dict[int, int]:
    """Which joints between two lumps repeat the one that permits least; an actuated joint never does."""

    def implied(k: int, by: int) -> bool:
        return contains(joints[k].freedoms, joints[by].freedoms, tolerance, about)

    least = [k for k in group if all(implied(other, k) for other in group)]
    if not least:
        return {}
    kept = next((k for k in least if joints[k].actuated), least[0])
    return {k: kept for k in group if k != kept and not joints[k].actuated}
