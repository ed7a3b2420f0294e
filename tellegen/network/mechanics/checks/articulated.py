"""Whether every joint of a tree has something to accelerate: the inertia along its freedoms, with all that hangs on it.

A lump of its own with inertia about the axis of its joint is enough. Only where it has none, the articulated inertia
of what it carries decides (Featherstone 2008, chapter 7), at a position without special angles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, FREE, POINT, PRISMATIC, REVOLUTE
from tellegen.network.mechanics.spatial import crossed
from tellegen.network.mechanics.tree_motion import LinkNumbers, TreeNumbers, places

NONE = 1e-13
"""Inertia below this part of the largest is none."""


def without_inertia(tree: TreeNumbers) -> int | None:
    """The outermost link whose joint has no inertia to accelerate, if there is one."""
    sizes = [_least(link) for link in tree.links]
    if all(least > NONE * most for least, most in sizes):
        return None
    return _first_singular(tree)


def _least(link: LinkNumbers) -> tuple[float, float]:
    """The least and the largest inertia of a lump along the freedoms of its joint."""
    if link.motion == REVOLUTE:
        own = float(link.n @ link.J @ link.n)
        return own, max(float(np.trace(link.J)), 1e-300)
    if link.motion in (PRISMATIC, POINT):
        return float(link.m), 1e-300
    if link.motion in (BALL, FREE):
        J = link.J
        if link.motion == FREE:
            if link.m <= 0:
                return 0.0, 1.0
            H = crossed(link.h)
            J = J + H @ H / link.m
        sizes = np.linalg.eigvalsh(J)
        return float(sizes[0]), max(float(sizes[-1]), 1e-300)
    return 1.0, 1.0


def _first_singular(tree: TreeNumbers) -> int | None:
    """By the inward sweep of articulated inertias, six by six, moments before forces."""
    at = places(tree, np.random.default_rng(1).uniform(0.3, 1.1, (1, tree.coordinates)))
    inertia = [_rigid(link, at.A[k + 1][0]) for k, link in enumerate(tree.links)]
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        S = np.vstack([at.S_w[k][0], at.S_v[k][0]])
        U = inertia[k] @ S
        D = S.T @ U
        if len(D):
            sizes = np.linalg.eigvalsh(D)
            if sizes[0] <= NONE * max(float(np.abs(inertia[k]).max()), 1e-300):
                return k
            inertia[k] = inertia[k] - U @ np.linalg.solve(D, U.T)
        if link.parent > 0:
            X = np.eye(6)
            X[3:, :3] = -crossed(at.d[k][0])  # the motion of the parent at the reference point of the child
            inertia[link.parent - 1] = inertia[link.parent - 1] + X.T @ inertia[k] @ X
    return None


def _rigid(link: LinkNumbers, A: Any) -> Any:
    """A lump's own inertia in axes of the world."""
    H = crossed(A @ link.h)
    return np.block([[A @ link.J @ A.T, H], [H.T, link.m * np.eye(3)]])
