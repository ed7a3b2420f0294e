"""Random trees of bodies: hinges, slides, ball joints and free bodies with skew axes, poses and inertias.

A description is plain data, from which both a model and the oracles are built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.components.frames import rigid
from tellegen.library import multibody

KINDS = ("revolute", "prismatic", "spherical", "free")
GRAVITY = (0.3, -9.0, 2.0)


class Arm(multibody.TwoFrames):
    """frame_b at r from frame_a; the rows of T are its axes there."""

    r = tg.parameter([0.0, 0.0, 0.0], "m")
    T = tg.parameter(np.eye(3), "1")

    def equations(self) -> Iterator[Any]:
        yield rigid(self.frame_a, self.frame_b, r=self.r, T=self.T)


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint, where it is on its parent (-1 is the world), and the body it carries."""

    kind: str
    parent: int
    r: Any
    T: Any  # the rows are the axes of the joint in those of the parent
    n: Any
    m: float
    c: Any
    inertia: Any  # 3 x 3 about the centre of mass
    q: Any  # angle or distance; angles about x, y, z; with a position first for a free body
    u: Any


def rotation(random: np.random.Generator) -> Any:
    """A random rotation matrix."""
    q, r = np.linalg.qr(random.standard_normal((3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.sign(np.linalg.det(q))


def random_tree(seed: int, count: int) -> list[Joint]:
    """Joints, parents first; free bodies hang on the world or on any other body."""
    random = np.random.default_rng(seed)
    found = []
    for k in range(count):
        kind = str(random.choice(KINDS, p=[0.5, 0.2, 0.2, 0.1]))
        size = {"revolute": 1, "prismatic": 1, "spherical": 3, "free": 6}[kind]
        axes = rotation(random)
        parts = random.uniform(0.5, 1.5, 3)  # of an ellipsoid, so that the inertia is one of a body
        principal = np.diag(parts.sum() - parts)
        joint = Joint(
            kind=kind,
            parent=int(random.integers(-1, k)),
            r=random.uniform(-1, 1, 3),
            T=rotation(random),
            n=random.standard_normal(3),
            m=random.uniform(0.5, 3.0),
            c=random.uniform(-0.5, 0.5, 3),
            inertia=axes @ principal @ axes.T,
            q=random.uniform(-1.2, 1.2, size),
            u=random.uniform(-2, 2, size),
        )
        found.append(joint)
    return found


def forest(trees: list[list[Joint]]) -> list[Joint]:
    """Many trees side by side as one, which is compiled once."""
    found: list[Joint] = []
    for tree in trees:
        first = len(found)
        found += [replace(one, parent=one.parent + first if one.parent >= 0 else -1) for one in tree]
    return found


def _joint(one: Joint) -> Any:
    if one.kind in ("revolute", "prismatic"):
        q = tg.variable(start=one.q[0], fixed=True)
        u = tg.variable(start=one.u[0], fixed=True)
        if one.kind == "revolute":
            return multibody.Revolute(n=one.n, phi=q, w=u)
        return multibody.Prismatic(n=one.n, s=q, v=u)
    if one.kind == "spherical":
        return multibody.Spherical(angles_start=one.q, w_rel_a_start=one.u)
    place = {"r_rel_a_start": one.q[:3], "v_rel_a_start": one.u[:3]}
    return multibody.FreeMotion(angles_start=one.q[3:], w_rel_a_start=one.u[3:], **place)


def model_of(tree: list[Joint]) -> Any:
    """The same as a model: arm<k>, joint<k>, body<k>."""
    system = tg.System("RandomTree")
    g = float(np.linalg.norm(GRAVITY))
    system.add(world=multibody.World(g=g, n=np.array(GRAVITY) / g))
    for k, one in enumerate(tree):
        i = one.inertia
        body = multibody.Body(
            m=one.m,
            r_CM=one.c,
            I_11=i[0, 0],
            I_22=i[1, 1],
            I_33=i[2, 2],
            I_21=i[1, 0],
            I_31=i[2, 0],
            I_32=i[2, 1],
        )
        system.add(**{f"arm{k}": Arm(r=one.r, T=one.T), f"joint{k}": _joint(one), f"body{k}": body})
        arm = getattr(system, f"arm{k}")
        joint = getattr(system, f"joint{k}")
        below = system.world.frame_b if one.parent < 0 else getattr(system, f"body{one.parent}").frame_a
        system.connect(below, arm.frame_a)
        system.connect(arm.frame_b, joint.frame_a)
        system.connect(joint.frame_b, getattr(system, f"body{k}").frame_a)
    return system
