"""Sensors of potential and current."""

from __future__ import annotations

import tellegen as tg
from tellegen.library.electrical.interfaces import Pin, Statements


class PotentialSensor(tg.Component):
    """Measures the potential of a pin; draws no current."""

    p = Pin()
    phi = tg.output("V", "potential")

    def equations(self) -> Statements:
        yield self.p.i == 0
        yield self.phi == self.p.v


class CurrentSensor(tg.Component):
    """Measures the current from p to n; no voltage drop."""

    p = Pin()
    n = Pin()
    i = tg.output("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.p.v == self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0
