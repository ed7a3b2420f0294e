"""Trees of rigid bodies with revolute joints, by the articulated-body algorithm (Featherstone, 2008) in link frames.

Three recurrences, all explicit: velocities outward, articulated inertia and bias forces inward, accelerations outward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import tellegen as tg

AXES = ([0.0, 1.0, 0.0], [0.0, 0.6, 0.8])


def skew(a: Any) -> Any:
    """The matrix of a x ..."""
    return [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]]


def outer(a: Any, b: Any) -> Any:
    """a b'."""
    return a[:, None] * b


class Frame(tg.Connector):
    """Motion of a link, and what its children add to it: inertia (moments J, products H, masses M) and bias force."""

    overdetermined = True
    w = tg.across(shape=3)
    v = tg.across(shape=3)
    z = tg.across(shape=3)
    a = tg.across(shape=3)
    unused = tg.across(shape=21)  # as many potentials as flows
    J = tg.through(shape=(3, 3))
    H = tg.through(shape=(3, 3))
    M = tg.through(shape=(3, 3))
    n = tg.through(shape=3)
    f = tg.through(shape=3)


class World(tg.Component):
    """The frame at rest; gravity is an acceleration upwards."""

    frame = Frame()

    def equations(self) -> Iterator[Any]:
        frame = self.frame
        yield frame.w == np.zeros(3)
        yield frame.v == np.zeros(3)
        yield frame.z == np.zeros(3)
        yield frame.a == np.array([0.0, 0.0, 9.81])
        yield frame.unused == np.zeros(21)


class Link(tg.Component):
    """A body that turns about the axis e at position r of the parent's frame."""

    parent = Frame()
    own = Frame()
    e = tg.parameter([0.0, 1.0, 0.0])
    r = tg.parameter([0.5, 0.0, 0.0])
    m = tg.parameter(1.0)
    centre = tg.parameter([0.25, 0.0, 0.0])
    I = tg.parameter([1e-3, 0.02, 0.02])  # noqa: E741
    phi = tg.variable(start=0.0, fixed=True)
    speed = tg.variable(start=0.0, fixed=True)
    turn = tg.variable(shape=(3, 3))
    J = tg.variable(shape=(3, 3))
    H = tg.variable(shape=(3, 3))
    M = tg.variable(shape=(3, 3))
    n = tg.variable(shape=3)
    f = tg.variable(shape=3)
    U = tg.variable(shape=3)
    V = tg.variable(shape=3)
    D = tg.variable()
    u = tg.variable()
    cw = tg.variable(shape=3)
    cv = tg.variable(shape=3)
    Ja = tg.variable(shape=(3, 3))
    Ha = tg.variable(shape=(3, 3))
    Ma = tg.variable(shape=(3, 3))
    na = tg.variable(shape=3)
    fa = tg.variable(shape=3)
    z = tg.variable(shape=3)
    a = tg.variable(shape=3)

    def equations(self) -> Iterator[Any]:
        yield tg.der(self.phi) == self.speed
        yield from self.motion()
        yield from self.inertia()
        yield from self.reduced_inertia()
        yield from self.acceleration()

    def motion(self) -> Iterator[Any]:
        up, own, e = self.parent, self.own, self.e
        c = tg.cos(self.phi)
        yield self.turn == outer(e, e) * (1.0 - c) + c * np.eye(3) - tg.sin(self.phi) * skew(e)
        yield own.w == self.turn @ up.w + e * self.speed
        yield own.v == self.turn @ (up.v + tg.cross(up.w, self.r))
        yield self.cw == tg.cross(own.w, e) * self.speed
        yield self.cv == tg.cross(own.v, e) * self.speed
        yield own.unused == np.zeros(21)

    def inertia(self) -> Iterator[Any]:
        own, centre = self.own, self.centre
        yield self.J == own.J + self.I * np.eye(3) + self.m * (centre @ centre * np.eye(3) - outer(centre, centre))
        yield self.H == own.H + self.m * skew(centre)
        yield self.M == own.M + self.m * np.eye(3)
        spin = self.I * own.w + self.m * tg.cross(centre, own.v + tg.cross(own.w, centre))
        push = self.m * (own.v + tg.cross(own.w, centre))
        yield self.n == own.n + tg.cross(own.w, spin) + tg.cross(own.v, push)
        yield self.f == own.f + tg.cross(own.w, push)

    def reduced_inertia(self) -> Iterator[Any]:
        up, e, turn = self.parent, self.e, self.turn
        yield self.U == self.J @ e
        yield self.V == self.H.T @ e
        yield self.D == e @ self.U
        yield self.u == -(e @ self.n)
        yield self.Ja == self.J - outer(self.U, self.U) / self.D
        yield self.Ha == self.H - outer(self.U, self.V) / self.D
        yield self.Ma == self.M - outer(self.V, self.V) / self.D
        yield self.na == self.n + self.Ja @ self.cw + self.Ha @ self.cv + self.U * (self.u / self.D)
        yield self.fa == self.f + self.Ha.T @ self.cw + self.Ma @ self.cv + self.V * (self.u / self.D)
        arm = skew(self.r)
        masses = turn.T @ self.Ma @ turn
        products = turn.T @ self.Ha @ turn
        yield up.M == -masses
        yield up.H == -products + arm @ up.M
        yield up.J == -(turn.T @ self.Ja @ turn) - arm @ products.T - up.H @ arm
        yield up.f == -(turn.T @ self.fa)
        yield up.n == -(turn.T @ self.na) + tg.cross(self.r, up.f)

    def acceleration(self) -> Iterator[Any]:
        up, own, turn = self.parent, self.own, self.turn
        yield self.z == turn @ up.z + self.cw
        yield self.a == turn @ (up.a + tg.cross(up.z, self.r)) + self.cv
        yield tg.der(self.speed) == (self.u - self.U @ self.z - self.V @ self.a) / self.D
        yield own.z == self.z + self.e * tg.der(self.speed)
        yield own.a == self.a


def tree(parents: Sequence[int]) -> tg.Component:
    """A tree of links; parents[k] is the number of the link that link k hangs on, -1 for the world."""
    n = len(parents)
    offset = [[0.0, 0.1 * k, 0.0] if parent < 0 else [0.5, 0.0, 0.0] for k, parent in enumerate(parents)]

    class Tree(tg.Component):
        world = World()
        links = Link.array(n, e=[AXES[k % 2] for k in range(n)], r=offset)

        def connections(self) -> Iterator[Any]:
            for k, parent in enumerate(parents):
                yield self.links[k].parent, self.world.frame if parent < 0 else self.links[parent].own

    return Tree()


def chain(n: int) -> tg.Component:
    """Links one after the other."""
    return tree(range(-1, n - 1))
