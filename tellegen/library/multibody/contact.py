"""Contact: balls, capsules and boxes on planes, and balls on each other.

Where two surfaces overlap by the depth p they push each other apart with N = c p (1 + d dp/dt), but never less than
zero: the damping fades with the depth, so that the force does not jump (Hunt and Crossley, 1975). How much of the speed
comes back depends on d and the speed alone. Friction opposes the velocity v along the surface,

    F = mu N v/sqrt(v^2 + v_small^2)

so that nothing sticks for good: what should be at rest on a slope creeps, by less than v_small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.frontends.python.components.frames import AboutFrames, arrow
from tellegen.library.losses import Lossy
from tellegen.library.multibody.forces import Interaction
from tellegen.library.multibody.interfaces import Statements
from tellegen.library.multibody.sweeps.vectors import AFTER, NEXT, cross


class Touching(Lossy, Interaction):
    """Base of contacts: what the surfaces are made of."""

    c = tg.parameter(1e5, "N/m", "stiffness", min=0.0)
    d = tg.parameter(0.5, "s/m", "damping, per speed", min=0.0)
    mu = tg.parameter(0.5, "1", "coefficient of friction", min=0.0)
    v_small = tg.parameter(1e-3, "m/s", "friction is smooth within this velocity", min=0.0)

    def push(self, p: Any, v_p: Any) -> Any:
        """The normal force at the depth p that grows with v_p."""
        return tg.where(p > 0, self.c * p * tg.maximum(1.0 + self.d * v_p, 0.0), 0.0)

    def drag(self, N: Any, v: Any) -> Any:
        """Friction over velocity, where the surfaces slide with the velocity v on each other."""
        return self.mu * N / tg.sqrt(v @ v + self.v_small**2)

    def heat(self, p: Any, v_p: Any, N: Any, v: Any) -> Any:
        """What one contact loses: the normal force without its elastic part, and friction."""
        elastic = tg.where(p > 0, self.c * p, 0.0)
        return (N - elastic) * v_p + self.drag(N, v) * (v @ v)


class PointsOnPlane(Touching):
    """Base of bodies that touch a plane with balls of radius R around some points of frame_b, or with these points.

    The plane goes through the origin of frame_a, with the normal n. At each of the points N = c p (1 + d dp/dt).
    """

    count = tg.parameter(1, structural=True, description="number of points")
    n = tg.parameter([0.0, 1.0, 0.0], "1", "normal of the plane, out of the ground, in axes of frame_a")
    R = tg.parameter(0.0, "m", "radius around the points", min=0.0)
    points = tg.parameter(np.zeros((1, 3)), "m", "the points, in axes of frame_b", shape=(count, 3))
    e = tg.parameter(n / tg.sqrt(n @ n), "1", "the normal with length one", shape=3)
    n_0 = tg.variable("1", "normal in the world", shape=3)
    arm = tg.variable("m", "from frame_b to where each point touches, in the world", shape=(count, 3))
    u = tg.variable("m/s", "velocities there against the plane, in the world", shape=(count, 3))
    v = tg.variable("m/s", "the same along the plane", shape=(count, 3))
    p = tg.variable("m", "depths below the plane", shape=count)
    v_p = tg.variable("m/s", "their derivatives", shape=count)
    N = tg.variable("N", "normal forces", shape=count)
    f = tg.variable("N", "forces on the points, in the world", shape=(count, 3))

    def drawn(self) -> AboutFrames:
        """The force at each of the points."""
        return arrow(self.frame_b, force=self.f, arm=self.arm)

    def losses(self) -> Any:
        each = [self.heat(self.p[k], self.v_p[k], self.N[k], self.v[k]) for k in range(self.count)]
        return summed(each)

    def equations(self) -> Statements:
        a = self.frame_a
        b = self.frame_b
        apart = b.r_0 - a.r_0
        yield self.n_0 == a.R.T @ self.e
        yield self.arm == self.points @ b.R - self.R * self.n_0
        moved = crossed_rows(b.R.T @ b.w, self.arm) - crossed_rows(a.R.T @ a.w, self.arm + apart)
        yield self.u == b.v_0 - a.v_0 + moved
        yield self.p == -((self.arm + apart) @ self.n_0)
        yield self.v_p == -(self.u @ self.n_0)
        yield self.N == self.push(self.p, self.v_p)
        for k in range(self.count):
            yield self.v[k] == self.u[k] + self.v_p[k] * self.n_0
            yield self.f[k] == self.N[k] * self.n_0 - self.drag(self.N[k], self.v[k]) * self.v[k]
        yield self.F == summed([self.f[k] for k in range(self.count)])
        yield self.M == summed([cross(self.arm[k], self.f[k]) for k in range(self.count)])


class SphereOnPlane(PointsOnPlane):
    """A ball with its centre at frame_b over a plane through frame_a: N = c p (1 + d dp/dt) at its lowest point."""

    R = tg.parameter(0.1, "m", "radius of the ball", min=0.0)


class CapsuleOnPlane(PointsOnPlane):
    """A cylinder with round ends over a plane through frame_a. It touches with the lowest point of each end."""

    count = tg.parameter(2, structural=True, description="number of points")
    R = tg.parameter(0.1, "m", "radius of the capsule", min=0.0)
    r = tg.parameter([0.5, 0.0, 0.0], "m", "from one end to the other, whose centres of curvature they are, in frame_b")
    points = tg.parameter(np.array([[0.0], [1.0]]) * r, "m", "the ends, in axes of frame_b", shape=(2, 3))


CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


class BoxOnPlane(PointsOnPlane):
    """A box along the axes of frame_b over a plane through frame_a. It touches with its eight corners."""

    count = tg.parameter(8, structural=True, description="number of points")
    centre = tg.parameter([0.0, 0.0, 0.0], "m", "middle of the box, in axes of frame_b")
    size = tg.parameter([0.1, 0.1, 0.1], "m", "length, width and height of the box", min=0.0)
    points = tg.parameter(centre + CORNERS * size, "m", "the corners, in axes of frame_b", shape=(8, 3))


class SphereOnSphere(Touching):
    """Two balls around the origins of the frames: N = c p (1 + d dp/dt), overlap p = R_a + R_b - |r_b - r_a|."""

    R_a = tg.parameter(0.1, "m", "radius of the ball at frame_a", min=0.0)
    R_b = tg.parameter(0.1, "m", "radius of the ball at frame_b", min=0.0)
    s_small = tg.parameter(1e-9, "m", "distances of the centres below have no direction", min=0.0)
    s = tg.variable("m", "distance of the centres", start=1.0)
    e = tg.variable("1", "direction from frame_a to frame_b, in the world", shape=3)
    p = tg.variable("m", "overlap")
    v_p = tg.variable("m/s", "its derivative")
    arm_a = tg.variable("m", "from frame_a to the middle of the overlap, in the world", shape=3)
    arm_b = tg.variable("m", "from frame_b to the middle of the overlap, in the world", shape=3)
    v = tg.variable("m/s", "velocity of frame_b's ball there against that of frame_a, along the surface", shape=3)
    N = tg.variable("N", "normal force")

    def drawn(self) -> AboutFrames:
        """The force where the balls touch."""
        return arrow(self.frame_b, force=self.F, arm=self.arm_b)

    def losses(self) -> Any:
        return self.heat(self.p, self.v_p, self.N, self.v)

    def equations(self) -> Statements:
        a = self.frame_a
        b = self.frame_b
        apart = b.r_0 - a.r_0
        yield self.s == tg.sqrt(apart @ apart + self.s_small**2)
        yield self.e == apart / self.s
        yield self.p == self.R_a + self.R_b - self.s
        yield self.v_p == -(self.e @ (b.v_0 - a.v_0))
        yield self.arm_a == (self.R_a - 0.5 * self.p) * self.e
        yield self.arm_b == self.arm_a - apart
        turned = cross(b.R.T @ b.w, self.arm_b) - cross(a.R.T @ a.w, self.arm_a)
        yield self.v == b.v_0 - a.v_0 + self.v_p * self.e + turned
        yield self.N == self.push(self.p, self.v_p)
        yield self.F == self.N * self.e - self.drag(self.N, self.v) * self.v
        yield self.M == cross(self.arm_b, self.F)


def crossed_rows(w: Any, rows: Any) -> Any:
    """The vector product of w with every row."""
    return w[NEXT] * rows[:, AFTER] - w[AFTER] * rows[:, NEXT]


def summed(terms: list[Any]) -> Any:
    """The sum of some terms."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
