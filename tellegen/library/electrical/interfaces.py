"""What electrical components have in common: pins, and the voltage and current between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg

Statements = Iterator[Any]


class Pin(tg.Connector):
    """An electrical terminal."""

    v = tg.across("V", "potential")
    i = tg.through("A", "current into the component")


class OnePort(tg.Component):
    """Two pins and the voltage and current between them: v = p.v - n.v, current i flows from p to n."""

    p = Pin("positive pin")
    n = Pin("negative pin")
    v = tg.variable("V", "voltage drop from p to n")
    i = tg.variable("A", "current from p to n")

    def equations(self) -> Statements:
        yield self.v == self.p.v - self.n.v
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0
