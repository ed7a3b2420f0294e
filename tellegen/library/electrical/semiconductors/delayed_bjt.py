"""Bipolar transistors whose current follows with an excess phase, as in SPICE."""

from __future__ import annotations

from typing import Any, ClassVar

import tellegen as tg
from tellegen.library.electrical.interfaces import Statements
from tellegen.library.electrical.semiconductors.bjt import BJT


class DelayedBJT(BJT):
    """Bipolar transistor with an excess phase; base of DelayedNPN and DelayedPNP.

    The carriers need a time t = Ptf Tf to cross the base. As in SPICE (Weil and McNamee, 1978) i_t = x - i_r/q_b with

        t^2/3 x'' + t x' + x = i_f/q_b

    which delays all slow signals by t. All else is as in BJT.
    """

    Ptf = tg.parameter(0.0, "deg", "excess phase at the frequency 1/(2 pi Tf)", min=0.0)
    i_x = tg.variable("A", "delayed current from collector to emitter", start=0.0)
    i_y = tg.variable("A", "t times the slope of the delayed current", start=0.0)

    def transport(self) -> Any:
        return self.i_x - self.i_r / self.q_b

    def delay(self) -> Any:
        """t, by which signals are delayed."""
        return self.Ptf * self.Tf

    def equations(self) -> Statements:
        yield self.delay() * tg.der(self.i_x) == self.i_y
        yield self.delay() / 3.0 * tg.der(self.i_y) == self.i_f / self.q_b - self.i_x - self.i_y

    def initial_equations(self) -> Statements:
        yield self.i_x == self.i_f / self.q_b
        yield self.i_y == 0


class DelayedNPN(DelayedBJT):
    """NPN transistor with an excess phase."""


class DelayedPNP(DelayedBJT):
    """PNP transistor with an excess phase."""

    SIGN: ClassVar[float] = -1.0
