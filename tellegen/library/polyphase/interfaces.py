"""What components of several phases have in common: plugs, and the voltages and currents between two of them.

A plug is an array of pins, one for each of m phases, so everything arrays can do holds for plugs:

    yield self.grid.plug_p, self.load.plug_p        phase by phase; different numbers of phases are an error
    yield self.grid.plug_p[0], self.lamp.p          one phase of a plug is a pin
    yield self.load.plug_n, self.ground.p           all phases with one pin; `Star` does this with a plug of its own

and `plug_p.v`, `plug_p.i` are vectors of length m, so one equation of arrays is the law of all phases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tellegen as tg
from tellegen.library.electrical import Pin

Statements = Iterator[Any]


class Plug(Pin):
    """The terminal of one phase. `Plug.array(m)` is a plug: potentials v and currents i of m phases, i inwards."""


class Phases(tg.Component):
    """Base of everything that has a number of phases."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)


class TwoPlug(Phases):
    """Two plugs and the voltages and currents between them: v = plug_p.v - plug_n.v, i flows from plug_p to plug_n."""

    plug_p = Plug.array(Phases.m, "positive plug")
    plug_n = Plug.array(Phases.m, "negative plug")
    v = tg.variable("V", "voltage drops from plug_p to plug_n", shape=Phases.m)
    i = tg.variable("A", "currents from plug_p to plug_n", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.plug_p.v - self.plug_n.v
        yield self.i == self.plug_p.i
        yield self.plug_p.i + self.plug_n.i == nothing(self.m)


class FourPlug(Phases):
    """Two pairs of plugs: v1 = plug_p1.v - plug_n1.v, v2 = plug_p2.v - plug_n2.v; i1 and i2 go into the plugs p."""

    plug_p1 = Plug.array(Phases.m, "positive plug of side 1")
    plug_n1 = Plug.array(Phases.m, "negative plug of side 1")
    plug_p2 = Plug.array(Phases.m, "positive plug of side 2")
    plug_n2 = Plug.array(Phases.m, "negative plug of side 2")
    v1 = tg.variable("V", "voltage drops from plug_p1 to plug_n1", shape=Phases.m)
    v2 = tg.variable("V", "voltage drops from plug_p2 to plug_n2", shape=Phases.m)
    i1 = tg.variable("A", "currents from plug_p1 to plug_n1", shape=Phases.m)
    i2 = tg.variable("A", "currents from plug_p2 to plug_n2", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v1 == self.plug_p1.v - self.plug_n1.v
        yield self.v2 == self.plug_p2.v - self.plug_n2.v
        yield self.i1 == self.plug_p1.i
        yield self.i2 == self.plug_p2.i
        yield self.plug_p1.i + self.plug_n1.i == nothing(self.m)
        yield self.plug_p2.i + self.plug_n2.i == nothing(self.m)


def nothing(m: int) -> list[float]:
    """A vector of zeros, one for each phase."""
    return [0.0] * m


def lag(m: int) -> list[float]:
    """How far each phase lags the first in a symmetrical system, in radians: 0, 2 pi/m, 4 pi/m, ..."""
    return [2.0 * float(tg.pi) * k / m for k in range(m)]
