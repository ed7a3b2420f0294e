"""Belts and chains between two pulleys."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import one_sided
from tellegen.library.losses import Lossy
from tellegen.library.rotational.interfaces import Statements, TwoFlanges


class IdealBelt(TwoFlanges):
    """A belt or chain that neither stretches nor slips: r_a phi_a = r_b phi_b, tau_a/r_a + tau_b/r_b = 0.

    Both pulleys turn the same way; a crossed belt has a negative r_b. The housing takes -(tau_a + tau_b).
    """

    r_a = tg.parameter(0.05, "m", "radius of the pulley on flange_a")
    r_b = tg.parameter(0.05, "m", "radius of the pulley on flange_b; negative if the belt is crossed")

    def equations(self) -> Statements:
        yield self.r_a * self.angle(self.flange_a) == self.r_b * self.angle(self.flange_b)
        yield self.r_b * self.flange_a.tau + self.r_a * self.flange_b.tau == 0


class ElasticBelt(TwoFlanges, Lossy):
    """Two elastic strands with a pretension F0; a strand pulls, and hangs slack where it would have to push.

    The pulleys carry u = r_a phi_a - r_b phi_b of belt from one strand into the other. Strand 1 is stretched by
    e_1 = F0/c + u, strand 2 by e_2 = F0/c - u, each with the force F = c e + d de/dt while it is taut (down to zero and
    not below). The torques are tau_a = r_a (F_1 - F_2) and tau_b = -r_b (F_1 - F_2): driven by flange_a, strand 1 is
    the tight one. A crossed belt has a negative r_b. The belt does not slip on the pulleys. The heat of the damping
    leaves through the heat port if there is one.
    """

    r_a = tg.parameter(0.05, "m", "radius of the pulley on flange_a")
    r_b = tg.parameter(0.05, "m", "radius of the pulley on flange_b; negative if the belt is crossed")
    c = tg.parameter(1e5, "N/m", "stiffness of a strand", min=0.0)
    d = tg.parameter(0.0, "N.s/m", "damping of a strand", min=0.0)
    F0 = tg.parameter(0.0, "N", "pretension of both strands", min=0.0)
    u = tg.variable("m", "length that has gone from strand 2 to strand 1", start=0.0, state="prefer")
    du = tg.variable("m/s", "its derivative", start=0.0, state="prefer")
    F_1 = tg.variable("N", "force of strand 1")
    F_2 = tg.variable("N", "force of strand 2")

    def losses(self) -> Any:
        first = self.F0 / self.c + self.u
        second = self.F0 / self.c - self.u
        springs = one_sided.spring(first, self.c) - one_sided.spring(second, self.c)
        return (self.F_1 - self.F_2 - springs) * self.du

    def equations(self) -> Statements:
        yield self.u == self.r_a * self.angle(self.flange_a) - self.r_b * self.angle(self.flange_b)
        yield self.du == tg.der(self.u)
        yield self.F_1 == one_sided.push(self.F0 / self.c + self.u, self.du, self.c, self.d)
        yield self.F_2 == one_sided.push(self.F0 / self.c - self.u, -self.du, self.c, self.d)
        yield self.flange_a.tau == self.r_a * (self.F_1 - self.F_2)
        yield self.flange_b.tau == -self.r_b * (self.F_1 - self.F_2)
