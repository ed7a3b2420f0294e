"""Gravity on the lumps of a mechanism: potential energy, and the weights of bodies in point gravity.

Uniform gravity is an acceleration of the ground (tree_motion.py); in point gravity each body has a weight of its own,
at its centre of mass r: mu m/|r|^2 towards the origin of the world.
"""

from __future__ import annotations

from typing import Any

from tellegen.network.mechanics.spatial import cross, dot, times
from tellegen.network.mechanics.tree_motion import Places, TreeNumbers
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class Weight:
    """The weight of one body on its lump: force, and moment about the reference point."""

    link: int
    f: Any
    n: Any


def point_weights(tree: TreeNumbers, at: Places) -> list[Weight]:
    """The weights of all bodies in point gravity; none where gravity is uniform."""
    found = []
    for body in tree.drawn:
        arm = times(at.A[body.lump], body.c)
        r = at.r[body.lump] + arm
        f = -body.mu * body.m * dot(r, r)[:, None] ** -1.5 * r
        found.append(Weight(body.lump - 1, f, cross(arm, f)))
    return found


def potential_energy(tree: TreeNumbers, at: Places) -> Any:
    """Of uniform gravity, zero at the origin of the world, and of point gravity, zero at infinity."""
    total = -(first_moment(tree, at) * tree.g).sum(axis=-1)
    for body in tree.drawn:
        r = at.r[body.lump] + times(at.A[body.lump], body.c)
        total = total - body.mu * body.m * dot(r, r) ** -0.5
    return total


def first_moment(tree: TreeNumbers, at: Places) -> Any:
    """The sum of mass times position of all that moves."""
    moments = [link.m * at.r[k + 1] + times(at.A[k + 1], link.h) for k, link in enumerate(tree.links)]
    return sum(moments[1:], moments[0])
