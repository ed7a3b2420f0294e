"""Switches that open with an arc: the current continues until it passes zero.

    closed    v = Ron i
    arc       v = min(Vmax, V0 + dVdt (t - t_open)) against the current, whatever its size
    open      i = Goff v, from the instant at which the current has come to zero

An inductive circuit opened by an ideal switch sees a voltage without bound; the arc is what limits it in reality.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.electrical.ideal_switches import BySignal, ByVoltage
from tellegen.library.electrical.interfaces import OnePort, Statements
from tellegen.library.losses import Lossy


class ArcingContact(Lossy, OnePort):
    """Base of switches with an arc; they say when a contact is `separated`."""

    Ron = tg.parameter(1e-5, "ohm", "resistance while closed", min=0.0)
    Goff = tg.parameter(1e-5, "S", "conductance while open", min=0.0)
    V0 = tg.parameter(30.0, "V", "voltage of the arc when the contact opens", min=0.0)
    dVdt = tg.parameter(10e3, "V/s", "rise of that voltage", min=0.0)
    Vmax = tg.parameter(60.0, "V", "largest voltage of the arc", min=0.0)
    opened = tg.variable("s", "instant at which the contact opened", discrete=True, start=0.0)
    direction = tg.variable("1", "sign of the current then", discrete=True, start=1.0)
    mode = tg.enumeration(["closed", "arc", "open"], start="open")

    def separated(self) -> Any:
        """Whether the contact is open, with or without an arc."""
        raise NotImplementedError(f"{type(self).__name__} has to define separated()")

    def losses(self) -> Any:
        return self.v * self.i

    def equations(self) -> Statements:
        arc = tg.minimum(self.Vmax, self.V0 + self.dVdt * (tg.time - self.opened))
        apart = self.separated()
        yield tg.modes(
            tg.mode("closed", self.v == self.Ron * self.i),
            tg.mode("arc", self.v == self.direction * arc),
            tg.mode("open", self.i == self.Goff * self.v),
            tg.transition(["arc", "open"], "closed", ~apart),
            tg.transition(
                "closed",
                "arc",
                apart,
                self.opened == tg.time,
                self.direction == tg.where(tg.pre(self.i) < 0, -1.0, 1.0),
            ),
            tg.transition("arc", "open", self.direction * self.i <= 0),
            variable=self.mode,
        )


class OpenerWithArc(BySignal, ArcingContact):
    """Opens with an arc when control rises above 1/2; closed below."""

    def separated(self) -> Any:
        return self.commanded()


class CloserWithArc(BySignal, ArcingContact):
    """Opens with an arc when control falls below 1/2; closed above."""

    def separated(self) -> Any:
        return ~self.commanded()


class ControlledOpenerWithArc(ByVoltage, ArcingContact):
    """Opens with an arc when the potential of control rises above level; closed below."""

    def separated(self) -> Any:
        return self.commanded()


class ControlledCloserWithArc(ByVoltage, ArcingContact):
    """Opens with an arc when the potential of control falls below level; closed above."""

    def separated(self) -> Any:
        return ~self.commanded()
