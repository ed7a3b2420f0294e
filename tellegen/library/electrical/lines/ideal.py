"""Lines without losses: what enters one end leaves the other later."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements, TwoPort


class TLine(TwoPort):
    """Transmission line without losses: what enters one end leaves the other after the time TD.

        v1 - Z0 i1 = (v2 + Z0 i2)(t - TD)     v2 - Z0 i2 = (v1 + Z0 i1)(t - TD)

    A wave is reflected where an end is not loaded by Z0. Before the start the line has been as it is at the start: in
    steady state v1 = v2 and i1 = -i2. As in SPICE, only the voltages between the pins of a port count; nothing is
    conducted from n1 to n2.
    """

    Z0 = tg.parameter(50.0, "ohm", "characteristic impedance", min=0.0)
    TD = tg.parameter(1e-9, "s", "time that a wave takes", min=0.0)

    def equations(self) -> Statements:
        into_2 = tg.delay(self.v1 + self.Z0 * self.i1, self.TD)
        into_1 = tg.delay(self.v2 + self.Z0 * self.i2, self.TD)
        yield tg.where(tg.initial(), self.v1 - self.v2, self.v1 - self.Z0 * self.i1 - into_1) == 0
        yield tg.where(tg.initial(), self.Z0 * (self.i1 + self.i2), self.v2 - self.Z0 * self.i2 - into_2) == 0


class TLine1(TLine):
    """The line by its characteristic impedance Z0 and the time TD that a wave takes: TLine by another name."""


class TLine2(TLine):
    """The line by its length in wave lengths NL at a frequency F: TD = NL/F."""

    F = tg.parameter(1.0, "Hz", "frequency", min=1e-300)
    NL = tg.parameter(1.0, "1", "length in wave lengths at that frequency", min=1e-300)
    TD = tg.parameter(NL / F, "s", "time that a wave takes", min=0.0)


class TLine3(TLine):
    """The line that is a quarter of a wave length long at a frequency F: TD = 1/(4 F)."""

    F = tg.parameter(1.0, "Hz", "frequency", min=1e-300)
    TD = tg.parameter(0.25 / F, "s", "time that a wave takes", min=0.0)
