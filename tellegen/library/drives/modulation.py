"""From wanted voltages to duties of a three-phase bridge."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.drives.base import Regulator, Statements


class SpaceVectorModulation(Regulator):
    """Duties of three half bridges whose mean voltages differ as wanted, placed in the middle of the supply.

    A machine without neutral only sees the differences of its three voltages. Shifting all of them by
    -(largest + smallest)/2 is what space-vector modulation does with its zero vectors, and makes amplitudes up to
    v_dc/sqrt(3) possible, where sines around the middle end at v_dc/2. Duties are cut off at 0 and 1.
    """

    v = tg.input("V", "wanted voltages of the phases", shape=3)
    v_dc = tg.input("V", "voltage of the supply")
    duty = tg.output("1", "share of the time at the positive rail, 0 to 1", shape=3, start=0.5)
    u = tg.output("1", "the same as the mean of the switching, 2 duty - 1", shape=3, start=0.0)

    def equations(self) -> Statements:
        a, b, c = (self.v[k] for k in range(3))
        shift = 0.5 * (tg.maximum(tg.maximum(a, b), c) + tg.minimum(tg.minimum(a, b), c))
        duties = [tg.minimum(tg.maximum(0.5 + (x - shift) / self.v_dc, 0.0), 1.0) for x in (a, b, c)]
        yield from self.act([], [self.duty[k] == duties[k] for k in range(3)])
        yield self.u == [2.0 * self.duty[k] - 1.0 for k in range(3)]
