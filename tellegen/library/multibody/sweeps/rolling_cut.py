"""A wheel that rolls on a plane: where it touches, its velocity is that of the plane.

With the normal n of the plane and the axis e of the wheel, the lowest point of a wheel of radius R is seen from its
centre at

    d = -R u/|u|,    u = n - (n.e) e

The velocity of the wheel there against the plane, s = v_b + w_b x d - v_plane, is zero in all directions. Of these
constraints only that along n is one of positions, too: the wheel may reach any place on the plane, in any direction.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.multibody.sweeps.cuts import COMPLIANCE, Between, around, in_world
from tellegen.library.multibody.sweeps.lump import Statements
from tellegen.library.multibody.sweeps.vectors import cross

FLAT = "a wheel lies flat on its plane: it does not touch it in a single point"
LEAST_SLOPE = 0.02
"""Sine of the angle between the axis of a wheel and the normal of its plane."""


class RollingCut(Between):
    """See the top of this file. frame_a is the plane, frame_b the centre of the wheel."""

    R = tg.parameter(0.1, "m", "radius of the wheel")
    n = tg.parameter([0.0, 1.0, 0.0], "1", "normal of the plane, of length one, in axes of frame_a")
    e = tg.parameter([0.0, 0.0, 1.0], "1", "axis of the wheel, of length one, in axes of frame_b")
    sign = tg.parameter(tg.where(n[2] >= 0, 1.0, -1.0), "1", "of the last element of n")
    b = tg.parameter(-1 / (sign + n[2]), "1", "for directions in the plane")

    e_0 = tg.variable("1", "axis of the wheel in the world", shape=3)
    u = tg.variable("1", "upwards in the plane of the wheel", shape=3)
    slope = tg.variable("1", "length of u: one if the wheel is upright", start=1.0)
    arm = tg.variable("m", "from the second reference point to the centre", shape=3)
    d = tg.variable("m", "from the centre to where the wheel touches", shape=3)
    n_rate = tg.variable("rad/s", "derivative of the normal", shape=3)
    e_rate = tg.variable("rad/s", "derivative of the axis", shape=3)
    u_rate = tg.variable("rad/s", "derivative of u", shape=3)
    d_b_rate = tg.variable("m/s", "derivative of d_b", shape=3)
    slip = tg.variable("m/s", "velocity of the wheel where it touches against the plane", shape=3)
    slip_rate = tg.variable("m/s2", "its derivative in axes of the plane", shape=3)
    gap = tg.variable("m", "height of the lowest point over the plane", shape=1)
    rate = tg.variable("m/s", "velocities where it touches: along n, and in the plane", shape=3)
    force = tg.variable("N", "multipliers", shape=3)
    cut_f = tg.output("N", "force on the wheel, in axes of frame_a", shape=3)

    def equations(self) -> Statements:
        across, beside, normal = around(self.n, self.sign, self.b)
        for row, direction in enumerate((normal, across, beside)):
            yield self.F_a[row] == in_world(self.A_p, self.C, direction)
        n = self.F_a[0]
        e = self.e_0
        yield e == in_world(self.A_o, self.C_o, self.e)
        yield self.u == n - (n @ e) * e
        yield self.slope == tg.sqrt(self.u @ self.u)
        yield tg.assert_(self.slope > LEAST_SLOPE, FLAT)  # noqa: PT009
        yield self.arm == self.A_o @ self.s_o
        yield self.d == -self.R * self.u / self.slope
        yield self.d_b == self.arm + self.d
        yield from self.rates()
        yield self.gap[0] == n @ self.g
        for k in range(3):
            yield self.rate[k] == self.F_a[k] @ self.slip
            yield self.F_a[k] @ self.slip_rate + self.force[k] * (COMPLIANCE / self.m_loop) == 0
        yield self.f_b == self.force[0] * n + self.force[1] * self.F_a[1] + self.force[2] * self.F_a[2]
        yield self.t_b == 0.0
        yield self.cut_f == self.C.T @ (self.A_p.T @ self.f_b)

    def rates(self) -> Statements:
        """The velocity where the wheel touches, and how it changes while the point goes round the wheel."""
        n = self.F_a[0]
        e = self.e_0
        u = self.u
        yield self.n_rate == cross(self.w_p, n)
        yield self.e_rate == cross(self.w_o, e)
        yield self.u_rate == self.n_rate - (self.n_rate @ e + n @ self.e_rate) * e - (n @ e) * self.e_rate
        turned = self.u_rate - u * ((u @ self.u_rate) / self.slope**2)
        yield self.d_b_rate == cross(self.w_o, self.arm) - self.R * turned / self.slope
        yield self.slip == self.v_o + cross(self.w_o, self.d_b) - self.v_p - cross(self.w_p, self.d_g)
        there = self.other.a + cross(self.other.z, self.d_b) + cross(self.w_o, self.d_b_rate)
        moved = self.v_o + self.d_b_rate - self.v_p
        here = self.parent.a + cross(self.parent.z, self.d_g) + cross(self.w_p, moved)
        yield self.slip_rate == there - here - cross(self.w_p, self.slip)
