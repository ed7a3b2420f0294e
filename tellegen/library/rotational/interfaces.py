"""What rotational components have in common: flanges, and a torque between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Flange(tg.Connector):
    """A shaft end."""

    phi = tg.across("rad", "absolute angle")
    tau = tg.through("N.m", "cut torque into the component")


class Compliant(tg.Component):
    """Two flanges and a torque that depends on what is between them; tau acts on flange_b, -tau on flange_a."""

    flange_a = Flange()
    flange_b = Flange()
    phi_rel = tg.variable("rad", "relative angle, flange_b less flange_a", start=0.0)
    tau = tg.variable("N.m", "torque between the flanges")

    def equations(self) -> Statements:
        yield self.phi_rel == self.flange_b.phi - self.flange_a.phi
        yield self.flange_b.tau == self.tau
        yield self.flange_a.tau == -self.tau
