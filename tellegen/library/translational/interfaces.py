"""What translational components have in common: flanges, and a force between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Flange(tg.Connector):
    """The end of a rod."""

    s = tg.across("m", "absolute position")
    f = tg.through("N", "cut force into the component")


class Compliant(tg.Component):
    """Two flanges and a force that depends on what is between them; f acts on flange_b, -f on flange_a."""

    flange_a = Flange()
    flange_b = Flange()
    s_rel = tg.variable("m", "distance, flange_b less flange_a", start=0.0)
    f = tg.variable("N", "force between the flanges")

    def equations(self) -> Statements:
        yield self.s_rel == self.flange_b.s - self.flange_a.s
        yield self.flange_b.f == self.f
        yield self.flange_a.f == -self.f
