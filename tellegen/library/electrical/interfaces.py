"""What electrical components have in common: pins, the voltage and current between two of them, pairs of such ports."""

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


class TwoPort(tg.Component):
    """Two pairs of pins: v1, i1 from p1 to n1 and v2, i2 from p2 to n2; i1 and i2 are positive into p1 and p2."""

    p1 = Pin("positive pin of port 1")
    n1 = Pin("negative pin of port 1")
    p2 = Pin("positive pin of port 2")
    n2 = Pin("negative pin of port 2")
    v1 = tg.variable("V", "voltage drop from p1 to n1")
    v2 = tg.variable("V", "voltage drop from p2 to n2")
    i1 = tg.variable("A", "current from p1 to n1")
    i2 = tg.variable("A", "current from p2 to n2")

    def equations(self) -> Statements:
        yield self.v1 == self.p1.v - self.n1.v
        yield self.v2 == self.p2.v - self.n2.v
        yield self.i1 == self.p1.i
        yield self.i2 == self.p2.i
        yield self.p1.i + self.n1.i == 0
        yield self.p2.i + self.n2.i == 0
