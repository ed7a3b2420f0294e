"""Forces of trees: inverse dynamics (recursive Newton-Euler) and the mass matrix (composite bodies).

Both are inward sweeps over the lumps (Featherstone 2008, chapters 5 and 6), here in the axes of the world:

    M(q) a + h(q, u) = tau
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tellegen.network.mechanics.gravity import point_weights
from tellegen.network.mechanics.spatial import cross, dot, shifted_inertia, times, transposed
from tellegen.network.mechanics.tree_motion import Motions, Places, TreeNumbers
from tellegen.start.records import dataclass


@dataclass(frozen=True, eq=False)
class JointForces:
    """Along the freedoms of all joints, and all that each joint exerts on the lump it carries."""

    tau: Any  # samples x speeds
    f: list[Any]  # by link, in axes of the world
    n: list[Any]  # about the origin of the joint


def joint_forces(tree: TreeNumbers, at: Places, moving: Motions) -> JointForces:
    """What the joints have to exert for this motion."""
    count = len(tree.links)
    f: list[Any] = [None] * count
    n: list[Any] = [None] * count
    for k, link in enumerate(tree.links):
        A = at.A[k + 1]
        w = moving.w[k + 1]
        z = moving.z[k + 1]
        a = moving.a[k + 1]
        h = times(A, link.h)
        J = A @ link.J @ transposed(A)
        f[k] = link.m * a + cross(z, h) + cross(w, cross(w, h))
        n[k] = times(J, z) + cross(h, a) + cross(w, times(J, w))
    for weight in point_weights(tree, at):
        f[weight.link] = f[weight.link] - weight.f
        n[weight.link] = n[weight.link] - weight.n
    tau = np.zeros((len(at.r[0]), tree.speeds), int).astype(at.r[0].dtype)
    for k in reversed(range(count)):
        link = tree.links[k]
        tau[:, link.u] = times(transposed(at.S_w[k]), n[k]) + times(transposed(at.S_v[k]), f[k])
        if link.parent > 0:
            f[link.parent - 1] = f[link.parent - 1] + f[k]
            n[link.parent - 1] = n[link.parent - 1] + n[k] + cross(at.d[k], f[k])
    return JointForces(tau, f, n)


def mass_matrix(tree: TreeNumbers, at: Places) -> Any:
    """M(q), by the inertia of each lump together with everything it carries."""
    m = [link.m for link in tree.links]
    h = [times(at.A[k + 1], link.h) for k, link in enumerate(tree.links)]
    J = [at.A[k + 1] @ link.J @ transposed(at.A[k + 1]) for k, link in enumerate(tree.links)]
    M = np.zeros((len(at.r[0]), tree.speeds, tree.speeds), int).astype(at.r[0].dtype)
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        p = link.parent - 1
        if p >= 0:
            d = at.d[k]
            J[p] = J[p] + shifted_inertia(J[k], h[k], m[k], d)
            h[p] = h[p] + h[k] + m[k] * d
            m[p] = m[p] + m[k]
        turning = transposed(at.S_w[k])  # rows are the freedoms
        sliding = transposed(at.S_v[k])
        f = m[k] * sliding + cross(turning, h[k][:, None])
        n = turning @ J[k] + cross(h[k][:, None], sliding)
        at_link = k
        while True:
            above = tree.links[at_link]
            part = f @ at.S_v[at_link] + n @ at.S_w[at_link]
            M[:, link.u, above.u] = part
            M[:, above.u, link.u] = transposed(part)
            if above.parent == 0:
                break
            n = n + cross(at.d[at_link][:, None], f)
            at_link = above.parent - 1
    return M


def total_mass(tree: TreeNumbers) -> Any:
    """The mass of all that moves."""
    return sum(link.m for link in tree.links)


def kinetic_energy(tree: TreeNumbers, at: Places, moving: Motions) -> Any:
    """The sum over all lumps."""
    total: Any = 0
    for k, link in enumerate(tree.links):
        A = at.A[k + 1]
        w = moving.w[k + 1]
        v = moving.v[k + 1]
        local = times(transposed(A), w)
        total = total + link.m * dot(v, v) / 2 + dot(v, cross(w, times(A, link.h)))
        total = total + dot(local, times(link.J, local)) / 2
    return total
