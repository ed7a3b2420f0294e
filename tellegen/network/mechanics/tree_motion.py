"""Where the lumps of a mechanism are and how they move, from the coordinates of its joints.

Lump 0 is the ground, lump k + 1 is carried by link k. All vectors are in the axes of the world; the reference point of
a lump is the origin of the joint that carries it (library/multibody/sweeps has the same formulas as equations).

    S_w, S_v      angular velocity of a lump and velocity of its reference point, by the speeds of its joint
    w = w_p + S_w u,     v = v_p + w_p x d + S_v u,     d from the parent's reference point
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.ir.mechanism import BALL, COORDINATES, FREE, POINT, PRISMATIC, REVOLUTE, SPEEDS, WELD
from tellegen.network.mechanics.spatial import Functions, cross, times, turned_about, turned_by
from tellegen.start.records import dataclass

NUMERIC = Functions()


@dataclass(frozen=True, eq=False)
class LinkNumbers:
    """A joint and the lump it carries: see library/multibody/sweeps/links.py for the names."""

    motion: str
    parent: int
    s: Any  # where the joint is on the parent
    C: Any  # its orientation there: the columns are its axes
    n: Any  # its axis
    m: Any
    h: Any
    J: Any  # 3 x 3, about the reference point
    q: slice  # its coordinates among all
    u: slice  # its speeds among all


@dataclass(frozen=True, eq=False)
class DrawnBody:
    """A body in point gravity: what draws it to the origin of the world, its mass, its centre of mass on the lump."""

    lump: int
    mu: Any
    m: Any
    c: Any


@dataclass(frozen=True, eq=False)
class TreeNumbers:
    """The tree of a mechanism in numbers, or in symbols."""

    g: Any
    links: tuple[LinkNumbers, ...]
    drawn: tuple[DrawnBody, ...] = ()

    @property
    def coordinates(self) -> int:
        """How many there are."""
        return sum(COORDINATES[link.motion] for link in self.links)

    @property
    def speeds(self) -> int:
        """How many there are: the freedoms of the tree."""
        return sum(SPEEDS[link.motion] for link in self.links)

    def way(self, lump: int) -> list[int]:
        """The links from the ground to a lump, the last one first."""
        found = []
        while lump > 0:
            found.append(lump - 1)
            lump = self.links[lump - 1].parent
        return found


@dataclass(frozen=True, eq=False)
class Places:
    """Orientations (columns are axes) and positions by lump; offsets and columns of speeds by link."""

    A: list[Any]
    r: list[Any]
    joint: list[Any]  # orientation of the joint on the parent
    d: list[Any]
    S_w: list[Any]
    S_v: list[Any]


@dataclass(frozen=True, eq=False)
class Motions:
    """Velocities and accelerations by lump; the ground accelerates by -g, which is what gravity feels like."""

    w: list[Any]
    v: list[Any]
    z: list[Any]
    a: list[Any]


def places(tree: TreeNumbers, q: Any, functions: Functions = NUMERIC) -> Places:
    """The outward sweep over positions; q has one row for each sample."""
    rows = len(q)
    unit = np.broadcast_to(np.eye(3, dtype=int), (rows, 3, 3)).astype(q.dtype)
    found = Places([unit], [np.zeros((rows, 3), int).astype(q.dtype)], [], [], [], [])
    for link in tree.links:
        A_p = found.A[link.parent]
        own = q[:, link.q]
        A_a = A_p @ link.C
        shift = times(A_p, link.s)
        turn, slide = _moved(link, own, functions)
        d = shift if slide is None else shift + times(A_a, slide)
        found.A.append(A_a if turn is None else A_a @ turn)
        found.r.append(found.r[link.parent] + d)
        found.joint.append(A_a)
        found.d.append(d)
        S_w, S_v = _columns(link, A_a)
        found.S_w.append(S_w)
        found.S_v.append(S_v)
    return found


def _moved(link: LinkNumbers, q: Any, functions: Functions) -> tuple[Any, Any]:
    """Rotation and translation of a joint in its own axes; None where it has none."""
    if link.motion == REVOLUTE:
        return turned_about(link.n, functions.cos(q[:, 0]), functions.sin(q[:, 0])), None
    if link.motion == PRISMATIC:
        return None, link.n * q
    if link.motion == BALL:
        return turned_by(q), None
    if link.motion == WELD:
        return None, None
    if link.motion == POINT:
        return None, q
    assert link.motion == FREE
    return turned_by(q[:, 3:]), q[:, :3]


def _columns(link: LinkNumbers, A_a: Any) -> tuple[Any, Any]:
    """S_w and S_v of a joint."""
    if link.motion in (REVOLUTE, PRISMATIC):
        n = times(A_a, link.n)[..., None]
        return (n, n * 0) if link.motion == REVOLUTE else (n * 0, n)
    if link.motion == BALL:
        return A_a, A_a * 0
    if link.motion == WELD:
        return A_a[..., :0], A_a[..., :0]
    if link.motion == POINT:
        return A_a * 0, A_a
    return np.concatenate([A_a * 0, A_a], axis=-1), np.concatenate([A_a, A_a * 0], axis=-1)


def motions(tree: TreeNumbers, at: Places, u: Any, accelerations: Any) -> Motions:
    """The outward sweep over velocities and accelerations, from those of the joints."""
    zero = at.r[0] * 0
    found = Motions([zero], [zero], [zero], [zero - tree.g])
    for k, link in enumerate(tree.links):
        w_p = found.w[link.parent]
        z_p = found.z[link.parent]
        d = at.d[k]
        turning = times(at.S_w[k], u[:, link.u])
        sliding = times(at.S_v[k], u[:, link.u])
        w_d = cross(w_p, d)
        found.w.append(w_p + turning)
        found.v.append(found.v[link.parent] + w_d + sliding)
        own = accelerations[:, link.u]
        found.z.append(z_p + cross(w_p, turning) + times(at.S_w[k], own))
        carried = found.a[link.parent] + cross(z_p, d) + cross(w_p, w_d)
        found.a.append(carried + 2 * cross(w_p, sliding) + times(at.S_v[k], own))
    return found


def jacobian(tree: TreeNumbers, at: Places, lump: int, point: Any) -> tuple[Any, Any]:
    """Velocity of a point of a lump and its angular velocity, by all speeds: two arrays of three rows."""
    shape = (len(point), 3, tree.speeds)
    linear = np.zeros(shape, int).astype(point.dtype)
    angular = linear.copy()
    for k in tree.way(lump):
        where = tree.links[k].u
        arm = (point - at.r[k + 1])[..., None, :]
        turning = np.swapaxes(at.S_w[k], -1, -2)
        linear[:, :, where] = at.S_v[k] + np.swapaxes(cross(turning, arm), -1, -2)
        angular[:, :, where] = at.S_w[k]
    return linear, angular
