"""Lines with a resistance: waves that are weakened on their way."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements, TwoPort


class LossyTLine(TwoPort):
    """Transmission line with the resistance R in series, spread over it, by the method of characteristics in N pieces.

    Along a wave to the right v + Z0 i falls by R i, along one to the left v - Z0 i rises by it. Over a piece, which
    takes TD/N, both are integrated by the trapezoidal rule (Dommel):

        (v + (Z0 + r/2) i)(x + dx, t) = (v + (Z0 - r/2) i)(x, t - TD/N)      r = R/N

    and the mirror image. Delays and the resistance are exact; the error of the rest falls with N^2, and is about 0.1 %
    of a step with N = 32. As of TLine nothing is conducted from n1 to n2, and before the start the line has been in
    steady state. A run takes steps of TD/N at most.
    """

    Z0 = tg.parameter(50.0, "ohm", "characteristic impedance of the line without its resistance", min=0.0)
    TD = tg.parameter(1e-9, "s", "time that a wave takes", min=0.0)
    R = tg.parameter(1.0, "ohm", "resistance of the whole line", min=0.0)
    N = tg.parameter(32, structural=True, description="number of pieces", min=1)
    v = tg.variable("V", "voltages along the line", shape=lambda self: self.N + 1)
    i = tg.variable("A", "currents along the line, from port 1 to port 2", shape=lambda self: self.N + 1)

    def equations(self) -> Statements:
        yield self.v[0] == self.v1
        yield self.i[0] == self.i1
        yield self.v[self.N] == self.v2
        yield self.i[self.N] == -self.i2
        r = self.R / self.N
        step = self.TD / self.N
        for k in range(self.N):
            v, i = self.v[k], self.i[k]
            w, j = self.v[k + 1], self.i[k + 1]
            to_right = w + (self.Z0 + 0.5 * r) * j - tg.delay(v + (self.Z0 - 0.5 * r) * i, step)
            to_left = v - (self.Z0 + 0.5 * r) * i - tg.delay(w - (self.Z0 - 0.5 * r) * j, step)
            yield tg.where(tg.initial(), v - w - r * i, to_left) == 0
            yield tg.where(tg.initial(), self.Z0 * (i - j), to_right) == 0
