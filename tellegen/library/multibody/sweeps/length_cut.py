"""A rod between two points that keeps their distance: with g from the origin of frame_a to that of frame_b

phi = (g.g - L^2)/(2 L),    phi' = g.v/L,    phi'' = (g.a + v.v)/L

where v and a are seen from the first lump. The force along g/L on the second lump is the multiplier.
"""

from __future__ import annotations

import tellegen as tg
from tellegen.library.multibody.sweeps.cuts import Held
from tellegen.library.multibody.sweeps.lump import Statements


class LengthCut(Held):
    """See the top of this file."""

    L = tg.parameter(1.0, "m", "length of the rod")
    gap = tg.variable("m", "constraint", shape=1)
    rate = tg.variable("m/s", "its rate", shape=1)
    force = tg.variable("N", "multiplier", shape=1)
    cut_f = tg.output("N", "force in the rod, positive when it is pressed")

    def equations(self) -> Statements:
        e = self.F_a[0]
        yield e == self.g / self.L
        yield self.F_a[1] == 0.0
        yield self.F_a[2] == 0.0
        yield self.gap[0] == 0.5 * (self.g @ e - self.L)
        yield self.rate[0] == e @ self.v_g
        yield e @ self.a_g + self.v_g @ self.v_g / self.L + self.force[0] * self.compliance() == 0
        yield self.f_b == self.force[0] * e
        yield self.t_b == 0.0
        yield self.cut_f == self.force[0]
