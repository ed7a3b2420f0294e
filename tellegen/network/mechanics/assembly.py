"""Positions in which loops are closed, and how many freedoms are left there."""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, FREE, POINT, PRISMATIC, REVOLUTE
from tellegen.network.mechanics.closures import Closures, CutNumbers, closures
from tellegen.network.mechanics.spatial import cross, dot
from tellegen.network.mechanics.tree_motion import TreeNumbers, places
from tellegen.start.records import dataclass

RANK_TOLERANCE = 1e-8
"""Singular values below this, relative to the largest, count as zero."""
CLOSED = 1e-12
_ITERATIONS = 60
_PROBES = 3


def moved(tree: TreeNumbers, q: Any, step: Any) -> Any:
    """Coordinates after a step of the speeds; quaternions turn and keep length one."""
    out = q.copy()
    for link in tree.links:
        by = step[:, link.u]
        if link.motion in (BALL, FREE):
            where = slice(link.q.stop - 4, link.q.stop)
            out[:, where] = _turned(q[:, where], by[:, -3:])
        if link.motion == FREE:
            out[:, link.q.start : link.q.start + 3] += by[:, :3]
        elif link.motion in (REVOLUTE, PRISMATIC, POINT):
            out[:, link.q] += by
    return out


def _turned(Q: Any, angle: Any) -> Any:
    """A quaternion turned by a rotation vector in axes of the joint."""
    size = np.sqrt(dot(angle, angle))[:, None]
    half = np.sinc(size / (2 * np.pi)) / 2 * angle
    c = np.cos(size / 2)
    q = Q[:, :3]
    s = Q[:, 3:]
    vector = s * half + c * q + cross(half, q)
    scalar = c * s - dot(half, q)[:, None]
    turned = np.concatenate([vector, scalar], axis=1)
    return turned / np.sqrt(dot(turned, turned))[:, None]


def assembled(tree: TreeNumbers, cuts: tuple[CutNumbers, ...], q: Any) -> tuple[Any, Any]:
    """The nearest position in which the loops are closed, by Gauss-Newton, and the largest gap that is left."""
    gap = np.zeros(len(q))
    for _ in range(_ITERATIONS):
        found = closures(tree, cuts, places(tree, q))
        gap = np.abs(found.phi).max(axis=1, initial=0.0)
        if gap.max(initial=0.0) <= CLOSED:
            break
        held = found.of_positions
        step = np.linalg.pinv(found.J[:, held], rcond=1e-9) @ found.phi[:, held, None]
        q = moved(tree, q, -step[..., 0])
    return q, gap


@dataclass(frozen=True)
class Freedoms:
    """What the loops leave of the freedoms of the tree, and which constraints repeat others."""

    tree: int
    rank: int
    redundant: tuple[str, ...]

    @property
    def left(self) -> int:
        """The degrees of freedom of the mechanism."""
        return self.tree - self.rank


def freedoms(tree: TreeNumbers, cuts: tuple[CutNumbers, ...], q: Any) -> Freedoms:
    """At the assembled position and at some that it can move to, since a single one may be singular."""
    q, _ = assembled(tree, cuts, q)
    random = np.random.default_rng(0)
    rank = -1
    redundant: tuple[str, ...] = ()
    for _ in range(_PROBES if cuts else 1):
        found = closures(tree, cuts, places(tree, q))
        here, rows, null_space = independent_rows(found.J[0])
        if here > rank:
            rank = here
            redundant = tuple(name for k, name in enumerate(found.names) if k not in rows)
        along = null_space @ random.standard_normal(null_space.shape[1])
        step = 0.2 * along / max(float(np.abs(along).max(initial=0.0)), 1e-12)
        q, _ = assembled(tree, cuts, moved(tree, q, step[None]))
    return Freedoms(tree.speeds, rank, redundant)


def independent_rows(J: Any) -> tuple[int, set[int], Any]:
    """The rank of a matrix, rows that are independent (by pivoting), and its null space as columns."""
    if not J.size:
        return 0, set(), np.eye(J.shape[1])
    _, sizes, V = np.linalg.svd(J)
    rank = int((sizes > RANK_TOLERANCE * sizes[0]).sum())
    left = J.copy()
    rows: set[int] = set()
    for _ in range(rank):
        lengths = (left**2).sum(axis=1)
        k = int(lengths.argmax())
        rows.add(k)
        direction = left[k] / np.sqrt(lengths[k])
        left = left - np.outer(left @ direction, direction)
    return rank, rows, V[rank:].T


def rank_of(found: Closures) -> Any:
    """The rank of the Jacobian for each sample."""
    return np.array([independent_rows(J)[0] for J in found.J])
